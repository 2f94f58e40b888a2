"""Probabilities of categories, checked and added up.

Tables are float64, and stay on the device where they are drawn from.  Checking them waits for the device.
"""

from __future__ import annotations

import math

from ..._core.array.array import NDArray
from ..elementwise.elementwise import abs, divide, equal, exp, isfinite, less, minimum, where
from ..manipulation.manipulation import ascontiguous, flip
from ..reductions.reductions import all, any, argmax, max, min, sum
from ..reductions.scans import cumulative_sum
from .distribution_parameters import Parameter, array_of

# How far the sum of probabilities may be from 1: they may have been computed in single precision.
TOLERANCE = 1e-3 / 2


def checked_probabilities(name: str, p: Parameter, device: str, ndim: int | None = None) -> NDArray:
    """Probabilities (*batch, categories) in float64; `ndim` says how many axes they must have.

    Raises ValueError unless they are finite, not negative, and add up to 1 along the last axis.
    """
    table = table_of(f"{name}: p", p, device, ndim)
    if table.size == 0:
        return table
    if not (all(isfinite(table)) and min(table) >= 0):
        least, most = float(min(table)), float(max(table))
        raise ValueError(f"{name}: p must hold finite numbers >= 0, given values from {least} to {most}")
    sums = sum(table, axis=-1).reshape(-1)
    distances = abs(sums - 1)
    if max(distances) > TOLERANCE:
        furthest = float(sums[int(argmax(distances))])
        raise ValueError(f"{name}: p must add up to 1, given a sum of {furthest}; divide by it")
    return table


def probabilities_of(logits: Parameter | None, p: Parameter | None, device: str) -> NDArray:
    """The probabilities, up to a factor, that `categorical` was given."""
    if (logits is None) == (p is None):
        raise TypeError("categorical: give either logits or p=")
    if logits is None:
        return checked_probabilities("categorical", p, device)
    table = table_of("categorical: logits", logits, device, None)
    if table.size == 0:
        return table
    tops = max(table, axis=-1, keepdims=True)
    if not all(less(table, math.inf)) or any(equal(tops, -math.inf)):
        raise ValueError("categorical: logits must be below infinity, and one at least above -infinity")
    return exp(table - tops)


def table_of(what: str, values: Parameter, device: str, ndim: int | None) -> NDArray:
    """Numbers (*batch, categories) in float64.  Raises ValueError for no categories or other axes."""
    x = array_of(what, values, device)
    shape = () if isinstance(x, float) else x.shape
    if isinstance(x, float) or not shape or shape[-1] == 0 or ndim not in (None, len(shape)):
        axes = "one axis" if ndim == 1 else "an axis"
        raise ValueError(f"{what} must have {axes} of one category or more, given shape {shape}")
    return x


def cumulated(table: NDArray) -> NDArray:
    """The sums up to each category, (rows, categories)."""
    return ascontiguous(cumulative_sum(table, axis=-1).reshape((-1, table.shape[-1])))


def shares_of(chances: NDArray) -> NDArray:
    """The probability of each category among it and those after it; the last one's is 1."""
    left = flip(cumulative_sum(flip(chances)))
    shares = minimum(where(left > 0, divide(chances, left), 0.0), 1.0)
    shares[-1] = 1.0
    return shares
