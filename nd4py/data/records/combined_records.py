"""Records made of those of other readers: rows with one key reduced to one, two readers joined, windows of sequences.

Design: these need all rows, or those of a whole sequence, so they are readers and no steps of a `TransformProcess`,
which changes a table at a time.  They stand before or behind it: it takes readers, and `process.reader` gives one.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from math import inf, nan
from typing import Any

from nd4py import api as nd
from nd4py.api.arguments import instance, items, named, whole

from .array_records import as_reader, part
from .reader import RecordReader, in_parts
from .tables import Table, Texts, column_name, lookup

REDUCTIONS = ("sum", "mean", "min", "max", "range", "std", "count", "first", "last")
OF_TEXTS = ("count", "first", "last")
JOINS = ("inner", "left", "outer")


class ReducedRecordReader(RecordReader):
    """A row for each value of a column, with numbers that are made of all rows which have it.

    reader: a `RecordReader`, a frame of pandas or polars, or a table of Arrow
    key: the name of that column, or names of several; rows come in the order of the first with their values
    reductions: what is made of other columns, a word or several for each: "sum", "mean", "min", "max", "range", "std"
    (the population's), and of texts too "count", "first" and "last".  nan is missing, and left out
    The columns are the key, and "column[sum]" and so on.
    Raises ValueError for other words and columns that are not there, TypeError for what is no reader.

    >>> rows = data.CollectionRecordReader([["a", 3], ["b", 1], ["a", 5]], ["shop", "price"])
    >>> list(data.ReducedRecordReader(rows, "shop", {"price": ["sum", "count"]}))
    [['a', 8.0, 2], ['b', 1.0, 1]]
    """

    def __init__(self, reader, key, reductions):
        what = "ReducedRecordReader"
        self._reader = as_reader(f"{what}: reader", reader)
        self._key = _names(f"{what}: key", key)
        self._reductions = {}
        for name, given in instance(f"{what}: reductions", reductions, dict).items():
            words = [given] if isinstance(given, str) else items(f"{what}: reductions of {name!r}", given)
            self._reductions[name] = [named(f"{what}: a reduction of {name!r}", word, REDUCTIONS) for word in words]

    def tables(self, n_rows=None):
        table = _whole(self._reader)
        if table is None:
            return iter(())
        reduced = self._reduced(table)
        return in_parts(lambda start, stop: part(reduced, start, stop), len(reduced), n_rows)

    def _reduced(self, table):
        keys = [column_name(table, name, "key") for name in self._key]
        groups: dict[Any, int] = {}
        codes = nd.asarray([groups.setdefault(value, len(groups)) for value in _values(table, keys)], dtype="int64")
        rows = nd.argsort(codes, stable=True)  # rows of a group in their order
        starts = nd.searchsorted(nd.take(codes, rows), nd.arange(len(groups)))
        first = nd.take(rows, starts)
        columns = {name: _taken(table.columns[name], first) for name in keys}
        for name, words in self._reductions.items():
            column = _taken(table.columns[column_name(table, name, "reductions")], rows)
            for word in words:
                columns[f"{name}[{word}]"] = _reduction(column, word, starts, f"{table.source}: {name!r}")
        return Table(columns, table.source, lambda row: _line(table, int(first[row])))


class JoinedRecordReader(RecordReader):
    """The rows of two readers beside each other, where they have the same values in columns of one name.

    left, right: readers, frames of pandas or polars, or tables of Arrow; `right` is kept in memory
    key: the name of those columns, or several
    kind: "inner" has rows with a partner alone, "left" all of `left`, "outer" all of both, those of `right` without a
    partner last.  What a row lacks is nan, or the empty text
    Raises ValueError for another kind, and when they are read for columns of one name beside the key or that are not
    there; TypeError for what is no reader.

    >>> people = data.CollectionRecordReader([["ann", 1], ["bob", 2]], ["name", "city"])
    >>> cities = data.CollectionRecordReader([[1, "Bern"]], ["city", "title"])
    >>> list(data.JoinedRecordReader(people, cities, "city", "left"))
    [['ann', 1, 'Bern'], ['bob', 2, '']]
    """

    def __init__(self, left, right, key, kind="inner"):
        what = "JoinedRecordReader"
        self._left, self._right = as_reader(f"{what}: left", left), as_reader(f"{what}: right", right)
        self._key, self._kind = _names(f"{what}: key", key), named(f"{what}: kind", kind, JOINS)

    def tables(self, n_rows=None):
        left, right = _whole(self._left), _whole(self._right)
        if left is None or right is None:
            raise ValueError("JoinedRecordReader: a reader without records has no columns to join by")
        joined = self._joined(left, right)
        return in_parts(lambda start, stop: part(joined, start, stop), len(joined), n_rows)

    def _joined(self, left, right):
        places: dict[Any, list[int]] = {}
        keys = [[column_name(table, name, "key") for name in self._key] for table in (left, right)]
        others = [name for name in right.columns if name not in keys[1]]
        if twice := set(others) & set(left.columns):
            raise ValueError(f"JoinedRecordReader: both have the columns {sorted(twice)}; rename or remove them before")
        for row, value in enumerate(_values(right, keys[1])):
            places.setdefault(value, []).append(row)
        pairs: list[tuple[int, int]] = []
        matched: set[int] = set()
        for row, value in enumerate(_values(left, keys[0])):
            found = places.get(value, [])
            matched.update(found)
            pairs += [(row, other) for other in found] or ([] if self._kind == "inner" else [(row, -1)])
        if self._kind == "outer":
            pairs += [(-1, row) for row in range(len(right)) if row not in matched]
        of_left, of_right = (nd.asarray(list(each), dtype="int64") for each in zip(*pairs, strict=True)) if pairs else (
            nd.zeros((0,), dtype="int64"), nd.zeros((0,), dtype="int64"),
        )  # fmt: skip
        columns = {name: _or_missing(column, of_left) for name, column in left.columns.items()}
        for own, other in zip(*keys, strict=True):
            if self._kind == "outer":
                columns[own] = _filled(left.columns[own], of_left, right.columns[other], of_right)
        columns |= {name: _or_missing(right.columns[name], of_right) for name in others}
        return Table(columns, left.source, lambda row: _line(left, max(pairs[row][0], 0)))


class WindowRecordReader(RecordReader):
    """Windows of sequences, each a sequence of its own: for `SequenceRecordReaderDataSetIterator`.

    reader: a reader of sequences, as of files, or of `TransformProcess.reader(..., key=)`
    length: rows of a window
    step: from the beginning of one to that of the next; None for `length`, so that none overlap
    A rest that is shorter than a window is left out.
    Raises ValueError for numbers below 1, TypeError for what is no reader.

    >>> rows = data.CollectionRecordReader([[i] for i in range(5)], ["x"])
    >>> [window.columns["x"].tolist() for window in data.WindowRecordReader(rows, 3, step=1).sequences()]
    [[0, 1, 2], [1, 2, 3], [2, 3, 4]]
    """

    def __init__(self, reader, length, step=None):
        what = "WindowRecordReader"
        self._reader = as_reader(f"{what}: reader", reader)
        self._length = whole(f"{what}: length", length)
        self._step = self._length if step is None else whole(f"{what}: step", step)
        if min(self._length, self._step) < 1:
            raise ValueError(f"{what}: length and step must be at least 1, given {length} and {step}")

    def tables(self, n_rows=None):
        return self.sequences()

    def sequences(self):
        for table in self._reader.sequences():
            for start in range(0, len(table) - self._length + 1, self._step):
                yield part(table, start, start + self._length)


def _names(what, given):
    found = [given] if isinstance(given, str) else items(what, given)
    if not found:
        raise ValueError(f"{what}: no column given; name one at least")
    return [instance(f"{what}: each", name, str) for name in found]


def _whole(reader):
    """All records in one table, None without any."""
    tables = [table for table in reader.tables() if len(table)]
    if len(tables) < 2:
        return tables[0] if tables else None
    columns: dict[str, Any] = {}
    for name in tables[0].columns:
        parts = [table.columns[name] for table in tables]
        columns[name] = _joined_texts(parts) if any(isinstance(each, Texts) for each in parts) else nd.concat(parts)
    ends = list(accumulate(map(len, tables)))

    def line_of(row):
        number = bisect_right(ends, row)
        return _line(tables[number], row - ends[number] + len(tables[number]))

    return Table(columns, tables[0].source, line_of)


def _joined_texts(parts):
    """One column of texts of several, of which some may have numbers."""
    numbers: dict[str, int] = {}
    codes = []
    for each in parts:
        texts = each if isinstance(each, Texts) else Texts.of([str(value) for value in each.tolist()])
        codes.append(lookup(texts, [numbers.setdefault(name, len(numbers)) for name in texts.names], "int64"))
    return Texts(nd.concat(codes), list(numbers))


def _line(table, row):
    return row + 1 if table.line_of is None else table.line_of(row)


def _values(table, names):
    """What stands in the columns of each row, a value or a tuple."""
    columns = [table.columns[name].tolist() for name in names]
    return columns[0] if len(columns) == 1 else list(zip(*columns, strict=True))


def _taken(column, rows):
    return column[rows] if isinstance(column, Texts) else nd.take(column, rows, axis=0)


def _or_missing(column, rows):
    """The rows of a column, and what is missing for row -1."""
    is_missing = rows < 0
    if not nd.any(is_missing):
        return _taken(column, rows)
    if isinstance(column, Texts):
        codes = nd.take(nd.concat([column.codes, nd.asarray([len(column.names)])]), rows)  # -1 is the last
        return Texts(codes, [*column.names, ""])
    if column.ndim > 1:
        raise ValueError("JoinedRecordReader: rows without a partner lack a column of arrays; give kind='inner'")
    values = nd.concat([nd.astype(column, "float64"), nd.asarray([nan], dtype="float64")])
    return nd.take(values, nd.where(is_missing, len(column), rows))


def _filled(column, rows, other, other_rows):
    """The values of a key, from the one side or the other."""
    if isinstance(column, Texts):
        own, others = column.tolist(), other.tolist()
        pairs = zip(rows.tolist(), other_rows.tolist(), strict=True)
        return Texts.of([own[i] if i >= 0 else others[j] for i, j in pairs])
    first = nd.take(column, nd.maximum(rows, 0)) if len(column) else nd.take(other, nd.maximum(other_rows, 0))
    return nd.where(rows < 0, nd.take(other, nd.maximum(other_rows, 0)), first)


def _reduction(column, word, starts, what):
    """A number, or text, for each group of rows that begins at `starts`."""
    ends = nd.concat([starts[1:], nd.asarray([len(column)])])
    if word == "first":
        return _taken(column, starts)
    if word == "last":
        return _taken(column, ends - 1)
    if isinstance(column, Texts):
        if word not in OF_TEXTS:
            raise ValueError(f"{what} has texts, of which there are {', '.join(OF_TEXTS)}; {word} is of numbers")
        return nd.add.reduceat(lookup(column, [int(text != "") for text in column.names], "int64"), starts)
    if column.ndim > 1:
        raise ValueError(f"{what} has arrays; reductions are of numbers")
    return _of_numbers(nd.astype(column, "float64"), word, starts, ends)


def _of_numbers(x, word, starts, ends):
    is_there = nd.logical_not(nd.isnan(x))
    n = nd.add.reduceat(nd.astype(is_there, "int64"), starts)
    if word == "count":
        return n
    if word in ("min", "max", "range"):
        low = nd.minimum.reduceat(nd.where(is_there, x, inf), starts)
        high = nd.maximum.reduceat(nd.where(is_there, x, -inf), starts)
        found = {"min": low, "max": high, "range": high - low}[word]
        return nd.where(n > 0, found, nan)
    total = nd.add.reduceat(nd.where(is_there, x, 0.0), starts)
    if word == "sum":
        return total
    mean = nd.where(n > 0, total / nd.maximum(n, 1), nan)
    if word == "mean":
        return mean
    of_row = nd.repeat(mean, ends - starts)
    squares = nd.add.reduceat(nd.where(is_there, nd.square(x - of_row), 0.0), starts)
    return nd.sqrt(nd.where(n > 0, squares / nd.maximum(n, 1), nan))
