"""DataSet: examples with their labels."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from typing import Any, NamedTuple

from nd4py import api as nd
from nd4py.api.arguments import instance, items, of_texts, whole
from nd4py.api.unknown_settings import TellingArguments

from .merging import merged

PARTS = ("features", "labels", "features_mask", "labels_mask")


class Examples(TellingArguments, ABC):
    """What data sets have in common: arrays whose rows belong together."""

    @abstractmethod
    def __len__(self):
        """The number of rows."""

    def __sizeof__(self):
        """Bytes with those of the arrays, as schedulers of tasks ask for them."""
        return object.__sizeof__(self) + sum(array.nbytes for array in self._named_arrays().values())

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
        return self._taken(rows)

    def shuffle(self, seed) -> None:
        """Reorder features, labels and masks by one permutation drawn with `seed`.

        The rows are gathered into new arrays: views taken earlier keep their order.
        Raises ValueError for a seed outside [0, 2**64), TypeError for a number that is not whole.
        """
        order = nd.random.Generator(seed).permutation(len(self), device="cpu")
        vars(self).update(vars(self._taken(order)))

    def batch_by(self, batch):
        """Views of `batch` examples each, as a list; the last may be smaller.

        Raises ValueError below 1, TypeError for a number that is not whole.
        """
        size = checked_batch(batch, f"{type(self).__name__}.batch_by")
        return [self.get(slice(start, start + size)) for start in range(0, len(self), size)]

    def as_list(self):
        """Returns data sets of one example each, views, in order.  Raises nothing."""
        return self.batch_by(1)

    def sample(self, n, seed, with_replacement=False):
        """A data set of `n` examples drawn with `seed`.

        with_replacement: whether an example may be drawn again
        Raises ValueError below 1, or for more than there are without replacement; TypeError for no whole number.
        """
        name = f"{type(self).__name__}.sample"
        n = checked_batch(n, name)
        if n > len(self) and not (with_replacement and len(self)):
            raise ValueError(f"{name}: {n} of {len(self)} examples; draw fewer, or with_replacement=True")
        generator = nd.random.Generator(seed)
        rows = generator.integers(0, len(self), n) if with_replacement else generator.permutation(len(self))[:n]
        return self._taken(rows)

    def split_test_and_train(self, size, seed=None):
        """Divide into the first examples for training and the rest for testing.

        size: an int, the number of training examples in [1, n); or a float, their fraction in (0, 1).
        With a seed the examples are shuffled first; otherwise both parts are views.
        Raises ValueError if the size is out of range or there are fewer than two examples.
        Returns (train, test), a named tuple of two data sets.
        """
        n_train = self._training_size(size)
        source = self
        if seed is not None:
            source = self._changed(lambda array: array)
            source.shuffle(seed)
        return Split(source.get(slice(None, n_train)), source.get(slice(n_train, None)))

    def copy(self):
        """The same examples in memory of their own.  Raises MemoryError."""
        return self._changed(lambda array: array.copy())

    def save(self, path) -> None:
        """Write features, labels and masks to an .npz file, without pickle; `load` reads it.

        path: of the file, to which ".npz" is added where it does not end so; one that was there before stays whole
            until the new one is complete
        Raises TypeError for anything but a path or for a dtype that .npz files lack, OSError where it cannot be
        written.
        """
        nd.savez(_checked_path(f"{type(self).__name__}.save", path), **self._named_arrays())

    @classmethod
    def load(cls, path):
        """The data set saved at `path`.

        path: of a file that `save` wrote, or what `save` was given for it
        Raises ValueError where the file is damaged or holds no such data set, OSError as `open`.
        """
        path = os.fspath(_checked_path(f"{cls.__name__}.load", path))
        written = path if path.endswith(".npz") or os.path.exists(path) else f"{path}.npz"
        arrays = nd.load(written, format="npz")
        try:
            return cls._from_arrays(arrays)
        except KeyError as error:
            raise ValueError(f"{path} holds no {cls.__name__}: {error.args[0]}") from None

    @abstractmethod
    def _named_arrays(self):
        """The arrays that there are, by the names they have in a file."""

    @classmethod
    @abstractmethod
    def _from_arrays(cls, arrays):
        """The data set of such arrays.  Raises KeyError for one that is missing."""

    def _taken(self, rows):
        """The examples `rows`, an array of whole numbers in range, in memory of their own."""
        return self._changed(lambda array: nd.take(array, rows, axis=0))

    def _training_size(self, size):
        name = f"{type(self).__name__}.split_test_and_train"
        if len(self) < 2:
            raise ValueError(f"{name}: {len(self)} example(s) cannot be divided; give at least 2")
        if isinstance(size, float):
            if not 0.0 < size < 1.0:
                raise ValueError(f"{name}: a fraction lies in (0, 1), got {size}")
            return max(1, int(size * len(self)))
        n_train = whole(f"{name}: size", size)
        if not 1 <= n_train < len(self):
            raise ValueError(
                f"{name}: the number of training examples lies in [1, {len(self)}) for {len(self)} examples, "
                f"got {n_train}"
            )
        return n_train

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
        try:
            self.labels = nd.asarray(labels)
        except TypeError as error:
            raise of_texts(error) from None
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

    def label_counts(self):
        """How many examples each class has, {class: number}, of one-hot labels (n, classes).

        Raises ValueError for labels of other than two axes, or fewer than two columns.
        """
        if self.labels.ndim != 2 or self.labels.shape[1] < 2:
            raise ValueError(
                f"DataSet.label_counts: one-hot labels (n, classes) are counted, given {self.labels.shape}"
            )
        classes = nd.argmax(self.labels, axis=1)
        counts = nd.bincount(classes, minlength=self.labels.shape[1])
        return dict(enumerate(counts.tolist()))

    def _named_arrays(self):
        found = dict(zip(PARTS, self._arrays(), strict=True))
        if self.labels is self.features:
            del found["labels"]  # the targets of an autoencoder: stored once
        return {name: array for name, array in found.items() if array is not None}

    @classmethod
    def _from_arrays(cls, arrays):
        if unknown := arrays.keys() - set(PARTS):
            raise ValueError(f"DataSet.load: the file holds {sorted(unknown)}; a DataSet has {', '.join(PARTS)}")
        features = arrays["features"]
        masks = (arrays.get(name) for name in PARTS[2:])
        return cls(features, arrays.get("labels", features), *masks)

    @staticmethod
    def merge(datasets):
        """One DataSet with the examples of all `datasets` in order.

        Sequences (n, length, size) of several lengths are padded with zeros, and masks say where; where some have a
        mask, the others get one of ones.
        Raises ValueError if there are none or their rows differ in shape.
        Returns a new `DataSet`.
        """
        datasets = items("DataSet.merge: datasets", datasets)
        for each in datasets:
            instance("DataSet.merge: each of datasets", each, DataSet)
        if not datasets:
            raise ValueError("DataSet.merge: no data sets given; pass at least one")
        features, labels, features_masks, labels_masks = zip(*(each._arrays() for each in datasets), strict=True)
        features, features_mask = merged(features, features_masks, "DataSet.merge: features")
        labels, labels_mask = merged(labels, labels_masks, "DataSet.merge: labels")
        return DataSet(features, labels, features_mask, labels_mask)


class Split(NamedTuple):
    """The two parts of a divided DataSet.

    train, test: data sets.

    >>> train, test = data.DataSet(nd.ones((10, 2)), nd.ones((10, 1))).split_test_and_train(0.8)
    >>> len(train), len(test)
    (8, 2)
    """

    train: Any
    test: Any


def checked_examples(what, value):
    """`value`, which must be a `DataSet` or a `MultiDataSet`.  Raises TypeError."""
    if not isinstance(value, Examples):
        raise TypeError(f"{what} must be a DataSet or a MultiDataSet, given {type(value).__name__}")
    return value


def checked_batch(batch, caller):
    """`batch` as an int.  Raises ValueError unless it is at least 1."""
    size = whole(f"{caller}: batch", batch)
    if size < 1:
        raise ValueError(f"{caller}: a batch holds at least 1 example, got {batch}")
    return size


def _checked_path(what, path):
    if not isinstance(path, str | os.PathLike):
        raise TypeError(f"{what}: path must be the path of a file, given {type(path).__name__}")
    return path
