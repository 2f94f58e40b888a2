"""Integers as texts of digits."""

from __future__ import annotations

from typing import Any

from ..._core.whole_numbers import clamped, whole

__all__ = ["base_repr", "binary_repr"]

DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
WIDEST = 1_000_000  # a text, not memory for numbers


def binary_repr(num: Any, width: int | None = None) -> str:
    """The binary digits of an integer, with zeros in front up to `width`; of a negative one with a minus sign, or as
    two's complement of that width.

    num: a whole number.
    Raises TypeError for what is no integer, ValueError for a width that is too small or above 1,000,000.
    Returns a text.

    >>> nd.binary_repr(5, width=8), nd.binary_repr(-3, width=5), nd.binary_repr(-3)
    ('00000101', '11101', '-11')
    """
    number = whole("binary_repr: num", num)
    if width is None:
        return f"{number:b}"
    digits = clamped("binary_repr: width", width, 0 if number else 1, WIDEST + 1)
    needed = len(f"{number:b}") if number >= 0 else len(f"{-number - 1:b}") + (number != -1)
    if digits > WIDEST or digits < needed:
        raise ValueError(f"binary_repr: {needed} to {WIDEST} digits for this number, given width={digits}")
    return f"{number if number >= 0 else number + 2**digits:0{digits}b}"


def base_repr(number: Any, base: int = 2, padding: int = 0) -> str:
    """The digits of an integer in a base from 2 to 36, with `padding` zeros in front.

    number: a whole number.
    Raises TypeError for what is no integer, ValueError for another base.
    Returns a text.

    >>> nd.base_repr(255, 16)
    'FF'
    """
    value, base = whole("base_repr: number", number), whole("base_repr: base", base)
    if not 2 <= base <= len(DIGITS):
        raise ValueError(f"base_repr: base must be from 2 to {len(DIGITS)}, given {base}")
    zeros = clamped("base_repr: padding", padding, 0, WIDEST)
    rest, digits = abs(value), []
    while rest:
        rest, digit = divmod(rest, base)
        digits.append(DIGITS[digit])
    zeros = zeros if value else max(zeros, 1)
    return ("-" if value < 0 else "") + "0" * zeros + "".join(reversed(digits))
