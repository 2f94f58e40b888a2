"""Dtypes found for values: the common one of several, the smallest one of a number."""

from __future__ import annotations

from typing import Any

from ..._core.annotations import DTypeLike
from ..._core.dtype import ALL_DTYPES, DType, dtype_of
from ..._exec.concat import any_array
from ..._spec.dtypes import BY_NAME, COMPLEX_OF, DEFAULT_FLOAT
from .basic_creation import asarray
from .data_types import finfo, iinfo, result_type

__all__ = ["common_type", "min_scalar_type", "promote_types"]


def converted(value: Any, dtype: DType) -> Any:
    """`value` as an array of a dtype: what calling a dtype gives, `nd.float32([1, 2])`.

    Floats become integers by truncation, texts what they spell; ints that the dtype cannot hold raise OverflowError.
    """
    if isinstance(value, int | str):
        return asarray(value, dtype)
    return asarray(value).astype(dtype)


def promote_types(type1: DTypeLike, type2: DTypeLike, /) -> DType:
    """The dtype that two dtypes promote to: `result_type` of dtypes alone.

    type1, type2: dtypes.
    Raises TypeError for unknown dtypes, and for uint64 with signed integers, which have no common dtype.

    >>> nd.promote_types("int8", nd.float32)
    nd4py.float32
    """
    return result_type(dtype_of(type1), dtype_of(type2))


def common_type(*arrays: Any) -> DType:
    """The floating dtype that holds the elements of all arrays; integers count as float64.

    Raises TypeError for no arrays, and for bools, as NumPy does.

    >>> nd.common_type(nd.ones(2, dtype="float32"), nd.arange(3))
    nd4py.float64
    """
    if not arrays:
        raise TypeError("common_type: needs one array at least")
    names = [any_array(x).dtype for x in arrays]
    if "b" in (dtype.kind for dtype in names):
        raise TypeError("common_type: bools have no floating dtype; convert first, x.astype('float64')")
    return result_type(*(dtype if dtype.kind in "fc" else DEFAULT_FLOAT for dtype in names))


def min_scalar_type(a: Any) -> DType:
    """The smallest dtype that holds a number, of the lowest kind; of an array with dimensions its own dtype.

    Of floats the smallest that holds their magnitude, whatever becomes of their last digits.
    Raises TypeError for what is no number, OverflowError for ints that no dtype holds.

    >>> nd.min_scalar_type(-3), nd.min_scalar_type(70_000), nd.min_scalar_type(1e5)
    (nd4py.int8, nd4py.uint32, nd4py.float32)
    """
    x = any_array(a)
    if x.ndim:
        return x.dtype
    return smallest(x.item())


def smallest(value: Any) -> DType:
    """The smallest dtype of a Python number."""
    if isinstance(value, bool):
        return dtype_of("bool")
    if isinstance(value, int):
        integers = [dtype for dtype in ALL_DTYPES if dtype.kind == ("u" if value >= 0 else "i")]
        return next(dtype for dtype in integers if iinfo(dtype).min <= value <= iinfo(dtype).max)
    if isinstance(value, complex):
        parts = (smallest(value.real), smallest(value.imag))
        widest = max((BY_NAME[part.name] for part in parts), key=lambda row: row.itemsize).name
        return dtype_of(COMPLEX_OF.get(widest, COMPLEX_OF["float32"]))
    is_special = value - value != 0
    floats = [dtype for dtype in ALL_DTYPES if dtype.kind == "f" and dtype.name != "bfloat16"]
    return next(dtype for dtype in floats if is_special or abs(value) < finfo(dtype).max)
