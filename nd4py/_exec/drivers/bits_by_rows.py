"""Bits packed, unpacked and counted, and parts of numbers, by rows, for backends that have no loops for it."""

from __future__ import annotations

import operator

from ..._core.array.array import NDArray
from ..._core.layout.layouts import dense
from ..._spec.dtypes import BYTE, EXPONENT
from ..concat import join
from ..device.device_operations import filled_beside
from ..device.placement import numbers_beside
from ..dispatch.row_functions import row_function
from ..pairwise import by_halves, running

BITS = 8
# Which bits are counted by twos, fours and bytes (Warren, Hacker's Delight, 2nd edition, figure 5-2).
MASKS = (0x5555555555555555, 0x3333333333333333, 0x0F0F0F0F0F0F0F0F)
JOINING = (operator.and_, operator.or_, operator.xor)
divisor = row_function("gcd")
parts_of = row_function("frexp")


def binary_parts(x: NDArray) -> tuple[NDArray, NDArray]:
    """The mantissas of real numbers, and their exponents as int32."""
    mantissa, exponent = parts_of(x)
    return mantissa, exponent.astype(EXPONENT)


def bits_packed(x: NDArray, is_big: bool) -> NDArray:
    """Eight bytes (..., n) as the bits of one: 1 where a byte is not 0; zeros behind the last."""
    bits = (x != False).astype(BYTE)  # noqa: E712 - of bools and numbers alike
    missing = -bits.shape[-1] % BITS
    if missing:
        bits = join([dense(bits), filled_beside(bits, (*bits.shape[:-1], missing), BYTE, 0)], -1)
    packed = bits[..., ::BITS] * 0
    for i in range(BITS):
        packed = packed | bits[..., i::BITS] << (BITS - 1 - i if is_big else i)
    return packed


def bits_unpacked(x: NDArray, is_big: bool) -> NDArray:
    """The bits of the bytes (..., n) as elements 0 and 1."""
    shifts = numbers_beside(x, 0, BITS)
    shifts = (BITS - 1 - shifts if is_big else shifts).astype(BYTE)
    bits = x[..., None] >> shifts & 1
    return bits.reshape((*x.shape[:-1], x.shape[-1] * BITS))


def bits_counted(x: NDArray) -> NDArray:
    """How many bits of the magnitudes of integers are 1, as uint8."""
    width = 8 * x.dtype.itemsize
    twos, fours, bytes_ = (mask & (2**width - 1) for mask in MASKS)
    x = abs(x).astype(f"uint{width}", copy=False)
    x = x - (x >> 1 & twos)
    x = (x & fours) + (x >> 2 & fours)
    x = (x + (x >> 4)) & bytes_
    for shift in (32, 16, 8):
        if shift < width:
            x = x + (x >> shift)
    return (x & 127).astype(BYTE, copy=False)


def bits_joined(x: NDArray, how: int, is_running: bool) -> NDArray:
    """The integers or bools (outer, n, inner), n > 0, joined along the middle axis: as (outer, 1, inner), or all
    running results."""
    return (running if is_running else by_halves)(JOINING[how], x, 1, join)


def common_divisors(x: NDArray, is_running: bool) -> NDArray:
    """The greatest common divisors of the lines (outer, n, 1), n > 0: of each, or all running ones."""
    return (running if is_running else by_halves)(divisor, x, 1, join)
