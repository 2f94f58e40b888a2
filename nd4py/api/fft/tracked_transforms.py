"""Discrete Fourier transforms on the tape."""

from __future__ import annotations

from ..._core.array.array import NDArray
from ..._exec.autodiff.tape import linear, real_part
from ..._exec.device.placement import filled_beside
from ..._exec.drivers.fourier_drivers import transformed
from ..elementwise.elementwise import where
from ..manipulation.manipulation import concat
from ..operands import numbers_beside

# What stands for a transform in the gradient.
ADJOINT = {"fft": "ifft", "ifft": "fft", "rfft": "ifft", "irfft": "rfft"}
# The norm of the inverse.
OPPOSITE = {"backward": "forward", "forward": "backward", None: "forward"}


def tracked_transform(x: NDArray, transform: str, n: int, axis: int, norm: str) -> NDArray:
    """One transform on the tape: it is linear, and its gradient is its adjoint, the opposite transform as a rule."""
    back, is_real, size = ADJOINT[transform], x.dtype.kind == "f", x.shape[axis]

    def run(values: NDArray) -> NDArray:
        return transformed(values, [(transform, n, axis)], norm)

    def adjoint(g: NDArray) -> NDArray:
        if transform == "rfft":
            g = fitted(g, n, axis)
        y = transformed(g, [(back, n, axis)], OPPOSITE.get(norm, norm))
        if transform == "irfft":  # every number but the first, and the last of an even n, stands for two
            k = numbers_beside(y, 0, y.shape[axis])
            counts = where((k == 0) | (2 * k == n), 1.0, 2.0).astype(real_part(y).dtype)
            y = y * counts.reshape((-1, *(1,) * (y.ndim - axis - 1)))
        return fitted(real_part(y) if is_real else y, size, axis)

    return linear(x, run, adjoint)


def fitted(x: NDArray, n: int, axis: int) -> NDArray:
    """`x` with an axis cut, or filled up with zeros, to n numbers."""
    size = x.shape[axis]
    if n <= size:
        return x[(slice(None),) * axis + (slice(n),)]
    rest = filled_beside(x, (*x.shape[:axis], n - size, *x.shape[axis + 1 :]), x.dtype, 0)
    return concat([x, rest], axis=axis)
