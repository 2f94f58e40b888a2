"""Scans, matrix products and slices by index on devices: checks as on the host, then the backend."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..._core.devices import Backend, UnsupportedOnDevice, backends
from ..._core.layout.layouts import dense
from ..._core.layout.layouts import inverse_of as inverse_of
from ..._core.layout.layouts import sizes_around as sizes_around
from ..._core.layout.shape import normalize_axis
from ..._core.lazy_modules import LazyModule
from ..._core.upcalls import fill
from ..._spec.dtypes import BY_NAME
from ..._spec.ops import ALL
from ..autodiff.nodes import constant, is_array, with_node
from ..autodiff.tape import Node, differentiable, is_floating, linear
from .device_operations import assign_elsewhere, astype_elsewhere, copy_elsewhere, filled_beside, rules_for

if TYPE_CHECKING:
    from ..autodiff import scan_slopes
else:
    scan_slopes = LazyModule("nd4py._exec.autodiff.scan_slopes", globals())

Shape = tuple[int, ...]


def common_device(name: str, *arrays: Any) -> tuple[Backend, int]:
    """(backend, device) of arrays that must all be on one device.  Raises ValueError where they are not."""
    first = arrays[0]
    backend = backends.get(type(first))
    device = -1 if backend is None else backend.device_of(first)
    if backend is None or any(type(x) is not type(first) or backend.device_of(x) != device for x in arrays):
        names = " and ".join(sorted({x.device for x in arrays}))
        raise ValueError(f"{name}: arrays on different devices, {names}; bring them together first, x.to_device(...)")
    return backend, device


def scan_elsewhere(
    op: int, x: Any, axis: int | None, dtype: Any, include_initial: bool, scan: Callable[..., Any]
) -> Any:
    """The running results of a row along an axis, as `scan` gives them on the host."""
    name = ALL[op].name
    if (rules := rules_for((x,))) is not None:
        return rules.scan(op, x, axis, dtype, include_initial)
    backend, device = common_device(name, x)
    source = x if dtype is None else x.astype(dtype, copy=False)
    if source.ndim == 0:
        source = source.reshape(1)
    if axis is None and source.ndim > 1:
        raise ValueError(f"{name}: an array of shape {source.shape} needs an axis to run along; pass axis=")
    along = normalize_axis(0 if axis is None else axis, source.ndim)
    try:
        y = backend.scan(op, source, along, include_initial)
        y = y if dtype is None else y.astype(dtype, copy=False)
    except UnsupportedOnDevice:
        if not backend.falls_back(name):
            raise
        host = scan(op, backend.to_host(source), along, dtype, include_initial)
        y = backend.from_host(host, device)
    if source.node is None or not is_floating(y):
        return y
    return tracked_scan(backend, op, source, along, y, include_initial, scan)


def tracked_scan(
    backend: Backend, op: int, source: Any, axis: int, y: Any, include_initial: bool, scan: Callable[..., Any]
) -> Any:
    """The result of a scan with its node on the tape."""
    x = constant(source)
    later = (*(slice(None),) * axis, slice(1, None)) if include_initial else ...
    results = y[later]

    def pull(g: Any) -> list[Any]:
        if x.dtype.kind == "c":
            return [scan_slopes.gradient_on_the_tape(op, g[later], x, axis, scan)]
        return [backend.functions["scan_gradient"](op, g[later].astype(x.dtype, copy=False), x, results, axis)]

    def again(g: Any, node: Any) -> list[Any]:
        source = with_node(x, node.parents[0])
        return [scan_slopes.gradient_on_the_tape(op, g[later], source, axis, scan)]

    return with_node(y, Node([source.node], pull, [x, y], again))


def matmul_elsewhere(x1: Any, x2: Any) -> Any:
    """The matrix product of arrays of one dtype on a device, as `nd4py.matmul` on the host."""
    if (rules := rules_for((x1, x2))) is not None:
        return rules.product(x1, x2)
    backend, device = common_device("matmul", x1, x2)
    if x1.ndim == 0 or x2.ndim == 0:
        raise ValueError(f"matmul: arrays need a dimension at least, given shapes {x1.shape} and {x2.shape}")
    rows = x1.reshape((1, *x1.shape)) if x1.ndim == 1 else x1
    columns = x2.reshape((*x2.shape, 1)) if x2.ndim == 1 else x2
    if rows.shape[-1] != columns.shape[-2]:
        raise ValueError(f"matmul: inner sizes differ, {x1.shape} @ {x2.shape}")
    batch = stacked(x1.shape, x2.shape, rows.shape[:-2], columns.shape[:-2])
    try:
        y = backend.matmul(rows, columns, batch)
    except UnsupportedOnDevice:
        if not backend.falls_back("matmul"):
            raise
        y = backend.from_host(backend.to_host(rows) @ backend.to_host(columns), device)
    if x1.ndim > 1 < x2.ndim:
        return y
    shape = (*batch, *(() if x1.ndim == 1 else rows.shape[-2:-1]), *(() if x2.ndim == 1 else columns.shape[-1:]))
    return y.reshape(shape)


def stacked(left: Shape, right: Shape, first: Shape, second: Shape) -> Shape:
    """The shape that two stacks of matrices broadcast to.  Raises ValueError naming the shapes of the operands."""
    if first == second:
        return first
    n = max(len(first), len(second))
    first, second = (1,) * (n - len(first)) + first, (1,) * (n - len(second)) + second
    if any(a != b and 1 not in (a, b) for a, b in zip(first, second, strict=True)):
        raise ValueError(f"matmul: the stacks of {left} and {right} do not broadcast")
    return tuple(b if a == 1 else a for a, b in zip(first, second, strict=True))


def take_vjp(g: Any, inputs: tuple[Any, Any], output: Any, attributes: Any) -> tuple[Any, None]:
    """Gradient of take: every element of g added to where it came from, halves as floats."""
    x, indices = inputs
    backend, axis = backends[type(x)], attributes["axis"]

    def spread(values: Any) -> Any:
        full = filled_beside(x, x.shape, BY_NAME[x.dtype.name].compute, 0)
        slices = dense(values.astype(full.dtype, copy=False))
        backend.functions["add_at"](full, indices, slices, sizes_around(x.shape, axis))
        return full.astype(x.dtype, copy=False)

    return linear(g, spread, lambda values: taken(values, indices, axis=axis)), None


@differentiable(take_vjp, keeps_output=False)
def taken(x: Any, indices: Any, *, axis: int) -> Any:
    """The slices that dense indices name along an axis; the backend raises IndexError, now or before they are read."""
    y = backends[type(x)].take(dense(x), indices, sizes_around(x.shape, axis))
    return y.reshape((*x.shape[:axis], *indices.shape, *x.shape[axis + 1 :]))


def apart_elsewhere(values: Any, target: Any) -> Any:
    """`values` itself, or a copy when it may share memory with `target`, an array of the same device."""
    return values.copy() if backends[type(target)].shares(values, target) else values


def fetched(item: Any) -> Any:
    """An item of a key, or a value, with arrays on the host."""
    if isinstance(item, tuple):
        return tuple(map(fetched, item))
    return backends[type(item)].to_host(item) if type(item) in backends else item


def sent(result: Any, backend: Backend, device: int) -> Any:
    """A result of the host on a device: an array, several, or anything else as it is."""
    if isinstance(result, tuple):
        items = [sent(item, backend, device) for item in result]
        return result._make(items) if hasattr(result, "_make") else tuple(items)
    return backend.from_host(result, device) if is_array(result) else result


fill(on_devices=True, assign=assign_elsewhere, astype=astype_elsewhere, copy=copy_elsewhere)
