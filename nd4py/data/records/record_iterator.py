"""Batches of what a record reader reads: RecordReaderDataSetIterator."""

from __future__ import annotations

from abc import abstractmethod

from nd4py import api as nd

from ..dataset import DataSet, checked_batch
from ..iterators import DataSetIterator, ViewDataSetIterator
from .array_records import as_reader
from .columns_to_arrays import checked_columns


class RecordIterator(DataSetIterator):
    """Batches of records: read at each pass again, or all kept, and drawn in a new order for each pass."""

    _kept: ViewDataSetIterator | None = None

    @abstractmethod
    def _read(self):
        """The batches in the order of the records."""

    def batches(self):
        return self._batches_from(0)

    def _batches_from(self, first):
        if self._kept is not None:
            return self._kept._batches_from(first)
        return super()._batches_from(first) if first else self._read()

    def _order(self):
        return None if self._kept is None else self._kept._order()

    def _set_order(self, order):
        if self._kept is None:
            super()._set_order(order)
        else:
            self._kept._set_order(order)


class RecordReaderDataSetIterator(RecordIterator):
    """Batches of the records that a reader reads, while it reads them.

    reader: a `RecordReader`, a frame of pandas or polars, or a table of Arrow
    batch: examples in each; the last may be smaller
    label: the column of the labels, by name or number (-1 is the last); or several, for regression; None: the labels
    are the features
    classes: for classification, the names of the classes in their order, or their number where labels are whole numbers
    from 0; where it is None, a column of texts is read once before for its classes, in the order of their names, and a
    column of numbers is a target of regression.  A number for texts is compared with how many classes these are
    features: columns, by name or number; None for all others.  A single column of arrays (n, ...) keeps its axes.
    seed: None reads in the order of the files, at each pass again; a whole number reads all once, keeps it, and draws a
    new order for each pass
    dtype: of features and labels
    Raises ValueError naming file and line for a value that is no number or no class, or for columns that are not there;
    OSError where a file cannot be opened.

    >>> rows = data.CollectionRecordReader([[5.1, 3.5, "iris"], [6.3, 2.9, "rose"]], ["length", "width", "flower"])
    >>> iterator = data.RecordReaderDataSetIterator(rows, batch=2, label="flower")
    >>> iterator.classes, next(iter(iterator)).labels.tolist()
    (['iris', 'rose'], [[1.0, 0.0], [0.0, 1.0]])
    """

    def __init__(self, reader, batch, label=None, *, classes=None, features=None, seed=None, dtype="float32"):
        name = "RecordReaderDataSetIterator"
        self._reader = as_reader(f"{name}: reader", reader)
        self.batch_size = checked_batch(batch, name)
        self._columns = checked_columns(name, features, label, classes, dtype).with_classes_of(self._reader)
        self.is_shuffled = seed is not None
        if seed is not None:
            self._kept = ViewDataSetIterator(self.dataset(), batch, seed)

    @property
    def classes(self):
        """The names of the classes in order; None for regression, or where they have numbers."""
        return None if isinstance(self._columns.classes, int) else self._columns.classes

    def dataset(self):
        """All examples in one `DataSet`.

        Raises ValueError where there is none, and what reading raises.
        """
        parts = list(self._converted())
        if not parts:
            raise ValueError(f"RecordReaderDataSetIterator: {type(self._reader).__name__} has no records")
        return DataSet(*joined(parts))

    def _read(self):
        return (DataSet(*arrays) for arrays in rebatched(self._converted(), self.batch_size))

    def _converted(self):
        """(features, labels) of each table."""
        with nd.scope_out_of_workspaces():  # rows of one table may be in a batch of the next loop's
            for table in self._reader.tables(self.batch_size):
                if len(table):
                    yield self._columns.arrays(table)


def rebatched(parts, size):
    """Arrays of `size` rows of those of tables, which have any number of rows: views of these.

    parts: tuples of arrays with as many rows    Yields such tuples.
    """
    waiting: list[tuple] = []
    n_waiting = 0
    for arrays in parts:
        n_rows, start = len(arrays[0]), 0
        if n_waiting:
            start = min(size - n_waiting, n_rows)
            waiting.append(_rows_of(arrays, 0, start))
            n_waiting += start
            if n_waiting < size:
                continue
            yield joined(waiting)
            waiting, n_waiting = [], 0
        n_whole = start + (n_rows - start) // size * size
        for row in range(start, n_whole, size):
            yield _rows_of(arrays, row, row + size)
        if n_whole < n_rows:
            waiting, n_waiting = [_rows_of(arrays, n_whole, n_rows)], n_rows - n_whole
    if n_waiting:
        yield joined(waiting)


def _rows_of(arrays, start, stop):
    """Some rows of each array; what is one array twice stays one."""
    views = {id(array): array[start:stop] for array in arrays}
    return tuple(views[id(array)] for array in arrays)


def joined(parts):
    """One array of each place of all parts; what is one array twice stays one."""
    if len(parts) == 1:
        return parts[0]
    places = {id(array): place for place, array in enumerate(parts[0])}
    arrays = {place: nd.concat([part[place] for part in parts], axis=0) for place in places.values()}
    return tuple(arrays[places[id(array)]] for array in parts[0])
