"""Indexing by a parsed key, on the host and on devices, with its gradient."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..._core.annotations import Operand
from ..._core.array.array import NDArray
from ..._core.lazy_modules import LazyModule
from ..device.device_operations import is_elsewhere, rules_for, values_elsewhere
from .assignment import values_for
from .host_indexing import ADD, put
from .host_indexing import join_to_elements as join_to_elements
from .host_indexing import selected as selected_on_host
from .index_keys import Layout

if TYPE_CHECKING:
    from . import device_indexing
else:
    device_indexing = LazyModule(f"{__package__}.device_indexing", globals())


def getitem(x: NDArray, key: Any) -> NDArray:
    """x[key] on a device, where the key holds an array."""
    rules = rules_for((x, *key) if isinstance(key, tuple) else (x, key))
    return device_indexing.getitem(x, key) if rules is None else rules.getitem(x, key)


def setitem(x: NDArray, key: Any, value: Operand) -> None:
    """x[key] = value on a device, where the key holds an array."""
    if (rules := rules_for((x, value, *key) if isinstance(key, tuple) else (x, value, key))) is not None:
        rules.setitem(x, key, value)
    else:
        device_indexing.setitem(x, key, value)


def selected(x: NDArray, layout: Layout) -> NDArray:
    """The elements of `x` that the layout names.  Raises IndexError for an index out of range."""
    if (rules := rules_for((x, *layout.arrays))) is not None:
        return rules.selected(x, layout)
    if is_elsewhere(x) or is_elsewhere(layout.arrays[0]):
        return device_indexing.selected_elsewhere(x, layout)
    return selected_on_host(x, layout)


def add_at(x: NDArray, layout: Layout, values: NDArray) -> None:
    """Add `values` to the slices of the dense `x` that the layout's one array names; what is named twice gets both."""
    if (rules := rules_for((x, values, *layout.arrays))) is not None:
        rules.put(layout.of(x), list(layout.arrays), layout.axes, layout.where, values, True)
    elif is_elsewhere(x):
        device_indexing.add_elsewhere(x, layout, values)
    else:
        put(x, layout, values, ADD)


def values_beside(name: str, x: NDArray, value: Operand) -> NDArray:
    """A scalar or array as an array where `x` is.

    Raises TypeError for a higher kind, ValueError for an array on another device.
    """
    if (rules := rules_for((x, value))) is not None:
        found: NDArray = rules.values(name, x, value)
        return found
    return values_elsewhere(name, x, value) if is_elsewhere(x) else values_for(name, x, value)
