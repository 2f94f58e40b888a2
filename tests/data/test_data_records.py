"""Record readers: the same columns from every format, and errors that name file and line."""

import builtins
import json

import numpy as np
import pyarrow
import pyarrow.feather
import pyarrow.parquet
import pytest

import nd4py as nd
from nd4py import data
from nd4py.data.records import csv_records
from nd4py.data.records.tables import lookup, mapped

ROWS = [[5.5, 1, "iris"], [6.0, 2, "rose"], [7.25, 3, "iris"], [8.0, 4, "aster"], [9.5, 5, "rose"]]
NAMES = ["length", "count", "flower"]


def csv_text(separator=",", header=True):
    lines = [separator.join(map(str, row)) for row in ROWS]
    return "\n".join([separator.join(NAMES)] * header + lines) + "\n"


@pytest.fixture
def folder(tmp_path):
    """Files of all formats with the same rows."""
    columns = dict(zip(NAMES, zip(*ROWS, strict=True), strict=True))
    table = pyarrow.table({name: list(column) for name, column in columns.items()})
    (tmp_path / "rows.csv").write_text(csv_text())
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(dict(zip(NAMES, r, strict=True))) + "\n" for r in ROWS))
    pyarrow.parquet.write_table(table, tmp_path / "rows.parquet", row_group_size=2)
    pyarrow.feather.write_feather(table, tmp_path / "rows.arrow", compression="uncompressed")
    return tmp_path


READERS = {
    "csv": lambda folder: data.CSVRecordReader(folder / "rows.csv"),
    "jsonl": lambda folder: data.JsonLinesRecordReader(folder / "rows.jsonl"),
    "parquet": lambda folder: data.ParquetRecordReader(folder / "rows.parquet"),
    "arrow": lambda folder: data.ParquetRecordReader(folder / "rows.arrow"),
    "rows": lambda folder: data.CollectionRecordReader(ROWS, NAMES),
}


@pytest.fixture(params=[True, False], ids=["arrow", "python"])
def with_arrow(request, monkeypatch):
    """With pyarrow, and where it is not installed."""
    monkeypatch.setattr(csv_records, "is_installed", lambda package: request.param)
    return request.param


@pytest.mark.parametrize("make", READERS.values(), ids=READERS)
def test_every_format_has_the_same_rows_at_each_pass(make, folder, with_arrow):
    reader = make(folder)
    assert list(reader) == list(reader) == ROWS
    assert [row for table in reader.tables(2) for row in table.records()] == ROWS
    assert [table.records() for table in reader.sequences()] == [ROWS]


@pytest.mark.parametrize("read", [list, lambda reader: reader.sequences().__next__()], ids=["rows", "sequences"])
@pytest.mark.parametrize("line", ["5.1,3.5,0", "1", "2019, 2020", "nan,1e5", '"1",2'])
def test_a_header_of_numbers_alone_is_warned_of(tmp_path, line, read, with_arrow):
    path = tmp_path / "numbers.csv"
    path.write_text(f"{line}\n{line}\n", "utf-8")
    with pytest.warns(UserWarning, match="is taken as the names of the columns; where it is data, give header=False"):
        read(data.CSVRecordReader(path))
    read(data.CSVRecordReader(path, header=False))
    path.write_text(f"{line},b\n{line},2\n", "utf-8")
    read(data.CSVRecordReader(path))


@pytest.mark.parametrize("header", [True, False])
def test_a_quote_that_does_not_end_is_told_with_its_line(tmp_path, header, with_arrow):
    path = tmp_path / "quotes.csv"
    path.write_text('"a,b\n1,2\n', "utf-8")
    with pytest.raises(ValueError, match="quotes.csv, line 2: unexpected end of data"):
        list(data.CSVRecordReader(path, header=header))


@pytest.mark.parametrize("make", READERS.values(), ids=READERS)
@pytest.mark.parametrize("batch", [1, 2, 3, 5, 9])
def test_batches_of_any_size_hold_the_rows_in_order(make, batch, folder):
    iterator = data.RecordReaderDataSetIterator(make(folder), batch, label="flower")
    assert iterator.classes == ["aster", "iris", "rose"]
    found = list(iterator)
    assert [len(each) for each in found] == [batch] * (5 // batch) + [5 % batch] * (5 % batch > 0)
    merged = data.DataSet.merge(found)
    assert np.asarray(merged.features).tolist() == [row[:2] for row in ROWS]
    assert merged.features.dtype == "float32"
    assert np.argmax(np.asarray(merged.labels), 1).tolist() == [1, 2, 1, 0, 2]


def test_rows_in_memory_of_other_kinds():
    rows = [dict(zip(NAMES, row, strict=True)) for row in ROWS]
    assert list(data.CollectionRecordReader(rows)) == ROWS
    assert list(data.CollectionRecordReader(rows, ["flower", "length", "count"]))[0] == ["iris", 5.5, 1]
    with pytest.raises(ValueError, match=r"row 1 has the keys \['length'\], and not \['length', 'count', 'flower'\]"):
        data.CollectionRecordReader([rows[0], {"length": 3.0}])
    columns = {name: np.array([row[name] for row in rows], dtype=object) for name in NAMES}
    assert list(data.CollectionRecordReader(columns)) == ROWS
    assert list(data.CollectionRecordReader({"flower": np.array(["iris", "rose"])})) == [["iris"], ["rose"]]


def test_an_array_in_a_file_needs_a_name(tmp_path):
    nd.save(tmp_path / "x.npy", nd.ones((3, 2)))
    with pytest.raises(ValueError, match=r"NumpyRecordReader: an array needs a name, as in \{'x': '.*x.npy'\}"):
        data.NumpyRecordReader(tmp_path / "x.npy")


def test_none_in_memory_is_missing():
    found = data.CollectionRecordReader([[None, "x"], [2, None], [3, float("nan")]], ["a", "b"])
    assert np.array_equal(np.asarray(next(found.tables()).columns["a"]), [np.nan, 2, 3], equal_nan=True)
    assert next(found.tables()).columns["b"].tolist() == ["x", "", ""]


def test_classes_are_the_texts_of_the_rows_that_there_are(folder):
    reader = data.CSVRecordReader(folder / "rows.csv")
    assert reader.classes("flower") == reader.classes(-1) == ["aster", "iris", "rose"]
    assert reader.classes("length") is None
    with pytest.raises(ValueError, match="no column 'petal' in .*rows.csv"):
        reader.classes("petal")
    schema = dict(zip(NAMES, ["number", "number", "text"], strict=True))
    few = data.TransformProcess(schema).remove_rows("flower", "==", "rose").reader(reader)
    assert data.RecordReaderDataSetIterator(few, 2, label="flower").classes == ["aster", "iris"]


def test_csv_dialects(tmp_path, with_arrow):
    path = tmp_path / "rows.csv"
    path.write_text("# made by hand\n" + csv_text(";"))
    assert list(data.CSVRecordReader(path, skip_lines=1, delimiter=";")) == ROWS
    path.write_text(csv_text("\t", header=False))
    reader = data.CSVRecordReader(path, header=False, delimiter="\t")
    assert list(reader) == ROWS
    assert list(next(reader.tables()).columns) == ["0", "1", "2"]
    named = data.CSVRecordReader(path, header=False, names=NAMES, delimiter="\t")
    assert list(next(named.tables()).columns) == NAMES
    path.write_text(csv_text())
    renamed = data.CSVRecordReader(path, names=["a", "b", "c"])
    assert list(renamed) == ROWS
    assert list(next(renamed.tables()).columns) == ["a", "b", "c"]
    path.write_text('a,b\n"one, two","three\nfour"\n\n\'x\',"say ""so"""\n')
    assert list(data.CSVRecordReader(path)) == [["one, two", "three\nfour"], ["'x'", 'say "so"']]
    path.write_text("a,b\n'1,5',2\n")
    assert list(data.CSVRecordReader(path, quote="'")) == [["1,5", 2]]


def test_missing_numbers_are_nan_and_other_values_stay_texts(tmp_path, with_arrow):
    path = tmp_path / "rows.csv"
    path.write_text("n,x,when,yes,text\n1,,2024-05-01,true,\nNA,2.5,2024-05-02,false,NA\n2,3,2024-05-03,true,x\n")
    columns = next(data.CSVRecordReader(path).tables()).columns
    np.testing.assert_array_equal(np.asarray(columns["n"]), [1, np.nan, 2])
    np.testing.assert_array_equal(np.asarray(columns["x"]), [np.nan, 2.5, 3])
    assert columns["when"].tolist() == ["2024-05-01", "2024-05-02", "2024-05-03"]
    assert columns["yes"].tolist() == ["true", "false", "true"]
    assert columns["text"].tolist() == ["", "NA", "x"]


def test_errors_name_file_and_line(tmp_path, with_arrow):
    path = tmp_path / "rows.csv"
    path.write_text('a,b\n1,"two\nlines"\n\n2,x,3\n')
    with pytest.raises(ValueError, match=r"rows\.csv, line 5: 3 fields, and 2 before"):
        list(data.CSVRecordReader(path))
    path.write_text("a,b\n1,2\n\n3,four\n")
    with pytest.raises(ValueError, match=r"rows\.csv, line 4: feature 'b' must be a number, found 'four'"):
        list(data.RecordReaderDataSetIterator(data.CSVRecordReader(path), 2))
    path.write_text("a,a\n1,2\n")
    with pytest.raises(ValueError, match=r"rows\.csv.*: two columns have one name, in a, a"):
        list(data.CSVRecordReader(path))
    path.write_bytes("a,b\n1,Z\xfcrich\n".encode("latin-1"))
    with pytest.raises(ValueError, match=r"rows\.csv: after line \d+ comes what is no UTF-8.*; save the file as UTF-8"):
        list(data.CSVRecordReader(path))
    path.write_text("a,b\n1,0\n\n3,7\n")
    with pytest.raises(ValueError, match=r"rows\.csv, line 4: 'b' is 7, no class; they are 0 to 2"):
        list(data.RecordReaderDataSetIterator(data.CSVRecordReader(path), 2, label="b", classes=3))
    path.write_text("a,b\n1,yes\n3,maybe\n")
    with pytest.raises(ValueError, match=r"rows\.csv, line 3: 'b' is 'maybe', no class; they are yes, no"):
        list(data.RecordReaderDataSetIterator(data.CSVRecordReader(path), 2, label="b", classes=["yes", "no"]))
    with pytest.raises(ValueError, match=r"no column 'c' in .*rows\.csv, which has a, b"):
        list(data.RecordReaderDataSetIterator(data.CSVRecordReader(path), 2, label="c"))
    path.write_bytes(b"a\n\xff\xfe\n")
    with pytest.raises(ValueError, match=r"rows\.csv"):
        list(data.CSVRecordReader(path))
    with pytest.raises(FileNotFoundError, match="absent"):
        list(data.CSVRecordReader(tmp_path / "absent.csv"))


def test_a_long_csv_file_is_many_tables_and_the_same_examples(tmp_path, with_arrow):
    numbers = np.random.default_rng(0).normal(size=(30_000, 3)).round(3)
    path = tmp_path / "long.csv"
    path.write_text("a,b,c\n" + "\n".join(",".join(map(str, row)) for row in numbers.tolist()) + "\n")
    iterator = data.RecordReaderDataSetIterator(data.CSVRecordReader(path), 700, label=[1, 2], dtype="float64")
    merged = data.DataSet.merge(list(iterator))
    assert np.array_equal(np.asarray(merged.features), numbers[:, :1])
    assert np.array_equal(np.asarray(merged.labels), numbers[:, 1:])


def test_large_files_are_read_in_blocks(tmp_path, monkeypatch):
    path = tmp_path / "rows.csv"
    path.write_text("x,y\n" + "".join(f"{i},{i % 3}\n" for i in range(9000)))
    monkeypatch.setattr(csv_records, "WHOLE_BYTES", 100)
    monkeypatch.setattr(csv_records, "BLOCK_BYTES", 4096)
    reader = data.CSVRecordReader(path)
    assert len(list(reader.tables())) > 5
    assert list(reader) == [[i, i % 3] for i in range(9000)]
    path.write_text(path.read_text() + "1,2,3\n")
    with pytest.raises(ValueError, match=r"rows\.csv: .*after row \d+"):
        list(reader)


def test_regression_several_labels_and_no_label(folder):
    reader = data.CSVRecordReader(folder / "rows.csv")
    one = next(iter(data.RecordReaderDataSetIterator(reader, 5, label="count", features=["length"])))
    assert one.features.tolist() == [[row[0]] for row in ROWS]
    assert one.labels.tolist() == [[row[1]] for row in ROWS]
    several = next(iter(data.RecordReaderDataSetIterator(reader, 5, label=["count", 0], features="count")))
    assert several.labels.tolist() == [[row[1], row[0]] for row in ROWS]
    none = next(iter(data.RecordReaderDataSetIterator(reader, 5, features=[0, 1])))
    assert none.labels.tolist() == none.features.tolist() == [row[:2] for row in ROWS]
    numbered = data.RecordReaderDataSetIterator(reader, 5, label="count", classes=6, features="length")
    assert numbered.classes is None
    assert np.argmax(np.asarray(next(iter(numbered)).labels), 1).tolist() == [1, 2, 3, 4, 5]


def test_kept_records_are_shuffled_by_seed_and_resume(folder):
    def make():
        return data.RecordReaderDataSetIterator(data.CSVRecordReader(folder / "rows.csv"), 2, label=-1, seed=3)

    def rows(iterator):
        return [batch.features.tolist() for batch in iterator]

    one, other = make(), make()
    passes = [rows(one) for _ in range(3)]
    assert passes == [rows(other) for _ in range(3)]
    assert len({str(each) for each in passes}) > 1
    assert sorted(sum(passes[0], [])) == [row[:2] for row in ROWS]
    left = make()
    next(iter(left))
    resumed = make()
    resumed.set_state(json.loads(json.dumps(left.state())))
    assert [rows(resumed), rows(resumed)] == [passes[0][1:], passes[1]]


def test_lines_and_svmlight(tmp_path):
    (tmp_path / "poem.txt").write_text("roses\n\nviolets are\n")
    assert list(data.LineRecordReader(tmp_path / "poem.txt")) == [["roses"], ["violets are"]]
    path = tmp_path / "rows.svm"
    path.write_text("# header\n+1 1:0.5 4:-2 # note\n\n-1 qid:3 2:1e1\n0\n")
    iterator = data.RecordReaderDataSetIterator(data.SVMLightRecordReader(path, 4), 5, label="label")
    batch = next(iter(iterator))
    assert batch.features.tolist() == [[0.5, 0, 0, -2], [0, 10, 0, 0], [0, 0, 0, 0]]
    assert batch.labels.tolist() == [[1], [-1], [0]]
    path.write_text("1 0:3 3:4\n")
    assert list(data.SVMLightRecordReader(path, 4, is_zero_based=True)) == [[[3, 0, 0, 4], 1]]
    for wrong, message in {
        "1 1:2\n1 2:3 2:4\n": "line 2: indices rise from 1 to 4, found 2",
        "1 5:2\n": "line 1: indices rise from 1 to 4, found 5",
        "x 1:2\n": "line 1: a label and index:value",
        "1 1=2\n": "line 1: a label and index:value",
    }.items():
        path.write_text(wrong)
        with pytest.raises(ValueError, match=rf"rows\.svm, {message}"):
            list(data.SVMLightRecordReader(path, 4))


def test_json_lines_say_what_they_do_not_like(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text('{"x": [1, 2], "y": 3}\n{"x": [3, 4]}\n')
    rows = list(data.JsonLinesRecordReader(path))
    assert rows[0] == [[1, 2], 3]
    assert np.isnan(rows[1][1])
    assert list(data.JsonLinesRecordReader(path, ["x"])) == [[[1, 2]], [[3, 4]]]
    for wrong, message in {'{"x": 1}\n{"x"\n': "line 2: no JSON",
                           '{"x": 1}\n[3]\n': "line 2: each line must be an object",
                           '{"x": 1}\n{"x": [1, 2]}\n': "line 2: 'x' must be a number"}.items():  # fmt: skip
        path.write_text(wrong)
        with pytest.raises(ValueError, match=rf"rows\.jsonl, {message}"):
            list(data.JsonLinesRecordReader(path))


def test_numpy_files_are_mapped_and_keep_their_axes(tmp_path):
    images = np.random.default_rng(1).integers(0, 255, (7, 3, 4, 4)).astype("uint8")
    nd.save(tmp_path / "x.npy", nd.asarray(images))
    nd.save(tmp_path / "y.npy", nd.arange(7) % 3)
    reader = data.NumpyRecordReader({"x": tmp_path / "x.npy", "y": tmp_path / "y.npy"})
    found = data.RecordReaderDataSetIterator(reader, 3, label="y", classes=3).dataset()
    assert np.array_equal(np.asarray(found.features), images)
    assert np.argmax(np.asarray(found.labels), 1).tolist() == [0, 1, 2, 0, 1, 2, 0]
    nd.savez(tmp_path / "both.npz", x=nd.asarray(images), y=nd.arange(6))
    with pytest.raises(ValueError, match="as many rows"):
        data.NumpyRecordReader(tmp_path / "both.npz")


def test_parquet_reads_chosen_columns_and_names_what_is_missing(folder):
    path = folder / "rows.parquet"
    assert list(data.ParquetRecordReader([path, path], ["count"])) == [[row[1]] for row in ROWS] * 2
    with pytest.raises(ValueError, match=r"rows\.parquet has no columns \['colour'\]"):
        list(data.ParquetRecordReader(path, ["colour"]))
    path.write_bytes(b"no parquet")
    with pytest.raises(ValueError, match=r"rows\.parquet"):
        list(data.ParquetRecordReader(path))


def test_a_missing_package_is_named(monkeypatch, folder):
    original = builtins.__import__

    def refuse(name, *args, **keywords):
        if name.partition(".")[0] in ("pyarrow", "PIL"):
            raise ImportError(f"No module named {name!r}")
        return original(name, *args, **keywords)

    monkeypatch.setattr("nd4py.data.optional_packages.import_module", lambda name: refuse(name))
    with pytest.raises(ImportError, match=r"pip install 'nd4py\[data\]'"):
        data.ParquetRecordReader(folder / "rows.parquet")
    with pytest.raises(ImportError, match=r"pip install 'nd4py\[data\]'"):
        data.ImageRecordReader([folder / "rows.csv"], 2, 2)


def test_a_reader_of_ones_own_feeds_batches():
    class Squares(data.RecordReader):
        def tables(self, n_rows=None):
            yield data.Table({"x": nd.arange(3), "kind": data.Texts.of(["even", "odd", "even"])}, "squares")

    assert list(Squares()) == [[0, "even"], [1, "odd"], [2, "even"]]
    batch = next(iter(data.RecordReaderDataSetIterator(Squares(), 3, label="kind")))
    assert batch.labels.tolist() == [[1, 0], [0, 1], [1, 0]]


def test_texts_are_coded_and_mapped():
    column = data.Texts.of(["a", "B", "b", "a"])
    assert (column.codes.tolist(), column.names) == ([0, 1, 2, 0], ["a", "B", "b"])
    lower = mapped(column, str.lower)
    assert (lower.tolist(), lower.names) == (["a", "b", "b", "a"], ["a", "b"])
    assert lookup(column, [5, 6, 7], "float32").tolist() == [5, 6, 7, 5]
    assert column[1:3].tolist() == ["B", "b"]


@pytest.mark.parametrize("label", ["kind", -1])
@pytest.mark.parametrize("texts", [["b", "a", "c", "a"], ["cat", "cat", "dog", "bird"]])
def test_the_number_of_classes_may_stand_for_names(tmp_path, texts, label):
    """As Deeplearning4j's users give it; the names are found, and counted."""
    path = tmp_path / "rows.csv"
    path.write_text("x,kind\n" + "".join(f"{i},{text}\n" for i, text in enumerate(texts)))
    readers = [
        data.CSVRecordReader(path),
        data.CollectionRecordReader([[i, text] for i, text in enumerate(texts)], ["x", "kind"]),
    ]
    for reader in readers:
        wanted = data.RecordReaderDataSetIterator(reader, 2, label)
        found = data.RecordReaderDataSetIterator(reader, 2, label, classes=3)
        assert found.classes == wanted.classes == sorted(set(texts))
        pairs = zip(found, wanted, strict=True)
        assert all(nd.array_equal(got.labels, want.labels) for got, want in pairs)
        with pytest.raises(ValueError, match="classes=4 was given, but the labels are 3 names: .*leave classes out"):
            data.RecordReaderDataSetIterator(reader, 2, label, classes=4)


def rows_of(reader):
    return [[list(x) if hasattr(x, "__len__") and not isinstance(x, str) else x for x in row] for row in reader]


@pytest.mark.parametrize("n_batches", [0, 1, 3])
@pytest.mark.parametrize("ending", ["arrow", "arrows"])
@pytest.mark.parametrize("columns", [None, ["name"]])
def test_arrow_files_and_streams_are_read(tmp_path, n_batches, ending, columns):
    schema = pyarrow.schema([("x", pyarrow.int64()), ("name", pyarrow.string())])
    batch = pyarrow.record_batch([[1, 2], ["a", "b"]], schema=schema)
    rows = [[name] for name in "ab"] if columns else [[1, "a"], [2, "b"]]
    for new in (pyarrow.ipc.new_file, pyarrow.ipc.new_stream):
        path = tmp_path / f"{new.__name__}.{ending}"
        with new(path, schema) as file:
            for _ in range(n_batches):
                file.write_batch(batch)
        assert list(data.ParquetRecordReader(path, columns)) == rows * n_batches
    (tmp_path / f"no.{ending}").write_bytes(b"nothing of the kind")
    with pytest.raises(ValueError, match=rf"no\.{ending}"):
        list(data.ParquetRecordReader(tmp_path / f"no.{ending}"))


def test_tables_of_arrow_are_rows_in_memory():
    table = pyarrow.table({"x": [1.0, 2.0, None], "kind": ["b", "a", "b"], "is_so": [True, False, True]})
    for rows in (table, table.to_batches()[0]):
        assert rows_of(data.CollectionRecordReader(rows))[:2] == [[1.0, "b", True], [2.0, "a", False]]
        batch = next(iter(data.RecordReaderDataSetIterator(rows, 2, label="kind")))
        assert (batch.features.tolist(), batch.labels.tolist()) == ([[1.0, 1.0], [2.0, 0.0]], [[0.0, 1.0], [1.0, 0.0]])
        assert data.analyze(rows)["x"].mean == 1.5
        process = data.TransformProcess({"x": "number", "kind": ["a", "b"]}).keep("kind").to_integer("kind")
        assert list(process.reader(rows)) == [[1], [0], [1]]
        assert process.table(rows).records() == [[1], [0], [1]]
    numbers = pyarrow.table({"x": pyarrow.array(np.arange(5.0))})
    column = next(data.CollectionRecordReader(numbers).tables()).columns["x"]
    assert column.address == numbers["x"].chunk(0).buffers()[1].address
    with pytest.raises(
        TypeError, match="reader must be a RecordReader, a frame of pandas or polars or a table of Arrow"
    ):
        data.analyze([[1, 2]])


def test_safetensors_files_are_records(tmp_path):
    x = nd.arange(12.0).reshape(4, 3)
    nd.save(tmp_path / "rows.safetensors", {"x": x, "y": nd.arange(4)})
    reader = data.NumpyRecordReader(tmp_path / "rows.safetensors")
    assert rows_of(reader) == [[x[i].tolist(), i] for i in range(4)]
    batches = list(data.RecordReaderDataSetIterator(reader, 3, label="y", classes=4))
    assert [batch.features.shape for batch in batches] == [(3, 3), (1, 3)]
    nd.save(tmp_path / "uneven.safetensors", {"x": x, "y": nd.arange(3)})
    with pytest.raises(ValueError, match="all columns need as many rows"):
        data.NumpyRecordReader(tmp_path / "uneven.safetensors")


@pytest.mark.parametrize("classes", [3, None])
def test_a_file_with_numbers_as_labels_is_read_once(tmp_path, monkeypatch, classes):
    arrow_csv = pytest.importorskip("pyarrow.csv")
    path = tmp_path / "numbers.csv"
    path.write_text("x,kind\n" + "".join(f"{row},{row % 3}\n" for row in range(1000)))
    calls, read = [], arrow_csv.read_csv
    monkeypatch.setattr(arrow_csv, "read_csv", lambda *given, **named: calls.append(given) or read(*given, **named))
    for batch in data.RecordReaderDataSetIterator(data.CSVRecordReader(path), 100, "kind", classes=classes):
        assert len(batch) == 100
    assert len(calls) == 1
    with pytest.raises(ValueError, match="no column 'sort' in .*numbers.csv"):
        data.RecordReaderDataSetIterator(data.CSVRecordReader(path), 100, "sort", classes=classes)


def test_a_text_far_behind_numbers_is_told(tmp_path):
    path = tmp_path / "late.csv"
    path.write_text("x,kind\n" + "1,0\n" * 100_000 + "1,rose\n")
    with pytest.raises(ValueError, match="line 100002.*'kind' must be a number, found 'rose'"):
        list(data.RecordReaderDataSetIterator(data.CSVRecordReader(path), 100, "kind", classes=3))


def test_columns_of_a_table_may_be_lists():
    given = data.Table({"x": [1.5, 2.0], "name": ["a", "b"], "n": nd.arange(2), "city": data.Texts.of(["Bern", "Uri"])})
    assert given.records() == [[1.5, "a", 0, "Bern"], [2.0, "b", 1, "Uri"]]
    assert isinstance(given.columns["name"], data.Texts)
    process = data.TransformProcess({"x": "number", "name": ["a", "b"]}).one_hot("name")
    assert process.table(given).records() == [[1.5, 1.0, 0.0], [2.0, 0.0, 1.0]]
    with pytest.raises(ValueError, match="Table: columns need one length, given {'x': 1, 'y': 2}"):
        data.Table({"x": [1.0], "y": nd.ones(2)})
    with pytest.raises(TypeError, match="Table: each of columns must be an array, Texts or a list"):
        data.Table({"x": 1.0})
