"""Text of arrays, and their conversion to NumPy arrays."""

from __future__ import annotations

from typing import Any

import numpy

from ..._core.array.array import NDArray
from ..._core.array.exits import refuse_tracked
from ..._core.interop.buffers import reinterpret
from ..._exec.autodiff.nodes import constant
from ..creation.data_types import bfloat16, uint16

__all__ = []

NEXT_LINE = "\n" + " " * len("array(")


def to_numpy(x: NDArray, dtype: Any = None, copy: bool | None = None) -> Any:
    """`x` as a NumPy array over the same memory; bfloat16 needs the package ml_dtypes.

    Raises ValueError if `copy` is false and `dtype` needs a copy, TypeError for bfloat16 without that package and for
    an array that is being differentiated.
    """
    refuse_tracked(x)
    return numpy.array(numpy_view(x), dtype=dtype, copy=copy)


def numpy_view(x: NDArray) -> Any:
    """The NumPy array over the memory of `x`."""
    if x.dtype == bfloat16:
        return numpy.asarray(memoryview(reinterpret(x, uint16))).view(x.dtype.__numpy_dtype__)
    return numpy.asarray(memoryview(x))


def in_named_dtype(x: Any) -> Any:
    """A NumPy array as one of the type that the name of its dtype stands for: C has two names for 64 bits."""
    return x.view(x.dtype.name) if x.dtype.kind in "iu" else x


def represent(x: NDArray) -> str:
    """The array as text: values (shortened when there are many, with the shape then), and dtype.

    The dtype stands in a line of its own where it would pass the width of lines, as NumPy has it.
    """
    options = numpy.get_printoptions()
    start = f"array({numpy.array2string(shown(x), separator=', ', prefix='array(')},"
    is_shown = x.size > options["threshold"] or (x.size == 0 and x.shape != (0,))
    end = f"shape={x.shape}, dtype={x.dtype})" if is_shown else f"dtype={x.dtype})"
    room = options["linewidth"] - len(start) + start.rfind("\n")
    return f"{start}{' ' if len(end) <= room else NEXT_LINE}{end}"


def text(x: NDArray) -> str:
    """The values as NumPy prints them, shortened when there are many."""
    return str(shown(x))


def shown(x: NDArray) -> Any:
    """The NumPy array that is printed for `x`."""
    x = constant(x)
    return numpy.asarray(memoryview(x.astype("float32") if x.dtype == bfloat16 else x))
