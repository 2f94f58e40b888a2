"""Rules for recordings: an operation runs on the arrays of the example, and is noted with its operands.

Design: one rule for each way in which dispatch asks a family of arrays, so that there is none past them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..._core.annotations import DTypeLike, Shape
from ..._core.devices import UnsupportedOnDevice
from ..._core.dtype import dtype_of
from ..._core.layout.shape import normalize_axis
from ..._spec.ops import ALL
from ..autodiff.nodes import is_array
from ..autodiff.row_gradients import record_reduction
from ..autodiff.view_gradients import record_cast
from ..conversion import filled as filled_on_host
from ..reductions import argreduce, reduce
from .recorded_array import RecordedArray, inner_node, public_function, recorded
from .recorded_operands import each, example, is_watched, noted, recording_of, source
from .recordings import Call, NotRecorded, Value


def axes_of(name: str, axis: Any, ndim: int) -> Shape:
    """The axes to reduce, in order.  Raises ValueError."""
    if axis is None:
        return tuple(range(ndim))
    axes = tuple(sorted(normalize_axis(i, ndim) for i in (axis if isinstance(axis, tuple | list) else (axis,))))
    if len(set(axes)) != len(axes):
        raise ValueError(f"{name}: axis names one axis twice, given {axis}")
    return axes


def with_ones(shape: Shape, axes: Shape) -> Shape:
    """`shape` with the size 1 along `axes`."""
    return tuple(1 if i in axes else size for i, size in enumerate(shape))


def reduction(op: int, x: Any, axis: Any, dtype: DTypeLike | None, keepdims: bool) -> Any:
    """A reduction."""
    given = x if dtype is None else x.astype(dtype, copy=False)
    axes = axes_of(ALL[op].name, axis, x.ndim)
    results = reduce(op, example(given), axes, dtype, keepdims)
    y = noted("reduction", ALL[op].name, (given,), {"axes": axes, "keepdims": bool(keepdims)}, results)
    if inner_node(given) is None:
        return y
    kept = y.reshape(tuple(n for i, n in enumerate(x.shape) if i not in axes)) if keepdims else y
    tracked = record_reduction(op, given, axes, kept)
    return tracked.reshape(with_ones(x.shape, axes)) if keepdims else tracked


def argreduction(op: int, x: Any, axis: int | None, keepdims: bool) -> Any:
    """The position of the best element along an axis, or in the whole array."""
    axes = axes_of(ALL[op].name, axis, x.ndim)
    results = argreduce(op, example(x), axis, keepdims)
    along = None if axis is None else axes[0]
    return noted("position", ALL[op].name, (x,), {"axis": along, "keepdims": bool(keepdims)}, results)


def conversion(x: Any, dtype: DTypeLike, copy: bool) -> Any:
    """The elements as another dtype."""
    if not copy and dtype_of(dtype) == x.dtype:
        return x
    y = noted("conversion", "astype", (x,), {}, x.value.astype(dtype, copy=True))
    return y if inner_node(x) is None else record_cast(x, y)


def product(x1: Any, x2: Any) -> Any:
    """A matrix product."""
    return noted("product", "matmul", (x1, x2), {}, example(x1) @ example(x2))


def join(arrays: Sequence[Any], axis: int, is_new_axis: bool) -> Any:
    """Arrays one after the other."""
    along = normalize_axis(axis, arrays[0].ndim + is_new_axis)
    results = public_function("stack" if is_new_axis else "concat")([example(x) for x in arrays], along)
    return noted("join", "concat", (list(arrays),), {"axis": along, "is_new_axis": is_new_axis}, results)


def filled(x: Any, shape: Shape, dtype: Any, value: Any) -> Any:
    """An array of the recording whose elements all are `value`."""
    y = filled_on_host(tuple(shape), dtype, value)
    result = Value(y.shape, y.dtype)
    x.recording.note(Call("filled", "full", (), {"shape": y.shape, "value": value}, (result,)))
    return recorded(y, x.recording, result)


def run_driver(name: str, module: str, driver: Callable[..., Any], operands: tuple[Any, ...], settings: Any) -> Any:
    """What a driver, named and from a module, gives for the example.  Raises NotRecorded where the tape would miss it,
    and for one that writes to an operand."""
    if name in WRITING:
        raise NotRecorded(f"{name}: writing to places that arrays name")
    if name in RECURRENCES:
        operands = (False, *operands[1:])  # without what a gradient needs: it is computed step by step
    results = driver(*[[example(y) for y in x] if isinstance(x, list) else example(x) for x in operands], **settings)
    return noted("driver", name, operands, dict(settings), results, family=module.rpartition(".")[2])


# Drivers that write to an operand.
WRITING = ("put_slices", "add_slices", "add_at", "write_selected")
RECURRENCES = ("gru", "lstm", "simple_rnn")


def differentiated(
    function: Callable[..., Any], vjp: Any, inputs: tuple[Any, ...], attributes: dict[str, Any], record: Any, watch: Any
) -> Any:
    """The result of a function with a gradient of its own, and of what it consists."""
    if is_watched(inputs):
        return record(function, vjp, inputs, attributes)
    recording = recording_of(inputs)
    operands = tuple(map(source, inputs))  # before: views of what was written are taken again out here
    before, recording.calls = recording.calls, []
    inner: list[Call] | None = recording.calls
    why = ""
    try:
        results = function(*inputs, **attributes)
    except UnsupportedOnDevice as error:
        results, inner, why = function(*map(example, inputs), **attributes), None, str(error)
    finally:
        recording.calls = before
    values: list[Value] = []

    def wrapped(y: Any) -> Any:
        if not is_array(y):
            return y
        array: Any = y
        if type(array) is not RecordedArray:
            values.append(Value(y.shape, y.dtype))
            return recorded(y, recording, values[-1])
        values.append(array.source)
        return y

    outputs = each(wrapped, results)
    recording.note(Call("function", function.__name__, operands, attributes, tuple(values), inner, why))
    return outputs
