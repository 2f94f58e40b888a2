"""Drivers of Fourier transforms, wherever the arrays are.

Design: pocketfft computes, through `numpy.fft`, which is there wherever nd4py is, into memory of our pool.  `scipy.fft`
was measured too: as fast in double precision, two to three times faster for many short float32 lines, half a second
slower to import, and an option that may be missing, on which results must not depend.  Single precision is computed in
double and rounded once: numpy.fft does the same with its own slower conversions, bit for bit.
"""

import numpy

from .._core.array import NDArray
from .._core.dtype import dtype_of
from .._exec.functions import by_place
from .._spec.dtypes import DEFAULT_COMPLEX, DEFAULT_FLOAT
from .creation import empty
from .data_types import complex64, float32

__all__: list[str] = []


def transformed_on_host(x: NDArray, steps: list[tuple[str, int, int]], norm: str) -> NDArray:
    """One of NumPy's transforms after the other, in double precision; what is ours and fits is overwritten."""
    y = x.astype(DEFAULT_COMPLEX if x.dtype.kind == "c" else DEFAULT_FLOAT, copy=False)
    for transform, n, axis in steps:
        shape = (*y.shape[:axis], n // 2 + 1 if transform == "rfft" else n, *y.shape[axis + 1 :])
        dtype = dtype_of(DEFAULT_FLOAT if transform == "irfft" else DEFAULT_COMPLEX)
        out = y if y is not x and y.shape == shape and y.dtype == dtype else empty(shape, dtype=dtype)
        getattr(numpy.fft, transform)(numpy.asarray(y), n, axis, norm, out=numpy.asarray(out))
        y = out
    if x.dtype in (float32, complex64):
        return y.astype(complex64 if y.dtype.kind == "c" else float32)
    return y


transformed = by_place("fourier_transforms", transformed_on_host)
