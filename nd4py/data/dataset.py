"""DataSet: examples with their labels."""

from abc import ABC, abstractmethod
from typing import NamedTuple

from nd4py import api as nd
from nd4py.api.arguments import instance, items, whole


class Examples(ABC):
    """What data sets have in common: arrays whose rows belong together."""

    @abstractmethod
    def __len__(self):
        """The number of rows."""

    @abstractmethod
    def _changed(self, change):
        """A data set of what `change` makes of each array."""

    def num_examples(self):
        """The number of rows.  Raises nothing."""
        return len(self)

    def get(self, which):
        """The examples `which`: an index (negative counts from the end), a slice, or indices (m,).

        Returns a data set of the same kind; a single example keeps its first axis.  Slices and single examples are
        views.
        Raises IndexError if an index lies outside [-n, n).
        """
        if not isinstance(which, slice) and not hasattr(which, "__len__"):
            position = self._position(which)
            which = slice(position, position + 1)
        if isinstance(which, slice):
            return self._changed(lambda array: array[which])
        rows = nd.asarray([self._position(row) for row in which], dtype="int64")
        return self._changed(lambda array: nd.take(array, rows, axis=0))

    def shuffle(self, seed) -> None:
        """Reorder features, labels and masks by one permutation drawn with `seed`.

        The rows are gathered into new arrays: views taken earlier keep their order.
        Raises ValueError for a seed outside [0, 2**64), TypeError for a number that is not whole.
        """
        order = nd.random.Generator(seed).permutation(len(self), device="cpu")
        vars(self).update(vars(self._changed(lambda array: nd.take(array, order, axis=0))))

    def batch_by(self, batch):
        """Views of `batch` examples each, as a list; the last may be smaller.

        Raises ValueError below 1, TypeError for a number that is not whole.
        """
        size = checked_batch(batch, f"{type(self).__name__}.batch_by")
        return [self.get(slice(start, start + size)) for start in range(0, len(self), size)]

    def copy(self):
        """The same examples in memory of their own.  Raises MemoryError."""
        return self._changed(lambda array: array.copy())

    def _position(self, row):
        position = whole(f"{type(self).__name__}.get: an example", row)
        if not -len(self) <= position < len(self):
            raise IndexError(
                f"{type(self).__name__}.get: example {position} of {len(self)}; indices lie in "
                f"[-{len(self)}, {len(self)})"
            )
        return position % len(self)


class DataSet(Examples):
    """Examples and labels that belong together row by row.

    features: (n, ...)    labels: (n, ...)
    features_mask, labels_mask: of sequences, 1 at steps that are there and 0 at padding, (n, length); None for all
    Raises ValueError if any has no first axis or the numbers of rows differ.

    >>> dataset = data.DataSet(nd.ones((6, 4)), nd.ones((6, 2)))
    >>> dataset, len(dataset.get(slice(0, 3)))
    (DataSet(features=(6, 4), labels=(6, 2)), 3)
    """

    def __init__(self, features, labels, features_mask=None, labels_mask=None):
        self.features = nd.asarray(features)
        self.labels = nd.asarray(labels)
        self.features_mask = None if features_mask is None else nd.asarray(features_mask)
        self.labels_mask = None if labels_mask is None else nd.asarray(labels_mask)
        if self.features.ndim == 0 or self.labels.ndim == 0:
            raise ValueError(
                f"DataSet: examples lie along the first axis, but features have shape {self.features.shape} "
                f"and labels {self.labels.shape}; reshape a single example to (1, ...)"
            )
        if self.features.shape[0] != self.labels.shape[0]:
            raise ValueError(
                f"DataSet: {self.features.shape[0]} examples but {self.labels.shape[0]} labels "
                f"(features {self.features.shape}, labels {self.labels.shape}); give one label row per example"
            )
        for name in ("features_mask", "labels_mask"):
            mask = getattr(self, name)
            if mask is not None and mask.shape[:1] != self.features.shape[:1]:
                raise ValueError(
                    f"DataSet: {self.features.shape[0]} examples but a {name} of shape {mask.shape}; give it a row per "
                    "example"
                )

    def __repr__(self):
        return f"DataSet(features={self.features.shape}, labels={self.labels.shape})"

    def __len__(self):
        return self.features.shape[0]

    def _changed(self, change):
        """A data set of what `change` makes of each array."""
        return DataSet(*(None if array is None else change(array) for array in self._arrays()))

    def _arrays(self):
        return self.features, self.labels, self.features_mask, self.labels_mask

    def split_test_and_train(self, size, seed=None):
        """Divide into the first examples for training and the rest for testing.

        size: an int, the number of training examples in [1, n); or a float, their fraction in (0, 1).
        With a seed the examples are shuffled first; otherwise both parts are views.
        Raises ValueError if the size is out of range or there are fewer than two examples.
        Returns (train, test), a named tuple of two `DataSet`.
        """
        n_train = self._training_size(size)
        source = self
        if seed is not None:
            source = DataSet(*self._arrays())
            source.shuffle(seed)
        return Split(source.get(slice(None, n_train)), source.get(slice(n_train, None)))

    def _training_size(self, size):
        if len(self) < 2:
            raise ValueError(f"DataSet.split_test_and_train: {len(self)} example(s) cannot be divided; give at least 2")
        if isinstance(size, float):
            if not 0.0 < size < 1.0:
                raise ValueError(f"DataSet.split_test_and_train: a fraction lies in (0, 1), got {size}")
            return max(1, int(size * len(self)))
        n_train = whole("DataSet.split_test_and_train: size", size)
        if not 1 <= n_train < len(self):
            raise ValueError(
                f"DataSet.split_test_and_train: the number of training examples lies in [1, {len(self)}) "
                f"for {len(self)} examples, got {n_train}"
            )
        return n_train

    @staticmethod
    def merge(datasets):
        """One DataSet with the examples of all `datasets` in order.

        Raises ValueError if there are none or their rows differ in shape.
        Returns a new `DataSet`.
        """
        datasets = items("DataSet.merge: datasets", datasets)
        for each in datasets:
            instance("DataSet.merge: each of datasets", each, DataSet)
        if not datasets:
            raise ValueError("DataSet.merge: no data sets given; pass at least one")
        for position, other in enumerate(datasets):
            _check_same_rows(datasets[0], other, position)
        every = zip(*(dataset._arrays() for dataset in datasets), strict=True)
        return DataSet(*(_joined(arrays) for arrays in every))


class Split(NamedTuple):
    """The two parts of a divided DataSet.

    train, test: data sets.

    >>> train, test = data.DataSet(nd.ones((10, 2)), nd.ones((10, 1))).split_test_and_train(0.8)
    >>> len(train), len(test)
    (8, 2)
    """

    train: DataSet
    test: DataSet


def checked_batch(batch, caller):
    """`batch` as an int.  Raises ValueError unless it is at least 1."""
    size = whole(f"{caller}: batch", batch)
    if size < 1:
        raise ValueError(f"{caller}: a batch holds at least 1 example, got {batch}")
    return size


def _joined(arrays):
    """The rows of all arrays; None for masks that none has."""
    if all(array is None for array in arrays):
        return None
    return nd.concat(list(arrays), axis=0)


def _check_same_rows(first, other, position):
    for part in ("features", "labels", "features_mask", "labels_mask"):
        expected, found = (getattr(each, part) for each in (first, other))
        if (expected is None) != (found is None):
            given, lacking = (0, position) if found is None else (position, 0)
            raise ValueError(
                f"DataSet.merge: data set {given} has a {part} and data set {lacking} has none; give it to all or none"
            )
        if expected is not None and expected.shape[1:] != found.shape[1:]:
            raise ValueError(
                f"DataSet.merge: {part} rows have shape {expected.shape[1:]} in data set 0 but {found.shape[1:]} in "
                f"data set {position}; bring them to one shape first"
            )
