"""TransformProcess: steps from the columns of files to those that a network learns from.

    process = (
        TransformProcess({"age": "number", "city": ["Basel", "Bern"], "note": "text"})
        .remove("note")
        .remove_rows("age", "missing")
        .one_hot("city")
    )
    reader = process.reader(CSVRecordReader("people.csv"))

Design: a process is a value.  Each method gives a new one with a step more, and the step is checked against the kinds
of the columns at once, so that a wrong name is found where it is written and not in the millionth row.
"""

import json
from dataclasses import asdict, replace

from nd4py import api as nd
from nd4py.api.arguments import instance, items
from nd4py.api.unknown_settings import TellingArguments

from ..records.array_records import as_reader
from ..records.reader import RecordReader
from ..records.tables import Table, Texts, numbers
from . import column_steps, number_steps, text_steps
from .analysis import ColumnAnalysis

STEPS: dict[str, type[column_steps.Step]] = {
    kind.name: kind for kind in (*column_steps.STEPS, *number_steps.STEPS, *text_steps.STEPS)
}


class TransformProcess(TellingArguments):
    """Steps that change tables of named columns; each method returns a process with one step more.

    schema: the kind of each column by its name: "number", "text", or for a category the list of its values
    Raises TypeError or ValueError for another schema, and each method for a step that does not fit its columns.

    >>> process = data.TransformProcess({"age": "number", "city": ["Basel", "Bern"]}).one_hot("city")
    >>> rows = data.CollectionRecordReader([[31, "Bern"], [24, "Basel"]], ["age", "city"])
    >>> list(process.reader(rows))
    [[31, 0.0, 1.0], [24, 1.0, 0.0]]
    """

    def __init__(self, schema):
        self._schema = {name: _kind(name, kind) for name, kind in instance(_of("schema"), schema, dict).items()}
        self._steps: tuple[column_steps.Step, ...] = ()
        self._kinds = dict(self._schema)

    @property
    def schema(self):
        """The kinds of the columns after the last step, by name."""
        return dict(self._kinds)

    def __repr__(self):
        return f"TransformProcess({len(self._steps)} steps, {', '.join(self._kinds)})"

    def keep(self, *columns):
        """The columns `columns` alone, in this order.  Raises ValueError for one that is not there."""
        return self._with(column_steps.Keep(list(columns)))

    def remove(self, *columns):
        """All columns but `columns`.  Raises ValueError for one that is not there."""
        return self._with(column_steps.Remove(list(columns)))

    def reorder(self, *columns):
        """`columns` first, then the others.  Raises ValueError for one that is not there."""
        return self._with(column_steps.Reorder(list(columns)))

    def rename(self, names):
        """Returns a process with other names for columns.

        names: a dict of new names by old ones
        Raises ValueError for one that is not there, or where two would have one name.
        """
        return self._with(column_steps.Rename(dict(instance(_of("names"), names, dict))))

    def categorize(self, column, values):
        """A column of texts as a category.

        column: its name
        values: its texts, in the order of their numbers; others are refused when they are read
        Raises ValueError for a column of numbers, or values that are not different.
        """
        return self._with(column_steps.Categorize(column, _texts("categorize: values", values)))

    def to_integer(self, column):
        """The category `column` as the number of its value, from 0.  Raises ValueError for another column."""
        return self._with(column_steps.ToInteger(column))

    def one_hot(self, column):
        """The category `column` as a column "column[value]" of each value.  Raises ValueError for another column."""
        return self._with(column_steps.OneHot(column))

    def from_integer(self, column, values):
        """A column of numbers from 0 as a category.

        column: its name
        values: the texts that the numbers stand for, in order; other numbers are refused when they are read
        Raises ValueError for a column of texts, or values that are not different.
        """
        return self._with(text_steps.FromInteger(column, _texts("from_integer: values", values)))

    def from_one_hot(self, column):
        """The columns "column[value]" of `one_hot` as one category again: the largest number of a row says its value.

        column: the name before the brackets
        Raises ValueError where there are no such columns, or they have texts.
        """
        return self._with(text_steps.FromOneHot(instance("from_one_hot: column", column, str)))

    def change_text(self, column, operation, value=None, new=None):
        """A column of texts, each after a change.

        column: its name
        operation: "lower", "upper", "title" or "strip"; "append", "prepend" or "remove" with a value; "replace" of the
        value by `new`, or "substitute" of what the value, a regular expression, matches
        value, new: texts
        Raises ValueError for a column of numbers or another operation, TypeError for other values than it takes.
        """
        return self._with(text_steps.ChangeText(column, operation, value, new))

    def concatenate(self, columns, result, separator=""):
        """A new column of texts: those of several columns, one after another.

        columns: their names    result: the new one's    separator: stands between two
        Raises ValueError for a column of numbers or none, TypeError for a name that is no text.
        """
        instance("concatenate: result", result, str)
        instance("concatenate: separator", separator, str)
        return self._with(text_steps.Concatenate(_texts("concatenate: columns", columns), result, separator))

    def keep_rows(self, column, condition, value=None):
        """The rows whose value in `column` fulfils a condition.

        column: a name
        condition: "==", "!=", "<", "<=", ">", ">=", "in", "not in", "missing" or "not missing"; nan and the empty text
        are missing
        value: what is compared with, a list for "in"
        Raises ValueError for another condition, TypeError for a value that the column is not compared with.
        """
        return self._with(column_steps.KeepRows(column, condition, _for_json(value)))

    def remove_rows(self, column, condition, value=None):
        """All rows but those that `keep_rows(column, condition, value)` keeps.  Raises as it does."""
        return self._with(column_steps.RemoveRows(column, condition, _for_json(value)))

    def replace(self, column, condition, value, new):
        """`new` in place of the values of `column` that fulfil a condition.

        column, condition, value: as for `keep_rows`; None is the value for "missing"
        Raises ValueError for another condition or a `new` outside a category, TypeError for wrong values.
        """
        return self._with(column_steps.Replace(column, condition, _for_json(value), new))

    def compute(self, column, operation, value=None, result=None):
        """A column of numbers after an operation, float64.

        column: a name
        operation: the name of an element-wise function of nd4py, of one argument ("log1p", "sqrt") or of two ("add",
        "divide", "pow", "maximum")
        value: the second argument, a number or the name of another column
        result: the name of a new column; None replaces `column`
        Raises ValueError for texts or another operation, TypeError for a value that is no number.
        """
        if result is not None:
            instance(_of("result"), result, str)
        instance("compute: operation", operation, str)
        return self._with(number_steps.Compute(column, operation, value, result))

    def normalize(self, column, analysis, kind="standardize"):
        """A column with the mean 0 and the deviation 1, or between 0 and 1, as an analysis measured it.

        column: a name
        analysis: what `analyze` returned, of the rows that are trained on
        kind: "standardize" or "min_max"
        Raises ValueError for a column that was not analyzed or another kind.
        """
        instance("normalize: column", column, str)
        found = instance(_of("analysis"), analysis, dict).get(column)
        if found is None or instance(_of("analysis"), found, ColumnAnalysis).mean is None:
            raise ValueError(f"normalize: there is no analysis of numbers of {column!r}")
        if kind not in ("standardize", "min_max"):
            raise ValueError(f"normalize: kind must be 'standardize' or 'min_max', given {kind!r}")
        center, scale = (found.mean, found.std) if kind == "standardize" else (found.min, found.max - found.min)
        return self._with(number_steps.Normalize(column, center, scale or 1.0))

    def parse_time(self, column, format):
        """Texts of a time as seconds since 1970, in UTC where they name no zone; nan where they are empty.

        column: a name
        format: as for `datetime.strptime`: "%Y-%m-%d %H:%M:%S"
        Raises ValueError for a column of numbers, and a format without any part of a time.
        """
        return self._with(number_steps.ParseTime(column, format))

    def time_parts(self, column, *parts):
        """Returns a process with new columns "column[hour]" and so on, of times in seconds since 1970, in UTC.

        column: a name
        parts: of year, month, day, weekday (Monday is 0), hour, minute, second
        Raises ValueError for another part or a column of texts.
        """
        return self._with(number_steps.TimeParts(column, list(parts)))

    def _with(self, step):
        made = TransformProcess(self._schema)
        made._steps = (*self._steps, step)
        made._kinds = step.kinds(self._kinds)
        return made

    def reader(self, reader, key=None, order_by=None):
        """A reader of what the steps make of the records of `reader`.

        reader: a `RecordReader` of tables with the columns of the schema, or a frame of pandas or polars, or a table of
        Arrow
        key: as sequences, all rows with one value in this column are one, in the order of their first rows; None for
        the sequences of the reader
        order_by: the column that the rows of a sequence are sorted by; None leaves their order
        Returns a `RecordReader`, which raises ValueError naming file and line of a value that fits no step.
        Raises ValueError for a key or an order that is no column, TypeError for what is no reader.
        """
        reader = as_reader(_of("reader"), reader)
        for name in (key, order_by):
            if name is not None:
                instance(_of("key and order_by"), name, str)
                if name not in self._kinds:
                    raise ValueError(f"TransformProcess: no column {name!r}; there are {', '.join(self._kinds)}")
        return _TransformedReader(reader, self, key, order_by)

    def table(self, table):
        """The table that the steps make of one.

        table: a `Table` with the columns of the schema, a frame of pandas or polars, or a table of Arrow
        Returns a `Table`.
        Raises ValueError naming file and line of a value that fits no step, or where a column is missing; TypeError for
        what is neither.
        """
        if not isinstance(table, Table):
            table = next(iter(as_reader(_of("table"), table).tables()))
        missing = [name for name in self._schema if name not in table.columns]
        if missing:
            raise ValueError(f"TransformProcess: {table.source} has no columns {', '.join(missing)}")
        columns = {name: _as_kind(table, name, kind) for name, kind in self._schema.items()}
        table, kinds = replace(table, columns=columns), dict(self._schema)
        for step in self._steps:
            table, kinds = step.table(table, kinds), step.kinds(kinds)
        return table

    def to_json(self):
        """The schema and the steps as a text, which `from_json` reads.  Raises nothing."""
        found = [{"step": step.name, **asdict(step)} for step in self._steps]
        return json.dumps({"schema": self._schema, "steps": found}, indent=2)

    @classmethod
    def from_json(cls, text):
        """The process that `to_json` described.

        text: a str
        Raises ValueError where it describes none, TypeError for anything but a text.
        """
        instance("TransformProcess.from_json: text", text, str)
        try:
            found = json.loads(text)
            made = cls(found["schema"])
            for settings in found["steps"]:
                kind = STEPS[settings["step"]]
                made = made._with(kind(**{name: value for name, value in settings.items() if name != "step"}))
        except (KeyError, AttributeError, TypeError, RecursionError, json.JSONDecodeError) as error:
            raise ValueError(f"TransformProcess.from_json: the text describes no process: {error!r}") from None
        return made


class _TransformedReader(RecordReader):
    def __init__(self, reader, process, key, order_by):
        self._reader, self._process, self._key, self._order_by = reader, process, key, order_by

    def tables(self, n_rows=None):
        return map(self._process.table, self._reader.tables(n_rows))

    def sequences(self):
        if self._key is None:
            yield from (self._sorted(self._process.table(table)) for table in self._reader.sequences())
            return
        groups: dict[object, list[Table]] = {}
        for table in self.tables():
            rows: dict[object, list[int]] = {}
            for row, value in enumerate(table.columns[self._key].tolist()):
                rows.setdefault(value, []).append(row)
            for value, found in rows.items():
                groups.setdefault(value, []).append(column_steps.rows_of(table, nd.asarray(found)))
        for parts in groups.values():
            yield self._sorted(_joined(parts))

    def _sorted(self, table):
        if self._order_by is None:
            return table
        column = table.columns[self._order_by]
        keys = column.tolist()
        return column_steps.rows_of(table, nd.asarray(sorted(range(len(keys)), key=keys.__getitem__), dtype="int64"))


def _joined(tables):
    """One table of the rows of several with the same columns."""
    if len(tables) == 1:
        return tables[0]
    columns = {}
    for name, first in tables[0].columns.items():
        parts = [table.columns[name] for table in tables]
        if isinstance(first, Texts):
            columns[name] = Texts.of([text for part in parts for text in part.tolist()])
        else:
            columns[name] = nd.concat(parts, axis=0)
    places = [(table, row) for table in tables for row in range(len(table))]
    return Table(columns, tables[0].source, lambda row: _line(*places[row]))


def _line(table, row):
    return row + 1 if table.line_of is None else table.line_of(row)


def _of(what):
    return f"TransformProcess: {what}"


def _kind(name, kind):
    instance(_of("a column's name"), name, str)
    if isinstance(kind, list | tuple):
        return _texts(f"TransformProcess: the values of {name!r}", kind)
    if kind not in ("number", "text"):
        raise ValueError(f"TransformProcess: {name!r} is 'number', 'text' or a list of values, given {kind!r}")
    return kind


def _texts(what, given):
    return [instance(f"{what}: each", value, str) for value in items(what, given)]


def _for_json(value):
    return list(value) if isinstance(value, tuple | set) else value


def _as_kind(table, name, kind):
    """A column of the schema's kind: numbers that were read as texts are numbers where all can be, and the reverse."""
    column = table.columns[name]
    if kind == "number":
        return numbers(table, name, "number")
    if not isinstance(column, Texts):
        column = Texts.of([str(value) for value in column.tolist()])
        table = replace(table, columns=table.columns | {name: column})
    if isinstance(kind, list):
        column_steps.checked_codes(table, name, kind)
    return column
