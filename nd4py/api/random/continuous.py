"""Draws of real numbers."""

import math

from ..._core.annotations import DTypeLike, Sizes
from ..._core.array import NDArray
from ..._exec.drawing import drawing_device, stream_on
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
    device: where the numbers are drawn, with the same bits everywhere; by default where parameters that are arrays are,
    else on the default device.  Arrays elsewhere raise ValueError.
    """

    _stream: Stream

    def _real(
        self, name: str, device: str, dtype: DTypeLike | None, shape: Sizes | None, *parameters: Drawn
    ) -> NDArray:
        sizes, values = spread(name, shape, *parameters)
        y: NDArray = stream_on(device, self._stream).draw(name, sizes, float_number(name, dtype), *values)
        return y

    def random(self, shape: Sizes = (), dtype: DTypeLike | None = None, device: str | None = None) -> NDArray:
        """Numbers in [0, 1), evenly distributed: `uniform` under the name that NumPy gives it."""
        return self.uniform(shape, dtype=dtype, device=device)

    def uniform(
        self,
        shape: Sizes | None = None,
        low: Parameter = 0.0,
        high: Parameter = 1.0,
        dtype: DTypeLike | None = None,
        device: str | None = None,
    ) -> NDArray:
        """Numbers in [low, high), evenly distributed: 24 random bits each in float32, 53 in float64.

        Raises ValueError unless low <= high and both, and their distance, are finite; TypeError for other dtypes.
        """
        device = drawing_device("uniform", device, low, high)
        low, high = drawn("uniform: low", low, ANY, device), drawn("uniform: high", high, ANY, device)
        number = float_number("uniform", dtype)
        largest = largest_of(number)
        for what, value in (("low", low), ("high", high)):
            check_range(f"uniform: {what}", value, (f"finite in {DTYPES[number].name}", -largest, largest))
        check_range("uniform: high - low", high - low, ("finite, with low <= high", 0.0, largest))
        return self._real("uniform", device, dtype, shape, low, high)

    def standard_normal(self, shape: Sizes = (), dtype: DTypeLike | None = None, device: str | None = None) -> NDArray:
        """Normally distributed numbers of mean 0 and standard deviation 1."""
        return self.normal(shape, dtype=dtype, device=device)

    def normal(
        self,
        shape: Sizes | None = None,
        mean: Parameter = 0.0,
        std: Parameter = 1.0,
        dtype: DTypeLike | None = None,
        device: str | None = None,
    ) -> NDArray:
        """Normally distributed numbers.  Box & Muller 1958, https://doi.org/10.1214/aoms/1177706645.

        Raises ValueError if std is negative or not finite, TypeError for dtypes other than float32 and float64.
        """
        device = drawing_device("normal", device, mean, std)
        mean, std = drawn("normal: mean", mean, FINITE, device), drawn("normal: std", std, NOT_NEGATIVE, device)
        return self._real("normal", device, dtype, shape, mean, std)

    def truncated_normal(
        self,
        low: Parameter,
        high: Parameter,
        mean: Parameter = 0.0,
        std: Parameter = 1.0,
        shape: Sizes | None = None,
        dtype: DTypeLike | None = None,
        device: str | None = None,
    ) -> NDArray:
        """Normal numbers of `mean` and `std` on condition that they lie in [low, high], exact in far tails too.

        low, high: the ends themselves, not their distance from the mean in standard deviations; either may be infinite.
        Robert 1995, https://doi.org/10.1007/BF00143942.  Raises ValueError unless low <= high and std > 0.
        """
        name = "truncated_normal"
        device = drawing_device(name, device, low, high, mean, std)
        low, high = drawn(f"{name}: low", low, ANY, device), drawn(f"{name}: high", high, ANY, device)
        check_range(f"{name}: low", low, ("below infinity", -math.inf, LARGEST))
        check_range(f"{name}: high", high, ("above -infinity", -LARGEST, math.inf))
        check_range(f"{name}: high - low", high - low, ("at least 0", 0.0, math.inf))
        mean, std = drawn(f"{name}: mean", mean, FINITE, device), drawn(f"{name}: std", std, POSITIVE, device)
        return self._real(name, device, dtype, shape, low, high, mean, std)

    def exponential(
        self,
        scale: Parameter = 1.0,
        shape: Sizes | None = None,
        dtype: DTypeLike | None = None,
        device: str | None = None,
    ) -> NDArray:
        """Exponentially distributed numbers of mean `scale`, 1 / rate.  Raises ValueError if it is negative."""
        device = drawing_device("exponential", device, scale)
        scale = drawn("exponential: scale", scale, NOT_NEGATIVE, device)
        return self._real("exponential", device, dtype, shape, 0.0, scale)

    def laplace(
        self,
        loc: Parameter = 0.0,
        scale: Parameter = 1.0,
        shape: Sizes | None = None,
        dtype: DTypeLike | None = None,
        device: str | None = None,
    ) -> NDArray:
        """Numbers of density exp(-|x - loc| / scale) / (2 scale).  Raises ValueError if scale is negative."""
        return self._placed("laplace", loc, scale, shape, dtype, device)

    def gumbel(
        self,
        loc: Parameter = 0.0,
        scale: Parameter = 1.0,
        shape: Sizes | None = None,
        dtype: DTypeLike | None = None,
        device: str | None = None,
    ) -> NDArray:
        """Largest values: numbers of distribution exp(-exp(-(x - loc) / scale)).  Raises ValueError if scale < 0."""
        return self._placed("gumbel", loc, scale, shape, dtype, device)

    def _placed(
        self,
        name: str,
        loc: Parameter,
        scale: Parameter,
        shape: Sizes | None,
        dtype: DTypeLike | None,
        device: str | None,
    ) -> NDArray:
        device = drawing_device(name, device, loc, scale)
        loc, scale = drawn(f"{name}: loc", loc, FINITE, device), drawn(f"{name}: scale", scale, NOT_NEGATIVE, device)
        return self._real(name, device, dtype, shape, loc, scale)

    def gamma(
        self,
        shape_parameter: Parameter,
        scale: Parameter = 1.0,
        shape: Sizes | None = None,
        dtype: DTypeLike | None = None,
        device: str | None = None,
    ) -> NDArray:
        """Gamma distributed numbers of mean shape_parameter * scale.

        Marsaglia & Tsang 2000, https://doi.org/10.1145/358407.358414.  Far below 1 a shape_parameter gives numbers
        too small for the dtype, which are 0.  Raises ValueError unless shape_parameter > 0 and scale >= 0.
        """
        device = drawing_device("gamma", device, shape_parameter, scale)
        first = drawn("gamma: shape_parameter", shape_parameter, POSITIVE, device)
        return self._real("gamma", device, dtype, shape, first, drawn("gamma: scale", scale, NOT_NEGATIVE, device))

    def beta(
        self,
        a: Parameter,
        b: Parameter,
        shape: Sizes | None = None,
        dtype: DTypeLike | None = None,
        device: str | None = None,
    ) -> NDArray:
        """Beta distributed numbers in [0, 1], of mean a / (a + b): x / (x + y) of two gamma numbers.

        Raises ValueError unless a > 0 and b > 0.
        """
        number = float_number("beta", dtype)
        device = drawing_device("beta", device, a, b)
        first, second = drawn("beta: a", a, POSITIVE, device), drawn("beta: b", b, POSITIVE, device)
        sizes, values = spread("beta", shape, first, second)
        y: NDArray = stream_on(device, self._stream).beta(sizes, number, *values)
        return y
