"""The variance of complex numbers: that of their real parts and that of their imaginary parts together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..._core.array.array import NDArray
from ..elementwise.elementwise import add, imag, real


def variance_of_both_parts(variance: Callable[..., NDArray], x: NDArray, mean: Any, **given: Any) -> NDArray:
    """The sum of what `variance` returns for the two parts of `x`, with the parts of its mean where that is known."""
    means = (None, None) if mean is None else (real(mean), imag(mean))
    return add(variance(real(x), mean=means[0], **given), variance(imag(x), mean=means[1], **given))
