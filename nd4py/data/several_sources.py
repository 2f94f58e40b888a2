"""Iterators that join several sources, or divide the batches of one among several readers."""

from __future__ import annotations

from itertools import accumulate

from nd4py.api.arguments import items, named
from nd4py.api.unknown_settings import TellingArguments

from .iterators import DataSetIterator, WrappingDataSetIterator
from .passes import at_least_one, leading

WHEN_ONE_ENDS = ("stop", "go on", "repeat")


class JointDataSetIterator(DataSetIterator):
    """A batch of each base in turn.

    bases: iterators of batches, at least one
    when_one_ends: "stop" ends the pass, "go on" takes the batches of the others, "repeat" starts the ended one again
    until each has ended once
    Raises ValueError for no bases or another word, TypeError for a base that cannot be looped over.

    >>> short, long = (data.ArrayDataSetIterator(nd.ones((n, 2)), nd.zeros((n, 1)), batch=1) for n in (1, 3))
    >>> [len(list(data.JointDataSetIterator([short, long], how))) for how in ("stop", "go on", "repeat")]
    [2, 4, 7]
    """

    def __init__(self, bases, when_one_ends="stop"):
        bases = list(items("JointDataSetIterator: bases", bases))
        if not bases:
            raise ValueError("JointDataSetIterator: no bases given; pass at least one")
        self._bases = [_Base(base) for base in bases]
        self._when_one_ends = named("JointDataSetIterator: when_one_ends", when_one_ends, WHEN_ONE_ENDS)
        self.batch_size = self._bases[0].batch_size
        self.is_shuffled = any(base.is_shuffled for base in self._bases)
        self.async_supported = all(base.async_supported for base in self._bases)

    def batches(self):
        passes = dict(enumerate(map(iter, self._bases)))
        ended: set[int] = set()
        while passes:
            for number in list(passes):
                batch = next(passes[number], None)
                if batch is None:
                    ended.add(number)
                    if self._when_one_ends == "stop" or len(ended) == len(self._bases):
                        return
                    if self._when_one_ends == "go on":
                        del passes[number]
                        continue
                    passes[number] = iter(self._bases[number])
                    batch = next(passes[number], None)
                    if batch is None:
                        return  # a base without batches
                yield batch

    def reset(self) -> None:
        """Release what the bases hold.  Raises what they raise."""
        for base in self._bases:
            base.reset()

    def _order(self):
        return [base._order() for base in self._bases]

    def _set_order(self, order):
        for base, each in zip(self._bases, order, strict=True):
            base._set_order(each)


class _Base(WrappingDataSetIterator):
    """A base with the methods of an iterator, whatever iterable it is."""

    def batches(self):
        return iter(self._base)


class DataSetIteratorSplitter(TellingArguments):
    """Divides the batches of a pass: the first ones for one reader, the next for another.

    base: an iterator of batches in the same order at each pass
    sizes: numbers of batches of the parts, in order
    parts: iterators, one for each size
    Raises ValueError for no sizes, a size below 1, or a base whose order changes: its parts would mix.

    >>> base = data.ArrayDataSetIterator(nd.ones((10, 2)), nd.zeros((10, 1)), batch=2)
    >>> train, test = data.DataSetIteratorSplitter(base, (4, 1)).parts
    >>> len(list(train)), len(list(test))
    (4, 1)
    """

    def __init__(self, base, sizes):
        sizes = [at_least_one("DataSetIteratorSplitter: a size", n) for n in items("Splitter: sizes", sizes)]
        if not sizes:
            raise ValueError("DataSetIteratorSplitter: no sizes given; pass the number of batches of each part")
        if getattr(base, "is_shuffled", False):
            raise ValueError(
                "DataSetIteratorSplitter: the base has another order at each pass, so that batches for testing would "
                "be trained on; shuffle the examples before, and give no seed"
            )
        self.parts = tuple(_Part(base, stop - size, stop) for size, stop in zip(sizes, accumulate(sizes), strict=True))


class _Part(WrappingDataSetIterator):
    """The batches from `start` to `stop` of each pass over the base."""

    def __init__(self, base, start, stop):
        super().__init__(base)
        self._start, self._stop = start, stop

    def __len__(self):
        return max(0, min(self._stop, len(self._base)) - self._start)

    def batches(self):
        return self._batches_from(0)

    def _batches_from(self, first):
        start = self._start + first
        return leading(self._base_from(start), self._stop - start)
