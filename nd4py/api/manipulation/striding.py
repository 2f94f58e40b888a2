"""Views with any strides, none of which leads out of the array's memory: as_strided and sliding_window_view."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..._core.annotations import Sizes
from ..._core.array.array import NDArray
from ..._core.array.numpy_methods import strided
from ..._core.layout.shape import normalize_axis
from ..._core.whole_numbers import count, is_whole, items
from ..._exec.concat import as_array
from ..indexing.take import take
from ..operands import numbers_beside

__all__: list[str] = []


def as_strided(
    x: NDArray,
    shape: Sizes | None = None,
    strides: Sequence[int] | None = None,
    subok: bool = False,
    writeable: bool = True,
) -> NDArray:
    """The view of `x` with this shape and these strides, in bytes, as far as it stays among the bytes that `x` spans.

    Views whose elements may lie over each other are read-only, others as `writeable` says; subok changes nothing.
    Raises ValueError for elements outside of those bytes or out of alignment, TypeError for an array that is being
    differentiated.

    >>> nd.lib.stride_tricks.as_strided(nd.arange(4), (3, 2), (8, 8)).tolist()
    [[0, 1], [1, 2], [2, 3]]
    """
    array = as_array(x)
    given = array.shape if shape is None else (shape,) if is_whole(shape) else items("as_strided: shape", shape)
    steps = array.strides if strides is None else items("as_strided: strides", strides)
    view: NDArray = strided(array, given, steps, writeable)
    return view


def sliding_window_view(
    x: NDArray,
    window_shape: Sizes,
    axis: Any = None,
    *,
    subok: bool = False,
    writeable: bool = False,
) -> NDArray:
    """All windows of a shape in `x`: a read-only view with an axis for where they begin in place of each axis, and
    those of the window behind.

    window_shape: the size of the window, or a tuple of one for each axis.
    axis: the axis, or axes, that the window has sizes for; None for all.  An array that is being differentiated is
    copied.  Raises ValueError for windows larger than `x` or a wrong number of axes; writeable=True is refused, as
    windows overlap.

    >>> nd.lib.stride_tricks.sliding_window_view(nd.arange(5), 3).sum(axis=-1).tolist()
    [3, 6, 9]
    """
    array = as_array(x)
    given = (window_shape,) if is_whole(window_shape) else items("sliding_window_view: window_shape", window_shape)
    sizes = [count("sliding_window_view: a size", size) for size in given]
    axes = (
        range(array.ndim) if axis is None else (axis,) if is_whole(axis) else items("sliding_window_view: axis", axis)
    )
    along = [normalize_axis(i, array.ndim) for i in axes]
    if len(along) != len(sizes):
        raise ValueError(f"sliding_window_view: {len(sizes)} sizes of a window for {len(along)} axes")
    if writeable:
        raise ValueError("sliding_window_view: windows overlap, so they cannot be written to; pass writeable=False")
    shape = list(array.shape)
    for i, size in zip(along, sizes, strict=True):
        shape[i] -= size - 1
        if shape[i] < 1:
            raise ValueError(
                f"sliding_window_view: windows of shape {tuple(sizes)} are larger than shape {array.shape}"
            )
    if array.node is not None:
        return windows_taken(array, along, sizes, shape)
    view: NDArray = strided(array, (*shape, *sizes), (*array.strides, *(array.strides[i] for i in along)), False)
    return view


def windows_taken(x: NDArray, axes: list[int], sizes: list[int], shape: list[int]) -> NDArray:
    """The same windows as a copy, with its gradient."""
    for i, size in zip(axes, sizes, strict=True):
        n = x.shape[i] - size + 1
        starts, steps = numbers_beside(x, 0, n).reshape(n, 1), numbers_beside(x, 0, size)
        x = take(x, starts + steps, i)
        order = list(range(x.ndim))
        order.append(order.pop(i + 1))
        x = x.permute_dims(tuple(order))
    return x
