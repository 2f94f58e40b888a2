"""Scans, recorded, and their gradients, which are operations of their own."""

from __future__ import annotations

from typing import Any

from ..._core.annotations import DTypeLike
from ..._core.layout.shape import normalize_axis
from ..._spec.ops import ALL
from ..autodiff import scan_slopes
from ..autodiff.nodes import constant, with_node
from ..autodiff.tape import Node, is_floating
from ..scans import gradient, scan
from .recorded_array import inner_node
from .recorded_operands import example, noted


def running(op: int, x: Any, axis: int | None, dtype: DTypeLike | None, include_initial: bool) -> Any:
    """A scan, with its node on the tape."""
    given = x if dtype is None else x.astype(dtype, copy=False)
    given = given if given.ndim else given.reshape(1)
    results = scan(op, example(given), axis, dtype, include_initial)
    along = normalize_axis(0 if axis is None else axis, given.ndim)
    settings = {"axis": along, "include_initial": bool(include_initial)}
    y = noted("scan", ALL[op].name, (given,), settings, results)
    if inner_node(given) is None or not is_floating(y):
        return y
    source = constant(given)
    later = (*(slice(None),) * along, slice(1, None)) if include_initial else ...
    after = constant(y)[later]

    def pull(g: Any) -> list[Any]:
        return [scan_gradient(op, g[later], source, after, along)]

    def again(g: Any, node: Any) -> list[Any]:
        on_tape = with_node(source, node.parents[0])
        return [scan_slopes.gradient_on_the_tape(op, g[later], on_tape, along, running)]

    return with_node(y, Node([inner_node(given)], pull, [source, y], again))


def scan_gradient(op: int, g: Any, x: Any, y: Any, axis: int) -> Any:
    """What reaches `x` from the gradient of the results of a scan."""
    if ALL[op].vjp == ("g", "g"):
        return scan_slopes.gradient_on_the_tape(op, g, x, axis, running)
    g, wanted = g.astype(y.dtype, copy=False), x.dtype
    found: Any = gradient(op, example(g), example(x), example(y), axis)
    operands = tuple(each.astype(y.dtype, copy=False) for each in (g, x, y))
    settings = {"axis": axis, "row": ALL[op]}
    found = noted("scan_gradient", ALL[op].name, operands, settings, found.astype(y.dtype, copy=False))
    return found.astype(wanted, copy=False)
