"""Iterators over what another one yields: several passes, fewer batches, kept batches, targets that are the inputs."""

import json
from itertools import islice
from pathlib import Path
from typing import Any

from nd4py import api as nd
from nd4py.api.arguments import having, instance, looped, whole

from .dataset import DataSet, Examples
from .iterators import WrappingDataSetIterator
from .multi_dataset import MultiDataSet


class ExistingDataSetIterator(WrappingDataSetIterator):
    """The DataSets of anything that can be looped over, or of a function that returns such a thing.

    source: an iterable; one that ends for good, as a generator does, can be passed over once.  Or a function without
    arguments that is called for each pass.
    Raises TypeError for anything else; RuntimeError at the second pass over what was consumed.

    >>> def batches():
    ...     yield data.DataSet(nd.ones((2, 3)), nd.ones((2, 1)))
    >>> iterator = data.ExistingDataSetIterator(batches)
    >>> len(list(iterator)), len(list(iterator))
    (1, 1)
    """

    def __init__(self, source):
        super().__init__(_Called(source) if callable(source) else source)
        self._is_consumed = False

    def batches(self):
        return self._batches_from(0)

    def _batches_from(self, first):
        if self._is_consumed:
            raise RuntimeError(
                "ExistingDataSetIterator: the source could be passed over once, and was; give a function that makes it"
            )
        self._is_consumed = iter(self._base) is self._base
        for batch in self._base_from(first):
            yield having("ExistingDataSetIterator: each batch", batch, "a DataSet", "features", "labels", "__len__")


class _Called:
    """An iterable whose passes are what a function returns."""

    def __init__(self, function):
        self._function = function

    def __iter__(self):
        return iter(looped("ExistingDataSetIterator: what the function returns", self._function()))


class MultipleEpochsIterator(WrappingDataSetIterator):
    """`n_epochs` passes over `base` as one pass.

    base: an iterator of batches
    n_epochs: at least 1
    Raises ValueError for fewer, TypeError for a base that cannot be looped over.

    >>> base = data.ArrayDataSetIterator(nd.ones((5, 2)), nd.zeros((5, 1)), batch=2)
    >>> len(list(data.MultipleEpochsIterator(base, 3)))
    9
    """

    def __init__(self, base, n_epochs):
        super().__init__(base)
        self._n_epochs = at_least_one("MultipleEpochsIterator: n_epochs", n_epochs)

    def __len__(self):
        """The number of batches in all passes, where the base knows its own."""
        return self._n_epochs * len(self._base)

    def batches(self):
        for _ in range(self._n_epochs):
            yield from self._base


class EarlyTerminationDataSetIterator(WrappingDataSetIterator):
    """The first `n_batches` batches of each pass over `base`.

    base: an iterator of batches
    n_batches: at least 1
    Raises ValueError for fewer, TypeError for a base that cannot be looped over.

    >>> base = data.ArrayDataSetIterator(nd.ones((5, 2)), nd.zeros((5, 1)), batch=1)
    >>> len(list(data.EarlyTerminationDataSetIterator(base, 3)))
    3
    """

    def __init__(self, base, n_batches):
        super().__init__(base)
        self._n_batches = at_least_one("EarlyTerminationDataSetIterator: n_batches", n_batches)

    def __len__(self):
        """The number of batches in a pass, where the base knows its own."""
        return min(self._n_batches, len(self._base))

    def batches(self):
        return self._batches_from(0)

    def _batches_from(self, first):
        return leading(self._base_from(first), self._n_batches - first)


class ReconstructionDataSetIterator(WrappingDataSetIterator):
    """The batches of `base` with their features as labels, and the masks of these: for autoencoders.

    base: an iterator of batches
    Raises TypeError for a base that cannot be looped over.

    >>> base = data.ArrayDataSetIterator(nd.ones((4, 3)), nd.zeros((4, 1)), batch=4)
    >>> next(iter(data.ReconstructionDataSetIterator(base)))
    DataSet(features=(4, 3), labels=(4, 3))
    """

    def __len__(self):
        """The number of batches in a pass, where the base knows its own."""
        return len(self._base)

    def batches(self):
        return self._batches_from(0)

    def _batches_from(self, first):
        for batch in self._base_from(first):
            if isinstance(batch, MultiDataSet):
                yield MultiDataSet(batch.features, batch.features, batch.features_masks, batch.features_masks)
            else:
                yield DataSet(batch.features, batch.features, batch.features_mask, batch.features_mask)


class WorkspaceShieldDataSetIterator(WrappingDataSetIterator):
    """The batches of `base` in memory of their own, outside of any workspace: they may be kept.

    base: an iterator of batches
    Raises TypeError for a base that cannot be looped over.

    >>> base = data.ArrayDataSetIterator(nd.ones((4, 3)), nd.zeros((4, 1)), batch=2)
    >>> with nd.workspace("step"):
    ...     kept = list(data.WorkspaceShieldDataSetIterator(base))
    >>> [batch.features.is_attached() for batch in kept]
    [False, False]
    """

    def __len__(self):
        """The number of batches in a pass, where the base knows its own."""
        return len(self._base)

    def batches(self):
        return self._batches_from(0)

    def _batches_from(self, first):
        for batch in self._base_from(first):
            yield instance("WorkspaceShieldDataSetIterator: each batch", batch, Examples)._changed(lambda x: x.detach())


class CachingDataSetIterator(WrappingDataSetIterator):
    """The batches of `base`, made in the first whole pass and kept for the following ones, in the order they had.

    base: an iterator of batches
    folder: None keeps them in memory; otherwise .npz files are written there, which later runs with the same folder
    take instead of the base
    Raises TypeError for a base that cannot be looped over; OSError where files cannot be written, ValueError where one
    is damaged.

    >>> base = data.ArrayDataSetIterator(nd.ones((4, 3)), nd.zeros((4, 1)), batch=2)
    >>> cached = data.CachingDataSetIterator(base)
    >>> [len(list(cached)) for _ in range(2)]
    [2, 2]
    """

    def __init__(self, base, folder=None):
        super().__init__(base)
        self.is_shuffled = False
        self._folder: Any = None if folder is None else Path(folder)
        self._kept: Any = None
        self._kept_order: Any = None
        self._kind: Any = DataSet
        if self._folder is not None and self._whole_file().is_file():
            found = json.loads(self._whole_file().read_text())
            self._kept = [self._file(number) for number in range(found["n_batches"])]
            self._kind = MultiDataSet if found.get("kind") == "MultiDataSet" else DataSet
            self._kept_order = found["order"]

    def __len__(self):
        """The number of batches in a pass, where the base knows its own."""
        return len(self._base)

    def batches(self):
        if self._kept is not None:
            yield from (kept if isinstance(kept, Examples) else self._kind.load(kept) for kept in self._kept)
            return
        order = super()._order()
        found: list[Any] = []
        for batch in self._base:
            instance("CachingDataSetIterator: each batch", batch, Examples)
            self._kind = MultiDataSet if isinstance(batch, MultiDataSet) else DataSet
            found.append(self._stored(batch, len(found)))
            yield batch
        if self._folder is not None:
            self._whole_file().write_text(
                json.dumps({"n_batches": len(found), "order": order, "kind": self._kind.__name__})
            )
        self._kept, self._kept_order = found, order

    def _stored(self, batch, number):
        if self._folder is None:
            with nd.scope_out_of_workspaces():
                return batch.copy()
        self._folder.mkdir(parents=True, exist_ok=True)
        path = self._file(number)
        batch.save(path)
        return path

    def _file(self, number):
        return self._folder / f"batch_{number:06}.npz"

    def _whole_file(self):
        """Tells the number of batches once all are there: files of a pass that was left are not taken for a whole."""
        return self._folder / "batches.json"

    def _order(self):
        return super()._order() if self._kept is None else self._kept_order

    def _set_order(self, order):
        if self._kept is None or order != self._kept_order:
            super()._set_order(order)
            self._kept = None


def leading(one_pass, n):
    """The first `n` batches of a pass, which is begun even where these are none: it draws an order of its own."""
    if n < 1:
        next(one_pass, None)
    return islice(one_pass, max(0, n))


def at_least_one(what, n):
    """`n` as a whole number.  Raises ValueError below 1."""
    n = whole(what, n)
    if n < 1:
        raise ValueError(f"{what} must be at least 1, given {n}")
    return n
