"""Set functions: unique elements, and membership."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..._core.annotations import Operand
from ..._core.array.array import NDArray
from ..._core.whole_numbers import named
from ..._exec.autodiff.nodes import constant, is_array
from ..._exec.concat import as_array
from ..._exec.drivers.driver_table import contain, different_values, positions_of_groups
from ..arguments import is_traced
from ..creation.data_types import isdtype, result_type
from ..manipulation.manipulation import ascontiguous, concat
from ..operands import beside
from .complex_order import ranks
from .searching import matched
from .sorting import sort, taken

# Values, and elements, of which comparisons with each take less time than a search (asv numpy_names isin).
FEW_VALUES, MANY = 8, 1000

__all__ = ["isin", "unique_all", "unique_counts", "unique_inverse", "unique_values"]


class UniqueAllResult(NamedTuple):
    """The unique elements, their first indices, the index among them of every element, and their counts."""

    values: NDArray
    indices: NDArray
    inverse_indices: NDArray
    counts: NDArray


class UniqueCountsResult(NamedTuple):
    """The unique elements, and how often each occurs."""

    values: NDArray
    counts: NDArray


class UniqueInverseResult(NamedTuple):
    """The unique elements, and the index among them of every element."""

    values: NDArray
    inverse_indices: NDArray


def grouped(x: Any, with_counts: bool) -> tuple[NDArray, NDArray, NDArray, NDArray | None]:
    """(values, first positions, inverse, counts or None) of the groups of equal elements."""
    x = ascontiguous(as_array(x))
    plain = constant(x)
    first, inverse, counts = positions_of_groups(
        ranks(plain) if isdtype(x.dtype, "complex floating") else plain, with_counts
    )
    return taken(x.reshape(-1), first), first, inverse, counts


def unique_all(x: Operand, /) -> UniqueAllResult:
    """The unique elements of `x`: (values, indices, inverse_indices, counts).

    values: ascending, 1-d; complex numbers by the real part, then by the imaginary part.  Every NaN is an element of
    its own; -0.0 and 0.0 are equal, and the first to occur is returned.
    indices: of the first occurrence of each in the flattened `x`.    inverse_indices: in the shape of `x`, the index
    in `values` of every element.    counts: how often each occurs.  All int64.
    Raises TypeError for an argument that cannot become an array.

    >>> nd.unique_all([3, 1, 3]).indices
    array([1, 0], dtype=int64)
    """
    values, first, inverse, counts = grouped(x, True)
    assert counts is not None
    return UniqueAllResult(values, first, inverse, counts)


def unique_inverse(x: Operand, /) -> UniqueInverseResult:
    """(values, inverse_indices) of `unique_all`.  Returns and raises as it does.

    >>> nd.unique_inverse([3, 1, 3]).inverse_indices
    array([1, 0, 1], dtype=int64)
    """
    values, _, inverse, _ = grouped(x, False)
    return UniqueInverseResult(values, inverse)


def unique_counts(x: Operand, /) -> UniqueCountsResult:
    """(values, counts) of `unique_all`; whether -0.0 or 0.0 is returned for both is not specified.

    Returns and raises as it does.

    >>> nd.unique_counts([3, 1, 3]).counts
    array([1, 2], dtype=int64)
    """
    values, counts = values_of(x, True)
    assert counts is not None
    return UniqueCountsResult(values, counts)


def unique_values(x: Operand, /) -> NDArray:
    """The values of `unique_all`; whether -0.0 or 0.0 is returned for both is not specified.

    Raises TypeError for an argument that cannot become an array.

    >>> nd.unique_values([3, 1, 3])
    array([1, 3], dtype=int64)
    """
    return values_of(x, False)[0]


def values_of(x: Any, with_counts: bool) -> tuple[NDArray, NDArray | None]:
    """(values, counts or None) of the groups of equal elements."""
    x = ascontiguous(as_array(x))
    if isdtype(x.dtype, "complex floating") or x.node is not None:
        values, _, _, counts = grouped(x, with_counts)
        return values, counts
    return different_values(x, with_counts)


def of_one_sign(elements: NDArray, others: NDArray) -> NDArray:
    """The whole numbers among `others` that may equal elements: of uint64 and a signed dtype there is no common one."""
    if elements.dtype == "uint64" and others.dtype.kind == "i":
        return others[others >= 0].astype("uint64")
    if elements.dtype.kind == "i" and others.dtype == "uint64":
        return others[others < 2**63].astype("int64")
    return others


def isin(
    x1: Operand, x2: Operand, /, assume_unique: bool = False, invert: bool = False, *, kind: str | None = None
) -> NDArray:
    """Whether each element of `x1` equals one of `x2`, or with `invert` none: bool, in the shape of x1.

    x1, x2: arrays of any shapes, or Python numbers; different dtypes are promoted.  NaN equals nothing.
    assume_unique and kind, which say how NumPy searches, are accepted and change nothing.
    Raises TypeError for an argument that cannot become an array, and without a common dtype.

    >>> nd.isin([3, 1, 2], [1, 2])
    array([False,  True,  True], dtype=bool)
    """
    named("isin: kind", kind, (None, "sort", "table"))
    elements = constant(x1) if is_array(x1) else beside(x2, matched(x1, x2)) if is_array(x2) else as_array(x1)
    others = of_one_sign(elements, constant(x2) if is_array(x2) else beside(elements, matched(x2, elements)))
    dtype = result_type(elements, others)
    elements, others = (ascontiguous(x.astype(dtype, copy=False)) for x in (elements, others))
    if isdtype(elements.dtype, "complex floating"):
        both = ranks(concat([elements, others], axis=None))
        elements, others = both[: elements.size].reshape(elements.shape), both[elements.size :]
    if 0 < others.size <= FEW_VALUES and elements.size >= MANY and elements.dtype.kind == "f":
        return is_one_of(elements, others.reshape(-1), invert)
    others = sort(others.reshape(-1)) if is_traced(others) else different_values(others, False)[0]
    return contain(others, elements, invert)


def is_one_of(elements: NDArray, values: NDArray, invert: bool) -> NDArray:
    """Whether each element equals one of a few values, or none of them."""
    found = elements == values[0]
    for i in range(1, values.size):
        found = found | (elements == values[i])
    return ~found if invert else found
