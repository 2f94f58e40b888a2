"""Iterators over batches.

Design: a DataSetIterator is an iterable, not a cursor.  Each `for` gets a pass of its own from the first batch, so an
abandoned loop, two nested loops or a loop in another thread cannot disturb each other.  Rejected: a cursor with
has_next/next/reset, as on the JVM, where they can.  `reset` is for sources that hold threads or files.
What a run needs to go on where it was is no cursor either but a value, `state()`: how many batches the latest pass has
handed out, and what its order was drawn from.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from itertools import islice
from typing import Any

from nd4py import api as nd
from nd4py.api.arguments import having, instance, items, looped, whole
from nd4py.api.unknown_settings import telling_settings

from .dataset import DataSet, checked_batch, checked_examples

# Arguments of iterators, and what other libraries, or `fit`, call them.
SPELLINGS = {"batch": ("batch_size", "minibatch"), "seed": ("shuffle", "random_state"), "n_epochs": ("epochs",)}


class DataSetIterator(ABC):
    """Yields DataSets; every `for` starts again at the first batch.

    batch_size: examples per batch (the last may be smaller); 0 where a wrapped source does not give it
    async_supported: False means that batches must not be read ahead in another thread
    is_shuffled: whether each pass has another order
    pre_processor: called with each batch, returns the batch to use; None leaves batches as they are

    >>> class Ones(data.DataSetIterator):
    ...     batch_size = 2
    ...     def batches(self):
    ...         for _ in range(3):
    ...             yield data.DataSet(nd.ones((2, 4)), nd.ones((2, 1)))
    >>> len(list(Ones()))
    3
    """

    batch_size: int = 0
    async_supported = True
    is_shuffled = False
    pre_processor: Callable[[DataSet], DataSet] | None = None
    _first = 0  # the batch that the next pass begins with
    _n_passes = 0
    _n_done = 0  # batches that the latest pass has handed out
    _order_of_pass: Any = None

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        if "__init__" in vars(cls):
            cls.__init__ = telling_settings(vars(cls)["__init__"], SPELLINGS)  # type: ignore[method-assign]

    @abstractmethod
    def batches(self):
        """A fresh pass over the batches, before the pre_processor.  Raises what reading the examples raises."""

    def _batches_from(self, first):
        """A fresh pass without its `first` batches; replaced where they need not be made for that."""
        return islice(self.batches(), first, None)

    def __iter__(self):
        first, self._first = self._first, 0
        self._n_passes += 1
        number = self._n_passes
        self._n_done, self._order_of_pass = first, self._order()
        for batch in self._batches_from(first) if first else self.batches():
            if number == self._n_passes:
                self._n_done += 1
            yield batch if self.pre_processor is None else self.pre_processor(batch)
        if number == self._n_passes:
            self._n_done, self._order_of_pass = 0, None

    def state(self):
        """The place of the latest `for` in the data, and what its order was drawn from, as values for JSON.

        Within a loop the batch in hand counts as done.
        Raises nothing.

        >>> iterator = data.ArrayDataSetIterator(nd.ones((6, 2)), nd.ones((6, 1)), batch=2, seed=3)
        >>> for batch in iterator:
        ...     break
        >>> again = data.ArrayDataSetIterator(nd.ones((6, 2)), nd.ones((6, 1)), batch=2, seed=3)
        >>> again.set_state(iterator.state())
        >>> len(list(again)), len(list(again))
        (2, 3)
        """
        order = self._order() if self._order_of_pass is None else self._order_of_pass
        return {"batch": self._n_done, "order": order}

    def set_state(self, state) -> None:
        """Let the next `for` go on where an equal iterator was when it gave `state()`: with the rest of its pass.

        state: what `state` returned
        Raises TypeError or ValueError for anything but a state of such an iterator.
        """
        name = f"{type(self).__name__}.set_state"
        if instance(f"{name}: state", state, dict).keys() != {"batch", "order"}:
            raise ValueError(f"{name}: a state has a batch and an order, given {sorted(map(str, state))}")
        first = whole(f"{name}: batch", state["batch"])
        if first < 0:
            raise ValueError(f"{name}: batch counts from 0, given {first}")
        try:
            self._set_order(state["order"])
        except (TypeError, ValueError, KeyError, AttributeError) as error:
            raise ValueError(f"{name}: the order is not that of such an iterator: {error}") from error
        self._n_passes += 1  # a loop under way says no more where it is
        self._first = self._n_done = first
        self._order_of_pass = None

    def next_state(self):
        """Where the next `for` begins, which need not go on with the latest one.  Raises nothing."""
        return {"batch": self._first, "order": self._order()}

    def _order(self):
        """What the order of the next pass is drawn from; None where it is always the same."""
        return

    def _set_order(self, order):
        if order is not None:
            raise ValueError(f"the order never changes, given {order!r}")

    def reset(self) -> None:  # noqa: B027 - most iterators hold nothing
        """Release what an abandoned pass still holds.  May be called at any time, any number of times.

        Raises nothing.
        """


class WrappingDataSetIterator(DataSetIterator):
    """An iterator over what another one, or any iterable, yields: its order is that of the base."""

    def __init__(self, base):
        self._base: Any = looped(f"{type(self).__name__}: base", base)
        self.batch_size = getattr(base, "batch_size", 0)
        self.is_shuffled = getattr(base, "is_shuffled", False)
        self.async_supported = getattr(base, "async_supported", True)

    def _base_from(self, first):
        """A pass over the base without its first batches."""
        return iter(self._base) if self._skips(first) else islice(self._base, first, None)

    def _skips(self, first):
        """Whether the base will begin its next pass with batch `first`; it may not know how."""
        if isinstance(self._base, DataSetIterator):
            start = self._base.next_state()
            self._base.set_state(start | {"batch": start["batch"] + first})
            return True
        return first == 0

    def _order(self):
        return self._base.next_state() if isinstance(self._base, DataSetIterator) else None

    def _set_order(self, order):
        if isinstance(self._base, DataSetIterator):
            self._base.set_state(order)
        else:
            super()._set_order(order)

    def reset(self) -> None:
        """Release what the base holds.  Raises what the base raises."""
        if hasattr(self._base, "reset"):
            self._base.reset()


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


class ViewDataSetIterator(DataSetIterator):
    """Batches of a data set: views of it, or in a new order for each pass.

    dataset: a `DataSet` or a `MultiDataSet`, whose masks follow; its arrays may be mapped files, which are read when
    a batch is used: `nd.load(path, mmap_mode="r")`
    batch: examples in each; the last may be smaller
    seed: None keeps the order and hands out views; an int draws a new order for each pass, the same orders for the
    same seed.
    Raises ValueError if `batch` is less than 1, TypeError for anything but a data set.

    >>> both = data.MultiDataSet([nd.ones((5, 2)), nd.ones((5, 3))], [nd.ones((5, 1))])
    >>> [len(batch) for batch in data.ViewDataSetIterator(both, batch=2, seed=1)]
    [2, 2, 1]
    """

    def __init__(self, dataset, batch, seed=None):
        self._data = checked_examples(f"{type(self).__name__}: dataset", dataset)
        self.batch_size = checked_batch(batch, type(self).__name__)
        self.is_shuffled = seed is not None
        self._generator = None if seed is None else nd.random.Generator(seed)

    def __len__(self):
        """The number of batches in a pass."""
        return -(-self.num_examples() // self.batch_size)

    def num_examples(self):
        """The number of examples in a pass.  Raises nothing."""
        return len(self._data)

    def batches(self):
        return self._batches_from(0)

    def _batches_from(self, first):
        start = first * self.batch_size
        if self._generator is None:
            yield from self._data.get(slice(start, None)).batch_by(self.batch_size)
            return
        order = self._generator.permutation(len(self._data))
        for row in range(start, len(self._data), self.batch_size):
            yield self._data._taken(order[row : row + self.batch_size])

    def _order(self):
        return None if self._generator is None else self._generator.state

    def _set_order(self, order):
        if self._generator is None:
            super()._set_order(order)
        else:
            self._generator.state = order


class ArrayDataSetIterator(ViewDataSetIterator):
    """Batches cut from arrays.

    features: (n, ...)    labels: (n, ...)
    batch, seed: as for `ViewDataSetIterator`
    features_mask, labels_mask: of the examples, as a `DataSet` has them, or None
    Raises ValueError if the numbers of rows differ or `batch` is less than 1.

    >>> iterator = data.ArrayDataSetIterator(nd.ones((5, 2)), nd.zeros((5, 1)), batch=2)
    >>> [len(batch) for batch in iterator]
    [2, 2, 1]
    """

    def __init__(self, features, labels, batch, seed=None, *, features_mask=None, labels_mask=None):
        with nd.scope_out_of_workspaces():  # of the caller, which may end before the last pass
            dataset = DataSet(features, labels, features_mask, labels_mask)
        super().__init__(dataset, batch, seed)
