"""How arrays print, and how they become NumPy arrays."""

from typing import Any

import numpy

from .._core.array import NDArray
from .._core.hooks import install
from .._core.interop import reinterpret
from .._exec.nodes import constant
from .data_types import bfloat16, uint16

__all__ = []


def to_numpy(x: NDArray, dtype: Any = None, copy: bool | None = None) -> Any:
    """`x` as a NumPy array over the same memory; bfloat16 needs the package ml_dtypes.

    Raises ValueError if `copy` is false and `dtype` needs a copy.
    """
    x = constant(x)
    if x.dtype == bfloat16:
        try:
            import ml_dtypes
        except ImportError:
            raise TypeError("NumPy has no bfloat16; install ml_dtypes, or convert first, x.astype('float32')") from None
        values = numpy.asarray(memoryview(reinterpret(x, uint16))).view(ml_dtypes.bfloat16)
    else:
        values = numpy.asarray(memoryview(x))
    return numpy.array(values, dtype=dtype, copy=copy)


def represent(x: NDArray) -> str:
    """The array as text: values (shortened when there are many), and dtype."""
    shown = constant(x)
    if shown.dtype == bfloat16:
        shown = shown.astype("float32")
    values = numpy.array2string(numpy.asarray(memoryview(shown)), separator=", ", prefix="array(", threshold=1000)
    return f"array({values}, dtype={x.dtype})"


install(to_numpy=to_numpy, repr=represent)
