"""Drivers of Fourier transforms on the host and on devices.

Design: pocketfft computes, through `numpy.fft`, which is there wherever nd4py is, into memory of our pool.  `scipy.fft`
was measured too: as fast in double precision, two to three times faster for many short float32 lines, half a second
slower to import, and an option that may be missing, on which results must not depend.  Single precision is computed in
double and rounded once: numpy.fft does the same with its own slower conversions, bit for bit.
"""

from __future__ import annotations

from typing import Any

import numpy

from ..._core.array.array import NDArray
from ..._core.dtype import dtype_of
from ..._spec.dtypes import BY_NAME, COMPLEX_OF, DEFAULT_COMPLEX, DEFAULT_FLOAT
from ..creation import empty
from ..dispatch.by_backend import by_backend

PIECE_ELEMENTS = 1 << 20  # between two looks for signals


def transformed_on_host(x: NDArray, steps: list[tuple[str, int, int]], norm: str) -> NDArray:
    """One of NumPy's transforms after the other, in double precision; what is ours and fits is overwritten."""
    y = x.astype(DEFAULT_COMPLEX if x.dtype.kind == "c" else DEFAULT_FLOAT, copy=False)
    for transform, n, axis in steps:
        shape = (*y.shape[:axis], n // 2 + 1 if transform == "rfft" else n, *y.shape[axis + 1 :])
        dtype = dtype_of(DEFAULT_FLOAT if transform == "irfft" else DEFAULT_COMPLEX)
        out = y if y is not x and y.shape == shape and y.dtype == dtype else empty(shape, dtype=dtype)
        transform_lines(getattr(numpy.fft, transform), numpy.asarray(y), n, axis, norm, numpy.asarray(out))
        y = out
    part = BY_NAME[x.dtype.name].real
    if part in COMPLEX_OF and part != DEFAULT_FLOAT:
        return y.astype(COMPLEX_OF[part] if y.dtype.kind == "c" else part)
    return y


def transform_lines(transform: Any, x: Any, n: int, axis: int, norm: str, out: Any) -> None:
    """Transform some lines at a time where there are many elements: Python looks for signals in between."""
    others = [i for i in range(x.ndim) if i != axis]
    longest = max(others, key=lambda i: x.shape[i], default=axis)
    step = max(PIECE_ELEMENTS * x.shape[longest] // max(x.size, out.size, 1), 1)
    if longest == axis or step >= x.shape[longest]:
        transform(x, n, axis, norm, out=out)
        return
    for first in range(0, x.shape[longest], step):
        index = (slice(None),) * longest + (slice(first, first + step),)
        transform(x[index], n, axis, norm, out=out[index])


transformed = by_backend("fourier_transforms", transformed_on_host)
