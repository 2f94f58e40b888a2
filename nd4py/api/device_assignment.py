"""x[key] = value on devices, where the key holds arrays."""

from math import prod
from typing import Any

from .._core.annotations import Operand
from .._core.array import NDArray
from .._core.array_base import mark_written
from .._core.devices import UnsupportedOnDevice, backends
from .._exec.device_functions import apart_elsewhere, fetched
from .._exec.devices import check_writable
from .._exec.placement import is_array
from .device_keys import Key, is_mask_of_none, is_whole_mask, joined, parse, seen_by
from .elementwise import where
from .index_drivers import beside, without_unit_axes, write_selected, write_slices
from .manipulation import ascontiguous

__all__: list[str] = []


def setitem(x: Any, key: Any, value: Operand) -> None:
    """x[key] = value on a device, where the key holds an array."""
    check_writable(x)
    if is_mask_of_none(key):
        if bool(key):
            x[...] = value
        return
    backend = backends[type(x)]
    if x.node is not None or getattr(value, "node", None) is not None:
        raise ValueError("assignment: gradients do not flow through x[...] = value; use where or concat instead")
    backend.prepare_to_write(x)
    mark_written(x)  # before: it may be interrupted
    try:
        if is_whole_mask(x, key):
            write_where(x, key, value)
        else:
            write_by(x, parse(x, key), value)
    except UnsupportedOnDevice:
        if not backend.falls_back("assignment by index"):
            raise
        host = backend.to_host(x)
        host[fetched(key)] = fetched(value)
        backend.write(x, backend.from_host(host, backend.place_of(x)))


def write_where(x: Any, mask: NDArray, value: Operand) -> None:
    """x[mask] = value for a mask of the shape of `x`: one element for all, or one for each that is set."""
    if not is_array(value) or value.size == 1:
        one = beside("assignment", x, value).reshape(())
        x[...] = where(mask, one, x)
        return
    values = ascontiguous(beside("assignment", x, value))
    if values.ndim != 1:
        values = without_unit_axes(values, 1)
    target = ascontiguous(x)
    n = write_selected(target, apart_elsewhere(ascontiguous(mask), target), apart_elsewhere(values, target))
    if values.shape != (n,):
        raise ValueError(f"assignment: values of shape {value.shape} do not fit the {n} elements of the mask")
    if target is not x:
        x[...] = target


def write_by(x: Any, key: Key, value: Operand) -> None:
    """x[key] = value."""
    source, before, behind = joined(x, key)
    shape = (*before, *key.numbers.shape, *behind)
    values = without_unit_axes(beside("assignment", x, value), len(shape)).broadcast_to(shape)
    target = source.copy()
    write_slices(
        target, key.numbers.reshape(-1), ascontiguous(values), (prod(before), source.shape[key.where], prod(behind))
    )
    seen = seen_by(x, key)
    seen[...] = target.reshape(seen.shape)
