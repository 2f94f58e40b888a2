"""Regions of images: pooled, and convolved at places that are moved."""

from __future__ import annotations

import itertools
from typing import Any

import numpy

from nd4py import api as nd

from .operator_rows import Limits, Rows


def roi_align(
    x: Any, rois: Any, batch_indices: Any, *, coordinate_transformation_mode: str = "half_pixel", mode: str = "avg",
    output_height: int = 1, output_width: int = 1, sampling_ratio: int = 0, spatial_scale: float = 1.0,
) -> Any:  # fmt: skip
    """He et al. 2017, https://arxiv.org/abs/1703.06870: the average, or maximum, of points in each part of a region.

    x: (batch, channels, height, width)    rois: (n, 4), x1, y1, x2, y2    batch_indices: (n,)
    Returns (n, channels, output_height, output_width).
    """
    n, channels = rois.shape[0], x.shape[1]
    shift = 0.5 if coordinate_transformation_mode == "half_pixel" else 0.0
    corners = rois.astype(nd.float64) * spatial_scale - shift
    sizes = corners[:, 2:] - corners[:, :2]
    if not shift:
        sizes = nd.maximum(sizes, 1.0)
    parts = (output_height, output_width)
    regions = []
    for i in range(n):
        image = x[int(batch_indices[i].item())]
        lines: list[tuple[Any, Any, Any]] = []
        for axis, part in enumerate(parts):
            start, size = float(corners[i, 1 - axis].item()), float(sizes[i, 1 - axis].item())
            n_points = sampling_ratio if sampling_ratio > 0 else max(int(numpy.ceil(size / part)), 0)
            if n_points == 0:
                lines = []
                break
            steps = (numpy.arange(part * n_points) + 0.5) * (size / part / n_points) + start
            lines.append(line_weights(steps, x.shape[2 + axis]))
        regions.append(pooled(image, lines, parts, mode) if lines else nd.zeros((channels, *parts), dtype=nd.float64))
    return nd.stack(regions).astype(x.dtype) if regions else nd.zeros((0, channels, *parts), dtype=x.dtype)


def line_weights(points: Any, length: int) -> tuple[Any, Any, Any]:
    """For points along an axis the elements before and behind each, and the weight of the latter; -1 for none."""
    is_inside = (points >= -1) & (points <= length)
    held = numpy.clip(points, 0, length - 1)
    low = numpy.floor(held).astype(numpy.int64)
    high = numpy.minimum(low + 1, length - 1)
    return low, numpy.where(is_inside, high, -1), held - low


def pooled(image: Any, lines: Any, parts: tuple[int, int], mode: str) -> Any:
    (low_y, high_y, y), (low_x, high_x, x) = lines
    is_inside = (high_y >= 0)[:, None] & (high_x >= 0)[None]
    corners = []
    for (rows, row_weights), (columns, column_weights) in itertools.product(
        ((low_y, 1 - y), (high_y, y)), ((low_x, 1 - x), (high_x, x))
    ):
        weights = nd.asarray(row_weights[:, None] * column_weights[None] * is_inside)
        picked = nd.take(
            nd.take(image, nd.asarray(numpy.maximum(rows, 0)), axis=1), nd.asarray(numpy.maximum(columns, 0)), axis=2
        )
        corners.append(picked.astype(nd.float64) * weights)
    points = nd.max(nd.stack(corners), axis=0) if mode == "max" else sum(corners[1:], corners[0])
    split = points.reshape(image.shape[0], parts[0], -1, parts[1], points.shape[-1] // parts[1])
    return nd.max(split, axis=(2, 4)) if mode == "max" else nd.mean(split, axis=(2, 4))


def deformed_convolution(
    x: Any, w: Any, offset: Any, bias: Any = None, mask: Any = None, *, dilations: Any = None, group: int = 1,
    kernel_shape: Any = None, offset_group: int = 1, pads: Any = None, strides: Any = None,
) -> Any:  # fmt: skip
    """Zhu et al. 2019, https://arxiv.org/abs/1811.11168: a convolution whose elements are read at moved places.

    x: (batch, channels, height, width)    w: (filters, channels // group, rows, columns)
    offset: (batch, offset_group * rows * columns * 2, out height, out width), moves down and to the right
    mask: (batch, offset_group * rows * columns, out height, out width), what elements are multiplied by
    """
    batch, channels, *sizes = x.shape
    rows, columns = w.shape[2:]
    strides, dilations, pads = strides or [1, 1], dilations or [1, 1], pads or [0] * 4
    out = offset.shape[2:]
    moves = offset.reshape(batch, offset_group, rows * columns, 2, *out)
    scales = mask.reshape(batch, offset_group, rows * columns, 1, *out) if mask is not None else None
    per_group = x.reshape(batch, offset_group, channels // offset_group, *sizes)
    elements = []
    for k, (i, j) in enumerate(itertools.product(range(rows), range(columns))):
        down = numpy.arange(out[0])[:, None] * strides[0] - pads[0] + i * dilations[0]
        right = numpy.arange(out[1])[None] * strides[1] - pads[1] + j * dilations[1]
        y = moves[:, :, k, 0] + nd.asarray(numpy.broadcast_to(down, out).astype(numpy.float32)).astype(x.dtype)
        z = moves[:, :, k, 1] + nd.asarray(numpy.broadcast_to(right, out).astype(numpy.float32)).astype(x.dtype)
        read = between(per_group, y, z)
        elements.append(read if scales is None else read * scales[:, :, k])
    columns_of = nd.stack(elements, axis=3).reshape(batch, group, -1, out[0] * out[1])
    weights = w.reshape(group, w.shape[0] // group, -1)
    y = nd.matmul(weights, columns_of).reshape(batch, w.shape[0], *out)
    return y if bias is None else y + bias.reshape(-1, 1, 1)


def between(x: Any, y: Any, z: Any) -> Any:
    """Elements at places between others, 0 outside.

    x: (batch, groups, channels, height, width)    y, z: (batch, groups, rows, columns)
    Returns (batch, groups, channels, rows, columns).
    """
    batch, groups, channels, height, width = x.shape
    flat = x.reshape(batch, groups, channels, height * width)
    top, left = nd.floor(y), nd.floor(z)
    total = None
    for down, right in itertools.product((0, 1), (0, 1)):
        row, column = top + down, left + right
        weight = (1 - nd.abs(y - row)) * (1 - nd.abs(z - column))
        is_inside = (row >= 0) & (row < height) & (column >= 0) & (column < width)
        place = nd.clip(row, 0, height - 1) * width + nd.clip(column, 0, width - 1)
        places = nd.broadcast_to(
            place.astype(nd.int64).reshape(batch, groups, 1, -1),
            (batch, groups, channels, place.shape[2] * place.shape[3]),
        )
        read = nd.take_along_axis(flat, places, axis=3).reshape(batch, groups, channels, *y.shape[2:])
        part = read * nd.where(is_inside, weight, 0).astype(x.dtype)[:, :, None]
        total = part if total is None else total + part
    return total


def max_of_regions(x: Any, rois: Any, *, pooled_shape: Any, spatial_scale: float = 1.0) -> Any:
    """Girshick 2015, https://arxiv.org/abs/1504.08083: the maximum of each part of a region, 0 for parts of none.

    x: (batch, channels, height, width)    rois: (n, 5), the number of the image, x1, y1, x2, y2, which belong to it
    Returns (n, channels, *pooled_shape).
    """
    regions = []
    for number, *corners in rois.tolist():
        left, top, right, bottom = (nearest(corner * spatial_scale) for corner in corners)
        spans = [
            parts_of(start, end, n, size)
            for start, end, n, size in zip((top, left), (bottom, right), pooled_shape, x.shape[2:], strict=True)
        ]
        image = x[int(number)]
        parts = [
            nd.max(image[:, rows, columns], axis=(1, 2)) if has_elements(rows) and has_elements(columns)
            else nd.zeros((x.shape[1],), dtype=x.dtype)
            for rows, columns in itertools.product(*spans)
        ]  # fmt: skip
        regions.append(nd.stack(parts, axis=1).reshape(x.shape[1], *pooled_shape))
    return nd.stack(regions) if regions else nd.zeros((0, x.shape[1], *pooled_shape), dtype=x.dtype)


def nearest(value: float) -> int:
    """The nearest whole number; halves go away from 0."""
    return int(numpy.copysign(numpy.floor(abs(value) + 0.5), value))


def parts_of(start: int, end: int, n: int, size: int) -> list[slice]:
    """`n` parts of the elements from `start` to `end`, as far as they are some of `size`; they may overlap by one."""
    step = max(end - start + 1, 1) / n
    ends = [(numpy.floor(i * step) + start, numpy.ceil((i + 1) * step) + start) for i in range(n)]
    return [slice(*(int(min(max(place, 0), size)) for place in pair)) for pair in ends]


def has_elements(part: slice) -> bool:
    return bool(part.start < part.stop)


def is_no_image(node: Any, schema: Any, attributes: Any, constants: Any) -> str | None:
    """Why a convolution is refused: it is written for two axes."""
    del node, schema, constants
    kernel = attributes.get("kernel_shape")
    return f"over {len(kernel)} axes" if kernel is not None and len(kernel) != 2 else None


OPERATORS: Rows = {
    "DeformConv": [(19, 22, deformed_convolution)],
    "MaxRoiPool": [(1, 22, max_of_regions)],
    "RoiAlign": [(16, 22, roi_align)],
}
LIMITS: Limits = {"DeformConv": is_no_image}
