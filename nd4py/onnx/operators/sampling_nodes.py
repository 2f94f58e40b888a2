"""Elements at places between others, blocks put together, and boxes that do not overlap."""

from __future__ import annotations

import itertools
from math import prod
from typing import Any

from nd4py import api as nd

from .host_values import one_number, whole_numbers
from .operator_rows import Rows
from .window_geometry import frames

CUBIC = -0.75


def grid_sample(x: Any, grid: Any, *, mode: str = "linear", padding_mode: str = "zeros", align_corners: int = 0) -> Any:
    """x: (batch, channels, ...)    grid: (batch, ..., axes), places from -1 to 1, the last axis of x first"""
    kind = {"bilinear": "linear", "bicubic": "cubic"}.get(mode, mode)
    sizes, n = x.shape[2:], x.ndim - 2
    points = []
    for axis, size in enumerate(sizes):
        place = grid[..., n - 1 - axis]
        point = (place + 1) * ((size - 1) / 2) if align_corners else ((place + 1) * size - 1) / 2
        points.append(placed(point, size, padding_mode, bool(align_corners)) if kind != "cubic" else point)
    if kind == "nearest":
        return picked(x, [nd.round(point) for point in points], padding_mode, bool(align_corners))
    reach = (0, 1) if kind == "linear" else (-1, 0, 1, 2)
    first = [nd.floor(point) for point in points]
    total = None
    for offsets in itertools.product(reach, repeat=n):
        weight = nd.ones((), dtype=x.dtype)
        for point, low, offset in zip(points, first, offsets, strict=True):
            distance = nd.abs(point - low - offset)
            weight = weight * (1 - distance if kind == "linear" else cubic_weights(distance))
        places = [low + offset for low, offset in zip(first, offsets, strict=True)]
        part = picked(x, places, padding_mode, bool(align_corners)) * nd.expand_dims(weight, axis=1)
        total = part if total is None else total + part
    return total


def affine_grid(theta: Any, size: Any, *, align_corners: int = 0) -> Any:
    """Places of the pixels of an image of `size` in another one, moved by `theta`, for `grid_sample`.

    theta: (batch, axes, axes + 1)    size: (batch, channels, ...)    Returns (batch, ..., axes), the last axis first.
    """
    sizes = whole_numbers(size)[2:]
    n = len(sizes)
    grid = nd.empty((*sizes, n + 1), dtype=theta.dtype)
    grid[..., n] = 1
    for axis, length in enumerate(sizes):
        step, first = (2 / max(length - 1, 1), -1.0) if align_corners else (2 / length, 1 / length - 1)
        line = nd.arange(length).astype(theta.dtype) * step + first
        grid[..., n - 1 - axis] = line.reshape([-1 if i == axis else 1 for i in range(n)])
    moved = nd.matmul(grid.reshape(-1, n + 1), nd.matrix_transpose(theta))
    return moved.reshape(theta.shape[0], *sizes, n)


def cubic_weights(distance: Any) -> Any:
    """Keys 1981, doi 10.1109/TASSP.1981.1163711, of an array of distances."""
    near = ((CUBIC + 2) * distance - (CUBIC + 3)) * distance * distance + 1
    far = ((CUBIC * distance - 5 * CUBIC) * distance + 8 * CUBIC) * distance - 4 * CUBIC
    return nd.where(distance <= 1, near, nd.where(distance < 2, far, nd.zeros((), dtype=distance.dtype)))


def placed(point: Any, size: int, padding_mode: str, align_corners: bool) -> Any:
    """A place as it is read: at the edge, or mirrored, where it lies outside."""
    if padding_mode == "border":
        return nd.clip(point, 0, size - 1)
    if padding_mode == "reflection":
        low, high = (0.0, size - 1.0) if align_corners else (-0.5, size - 0.5)
        span = high - low
        if span == 0:
            return nd.zeros_like(point)
        turned = nd.remainder(nd.abs(point - low), 2 * span)
        return nd.clip(nd.where(turned > span, 2 * span - turned, turned) + low, 0, size - 1)
    return point


def picked(x: Any, places: list[Any], padding_mode: str, align_corners: bool) -> Any:
    """The elements of x (batch, channels, ...) at whole places (batch, ...), 0 outside."""
    is_inside, indices = nd.asarray(True), []
    for place, size in zip(places, x.shape[2:], strict=True):
        place = placed(place, size, padding_mode, align_corners)
        inside = (place >= 0) & (place <= size - 1)
        is_inside = is_inside & inside
        indices.append(nd.clip(place, 0, size - 1).astype(nd.int64))
    batch = nd.arange(x.shape[0]).reshape(-1, *[1] * (indices[0].ndim - 1))
    found = nd.moveaxis(x, 1, -1)[(batch, *indices)]  # batch, places, channels
    found = nd.where(nd.expand_dims(is_inside, axis=-1), found, nd.zeros((), dtype=x.dtype))
    return nd.moveaxis(found, -1, 1)


def column_to_image(
    x: Any, image_shape: Any, block_shape: Any, *, dilations: Any = None, pads: Any = None, strides: Any = None
) -> Any:
    """Blocks (batch, channels * elements of a block, blocks) added up where they overlap."""
    sizes, block = whole_numbers(image_shape), whole_numbers(block_shape)
    n = len(sizes)
    strides, dilations, pads = strides or [1] * n, dilations or [1] * n, pads or [0] * (2 * n)
    pairs, counts = frames(sizes, block, strides, dilations, pads, "NOTSET")
    channels = x.shape[1] // prod(block)
    blocks = x.reshape(x.shape[0], channels, *block, *counts)
    image = nd.zeros(
        (x.shape[0], channels, *(s + a + b for s, (a, b) in zip(sizes, pairs, strict=True))), dtype=x.dtype
    )
    for offset in itertools.product(*map(range, block)):
        axes = zip(offset, dilations, counts, strides, strict=True)
        key = tuple(slice(o * d, o * d + (count - 1) * step + 1, step) for o, d, count, step in axes)
        image[(..., *key)] = image[(..., *key)] + blocks[(slice(None), slice(None), *offset)]
    return image[(..., *(slice(a, a + s) for s, (a, _) in zip(sizes, pairs, strict=True)))]


def non_max_suppression(
    boxes: Any, scores: Any, most: Any = None, iou_threshold: Any = None, score_threshold: Any = None, *,
    center_point_box: int = 0,
) -> Any:  # fmt: skip
    """Rows (image, class, box) of boxes that overlap none of a higher score by more than the threshold."""
    limit = 0 if most is None else int(one_number(most))
    overlap = 0.0 if iou_threshold is None else one_number(iou_threshold)
    lowest = None if score_threshold is None else one_number(score_threshold)
    rows = []
    for image, of_image in enumerate(corners(boxes, bool(center_point_box)).tolist()):
        for number, of_class in enumerate(scores[image].tolist()):
            order = sorted(range(len(of_class)), key=lambda i: -of_class[i])
            kept: list[int] = []
            for i in order:
                if len(kept) >= limit or (lowest is not None and of_class[i] <= lowest):
                    break
                if all(intersection_over_union(of_image[i], of_image[j]) <= overlap for j in kept):
                    kept.append(i)
            rows += [[image, number, i] for i in kept]
    return nd.asarray(rows, dtype=nd.int64).reshape(-1, 3)


def corners(boxes: Any, has_centers: bool) -> Any:
    """Boxes (..., 4) by their lower and higher corners."""
    a, b, c, d = (boxes[..., i] for i in range(4))
    if has_centers:
        return nd.stack([a - c / 2, b - d / 2, a + c / 2, b + d / 2], axis=-1)
    return nd.stack([nd.minimum(a, c), nd.minimum(b, d), nd.maximum(a, c), nd.maximum(b, d)], axis=-1)


def intersection_over_union(first: list[float], second: list[float]) -> float:
    height = max(0.0, min(first[2], second[2]) - max(first[0], second[0]))
    width = max(0.0, min(first[3], second[3]) - max(first[1], second[1]))
    areas = [(box[2] - box[0]) * (box[3] - box[1]) for box in (first, second)]
    both = height * width
    return both / (sum(areas) - both) if both else 0.0


OPERATORS: Rows = {
    "AffineGrid": [(20, 20, affine_grid)],
    "Col2Im": [(18, 18, column_to_image)],
    "GridSample": [(16, 22, grid_sample)],
    "NonMaxSuppression": [(10, 11, non_max_suppression)],
}
