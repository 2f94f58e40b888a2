"""NumPy's other names for joining and cutting: append, block, column_stack, dstack, hsplit and their like."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..._core.annotations import Operand, Shape
from ..._core.array.array import NDArray
from ..._core.array.released import type_name
from ..._exec.concat import as_array, as_arrays
from ..._exec.device.creation_by_device import empty
from ..arguments import tells_its_name
from ..creation.data_types import result_type
from .manipulation import atleast, concat, vstack
from .splitting import split

__all__ = ["append", "block", "column_stack", "dsplit", "dstack", "hsplit", "row_stack", "vsplit"]

row_stack = vstack  # NumPy's older name


@tells_its_name
def append(arr: Operand, values: Any, axis: int | None = None) -> NDArray:
    """A copy of `arr` with `values` behind it along `axis`; None flattens both.

    Raises ValueError for shapes that differ outside the axis, TypeError without a common dtype.

    >>> nd.append(nd.asarray([1, 2]), [3, 4]).tolist()
    [1, 2, 3, 4]
    """
    return concat([as_array(arr), as_array(values)], axis)


@tells_its_name
def column_stack(tup: Sequence[Operand]) -> NDArray:
    """Arrays of one axis as the columns of a matrix, matrices side by side.

    Raises ValueError for no arrays or differing lengths, TypeError without a common dtype.

    >>> nd.column_stack([nd.asarray([1, 2]), nd.asarray([3, 4])]).tolist()
    [[1, 3], [2, 4]]
    """
    return concat([x if x.ndim > 1 else x.reshape(-1, 1) for x in as_arrays(tup)], 1)


@tells_its_name
def dstack(tup: Sequence[Operand]) -> NDArray:
    """The arrays joined along a third axis: (n,) counts as (1, n, 1), (m, n) as (m, n, 1).

    Raises ValueError for no arrays, or shapes that differ outside that axis, TypeError without a common dtype.

    >>> nd.dstack([nd.asarray([1, 2]), nd.asarray([3, 4])]).tolist()
    [[[1, 3], [2, 4]]]
    """
    return concat([atleast(3, x) for x in as_arrays(tup)], 2)


def split_along(name: str, x: Any, cuts: Any, axis: int, least: int) -> list[NDArray]:
    """Pieces along an axis.  Raises ValueError for fewer axes than `least`."""
    x = as_array(x)
    if x.ndim < least:
        raise ValueError(f"{name}: needs {least} dimensions or more, given shape {x.shape}")
    return split(x, cuts, axis)


@tells_its_name
def hsplit(ary: Operand, indices_or_sections: int | Sequence[int]) -> list[NDArray]:
    """Pieces of `ary` along its second axis, or its only one, as `split` makes them.

    indices_or_sections: as for `split`.
    Returns a list of views.  Raises ValueError without axes and where the axis does not divide into equal pieces.

    >>> [piece.tolist() for piece in nd.hsplit(nd.asarray([1, 2, 3, 4]), 2)]
    [[1, 2], [3, 4]]
    """
    ary = as_array(ary)
    return split_along("hsplit", ary, indices_or_sections, 1 if ary.ndim > 1 else 0, 1)


@tells_its_name
def vsplit(ary: Operand, indices_or_sections: int | Sequence[int]) -> list[NDArray]:
    """Pieces of `ary` along its first axis, as `split` makes them.

    indices_or_sections: as for `split`.
    Returns a list of views.  Raises ValueError below two axes and where the axis does not divide into equal pieces.

    >>> [piece.shape for piece in nd.vsplit(nd.ones((4, 3)), 2)]
    [(2, 3), (2, 3)]
    """
    return split_along("vsplit", ary, indices_or_sections, 0, 2)


@tells_its_name
def dsplit(ary: Operand, indices_or_sections: int | Sequence[int]) -> list[NDArray]:
    """Pieces of `ary` along its third axis, as `split` makes them.

    indices_or_sections: as for `split`.
    Returns a list of views.  Raises ValueError below three axes and where the axis does not divide into equal pieces.

    >>> [piece.shape for piece in nd.dsplit(nd.ones((2, 3, 4)), [1])]
    [(2, 3, 1), (2, 3, 3)]
    """
    return split_along("dsplit", ary, indices_or_sections, 2, 3)


def block(arrays: Any) -> NDArray:
    """One array of nested lists of blocks: the innermost lists are joined along the last axis, those around them along
    the one before, and so on; blocks get axes in front where they have too few.

    arrays: lists of lists of arrays, as deep as there are axes to join along.
    Raises ValueError for lists of different depths, empty ones, and shapes that do not fit, TypeError for tuples.

    >>> nd.block([[nd.ones((2, 2)), nd.zeros((2, 1))], [nd.zeros((1, 2)), nd.ones((1, 1))]]).shape
    (3, 3)
    """
    depth = depth_of(arrays)
    ndim = max(depth, widest(arrays))
    placed: list[tuple[Shape, NDArray]] = []
    shape = laid_out(arrays, ndim, ndim - depth, (0,) * ndim, placed)
    if depth < 2 or any(x.node is not None for _, x in placed):
        joined = joined_blocks(arrays, ndim, ndim - depth)
        return joined.copy() if depth == 0 else joined
    result = empty(shape, result_type(*(x for _, x in placed)), device=placed[0][1].device)
    for start, x in placed:
        result[tuple(slice(first, first + size) for first, size in zip(start, x.shape, strict=True))] = x
    return result


def laid_out(blocks: Any, ndim: int, axis: int, start: Shape, placed: list[tuple[Shape, NDArray]]) -> Shape:
    """The shape of nested lists of blocks; `placed` gets where each of them begins.  Raises ValueError for shapes that
    do not fit."""
    if not isinstance(blocks, list):
        x = one_block(blocks, ndim)
        placed.append((start, x))
        return x.shape
    shapes: list[Shape] = []
    for item in blocks:
        at = start[axis] + sum(shape[axis] for shape in shapes)
        shapes.append(laid_out(item, ndim, axis + 1, (*start[:axis], at, *start[axis + 1 :]), placed))
    first = shapes[0]
    for shape in shapes:
        if (*shape[:axis], *shape[axis + 1 :]) != (*first[:axis], *first[axis + 1 :]):
            raise ValueError(f"block: shapes {first} and {shape} differ outside axis {axis}")
    return (*first[:axis], sum(shape[axis] for shape in shapes), *first[axis + 1 :])


def depth_of(blocks: Any) -> int:
    """How deeply lists are nested, which has to be the same everywhere."""
    if isinstance(blocks, tuple):
        raise TypeError("block: blocks are nested in lists, given a tuple")
    if not isinstance(blocks, list):
        return 0
    if not blocks:
        raise ValueError("block: a list of blocks is empty")
    depths = {depth_of(item) for item in blocks}
    if len(depths) > 1:
        raise ValueError(f"block: lists are nested to different depths, {sorted(depths)}")
    return 1 + depths.pop()


def widest(blocks: Any) -> int:
    """The largest number of axes of a block."""
    return max(map(widest, blocks)) if isinstance(blocks, list) else as_array(blocks).ndim


def joined_blocks(blocks: Any, ndim: int, axis: int) -> NDArray:
    """Nested lists of blocks as one array of `ndim` axes, the outermost list joined along `axis`."""
    if isinstance(blocks, list):
        return concat([joined_blocks(item, ndim, axis + 1) for item in blocks], axis)
    return one_block(blocks, ndim)


def one_block(block: Any, ndim: int) -> NDArray:
    """A block with `ndim` axes.  Raises TypeError for text."""
    if isinstance(block, str | bytes):
        raise TypeError(f"block: a block must be an array or a number, given {type_name(block)}")
    x = as_array(block)
    return x[(None,) * (ndim - x.ndim) + (...,)]
