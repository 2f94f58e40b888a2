"""Records reduced, joined and cut into windows: the same as Python makes of lists."""

import math
from collections import defaultdict

import numpy as np
import pytest

import nd4py as nd
from nd4py import data


class InParts(data.RecordReader):
    """The rows of another reader, a few at a time, and each table a sequence."""

    def __init__(self, reader, n_rows):
        self.reader, self.n_rows = reader, n_rows

    def tables(self, n_rows=None):
        return self.reader.tables(self.n_rows)


def reader_of(rows, names, n_rows=None):
    reader = data.CollectionRecordReader(rows, names)
    return reader if n_rows is None else InParts(reader, n_rows)


def sales(n, seed):
    rng = np.random.default_rng(seed)
    numbers = np.where(rng.random(n) < 0.2, np.nan, rng.integers(-9, 9, n))
    shops, kinds, notes = (rng.choice(list(letters), n) for letters in ("abc", "xy", "pqr"))
    return [
        list(row) for row in zip(map(str, shops), map(str, kinds), map(float, numbers), map(str, notes), strict=True)
    ]


SALES = ["shop", "kind", "price", "note"]
MEASURES = {
    "sum": lambda x: math.fsum(x),
    "mean": lambda x: math.fsum(x) / len(x) if x else math.nan,
    "min": lambda x: min(x, default=math.nan),
    "max": lambda x: max(x, default=math.nan),
    "range": lambda x: max(x) - min(x) if x else math.nan,
    "std": lambda x: float(np.std(x)) if x else math.nan,
    "count": len,
}


@pytest.mark.parametrize("n_rows", [None, 1, 4])
@pytest.mark.parametrize("n", [1, 5, 60])
@pytest.mark.parametrize("key", ["shop", ["shop", "kind"]])
def test_rows_of_one_key_become_one(n, key, n_rows):
    rows = sales(n, seed=n)
    reductions = {"price": [*MEASURES, "first", "last"], "note": ["count", "first", "last"]}
    reduced = data.ReducedRecordReader(reader_of(rows, SALES, n_rows), key, reductions)
    names = [key] if isinstance(key, str) else key
    groups = defaultdict(list)
    for row in rows:
        groups[tuple(row[SALES.index(name)] for name in names)].append(row)
    expected = []
    for values, group in groups.items():
        numbers = [row[2] for row in group if row[2] == row[2]]
        of_numbers = [*(measure(numbers) for measure in MEASURES.values()), group[0][2], group[-1][2]]
        expected.append([*values, *of_numbers, len(group), group[0][3], group[-1][3]])
    found = list(reduced)
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        assert one == pytest.approx(other, nan_ok=True)
    assert repr([row for table in reduced.tables(2) for row in table.records()]) == repr(found)
    wanted = [*names, *(f"price[{word}]" for word in reductions["price"]), *(f"note[{w}]" for w in reductions["note"])]
    assert list(next(reduced.tables()).columns) == wanted


def joined(left, right, kind):
    """What SQL says of two lists whose first values are the key."""
    rows = [[*one, *other[1:]] for one in left for other in right if one[0] == other[0]]
    keys = [{row[0] for row in side} for side in (left, right)]
    if kind != "inner":
        rows += [[*one, math.nan, ""] for one in left if one[0] not in keys[1]]
    if kind == "outer":
        rows += [[other[0], math.nan, *other[1:]] for other in right if other[0] not in keys[0]]
    return rows


def as_set(rows):
    return sorted(repr([float(x) if isinstance(x, int | float) else x for x in row]) for row in rows)


@pytest.mark.parametrize("n_rows", [None, 2])
@pytest.mark.parametrize("kind", ["inner", "left", "outer"])
@pytest.mark.parametrize("texts", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_joined_rows_are_those_of_sql(kind, seed, texts, n_rows):
    rng = np.random.default_rng(seed)
    of = str if texts else int
    left = [[of(k), int(i)] for i, k in enumerate(rng.integers(0, 5, 7))]
    right = [[of(k), int(i), f"t{i}"] for i, k in enumerate(rng.integers(2, 8, 6))]
    readers = reader_of(left, ["key", "x"], n_rows), reader_of(right, ["key", "y", "title"], n_rows)
    found = data.JoinedRecordReader(*readers, "key", kind)
    assert as_set(found) == as_set(joined(left, right, kind))
    assert list(next(found.tables()).columns) == ["key", "x", "y", "title"]
    keys = [row[0] for row in found]
    n_of_left = sum(1 for row in found if row[1] == row[1])
    places = [next(i for i, row in enumerate(left) if row[0] == key) for key in keys[:n_of_left]]
    assert kind == "outer" or len(places) == len(keys)  # rows of the left come first


def test_joins_by_several_columns():
    left = reader_of([[1, "a", 5], [1, "b", 6]], ["n", "kind", "x"])
    right = reader_of([["b", 1, 7], ["a", 2, 8]], ["kind", "n", "y"])
    assert list(data.JoinedRecordReader(left, right, ["n", "kind"])) == [[1, "b", 6, 7]]
    assert list(data.JoinedRecordReader(left, right, ["n", "kind"], "outer"))[2][:2] == [2, "a"]


@pytest.mark.parametrize("length, step", [(1, None), (3, None), (3, 1), (2, 3), (4, 2), (50, 1)])
def test_windows_of_sequences(length, step):
    rows = [[i, f"t{i}"] for i in range(11)]
    for n_rows in (None, 4):
        reader = reader_of(rows, ["x", "t"], n_rows)
        sequences = [table.records() for table in reader.sequences()]
        expected = [
            sequence[start : start + length]
            for sequence in sequences
            for start in range(0, len(sequence) - length + 1, step or length)
        ]
        found = data.WindowRecordReader(reader, length, step)
        assert [table.records() for table in found.sequences()] == expected
        assert list(found) == [row for window in expected for row in window]


def test_windows_feed_a_recurrent_network():
    rows = [[patient, time, time % 3] for patient in ("p", "q") for time in range(10)]
    process = data.TransformProcess({"patient": "text", "time": "number", "class": "number"})
    sequences = process.reader(reader_of(rows, ["patient", "time", "class"]), key="patient", order_by="time")
    windows = data.WindowRecordReader(sequences, 4, 2)
    batches = data.SequenceRecordReaderDataSetIterator(windows, 8, "class", classes=3, features=["time"])
    (batch,) = batches
    assert (batch.features.shape, batch.labels.shape) == ((8, 4, 1), (8, 4, 3))
    assert nd.argmax(batch.labels, axis=2)[1].tolist() == [2, 0, 1, 2]


def test_what_does_not_fit_is_told():
    reader = reader_of([[1, "a"]], ["x", "t"])
    for make, message in (
        (lambda: list(data.ReducedRecordReader(reader, "z", {"x": "sum"})), "no column 'z'"),
        (lambda: list(data.ReducedRecordReader(reader, "t", {"z": "sum"})), "no column 'z'"),
        (lambda: list(data.ReducedRecordReader(reader, "x", {"t": "sum"})), "'t' has texts"),
        (lambda: data.ReducedRecordReader(reader, "x", {"t": "mode"}), "a reduction of 't'"),
        (lambda: data.ReducedRecordReader(reader, [], {"t": "sum"}), "no column given"),
        (lambda: list(data.JoinedRecordReader(reader, reader, "x")), r"both have the columns \['t'\]"),
        (lambda: list(data.JoinedRecordReader(reader, reader, "y")), "no column 'y'"),
        (lambda: data.JoinedRecordReader(reader, reader, "x", "cross"), "kind"),
        (lambda: data.WindowRecordReader(reader, 0), "must be at least 1"),
        (lambda: data.WindowRecordReader(reader, 2, 0), "must be at least 1"),
    ):
        with pytest.raises(ValueError, match=message):
            make()
    empty = data.CollectionRecordReader({"x": nd.zeros((0,)), "t": data.Texts.of([])})
    assert list(data.ReducedRecordReader(empty, "x", {"t": "count"})) == []
    assert list(data.WindowRecordReader(empty, 1)) == []
    with pytest.raises(ValueError, match="has no columns to join by"):
        list(data.JoinedRecordReader(empty, reader, "x"))
