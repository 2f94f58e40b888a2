"""Tables: named columns of as many rows, and the place in a file that they come from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from nd4py import api as nd
from nd4py.api.arguments import having, instance, items

MISSING = ("", "NA", "N/A", "NULL", "null", "NaN", "nan")  # texts that are no number, in a column of numbers


@dataclass(frozen=True)
class Texts:
    """A column of texts: for each row a number, and the different texts that these stand for.

    codes: (n,) int64    names: list of str
    Raises nothing.

    >>> column = data.Texts.of(["red", "blue", "red"])
    >>> column.codes.tolist(), column.names
    ([0, 1, 0], ['red', 'blue'])
    """

    codes: Any
    names: list[str]

    @classmethod
    def of(cls, texts):
        """The column of a sequence of texts.  Raises TypeError for anything else."""
        texts = items("Texts.of: texts", texts)
        if set(map(type, texts)) != {str}:  # once for each type: there may be millions
            for text in texts:
                instance("Texts.of: each of texts", text, str)
        numbers: dict[str, int] = {}
        codes = [numbers.setdefault(text, len(numbers)) for text in texts]
        return cls(nd.asarray(codes, dtype="int64"), list(numbers))

    def __len__(self):
        return self.codes.shape[0]

    def __getitem__(self, rows):
        return Texts(self.codes[rows], self.names)

    def different(self):
        """Returns the texts that there are, each once, a list.  Raises nothing."""
        return [self.names[code] for code in nd.unique_values(self.codes).tolist()]

    def tolist(self):
        """Returns the texts in order, a list.  Raises nothing."""
        return [self.names[code] for code in self.codes.tolist()]


@dataclass(frozen=True)
class Table:
    """Rows of named columns.

    columns: by name, arrays (n, ...), `Texts`, or lists of numbers or texts
    source: the name of the file, for messages
    line_of: gives the line of a row in it; None where row 0 is in line 1
    Raises ValueError for columns of different lengths, TypeError for what is no column.

    >>> table = data.Table({"age": nd.asarray([31, 24]), "city": ["Bern", "Basel"]})
    >>> table.records(), len(table)
    ([[31, 'Bern'], [24, 'Basel']], 2)
    """

    columns: dict[str, Any]
    source: str = "the records"
    line_of: Callable[[int], int] | None = field(default=None, compare=False, repr=False)

    def __post_init__(self):
        columns = {name: column_from(column) for name, column in instance("Table: columns", self.columns, dict).items()}
        lengths = {name: len(column) for name, column in columns.items()}
        if len(set(lengths.values())) > 1:
            raise ValueError(f"Table: columns need one length, given {lengths}")
        object.__setattr__(self, "columns", columns)

    def __len__(self):
        return len(next(iter(self.columns.values()))) if self.columns else 0

    def records(self):
        """Returns the rows, each a list of values.  Raises nothing."""
        return [list(row) for row in zip(*(column.tolist() for column in self.columns.values()), strict=True)]


def column_from(column):
    """A column as it is, or of a list of numbers or texts.  Raises TypeError for anything else."""
    if not isinstance(column, tuple | list):
        return having("Table: each of columns", column, "an array, Texts or a list", "tolist", "__len__", "__getitem__")
    return Texts.of(column) if any(isinstance(each, str) for each in column) else nd.asarray(column)


def lookup(texts, values, dtype):
    """An array of `dtype` with the value of each row's text; `values` has one for each of the names."""
    if not texts.names:
        return nd.zeros((0,), dtype=dtype)
    return nd.take(nd.asarray(values, dtype=dtype), texts.codes)


def mapped(texts, change):
    """The column of what the function `change` makes of each text."""
    changed: dict[Any, int] = {}
    of_name = [changed.setdefault(change(name), len(changed)) for name in texts.names]
    return Texts(lookup(texts, of_name, "int64"), list(changed))


def place(table, row):
    """Where a row stands: the file and the line."""
    return f"{table.source}, line {row + 1 if table.line_of is None else table.line_of(row)}"


def column_name(table, wanted, what):
    """The name of a column, given by its name or its number.  Raises ValueError where there is none."""
    names = list(table.columns)
    if isinstance(wanted, str):
        if wanted not in names:
            raise ValueError(f"{what}: no column {wanted!r} in {table.source}, which has {', '.join(names[:20])}")
        return wanted
    if not -len(names) <= wanted < len(names):
        raise ValueError(f"{what}: no column {wanted} in {table.source}, which has {len(names)}")
    return names[wanted]


def numbers(table, name, what):
    """The column `name` as an array of numbers.  Raises ValueError naming the place of a text that is none."""
    column = table.columns[name]
    if not isinstance(column, Texts):
        return column
    return lookup(column, [_number(table, name, text, what) for text in column.names], "float64")


def _number(table, name, text, what):
    try:
        return float("nan") if text.strip() in MISSING else float(text)
    except ValueError:
        column = table.columns[name]
        row = column.codes.tolist().index(column.names.index(text))
        raise ValueError(
            f"{place(table, row)}: {what} {name!r} must be a number, found {text!r}; a column of texts can be the "
            "label=, be left out by features=, or be made numbers by a TransformProcess"
        ) from None


def column_of(texts):
    """A column of numbers where all `texts` are such, or missing; or else of texts."""
    for kind, dtype in ((int, "int64"), (float, "float64")):
        try:
            values = [kind(text) if kind is int or text.strip() not in MISSING else float("nan") for text in texts]
            return nd.asarray(values, dtype=dtype)
        except (ValueError, OverflowError):
            continue
    return Texts.of(texts)
