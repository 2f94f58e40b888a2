"""Iterators that draw batches from one data set: samples, folds, and one batch again and again for benchmarks."""

from nd4py import api as nd
from nd4py.api.unknown_settings import TellingArguments

from .dataset import Split, checked_batch, checked_examples
from .iterators import DataSetIterator
from .passes import at_least_one


class SamplingDataSetIterator(DataSetIterator):
    """Batches drawn at random from a data set; an example may come several times.

    dataset: a `DataSet` or a `MultiDataSet`
    batch: examples in each
    n_batches: in a pass
    seed: each pass draws others, the same ones for the same seed
    Raises ValueError for numbers below 1 or no examples, TypeError for anything but a data set.

    >>> dataset = data.DataSet(nd.ones((5, 2)), nd.zeros((5, 1)))
    >>> [len(batch) for batch in data.SamplingDataSetIterator(dataset, batch=4, n_batches=3, seed=1)]
    [4, 4, 4]
    """

    is_shuffled = True

    def __init__(self, dataset, batch, n_batches, seed):
        self._data = checked_examples("SamplingDataSetIterator: dataset", dataset)
        self.batch_size = checked_batch(batch, "SamplingDataSetIterator")
        self._n_batches = at_least_one("SamplingDataSetIterator: n_batches", n_batches)
        self._generator = nd.random.Generator(seed)
        if not len(dataset):
            raise ValueError("SamplingDataSetIterator: the data set has no examples to draw from")

    def __len__(self):
        """The number of batches in a pass."""
        return self._n_batches

    def batches(self):
        return self._batches_from(0)

    def _batches_from(self, first):
        rows = self._generator.integers(0, len(self._data), (self._n_batches, self.batch_size))
        for number in range(first, self._n_batches):
            yield self._data._taken(rows[number])

    def _order(self):
        return self._generator.state

    def _set_order(self, order):
        self._generator.state = order


class KFoldIterator(TellingArguments):
    """Each of `k` parts of a data set once for testing, with the others for training.

    dataset: a `DataSet` or a `MultiDataSet`
    k: at least 2, at most the number of examples; parts differ by one example at most
    seed: None keeps the order; with a seed the examples are shuffled first, in the same order at each pass
    Raises ValueError for another k, TypeError for anything but a data set.

    >>> dataset = data.DataSet(nd.ones((10, 2)), nd.zeros((10, 1)))
    >>> [(len(train), len(test)) for train, test in data.KFoldIterator(dataset, 3)]
    [(6, 4), (7, 3), (7, 3)]
    """

    def __init__(self, dataset, k=10, seed=None):
        self._data = checked_examples("KFoldIterator: dataset", dataset)
        self._k = at_least_one("KFoldIterator: k", k)
        if not 2 <= self._k <= len(dataset):
            raise ValueError(f"KFoldIterator: k lies in [2, {len(dataset)}] for {len(dataset)} examples, given {k}")
        self._seed = seed

    def __len__(self):
        """The number of parts."""
        return self._k

    def __iter__(self):
        n = len(self._data)
        rows = nd.arange(n) if self._seed is None else nd.random.Generator(self._seed).permutation(n)
        stop = 0
        for number in range(self._k):
            start, stop = stop, stop + n // self._k + (number < n % self._k)
            others = nd.concat([rows[:start], rows[stop:]])
            yield Split(self._data._taken(others), self._data._taken(rows[start:stop]))


class BenchmarkDataSetIterator(DataSetIterator):
    """One batch `n_batches` times: measures a network without the reading of data.

    dataset: the batch
    n_batches: in a pass
    Raises ValueError below 1, TypeError for anything but a data set.

    >>> batch = data.DataSet(nd.ones((5, 2)), nd.zeros((5, 1)))
    >>> len(list(data.BenchmarkDataSetIterator(batch, 100)))
    100
    """

    def __init__(self, dataset, n_batches):
        self._data = checked_examples("BenchmarkDataSetIterator: dataset", dataset)
        self._n_batches = at_least_one("BenchmarkDataSetIterator: n_batches", n_batches)
        self.batch_size = len(dataset)

    def __len__(self):
        """The number of batches in a pass."""
        return self._n_batches

    def batches(self):
        return self._batches_from(0)

    def _batches_from(self, first):
        return (self._data for _ in range(first, self._n_batches))
