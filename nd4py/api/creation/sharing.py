"""Arrays over the memory of other objects, without a copy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy

from ..._core.annotations import DTypeLike, Sizes
from ..._core.array.array import NDArray
from ..._core.array.released import type_name
from ..._core.dtype import PYTHON_TYPES, dtype_of
from ..._core.interop.buffers import (
    from_array_interface,
    from_buffer,
    from_capsule,
    from_raw_bytes,
    has_buffer,
    reinterpret,
)
from ..._core.interop.buffers import held_still as held_still
from ..._core.lazy_modules import LazyModule
from ..._core.whole_numbers import count as count_of
from ..._core.whole_numbers import whole
from ..._exec.conversion import astype, with_values
from ..arguments import tells_its_name

if TYPE_CHECKING:
    from ..._core.interop import arrow
else:
    arrow = LazyModule("nd4py._core.interop.arrow", globals())

__all__: list[str] = []

SEQUENCES = (list, tuple, range, *PYTHON_TYPES)
OTHER_WAYS = ("__arrow_c_array__", "__dlpack__", "__array_interface__", "__array__")


def existing(obj: Any, copy: bool | None = None) -> NDArray | None:
    """The array over the memory of `obj`, or None if it has none to share.  Where NumPy must copy first, so it does
    unless `copy` is false."""
    kind = type(obj)
    if kind is numpy.ndarray:  # the commonest two are told at once
        return from_numpy(obj, copy)
    if kind is list:
        return None
    if isinstance(obj, NDArray):
        return with_values(obj)
    if isinstance(obj, numpy.ndarray):
        if isinstance(obj, numpy.ma.MaskedArray):
            raise TypeError("asarray: nd4py has no masks; give x.filled(value), such as x.filled(nan)")
        return from_numpy(obj, copy)
    if isinstance(obj, numpy.generic):
        return from_numpy(numpy.asarray(obj), copy)
    if isinstance(obj, SEQUENCES):
        return None
    type_name(obj)  # raises for arrays whose memory is gone, or on a device
    try:
        return from_buffer(obj, copy)
    except TypeError:
        if has_buffer(obj) and not any(hasattr(obj, name) for name in OTHER_WAYS):
            raise
    if hasattr(type(obj), "__array_interface__"):  # before Arrow, which knows one axis: Pillow's images have both
        return from_array_interface(obj, copy)
    if hasattr(obj, "__arrow_c_array__") and (shared := arrow.from_arrow(obj, copy)) is not None:
        return shared
    if hasattr(obj, "__arrow_c_array__") and hasattr(obj, "__dlpack__"):  # one column; tables have no DLPack
        raise TypeError(f"asarray: no dtype for the elements of {type_name(obj)}; convert them to numbers first")
    if hasattr(obj, "__dlpack__"):
        return from_dlpack(obj)
    if hasattr(obj, "__array_interface__"):
        return from_array_interface(obj, copy)
    if hasattr(obj, "__array__"):
        return from_numpy(numpy.asarray(obj), copy)
    return None


def from_numpy(x: Any, copy: bool | None) -> NDArray:
    """The array over a NumPy array's memory; bfloat16 is told apart by name, foreign byte orders are converted.

    Raises ValueError where `copy` is false and the elements must be rearranged first.
    """
    try:
        return from_buffer(x, copy)  # at once where nothing needs care: to ask first takes as long again
    except (TypeError, ValueError, BufferError):
        dtype = x.dtype
    if dtype.kind not in "biufc":
        if dtype.name == "bfloat16":
            return reinterpret(from_buffer(x.view("uint16")), dtype_of("bfloat16"))
        raise TypeError(f"asarray: no dtype for NumPy's {dtype}; convert it to numbers first")
    if not dtype.isnative or not x.flags.aligned:
        if copy is False:
            raise ValueError("asarray: elements out of alignment or byte order need a copy; pass copy=None")
        x = x.astype(dtype.newbyteorder("="))
    return from_buffer(x)


def from_dlpack(x: Any, /, *, copy: bool | None = None, is_moved: bool = False) -> NDArray:
    """The array over the memory of an object with `__dlpack__`, in host memory; `is_moved` asks its owner for that."""
    if not hasattr(x, "__dlpack__"):
        raise TypeError(f"from_dlpack: {type_name(x)} has no __dlpack__ method")
    if getattr(x, "is_neg", bool)():  # PyTorch lends numbers whose signs are still to be changed
        x = x.resolve_neg()
    asked: dict[str, Any] = {"max_version": (1, 0)}
    if copy is not None:
        asked["copy"] = copy
    if is_moved:
        asked["dl_device"] = (1, 0)
    try:
        capsule = x.__dlpack__(**asked)
    except TypeError:  # an exporter of before DLPack 1.0 has no such keywords
        shared = from_capsule(x.__dlpack__())
        return astype(shared, shared.dtype) if copy else shared
    return from_capsule(capsule)


@tells_its_name
def frombuffer(
    buffer: Any, dtype: DTypeLike = float, count: int = -1, offset: int = 0, *, shape: Sizes | None = None
) -> NDArray:
    """An array over the bytes of `buffer`, read as elements of `dtype`; `shape` defaults to one axis.

    dtype: one in the other order of bytes, such as ">i4", is read too: the array is then a copy in the own order.
    count: how many elements, all that follow for -1; offset: the byte to start at.
    Raises ValueError when the bytes do not divide into elements, are too few, or do not fill `shape`.

    >>> nd.frombuffer(b"\x01\x02\x03", dtype="uint8")
    array([1, 2, 3], dtype=uint8)
    """
    foreign = foreign_order(dtype)
    target = dtype_of(dtype if foreign is None else foreign.newbyteorder("="))
    if offset != 0 or count != -1:
        buffer = bytes_between(buffer, whole("frombuffer: count", count), offset, target.itemsize)
    x = from_raw_bytes(buffer, target)
    if foreign is not None:
        x = from_buffer(numpy.asarray(x).byteswap())
    return x if shape is None else x.reshape(shape)


def foreign_order(dtype: Any) -> Any:
    """NumPy's dtype for one of numbers in the order of bytes that this processor does not have; None for others."""
    if not isinstance(dtype, str | numpy.dtype):
        return None
    try:
        found = numpy.dtype(dtype)
    except TypeError:
        return None
    return found if not found.isnative and found.kind in "iufc" and found.names is None else None


def bytes_between(buffer: Any, n_elements: int, offset: Any, itemsize: int) -> memoryview:
    """The bytes of `n_elements` from `offset` on, or all from there on."""
    try:
        data = memoryview(buffer).cast("B")
    except TypeError:
        raise TypeError(f"frombuffer: needs contiguous bytes, given {type_name(buffer)}") from None
    start = count_of("frombuffer: offset", offset)
    end = data.nbytes if n_elements < 0 else start + n_elements * itemsize
    if max(start, end) > data.nbytes:
        raise ValueError(f"frombuffer: bytes {start} to {end} asked for, there are {data.nbytes}")
    return data[start:end]
