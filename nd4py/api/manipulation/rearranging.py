"""roll, tile, meshgrid, tril, triu, diag, fliplr, flipud and rot90."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Sequence
from typing import Any

from ..._core.annotations import Attributes, Axes, Gradients, Operand, Pair, Shape
from ..._core.array.array import NDArray
from ..._core.layout.shape import normalize_axis
from ..._core.whole_numbers import clamped, count, whole
from ..._exec.autodiff.tape import differentiable
from ..._exec.concat import as_array
from ..._exec.device.creation_by_device import empty
from ..._exec.device.placement import filled_beside
from ..._spec.dtypes import DEFAULT_INT
from ..elementwise.elementwise import less_equal, where
from ..operands import numbers_beside
from .manipulation import ALL, axes_of, concat, flip, swapaxes

__all__ = ["diag", "fliplr", "flipud", "meshgrid", "roll", "rot90", "tile", "tril", "triu"]

FEW_COPIES = 8  # of an array that are put side by side one after the other


def tile(x: Operand, /, reps: int | Sequence[int]) -> NDArray:
    """Copies of `x` side by side: `reps` of them along each axis, counted from the last one.

    Axes without a number are not repeated; numbers without an axis make new ones in front.
    Raises ValueError for negative numbers.

    >>> nd.tile([1, 2], 2)
    array([1, 2, 1, 2], dtype=int64)
    """
    x = as_array(x)
    given: Any = reps
    given = given.tolist() if getattr(reps, "ndim", 0) else given
    given = given if isinstance(given, Sequence) else (given,)
    counts = tuple(count("tile: reps", item) for item in given)
    ndim = max(x.ndim, len(counts))
    counts = (1,) * (ndim - len(counts)) + counts
    if ndim and all(0 < n <= FEW_COPIES for n in counts):
        return beside_each_other(x.reshape((1,) * (ndim - x.ndim) + x.shape), counts)
    sizes = (1,) * (ndim - x.ndim) + x.shape
    copies = x[(None,) * (2 * (ndim - x.ndim)) + (None, ALL) * x.ndim]
    wide = copies.broadcast_to(tuple(itertools.chain(*zip(counts, sizes, strict=True))))
    return wide.reshape(tuple(map(operator.mul, counts, sizes)), copy=True)


def beside_each_other(x: NDArray, counts: Shape) -> NDArray:
    """A few copies of `x` along each axis, copied as whole rows: faster than views of it where rows are short."""
    repeated = [(axis, n) for axis, n in enumerate(counts) if n > 1]
    for axis, n in reversed(repeated):
        x = concat([x] * n, axis=axis)
    return x if repeated else x.copy()


def roll(x: Operand, /, shift: int | Sequence[int], axis: Axes = None) -> NDArray:
    """`x` with its slices moved by `shift` along `axis`; slices that leave at the end come in at the front.

    axis: an axis, a tuple of axes, or None for the flattened array; a tuple of shifts has one for each axis.
    Raises ValueError when shifts and axes differ in number.
    Returns an array of the shape and dtype of x.

    >>> nd.roll([1, 2, 3, 4], 1)
    array([4, 1, 2, 3], dtype=int64)
    """
    x = as_array(x)
    if axis is None:
        return roll(x.reshape(-1), shift, 0).reshape(x.shape)
    axes = axis if isinstance(axis, Sequence) else (axis,)
    given = shift if isinstance(shift, Sequence) else (shift,)
    if 1 not in (len(axes), len(given)) and len(axes) != len(given):
        raise ValueError(f"roll: {len(given)} shifts do not fit {len(axes)} axes")
    shifts = [0] * x.ndim
    n = max(len(axes), len(given)) if axes and given else 0
    for i in range(n):
        shifts[normalize_axis(axes[i % len(axes)], x.ndim)] += whole("roll: shift", given[i % len(given)])
    return rolled(x, shifts=tuple(shifts))


def roll_vjp(g: NDArray, inputs: tuple[NDArray], output: NDArray, attributes: Attributes) -> Gradients:
    """Gradient of roll: g moved back."""
    return (rolled(g, shifts=tuple(-shift for shift in attributes["shifts"])),)


@differentiable(roll_vjp, keeps_output=False)
def rolled(x: NDArray, *, shifts: Shape) -> NDArray:
    """`x` with one shift for each axis, block by block."""
    result = empty(x.shape, x.dtype, device=x.device)
    for blocks in itertools.product(*map(moves, shifts, x.shape)):
        result[tuple(to for to, _ in blocks)] = x[tuple(source for _, source in blocks)]
    return result


def moves(shift: int, size: int) -> list[tuple[slice, slice]]:
    """Where the two parts of an axis go, and where they come from."""
    n_wrapped = shift % size if size else 0
    if not n_wrapped:
        return [(ALL, ALL)]
    return [(slice(n_wrapped, size), slice(size - n_wrapped)), (slice(n_wrapped), slice(size - n_wrapped, size))]


def meshgrid(*arrays: Operand, copy: bool = True, sparse: bool = False, indexing: str = "xy") -> tuple[NDArray, ...]:
    """The coordinates of a grid: array i repeated along the axes of all others.

    indexing: "ij" gives array i the axis i; "xy" swaps the first two.
    sparse: array i along its axis alone, with sizes of 1 that broadcast; copy: False for read-only views.
    Returns as many arrays as are given, of one shape.  Raises ValueError for another `indexing`.

    >>> x, y = nd.meshgrid([1, 2], [3, 4])
    >>> x.tolist(), y.tolist()
    ([[1, 2], [1, 2]], [[3, 3], [4, 4]])
    """
    if indexing not in ("xy", "ij"):
        raise ValueError(f"meshgrid: indexing must be 'xy' or 'ij', given {indexing!r}")
    vectors = [as_array(x).reshape(-1) for x in arrays]
    axes = list(range(len(vectors)))
    if indexing == "xy" and len(vectors) > 1:
        axes[:2] = 1, 0
    shape = tuple(vectors[axis].size for axis in axes)
    keys = [tuple(ALL if i == axis else None for i in range(len(shape))) for axis in axes]
    lines = [x[key] for x, key in zip(vectors, keys, strict=True)]
    grids = lines if sparse else [x.broadcast_to(shape) for x in lines]
    return tuple(x.copy() for x in grids) if copy else tuple(grids)


def fliplr(x: Operand, /) -> NDArray:
    """The view of `x` reversed along its second axis.  Raises ValueError below two axes.

    >>> nd.fliplr([[1, 2], [3, 4]])
    array([[2, 1],
           [4, 3]], dtype=int64)
    """
    return flip(x, 1)


def flipud(x: Operand, /) -> NDArray:
    """The view of `x` reversed along its first axis.  Raises ValueError without axes.

    >>> nd.flipud([[1, 2], [3, 4]])
    array([[3, 4],
           [1, 2]], dtype=int64)
    """
    return flip(x, 0)


def rot90(x: Operand, /, k: int = 1, axes: Pair = (0, 1)) -> NDArray:
    """The view of `x` rotated by `k` times 90 degrees, from the first of `axes` towards the second.

    Raises ValueError unless `axes` are two different ones.

    >>> nd.rot90([[1, 2], [3, 4]])
    array([[2, 4],
           [1, 3]], dtype=int64)
    """
    x = as_array(x)
    plane = axes_of(axes, x.ndim)
    if len(plane) != 2:
        raise ValueError(f"rot90: axes must be two, given {axes}")
    (first, second), k = plane, whole("rot90: k", k)
    if k % 2 == 0:
        return flip(x, (first, second)) if k % 4 else x[...]
    return swapaxes(flip(x, second), first, second) if k % 4 == 1 else flip(swapaxes(x, first, second), second)


def dtype_of_diagonals(n_rows: int, n_columns: int) -> str:
    """A dtype for the numbers of rows, columns and diagonals: short ones take half the time to compare."""
    return "int16" if n_rows + n_columns < 2**15 else DEFAULT_INT


def is_below(x: NDArray, k: int, name: str) -> NDArray:
    """Which elements of the matrices in `x` lie on diagonal `k` or below it.  Raises ValueError below two axes."""
    if x.ndim < 2:
        raise ValueError(f"{name}: needs 2 dimensions or more, given shape {x.shape}")
    n_rows, n_columns = x.shape[-2:]
    k = clamped(f"{name}: k", k, -n_rows - 1, n_columns)
    dtype = dtype_of_diagonals(n_rows, n_columns)
    columns, rows = (numbers_beside(x, i, i + n).astype(dtype, copy=False) for i, n in ((0, n_columns), (k, n_rows)))
    return less_equal(columns.reshape(1, n_columns), rows.reshape(n_rows, 1))


def tril(x: Operand, /, k: int = 0) -> NDArray:
    """The matrices in the last two axes of `x` with zeros above diagonal `k`.  Raises ValueError below two axes.

    >>> nd.tril([[1, 2], [3, 4]])
    array([[1, 0],
           [3, 4]], dtype=int64)
    """
    x = as_array(x)
    return where(is_below(x, k, "tril"), x, filled_beside(x, (), x.dtype, 0))


def triu(x: Operand, /, k: int = 0) -> NDArray:
    """The matrices in the last two axes of `x` with zeros below diagonal `k`.  Raises ValueError below two axes.

    >>> nd.triu([[1, 2], [3, 4]])
    array([[1, 2],
           [0, 4]], dtype=int64)
    """
    x = as_array(x)
    return where(is_below(x, whole("triu: k", k) - 1, "triu"), filled_beside(x, (), x.dtype, 0), x)


def diag(x: Operand, /, k: int = 0) -> NDArray:
    """The matrix with the vector `x` on diagonal `k` and zeros elsewhere, or that diagonal of the matrix `x`.

    Raises ValueError unless `x` has one or two axes.

    >>> nd.diag([1, 2])
    array([[1, 0],
           [0, 2]], dtype=int64)
    """
    x, k = as_array(x), whole("diag: k", k)
    if x.ndim == 1:
        return on_diagonal(x, k=k)
    if x.ndim != 2:
        raise ValueError(f"diag: needs 1 or 2 dimensions, given shape {x.shape}")
    if not x.is_contiguous and x.T.is_contiguous:
        return diag(x.T, -k)
    n_rows, n_columns = x.shape
    n = max(min(n_rows + min(k, 0), n_columns - max(k, 0)), 0)
    return x.reshape(-1)[diagonal_of(n_columns, k, n)].copy()


def diagonal_of(n_columns: int, k: int, n: int) -> slice:
    """Where the `n` elements of diagonal `k` lie in a flattened matrix."""
    start = k if k >= 0 else -k * n_columns
    return slice(start, start + n * (n_columns + 1), n_columns + 1)


def diag_vjp(g: NDArray, inputs: tuple[NDArray], output: NDArray, attributes: Attributes) -> Gradients:
    """Gradient of a diagonal matrix: the diagonal of g."""
    return (diag(g, attributes["k"]),)


@differentiable(diag_vjp)
def on_diagonal(x: NDArray, *, k: int) -> NDArray:
    """A square matrix with `x` on diagonal `k`."""
    n = x.size + abs(k)
    result = filled_beside(x, (n, n), x.dtype, 0)
    result.reshape(-1)[diagonal_of(n, k, x.size)] = x
    return result
