"""Probabilities of categories: checked, and added up for the search that a draw is.

Computed with NumPy, which adds up in double precision: a table is small beside what is drawn from it.
"""

import math
from typing import Any

import numpy

from ..._core.array import NDArray
from ..creation import asarray
from .parameters import Parameter, array_of

# How far the sum of probabilities may be from 1: they may have been computed in single precision.
TOLERANCE = 1e-3 / 2


def checked_probabilities(name: str, p: Parameter, ndim: int | None = None) -> Any:
    """Probabilities (*batch, categories) as a NumPy float64 array; `ndim` says how many axes they must have.

    Raises ValueError unless they are finite, not negative, and add up to 1 along the last axis.
    """
    table = table_of(f"{name}: p", p, ndim)
    if table.size and not (numpy.isfinite(table).all() and table.min() >= 0):
        raise ValueError(f"{name}: p must hold finite numbers >= 0, given values from {table.min()} to {table.max()}")
    sums = table.sum(axis=-1)
    if sums.size and abs(sums - 1).max() > TOLERANCE:
        furthest = sums.flat[abs(sums - 1).argmax()]
        raise ValueError(f"{name}: p must add up to 1, given a sum of {furthest}; divide by it")
    return table


def probabilities_of(logits: Parameter | None, p: Parameter | None) -> Any:
    """The probabilities, up to a factor, that `categorical` was given."""
    if (logits is None) == (p is None):
        raise TypeError("categorical: give either logits or p=")
    if logits is None:
        return checked_probabilities("categorical", p)
    table = table_of("categorical: logits", logits, None)
    tops = table.max(axis=-1, keepdims=True)
    if not (table < math.inf).all() or (tops == -math.inf).any():
        raise ValueError("categorical: logits must be below infinity, and one at least above -infinity")
    return numpy.exp(table - tops)


def table_of(what: str, values: Parameter, ndim: int | None) -> Any:
    """Numbers (*batch, categories) as a NumPy float64 array.  Raises ValueError for no categories or other axes."""
    x = array_of(what, values)
    shape = x.shape if isinstance(x, NDArray) else ()
    if not shape or shape[-1] == 0 or ndim not in (None, len(shape)):
        axes = "one axis" if ndim == 1 else "an axis"
        raise ValueError(f"{what} must have {axes} of one category or more, given shape {shape}")
    return numpy.asarray(x)


def cumulated(table: Any) -> NDArray:
    """The sums up to each category, (rows, categories)."""
    return asarray(numpy.ascontiguousarray(table.cumsum(axis=-1).reshape(-1, table.shape[-1])))
