"""Checks of numbers in configurations."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable
from operator import index
from typing import Any

LARGEST, MOST = sys.float_info.max, 2**63 - 1


def shown(value: object) -> str:
    """`value` as errors show it."""
    return f"an int of {value.bit_length()} bits" if isinstance(value, int) and abs(value) > 2**256 else repr(value)


def plain(value: Any) -> Any:
    """Numbers of NumPy, and arrays without dimensions, as Python's, also in tuples and lists; others as they are.

    Python's have no range of their own and can be written as JSON.
    """
    if type(value) in (tuple, list):
        found = type(value)(plain(each) for each in value)
        return found if any(new is not old for new, old in zip(found, value, strict=True)) else value
    return value.item() if getattr(value, "ndim", None) == 0 and hasattr(value, "item") else value


def whole(value: Any, what: str, *, least: int = 1) -> int:
    """`value` as an int that is at least `least`.  Raises ValueError naming `what`."""
    try:
        number = None if isinstance(value, bool) else index(value)
    except TypeError:
        number = None
    if number is None or not least <= number <= MOST:
        raise ValueError(f"{what} must be a whole number of at least {least}, given {shown(value)}")
    return number


def for_axes(value: Any, what: str, axes: tuple[str, ...], *, least: int = 1) -> tuple[int, ...]:
    """A number for each of `axes`, from one for all or from one for each.  Raises ValueError naming `what`."""
    if getattr(value, "ndim", 0) == 1:
        value = plain(tuple(value))  # an array of them
    if len(axes) == 1 or hasattr(type(value), "__index__"):
        return (whole(value, what, least=least),) * len(axes)
    numbers = tuple(value) if isinstance(value, Iterable) and not isinstance(value, str) else ()
    if len(numbers) != len(axes):
        raise ValueError(f"{what} must be one number or ({', '.join(axes)}), given {shown(value)}")
    return tuple(whole(number, what, least=least) for number in numbers)


def real(value: Any, what: str, *, low: float = -math.inf, high: float = math.inf) -> float:
    """`value` as a finite float in [low, high].  Raises ValueError naming `what`."""
    number = plain(value)
    if isinstance(number, bool) or not isinstance(number, int | float) or not -LARGEST <= number <= LARGEST:
        raise ValueError(f"{what} must be a finite number, given {shown(number)}")
    if not low <= number <= high:
        limits = f"at least {low:g}" if high == math.inf else f"between {low:g} and {high:g}"
        raise ValueError(f"{what} must be {limits}, given {shown(number)}")
    return float(number)
