"""Text files of which each line is a record: as it is, as JSON, or in the SVMLight format."""

import json
from abc import abstractmethod
from itertools import islice

from nd4py import api as nd
from nd4py.api.arguments import instance, items, whole

from .reader import FileRecordReader
from .tables import Table, Texts

LINES_AT_ONCE = 10_000


class _LinesRecordReader(FileRecordReader):
    """Makes a table of a number of lines at a time."""

    def tables(self, n_rows=None):
        size = LINES_AT_ONCE if n_rows is None else max(1, whole("tables: n_rows", n_rows))
        for path in self._files:
            with open(path, encoding="utf-8") as file:
                lines = self._lines(path, file)
                while chunk := list(islice(lines, size)):
                    yield self._table(path, chunk)

    def sequences(self):
        for path in self._files:
            with open(path, encoding="utf-8") as file:
                yield self._table(path, list(self._lines(path, file)))

    @staticmethod
    def _lines(path, file):
        """(line number, text) of the lines that are not blank."""
        try:
            number = 0
            for number, line in enumerate(file, 1):
                if text := line.rstrip("\r\n"):
                    yield number, text
        except UnicodeDecodeError as error:
            raise ValueError(f"{path}: after line {number} is no UTF-8: {error}") from None

    @abstractmethod
    def _table(self, path, lines):
        """The table of (line number, text) of some lines."""


class LineRecordReader(_LinesRecordReader):
    """The lines of text files, without blank ones: a column "line".

    files: a path or several
    Raises ValueError for bytes that are no UTF-8, OSError where a file cannot be opened.

    >>> with open("poem.txt", "w") as file:
    ...     n = file.write("roses\\n\\nviolets\\n")
    >>> list(data.LineRecordReader("poem.txt"))
    [['roses'], ['violets']]
    """

    def _table(self, path, lines):
        numbers, texts = zip(*lines, strict=True) if lines else ((), ())
        return Table({"line": Texts.of(texts)}, str(path), numbers.__getitem__)


class JsonLinesRecordReader(_LinesRecordReader):
    """JSON objects, one a line, with numbers, texts and lists of as many numbers.

    files: a path or several
    fields: names of what is read, in order; None for those of the first object.  A field that an object lacks is nan
    in a column of numbers, and an empty text.
    Raises ValueError naming file and line for what is no such object, OSError where a file cannot be opened.

    >>> with open("people.jsonl", "w") as file:
    ...     n = file.write('{"age": 31, "city": "Bern"}\\n{"age": 24, "city": "Basel"}\\n')
    >>> list(data.JsonLinesRecordReader("people.jsonl"))
    [[31, 'Bern'], [24, 'Basel']]
    """

    def __init__(self, files, fields=None):
        super().__init__(files)
        what = "JsonLinesRecordReader: fields"
        self._fields = None if fields is None else [instance(f"{what}: each", n, str) for n in items(what, fields)]

    def _table(self, path, lines):
        objects = [_object(path, number, text) for number, text in lines]
        fields = self._fields or list(objects[0] if objects else ())
        columns = {name: _values(path, lines, name, [found.get(name) for found in objects]) for name in fields}
        return Table(columns, str(path), [number for number, _ in lines].__getitem__)


def _object(path, number, text):
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path}, line {number}: no JSON: {error}") from None
    if not isinstance(found, dict):
        raise ValueError(f"{path}, line {number}: each line must be an object, found {type(found).__name__}")
    return found


def _values(path, lines, name, values):
    """The column of these values."""
    if any(isinstance(value, str) for value in values):
        return Texts.of(["" if value is None else str(value) for value in values])
    filled = [float("nan") if value is None else value for value in values]
    try:
        return nd.asarray(filled)
    except (TypeError, ValueError, OverflowError):
        row = next((i for i, value in enumerate(filled) if not isinstance(value, int | float)), 0)
        raise ValueError(
            f"{path}, line {lines[row][0]}: {name!r} must be a number, a text, or a list of as many numbers as in the "
            "other lines"
        ) from None


class SVMLightRecordReader(_LinesRecordReader):
    """Files of SVMLight and LIBSVM: `label index:value index:value # comment`, with indices that rise.

    files: a path or several
    n_features: of each row; larger indices are refused
    is_zero_based: whether the first feature has the index 0 and not 1
    Columns: "features" (n, n_features) float32, zero where nothing is given, and "label" float64.
    Raises ValueError naming file and line for another format, OSError where a file cannot be opened.

    >>> with open("rows.svm", "w") as file:
    ...     n = file.write("1 1:0.5 3:2\\n-1 2:4 # a comment\\n")
    >>> table = next(data.SVMLightRecordReader("rows.svm", 3).tables())
    >>> table.columns["features"].tolist(), table.columns["label"].tolist()
    ([[0.5, 0.0, 2.0], [0.0, 4.0, 0.0]], [1.0, -1.0])
    """

    def __init__(self, files, n_features, *, is_zero_based=False):
        super().__init__(files)
        self._n_features = whole("SVMLightRecordReader: n_features", n_features)
        if self._n_features < 1:
            raise ValueError(f"SVMLightRecordReader: n_features must be at least 1, given {n_features}")
        self._first = 0 if is_zero_based else 1

    def _table(self, path, lines):
        parsed = [(number, *self._parsed(path, number, text)) for number, text in lines if text.split("#")[0].strip()]
        rows = [row for row, (_, _, entries) in enumerate(parsed) for _ in entries]
        entries = [entry for _, _, found in parsed for entry in found]
        flat = nd.zeros((len(parsed) * self._n_features,), dtype="float32")
        if entries:
            places = [row * self._n_features + index for row, (index, _) in zip(rows, entries, strict=True)]
            flat[nd.asarray(places)] = nd.asarray([value for _, value in entries], dtype="float32")
        labels = nd.asarray([label for _, label, _ in parsed], dtype="float64")
        columns = {"features": flat.reshape((len(parsed), self._n_features)), "label": labels}
        return Table(columns, str(path), [number for number, _, _ in parsed].__getitem__)

    def _parsed(self, path, number, text):
        """The label of a line, and its (index, value) from index 0."""
        label, *fields = text.split("#")[0].split()
        try:
            pairs = [field.split(":") for field in fields if not field.startswith("qid:")]
            entries = [(int(index) - self._first, float(value)) for index, value in pairs]
            found = float(label)
        except ValueError:
            raise ValueError(f"{path}, line {number}: a label and index:value are expected, found {text!r}") from None
        for place, (index, _) in enumerate(entries):
            if not (entries[place - 1][0] if place else -1) < index < self._n_features:
                raise ValueError(
                    f"{path}, line {number}: indices rise from {self._first} to {self._n_features - 1 + self._first}, "
                    f"found {index + self._first}"
                )
        return found, entries
