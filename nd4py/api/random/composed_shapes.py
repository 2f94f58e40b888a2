"""Distributions whose numbers are chosen among candidates: triangular, wald, vonmises, zipf and other whole numbers."""

from __future__ import annotations

import math
from typing import Any

from ..._core.annotations import DTypeLike, Sizes
from ..._core.array.array import NDArray
from ..._spec.dtypes import DEFAULT_INT
from ..elementwise.elementwise import (
    acos,
    add,
    ceil,
    cos,
    divide,
    expm1,
    floor,
    greater,
    greater_equal,
    less,
    less_equal,
    log,
    log1p,
    logical_and,
    logical_or,
    maximum,
    minimum,
    multiply,
    negative,
    pow,
    remainder,
    sqrt,
    square,
    subtract,
    where,
)
from ..indexing.nonzero import flatnonzero
from ..manipulation.manipulation import broadcast_to
from .composed_continuous import LEAST, ComposedContinuous, converted
from .distribution_parameters import (
    FINITE,
    LARGEST,
    NOT_NEGATIVE,
    POSITIVE,
    Drawn,
    Parameter,
    check_range,
    one_of,
)

CHANCE = ("above 0 and at most 1", 5e-324, 1.0)
BELOW_ONE = ("at least 0 and below 1", 0.0, 1.0 - 2.0**-53)
STEEPEST = 1000.0  # from here on zipf numbers are 1, and powers of 2 would be infinite
ABOVE_ONE = ("above 1", 1.0 + 2.0**-52, LARGEST)
GREATEST = 2.0**63 - 1024  # the largest float64 that int64 holds
FLAT = 1e-5
WIDE, NARROW = 1e-8, 1e6  # concentrations from which a von Mises distribution is uniform, or a normal one


class ComposedShapes(ComposedContinuous):
    """Distributions of real and of whole numbers that are functions of others, or chosen among candidates."""

    def triangular(
        self,
        left: Parameter,
        mode: Parameter,
        right: Parameter,
        size: Sizes | None = None,
        *,
        shape: Sizes | None = None,
        dtype: DTypeLike | None = None,
        device: str | None = None,
    ) -> NDArray:
        """Triangular distribution on [left, right] with its peak at `mode`.

        Raises ValueError unless left <= mode <= right and left < right.
        Returns an array of shape `size`, by default that of the parameters together.

        >>> x = nd.random.triangular(0.0, 1.0, 3.0, size=100)
        >>> nd.all((x >= 0) & (x <= 3))
        array(True, dtype=bool)
        """
        how, (left, mode, right) = self._parameters(
            "triangular", one_of("triangular", size, shape), device,
            left=(left, FINITE), mode=(mode, FINITE), right=(right, FINITE),
        )  # fmt: skip
        check_range("triangular: mode - left", mode - left, NOT_NEGATIVE)
        check_range("triangular: right - mode", right - mode, NOT_NEGATIVE)
        check_range("triangular: right - left", right - left, POSITIVE)
        width = right - left
        u = self.uniform(**how)
        rising = add(sqrt(multiply(u, (mode - left) * width)), left)
        falling = subtract(right, sqrt(multiply(subtract(1.0, u), (right - mode) * width)))
        is_rising = less_equal(u, (mode - left) / width)
        return converted("triangular", where(is_rising, rising, falling), dtype)

    def wald(
        self,
        mean: Parameter,
        scale: Parameter,
        size: Sizes | None = None,
        *,
        shape: Sizes | None = None,
        dtype: DTypeLike | None = None,
        device: str | None = None,
    ) -> NDArray:
        """Wald (inverse Gaussian) distribution.

        Michael, Schucany & Haas 1976, https://doi.org/10.1080/00031305.1976.10479147.
        Raises ValueError unless mean > 0 and scale > 0.
        Returns an array of shape `size`, by default that of the parameters together.

        >>> nd.all(nd.random.wald(1.0, 2.0, size=100) > 0)
        array(True, dtype=bool)
        """
        how, (mean, scale) = self._parameters(
            "wald", one_of("wald", size, shape), device, mean=(mean, POSITIVE), scale=(scale, POSITIVE)
        )
        y = multiply(square(self.standard_normal(**how)), mean)
        # The smaller root, as a quotient: of the difference of two nearly equal numbers little would be left.
        root = add(sqrt(add(multiply(y, 4.0 * scale), square(y))), y)
        x = multiply(divide(2.0 * scale, add(root, 2.0 * scale)), mean)
        is_first = less_equal(multiply(self.uniform(**how), add(x, mean)), mean)
        return converted("wald", where(is_first, x, divide(mean * mean, x)), dtype)

    def vonmises(
        self,
        mu: Parameter,
        kappa: Parameter,
        size: Sizes | None = None,
        *,
        shape: Sizes | None = None,
        dtype: DTypeLike | None = None,
        device: str | None = None,
    ) -> NDArray:
        """Angles in [-pi, pi] of density proportional to exp(kappa * cos(x - mu)).

        Best & Fisher 1979, https://doi.org/10.2307/2346732.  Raises ValueError for a negative kappa.
        Returns an array of shape `size`, by default that of the parameters together.

        >>> nd.all(nd.abs(nd.random.vonmises(0.0, 4.0, size=100)) <= nd.pi)
        array(True, dtype=bool)
        """
        how, (mu, kappa) = self._parameters(
            "vonmises", one_of("vonmises", size, shape), device, mu=(mu, FINITE), kappa=(kappa, NOT_NEGATIVE)
        )
        spread_out = multiply(add(multiply(self.uniform(**how), 2.0), -1.0), math.pi)
        angle = self._among_candidates(best_fisher, spread_out, kappa)
        near = divide(self.standard_normal(**how), sqrt(maximum(spread_out * 0.0 + kappa, 1.0)))
        angle = where(greater(near * 0.0 + kappa, NARROW), near, angle)
        angle = where(less(near * 0.0 + kappa, WIDE), spread_out, angle)
        turned = add(remainder(add(angle, mu + math.pi), 2.0 * math.pi), -math.pi)
        return converted("vonmises", turned, dtype)

    def zipf(
        self, a: Parameter, size: Sizes | None = None, *, shape: Sizes | None = None, device: str | None = None
    ) -> NDArray:
        """Whole numbers from 1 on, of probability proportional to k**-a, as int64.

        Devroye 1986, Non-Uniform Random Variate Generation, X.6.1.  Raises ValueError unless a > 1.
        Returns an array of shape `size`, by default that of a.

        >>> nd.min(nd.random.zipf(3.0, size=100)) >= 1
        array(True, dtype=bool)
        """
        how, (a,) = self._parameters("zipf", one_of("zipf", size, shape), device, a=(a, ABOVE_ONE))
        first = add(multiply(self.uniform(**how), 0.0), 1.0)
        return self._among_candidates(devroye_zipf, first, a).astype(DEFAULT_INT)

    def geometric(
        self, p: Parameter, size: Sizes | None = None, *, shape: Sizes | None = None, device: str | None = None
    ) -> NDArray:
        """The number of trials of probability `p` up to the first success, as int64.

        Raises ValueError for a p that is not above 0 and at most 1.
        Returns an array of shape `size`, by default that of p.

        >>> nd.min(nd.random.geometric(0.5, size=1000)) >= 1
        array(True, dtype=bool)
        """
        how, (p,) = self._parameters("geometric", one_of("geometric", size, shape), device, p=(p, CHANCE))
        u = self.exponential(**how)
        rate = -log1p(-p) if isinstance(p, NDArray) else -math.log1p(-p) if p < 1.0 else math.inf
        return minimum(maximum(ceil(divide(u, rate)), 1.0), GREATEST).astype(DEFAULT_INT)

    def negative_binomial(
        self,
        n: Parameter,
        p: Parameter,
        size: Sizes | None = None,
        *,
        shape: Sizes | None = None,
        device: str | None = None,
    ) -> NDArray:
        """The number of failures before `n` successes of probability `p`, as int64; n may be any positive number.

        Poisson numbers whose means are gamma distributed.  Raises ValueError unless n > 0 and 0 < p <= 1.
        Returns an array of shape `size`, by default that of the parameters together.

        >>> nd.min(nd.random.negative_binomial(3, 0.5, size=100)) >= 0
        array(True, dtype=bool)
        """
        name = "negative_binomial"
        how, (n, p) = self._parameters(name, one_of(name, size, shape), device, n=(n, POSITIVE), p=(p, CHANCE))
        return self.poisson(self.gamma(n, (1.0 - p) / p, **how), **how)

    def logseries(
        self, p: Parameter, size: Sizes | None = None, *, shape: Sizes | None = None, device: str | None = None
    ) -> NDArray:
        """Whole numbers k from 1 on, of probability -p**k / (k * log(1 - p)), as int64.

        Kemp 1981, https://doi.org/10.2307/2346348.  Raises ValueError for a p that is not at least 0 and below 1.
        Returns an array of shape `size`, by default that of p.

        >>> nd.min(nd.random.logseries(0.5, size=100)) >= 1
        array(True, dtype=bool)
        """
        how, (p,) = self._parameters("logseries", one_of("logseries", size, shape), device, p=(p, BELOW_ONE))
        v, u = maximum(self.uniform(**how), LEAST), self.uniform(**how)
        q = -expm1(multiply(u, log1p(-p) if isinstance(p, NDArray) else math.log1p(-p)))
        large = floor(add(divide(log(v), log(q)), 1.0))
        found = where(less_equal(v, square(q)), large, where(greater_equal(v, q), 1.0, 2.0))
        found = where(greater_equal(v, p), 1.0, maximum(found, 1.0))
        return minimum(found, GREATEST).astype(DEFAULT_INT)

    def _among_candidates(self, propose: Any, first: NDArray, parameter: Drawn) -> NDArray:
        """An array like `first`, each element of which is the first candidate of its own that is accepted.

        propose: (uniform numbers, others, a parameter) -> (candidates, which of them are accepted).
        """
        result = first.copy().reshape(-1)
        values = first * 0.0 + parameter if not isinstance(parameter, NDArray) else parameter
        values, left = broadcast_to(values, first.shape).reshape(-1), flatnonzero(result == result)
        while left.size:
            how: dict[str, Any] = {"size": left.shape, "device": first.device}
            candidates, is_accepted = propose(self.uniform(**how), self.uniform(**how), values[left])
            chosen = left[is_accepted]
            result[chosen] = candidates[is_accepted]
            left = left[~is_accepted]
        return result.reshape(first.shape)


def best_fisher(u: NDArray, v: NDArray, kappa: NDArray) -> tuple[NDArray, NDArray]:
    """Angles from a wrapped Cauchy distribution, and which of them belong to the von Mises distribution."""
    kappa = minimum(maximum(kappa, WIDE), NARROW)
    r = add(sqrt(add(multiply(square(kappa), 4.0), 1.0)), 1.0)
    rho = divide(subtract(r, sqrt(multiply(r, 2.0))), multiply(kappa, 2.0))
    s = divide(add(square(rho), 1.0), multiply(rho, 2.0))
    s = where(less(kappa, FLAT), add(divide(1.0, kappa), kappa), s)  # of rho roundings would leave nothing
    z = cos(multiply(u, math.pi))
    w = divide(add(multiply(s, z), 1.0), add(s, z))
    y = multiply(kappa, subtract(s, w))
    v = maximum(v, LEAST)
    is_accepted = logical_or(
        greater_equal(subtract(multiply(y, subtract(2.0, y)), v), 0.0), greater_equal(add(log(divide(y, v)), 1.0), y)
    )
    angle = acos(minimum(maximum(w, -1.0), 1.0))
    return where(less(remainder(multiply(u, 2.0**30), 1.0), 0.5), angle, negative(angle)), is_accepted


def devroye_zipf(u: NDArray, v: NDArray, a: NDArray) -> tuple[NDArray, NDArray]:
    """Whole parts of Pareto numbers, and which of them belong to the Zipf distribution."""
    less_one = subtract(minimum(a, STEEPEST), 1.0)
    b = pow(2.0, less_one)
    x = floor(pow(subtract(1.0, u), divide(-1.0, less_one)))
    t = pow(add(divide(1.0, x), 1.0), less_one)
    is_within = logical_and(greater_equal(x, 1.0), less_equal(x, GREATEST))
    is_below = less_equal(multiply(multiply(v, x), divide(subtract(t, 1.0), subtract(b, 1.0))), divide(t, b))
    return x, logical_and(is_within, is_below)
