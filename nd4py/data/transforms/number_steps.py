"""Steps that compute: arithmetic, normalization, and times read from texts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from nd4py import api as nd
from nd4py.api.elementwise import elementwise

from ..records.tables import lookup, place
from .column_steps import Step, is_number, is_text

TIME_PARTS = ("year", "month", "day", "weekday", "hour", "minute", "second")


@dataclass(frozen=True)
class Compute(Step):
    """A column after a function, or after arithmetic with a number or with another column, float64."""

    name = "compute"
    column: str
    operation: str
    value: Any = None
    result: str | None = None

    def kinds(self, kinds):
        is_number(self, kinds, self.column)
        n_inputs = _n_inputs(self.operation)
        if n_inputs == 0:
            raise ValueError(
                f"compute: {self.operation!r} is no element-wise function of nd4py with one or two arguments"
            )
        if (self.value is None) is (n_inputs == 2):
            raise ValueError(f"compute: {self.operation} takes {('no value', 'a value')[n_inputs - 1]}")
        if isinstance(self.value, str):
            is_number(self, kinds, self.value)
        elif isinstance(self.value, bool) or not isinstance(self.value, int | float | None):
            raise TypeError(f"compute: value must be a number or a column, given {type(self.value).__name__}")
        return kinds | {self.result or self.column: "number"}

    def table(self, table, kinds):
        x = nd.astype(table.columns[self.column], "float64", copy=False)
        function = getattr(nd, self.operation)
        other = table.columns[self.value] if isinstance(self.value, str) else self.value
        found = nd.astype(function(x) if other is None else function(x, other), "float64", copy=False)
        return replace(table, columns=table.columns | {self.result or self.column: found})


@dataclass(frozen=True)
class Normalize(Step):
    """(x - center) / scale of a column."""

    name = "normalize"
    column: str
    center: float
    scale: float

    def kinds(self, kinds):
        is_number(self, kinds, self.column)
        for value in (self.center, self.scale):
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise TypeError(f"normalize: center and scale must be numbers, given {type(value).__name__}")
        if not 0 < abs(self.scale) < float("inf"):
            raise ValueError(f"normalize: scale must be finite and not 0, given {self.scale}")
        return kinds

    def table(self, table, kinds):
        x = nd.astype(table.columns[self.column], "float64", copy=False)
        return replace(table, columns=table.columns | {self.column: (x - self.center) / self.scale})


@dataclass(frozen=True)
class ParseTime(Step):
    """Texts of a time as seconds since 1970, in UTC where they name no zone; nan where they are empty."""

    name = "parse_time"
    column: str
    format: str

    def kinds(self, kinds):
        is_text(self, kinds, self.column)
        if not isinstance(self.format, str):
            raise TypeError(f"parse_time: format must be a text, given {type(self.format).__name__}")
        if "%" not in self.format:
            raise ValueError(
                f"parse_time: format {self.format!r} has no part of a time; write it as for datetime.strptime, "
                "'%Y-%m-%d %H:%M:%S'"
            )
        return kinds | {self.column: "number"}

    def table(self, table, kinds):
        column = table.columns[self.column]
        seconds = lookup(column, [self._seconds(table, column, text) for text in column.names], "float64")
        return replace(table, columns=table.columns | {self.column: seconds})

    def _seconds(self, table, column, text):
        if not text:
            return float("nan")
        try:
            found = datetime.strptime(text, self.format)
        except ValueError:
            row = column.codes.tolist().index(column.names.index(text))
            raise ValueError(
                f"{place(table, row)}: {self.column!r} is {text!r}, no time as {self.format!r} says"
            ) from None
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()


@dataclass(frozen=True)
class TimeParts(Step):
    """Columns of parts of a time in seconds since 1970, UTC: "when[hour]" of the column "when"."""

    name = "time_parts"
    column: str
    parts: list[str]

    def kinds(self, kinds):
        is_number(self, kinds, self.column)
        for part in self.parts:
            if part not in TIME_PARTS:
                raise ValueError(f"time_parts: parts are {', '.join(TIME_PARTS)}, given {part!r}")
        return kinds | {f"{self.column}[{part}]": "number" for part in self.parts}

    def table(self, table, kinds):
        times = [_time(seconds) for seconds in table.columns[self.column].tolist()]
        found = {
            f"{self.column}[{part}]": nd.asarray([_part(time, part) for time in times], dtype="float64")
            for part in self.parts
        }
        return replace(table, columns=table.columns | found)


STEPS: tuple[type[Step], ...] = (Compute, Normalize, ParseTime, TimeParts)


def _n_inputs(operation):
    """How many arrays an element-wise function takes, 1 or 2; 0 for other names."""
    n_inputs = getattr(getattr(nd, operation), "nin", 0) if operation in elementwise.__all__ else 0
    return n_inputs if n_inputs in (1, 2) else 0


def _time(seconds):
    return None if seconds != seconds else datetime.fromtimestamp(seconds, UTC)  # nan is missing


def _part(time, part):
    if time is None:
        return float("nan")
    return time.weekday() if part == "weekday" else getattr(time, part)
