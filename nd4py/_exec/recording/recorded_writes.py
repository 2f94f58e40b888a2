"""Writing to arrays that are recorded: from then on another value stands for them."""

from __future__ import annotations

from typing import Any

from ..autodiff.nodes import is_array
from ..device.inner_family import values_for
from . import made_arrays
from .recorded_array import RecordedArray, is_view_at, replace
from .recorded_operands import example, is_watched, noted
from .recordings import NotRecorded

FROM_OUTSIDE = (
    "{}: an array that is not made of the inputs cannot hold them; make it in the function, by nd.zeros or y.copy(), "
    "or use nd.concat"
)


def refusal(name: str, target: Any) -> NotRecorded:
    """The error of writing to an array that is not recorded; one that was made in the function will be, next time."""
    made_arrays.want(target)
    return NotRecorded(FROM_OUTSIDE.format(name))


def check_written(name: str, target: Any) -> None:
    """Raises ValueError for an array that is read-only, NotRecorded for one from outside."""
    if type(target) is not RecordedArray:
        raise refusal(name, target)
    if not target.is_writable:
        raise ValueError(f"{name}: this array is read-only; write to a copy, x.copy()")


def replaced(name: str, target: Any, y: Any) -> None:
    """The elements of `y`, an array of the recording of the same shape and dtype, in the place of all of `target`, and
    of the array that it is a view of."""
    check_written(name, target)
    replace(target, y, spread)


def spread(x: Any, kind: str, detail: dict[str, Any], y: Any) -> Any:
    """`x` with `y` in the place of a view of it.  Raises NotRecorded where bytes are viewed as another dtype."""
    if kind == "permute_dims":
        return y.permute_dims(tuple(detail["axes"].index(i) for i in range(x.ndim)))
    if kind == "reshape":
        return y.reshape(x.shape)
    if kind == "getitem":
        return with_part(x, detail["key"], y)
    raise NotRecorded("writing to bytes that are viewed as another dtype")


def with_part(x: Any, key: tuple[Any, ...], y: Any) -> Any:
    """`x` with other elements where a key names them."""
    changed = x.value.copy()
    changed[key] = example(y)
    return noted("assign", "assignment", (x, y), {"key": key}, changed)


def assigned(name: str, target: Any, value: Any, is_converted: bool = True) -> Any:
    """`value` as it may be written to `target`, or added to it where it is not converted."""
    if is_watched(x for x in (target, value) if is_array(x)):
        raise ValueError(f"{name}: gradients do not flow through x[...] = value; use where or concat instead")
    check_written(name, target)
    return values_for(name, target, value, is_converted)


def setitem(x: Any, key: Any, value: Any) -> None:
    """x[key] = value for a key without arrays of the recording.  Raises NotRecorded for an array from outside."""
    items = key if isinstance(key, tuple) else (key,)
    if type(x) is RecordedArray and is_view_at(value, x, items):
        return  # x[key] += 1 has written to the view
    given = assigned("assignment", x, value)
    given = given.astype(x.dtype, copy=False)
    replaced("assignment", x, with_part(x, items, given))


def assign(target: Any, key: Any, value: Any) -> None:
    """target[key] = value for a key of ints, slices, None and an Ellipsis."""
    setitem(target, key, value)
