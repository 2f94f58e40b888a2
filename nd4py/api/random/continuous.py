"""Continuous distributions."""

from __future__ import annotations

import math

from ..._core.annotations import DTypeLike, Sizes
from ..._core.array.array import NDArray
from ..._exec.random_source import drawing_device, stream_on
from ..._spec.dtypes import DTYPES
from ...cpu.random.random import Stream
from ..arguments import into
from .distribution_parameters import (
    ANY,
    FINITE,
    LARGEST,
    NOT_NEGATIVE,
    POSITIVE,
    Drawn,
    Parameter,
    check_order,
    check_range,
    drawn,
    float_number,
    into_drawn,
    largest_of,
    one_of,
    spread,
)


class Continuous:
    """Distributions of real numbers.

    Parameters are Python numbers or arrays, which broadcast to `size`; without a size, their shape is drawn.
    size: an int or a tuple; `shape=` is another name for it.  Arguments are in the order of NumPy's Generator.
    dtype: float32 or float64, the default.  Other dtypes raise TypeError, shapes that do not fit ValueError.
    device: where the numbers are drawn, with the same bits everywhere; by default where parameters that are arrays are,
    else on the default device.  Arrays elsewhere raise ValueError.
    """

    _stream: Stream

    def _real(self, name: str, device: str, dtype: DTypeLike | None, size: Sizes | None, *parameters: Drawn) -> NDArray:
        sizes, values = spread(name, size, *parameters)
        y: NDArray = stream_on(device, self._stream).draw(name, sizes, float_number(name, dtype), *values)
        return y

    def random(
        self,
        size: Sizes | None = None,
        dtype: DTypeLike | None = None,
        out: NDArray | None = None,
        *,
        shape: Sizes | None = None,
        device: str | None = None,
    ) -> NDArray:
        """Uniformly distributed numbers in [0, 1): `uniform` under NumPy's name for it.

        out: an array that takes the numbers, whose shape and dtype they have.
        Returns and raises as it does, and raises for an `out` of another shape or dtype than those given.

        >>> x = nd.random.random((2, 3))
        >>> nd.all((x >= 0) & (x < 1))
        array(True, dtype=bool)
        """
        size, dtype = into_drawn("random", out, one_of("random", size, shape), dtype)
        x = self._real("uniform", drawing_device("uniform", device), dtype, size, 0.0, 1.0)
        return into("random", x, out)

    def uniform(
        self,
        low: Parameter = 0.0,
        high: Parameter = 1.0,
        size: Sizes | None = None,
        *,
        shape: Sizes | None = None,
        dtype: DTypeLike | None = None,
        device: str | None = None,
    ) -> NDArray:
        """Uniformly distributed numbers in [low, high): 24 random bits each in float32, 53 in float64.

        Raises ValueError unless low <= high and both, and their distance, are finite; TypeError for other dtypes.
        Returns an array of shape `size`, by default that of the parameters together.

        >>> x = nd.random.uniform(-1.0, 1.0, size=100)
        >>> nd.all((x >= -1) & (x < 1))
        array(True, dtype=bool)
        """
        check_order("uniform", "low", low)
        size, device = one_of("uniform", size, shape), drawing_device("uniform", device, low, high)
        low, high = drawn("uniform: low", low, ANY, device), drawn("uniform: high", high, ANY, device)
        number = float_number("uniform", dtype)
        largest = largest_of(number)
        for what, value in (("low", low), ("high", high)):
            check_range(f"uniform: {what}", value, (f"finite in {DTYPES[number].name}", -largest, largest))
        check_range("uniform: high - low", high - low, ("finite, with low <= high", 0.0, largest))
        return self._real("uniform", device, dtype, size, low, high)

    def standard_normal(
        self,
        size: Sizes | None = None,
        dtype: DTypeLike | None = None,
        out: NDArray | None = None,
        *,
        shape: Sizes | None = None,
        device: str | None = None,
    ) -> NDArray:
        """Normally distributed numbers of mean 0 and standard deviation 1.

        out: an array that takes the numbers, whose shape and dtype they have.
        Returns an array of shape `size`, or `out`.
        Raises ValueError for a negative size or one that `out` does not have, TypeError for dtypes other than float32
        and float64.

        >>> nd.random.Generator(3).standard_normal(3)
        array([ 0.19800392, -2.06275085, -0.85043804], dtype=float64)
        """
        size, dtype = into_drawn("standard_normal", out, one_of("standard_normal", size, shape), dtype)
        x = self._real("normal", drawing_device("normal", device), dtype, size, 0.0, 1.0)
        return into("standard_normal", x, out)

    def normal(
        self,
        loc: Parameter = 0.0,
        scale: Parameter = 1.0,
        size: Sizes | None = None,
        *,
        shape: Sizes | None = None,
        dtype: DTypeLike | None = None,
        device: str | None = None,
    ) -> NDArray:
        """Normally distributed numbers of mean `loc` and standard deviation `scale`.

        Box & Muller 1958, https://doi.org/10.1214/aoms/1177706645.
        Raises ValueError if scale is negative or not finite, TypeError for dtypes other than float32 and float64.
        Returns an array of shape `size`, by default that of the parameters together.

        >>> x = nd.random.normal(10.0, 2.0, size=(2, 3), dtype="float32")
        >>> x.shape, x.dtype
        ((2, 3), nd4py.float32)
        """
        check_order("normal", "loc", loc)
        return self._placed("normal", loc, scale, one_of("normal", size, shape), dtype, device)

    def truncated_normal(
        self,
        low: Parameter,
        high: Parameter,
        loc: Parameter = 0.0,
        scale: Parameter = 1.0,
        size: Sizes | None = None,
        *,
        shape: Sizes | None = None,
        dtype: DTypeLike | None = None,
        device: str | None = None,
    ) -> NDArray:
        """Truncated normal distribution: mean `loc` and deviation `scale` before the truncation to [low, high].

        They are exact in far tails too.

        low, high: the ends themselves, not their distance from `loc` in deviations; either may be infinite.
        Robert 1995, https://doi.org/10.1007/BF00143942.  Raises ValueError unless low <= high and scale > 0.
        Returns an array of shape `size`, by default that of the parameters together.

        >>> x = nd.random.truncated_normal(-1.0, 1.0, size=100)
        >>> nd.all((x >= -1) & (x <= 1))
        array(True, dtype=bool)
        """
        name = "truncated_normal"
        size, device = one_of(name, size, shape), drawing_device(name, device, low, high, loc, scale)
        low, high = drawn(f"{name}: low", low, ANY, device), drawn(f"{name}: high", high, ANY, device)
        check_range(f"{name}: low", low, ("below infinity", -math.inf, LARGEST))
        check_range(f"{name}: high", high, ("above -infinity", -LARGEST, math.inf))
        check_range(f"{name}: high - low", high - low, ("at least 0", 0.0, math.inf))
        loc, scale = drawn(f"{name}: loc", loc, FINITE, device), drawn(f"{name}: scale", scale, POSITIVE, device)
        return self._real(name, device, dtype, size, low, high, loc, scale)

    def exponential(
        self,
        scale: Parameter = 1.0,
        size: Sizes | None = None,
        *,
        shape: Sizes | None = None,
        dtype: DTypeLike | None = None,
        device: str | None = None,
    ) -> NDArray:
        """Exponentially distributed numbers of mean `scale`, 1 / rate.  Raises ValueError if it is negative.

        Returns an array of shape `size`, by default that of `scale`.

        >>> nd.all(nd.random.exponential(2.0, size=100) >= 0)
        array(True, dtype=bool)
        """
        size, device = one_of("exponential", size, shape), drawing_device("exponential", device, scale)
        scale = drawn("exponential: scale", scale, NOT_NEGATIVE, device)
        return self._real("exponential", device, dtype, size, 0.0, scale)

    def laplace(
        self,
        loc: Parameter = 0.0,
        scale: Parameter = 1.0,
        size: Sizes | None = None,
        *,
        shape: Sizes | None = None,
        dtype: DTypeLike | None = None,
        device: str | None = None,
    ) -> NDArray:
        """Laplace distribution, of density exp(-|x - loc| / scale) / (2 scale).  Raises ValueError for a negative
        scale.

        Returns an array of shape `size`, by default that of the parameters together.

        >>> nd.random.Generator(3).laplace(0.0, 2.0, size=3)
        array([-4.29414664,  0.53515596, -1.19010657], dtype=float64)
        """
        return self._placed("laplace", loc, scale, one_of("laplace", size, shape), dtype, device)

    def gumbel(
        self,
        loc: Parameter = 0.0,
        scale: Parameter = 1.0,
        size: Sizes | None = None,
        *,
        shape: Sizes | None = None,
        dtype: DTypeLike | None = None,
        device: str | None = None,
    ) -> NDArray:
        """Gumbel distribution, exp(-exp(-(x - loc) / scale)).  Raises ValueError if scale < 0.

        Returns an array of shape `size`, by default that of the parameters together.

        >>> nd.random.Generator(3).gumbel(size=3)
        array([ 2.08560003, -0.37097839,  0.22074571], dtype=float64)
        """
        return self._placed("gumbel", loc, scale, one_of("gumbel", size, shape), dtype, device)

    def _placed(
        self,
        name: str,
        loc: Parameter,
        scale: Parameter,
        size: Sizes | None,
        dtype: DTypeLike | None,
        device: str | None,
    ) -> NDArray:
        device = drawing_device(name, device, loc, scale)
        loc, scale = drawn(f"{name}: loc", loc, FINITE, device), drawn(f"{name}: scale", scale, NOT_NEGATIVE, device)
        return self._real(name, device, dtype, size, loc, scale)

    def gamma(
        self,
        shape: Parameter,
        scale: Parameter = 1.0,
        size: Sizes | None = None,
        *,
        dtype: DTypeLike | None = None,
        device: str | None = None,
    ) -> NDArray:
        """Gamma distributed numbers of mean shape * scale.

        Marsaglia & Tsang 2000, https://doi.org/10.1145/358407.358414.  Far below 1 a shape gives numbers too small
        for the dtype, which are 0.  As in NumPy, `shape` is a parameter of this distribution, and `size` says how many
        numbers are drawn.  Raises ValueError unless shape > 0 and scale >= 0.
        Returns an array of shape `size`, by default that of the parameters together.

        >>> nd.random.Generator(3).gamma(2.0, scale=3.0, size=2)
        array([5.80673955, 2.37657528], dtype=float64)
        """
        device = drawing_device("gamma", device, shape, scale)
        first = drawn("gamma: shape", shape, POSITIVE, device)
        return self._real("gamma", device, dtype, size, first, drawn("gamma: scale", scale, NOT_NEGATIVE, device))

    def beta(
        self,
        a: Parameter,
        b: Parameter,
        size: Sizes | None = None,
        *,
        shape: Sizes | None = None,
        dtype: DTypeLike | None = None,
        device: str | None = None,
    ) -> NDArray:
        """Beta distributed numbers in [0, 1], of mean a / (a + b): x / (x + y) of two gamma numbers.

        Raises ValueError unless a > 0 and b > 0.
        Returns an array of shape `size`, by default that of the parameters together.

        >>> x = nd.random.beta(2.0, 5.0, size=1000)
        >>> nd.all((x > 0) & (x < 1))
        array(True, dtype=bool)
        """
        size, number = one_of("beta", size, shape), float_number("beta", dtype)
        device = drawing_device("beta", device, a, b)
        first, second = drawn("beta: a", a, POSITIVE, device), drawn("beta: b", b, POSITIVE, device)
        sizes, values = spread("beta", size, first, second)
        y: NDArray = stream_on(device, self._stream).beta(sizes, number, *values)
        return y
