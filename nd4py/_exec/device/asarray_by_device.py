"""asarray and from_dlpack on the device that is asked for."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from ..._core.annotations import DTypeLike
from ..._core.array.array import NDArray
from ..._core.devices import backends
from ..._core.dtype import dtype_of
from ..creation import fresh
from . import placement

DLPACK_FAMILIES = {2: "cuda"}  # by DLPack's number of the kind of device


def is_host_enough(device: str | None) -> bool:
    """Whether no device is asked for, and no array can be on one: as in most processes."""
    return device is None and not placement.is_chosen and not backends


def array_on(
    make: Callable[..., NDArray], obj: Any, dtype: DTypeLike | None, device: str | None, copy: bool | None
) -> NDArray:
    """`obj` as an array, which `make` makes on the host; None as a device leaves arrays where they are.

    New arrays are made on the default device then.
    Raises what the host's `asarray` does, ValueError for a device that does not exist.
    """
    if type(obj) in backends:
        return moved(obj, dtype, device, copy)
    target = placement.default_device() if device is None else device
    placement.check_device(target)
    if target == "cpu" or (device is None and isinstance(obj, NDArray)):
        x: NDArray = make(obj, dtype, copy=copy)
        return fresh(x) if copy or isinstance(obj, list | tuple | bool | int | float) else x
    if copy is False:
        raise ValueError(f"asarray: memory of the host on {target} needs a copy; pass copy=None")
    y: NDArray = placement.to_device(make(obj, dtype), target, None)
    return y


def moved(x: Any, dtype: DTypeLike | None, device: str | None, copy: bool | None) -> Any:
    """An array on a device, as `dtype` and on another device if they are given."""
    is_other = dtype is not None and dtype_of(dtype) != x.dtype
    is_moved = device is not None and device != x.device
    if copy is False and (is_other or is_moved):
        raise ValueError(f"asarray: {x.dtype} on {x.device} to {dtype or x.dtype} on {device or x.device} needs a copy")
    if is_other:
        x = x.astype(dtype)
    if is_moved:
        assert device is not None
        x = placement.to_device(x, device, None)
    return x.copy() if copy and not is_other and not is_moved else x


def lent_by_device(x: Any, copy: bool | None) -> Any:
    """The array over the memory of a device that an object with `__dlpack__` lends; None where that is the host's."""
    family = DLPACK_FAMILIES.get(dlpack_family(x))
    return None if family is None else placement.backend_of(family).from_dlpack(x, copy)


def dlpack_family(x: Any) -> int:
    """DLPack's number of the kind of device that `x` says it is on.  Raises TypeError where it says nothing such."""
    where = x.__dlpack_device__() if hasattr(x, "__dlpack_device__") else (1, 0)
    try:
        family, _ = where
        return operator.index(family)
    except (TypeError, ValueError):
        raise TypeError(f"from_dlpack: __dlpack_device__ must return two ints, given {where!r}") from None
