"""Rules for scans in a batch: their axis counts one more."""

from __future__ import annotations

from typing import Any

from ..._core.annotations import DTypeLike
from ..._core.layout.shape import normalize_axis
from ..._spec.ops import ALL
from ..autodiff.nodes import is_watched_outside, with_node, without_node
from ..autodiff.tape import Node, is_floating
from ..device.device_operations import rules_for
from ..scans import gradient, scan
from .batch_operands import SECOND, batch_of
from .batched_array import BatchedArray, batched, inner_node
from .open_batches import NoBatchRule


def running(op: int, x: Any, axis: int | None, dtype: DTypeLike | None, include_initial: bool) -> Any:
    """A scan: its axis counts one more."""
    batch = batch_of((x,))
    source = x if dtype is None else x.astype(dtype, copy=False)
    if source.ndim == 0:
        source = source.reshape(1)
    if axis is None and source.ndim > 1:
        raise ValueError(f"{ALL[op].name}: an array of shape {x.shape} needs an axis to run along; pass axis=")
    along = normalize_axis(0 if axis is None else axis, source.ndim)
    y = batched(scan(op, source.value, along + 1, dtype, include_initial), batch)
    return running_recorded(op, source, along, y, include_initial) if inner_node(source) is not None else y


def running_recorded(op: int, x: Any, axis: int, y: Any, include_initial: bool) -> Any:
    """The result of a scan with its node on the tape inside."""
    if not is_floating(y):
        return y
    batch = x.batch
    check_once(x)
    source: Any = without_node(x)
    later = (*(slice(None),) * axis, slice(1, None)) if include_initial else ...
    results: Any = y[later]

    def pull(g: Any) -> list[Any]:
        check_once(g)
        g = g[later].astype(source.dtype, copy=False)
        return [batched(line_gradient(op, g.value, source.value, results.value, axis + 1), batch)]

    def again(g: Any, node: Any) -> None:
        raise NoBatchRule("a gradient of the gradient of a scan")

    return with_node(y, Node([inner_node(x)], pull, [source, y], again))


def check_once(x: Any) -> None:
    """Raises NoBatchRule for an array that the tape outside of the batch watches too."""
    if is_watched_outside(x):
        raise NoBatchRule(SECOND)


def line_gradient(op: int, g: Any, x: Any, y: Any, axis: int) -> Any:
    """What reaches `x` from the gradient of the results of a scan, of values of any kind."""
    if type(x) is BatchedArray:
        return batched(line_gradient(op, g.value, x.value, y.value, axis + 1), x.batch)
    rules: Any = rules_for((x,))
    return gradient(op, g, x, y, axis) if rules is None else rules.scan_gradient(op, g, x, y, axis)
