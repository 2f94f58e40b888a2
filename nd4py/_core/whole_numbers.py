"""Checks of arguments: numbers, sequences and names.

Python's ints have no limits; loops and memory have.  What is read here ends neither in a loop nor in an error of C or
of Python that does not know whose argument it was.
"""

from __future__ import annotations

import operator
from collections.abc import Collection, Iterable
from typing import Any

from .._mem.sizes import shortened

__all__: list[str] = []

LARGEST = 2**63 - 1


def is_whole(value: Any) -> bool:
    """Whether `value` is a whole number of some type (of which a class or an array, that have the method, is none)."""
    return hasattr(type(value), "__index__") and getattr(value, "ndim", 0) == 0


def whole(what: str, value: Any) -> int:
    """`value` as an int.  Raises TypeError unless it is a whole number."""
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{what} must be an integer, given {shortened(value)}") from None


def count(what: str, value: Any, least: int = 0) -> int:
    """How many there are of something.  Raises TypeError, ValueError below `least` or where nothing has as many."""
    number = whole(what, value)
    if number < least:
        words = f"be at least {least}" if least else "not be negative"
        raise ValueError(f"{what} must {words}, given {shortened(number)}")
    if number > LARGEST:
        raise ValueError(f"{what} must be below 2**63, given {shortened(number)}")
    return number


def clamped(what: str, value: Any, low: int, high: int) -> int:
    """`value` as an int, clamped to low ... high.  Raises TypeError unless it is a whole number."""
    return max(low, min(whole(what, value), high))


def real(what: str, value: Any) -> float:
    """`value` as a float.  Raises TypeError unless it is a real number, OverflowError for an int beyond all floats."""
    if not (hasattr(type(value), "__float__") or is_whole(value)):
        raise TypeError(f"{what} must be a real number, given {shortened(value)}")
    try:
        return float(value)
    except OverflowError:
        raise OverflowError(f"{what} must be within the range of float64, given {shortened(value)}") from None


def items(what: str, value: Any) -> tuple[Any, ...]:
    """What a sequence holds.  Raises TypeError for text and what has no items."""
    if type(value) is tuple:
        return value
    if type(value) is not list and (isinstance(value, str | bytes) or not isinstance(value, Iterable)):
        raise TypeError(f"{what} must be a sequence, given {shortened(value)}")
    return tuple(value)


def named_order(what: str, order: Any, orders: Collection[Any]) -> Any:
    """The name of an order in memory, in a capital letter.  Raises ValueError unless it is one of `orders`."""
    return named(what, order.upper() if isinstance(order, str) else order, orders)


def named(what: str, value: Any, names: Collection[Any]) -> Any:
    """`value`, which must be one of `names`, text or None.  Raises ValueError."""
    if (value is None or isinstance(value, str)) and value in names:
        return value
    raise ValueError(f"{what} must be one of {', '.join(map(repr, names))}, given {shortened(value)}")
