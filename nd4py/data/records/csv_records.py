"""CSV files, read by pyarrow where it is installed, and by Python's own module otherwise."""

import csv
import warnings
from contextlib import contextmanager, suppress
from functools import partial
from itertools import islice

from nd4py.api.arguments import instance, items, whole

from ..optional_packages import is_installed, optional
from .arrow_columns import columns_of
from .reader import FileRecordReader
from .tables import MISSING, Table, column_name, column_of

WHOLE_BYTES = 1 << 30  # larger files are read in blocks, by one thread
BLOCK_BYTES = 16 << 20
LONG_BYTES, LONG_BLOCK_BYTES = 64 << 20, 4 << 20  # of longer files fewer tables are made, which takes less time
FIRST_BYTES = 1 << 18  # of which it is seen whether a column has numbers
ROWS_AT_ONCE = 10_000


class CSVRecordReader(FileRecordReader):
    """Rows of CSV files; columns of numbers, and of texts where one value is no number.

    files: a path or several, with the same columns; as sequences, each file is one
    header: whether the first line, after those skipped, has the names of the columns; otherwise `names`, or "0", "1"
    names: of the columns, in order, in place of those of the header
        A header of numbers alone is warned of: such a line is often data, and header=False meant
    skip_lines: how many lines before that are left out
    delimiter, quote: one character each
    An empty field, NA, NULL or NaN is nan in a column of numbers.  Files of up to 1 GiB are read at once by all cores,
    larger ones in blocks; without pyarrow rows are read by Python's `csv`, some twenty times slower.
    Raises ValueError naming file and line for rows of other lengths, OSError where a file cannot be opened.

    >>> with open("people.csv", "w") as file:
    ...     n = file.write("age,city\\n31,Bern\\n24,Basel\\n")
    >>> list(data.CSVRecordReader("people.csv"))
    [[31, 'Bern'], [24, 'Basel']]
    """

    def __init__(self, files, *, header=True, names=None, skip_lines=0, delimiter=",", quote='"'):
        super().__init__(files)
        self._header = bool(header)
        self._names = None if names is None else [instance(_of("a name"), n, str) for n in items(_of("names"), names)]
        self._skip_lines = whole(_of("skip_lines"), skip_lines)
        if self._skip_lines < 0:
            raise ValueError(f"CSVRecordReader: skip_lines counts lines, given {skip_lines}")
        for what, given in (("delimiter", delimiter), ("quote", quote)):
            if len(instance(_of(what), given, str)) != 1 or not given.isascii():
                raise ValueError(f"CSVRecordReader: {what} must be one character, given {given!r}")
        self._delimiter, self._quote = delimiter, quote

    def tables(self, n_rows=None):
        read = self._read_by_arrow if is_installed("pyarrow") else self._read_by_python
        for path in self._files:
            self._warn_of_numbers(path)
            yield from read(path)

    def sequences(self):
        for path in self._files:
            self._warn_of_numbers(path)
            yield self._joined(path, list(self._read_by_python(path)))

    def _warn_of_numbers(self, path):
        """Warn where the line that is taken as names of columns has numbers alone, as rows of data have."""
        if not self._header:
            return
        with suppress(ValueError), self._rows(path) as rows:  # what is wrong in the file is told by who reads it
            found: list[str] = next(rows, [])
            if found and all(map(_is_number, found)):
                warnings.warn(
                    f"{path}: the first line, {','.join(found)[:60]!r}, is taken as the names of the columns; "
                    "where it is data, give header=False",
                    stacklevel=3,
                )

    def _joined(self, path, tables):
        if len(tables) > 1:
            return next(self._read_by_python(path, None))
        if not tables:
            raise ValueError(f"{path}: no rows")
        return tables[0]

    def _read_by_arrow(self, path):
        arrow_csv = optional("pyarrow.csv", "CSVRecordReader")
        errors, types = optional("pyarrow", "CSVRecordReader"), optional("pyarrow.types", "CSVRecordReader")
        start = 0
        try:
            for batch in self._arrow_batches(path, arrow_csv, types):
                if not start and any(types.is_binary(kind) for kind in batch.schema.types):
                    yield from self._read_by_python(path)  # which says where there is no UTF-8
                    return
                line_of = partial(self._line_of, path, start)
                yield Table(columns_of(batch, types, path), str(path), line_of)
                start += len(batch)
        except errors.ArrowInvalid as error:
            if start:
                raise ValueError(f"{path}: {error}, after row {start}") from None
            yield from self._read_by_python(path)  # which says the line, where it does not like it either

    def _line_of(self, path, start, row):
        """The line of row `row` of the table that begins with row `start`: blank ones and long values count too."""
        with self._rows(path) as rows:
            names = self._checked_names(path, rows)
            return next(islice(self._checked_rows(path, rows, names), start + row, None))[0]

    def _begins_with_texts(self, column):
        """The same from the first block of a file, where it has numbers: all of it may be a gigabyte."""
        if is_installed("pyarrow"):
            arrow_csv = optional("pyarrow.csv", "CSVRecordReader")
            errors, types = optional("pyarrow", "CSVRecordReader"), optional("pyarrow.types", "CSVRecordReader")
            path = self._files[0]
            settings = self._arrow_settings(path, arrow_csv, FIRST_BYTES)
            numbers_or_texts = arrow_csv.ConvertOptions(null_values=MISSING)
            with suppress(errors.ArrowInvalid, StopIteration):
                with arrow_csv.open_csv(path, convert_options=numbers_or_texts, **settings) as batches:
                    schema = _renamed(batches.read_next_batch(), self).schema
                name = column_name(Table({name: [] for name in schema.names}, str(path)), column, "label")
                kind = schema.types[schema.names.index(name)]
                if types.is_integer(kind) or types.is_floating(kind):
                    return False
        return super()._begins_with_texts(column)

    def _arrow_settings(self, path, arrow_csv, block_size):
        return {
            "read_options": arrow_csv.ReadOptions(
                skip_rows=self._skip_lines + (self._header and self._names is not None),
                column_names=self._names,
                autogenerate_column_names=not self._header and self._names is None,
                block_size=block_size,
            ),
            "parse_options": arrow_csv.ParseOptions(
                delimiter=self._delimiter, quote_char=self._quote, newlines_in_values=self._has_long_values(path)
            ),
        }

    def _arrow_batches(self, path, arrow_csv, types):
        n_bytes = path.stat().st_size
        block_bytes = BLOCK_BYTES if n_bytes > WHOLE_BYTES else LONG_BLOCK_BYTES if n_bytes > LONG_BYTES else None
        settings = self._arrow_settings(path, arrow_csv, block_bytes)
        numbers_or_texts = arrow_csv.ConvertOptions(null_values=MISSING)
        if n_bytes > WHOLE_BYTES:
            with arrow_csv.open_csv(path, convert_options=numbers_or_texts, **settings) as batches:
                for batch in batches:
                    yield _renamed(batch, self)
            return
        table = arrow_csv.read_csv(path, convert_options=numbers_or_texts, **settings)
        others = [field.name for field in table.schema if types.is_boolean(field.type) or types.is_temporal(field.type)]
        if others:  # true and 2024-05-01 stay the texts that they are
            wanted = {name: optional("pyarrow", "CSVRecordReader").string() for name in others}
            as_texts = arrow_csv.ConvertOptions(null_values=MISSING, column_types=wanted)
            table = arrow_csv.read_csv(path, convert_options=as_texts, **settings)
        for batch in table.to_batches():  # as they were parsed, without copies that join them
            yield _renamed(batch, self)

    def _has_long_values(self, path):
        """Whether a quoted value may reach over several lines: such files are read by one thread."""
        quote = self._quote.encode()
        with open(path, "rb") as file:
            return any(line.count(quote) % 2 for line in islice(file, 1000))

    def _read_by_python(self, path, n_rows=ROWS_AT_ONCE):
        with self._rows(path) as rows:
            names = self._checked_names(path, rows)
            every = self._checked_rows(path, rows, names)
            while chunk := list(islice(every, n_rows)):
                names = names or [str(place) for place in range(len(chunk[0][1]))]
                lines, texts = zip(*chunk, strict=True)
                columns = {name: column_of(each) for name, each in zip(names, zip(*texts, strict=True), strict=True)}
                yield Table(columns, str(path), lines.__getitem__)

    @contextmanager
    def _rows(self, path):
        """Python's reader of the file, behind the lines that are skipped."""
        with open(path, encoding="utf-8-sig", newline="") as file:
            for _ in range(self._skip_lines):
                next(file, None)
            rows = csv.reader(file, delimiter=self._delimiter, quotechar=self._quote, strict=True)
            try:
                yield rows
            except UnicodeDecodeError as error:
                line = rows.line_num + self._skip_lines
                raise ValueError(
                    f"{path}: after line {line} comes what is no UTF-8: {error}; save the file as UTF-8"
                ) from None
            except csv.Error as error:
                raise ValueError(f"{path}, line {rows.line_num + self._skip_lines}: {error}") from None

    def _checked_names(self, path, rows):
        found = next(rows, None) if self._header else None
        names = self._names or found
        if names is not None and len(set(names)) != len(names):
            raise ValueError(
                f"{path}, line {1 + self._skip_lines}: two columns have one name, in {', '.join(names)}; "
                "give names=, or header=False where this line is data"
            )
        return names

    def _checked_rows(self, path, rows, names):
        n = len(names) if names else None
        for row in rows:
            line = rows.line_num + self._skip_lines
            if row and n is None:
                n = len(row)
            if row and len(row) != n:
                raise ValueError(f"{path}, line {line}: {len(row)} fields, and {n} before; give every row as many")
            if row:
                yield line, row


def _is_number(text):
    """Whether a field can be read as a number."""
    try:
        float(text)
    except ValueError:
        return False
    return True


def _of(what):
    return f"CSVRecordReader: {what}"


def _renamed(batch, reader):
    """Columns that have no names are numbered, as those that Python reads."""
    if reader._header or reader._names is not None:
        return batch
    return batch.rename_columns([str(place) for place in range(batch.num_columns)])
