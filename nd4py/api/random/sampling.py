"""Permutations and random choices."""

from __future__ import annotations

from math import prod
from typing import Any

from ..._core.annotations import Sizes
from ..._core.array.array import NDArray
from ..._core.layout.shape import normalize_axis
from ..._exec.random_source import drawing_device, stream_on
from ...cpu.random.random import Stream
from ..elementwise.elementwise import divide
from ..indexing.nonzero import flatnonzero
from ..indexing.take import take
from ..sorting.sorting import topk
from .continuous import Continuous
from .discrete import Discrete
from .distribution_parameters import Parameter, check_count, check_whole, elements_of, is_number, one_of, sizes_of
from .probabilities import checked_probabilities, cumulated

# Up to this share of a population, a sample is cheaper than the beginning of a permutation: 30 ns per element that is
# drawn against 1.5 ns per element there is.
SPARSE = 1 / 20


class Sampling(Continuous, Discrete):
    """Permutations and samples."""

    _stream: Stream

    def permutation(self, x: Any, axis: int = 0, *, device: str | None = None) -> NDArray:
        """The numbers 0 ... x - 1 in random order; or the slices of an array `x` along `axis` in random order.

        Each order is equally likely.  device: as for the distributions; slices stay where `x` is.
        Raises ValueError if x is negative and for a wrong axis, TypeError if it is neither.

        >>> nd.sort(nd.random.permutation(5))
        array([0, 1, 2, 3, 4], dtype=int64)
        """
        if is_number(x):
            if check_whole("permutation: x", x) < 0:
                raise ValueError(f"permutation: x must be >= 0, given {x}")
            return self._order(check_count("permutation: x", x), drawing_device("permutation", device))
        array = elements_of("permutation", x, device)
        axis = normalize_axis(axis, array.ndim)
        return take(array, self._order(array.shape[axis], array.device), axis=axis)

    def choice(
        self,
        a: Any,
        size: Sizes | None = None,
        replace: bool = True,
        p: Parameter | None = None,
        axis: int = 0,
        shuffle: bool = True,
        *,
        shape: Sizes | None = None,
        device: str | None = None,
    ) -> NDArray:
        """Slices of an array `a` along `axis`, or numbers 0 ... a - 1: (*size, *a.shape[1:]) along the first axis.

        replace: whether the same one may be drawn again; without, they come in random order.
        shuffle: accepted as NumPy's; the order is random in either case.
        p: (len(a),) probabilities of the first draw, all equal by default; they add up to 1.
        device: as for the distributions; slices stay where `a` is.
        Raises ValueError for probabilities that do not, nothing to draw from, or more draws than there are elements.

        >>> nd.isin(nd.random.choice([10, 20, 30], size=5), [10, 20, 30]).all()
        array(True, dtype=bool)
        """
        array = None if is_number(a) else elements_of("choice", a, device)
        device = drawing_device("choice", device, p, *(() if array is None else (array,)))
        axis = 0 if array is None else normalize_axis(axis, array.ndim)
        n = check_whole("choice: a", a) if array is None else array.shape[axis]
        sizes = sizes_of(one_of("choice", size, shape))
        n_drawn = prod(sizes)
        if n < 1 and n_drawn:
            raise ValueError(f"choice: a must have one element or more to draw from, given {n}")
        if not replace and n_drawn > n:
            raise ValueError(f"choice: cannot draw {n_drawn} of {n} elements without replacement; pass replace=True")
        chances = None if p is None else checked_choices(p, n, device)
        if replace:
            indices = self._repeatedly(n, sizes, chances, device)
        else:
            indices = self._once(n, n_drawn, chances, device).reshape(sizes)
        return indices if array is None else take_slices(array, indices, axis)

    def _order(self, n: int, device: str) -> NDArray:
        y: NDArray = stream_on(device, self._stream).permutation(n)
        return y

    def _repeatedly(self, n: int, sizes: tuple[int, ...], chances: NDArray | None, device: str) -> NDArray:
        if chances is None:
            return self.integers(0, max(n, 1), sizes, device=device)
        y: NDArray = stream_on(device, self._stream).categorical(sizes, cumulated(chances))
        return y

    def _once(self, n: int, n_drawn: int, chances: NDArray | None, device: str) -> NDArray:
        """Different numbers.  With probabilities: the first of n exponential clocks to ring, at the rates p.

        Efraimidis & Spirakis 2006, https://doi.org/10.1016/j.ipl.2005.11.003.
        """
        if chances is None:
            if n_drawn >= SPARSE * n:
                return self._order(n, device)[:n_drawn]
            y: NDArray = stream_on(device, self._stream).sample(n, n_drawn)
            return y
        candidates = flatnonzero(chances)
        if candidates.size < n_drawn:
            raise ValueError(f"choice: p is above 0 for {candidates.size} elements, fewer than the {n_drawn} to draw")
        rings = self.exponential(divide(1.0, take(chances, candidates)), device=device)
        return take(candidates, topk(rings, n_drawn, largest=False).indices)


def checked_choices(p: Parameter, n: int, device: str) -> NDArray:
    """The probabilities of n elements.  Raises ValueError for others."""
    chances = checked_probabilities("choice", p, device, 1)
    if chances.size != n:
        raise ValueError(f"choice: p has {chances.size} probabilities for {n} elements")
    return chances


def take_slices(array: NDArray, indices: NDArray, axis: int) -> NDArray:
    """The slices that `indices`, of any shape, name along an axis."""
    shape = (*array.shape[:axis], *indices.shape, *array.shape[axis + 1 :])
    return take(array, indices.reshape(-1), axis=axis).reshape(shape)
