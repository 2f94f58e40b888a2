"""Draws from urns without putting back: hypergeometric distributions.

Design: the logarithms of the probabilities of neighbouring numbers differ by one term each, whose running sums are
logits; `categorical` draws by them.  So a draw needs memory for as many numbers as can come out.  Parameters that are
arrays are drawn for each different set of them.
"""

from __future__ import annotations

import itertools
from typing import Any

from ..._core.annotations import Sizes
from ..._core.array.array import NDArray
from ..._core.whole_numbers import named
from ..._exec.concat import as_array
from ..creation.creation import empty, zeros
from ..elementwise.elementwise import log
from ..manipulation.manipulation import broadcast_shapes, concat, stack
from ..operands import numbers_beside
from ..reductions.scans import cumulative_sum
from .discrete import Discrete
from .distribution_parameters import Parameter, check_whole, one_of, sizes_of

__all__: list[str] = []

MOST = 10**7  # numbers that one draw may give


class Urns(Discrete):
    """Distributions of draws without putting back."""

    def hypergeometric(
        self, ngood: Parameter, nbad: Parameter, nsample: Parameter, size: Sizes | None = None, *,
        shape: Sizes | None = None,
    ) -> NDArray:  # fmt: skip
        """How many good ones are among `nsample` that are drawn, without putting back, of `ngood` good and `nbad` bad
        ones.

        The parameters are whole numbers, or arrays of them that broadcast to `size`.
        Raises ValueError for negative ones, an nsample above ngood + nbad, and where more than 10**7 numbers could come
        out, TypeError for numbers that are not whole.
        Returns an int64 array of shape `size`, by default that of the parameters together.

        >>> nd.random.Generator(3).hypergeometric(5, 15, 4, size=5)
        array([0, 2, 1, 1, 2], dtype=int64)
        """
        wanted = one_of("hypergeometric", size, shape)
        given = [whole_array(f"hypergeometric: {name}", value)
                 for name, value in (("ngood", ngood), ("nbad", nbad), ("nsample", nsample))]  # fmt: skip
        common = broadcast_shapes(*(x.shape for x in given))
        sizes = common if wanted is None else sizes_of(wanted)
        if len(common) > len(sizes) or any(a not in (1, b) for a, b in zip(common[::-1], sizes[::-1], strict=False)):
            raise ValueError(f"hypergeometric: parameters of shape {common} do not broadcast to size {sizes}")
        if not common:
            return self._good_ones(sizes, *(int(x) for x in given))
        columns = [x.broadcast_to(sizes).reshape(-1) for x in given]
        places: dict[tuple[Any, ...], list[int]] = {}
        for i, triple in enumerate(zip(*(x.tolist() for x in columns), strict=True)):
            places.setdefault(triple, []).append(i)
        result = empty(columns[0].shape, "int64")
        for triple in sorted(places):
            result[as_array(places[triple])] = self._good_ones((len(places[triple]),), *triple)
        return result.reshape(sizes)

    def _good_ones(self, sizes: tuple[int, ...], ngood: int, nbad: int, nsample: int) -> NDArray:
        """Numbers for one set of parameters."""
        if min(ngood, nbad, nsample) < 0:
            raise ValueError(f"hypergeometric: numbers must not be negative, given {(ngood, nbad, nsample)}")
        if nsample > ngood + nbad:
            raise ValueError(f"hypergeometric: {nsample} cannot be drawn of {ngood + nbad}")
        least, most = max(0, nsample - nbad), min(ngood, nsample)
        if most - least > MOST:
            raise ValueError(f"hypergeometric: {most - least + 1} numbers could come out, at most {MOST}")
        first = zeros((1,))
        k = numbers_beside(first, least, most).astype("float64")
        above, below = log(ngood - k) + log(nsample - k), log(k + 1.0) + log(k + (nbad - nsample + 1.0))
        logits = concat([first, cumulative_sum(above - below, axis=0)])
        return self.categorical(logits, size=sizes) + least

    def multivariate_hypergeometric(
        self, colors: Any, nsample: int, size: Sizes | None = None, method: str = "marginals", *,
        shape: Sizes | None = None,
    ) -> NDArray:  # fmt: skip
        """How many of each color are among `nsample` that are drawn, without putting back, of `colors` of each.

        colors: a row of whole numbers.  method: "marginals" or "count", which draw the same distribution; accepted.
        Raises ValueError for other shapes, negative numbers, and an nsample above their sum, TypeError for numbers that
        are not whole.
        Returns an int64 array (*size, colors).

        >>> nd.random.Generator(3).multivariate_hypergeometric([5, 3, 2], 4)
        array([1, 2, 1], dtype=int64)
        """
        named("multivariate_hypergeometric: method", method, ("marginals", "count"))
        row = whole_array("multivariate_hypergeometric: colors", colors)
        if row.ndim != 1:
            raise ValueError(f"multivariate_hypergeometric: colors must be a row, given shape {row.shape}")
        n = check_whole("multivariate_hypergeometric: nsample", nsample)
        counts = row.tolist()
        if min([*counts, n]) < 0 or n > sum(counts):
            raise ValueError(f"multivariate_hypergeometric: {n} cannot be drawn of {counts}")
        sizes = sizes_of(one_of("multivariate_hypergeometric", size, shape))
        left, found = zeros(sizes, "int64") + n, []
        for count, rest in zip(counts, list(itertools.accumulate(counts[::-1]))[::-1], strict=True):
            found.append(self.hypergeometric(count, rest - count, left))
            left = left - found[-1]
        return stack(found, -1) if found else zeros((*sizes, 0), "int64")


def whole_array(what: str, value: Any) -> NDArray:
    """Whole numbers as an int64 array.  Raises TypeError for others."""
    x = as_array(value)
    if x.dtype.kind not in "iu":
        raise TypeError(f"{what} must be of whole numbers, given {x.dtype}")
    return x.astype("int64", copy=False)
