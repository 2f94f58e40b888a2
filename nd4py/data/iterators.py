"""Iterators over batches.

Design: a DataSetIterator is an iterable, not a cursor.  Each `for` gets a pass of its own from the first batch, so an
abandoned loop, two nested loops or a loop in another thread cannot disturb each other.  Rejected: a cursor with
has_next/next/reset, as on the JVM, where they can.  `reset` is for sources that hold threads or files.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable

from nd4py import api as nd
from nd4py.api.arguments import having, items

from .dataset import DataSet, checked_batch


class DataSetIterator(ABC):
    """Yields DataSets; every `for` starts again at the first batch.

    batch_size: examples per batch (the last may be smaller); 0 where a wrapped source does not give it
    async_supported: False means that batches must not be read ahead in another thread
    pre_processor: called with each batch, returns the batch to use; None leaves batches as they are

    >>> class Ones(data.DataSetIterator):
    ...     batch_size = 2
    ...     def batches(self):
    ...         for _ in range(3):
    ...             yield data.DataSet(nd.ones((2, 4)), nd.ones((2, 1)))
    >>> len(list(Ones()))
    3
    """

    batch_size: int
    async_supported = True
    pre_processor: Callable[[DataSet], DataSet] | None = None

    @abstractmethod
    def batches(self):
        """A fresh pass over the batches, before the pre_processor.  Raises what reading the examples raises."""

    def __iter__(self):
        for batch in self.batches():
            yield batch if self.pre_processor is None else self.pre_processor(batch)

    def reset(self) -> None:  # noqa: B027 - most iterators hold nothing
        """Release what an abandoned pass still holds.  May be called at any time, any number of times.

        Raises nothing.
        """


class ListDataSetIterator(DataSetIterator):
    """The DataSets of a list in its order, one per batch: `ListDataSetIterator(dataset.batch_by(32))`.

    datasets: a sequence of `DataSet`.
    Raises ValueError for an empty list, TypeError for anything but a sequence.

    >>> dataset = data.DataSet(nd.ones((5, 2)), nd.ones((5, 1)))
    >>> [len(batch) for batch in data.ListDataSetIterator(dataset.batch_by(2))]
    [2, 2, 1]
    """

    def __init__(self, datasets):
        self._datasets = list(items("ListDataSetIterator: datasets", datasets))
        if not self._datasets:
            raise ValueError("ListDataSetIterator: the list is empty; give at least one DataSet")
        for each in self._datasets:
            having("ListDataSetIterator: each of datasets", each, "a DataSet", "features", "labels", "__len__")
        self.batch_size = len(self._datasets[0])

    def __len__(self):
        return len(self._datasets)

    def batches(self):
        return iter(self._datasets)


class ArrayDataSetIterator(DataSetIterator):
    """Batches cut from two arrays.

    features: (n, ...)    labels: (n, ...)
    seed: None keeps the order and hands out views; an int draws a new order for each pass, the same orders for the
    same seed.
    Raises ValueError if the numbers of rows differ or `batch` is less than 1.

    >>> iterator = data.ArrayDataSetIterator(nd.ones((5, 2)), nd.zeros((5, 1)), batch=2)
    >>> [len(batch) for batch in iterator]
    [2, 2, 1]
    """

    def __init__(self, features, labels, batch, seed=None):
        with nd.scope_out_of_workspaces():  # of the caller, which may end before the last pass
            self._data = DataSet(features, labels)
        self.batch_size = checked_batch(batch, type(self).__name__)
        self._generator = None if seed is None else nd.random.Generator(seed)

    def __len__(self):
        """The number of batches in a pass."""
        return -(-self.num_examples() // self.batch_size)

    def num_examples(self):
        """The number of examples in a pass.  Raises nothing."""
        return len(self._data)

    def batches(self):
        if self._generator is None:
            yield from self._data.batch_by(self.batch_size)
            return
        order = self._generator.permutation(len(self._data))
        for start in range(0, len(self._data), self.batch_size):
            rows = order[start : start + self.batch_size]
            yield DataSet(nd.take(self._data.features, rows, axis=0), nd.take(self._data.labels, rows, axis=0))
