"""Dtypes by name, and what they promote to."""

import functools

from .._core.annotations import DTypeLike
from .._core.array import NDArray
from .._core.dtype import ALL_DTYPES, DType, dtype_of
from .._spec.dtypes import promote

(
    bool,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
    float16,
    bfloat16,
    float32,
    float64,
) = ALL_DTYPES

__all__ = [
    "DType",
    "result_type",
    "bool",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "float16",
    "bfloat16",
    "float32",
    "float64",
]


def result_type(*arrays_and_dtypes: NDArray | DTypeLike) -> DType:
    """The dtype that arrays and dtypes promote to together.

    Raises TypeError where the array API defines none, such as int32 with float32.
    """
    if not arrays_and_dtypes:
        raise ValueError("result_type: needs one array or dtype at least")
    names = [item.dtype.name if isinstance(item, NDArray) else dtype_of(item).name for item in arrays_and_dtypes]
    return dtype_of(functools.reduce(promoted, names))


def promoted(left: str, right: str) -> str:
    """The common dtype of two names.  Raises TypeError without one."""
    name = promote(left, right)
    if name is None:
        raise TypeError(f"{left} and {right} have no common dtype; convert one of them with astype")
    return name
