"""Steps that take, leave, name and select columns and rows, and change values.

A step says what kinds of columns come out of those that go in, and makes a table of a table.  Kinds are "number",
"text", or for a category the list of its values.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from nd4py import api as nd

from ..records.tables import Texts, lookup, place
from .conditions import check_condition, check_value, fulfilled


@dataclass(frozen=True)
class Step(ABC):
    """One step; its fields are values for JSON."""

    name: ClassVar[str]

    @abstractmethod
    def kinds(self, kinds):
        """The kinds of the columns after the step.  Raises ValueError where it does not fit them."""

    @abstractmethod
    def table(self, table, kinds):
        """The table after the step, of one whose columns have these `kinds`."""


@dataclass(frozen=True)
class Keep(Step):
    """The columns `columns`, in this order."""

    name = "keep"
    columns: list[str]

    def kinds(self, kinds):
        return {name: known(self, kinds, name) for name in self.columns}

    def table(self, table, kinds):
        return replace(table, columns={name: table.columns[name] for name in self.columns})


@dataclass(frozen=True)
class Remove(Step):
    """All columns but `columns`."""

    name = "remove"
    columns: list[str]

    def kinds(self, kinds):
        for name in self.columns:
            known(self, kinds, name)
        return {name: kind for name, kind in kinds.items() if name not in self.columns}

    def table(self, table, kinds):
        return replace(table, columns={n: column for n, column in table.columns.items() if n not in self.columns})


@dataclass(frozen=True)
class Reorder(Step):
    """`columns` first, then the others."""

    name = "reorder"
    columns: list[str]

    def kinds(self, kinds):
        return {name: known(self, kinds, name) for name in self.columns} | kinds

    def table(self, table, kinds):
        return replace(table, columns={name: table.columns[name] for name in self.columns} | table.columns)


@dataclass(frozen=True)
class Rename(Step):
    """Other names for columns, by their old ones."""

    name = "rename"
    names: dict[str, str]

    def kinds(self, kinds):
        for name in self.names:
            known(self, kinds, name)
        found = self._renamed(kinds)
        if len(found) < len(kinds):
            raise ValueError(f"rename: two columns would have one name among {', '.join(found)}")
        return found

    def table(self, table, kinds):
        return replace(table, columns=self._renamed(table.columns))

    def _renamed(self, columns):
        return {self.names.get(name, name): column for name, column in columns.items()}


@dataclass(frozen=True)
class Categorize(Step):
    """A column of texts as a category; other texts than its values are refused."""

    name = "categorize"
    column: str
    values: list[str]

    def kinds(self, kinds):
        is_text(self, kinds, self.column)
        if not self.values or len(set(self.values)) != len(self.values):
            raise ValueError(f"categorize: {self.column!r} needs different values, one at least; given {self.values}")
        return kinds | {self.column: list(self.values)}

    def table(self, table, kinds):
        checked_codes(table, self.column, self.values)
        return table


@dataclass(frozen=True)
class ToInteger(Step):
    """A category as the number of its value, from 0."""

    name = "to_integer"
    column: str

    def kinds(self, kinds):
        values_of(self, kinds, self.column)
        return kinds | {self.column: "number"}

    def table(self, table, kinds):
        codes = checked_codes(table, self.column, kinds[self.column])
        return replace(table, columns=table.columns | {self.column: codes})


@dataclass(frozen=True)
class OneHot(Step):
    """A category as a column for each of its values, 1 in that of the row's and 0 in the others."""

    name = "one_hot"
    column: str

    def kinds(self, kinds):
        of_values = {f"{self.column}[{value}]": "number" for value in values_of(self, kinds, self.column)}
        return replaced(kinds, self.column, of_values)

    def table(self, table, kinds):
        values = kinds[self.column]
        codes = checked_codes(table, self.column, values)
        of_values = {f"{self.column}[{value}]": nd.astype(codes == i, "float32") for i, value in enumerate(values)}
        return replace(table, columns=replaced(table.columns, self.column, of_values))


@dataclass(frozen=True)
class RemoveRows(Step):
    """All rows but those whose value in `column` fulfils a condition."""

    name = "remove_rows"
    column: str
    condition: str
    value: Any = None
    is_kept: ClassVar[bool] = False

    def kinds(self, kinds):
        is_number = known(self, kinds, self.column) == "number"
        check_condition(self.name, self.condition, self.value, not is_number)
        return kinds

    def table(self, table, kinds):
        found = fulfilled(table.columns[self.column], self.condition, self.value)
        return rows_of(table, nd.nonzero(found == self.is_kept)[0])


@dataclass(frozen=True)
class KeepRows(RemoveRows):
    """The rows whose value in `column` fulfils a condition."""

    name = "keep_rows"
    is_kept = True


@dataclass(frozen=True)
class Replace(Step):
    """`new` in place of the values of `column` that fulfil a condition."""

    name = "replace"
    column: str
    condition: str
    value: Any
    new: Any

    def kinds(self, kinds):
        kind = known(self, kinds, self.column)
        check_condition("replace", self.condition, self.value, kind != "number")
        check_value("replace: new", self.new, kind != "number")
        if isinstance(kind, list) and self.new not in kind:
            raise ValueError(f"replace: {self.new!r} is no value of {self.column!r}; they are {', '.join(kind)}")
        return kinds

    def table(self, table, kinds):
        column = table.columns[self.column]
        found = fulfilled(column, self.condition, self.value)
        if isinstance(column, Texts):
            names = [*column.names, self.new]
            merged = Texts(nd.where(found, len(column.names), column.codes), names)
            return replace(table, columns=table.columns | {self.column: merged})
        if isinstance(self.new, float) and not nd.isdtype(column.dtype, "real floating"):
            column = nd.astype(column, "float64")
        new = nd.where(found, nd.full(column.shape, self.new, dtype=column.dtype), column)
        return replace(table, columns=table.columns | {self.column: new})


STEPS: tuple[type[Step], ...] = (
    Keep,
    Remove,
    Reorder,
    Rename,
    Categorize,
    ToInteger,
    OneHot,
    RemoveRows,
    KeepRows,
    Replace,
)


def known(step, kinds, name):
    """The kind of a column.  Raises ValueError where there is none of that name."""
    if not isinstance(name, str):
        raise TypeError(f"{step.name}: a column must be a name, given {type(name).__name__}")
    if name not in kinds:
        raise ValueError(f"{step.name}: no column {name!r}; there are {', '.join(map(str, kinds))}")
    return kinds[name]


def is_number(step, kinds, name):
    """Raise ValueError unless a column has numbers."""
    if known(step, kinds, name) != "number":
        raise ValueError(f"{step.name}: column {name!r} has texts; it must have numbers")


def is_text(step, kinds, name):
    """Raise ValueError unless a column has texts."""
    if known(step, kinds, name) == "number":
        raise ValueError(f"{step.name}: column {name!r} has numbers; it must have texts")


def values_of(step, kinds, name):
    """The values of a category.  Raises ValueError for another column."""
    kind = known(step, kinds, name)
    if not isinstance(kind, list):
        raise ValueError(f"{step.name}: column {name!r} is no category; categorize it first")
    return kind


def replaced(columns, name, others):
    """`columns` with `others` where `name` was."""
    found: dict[str, Any] = {}
    for each, column in columns.items():
        found |= others if each == name else {each: column}
    return found


def rows_of(table, rows):
    """The rows with these numbers."""
    columns = {
        name: column[rows] if isinstance(column, Texts) else nd.take(column, rows, axis=0)
        for name, column in table.columns.items()
    }
    numbers = rows.tolist()
    line_of = table.line_of or (lambda row: row + 1)
    return replace(table, columns=columns, line_of=lambda row: line_of(numbers[row]))


def checked_codes(table, name, values):
    """(n,) int64: the number of each row's text among `values`.  Raises ValueError naming the place of another."""
    column = table.columns[name]
    number = {value: i for i, value in enumerate(values)}
    codes = lookup(column, [number.get(text, -1) for text in column.names], "int64")
    if nd.any(codes < 0):
        row = int(nd.argmax(codes < 0))
        text = column[row : row + 1].tolist()[0]
        raise ValueError(f"{place(table, row)}: {name!r} is {text!r}; its values are {', '.join(values[:20])}")
    return codes
