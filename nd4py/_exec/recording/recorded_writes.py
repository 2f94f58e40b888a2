"""Writing to arrays that are recorded: from then on another value stands for them."""

from __future__ import annotations

from typing import Any

from ..._core.devices import asked_function
from ..autodiff.nodes import is_array
from ..device.inner_family import values_for
from .recorded_array import RecordedArray, has_views, public_function
from .recorded_operands import example, is_watched, noted
from .recordings import NotRecorded

FROM_OUTSIDE = "{}: an array that is not made of the inputs cannot hold them; use nd.zeros_like(x) or nd.concat"


def check_written(name: str, target: Any) -> None:
    """Raises ValueError for an array that is read-only, NotRecorded where others share its elements."""
    if type(target) is not RecordedArray:
        raise NotRecorded(FROM_OUTSIDE.format(name))
    if not target.is_writable:
        raise ValueError(f"{name}: this array is read-only; write to a copy, x.copy()")
    if has_views(target):
        if asked := asked_function(""):
            raise NotRecorded(f"{asked} writes to an array by a view of it")
        raise NotRecorded(f"{name}: writing to an array while views of it are in use; write to a copy, x.copy()")


def replaced(name: str, target: Any, y: Any) -> None:
    """The elements of `y`, an array of the recording of the same shape and dtype, in the place of all of `target`."""
    check_written(name, target)
    target.value, target.source = y.value, y.source


def assigned(name: str, target: Any, value: Any) -> Any:
    """`value` as it may be written to `target`."""
    if is_watched(x for x in (target, value) if is_array(x)):
        raise ValueError(f"{name}: gradients do not flow through x[...] = value; use where or concat instead")
    check_written(name, target)
    return values_for(name, target, value)


def setitem(x: Any, key: Any, value: Any) -> None:
    """x[key] = value.  Raises NotRecorded for an array from outside, and a key of masks that are recorded."""
    given = assigned("assignment", x, value)
    given = given.astype(x.dtype, copy=False)
    items = key if isinstance(key, tuple) else (key,)
    if any(type(item) is RecordedArray for item in items):
        if len(items) != 1 or items[0].dtype != "bool" or items[0].shape != x.shape or given.size != 1:
            raise NotRecorded("assignment to places that depend on the inputs; use nd.where(condition, a, b)")
        replaced("assignment", x, public_where(items[0], given.reshape(()), x))
        return
    changed = x.value.copy()
    changed[key] = example(given)
    replaced("assignment", x, noted("assign", "assignment", (x, given), {"key": items}, changed))


def assign(target: Any, key: Any, value: Any) -> None:
    """target[key] = value for a key of ints, slices, None and an Ellipsis."""
    setitem(target, key, value)


def public_where(mask: Any, x1: Any, x2: Any) -> Any:
    """`where`, which is recorded."""
    return public_function("where")(mask, x1, x2)
