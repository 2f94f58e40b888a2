"""Arithmetic of elements: sums, quotients, powers, roundings, and conversions of dtypes."""

from __future__ import annotations

from functools import reduce
from typing import Any

from nd4py import api as nd

from ..element_types import DTYPES, HOST_DTYPES
from .host_arrays import converted, element_type_of, is_host
from .operator_rows import Rows


def broadcast_by_axis(function: Any, a: Any, b: Any, *, broadcast: int = 0, axis: int | None = None) -> Any:
    """The rule before version 7: b's axes begin at `axis` of a."""
    if broadcast and axis is not None:
        b = b.reshape(*b.shape, *[1] * (a.ndim - axis - b.ndim))
    return function(a, b)


def divide(a: Any, b: Any) -> Any:
    """The quotient; that of integers is cut off towards zero."""
    if nd.isdtype(a.dtype, "real floating"):
        return nd.divide(a, b)
    quotient = nd.floor_divide(a, b)
    if nd.isdtype(a.dtype, "unsigned integer"):
        return quotient
    is_cut_upwards = ((a < 0) != (b < 0)) & (quotient * b != a)
    return quotient + is_cut_upwards.astype(a.dtype)


def modulo(a: Any, b: Any, *, fmod: int = 0) -> Any:
    return nd.fmod(a, b) if fmod else nd.remainder(a, b)


def power(a: Any, b: Any) -> Any:
    """a ** b in the dtype of a."""
    if a.dtype == b.dtype:
        return nd.pow(a, b)
    if nd.isdtype(a.dtype, "integral") and nd.isdtype(b.dtype, "integral"):
        return nd.pow(a, b.astype(a.dtype))
    return nd.pow(a.astype(nd.float64), b.astype(nd.float64)).astype(a.dtype)


def folded(function: Any, *operands: Any) -> Any:
    return reduce(function, operands)


def mean(*operands: Any) -> Any:
    return reduce(nd.add, operands) / len(operands)


def clip_by_attributes(x: Any, *, min: float = -3.4028234663852886e38, max: float = 3.4028234663852886e38) -> Any:
    bounds = nd.asarray([min, max], dtype=nd.float64).astype(x.dtype)
    return nd.minimum(nd.maximum(x, bounds[0]), bounds[1])


def clip(x: Any, low: Any = None, high: Any = None) -> Any:
    if low is not None:
        x = nd.maximum(x, low)
    return nd.minimum(x, high) if high is not None else x


def shift(a: Any, b: Any, *, direction: str) -> Any:
    """Bits moved to the left or right; by as many as there are, or more, none is left."""
    move = nd.bitwise_left_shift if direction == "LEFT" else nd.bitwise_right_shift
    return move(a, b)


def cast(x: Any, *, to: int, **of_small_floats: Any) -> Any:
    """`x` in another dtype.  The other attributes concern floats of 8 bits."""
    return converted(x, to, **of_small_floats) if to in HOST_DTYPES or is_host(x) else x.astype(DTYPES[to])


def cast_like(x: Any, target: Any, **of_small_floats: Any) -> Any:
    return cast(x, to=element_type_of(target), **of_small_floats)


def bit_cast(x: Any, *, to: int) -> Any:
    return x.view(DTYPES[to])


OPERATORS: Rows = {
    "Abs": [(6, 13, nd.abs)],
    "Add": [(6, 6, broadcast_by_axis, nd.add), (7, 14, nd.add)],
    "BitCast": [(26, 26, bit_cast)],
    "BitShift": [(11, 28, shift)],
    "Cast": [(6, 28, cast)],
    "CastLike": [(15, 25, cast_like)],
    "Ceil": [(6, 13, nd.ceil)],
    "Clip": [(6, 6, clip_by_attributes), (11, 13, clip)],
    "Div": [(6, 6, broadcast_by_axis, divide), (7, 14, divide)],
    "Exp": [(6, 13, nd.exp)],
    "Floor": [(6, 13, nd.floor)],
    "Log": [(6, 13, nd.log)],
    "Max": [(6, 13, folded, nd.maximum)],
    "Mean": [(6, 13, mean)],
    "Min": [(6, 13, folded, nd.minimum)],
    "Mod": [(10, 28, modulo)],
    "Mul": [(6, 6, broadcast_by_axis, nd.multiply), (7, 14, nd.multiply)],
    "Neg": [(6, 13, nd.negative)],
    "Pow": [(1, 1, broadcast_by_axis, power), (7, 15, power)],
    "Reciprocal": [(6, 13, nd.reciprocal)],
    "Round": [(11, 22, nd.round)],
    "Sign": [(9, 13, nd.sign)],
    "Sqrt": [(6, 13, nd.sqrt)],
    "Sub": [(6, 6, broadcast_by_axis, nd.subtract), (7, 14, nd.subtract)],
    "Sum": [(6, 13, folded, nd.add)],
}
