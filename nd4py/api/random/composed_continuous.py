"""Continuous distributions composed of uniform, normal, exponential and gamma numbers.

The formulas are those of Devroye 1986, Non-Uniform Random Variate Generation, chapters IX and X, where no other source
is named.
"""

from __future__ import annotations

from typing import Any

from ..._core.annotations import DTypeLike, Sizes
from ..._core.array.array import NDArray
from ..._core.dtype import ALL_DTYPES
from ..._exec.random_source import drawing_device
from ..arguments import into, named, tells_its_name
from ..elementwise.elementwise import add, divide, exp, expm1, logit, multiply, negative, pow, sqrt
from ..elementwise.where_clip import clip
from .distribution_parameters import (
    FINITE,
    NOT_NEGATIVE,
    POSITIVE,
    Drawn,
    Parameter,
    Range,
    drawn,
    float_number,
    into_drawn,
    one_of,
    spread,
)
from .sampling import Sampling

# Uniform numbers are whole multiples of 2**-53: what is next to 0 and to 1.
LEAST, MOST = 2.0**-54, 1.0 - 2.0**-53


class ComposedContinuous(Sampling):
    """Distributions of real numbers that are functions of others.

    Parameters, size, dtype and device are as for the others.
    """

    def _parameters(
        self, name: str, size: Sizes | None, device: str | None, **given: tuple[Parameter, Range]
    ) -> tuple[dict[str, Any], list[Drawn]]:
        """Where and how many numbers to draw, as keywords, and the parameters in that shape.

        given: name of a parameter -> (its value, what it may be).
        """
        place = drawing_device(name, device, *(value for value, _ in given.values()))
        checked = [drawn(f"{name}: {each}", value, allowed, place) for each, (value, allowed) in given.items()]
        sizes, values = spread(name, size, *checked)
        return {"size": sizes, "device": place}, values

    def lognormal(
        self,
        mean: Parameter = 0.0,
        sigma: Parameter = 1.0,
        size: Sizes | None = None,
        *,
        shape: Sizes | None = None,
        dtype: DTypeLike | None = None,
        device: str | None = None,
    ) -> NDArray:
        """Numbers whose logarithms are normally distributed, with mean `mean` and deviation `sigma`.

        Raises ValueError for a negative sigma.
        Returns an array of shape `size`, by default that of the parameters together.

        >>> nd.all(nd.random.lognormal(size=100) > 0)
        array(True, dtype=bool)
        """
        size = one_of("lognormal", size, shape)
        how, (mean, sigma) = self._parameters(
            "lognormal", size, device, mean=(mean, FINITE), sigma=(sigma, NOT_NEGATIVE)
        )
        return converted("lognormal", exp(self.normal(mean, sigma, **how)), dtype)

    def standard_exponential(
        self,
        size: Sizes | None = None,
        dtype: DTypeLike | None = None,
        method: str = "zig",
        out: NDArray | None = None,
        *,
        shape: Sizes | None = None,
        device: str | None = None,
    ) -> NDArray:
        """Exponentially distributed numbers of mean 1.  Raises TypeError for dtypes other than float32 and float64.

        method: NumPy's "zig" or "inv", accepted; the numbers are the same.
        out: an array that takes the numbers, whose shape and dtype they have.
        Returns an array of shape `size`, or `out`.  Raises ValueError for another method, or an `out` of another size.

        >>> nd.random.standard_exponential(3, dtype="float32").dtype
        nd4py.float32
        """
        named("standard_exponential: method", method, ("zig", "inv"))
        size, dtype = into_drawn("standard_exponential", out, one_of("standard_exponential", size, shape), dtype)
        return into("standard_exponential", self.exponential(1.0, size, dtype=dtype, device=device), out)

    @tells_its_name
    def standard_gamma(
        self,
        shape: Parameter,
        size: Sizes | None = None,
        dtype: DTypeLike | None = None,
        out: NDArray | None = None,
        *,
        device: str | None = None,
    ) -> NDArray:
        """Gamma distributed numbers of the given shape and scale 1.  Raises ValueError unless shape > 0.

        out: an array that takes the numbers, whose shape and dtype they have.
        Returns an array of shape `size`, by default that of the parameter, or `out`.

        >>> nd.random.Generator(3).standard_gamma(2.0, size=3)
        array([1.93557985, 0.79219176, 1.15450429], dtype=float64)
        """
        size, dtype = into_drawn("standard_gamma", out, size, dtype)
        return into("standard_gamma", self.gamma(shape, 1.0, size, dtype=dtype, device=device), out)

    def chisquare(
        self,
        df: Parameter,
        size: Sizes | None = None,
        *,
        shape: Sizes | None = None,
        dtype: DTypeLike | None = None,
        device: str | None = None,
    ) -> NDArray:
        """Sums of `df` squared normal numbers, for any positive number df.  Raises ValueError unless df > 0.

        Returns an array of shape `size`, by default that of df.

        >>> nd.random.Generator(3).chisquare(3.0, size=3)
        array([2.78774009, 0.93615905, 1.49616883], dtype=float64)
        """
        how, (df,) = self._parameters("chisquare", one_of("chisquare", size, shape), device, df=(df, POSITIVE))
        return self.gamma(df / 2.0, 2.0, dtype=dtype, **how)

    @tells_its_name
    def noncentral_chisquare(
        self,
        df: Parameter,
        nonc: Parameter,
        size: Sizes | None = None,
        *,
        shape: Sizes | None = None,
        dtype: DTypeLike | None = None,
        device: str | None = None,
    ) -> NDArray:
        """Sums of `df` squared normal numbers of deviation 1 whose squared means add up to `nonc`.

        Raises ValueError unless df > 0 and nonc >= 0.
        Returns an array of shape `size`, by default that of the parameters together.

        >>> nd.random.Generator(3).noncentral_chisquare(3.0, 1.0, size=2)
        array([1.80614973, 1.85886966], dtype=float64)
        """
        name = "noncentral_chisquare"
        how, (df, nonc) = self._parameters(
            name, one_of(name, size, shape), device, df=(df, POSITIVE), nonc=(nonc, NOT_NEGATIVE)
        )
        if isinstance(df, float) and df > 1.0:  # one of the normal numbers has the whole mean
            shifted = self.normal(nonc**0.5, 1.0, dtype=dtype, **how)
            return add(self.chisquare(df - 1.0, dtype=dtype, **how), multiply(shifted, shifted))
        more = self.poisson(nonc / 2.0, **how).astype("float64")
        return self.gamma(add(more, df / 2.0), 2.0, dtype=dtype, **how)

    def f(
        self,
        dfnum: Parameter,
        dfden: Parameter,
        size: Sizes | None = None,
        *,
        shape: Sizes | None = None,
        dtype: DTypeLike | None = None,
        device: str | None = None,
    ) -> NDArray:
        """Quotients of two chisquare numbers, each divided by its degrees of freedom.

        dfnum, dfden: degrees of freedom of the numerator and of the denominator, above 0.
        Raises ValueError unless both are positive.
        Returns an array of shape `size`, by default that of the parameters together.

        >>> nd.random.Generator(3).f(5.0, 10.0, size=3)
        array([0.96373461, 0.67453093, 1.88408011], dtype=float64)
        """
        how, (above, below) = self._parameters(
            "f", one_of("f", size, shape), device, dfnum=(dfnum, POSITIVE), dfden=(dfden, POSITIVE)
        )
        x = divide(self.gamma(above / 2.0, 2.0, **how), above)
        return converted("f", divide(x, divide(self.gamma(below / 2.0, 2.0, **how), below)), dtype)

    def noncentral_f(
        self,
        dfnum: Parameter,
        dfden: Parameter,
        nonc: Parameter,
        size: Sizes | None = None,
        *,
        shape: Sizes | None = None,
        dtype: DTypeLike | None = None,
        device: str | None = None,
    ) -> NDArray:
        """`f` with a noncentral chisquare number above.

        Raises ValueError unless dfnum > 0, dfden > 0 and nonc >= 0.
        Returns an array of shape `size`, by default that of the parameters together.

        >>> nd.random.Generator(3).noncentral_f(5.0, 10.0, 1.0, size=2)
        array([0.58875707, 1.01684293], dtype=float64)
        """
        how, (above, below, nonc) = self._parameters(
            "noncentral_f", one_of("noncentral_f", size, shape), device,
            dfnum=(dfnum, POSITIVE), dfden=(dfden, POSITIVE), nonc=(nonc, NOT_NEGATIVE),
        )  # fmt: skip
        x = divide(self.noncentral_chisquare(above, nonc, **how), above)
        return converted("noncentral_f", divide(x, divide(self.gamma(below / 2.0, 2.0, **how), below)), dtype)

    def standard_t(
        self,
        df: Parameter,
        size: Sizes | None = None,
        *,
        shape: Sizes | None = None,
        dtype: DTypeLike | None = None,
        device: str | None = None,
    ) -> NDArray:
        """Student's t distribution with `df` degrees of freedom.  Raises ValueError unless df > 0.

        Returns an array of shape `size`, by default that of df.

        >>> nd.random.Generator(3).standard_t(5.0, size=3)
        array([ 0.20841031, -2.83968164, -0.83153358], dtype=float64)
        """
        how, (df,) = self._parameters("standard_t", one_of("standard_t", size, shape), device, df=(df, POSITIVE))
        below = sqrt(divide(self.gamma(df / 2.0, 2.0, **how), df))
        return converted("standard_t", divide(self.standard_normal(**how), below), dtype)

    def standard_cauchy(
        self,
        size: Sizes | None = None,
        *,
        shape: Sizes | None = None,
        dtype: DTypeLike | None = None,
        device: str | None = None,
    ) -> NDArray:
        """The Cauchy distribution of mode 0 and half-width 1: quotients of two normal numbers.  Raises ValueError for a
        negative size.

        Returns an array of shape `size`.

        >>> nd.random.Generator(3).standard_cauchy(3)
        array([-0.44381811, -3.86922748, -4.10415102], dtype=float64)
        """
        how, _ = self._parameters("standard_cauchy", one_of("standard_cauchy", size, shape), device)
        x = self.standard_normal(**how)
        return converted("standard_cauchy", divide(x, self.standard_normal(**how)), dtype)

    def logistic(
        self,
        loc: Parameter = 0.0,
        scale: Parameter = 1.0,
        size: Sizes | None = None,
        *,
        shape: Sizes | None = None,
        dtype: DTypeLike | None = None,
        device: str | None = None,
    ) -> NDArray:
        """Logistic distribution, 1 / (1 + exp(-(x - loc) / scale)).  Raises ValueError for a negative scale.

        Returns an array of shape `size`, by default that of the parameters together.

        >>> nd.random.Generator(3).logistic(size=3)
        array([-2.02284076,  1.18157377,  0.20686729], dtype=float64)
        """
        how, (loc, scale) = self._parameters(
            "logistic", one_of("logistic", size, shape), device, loc=(loc, FINITE), scale=(scale, NOT_NEGATIVE)
        )
        x = logit(clip(self.uniform(**how), LEAST, MOST))
        return converted("logistic", add(multiply(x, scale), loc), dtype)

    def pareto(
        self,
        a: Parameter,
        size: Sizes | None = None,
        *,
        shape: Sizes | None = None,
        dtype: DTypeLike | None = None,
        device: str | None = None,
    ) -> NDArray:
        """Pareto II (Lomax) distribution, 1 - (1 + x)**-a.  Raises ValueError unless a > 0.

        Returns an array of shape `size`, by default that of a.

        >>> nd.all(nd.random.pareto(3.0, size=100) >= 0)
        array(True, dtype=bool)
        """
        how, (a,) = self._parameters("pareto", one_of("pareto", size, shape), device, a=(a, POSITIVE))
        return converted("pareto", expm1(divide(self.exponential(**how), a)), dtype)

    def power(
        self,
        a: Parameter,
        size: Sizes | None = None,
        *,
        shape: Sizes | None = None,
        dtype: DTypeLike | None = None,
        device: str | None = None,
    ) -> NDArray:
        """Numbers in [0, 1] of density a * x**(a - 1).  Raises ValueError unless a > 0.

        Returns an array of shape `size`, by default that of a.

        >>> nd.all(nd.random.power(2.0, size=100) <= 1)
        array(True, dtype=bool)
        """
        how, (a,) = self._parameters("power", one_of("power", size, shape), device, a=(a, POSITIVE))
        x = negative(expm1(negative(self.exponential(**how))))
        return converted("power", pow(x, divide(1.0, a) if isinstance(a, NDArray) else 1.0 / a), dtype)

    def rayleigh(
        self,
        scale: Parameter = 1.0,
        size: Sizes | None = None,
        *,
        shape: Sizes | None = None,
        dtype: DTypeLike | None = None,
        device: str | None = None,
    ) -> NDArray:
        """Rayleigh distribution, 1 - exp(-(x / scale)**2 / 2).  Raises ValueError for a negative scale.

        Returns an array of shape `size`, by default that of scale.

        >>> nd.all(nd.random.rayleigh(size=100) >= 0)
        array(True, dtype=bool)
        """
        how, (scale,) = self._parameters(
            "rayleigh", one_of("rayleigh", size, shape), device, scale=(scale, NOT_NEGATIVE)
        )
        return converted("rayleigh", multiply(sqrt(self.exponential(2.0, **how)), scale), dtype)

    def weibull(
        self,
        a: Parameter,
        size: Sizes | None = None,
        *,
        shape: Sizes | None = None,
        dtype: DTypeLike | None = None,
        device: str | None = None,
    ) -> NDArray:
        """Weibull distribution of scale 1, 1 - exp(-x**a).  Raises ValueError unless a > 0.

        Returns an array of shape `size`, by default that of a.

        >>> nd.all(nd.random.weibull(2.0, size=100) >= 0)
        array(True, dtype=bool)
        """
        how, (a,) = self._parameters("weibull", one_of("weibull", size, shape), device, a=(a, POSITIVE))
        x = self.exponential(**how)
        return converted("weibull", pow(x, divide(1.0, a) if isinstance(a, NDArray) else 1.0 / a), dtype)


def converted(name: str, x: NDArray, dtype: DTypeLike | None) -> NDArray:
    """Numbers in the dtype that was asked for.  Raises TypeError unless it is float32 or float64."""
    return x.astype(ALL_DTYPES[float_number(name, dtype)], copy=False)
