"""Settings of layers as a file has them: looked up by name, and checked for what they should be."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

MOST = 2**31 - 1  # of a whole number


class UnsupportedError(Exception):
    """What has no counterpart in nd4py; the message says what it is."""


class Settings:
    """The settings of one thing in a file.

    who: how messages call it    values: by name, whatever the file has
    Methods raise ValueError naming the setting that is missing or not what it should be.
    """

    def __init__(self, who: str, values: Any) -> None:
        if not isinstance(values, Mapping):
            raise ValueError(f"{who}: settings by name are needed, the file has {shown(values)}")
        self.who, self.values = who, values

    def wrong(self, name: str, wanted: str) -> ValueError:
        """The error for a setting that is not what it should be."""
        return ValueError(f"{self.who}: {name} must be {wanted}, the file has {shown(self.values.get(name))}")

    def has(self, name: str) -> bool:
        """Whether the setting is there and not null."""
        return self.values.get(name) is not None

    def whole(self, name: str, default: int | None = None, *, least: int = 1) -> int:
        value = self.values.get(name, default)
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= MOST:
            raise self.wrong(name, f"a whole number of at least {least}")
        return value

    def number(self, name: str, default: float | None = None, *, least: float = -math.inf) -> float:
        value = self.values.get(name, default)
        if isinstance(value, Mapping):  # a number of NumPy, as old versions wrote it
            value = value.get("value")
        if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= 1e300:
            raise self.wrong(name, "a finite number" + ("" if least == -math.inf else f" of at least {least:g}"))
        return float(value)

    def flag(self, name: str, default: bool) -> bool:
        value = self.values.get(name, default)
        if not isinstance(value, bool):
            raise self.wrong(name, "true or false")
        return value

    def text(self, name: str, default: str | None = None) -> str:
        value = self.values.get(name, default)
        if not isinstance(value, str):
            raise self.wrong(name, "a text")
        return value

    def choice(self, name: str, among: Sequence[str], default: str | None = None) -> str:
        value = self.values.get(name, default)
        if value not in among:
            raise self.wrong(name, f"one of {', '.join(among)}")
        return str(value)

    def sizes(self, name: str, n: int, default: Any = None, *, least: int = 1) -> tuple[int, ...]:
        """`n` whole numbers, from as many or from one for all."""
        value = plain(self.values.get(name, default))
        value = [value] * n if isinstance(value, int) else value
        if not isinstance(value, list) or len(value) != n or not all(is_whole(each, least) for each in value):
            raise self.wrong(name, f"{n} whole numbers of at least {least}")
        return tuple(value)

    def pairs(self, name: str, n: int) -> tuple[int, ...]:
        """Two whole numbers for each of `n` axes, as (before, after, ...), from pairs, one for each axis, or one."""
        value = plain(self.values.get(name))
        value = [value] * n if isinstance(value, int) else value
        if n == 1 and isinstance(value, list) and len(value) == 2 and all(is_whole(each, 0) for each in value):
            value = [value]
        if not isinstance(value, list) or len(value) != n:
            raise self.wrong(name, f"one or two whole numbers for each of {n} axes")
        ends = [end for each in value for end in (each if isinstance(each, list) else [each, each])]
        if len(ends) != 2 * n or not all(is_whole(end, 0) for end in ends):
            raise self.wrong(name, f"one or two whole numbers for each of {n} axes")
        return tuple(ends)

    def wholes(self, name: str) -> list[int]:
        """A list of whole numbers of any sign, or a single one."""
        value = plain(self.values.get(name))
        value = [value] if isinstance(value, int) else value
        if not isinstance(value, list) or not all(is_whole(each, -MOST) for each in value):
            raise self.wrong(name, "a whole number, or a list of them")
        return value

    def items(self, name: str) -> list[Any]:
        value = plain(self.values.get(name))
        if not isinstance(value, list):
            raise self.wrong(name, "a list")
        return value

    def inner(self, name: str) -> Settings:
        """The settings of what is inside of a setting, {"class_name": ..., "config": ...}."""
        return Settings(f"{self.who}: {name}", self.values.get(name))

    def refuse(self, **allowed: Any) -> None:
        """Raises UnsupportedError where a setting is there and is not the value that is allowed for it."""
        for name, value in allowed.items():
            given = self.values.get(name, value)
            if given != value and given is not None:
                raise UnsupportedError(f"{name}={shown(given)}")


def is_whole(value: Any, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= MOST


def plain(value: Any) -> Any:
    """Tuples as newer files have them, {"class_name": "__tuple__", "items": [...]}, as lists."""
    if isinstance(value, Mapping) and value.get("class_name") == "__tuple__":
        value = value.get("items")
    return [plain(each) for each in value] if isinstance(value, list) else value


def shown(value: Any) -> str:
    """A value of a file as messages show it: not more than a line of it."""
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."
