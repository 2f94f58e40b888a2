"""Augmentation of images: each batch is changed by chance, by the seed and its place alone.

Design: the numbers of a batch are drawn with a generator of its own, made from the seed, the number of the pass and
that of the batch.  So threads may prepare batches in any order, and a run that goes on from a state draws the same.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import BrokenExecutor, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from math import pi

from nd4py import api as nd
from nd4py.api.arguments import instance, real, whole
from nd4py.api.unknown_settings import TellingArguments

from ..dataset import DataSet
from ..iterators import WrappingDataSetIterator
from ..worker_processes import WorkerProcesses

AHEAD = 2  # batches that each thread has waiting
SEED_BITS = 64


@dataclass(frozen=True)
class Augmentation(TellingArguments):
    """What is done to images (n, channels, height, width), in this order; what is 0 or False is left out.

    crop: pixels of zeros that are put around an image, before a piece of the old size is cut out of it anywhere
    flip: whether half of the images are mirrored, left and right
    flip_vertical: the same for top and bottom
    rotate: the largest angle in degrees, to both sides; pixels from outside are 0
    brightness: the largest change, as a share of the largest value of the batch
    contrast: the largest change of the factor 1 that distances from the image's mean are multiplied by
    cutout: the side of a square, in pixels, that is set to 0 anywhere in an image
    mixup: the parameter of the Beta distribution that weights of two images and of their labels are drawn from
    Raises ValueError for a number below 0, TypeError for what is no number.
    Cutout: DeVries and Taylor 2017, https://arxiv.org/abs/1708.04552.
    Mixup: Zhang et al. 2018, https://arxiv.org/abs/1710.09412.

    >>> batch = data.DataSet(nd.ones((4, 3, 8, 8)), nd.one_hot([0, 1, 0, 1], 2))
    >>> data.Augmentation(crop=2, flip=True, cutout=3).applied(batch, seed=1)
    DataSet(features=(4, 3, 8, 8), labels=(4, 2))
    """

    crop: int = 0
    flip: bool = False
    flip_vertical: bool = False
    rotate: float = 0.0
    brightness: float = 0.0
    contrast: float = 0.0
    cutout: int = 0
    mixup: float = 0.0

    def __post_init__(self):
        for name in ("flip", "flip_vertical"):
            instance(f"Augmentation: {name}", getattr(self, name), bool)
        for name in ("crop", "cutout"):
            _not_negative(name, whole(f"Augmentation: {name}", getattr(self, name)))
        for name in ("rotate", "brightness", "contrast", "mixup"):
            _not_negative(name, real(f"Augmentation: {name}", getattr(self, name)))

    def applied(self, dataset, seed):
        """The images of a batch changed by chance, float32 unless they were floating; masks stay.

        dataset: a `DataSet` with features (n, channels, height, width)
        seed: a whole number; the same one draws the same changes
        Raises ValueError for features of other axes, TypeError for anything but a `DataSet`.
        """
        images = instance("Augmentation.applied: dataset", dataset, DataSet).features
        if images.ndim != 4:
            raise ValueError(f"Augmentation: images are (n, channels, height, width), given {images.shape}")
        x = images if nd.isdtype(images.dtype, "real floating") else nd.astype(images, "float32")
        labels, generator = dataset.labels, nd.random.Generator(seed)
        x = self._moved(x, generator)
        if self.brightness or self.contrast:
            x = _relit(x, self.brightness, self.contrast, generator)
        if self.cutout:
            x = _with_holes(x, self.cutout, generator)
        if self.mixup:
            x, labels = _mixed(x, labels, self.mixup, generator)
        return DataSet(x, labels, dataset.features_mask, dataset.labels_mask)

    def _moved(self, x, generator):
        """Crops, flips and rotations: each pixel of the result is one of the image's, or 0 from outside."""
        if not (self.crop or self.flip or self.flip_vertical or self.rotate):
            return x
        n, channels, height, width = x.shape
        rows = nd.reshape(nd.arange(height, dtype="float64"), (1, height, 1))
        columns = nd.reshape(nd.arange(width, dtype="float64"), (1, 1, width))
        rows, columns = rows + nd.zeros((n, height, width)), columns + nd.zeros((n, height, width))
        if self.rotate:
            angles = _for_each(generator.uniform(-self.rotate, self.rotate, n) * (pi / 180))
            from_top, from_left = rows - (height - 1) / 2, columns - (width - 1) / 2
            rows = nd.round(from_top * nd.cos(angles) - from_left * nd.sin(angles) + (height - 1) / 2)
            columns = nd.round(from_top * nd.sin(angles) + from_left * nd.cos(angles) + (width - 1) / 2)
        if self.crop:
            rows = rows + _for_each(generator.integers(-self.crop, self.crop, n, endpoint=True))
            columns = columns + _for_each(generator.integers(-self.crop, self.crop, n, endpoint=True))
        if self.flip:
            columns = nd.where(_for_each(generator.integers(0, 2, n)) == 1, width - 1 - columns, columns)
        if self.flip_vertical:
            rows = nd.where(_for_each(generator.integers(0, 2, n)) == 1, height - 1 - rows, rows)
        is_inside = (rows >= 0) & (rows < height) & (columns >= 0) & (columns < width)
        places = nd.astype(nd.where(is_inside, rows * width + columns, 0), "int64")
        places = nd.broadcast_to(places.reshape((n, 1, height * width)), (n, channels, height * width))
        found = nd.take_along_axis(x.reshape((n, channels, height * width)), places, axis=2)
        return nd.where(is_inside[:, None], found.reshape(x.shape), nd.zeros((), dtype=x.dtype))


def _relit(x, brightness, contrast, generator):
    n = x.shape[0]
    change = generator.uniform(-brightness, brightness, n).reshape((n, 1, 1, 1)) * nd.max(nd.abs(x))
    factor = 1 + generator.uniform(-contrast, contrast, n).reshape((n, 1, 1, 1))
    mean = nd.mean(x, axis=(1, 2, 3), keepdims=True)
    return nd.astype((x - mean) * factor + mean + change, x.dtype)


def _with_holes(x, side, generator):
    n, _, height, width = x.shape
    top = _for_each(generator.integers(0, height, n)) - side // 2
    left = _for_each(generator.integers(0, width, n)) - side // 2
    rows, columns = nd.arange(height).reshape((1, height, 1)), nd.arange(width).reshape((1, 1, width))
    is_hole = (rows >= top) & (rows < top + side) & (columns >= left) & (columns < left + side)
    return nd.where(is_hole[:, None], nd.zeros((), dtype=x.dtype), x)


def _mixed(x, labels, parameter, generator):
    n = x.shape[0]
    share, order = generator.beta(parameter, parameter, n), generator.permutation(n)

    def mixed(array):
        array = array if nd.isdtype(array.dtype, "real floating") else nd.astype(array, "float32")
        weights = nd.astype(share, array.dtype).reshape((n, *[1] * (array.ndim - 1)))
        return weights * array + (1 - weights) * nd.take(array, order, axis=0)

    return mixed(x), mixed(labels)


def _for_each(numbers):
    """A number of each image, beside its rows and columns."""
    return numbers.reshape((-1, 1, 1))


def _not_negative(name, value):
    if not 0 <= value < float("inf"):
        raise ValueError(f"Augmentation: {name} must be finite and not below 0, given {value}")


def _in_order(submit, tasks, n_ahead):
    """The results of tasks in their order, of which so many are under way."""
    waiting = [submit(*task) for task in islice(tasks, n_ahead)]
    try:
        while waiting:
            batch = waiting.pop(0).result()
            waiting += [submit(*task) for task in islice(tasks, 1)]
            yield batch
    finally:
        for each in waiting:
            each.cancel()


class AugmentingDataSetIterator(WrappingDataSetIterator):
    """The batches of `base`, each changed by `change`, prepared by threads or processes; any number makes the same.

    base: an iterator of batches
    change: an `Augmentation`, or a function of a batch and a seed that returns a batch
    seed: each batch of each pass gets a seed of its own from it
    n_threads: 0 prepares in the loop that reads
    n_processes: in place of threads, for a change that is Python code for the most part; it must be a function of a
        module, and programs need `if __name__ == "__main__":`.  Batches travel in memory that both sides map, on Linux
    Raises TypeError for anything else, ValueError for fewer than 0 threads or processes, or for both; and in the loop
    what `change` raises.

    >>> base = data.ArrayDataSetIterator(nd.ones((6, 1, 4, 4)), nd.zeros((6, 1)), batch=2)
    >>> len(list(data.AugmentingDataSetIterator(base, data.Augmentation(flip=True), seed=1, n_threads=2)))
    3
    """

    def __init__(self, base, change, seed, *, n_threads=0, n_processes=0):
        super().__init__(base)
        name = "AugmentingDataSetIterator"
        if not callable(change):
            change = instance(f"{name}: change", change, Augmentation).applied
        self._change: Callable[[DataSet, int], DataSet] = change
        self._seed = whole(f"{name}: seed", seed)
        self._n_threads = whole(f"{name}: n_threads", n_threads)
        if self._n_threads < 0 or not 0 <= self._seed < 1 << SEED_BITS:
            raise ValueError(f"{name}: seed lies in [0, 2**64), n_threads is not below 0; given {seed}, {n_threads}")
        self._n_processes = whole(f"{name}: n_processes", n_processes)
        if self._n_processes < 0 or (self._n_processes and self._n_threads):
            raise ValueError(
                f"{name}: give n_threads or n_processes, not below 0; given {self._n_threads} and {self._n_processes}"
            )
        self._pass = 0
        self._workers = WorkerProcesses(self._n_processes, change) if self._n_processes else None

    def __getstate__(self):
        """All but the processes: a copy starts its own."""
        return vars(self) | {"_workers": None}

    def reset(self) -> None:
        """Release what the base holds, and end the processes until the next pass.  Raises what the base raises."""
        super().reset()
        if self._workers is not None:
            self._workers.stop()
            self._workers = None

    def __len__(self):
        """The number of batches in a pass, where the base knows its own."""
        return len(self._base)

    def batches(self):
        return self._batches_from(0)

    def _batches_from(self, first):
        number, self._pass = self._pass, self._pass + 1
        tasks = ((batch, self._seed_of(number, place)) for place, batch in enumerate(self._base_from(first), first))
        if self._n_processes:
            if self._workers is None:
                self._workers = WorkerProcesses(self._n_processes, self._change)
            try:
                yield from _in_order(self._workers.submit, tasks, AHEAD * self._n_processes)
            except BrokenExecutor:
                self._workers = None  # the next pass has new ones
                raise
        elif self._n_threads == 0:
            yield from (self._change(*task) for task in tasks)
        else:
            with ThreadPoolExecutor(self._n_threads, "nd4py augmentation") as pool:
                yield from _in_order(lambda *task: pool.submit(self._prepared, *task), tasks, AHEAD * self._n_threads)

    def _prepared(self, batch, seed):
        with nd.threads(1), nd.scope_out_of_workspaces():  # the other cores have batches of their own
            return self._change(batch, seed)

    def _seed_of(self, number, place):
        """A seed for a batch of a pass: the three numbers, mixed by the finalizer of splitmix64."""
        mask = (1 << SEED_BITS) - 1
        mixed = self._seed
        for value in (number, place):
            mixed = (mixed + (value + 1) * 0x9E3779B97F4A7C15) & mask
            mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & mask
            mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & mask
            mixed ^= mixed >> 31
        return mixed

    def _order(self):
        return {"pass": self._pass, "base": super()._order()}

    def _set_order(self, order):
        number = whole("pass", order["pass"])
        super()._set_order(order["base"])
        self._pass = number
