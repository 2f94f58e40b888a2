"""Random order, and random choices from what there is."""

from typing import Any

import numpy

from ..._core.annotations import Sizes
from ..._core.array import NDArray
from ...cpu.random import Stream
from ..creation import asarray
from ..selection import take
from .continuous import Continuous
from .discrete import Discrete
from .parameters import Parameter, check_whole, sizes_of
from .probabilities import checked_probabilities, cumulated

# Up to this share of a population, a sample is cheaper than the beginning of a permutation: 30 ns per element that is
# drawn against 1.5 ns per element there is.
SPARSE = 1 / 20


class Sampling(Continuous, Discrete):
    """Permutations and samples."""

    _stream: Stream

    def permutation(self, x: Any) -> NDArray:
        """The numbers 0 ... x - 1 in random order; or the slices of an array `x` along its first axis in random order.

        Each order is equally likely.  Raises ValueError if x is negative, TypeError if it is neither.
        """
        if hasattr(x, "__index__") and not getattr(x, "shape", ()):
            n = check_whole("permutation: x", x)
            if n < 0:
                raise ValueError(f"permutation: x must be >= 0, given {n}")
            return self._stream.permutation(n)
        array = elements_of("permutation", x)
        return take(array, self._stream.permutation(array.shape[0]), axis=0)

    def choice(self, a: Any, shape: Sizes = (), replace: bool = True, p: Parameter | None = None) -> NDArray:
        """Slices of an array `a` along its first axis, or numbers 0 ... a - 1: (*shape, *a.shape[1:]).

        replace: whether the same one may be drawn again; without, they come in random order.
        p: (len(a),) probabilities of the first draw, all equal by default; they add up to 1.
        Raises ValueError for probabilities that do not, nothing to draw from, or more draws than there are elements.
        """
        is_number = hasattr(a, "__index__") and not getattr(a, "shape", ())
        array = None if is_number else elements_of("choice", a)
        n = check_whole("choice: a", a) if array is None else array.shape[0]
        sizes = sizes_of(shape)
        n_drawn = int(numpy.prod(sizes, dtype=object))
        if n < 1 and n_drawn:
            raise ValueError(f"choice: a must have one element or more to draw from, given {n}")
        if not replace and n_drawn > n:
            raise ValueError(f"choice: cannot draw {n_drawn} of {n} elements without replacement; pass replace=True")
        chances = None if p is None else checked_choices(p, n)
        indices = self._repeatedly(n, sizes, chances) if replace else self._once(n, n_drawn, chances).reshape(sizes)
        return indices if array is None else take_slices(array, indices)

    def _repeatedly(self, n: int, sizes: tuple[int, ...], chances: Any) -> NDArray:
        if chances is None:
            return self.integers(0, max(n, 1), sizes)
        return self._stream.categorical(sizes, cumulated(chances))

    def _once(self, n: int, n_drawn: int, chances: Any) -> NDArray:
        """Different numbers.  With probabilities: the first of n exponential clocks to ring, at the rates p.

        Efraimidis & Spirakis 2006, https://doi.org/10.1016/j.ipl.2005.11.003.
        """
        if chances is None:
            return self._stream.sample(n, n_drawn) if n_drawn < SPARSE * n else self.permutation(n)[:n_drawn]
        candidates = numpy.flatnonzero(chances)
        if candidates.size < n_drawn:
            raise ValueError(f"choice: p is above 0 for {candidates.size} elements, fewer than the {n_drawn} to draw")
        rings = numpy.asarray(self.exponential(1 / chances[candidates]))
        first = numpy.argpartition(rings, max(n_drawn - 1, 0))[:n_drawn] if n_drawn else candidates[:0]
        return asarray(candidates[first[numpy.argsort(rings[first])]])


def elements_of(name: str, x: Any) -> NDArray:
    """What is shuffled or chosen from.  Raises TypeError for what is no array with an axis."""
    array = asarray(x)
    if array.ndim == 0:
        raise TypeError(f"{name}: needs a whole number or an array with an axis, given {x!r}")
    return array


def checked_choices(p: Parameter, n: int) -> Any:
    """The probabilities of n elements.  Raises ValueError for others."""
    chances = checked_probabilities("choice", p, 1)
    if chances.size != n:
        raise ValueError(f"choice: p has {chances.size} probabilities for {n} elements")
    return chances


def take_slices(array: NDArray, indices: NDArray) -> NDArray:
    """The slices that `indices`, of any shape, name along the first axis."""
    return take(array, indices.reshape(-1), axis=0).reshape((*indices.shape, *array.shape[1:]))
