"""Batches for several inputs and outputs of what record readers read: RecordReaderMultiDataSetIterator."""

from __future__ import annotations

from collections.abc import Mapping

from nd4py import api as nd
from nd4py.api.arguments import items

from ..dataset import checked_batch
from ..iterators import ViewDataSetIterator
from ..multi_dataset import MultiDataSet
from .array_records import as_reader
from .columns_to_arrays import checked_columns
from .record_iterator import RecordIterator, joined, rebatched

NAME = "RecordReaderMultiDataSetIterator"


class RecordReaderMultiDataSetIterator(RecordIterator):
    """Batches of the records of several readers, for networks with several inputs or outputs.

    readers: a dict of readers, frames of pandas or polars, or tables of Arrow by names: row i of each is of example i
    batch: examples in each; the last may be smaller
    inputs: for each input the name of a reader, for all its columns, or (reader, columns), names or numbers of columns
    outputs: for each output (reader, columns) for regression, or (reader, column, classes) for classification; classes
    as for `RecordReaderDataSetIterator`, and None finds them
    seed: None reads in the order of the files, at each pass again; a whole number reads all once, keeps it, and draws a
    new order for each pass
    dtype: of features and labels
    Raises ValueError for readers that are not there or end after other numbers of rows, and what
    `RecordReaderDataSetIterator` raises.

    >>> people = data.CollectionRecordReader([[31, 1.8], [24, 1.6]], ["age", "height"])
    >>> places = data.CollectionRecordReader([["Bern", 3], ["Basel", 5]], ["city", "floor"])
    >>> readers = {"people": people, "places": places}
    >>> inputs, outputs = ["people", ("places", ["floor"])], [("places", "city", None)]
    >>> iterator = data.RecordReaderMultiDataSetIterator(readers, 2, inputs, outputs)
    >>> iterator.classes, next(iter(iterator))
    ([['Basel', 'Bern']], MultiDataSet(features=[(2, 2), (2, 1)], labels=[(2, 2)]))
    """

    def __init__(self, readers, batch, inputs, outputs, *, seed=None, dtype="float32"):
        if not isinstance(readers, Mapping) or not readers:
            raise TypeError(f"{NAME}: readers must be a dict of readers by names, given {type(readers).__name__}")
        self._readers = {name: as_reader(f"{NAME}: reader {name!r}", each) for name, each in readers.items()}
        self.batch_size = checked_batch(batch, NAME)
        self._inputs = [self._input(each, dtype) for each in items(f"{NAME}: inputs", inputs)]
        self._outputs = [self._output(each, dtype) for each in items(f"{NAME}: outputs", outputs)]
        if not self._inputs or not self._outputs:
            raise ValueError(f"{NAME}: give one input and one output at least")
        self.is_shuffled = seed is not None
        if seed is not None:
            parts = list(self._converted(None))
            if not parts:
                raise ValueError(f"{NAME}: the readers have no records")
            self._kept = ViewDataSetIterator(self._batch(joined(parts)), batch, seed)

    @property
    def classes(self):
        """For each output the names of its classes in order; None for regression, or where they have numbers."""
        return [None if isinstance(each.classes, int) else each.classes for _, each in self._outputs]

    def _input(self, given, dtype):
        name, columns = (given, None) if isinstance(given, str) else _parts("an input", given, (2,))
        return self._known(name), checked_columns(NAME, columns, None, None, dtype)

    def _output(self, given, dtype):
        name, columns, *classes = _parts("an output", given, (2, 3))
        if not classes:
            return self._known(name), checked_columns(NAME, columns, None, None, dtype)
        found = checked_columns(NAME, None, columns, classes[0], dtype).with_classes_of(
            self._readers[self._known(name)]
        )
        if found.classes is None:
            raise ValueError(f"{NAME}: the column {columns!r} of {name!r} has numbers; give how many classes there are")
        return name, found

    def _known(self, name):
        if name not in self._readers:
            raise ValueError(f"{NAME}: there is no reader {name!r}; there are {', '.join(map(str, self._readers))}")
        return name

    def _read(self):
        return map(self._batch, self._converted(self.batch_size))

    def _converted(self, size):
        """Arrays of all inputs and outputs, of `size` rows at a time; None: of as many as one reader had at once."""
        size = size or 1 << 16
        with nd.scope_out_of_workspaces():
            passes = {name: rebatched(self._arrays_of(name), size) for name in self._readers}
            while True:
                found = {name: next(each, None) for name, each in passes.items()}
                n_rows = {name: 0 if arrays is None else len(arrays[0]) for name, arrays in found.items()}
                if len(set(n_rows.values())) > 1:
                    raise ValueError(f"{NAME}: the readers have other numbers of rows, of the last {size} {n_rows}")
                if not any(n_rows.values()):
                    return
                yield self._in_order(found)

    def _arrays_of(self, reader):
        """For each table of a reader the arrays of the inputs and outputs that it feeds."""
        for table in self._readers[reader].tables(self.batch_size):
            if len(table):
                arrays = [columns.arrays(table)[0] for name, columns in self._inputs if name == reader]
                for name, columns in self._outputs:
                    if name == reader:
                        arrays.append(columns.labels_of(table) if columns.labels else columns.arrays(table)[0])
                yield tuple(arrays) or (nd.zeros((len(table), 0)),)

    def _in_order(self, found):
        """The arrays of the readers in the order of inputs and outputs."""
        waiting = {name: iter(arrays) for name, arrays in found.items()}
        return tuple(next(waiting[name]) for name, _ in (*self._inputs, *self._outputs))

    def _batch(self, arrays):
        return MultiDataSet(arrays[: len(self._inputs)], arrays[len(self._inputs) :])


def _parts(what, given, lengths):
    found = items(f"{NAME}: {what}", given)
    if len(found) not in lengths or not isinstance(found[0], str):
        raise ValueError(
            f"{NAME}: {what} is (reader, columns) or, of outputs, (reader, column, classes), given {given!r}"
        )
    return found
