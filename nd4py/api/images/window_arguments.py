"""Checks of what convolution and pooling of images and volumes are given."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

from ..._core.annotations import Shape
from ..._core.array.array import NDArray
from ..._core.array.released import type_name
from ..._core.whole_numbers import is_whole
from ..._exec.autodiff.nodes import is_array
from ..operands import check_floating

# The axes that windows move over, by how many they are, and both ends of each.
AXES = {2: ("height", "width"), 3: ("depth", "height", "width")}
ENDS = {"depth": ("front", "back"), "height": ("top", "bottom"), "width": ("left", "right")}


def check_images(who: str, x: NDArray, n_axes: int) -> None:
    """Raises ValueError unless x has the dimensions of images or volumes, TypeError where it is no array."""
    if not is_array(x):
        raise TypeError(f"{who}: needs arrays, given {type_name(x)}; convert first with asarray")
    if x.ndim != n_axes + 2:
        raise ValueError(
            f"{who}: x must be (images, channels, {', '.join(AXES[n_axes])}), given shape {x.shape}; reshape it first"
        )


def sizes(who: str, value: Any, n_axes: int, least: int = 1) -> Shape:
    """`value` as one number for each axis.  Raises ValueError unless these are whole numbers of at least `least`."""
    numbers = value if isinstance(value, (tuple, list)) else (value,) * n_axes
    if len(numbers) != n_axes or not are_whole(numbers, least):
        raise ValueError(
            f"{who} must be a whole number or ({', '.join(AXES[n_axes])}), each at least {least}, given {value!r}"
        )
    return tuple(map(operator.index, numbers))


def edges(who: str, padding: Any, n_axes: int) -> Shape:
    """`padding` before and after each axis in turn.

    Raises ValueError unless it is one whole number, one for each axis, or two for each.
    """
    numbers = padding if isinstance(padding, (tuple, list)) else (padding,) * n_axes
    if len(numbers) not in (n_axes, 2 * n_axes) or not are_whole(numbers, 0):
        raise ValueError(
            f"{who}: padding must be a whole number, ({', '.join(AXES[n_axes])}) or ({ends(n_axes)}), none negative, "
            f"given {padding!r}"
        )
    numbers = tuple(map(operator.index, numbers))
    return numbers if len(numbers) == 2 * n_axes else tuple(n for n in numbers for _ in range(2))


def ends(n_axes: int) -> str:
    """What the edges of images or volumes are called, in their order."""
    return ", ".join(end for axis in AXES[n_axes] for end in ENDS[axis])


def are_whole(numbers: Sequence[Any], least: int) -> bool:
    """Whether all are integers of at least `least`."""
    return all(is_whole(number) and operator.index(number) >= least for number in numbers)


def check_filters(who: str, x: NDArray, w: NDArray, groups: Any, *, is_transposed: bool) -> None:
    """Raises ValueError where groups do not divide channels and filters, or w does not fit x.

    is_transposed: whether w is (channels, filters // groups, *kernel), not (filters, channels // groups, *kernel)
    """
    channels = x.shape[1]
    divided = (channels,) if is_transposed else (channels, *w.shape[:1])
    if not are_whole([groups], 1) or any(n % groups for n in divided):
        raise ValueError(
            f"{who}: groups must be a whole number that divides channels and filters, given {groups!r} for x of shape "
            f"{x.shape} and w of shape {w.shape}"
        )
    seen, wanted = (w.shape[:1], channels) if is_transposed else (w.shape[1:2], channels // groups)
    if w.ndim != x.ndim or seen != (wanted,) or 0 in w.shape[2:]:
        names = f"{wanted} channels, filters // groups" if is_transposed else f"filters, {wanted} channels"
        kernel = ", ".join(f"kernel {axis}" for axis in AXES[x.ndim - 2])
        raise ValueError(
            f"{who}: w must be ({names}, {kernel}) for x of shape {x.shape} and groups {groups}, given {w.shape}"
        )


def check_bias(who: str, bias: NDArray | None, n_filters: int) -> None:
    """Raises ValueError unless the bias is one number per filter, or None."""
    if bias is not None and bias.shape != (n_filters,):
        raise ValueError(f"{who}: bias must be one number per filter, ({n_filters},), given {bias.shape}")


def pool_window(
    who: str, x: NDArray, n_axes: int, kernel: Any, stride: Any, padding: Any
) -> tuple[Shape, Shape, Shape]:
    """The kernel, stride and edges of a pooling, checked."""
    check_floating(who, x)
    check_images(who, x, n_axes)
    kernel = sizes(f"{who}: kernel", kernel, n_axes)
    stride = kernel if stride is None else sizes(f"{who}: stride", stride, n_axes)
    around = edges(who, padding, n_axes)
    if any(max(around[2 * axis : 2 * axis + 2]) >= size for axis, size in enumerate(kernel)):
        raise ValueError(
            f"{who}: padding {around} ({ends(n_axes)}) must be smaller than the kernel {kernel}, or a window could lie "
            "outside the image"
        )
    return kernel, stride, around
