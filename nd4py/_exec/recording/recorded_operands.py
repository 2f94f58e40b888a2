"""Operands and results of operations that are recorded."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ..autodiff.nodes import is_array, without_node
from .recorded_array import RecordedArray, inner_node, recorded
from .recordings import Call, Recording, Value


def recording_of(operands: Iterable[Any]) -> Recording:
    """The recording that operands belong to."""
    found: Recording = next(x.recording for x in operands if type(x) is RecordedArray)
    return found


def example(x: Any) -> Any:
    """The array of the example, or an array from outside, computed and without a node of the tape; anything else as it
    is."""
    if type(x) is RecordedArray:
        return x.value.block()
    return without_node(x).block() if is_array(x) else x


def source(x: Any) -> Any:
    """What stands for an operand in a recording."""
    if isinstance(x, list):
        return [source(item) for item in x]
    if type(x) is RecordedArray:
        return x.source
    return example(x).detach() if is_array(x) else x  # a workspace may be closed before the file is written


def is_watched(operands: Iterable[Any]) -> bool:
    """Whether the tape watches an operand."""
    return any(inner_node(x) is not None if type(x) is RecordedArray else is_tracked(x) for x in operands)


def is_tracked(x: Any) -> bool:
    """Whether the tape watches an array from outside."""
    return is_array(x) and x.node is not None


def each(change: Callable[[Any], Any], result: Any) -> Any:
    """A result, or each one of a tuple, changed."""
    if isinstance(result, tuple):
        items = [change(item) for item in result]
        return result._make(items) if hasattr(result, "_make") else tuple(items)
    return change(result)


def noted(
    kind: str, name: str, operands: tuple[Any, ...], settings: dict[str, Any], results: Any, family: str = ""
) -> Any:
    """Results of an operation on the example as arrays of the recording, in which it is noted."""
    recording = recording_of(item for x in operands for item in (x if isinstance(x, list) else (x,)))
    values: list[Value] = []

    def wrapped(y: Any) -> Any:
        if not is_array(y):
            return y
        values.append(Value(y.shape, y.dtype))
        return recorded(y, recording, values[-1])

    outputs = each(wrapped, results)
    recording.note(Call(kind, name, tuple(map(source, operands)), settings, tuple(values), family=family))
    return outputs
