"""Copies of arrays with their elements repeated, moved or left out."""

import itertools
import math
import operator
from collections.abc import Sequence

from .._core.annotations import Attributes, Axes, Gradients, Shape
from .._core.array import NDArray
from .._core.shape import normalize_axis
from .._exec.conversion import copy, empty, filled
from .._exec.joining import as_array
from .._exec.tape import differentiable
from ..cpu.repeat import repeat_slices, total_count
from .creation import arange
from .elementwise import less_equal, where
from .manipulation import ALL, ascontiguous
from .scans import cumulative_sum
from .selection import take

__all__ = ["diag", "meshgrid", "repeat", "roll", "tile", "tril", "triu"]


def repeat(x: NDArray, repeats: int | Sequence[int] | NDArray, /, axis: int | None = None) -> NDArray:
    """Every slice of `x` along `axis` several times over; of the flattened array for None.

    repeats: one count for all slices, or an integer for each of them.
    Raises ValueError for negative counts, or a wrong number of them, TypeError for one that is no integer.
    """
    x = as_array(x)
    if axis is None:
        x, axis = x.reshape(-1), 0
    axis = normalize_axis(axis, x.ndim)
    if isinstance(repeats, int):
        return repeat_evenly(x, repeats, axis)
    counts = as_array(repeats)
    if counts.size == 1 and counts.ndim <= 1:
        return repeat_evenly(x, operator.index(counts.reshape(())), axis)
    if counts.shape != (x.shape[axis],) or "int" not in counts.dtype.name:
        raise ValueError(
            f"repeat: expected one count or {x.shape[axis]} integers, given {counts.dtype} of shape {counts.shape}"
        )
    if x.node is None:
        return repeat_unevenly(x, counts, axis)
    return take(x, repeat_unevenly(arange(x.shape[axis]), counts, 0), axis=axis)


def repeat_evenly(x: NDArray, count: int, axis: int) -> NDArray:
    """Every slice `count` times."""
    if count < 0:
        raise ValueError(f"repeat: counts must not be negative, given {count}")
    before, after = x.shape[: axis + 1], x.shape[axis + 1 :]
    copies = x[(*(ALL,) * (axis + 1), None)].broadcast_to((*before, count, *after))
    return copies.reshape((*before[:axis], before[axis] * count, *after), copy=True)


def repeat_unevenly(x: NDArray, counts: NDArray, axis: int) -> NDArray:
    """Every slice as often as its count says."""
    counts = ascontiguous(counts.astype("int64", copy=False))
    shape = (*x.shape[:axis], total_count(counts), *x.shape[axis + 1 :])
    result = empty(shape, x.dtype)
    repeat_slices(ascontiguous(x), counts, cumulative_sum(counts), result, math.prod(x.shape[:axis]))
    return result


def tile(x: NDArray, repetitions: int | Sequence[int], /) -> NDArray:
    """Copies of `x` side by side: `repetitions` of them along each axis, counted from the last one.

    Axes without a number are not repeated; numbers without an axis make new ones in front.
    Raises ValueError for negative numbers.
    """
    x = as_array(x)
    given = repetitions if isinstance(repetitions, Sequence) else (repetitions,)
    counts = tuple(map(operator.index, given))
    if min(counts, default=0) < 0:
        raise ValueError(f"tile: repetitions must not be negative, given {counts}")
    ndim = max(x.ndim, len(counts))
    counts = (1,) * (ndim - len(counts)) + counts
    sizes = (1,) * (ndim - x.ndim) + x.shape
    copies = x[(None,) * (2 * (ndim - x.ndim)) + (None, ALL) * x.ndim]
    wide = copies.broadcast_to(tuple(itertools.chain(*zip(counts, sizes, strict=True))))
    return wide.reshape(tuple(map(operator.mul, counts, sizes)), copy=True)


def roll(x: NDArray, /, shift: int | Sequence[int], axis: Axes = None) -> NDArray:
    """`x` with its slices moved `shift` places along `axis`, and those that fall off the end put in front.

    axis: an axis, several, or the flattened array (None); a tuple of shifts has one for each of them.
    Raises ValueError when shifts and axes differ in number.
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
        shifts[normalize_axis(axes[i % len(axes)], x.ndim)] += operator.index(given[i % len(given)])
    return rolled(x, shifts=tuple(shifts))


def roll_vjp(g: NDArray, inputs: tuple[NDArray], output: NDArray, attributes: Attributes) -> Gradients:
    """Gradient of roll: g moved back."""
    return (rolled(g, shifts=tuple(-shift for shift in attributes["shifts"])),)


@differentiable(roll_vjp)
def rolled(x: NDArray, *, shifts: Shape) -> NDArray:
    """`x` with one shift for each axis, block by block."""
    result = empty(x.shape, x.dtype)
    for blocks in itertools.product(*map(moves, shifts, x.shape)):
        result[tuple(to for to, _ in blocks)] = x[tuple(source for _, source in blocks)]
    return result


def moves(shift: int, size: int) -> list[tuple[slice, slice]]:
    """Where the two parts of an axis go, and where they come from."""
    places = shift % size if size else 0
    if not places:
        return [(ALL, ALL)]
    return [(slice(places, size), slice(size - places)), (slice(places), slice(size - places, size))]


def meshgrid(*arrays: NDArray, indexing: str = "xy") -> tuple[NDArray, ...]:
    """The coordinates of a grid: array i repeated along the axes of all others.

    indexing: "ij" gives array i the axis i; "xy" swaps the first two.
    Returns as many arrays as are given, of one shape.  Raises ValueError for another `indexing`.
    """
    if indexing not in ("xy", "ij"):
        raise ValueError(f"meshgrid: indexing must be 'xy' or 'ij', given {indexing!r}")
    vectors = [as_array(x).reshape(-1) for x in arrays]
    places = list(range(len(vectors)))
    if indexing == "xy" and len(vectors) > 1:
        places[:2] = 1, 0
    shape = tuple(vectors[place].size for place in places)
    keys = [tuple(ALL if i == place else None for i in range(len(shape))) for place in places]
    return tuple(copy(x[key].broadcast_to(shape)) for x, key in zip(vectors, keys, strict=True))


def is_below(x: NDArray, k: int, name: str) -> NDArray:
    """Which elements of the matrices in `x` lie on diagonal `k` or below it.  Raises ValueError below two axes."""
    if x.ndim < 2:
        raise ValueError(f"{name}: needs 2 dimensions or more, given shape {x.shape}")
    n_rows, n_columns = x.shape[-2:]
    return less_equal(arange(n_columns).reshape(1, n_columns), arange(k, k + n_rows).reshape(n_rows, 1))


def tril(x: NDArray, /, k: int = 0) -> NDArray:
    """The matrices in the last two axes of `x` with zeros above diagonal `k`.  Raises ValueError below two axes."""
    x = as_array(x)
    return where(is_below(x, k, "tril"), x, filled((), x.dtype, 0))


def triu(x: NDArray, /, k: int = 0) -> NDArray:
    """The matrices in the last two axes of `x` with zeros below diagonal `k`.  Raises ValueError below two axes."""
    x = as_array(x)
    return where(is_below(x, k - 1, "triu"), filled((), x.dtype, 0), x)


def diag(x: NDArray, /, k: int = 0) -> NDArray:
    """The matrix with the vector `x` on diagonal `k` and zeros elsewhere, or that diagonal of the matrix `x`.

    Raises ValueError unless `x` has one or two axes.
    """
    x = as_array(x)
    if x.ndim == 1:
        return on_diagonal(x, k=k)
    if x.ndim != 2:
        raise ValueError(f"diag: needs 1 or 2 dimensions, given shape {x.shape}")
    if not x.is_contiguous and x.T.is_contiguous:
        return diag(x.T, -k)
    n_rows, n_columns = x.shape
    n = max(min(n_rows + min(k, 0), n_columns - max(k, 0)), 0)
    return copy(x.reshape(-1)[diagonal_of(n_columns, k, n)])


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
    result = filled((n, n), x.dtype, 0)
    result.reshape(-1)[diagonal_of(n, k, x.size)] = x
    return result
