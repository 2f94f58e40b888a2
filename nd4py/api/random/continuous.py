"""Draws of real numbers."""

import math

from ..._core.annotations import DTypeLike, Sizes
from ..._core.array import NDArray
from ..._exec.drawing import draw_on
from ..._spec.dtypes import DTYPES
from ...cpu.random import Stream
from .parameters import (
    ANY,
    FINITE,
    LARGEST,
    NOT_NEGATIVE,
    POSITIVE,
    Drawn,
    Parameter,
    check_range,
    drawn,
    float_number,
    largest_of,
    spread,
)


class Continuous:
    """Distributions of real numbers.

    Parameters are Python numbers or arrays, which broadcast to `shape`; without a shape, theirs is drawn.
    dtype: float32 or float64, the default.  Other dtypes raise TypeError, shapes that do not fit ValueError.
    """

    _stream: Stream

    def _real(self, name: str, dtype: DTypeLike | None, shape: Sizes | None, *parameters: Drawn) -> NDArray:
        sizes, values = spread(name, shape, *parameters)
        return self._stream.draw(name, sizes, float_number(name, dtype), *values)

    def random(self, shape: Sizes = (), dtype: DTypeLike | None = None) -> NDArray:
        """Numbers in [0, 1), evenly distributed: `uniform` under the name that NumPy gives it."""
        return self.uniform(shape, dtype=dtype)

    def uniform(
        self,
        shape: Sizes | None = None,
        low: Parameter = 0.0,
        high: Parameter = 1.0,
        dtype: DTypeLike | None = None,
        device: str | None = None,
    ) -> NDArray:
        """Numbers in [low, high), evenly distributed: 24 random bits each in float32, 53 in float64.

        device: where they are made, the host for None; the numbers are the same everywhere
        Raises ValueError unless low <= high and both, and their distance, are finite; TypeError for other dtypes.
        """
        low, high = drawn("uniform: low", low, ANY), drawn("uniform: high", high, ANY)
        number = float_number("uniform", dtype)
        largest = largest_of(number)
        for what, value in (("low", low), ("high", high)):
            check_range(f"uniform: {what}", value, (f"finite in {DTYPES[number].name}", -largest, largest))
        check_range("uniform: high - low", high - low, ("finite, with low <= high", 0.0, largest))
        if device is None or device == "cpu":
            return self._real("uniform", dtype, shape, low, high)
        sizes, values = spread("uniform", shape, low, high)
        return draw_on(device, "uniform", self._stream.reserve_blocks, sizes, number, *values)

    def standard_normal(self, shape: Sizes = (), dtype: DTypeLike | None = None) -> NDArray:
        """Normally distributed numbers of mean 0 and standard deviation 1."""
        return self.normal(shape, dtype=dtype)

    def normal(
        self,
        shape: Sizes | None = None,
        mean: Parameter = 0.0,
        std: Parameter = 1.0,
        dtype: DTypeLike | None = None,
    ) -> NDArray:
        """Normally distributed numbers.  Box & Muller 1958, https://doi.org/10.1214/aoms/1177706645.

        Raises ValueError if std is negative or not finite, TypeError for dtypes other than float32 and float64.
        """
        return self._real(
            "normal", dtype, shape, drawn("normal: mean", mean, FINITE), drawn("normal: std", std, NOT_NEGATIVE)
        )

    def truncated_normal(
        self,
        low: Parameter,
        high: Parameter,
        mean: Parameter = 0.0,
        std: Parameter = 1.0,
        shape: Sizes | None = None,
        dtype: DTypeLike | None = None,
    ) -> NDArray:
        """Normal numbers of `mean` and `std` on condition that they lie in [low, high], exact in far tails too.

        low, high: the ends themselves, not their distance from the mean in standard deviations; either may be infinite.
        Robert 1995, https://doi.org/10.1007/BF00143942.  Raises ValueError unless low <= high and std > 0.
        """
        low, high = drawn("truncated_normal: low", low, ANY), drawn("truncated_normal: high", high, ANY)
        check_range("truncated_normal: low", low, ("below infinity", -math.inf, LARGEST))
        check_range("truncated_normal: high", high, ("above -infinity", -LARGEST, math.inf))
        check_range("truncated_normal: high - low", high - low, ("at least 0", 0.0, math.inf))
        mean, std = drawn("truncated_normal: mean", mean, FINITE), drawn("truncated_normal: std", std, POSITIVE)
        return self._real("truncated_normal", dtype, shape, low, high, mean, std)

    def exponential(
        self, scale: Parameter = 1.0, shape: Sizes | None = None, dtype: DTypeLike | None = None
    ) -> NDArray:
        """Exponentially distributed numbers of mean `scale`, 1 / rate.  Raises ValueError if it is negative."""
        return self._real("exponential", dtype, shape, 0.0, drawn("exponential: scale", scale, NOT_NEGATIVE))

    def laplace(
        self,
        loc: Parameter = 0.0,
        scale: Parameter = 1.0,
        shape: Sizes | None = None,
        dtype: DTypeLike | None = None,
    ) -> NDArray:
        """Numbers of density exp(-|x - loc| / scale) / (2 scale).  Raises ValueError if scale is negative."""
        return self._placed("laplace", loc, scale, shape, dtype)

    def gumbel(
        self,
        loc: Parameter = 0.0,
        scale: Parameter = 1.0,
        shape: Sizes | None = None,
        dtype: DTypeLike | None = None,
    ) -> NDArray:
        """Largest values: numbers of distribution exp(-exp(-(x - loc) / scale)).  Raises ValueError if scale < 0."""
        return self._placed("gumbel", loc, scale, shape, dtype)

    def _placed(
        self, name: str, loc: Parameter, scale: Parameter, shape: Sizes | None, dtype: DTypeLike | None
    ) -> NDArray:
        loc, scale = drawn(f"{name}: loc", loc, FINITE), drawn(f"{name}: scale", scale, NOT_NEGATIVE)
        return self._real(name, dtype, shape, loc, scale)

    def gamma(
        self,
        shape_parameter: Parameter,
        scale: Parameter = 1.0,
        shape: Sizes | None = None,
        dtype: DTypeLike | None = None,
    ) -> NDArray:
        """Gamma distributed numbers of mean shape_parameter * scale.

        Marsaglia & Tsang 2000, https://doi.org/10.1145/358407.358414.  Far below 1 a shape_parameter gives numbers
        too small for the dtype, which are 0.  Raises ValueError unless shape_parameter > 0 and scale >= 0.
        """
        first = drawn("gamma: shape_parameter", shape_parameter, POSITIVE)
        return self._real("gamma", dtype, shape, first, drawn("gamma: scale", scale, NOT_NEGATIVE))

    def beta(self, a: Parameter, b: Parameter, shape: Sizes | None = None, dtype: DTypeLike | None = None) -> NDArray:
        """Beta distributed numbers in [0, 1], of mean a / (a + b): x / (x + y) of two gamma numbers.

        Raises ValueError unless a > 0 and b > 0.
        """
        number = float_number("beta", dtype)
        first, second = drawn("beta: a", a, POSITIVE), drawn("beta: b", b, POSITIVE)
        sizes, values = spread("beta", shape, first, second)
        return self._stream.beta(sizes, number, *values)
