"""Analysis of columns: what numbers and texts they hold."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from nd4py import api as nd

from ..column_statistics import Extremes, Moments
from ..records.array_records import as_reader
from ..records.tables import MISSING, Texts


@dataclass(frozen=True)
class ColumnAnalysis:
    """What a column holds.

    n: the number of rows
    n_missing: of them, nan or empty texts
    min, max, mean, std: of numbers (the population's deviation); None for texts, or where all are missing
    counts: of texts, how often each comes, the most frequent first; None for numbers
    Raises nothing.

    >>> rows = data.CollectionRecordReader([[1, "a"], [3, "b"], [2, "a"]], ["x", "kind"])
    >>> found = data.analyze(rows)
    >>> found["x"].mean, found["kind"].counts
    (2.0, {'a': 2, 'b': 1})
    """

    n: int
    n_missing: int
    min: float | None = None
    max: float | None = None
    mean: float | None = None
    std: float | None = None
    counts: dict[str, int] | None = None


def analyze(reader):
    """Measure the columns of all records, in one pass.

    reader: a `RecordReader`, a frame of pandas or polars, or a table of Arrow
    Returns a dict of a `ColumnAnalysis` for each column by its name.
    Raises TypeError for what is no reader, ValueError for infinite numbers, and what reading raises.

    >>> data.analyze(data.CollectionRecordReader([[1.0], [3.0]], ["x"]))["x"].std
    1.0
    """
    reader = as_reader("analyze: reader", reader)
    found: dict[str, _Measured] = {}
    for table in reader.tables():
        for name, column in table.columns.items():
            found.setdefault(name, _Measured(name)).add(column)
    return {name: measured.result() for name, measured in found.items()}


class _Measured:
    """What was found in the tables so far."""

    def __init__(self, name):
        self._what = f"analyze: column {name!r}"
        self._n = self._n_missing = 0
        self._moments: Any = None
        self._extremes: Any = None
        self._counts: Counter[str] = Counter()

    def add(self, column):
        self._n += len(column)
        if isinstance(column, Texts):
            counts = nd.bincount(column.codes, minlength=len(column.names)).tolist()
            for text, count in zip(column.names, counts, strict=True):
                if text in MISSING:
                    self._n_missing += count
                elif count:
                    self._counts[text] += count
            return
        numbers = column.reshape(-1)
        if nd.isdtype(numbers.dtype, "real floating"):
            present = numbers[nd.logical_not(nd.isnan(numbers))]
            self._n_missing += len(numbers) - len(present)
            numbers = present
        if not numbers.size:
            return
        numbers = nd.astype(numbers, "float64", copy=False)
        moments, extremes = Moments.of(numbers, self._what), Extremes.of(numbers, self._what)
        self._moments = moments if self._moments is None else self._moments.merged(moments, self._what)
        self._extremes = extremes if self._extremes is None else self._extremes.merged(extremes, self._what)

    def result(self):
        if self._moments is None:
            return ColumnAnalysis(self._n, self._n_missing, counts=dict(self._counts.most_common()))
        std = float(nd.sqrt(self._moments.squares / self._moments.n))
        low, high, mean = (float(x) for x in (self._extremes.min, self._extremes.max, self._moments.mean))
        return ColumnAnalysis(self._n, self._n_missing, low, high, mean, std)
