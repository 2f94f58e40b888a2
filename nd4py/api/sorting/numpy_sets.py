"""Sets in NumPy's form: unique elements with what is asked for, unions, intersections and differences."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..._core.array.array import NDArray
from ..._core.layout.shape import normalize_axis
from ..._exec.concat import as_array
from ..._exec.device.placement import filled_beside
from ..elementwise.elementwise import equal, isnan, minimum
from ..indexing.take import take
from ..manipulation.manipulation import ascontiguous, concat, moveaxis
from ..operands import alike, is_inexact
from ..reductions.reductions import count_nonzero, sum
from .sets import isin, unique_all, unique_counts, unique_values
from .sorting import argsort

__all__ = ["intersect1d", "setdiff1d", "setxor1d", "union1d", "unique"]


class Groups(NamedTuple):
    """The different elements, where each occurs first, which of them each element is, and how often they occur."""

    values: NDArray
    indices: NDArray
    inverse_indices: NDArray
    counts: NDArray


def unique(
    ar: Any,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: int | None = None,
    *,
    equal_nan: bool = True,
    sorted: bool = True,
) -> Any:
    """The different elements of the flattened `ar` in ascending order, or its different slices along `axis`.

    return_index: also where each occurs first.    return_inverse: also which of them each element is, in the shape of
    `ar`.    return_counts: also how often each occurs.    equal_nan: whether all NaNs of a flattened array are one.
    sorted: changes nothing, the result is sorted.
    Raises TypeError for what is no array, ValueError for a wrong axis.
    Returns an array, or a tuple of it and what is asked for.

    >>> values, counts = nd.unique([3, 1, 3], return_counts=True)
    >>> values.tolist(), counts.tolist()
    ([1, 3], [1, 2])
    """
    x = as_array(ar)
    if axis is not None and x.ndim == 1:  # whose slices are its elements
        normalize_axis(axis, 1)
        axis = None
    if axis is None and not (return_index or return_inverse):
        values, counts = unique_counts(x) if return_counts else (unique_values(x), None)
        if equal_nan and is_inexact(x):
            n = numbers_in(values)
            values = values[: n + 1]
            counts = None if counts is None else one_group_of_nan(counts, n)
        return values if counts is None else (values, counts)
    groups = of_slices(x, axis) if axis is not None else of_elements(x, equal_nan)
    wanted = zip(groups[1:], (return_index, return_inverse, return_counts), strict=True)
    found = (groups.values, *(each for each, is_wanted in wanted if is_wanted))
    return found if len(found) > 1 else found[0]


def numbers_in(values: NDArray) -> int:
    """How many ascending elements are numbers: NaNs stand behind them."""
    return values.size - int(count_nonzero(isnan(values)))


def one_group_of_nan(counts: NDArray, n: int) -> NDArray:
    """The counts of n numbers, and the sum of those of the NaNs behind them."""
    return concat([counts[:n], sum(counts[n:], keepdims=True)]) if n < counts.size else counts


def of_elements(x: NDArray, equal_nan: bool) -> Groups:
    """The groups of equal elements."""
    groups = Groups(*unique_all(x))
    if not (equal_nan and is_inexact(x)):
        return groups
    n = numbers_in(groups.values)
    inverse = minimum(groups.inverse_indices, n)
    return Groups(groups.values[: n + 1], groups.indices[: n + 1], inverse, one_group_of_nan(groups.counts, n))


def of_slices(x: NDArray, axis: int) -> Groups:
    """The groups of equal slices along an axis, in the order of their first elements, then of their second ones ..."""
    axis = normalize_axis(axis, x.ndim)
    slices = moveaxis(x, axis, 0)
    rows = ascontiguous(slices).reshape((slices.shape[0], -1)) if x.size else slices[:, :0].reshape((len(slices), 0))
    numbers = filled_beside(rows, rows.shape[:1], "int64", 0)
    for i in range(rows.shape[1]):
        column = unique_all(rows[:, i])
        numbers = unique_all(numbers * (column.values.size + 1) + column.inverse_indices).inverse_indices
    _, first, inverse, counts = unique_all(numbers)
    return Groups(moveaxis(take(slices, first, axis=0), 0, axis), first, inverse, counts)


def union1d(ar1: Any, ar2: Any) -> NDArray:
    """The different elements of two arrays together, ascending.  Raises TypeError without a common dtype.

    ar1, ar2: arrays, which are flattened.

    >>> nd.union1d([1, 2], [2, 3]).tolist()
    [1, 2, 3]
    """
    rows = alike(as_array(ar1).reshape(-1), as_array(ar2).reshape(-1))
    result: NDArray = unique(concat(rows))
    return result


def different(x: NDArray, assume_unique: bool) -> NDArray:
    """The elements of a row, each once."""
    result: NDArray = x if assume_unique else unique(x)
    return result


def intersect1d(ar1: Any, ar2: Any, assume_unique: bool = False, return_indices: bool = False) -> Any:
    """The elements that both arrays have, ascending, each once.

    ar1, ar2: arrays, which are flattened.
    assume_unique: neither array has an element twice, which saves looking for them.
    return_indices: also where the elements occur first in either flattened array.
    Raises TypeError without a common dtype.
    Returns an array, or a tuple of three.

    >>> nd.intersect1d([3, 1, 2, 3], [2, 3, 4]).tolist()
    [2, 3]
    """
    rows = alike(as_array(ar1).reshape(-1), as_array(ar2).reshape(-1))
    if not return_indices:
        first, second = (different(x, assume_unique) for x in rows)
        common = first[isin(first, second)]
        return common[argsort(common)] if assume_unique and common.dtype.kind != "c" else common
    (left, where1, _, _), (right, where2, _, _) = (of_elements(x, True) for x in rows)
    is_left, is_right = isin(left, right), isin(right, left)
    return left[is_left], where1[is_left], where2[is_right]


def setdiff1d(ar1: Any, ar2: Any, assume_unique: bool = False) -> NDArray:
    """The elements of the first array that the second one lacks, ascending, each once.

    ar1, ar2: arrays, which are flattened.
    assume_unique: the arrays are taken as they are, in their order, which saves looking for equal elements.
    Raises TypeError without a common dtype.

    >>> nd.setdiff1d([3, 1, 2, 1], [2]).tolist()
    [1, 3]
    """
    first = different(as_array(ar1).reshape(-1), assume_unique)
    return first[isin(first, as_array(ar2), invert=True)]


def setxor1d(ar1: Any, ar2: Any, assume_unique: bool = False) -> NDArray:
    """The elements that just one of two arrays has, ascending.

    ar1, ar2: arrays, which are flattened.
    assume_unique: neither array has an element twice, which saves looking for them.
    Raises TypeError without a common dtype.

    >>> nd.setxor1d([1, 2, 3], [3, 4]).tolist()
    [1, 2, 4]
    """
    rows = alike(as_array(ar1).reshape(-1), as_array(ar2).reshape(-1))
    values, counts = unique_counts(concat([different(x, assume_unique) for x in rows]))
    return values[equal(counts, 1)]
