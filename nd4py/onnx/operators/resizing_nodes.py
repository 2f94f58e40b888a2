"""Resizing along each axis by a matrix of weights.

Design: interpolation is linear in the elements and works axis by axis, so that each axis has a matrix
(new length, old length) whose rows say which elements a new one is made of.  Modes differ in how a row is filled.
The matrices are remembered as NumPy's arrays: those of nd4py could lie in a workspace that is closed by then.
"""

from __future__ import annotations

from functools import lru_cache
from math import ceil, floor
from typing import Any

import numpy

from nd4py import api as nd

from .host_values import own_axis, whole_numbers
from .operator_rows import Rows


def upsample(x: Any, scales: Any, *, mode: str = "nearest") -> Any:
    return resized(x, [float(s) for s in scales.tolist()], None, mode=mode, coordinate="asymmetric", nearest="floor")


def resize_10(x: Any, scales: Any, *, mode: str = "nearest") -> Any:
    return upsample(x, scales, mode=mode)


def resize(
    x: Any, roi: Any = None, scales: Any = None, sizes: Any = None, *, mode: str = "nearest", antialias: int = 0,
    coordinate_transformation_mode: str = "half_pixel", cubic_coeff_a: float = -0.75, exclude_outside: int = 0,
    extrapolation_value: float = 0.0, nearest_mode: str = "round_prefer_floor", axes: Any = None,
    keep_aspect_ratio_policy: str = "stretch",
) -> Any:  # fmt: skip
    """`x` with `scales` or `sizes` along `axes`, all of them where None."""
    places = [own_axis(axis, x.ndim) for axis in axes] if axes is not None else list(range(x.ndim))
    lengths: list[Any] = list(x.shape)
    factors = [1.0] * x.ndim
    if scales is not None and scales.size:
        for axis, factor in zip(places, scales.tolist(), strict=True):
            factors[axis], lengths[axis] = float(factor), floor(x.shape[axis] * float(factor))
    else:
        wanted = whole_numbers(sizes)
        ratios = [size / x.shape[axis] for axis, size in zip(places, wanted, strict=True)]
        if keep_aspect_ratio_policy != "stretch":
            ratio = min(ratios) if keep_aspect_ratio_policy == "not_larger" else max(ratios)
            ratios = [ratio] * len(places)
            wanted = [floor(ratio * x.shape[axis] + 0.5) for axis in places]
        for axis, factor, size in zip(places, ratios, wanted, strict=True):
            factors[axis], lengths[axis] = factor, size
    boxes = [(0.0, 1.0)] * x.ndim
    if coordinate_transformation_mode == "tf_crop_and_resize":
        edges = [float(edge) for edge in roi.tolist()]
        for i, axis in enumerate(places):
            boxes[axis] = (edges[i], edges[len(places) + i])
    return resized(
        x, factors, lengths, mode=mode, coordinate=coordinate_transformation_mode, nearest=nearest_mode, boxes=boxes,
        outside=extrapolation_value, cubic=cubic_coeff_a, is_smoothed=bool(antialias),
        leaves_out=bool(exclude_outside),
    )  # fmt: skip


def resized(
    x: Any, factors: Any, lengths: Any, *, mode: str, coordinate: str, nearest: str, boxes: Any = None,
    outside: float = 0.0, cubic: float = -0.75, is_smoothed: bool = False, leaves_out: bool = False,
) -> Any:  # fmt: skip
    lengths = lengths or [floor(size * factor) for size, factor in zip(x.shape, factors, strict=True)]
    boxes = boxes or [(0.0, 1.0)] * x.ndim
    is_whole = not nd.isdtype(x.dtype, "real floating")
    y = x.astype(nd.float64) if is_whole and mode != "nearest" else x
    is_outside = None
    for axis, (old, new, factor, box) in enumerate(zip(x.shape, lengths, factors, boxes, strict=True)):
        if old == new and factor == 1 and coordinate != "tf_crop_and_resize":
            continue
        points = sources(old, new, factor, coordinate, box)
        if mode == "nearest":
            y = nd.take(y, nd.asarray(nearest_places(points, old, nearest)), axis=axis)
        else:
            matrix = weight_matrix(points, old, factor, mode, cubic, is_smoothed, leaves_out)
            y = nd.moveaxis(nd.matmul(nd.moveaxis(y, axis, -1), nd.asarray(matrix).astype(y.dtype).T), -1, axis)
        if coordinate == "tf_crop_and_resize":
            flags = nd.asarray([not 0 <= point <= old - 1 for point in points])
            flags = flags.reshape([-1 if i == axis else 1 for i in range(x.ndim)])
            is_outside = flags if is_outside is None else is_outside | flags
    if is_outside is not None:
        y = nd.where(is_outside, nd.asarray(outside, dtype=y.dtype), y)
    return nd.clip(nd.round(y), nd.iinfo(x.dtype).min, nd.iinfo(x.dtype).max).astype(x.dtype) if is_whole else y


@lru_cache(maxsize=64)
def sources(old: int, new: int, factor: float, coordinate: str, box: tuple[float, float]) -> tuple[float, ...]:
    """Where in the old axis the new elements lie."""
    return tuple([source_of(i, old, new, factor, coordinate, box) for i in range(new)])


@lru_cache(maxsize=64)
def nearest_places(points: tuple[float, ...], old: int, rule: str) -> numpy.ndarray:
    """The index of the old element that each new one is."""
    return numpy.asarray([min(max(nearest_of(point, rule), 0), old - 1) for point in points], dtype=numpy.int64)


@lru_cache(maxsize=64)
def weight_matrix(points: tuple[float, ...], old: int, *how: Any) -> numpy.ndarray:
    """(new, old)    how: the arguments of `weights_of` that follow"""
    return numpy.asarray([weights_of(point, old, *how) for point in points], dtype=numpy.float64)


def source_of(i: int, old: int, new: int, factor: float, coordinate: str, box: Any) -> float:
    """Where in the old axis the new element i lies."""
    if coordinate == "asymmetric":
        return i / factor
    if coordinate == "align_corners":
        return 0.0 if factor * old == 1 else i * (old - 1) / (factor * old - 1)
    if coordinate == "pytorch_half_pixel":
        return (i + 0.5) / factor - 0.5 if new > 1 else 0.0
    if coordinate == "half_pixel_symmetric":
        adjusted = new / (factor * old)
        return old / 2 * (1 - adjusted) + (i + 0.5) / factor - 0.5
    if coordinate == "tf_half_pixel_for_nn":
        return (i + 0.5) / factor
    if coordinate == "tf_crop_and_resize":
        start, end = box
        if new == 1:
            return 0.5 * (start + end) * (old - 1)
        return start * (old - 1) + i * (end - start) * (old - 1) / (new - 1)
    return (i + 0.5) / factor - 0.5


def nearest_of(point: float, rule: str) -> int:
    if rule == "floor":
        return floor(point)
    if rule == "ceil":
        return ceil(point)
    return floor(point + 0.5) if rule == "round_prefer_ceil" else ceil(point - 0.5)


def weights_of(
    point: float, old: int, factor: float, mode: str, cubic: float, is_smoothed: bool, leaves_out: bool
) -> list[float]:
    """The weight of each old element; elements outside are those at the edge, or none where they are left out."""
    scale = min(factor, 1.0) if is_smoothed else 1.0
    reach = (1 if mode == "linear" else 2) / scale
    kernel = triangle if mode == "linear" else cubic_kernel
    row, total = [0.0] * old, 0.0
    for j in range(floor(point - reach) + 1 if not is_smoothed else ceil(point - reach), floor(point + reach) + 1):
        weight = kernel((point - j) * scale, cubic)
        is_inside = 0 <= j < old
        if leaves_out and not is_inside:
            continue
        row[min(max(j, 0), old - 1)] += weight
        total += weight
    return [weight / total for weight in row] if leaves_out or is_smoothed else row


def triangle(t: float, unused: float) -> float:
    return max(1 - abs(t), 0.0)


def cubic_kernel(t: float, a: float) -> float:
    """Keys 1981, doi 10.1109/TASSP.1981.1163711, with the parameter a."""
    t = abs(t)
    if t <= 1:
        return (a + 2) * t**3 - (a + 3) * t**2 + 1
    return a * t**3 - 5 * a * t**2 + 8 * a * t - 4 * a if t < 2 else 0.0


OPERATORS: Rows = {
    "Resize": [(10, 10, resize_10), (11, 19, resize)],
    "Upsample": [(9, 9, upsample)],
}
