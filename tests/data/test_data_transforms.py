"""TransformProcess: each step against what Python does with the rows; JSON gives the same process."""

import math
import re

import numpy as np
import pytest

from nd4py import data

NAMES = ["age", "city", "when", "note"]
ROWS = [
    [31.0, "Bern", "2024-05-01 10:30", "x"],
    [-1.0, "Basel", "2024-02-29 23:59", ""],
    [57.0, "Bern", "1969-12-31 00:00", "y"],
    [24.0, "Chur", "2024-05-06 00:00", "x"],
]
SCHEMA = {"age": "number", "city": ["Basel", "Bern", "Chur"], "when": "text", "note": "text"}


def start():
    return data.TransformProcess(SCHEMA)


def rows():
    return data.CollectionRecordReader(ROWS, NAMES)


def result(process):
    """The rows of the process, of it from JSON, and names and kinds; tables of other sizes give the same."""
    again = data.TransformProcess.from_json(process.to_json())
    found = list(process.reader(rows()))
    assert again.schema == process.schema
    assert list(again.reader(rows())) == found
    assert [row for table in process.reader(rows()).tables(2) for row in table.records()] == found
    assert list(next(process.reader(rows()).tables()).columns) == list(process.schema)
    return found


def column(process, name):
    place = list(process.schema).index(name)
    return [row[place] for row in result(process)]


def test_columns_are_taken_ordered_and_named():
    assert result(start()) == ROWS
    assert result(start().remove("when", "note")) == [row[:2] for row in ROWS]
    assert result(start().keep("note", "age")) == [[row[3], row[0]] for row in ROWS]
    assert result(start().reorder("note")) == [[row[3], *row[:3]] for row in ROWS]
    renamed = start().rename({"age": "years"})
    assert list(renamed.schema) == ["years", "city", "when", "note"]
    assert result(renamed) == ROWS


def test_categories_become_numbers():
    assert column(start().to_integer("city"), "city") == [1, 0, 1, 2]
    hot = start().keep("age", "city").one_hot("city")
    assert list(hot.schema) == ["age", "city[Basel]", "city[Bern]", "city[Chur]"]
    assert [row[1:] for row in result(hot)] == [[0, 1, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    assert column(start().categorize("note", ["", "x", "y"]).to_integer("note"), "note") == [1, 0, 2, 1]
    with pytest.raises(ValueError, match=r"the rows, line 3: 'note' is 'y'; its values are x"):
        result(start().categorize("note", ["x", ""]))


@pytest.mark.parametrize(
    "name, condition, value, holds",
    [
        ("age", "<", 0, lambda v: v < 0),
        ("age", ">=", 31, lambda v: v >= 31),
        ("age", "!=", 24.0, lambda v: v != 24),
        ("age", "in", [24, 57], lambda v: v in (24, 57)),
        ("age", "not in", [24, 57], lambda v: v not in (24, 57)),
        ("city", "==", "Bern", lambda v: v == "Bern"),
        ("city", "in", ["Bern", "Chur"], lambda v: v in ("Bern", "Chur")),
        ("note", "missing", None, lambda v: v == ""),
        ("note", "not missing", None, lambda v: v != ""),
    ],
)
def test_rows_and_values_are_chosen_by_conditions(name, condition, value, holds):
    place = NAMES.index(name)
    fulfil = [holds(row[place]) for row in ROWS]
    assert result(start().keep_rows(name, condition, value)) == [row for row, f in zip(ROWS, fulfil, strict=True) if f]
    left = [row for row, f in zip(ROWS, fulfil, strict=True) if not f]
    assert result(start().remove_rows(name, condition, value)) == left
    new = {"age": 0.5, "city": "Basel", "note": "none"}[name]
    expected = [new if f else row[place] for row, f in zip(ROWS, fulfil, strict=True)]
    assert column(start().replace(name, condition, value, new), name) == expected


def test_numbers_are_computed():
    ages = [row[0] for row in ROWS]
    assert column(start().compute("age", "add", 2).compute("age", "multiply", 3), "age") == [(a + 2) * 3 for a in ages]
    assert column(start().compute("age", "pow", 2, result="square"), "square") == [a**2 for a in ages]
    assert column(start().compute("age", "divide", "age", result="one"), "one") == [1] * 4
    assert column(start().compute("age", "mod", 10), "age") == [a % 10 for a in ages]
    found = column(start().compute("age", "abs").compute("age", "sqrt"), "age")
    assert found == pytest.approx([math.sqrt(abs(a)) for a in ages], rel=1e-15)


def test_columns_are_normalized_as_they_were_analyzed():
    analysis = data.analyze(rows())
    ages = np.asarray([row[0] for row in ROWS])
    standard = column(start().normalize("age", analysis), "age")
    assert standard == pytest.approx(((ages - ages.mean()) / ages.std()).tolist(), rel=1e-12)
    assert column(start().normalize("age", analysis, "min_max"), "age") == pytest.approx(((ages + 1) / 58).tolist())
    with pytest.raises(ValueError, match="no analysis of numbers of 'city'"):
        start().normalize("city", analysis)


def test_times_are_seconds_and_their_parts():
    timed = start().parse_time("when", "%Y-%m-%d %H:%M")
    assert column(timed, "when") == [1714559400, 1709251140, -86400, 1714953600]
    parts = timed.time_parts("when", "year", "month", "day", "weekday", "hour", "minute", "second")
    assert [row[4:] for row in result(parts)] == [
        [2024, 5, 1, 2, 10, 30, 0], [2024, 2, 29, 3, 23, 59, 0], [1969, 12, 31, 2, 0, 0, 0], [2024, 5, 6, 0, 0, 0, 0]
    ]  # fmt: skip
    with pytest.raises(ValueError, match=r"the rows, line 1: 'when' is '2024-05-01 10:30', no time"):
        result(start().parse_time("when", "%Y"))


def test_rows_with_one_key_are_a_sequence():
    reader = start().keep("city", "age").remove_rows("city", "==", "Basel").reader(rows(), key="city", order_by="age")
    assert [table.records() for table in reader.sequences()] == [[["Bern", 31], ["Bern", 57]], [["Chur", 24]]]
    down = data.CollectionRecordReader([["a", 3], ["b", 9], ["a", 1]], ["key", "x"])
    process = data.TransformProcess({"key": "text", "x": "number"})
    sequences = process.reader(down, key="key", order_by="x").sequences()
    assert [table.records() for table in sequences] == [[["a", 1], ["a", 3]], [["b", 9]]]
    batch, = data.SequenceRecordReaderDataSetIterator(
        process.reader(down, key="key"), 2, features=["x"], label=["x"]
    )  # fmt: skip
    assert batch.features.tolist() == [[[3], [1]], [[9], [0]]]
    assert batch.features_mask.tolist() == [[1, 1], [1, 0]]


def test_errors_after_filtering_name_the_line_of_the_file(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("x,kind\n1,a\n2,b\n3,c\n")
    process = data.TransformProcess({"x": "number", "kind": "text"}).keep_rows("x", ">", 1).categorize("kind", ["b"])
    with pytest.raises(ValueError, match=r"rows\.csv, line 4: 'kind' is 'c'"):
        list(process.reader(data.CSVRecordReader(path)))
    with pytest.raises(ValueError, match=r"rows\.csv has no columns y"):
        list(data.TransformProcess({"y": "number"}).reader(data.CSVRecordReader(path)))


@pytest.mark.parametrize(
    "step",
    [
        lambda p: p.remove("none"),
        lambda p: p.keep("age", "none"),
        lambda p: p.rename({"age": "city"}),
        lambda p: p.one_hot("note"),
        lambda p: p.to_integer("age"),
        lambda p: p.categorize("age", ["a"]),
        lambda p: p.categorize("note", ["a", "a"]),
        lambda p: p.keep_rows("age", "~", 1),
        lambda p: p.keep_rows("age", "==", "one"),
        lambda p: p.keep_rows("city", "in", "Bern"),
        lambda p: p.replace("city", "==", "Bern", "Paris"),
        lambda p: p.compute("city", "add", 1),
        lambda p: p.compute("age", "explode"),
        lambda p: p.compute("age", "where", 3),
        lambda p: p.compute("age", "add"),
        lambda p: p.compute("age", "sqrt", 3),
        lambda p: p.compute("age", "add", "note"),
        lambda p: p.parse_time("age", "%Y"),
        lambda p: p.time_parts("age", "century"),
        lambda p: p.remove("age").compute("age", "sqrt"),
        lambda p: p.reader(rows(), key="none"),
    ],
)
def test_a_step_that_does_not_fit_is_refused_where_it_is_written(step):
    with pytest.raises((TypeError, ValueError), match=r"\w+: .*"):
        step(start())


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"schema": {"a": "number"}, "steps": [{"step": "explode"}]}'])
def test_texts_of_no_process_are_refused(text):
    with pytest.raises((TypeError, ValueError), match="TransformProcess"):
        data.TransformProcess.from_json(text)


def test_columns_are_analyzed_over_all_tables(tmp_path):
    numbers = np.random.default_rng(0).normal(3, 2, 1000)
    for i in range(4):
        lines = [f"{x!r},{'ab'[j % 2]}" for j, x in enumerate(numbers[i * 250 : (i + 1) * 250].tolist())]
        (tmp_path / f"{i}.csv").write_text("\n".join(["x,kind", ",", *lines]) + "\n")
    found = data.analyze(data.CSVRecordReader([tmp_path / f"{i}.csv" for i in range(4)]))
    x, kind = found["x"], found["kind"]
    assert (x.n, x.n_missing, x.counts) == (1004, 4, None)
    assert (x.min, x.max) == (numbers.min(), numbers.max())
    assert (x.mean, x.std) == pytest.approx((numbers.mean(), numbers.std()), rel=1e-12)
    assert kind == data.ColumnAnalysis(1004, 4, counts={"a": 500, "b": 500})


class Frame:
    """What pandas and polars have in common."""

    columns = ("age", "city")

    def __getitem__(self, name):
        return {"age": [31.0, 24.0, 50.0], "city": ["Bern", "Basel", "Bern"]}[name]

    def to_numpy(self):
        raise AssertionError("columns are read one by one")


def test_frames_are_read_where_readers_are():
    process = data.TransformProcess({"age": "number", "city": ["Basel", "Bern"]}).one_hot("city")
    expected = [[31.0, 0.0, 1.0], [24.0, 1.0, 0.0], [50.0, 0.0, 1.0]]
    assert list(process.reader(Frame())) == expected
    assert len(process.table(Frame())) == 3
    assert data.analyze(Frame())["age"].mean == 35.0
    iterator = data.RecordReaderDataSetIterator(Frame(), 2, label="city")
    assert [batch.labels.tolist() for batch in iterator] == [[[0.0, 1.0], [1.0, 0.0]], [[0.0, 1.0]]]
    for call in (process.reader, process.table, data.analyze, lambda x: data.RecordReaderDataSetIterator(x, 2)):
        with pytest.raises(TypeError, match="must be a RecordReader, a frame .* given list"):
            call([[1.0, "a"]])
    with pytest.raises(ValueError, match="'city' must be a number, found 'Bern'; a column of texts can be the label="):
        list(data.RecordReaderDataSetIterator(Frame(), 2, label="age"))


CHANGES = {
    ("lower",): str.lower,
    ("upper",): str.upper,
    ("title",): str.title,
    ("strip",): str.strip,
    ("append", "-x"): lambda text: text + "-x",
    ("prepend", "x-"): lambda text: "x-" + text,
    ("remove", "e"): lambda text: text.replace("e", ""),
    ("replace", "B", "W"): lambda text: text.replace("B", "W"),
    ("substitute", "[aeiou]+", "<\\g<0>>"): lambda text: re.sub("[aeiou]+", "<\\g<0>>", text),
}


@pytest.mark.parametrize("name", ["city", "when", "note"])
@pytest.mark.parametrize("change", CHANGES, ids=" ".join)
def test_texts_are_changed(change, name):
    place = NAMES.index(name)
    changed = start().change_text(name, *change)
    assert column(changed, name) == [CHANGES[change](row[place]) for row in ROWS]
    assert changed.schema[name] == "text"


@pytest.mark.parametrize("separator", ["", "-", ", "])
@pytest.mark.parametrize("columns", [["city"], ["city", "note"], ["when", "city", "when"]])
def test_texts_are_joined(columns, separator):
    joined = start().concatenate(columns, "all", separator)
    assert column(joined, "all") == [separator.join(row[NAMES.index(name)] for name in columns) for row in ROWS]


def test_categories_come_back_from_numbers():
    cities = [row[1] for row in ROWS]
    of_integer = start().to_integer("city").from_integer("city", SCHEMA["city"])
    of_hot = start().one_hot("city").from_one_hot("city")
    for process in (of_integer, of_hot):
        assert process.schema == SCHEMA
        assert column(process, "city") == cities
        assert column(process.to_integer("city"), "city") == [1, 0, 1, 2]
    for values, wrong in ((["a"], 1), ([str(i) for i in range(40)], -1)):
        process = data.TransformProcess({"x": "number"}).from_integer("x", values)
        for number in (wrong, 0.5, math.nan):
            reader = process.reader(data.CollectionRecordReader([[0], [number]], ["x"]))
            with pytest.raises(ValueError, match=rf"the rows, line 2: 'x' is .*0 to {len(values) - 1}"):
                list(reader)


@pytest.mark.parametrize(
    ("step", "error", "message"),
    [
        (lambda p: p.change_text("age", "lower"), ValueError, "column 'age' has numbers"),
        (lambda p: p.change_text("note", "shout"), ValueError, "operation must be one of lower, upper"),
        (lambda p: p.change_text("note", "lower", "x"), TypeError, "lower takes no value; given 'x' and None"),
        (lambda p: p.change_text("note", "append"), TypeError, "append takes a value, a text; given None"),
        (lambda p: p.change_text("note", "replace", "x"), TypeError, "replace takes a value and new, both texts"),
        (lambda p: p.change_text("note", "substitute", "(", "x"), ValueError, "'\\(' is no regular expression"),
        (lambda p: p.concatenate([], "all"), ValueError, "no columns given"),
        (lambda p: p.concatenate(["age"], "all"), ValueError, "column 'age' has numbers"),
        (lambda p: p.from_integer("note", ["a"]), ValueError, "column 'note' has texts"),
        (lambda p: p.from_integer("age", ["a", "a"]), ValueError, "needs different values"),
        (lambda p: p.from_one_hot("city"), ValueError, "no column 'city"),
    ],
)
def test_wrong_steps_on_texts_are_refused(step, error, message):
    with pytest.raises(error, match=message):
        step(start())


@pytest.mark.parametrize("format", ["yyyy-MM-dd HH:mm:ss", "", "YYYY"])
def test_a_format_of_times_without_any_part_is_refused_at_once(format):
    with pytest.raises(ValueError, match=f"parse_time: format '{format}' has no part of a time; .*%Y"):
        data.TransformProcess({"when": "text"}).parse_time("when", format)
