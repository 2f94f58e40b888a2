"""Records that are in memory already, or in NumPy's and Arrow's files."""

import os
from collections.abc import Mapping
from math import nan
from pathlib import Path

from nd4py import api as nd
from nd4py.api.arguments import instance, is_missing, items

from ..optional_packages import optional
from .arrow_columns import columns_of
from .reader import FileRecordReader, RecordReader, in_parts
from .tables import Table, Texts

ARROW_FILE = b"ARROW1"  # what files of Arrow begin with


class CollectionRecordReader(RecordReader):
    """Rows that are in memory: a sequence of sequences of numbers and texts, or arrays by name.

    rows: a sequence of rows of one length, or of dicts with the same keys; or a dict of columns, arrays (n, ...) or
        sequences of texts; or a frame of pandas or polars, or a table of Arrow, whose memory is shared where it can be
    names: of the columns of rows, in order; None for "0", "1" and so on, or for the keys of dicts
    None is NaN in a column of numbers, and the empty text in one of texts.
    Raises ValueError for rows of other lengths or keys or no rows, TypeError for anything else.

    >>> list(data.CollectionRecordReader([[31, "Bern"], [24, "Basel"]], ["age", "city"]))
    [[31, 'Bern'], [24, 'Basel']]
    """

    def __init__(self, rows, names=None):
        what = "CollectionRecordReader"
        if is_frame(rows):
            rows = {str(name): rows[name] for name in rows.columns}
        elif is_arrow_table(rows):
            rows = columns_of(rows, optional("pyarrow.types", what), "the table")
        if not isinstance(rows, dict):
            rows, names = _without_keys(items(f"{what}: rows", rows), names)
            rows = [items(f"{what}: each row", row) for row in rows]
            lengths = sorted({len(row) for row in rows})
            if len(lengths) != 1:
                raise ValueError(f"{what}: rows need one length, and there must be one; found lengths {lengths}")
            names = [str(place) for place in range(lengths[0])] if names is None else items(f"{what}: names", names)
            if len(names) != lengths[0]:
                raise ValueError(f"{what}: {len(names)} names for rows of {lengths[0]} values")
            columns = list(zip(names, map(list, zip(*rows, strict=True)), strict=True))
        else:
            columns = list(rows.items())
        self._columns = {instance(f"{what}: a name", name, str): _column(name, each) for name, each in columns}
        n_rows = {name: len(column) for name, column in self._columns.items()}
        if len(set(n_rows.values())) != 1:
            raise ValueError(f"{what}: all columns need as many rows, given {n_rows}")

    def tables(self, n_rows=None):
        whole_table = Table(self._columns, "the rows")
        return in_parts(lambda start, stop: part(whole_table, start, stop), len(whole_table), n_rows)

    def sequences(self):
        yield Table(self._columns, "the rows")


def as_reader(what, given):
    """A reader, or one of the rows of a frame of pandas or polars or a table of Arrow.  Raises TypeError for others."""
    if isinstance(given, RecordReader):
        return given
    if is_frame(given) or is_arrow_table(given):
        return CollectionRecordReader(given)
    raise TypeError(
        f"{what} must be a RecordReader, a frame of pandas or polars or a table of Arrow, given "
        f"{type(given).__name__}; data.CollectionRecordReader(rows) reads rows in memory"
    )


def is_frame(given):
    """Whether it is a frame of pandas or polars."""
    return hasattr(given, "columns") and hasattr(given, "to_numpy")


def is_arrow_table(given):
    """Whether it is a table or a batch of Arrow."""
    return hasattr(given, "schema") and hasattr(given, "columns") and type(given).__module__.startswith("pyarrow")


def part(table, start, stop):
    """The rows from `start` to `stop`: views."""
    line_of = None if table.line_of is None and start == 0 else lambda row: _line(table, start + row)
    return Table({name: column[start:stop] for name, column in table.columns.items()}, table.source, line_of)


def _line(table, row):
    return row + 1 if table.line_of is None else table.line_of(row)


def _without_keys(rows, names):
    """Rows and names, those of dicts taken from their keys.  Raises ValueError for other keys than the first row's."""
    if not rows or not all(isinstance(row, Mapping) for row in rows):
        return rows, names
    keys = list(rows[0]) if names is None else items("CollectionRecordReader: names", names)
    for number, row in enumerate(rows):
        if set(row) != set(keys):
            raise ValueError(f"CollectionRecordReader: row {number} has the keys {list(row)}, and not {list(keys)}")
    return [[row[key] for key in keys] for row in rows], keys


def _column(name, values):
    if isinstance(values, Texts):
        return values
    values = values.to_numpy() if hasattr(values, "to_numpy") else values
    if not hasattr(values, "shape") or getattr(values.dtype, "kind", "") in ("O", "U", "T"):
        given = values.tolist() if hasattr(values, "tolist") else values
        given = items(f"CollectionRecordReader: column {name!r}", given)
        values = [None if is_missing(value) else value for value in given]
        if any(isinstance(value, str) for value in values):
            return Texts.of(["" if value is None or value != value else str(value) for value in values])
        values = [nan if value is None else value for value in values]
    array = nd.asarray(values)
    if array.ndim == 0:
        raise ValueError(f"CollectionRecordReader: column {name!r} needs a row for each record, given {array.shape}")
    return array


class NumpyRecordReader(RecordReader):
    """Arrays in .npy or .safetensors files, mapped and read as batches are taken, or all arrays of an .npz file.

    files: a dict of paths of .npy files by the names of the columns, or the path of a .safetensors or .npz file
    Raises ValueError for damaged files or arrays of other lengths, OSError where a file cannot be opened.

    >>> nd.save("x.npy", nd.ones((4, 2)))
    >>> nd.save("y.npy", nd.arange(4))
    >>> next(data.NumpyRecordReader({"x": "x.npy", "y": "y.npy"}).tables(2)).columns["y"]
    array([0, 1], dtype=int64)
    """

    def __init__(self, files):
        if isinstance(files, str | os.PathLike):
            if Path(files).suffix == ".npy":
                raise ValueError(f"NumpyRecordReader: an array needs a name, as in {{'x': {str(files)!r}}}")
            is_safetensors = Path(files).suffix == ".safetensors"
            columns = nd.load(files, mmap_mode="r") if is_safetensors else nd.load(files, format="npz")
        else:
            given = instance("NumpyRecordReader: files", files, dict)
            columns = {name: nd.load(path, mmap_mode="r", format="npy") for name, path in given.items()}
        self._rows = CollectionRecordReader(columns)

    def tables(self, n_rows=None):
        return self._rows.tables(n_rows)


class ParquetRecordReader(FileRecordReader):
    """Rows of Parquet files, and of Arrow's own (.arrow, .arrows, .feather and .ipc), read by pyarrow.

    files: a path or several, with the same columns; as sequences, each file is one
    columns: names of those that are read; None for all
    Raises ImportError where pyarrow is missing, ValueError naming the file where it is damaged or lacks a column,
    OSError where it cannot be opened.

    >>> import pyarrow, pyarrow.parquet
    >>> pyarrow.parquet.write_table(pyarrow.table({"age": [31, 24], "city": ["Bern", "Basel"]}), "people.parquet")
    >>> list(data.ParquetRecordReader("people.parquet"))
    [[31, 'Bern'], [24, 'Basel']]
    """

    def __init__(self, files, columns=None):
        super().__init__(files)
        what = "ParquetRecordReader: columns"
        self._columns = None if columns is None else [instance(f"{what}: each", c, str) for c in items(what, columns)]
        assert self._arrow  # now, not at the first file

    @property
    def _arrow(self):
        """pyarrow: looked up, so that readers can be copied and sent to other processes."""
        return optional("pyarrow", "ParquetRecordReader")

    def tables(self, n_rows=None):
        for path in self._files:
            yield from self._of_file(path)

    def sequences(self):
        for path in self._files:
            tables = [table for table in self._arrow_tables(path) if len(table)]
            yield self._table(self._arrow.concat_tables(tables), path, 0)

    def _of_file(self, path):
        start = 0
        for table in self._arrow_tables(path):
            if len(table):
                yield self._table(table, path, start)
            start += len(table)

    def _table(self, table, path, start):
        types = optional("pyarrow.types", "ParquetRecordReader")
        return Table(columns_of(table, types, path), str(path), lambda row: start + row + 1)

    def _arrow_tables(self, path):
        """The row groups of Parquet, the batches of Arrow: what is in memory at once."""
        try:
            if Path(path).suffix.lower() in (".arrow", ".arrows", ".feather", ".ipc"):
                yield from self._record_batches(path)
                return
            file = optional("pyarrow.parquet", "ParquetRecordReader").ParquetFile(path)
            self._check_columns(path, file.schema_arrow.names)
            for group in range(file.num_row_groups):
                yield file.read_row_group(group, columns=self._columns)
        except self._arrow.ArrowInvalid as error:
            raise ValueError(f"{path}: {error}") from None

    def _record_batches(self, path):
        with self._arrow.memory_map(str(path)) as source:
            # Streams, which programs write that do not know how much will come, have no such beginning.
            is_file = source.read(len(ARROW_FILE)) == ARROW_FILE
            source.seek(0)
            opened = self._arrow.ipc.open_file(source) if is_file else self._arrow.ipc.open_stream(source)
            self._check_columns(path, opened.schema.names)
            batches = map(opened.get_batch, range(opened.num_record_batches)) if is_file else opened
            for batch in batches:
                table = self._arrow.Table.from_batches([batch])
                yield table if self._columns is None else table.select(self._columns)

    def _check_columns(self, path, names):
        if missing := set(self._columns or ()) - set(names):
            raise ValueError(f"{path} has no columns {sorted(missing)}; it has {', '.join(names[:20])}")
