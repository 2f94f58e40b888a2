"""Steps on texts and categories: changes of texts, texts joined, and numbers that become categories again."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from nd4py import api as nd

from ..records.tables import Texts, mapped, place
from .column_steps import Step, is_number, is_text, known

WITHOUT_VALUE: dict[str, Callable[[str], str]] = {
    "lower": str.lower, "upper": str.upper, "strip": str.strip, "title": str.title,
}  # fmt: skip
WITH_VALUE: dict[str, Callable[[str, str], str]] = {
    "append": lambda text, value: text + value,
    "prepend": lambda text, value: value + text,
    "remove": lambda text, value: text.replace(value, ""),
}
WITH_NEW = ("replace", "substitute")


@dataclass(frozen=True)
class ChangeText(Step):
    """A column of texts after a change of each."""

    name = "change_text"
    column: str
    operation: str
    value: str | None = None
    new: str | None = None

    def kinds(self, kinds):
        is_text(self, kinds, self.column)
        every = (*WITHOUT_VALUE, *WITH_VALUE, *WITH_NEW)
        if self.operation not in every:
            raise ValueError(f"change_text: operation must be one of {', '.join(every)}, given {self.operation!r}")
        n_wanted = (self.operation not in WITHOUT_VALUE) + (self.operation in WITH_NEW)
        given = (self.value, self.new)
        if [type(each) for each in given] != [str] * n_wanted + [type(None)] * (2 - n_wanted):
            texts = ("no value", "a value, a text", "a value and new, both texts")[n_wanted]
            raise TypeError(f"change_text: {self.operation} takes {texts}; given {self.value!r} and {self.new!r}")
        self._function()
        return kinds | {self.column: "text"}

    def table(self, table, kinds):
        return replace(
            table, columns=table.columns | {self.column: mapped(table.columns[self.column], self._function())}
        )

    def _function(self) -> Callable[[str], str]:
        if self.operation in WITHOUT_VALUE:
            return WITHOUT_VALUE[self.operation]
        value = str(self.value)
        if self.operation in WITH_VALUE:
            return lambda text: WITH_VALUE[self.operation](text, value)
        if self.operation == "replace":
            return lambda text: text.replace(value, str(self.new))
        try:
            pattern = re.compile(value)
        except re.error as error:
            raise ValueError(f"change_text: {value!r} is no regular expression: {error}") from None
        return lambda text: pattern.sub(str(self.new), text)


@dataclass(frozen=True)
class Concatenate(Step):
    """A new column of the texts of several, one after another."""

    name = "concatenate"
    columns: list[str]
    result: str
    separator: str = ""

    def kinds(self, kinds):
        for column in self.columns:
            is_text(self, kinds, column)
        if not self.columns:
            raise ValueError("concatenate: no columns given; name one at least")
        return kinds | {self.result: "text"}

    def table(self, table, kinds):
        rows = zip(*(table.columns[name].tolist() for name in self.columns), strict=True)
        return replace(
            table, columns=table.columns | {self.result: Texts.of([self.separator.join(row) for row in rows])}
        )


@dataclass(frozen=True)
class FromInteger(Step):
    """Numbers from 0 as a category."""

    name = "from_integer"
    column: str
    values: list[str]

    def kinds(self, kinds):
        is_number(self, kinds, self.column)
        if not self.values or len(set(self.values)) != len(self.values):
            raise ValueError(f"from_integer: {self.column!r} needs different values, one at least; given {self.values}")
        return kinds | {self.column: list(self.values)}

    def table(self, table, kinds):
        given = table.columns[self.column]
        codes = nd.astype(nd.where(given == given, given, -1), "int64")  # nan has no code
        wrong = (codes != given) | (codes < 0) | (codes >= len(self.values))
        if nd.any(wrong):
            row = int(nd.argmax(wrong))
            raise ValueError(
                f"{place(table, row)}: {self.column!r} is {given[row].item()!r}; numbers of its values are 0 to "
                f"{len(self.values) - 1}"
            )
        return replace(table, columns=table.columns | {self.column: Texts(codes, list(self.values))})


@dataclass(frozen=True)
class FromOneHot(Step):
    """Columns "column[value]", of which the largest of a row says its value, as one category."""

    name = "from_one_hot"
    column: str

    def kinds(self, kinds):
        values = self._values(kinds)
        if not values:
            known(self, kinds, f"{self.column}[...]")
        found: dict[str, Any] = {}
        for name, kind in kinds.items():
            if name in values:
                is_number(self, kinds, name)
                found[self.column] = list(values.values())
            else:
                found[name] = kind
        return found

    def table(self, table, kinds):
        values = self._values(kinds)
        every = nd.stack([nd.astype(table.columns[name], "float64") for name in values], axis=1)
        codes = nd.argmax(every, axis=1) if len(table) else nd.zeros((0,), dtype="int64")
        columns: dict[str, Any] = {}
        for name, column in table.columns.items():
            columns |= {self.column: Texts(codes, list(values.values()))} if name in values else {name: column}
        return replace(table, columns=columns)

    def _values(self, kinds) -> dict[str, str]:
        """The values by the names of their columns."""
        start = f"{self.column}["
        return {name: name[len(start) : -1] for name in kinds if name.startswith(start) and name.endswith("]")}


STEPS: tuple[type[Step], ...] = (ChangeText, Concatenate, FromInteger, FromOneHot)
