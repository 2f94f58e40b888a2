"""Batches of sequences that a record reader reads: SequenceRecordReaderDataSetIterator."""

from nd4py import api as nd
from nd4py.api.arguments import instance, named

from ..dataset import DataSet, checked_batch
from ..iterators import ViewDataSetIterator
from .array_records import as_reader
from .columns_to_arrays import checked_columns
from .reader import RecordReader
from .record_iterator import RecordIterator
from .tables import column_name

ALIGNMENTS = ("equal", "start", "end")


class SequenceRecordReaderDataSetIterator(RecordIterator):
    """Batches of sequences, each the rows of one file: features (batch, length, columns), and labels of each step.

    reader: a `RecordReader` with a sequence in each file
    batch: sequences in each; the last may be smaller
    label, classes, features, seed, dtype: as for `RecordReaderDataSetIterator`
    labels_reader: reads the labels instead, a file for each of the `reader`, in that order
    alignment: "equal": labels have as many steps as features.  "start" and "end" pad the shorter of the two, at its end
    or its start, and masks say where: with labels of one step and "end", the last step is the one that counts.
    Sequences of several lengths are padded with zeros; then both masks are there, (batch, length) float32.
    Raises ValueError naming the file where lengths or numbers of sequences do not fit, and what reading raises.

    >>> for name, steps in (("a", "1,0\\n2,1\\n"), ("b", "3,1\\n")):
    ...     with open(f"{name}.csv", "w") as file:
    ...         n = file.write(steps)
    >>> reader = data.CSVRecordReader(["a.csv", "b.csv"], header=False)
    >>> batch = next(iter(data.SequenceRecordReaderDataSetIterator(reader, 2, label=-1, classes=2)))
    >>> batch, batch.features_mask.tolist()
    (DataSet(features=(2, 2, 1), labels=(2, 2, 2)), [[1.0, 1.0], [1.0, 0.0]])
    """

    def __init__(
        self, reader, batch, label=None, *, classes=None, features=None, labels_reader=None, alignment="equal",
        seed=None, dtype="float32",
    ):  # fmt: skip
        name = "SequenceRecordReaderDataSetIterator"
        self._reader = as_reader(f"{name}: reader", reader)
        self._labels_reader = labels_reader
        self.batch_size = checked_batch(batch, name)
        self._alignment = named(f"{name}: alignment", alignment, ALIGNMENTS)
        if labels_reader is None:
            self._columns = checked_columns(name, features, label, classes, dtype).with_classes_of(self._reader)
        else:
            instance(f"{name}: labels_reader", labels_reader, RecordReader)
            self._columns = checked_columns(name, features, None, None, dtype)
            of_labels = checked_columns(name, None, 0 if label is None else label, classes, dtype)
            self._label_columns = of_labels.with_classes_of(labels_reader)
        self.is_shuffled = seed is not None
        if seed is not None:
            self._kept = ViewDataSetIterator(DataSet.merge(list(self._sequences())), batch, seed)

    def _read(self):
        waiting = []
        for sequence in self._sequences():
            waiting.append(sequence)
            if len(waiting) == self.batch_size:
                yield DataSet.merge(waiting)
                waiting = []
        if waiting:
            yield DataSet.merge(waiting)

    def _sequences(self):
        """A data set of one sequence each."""
        labels = None if self._labels_reader is None else self._labels_reader.sequences()
        with nd.scope_out_of_workspaces():
            for table in self._reader.sequences():
                x, y = self._columns.arrays(table)
                if labels is not None:
                    y = self._of_labels(labels, table)
                yield self._aligned(x, y, table)
            if labels is not None and next(labels, None) is not None:
                raise ValueError(f"{table.source} is the last sequence of features, and more have labels")

    def _of_labels(self, labels, table):
        found = next(labels, None)
        if found is None:
            raise ValueError(f"{table.source}: no labels are left for this sequence; give a file of labels for each")
        columns = self._label_columns
        return (
            columns._one_hot(found, column_name(found, columns.labels[0], "label"))
            if columns.classes
            else (columns._matrix(found, [column_name(found, each, "label") for each in columns.labels], "label"))
        )

    def _aligned(self, x, y, table):
        """The sequence with its labels; steps that only one of the two has are masked in the other."""
        if len(x) == len(y):
            return DataSet(x[None], y[None])
        if self._alignment == "equal":
            raise ValueError(
                f"{table.source}: {len(x)} steps and {len(y)} labels; give as many, or alignment='start' or 'end'"
            )
        length = max(len(x), len(y))
        (x, of_x), (y, of_y) = (self._padded(part, length) for part in (x, y))
        return DataSet(x, y, of_x, of_y)

    def _padded(self, x, length):
        """x with zeros for the steps that it lacks, and the mask of those it has; a batch of one."""
        missing = length - len(x)
        parts = [(x, nd.ones((len(x),))), (nd.zeros((missing, *x.shape[1:]), dtype=x.dtype), nd.zeros((missing,)))]
        if self._alignment == "end":
            parts.reverse()
        values, masks = zip(*parts, strict=True)
        return nd.concat(values, axis=0)[None], nd.concat(masks).astype("float32")[None]
