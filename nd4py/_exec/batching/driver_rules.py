"""Rules for the drivers of irregular operations, which the tape does not know, in a batch.

Design: where a driver works on stacks of lines or matrices, or is told its axes, the batch's axis is one more.  Others
are called for each example, and their results are stacked.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..._core.layout.layouts import dense
from ..._core.layout.shape import normalize_axis
from ..autodiff.nodes import is_array
from ..device.device_operations import broadcast_shapes
from .batch_operands import belongs, check_untracked, entered, repeated
from .batched_array import batched, public_function
from .batched_gradients import each
from .open_batches import Batch, NoBatchRule

Driver = Callable[..., Any]


def on_stacks(driver: Driver, operands: list[Any], settings: dict[str, Any], batch: Batch) -> Any:
    """A driver that works on the last axes of its operands, whose other axes are alike."""
    values = [dense(repeated(x, batch)) if is_array(x) else x for x in operands]
    return driver(*values, **settings)


def on_matrices(driver: Driver, operands: list[Any], settings: dict[str, Any], batch: Batch) -> Any:
    """A driver of matrices (..., m, n), or of two whose stacks are alike; one matrix may stand beside a stack."""
    if not all(is_array(x) for x in operands):
        return example_by_example(driver, operands, settings, batch)
    stack = broadcast_shapes("matrices", [x.shape[:-2] for x in operands])
    values = [
        dense(repeated(x.broadcast_to((*stack, *x.shape[-2:])), batch)) if belongs(x, batch) or x.ndim > 2 else x
        for x in operands
    ]
    return driver(*values, **settings)


def along_axes(driver: Driver, operands: list[Any], settings: dict[str, Any], batch: Batch) -> Any:
    """A driver of an array and one or several of its axes; None where rows do the same."""
    x, axes, *others = operands
    if not belongs(x, batch) or any(belongs(y, batch) for y in others):
        return None
    behind = tuple(i + 1 for i in axes) if isinstance(axes, tuple) else normalize_axis(axes, x.ndim) + 1
    return driver(x.value, behind, *others, **settings)


def by_steps(driver: Driver, operands: list[Any], settings: dict[str, Any], batch: Batch) -> Any:
    """Transforms one after the other, each with its axis."""
    x, steps, *others = operands
    return driver(x.value, [(name, n, axis + 1) for name, n, axis in steps], *others, **settings)


def between_axes(driver: Driver, operands: list[Any], settings: dict[str, Any], batch: Batch) -> Any:
    """The view of the diagonals between two axes."""
    x, axis1, axis2, *others = operands
    return driver(x.value, normalize_axis(axis1, x.ndim) + 1, normalize_axis(axis2, x.ndim) + 1, *others)


def by_search(driver: Driver, operands: list[Any], settings: dict[str, Any], batch: Batch) -> Any:
    """Positions of values in one sorted line, for all examples alike."""
    line, x, *others = operands
    if belongs(line, batch):
        return example_by_example(driver, operands, settings, batch)
    return driver(line, dense(x.value), *others, **settings)


def example_by_example(driver: Driver, operands: list[Any], settings: dict[str, Any], batch: Batch) -> Any:
    """The driver on each example, its results stacked.  Raises NoBatchRule where these are no arrays of one shape."""
    stack = public_function("stack")
    found = [
        driver(*[dense(x.value[i]) if belongs(x, batch) else x for x in operands], **settings)
        for i in range(batch.size)
    ]
    if not found:
        raise NoBatchRule("a batch without examples")
    if all(y is None for y in found):
        return None
    if not isinstance(found[0], tuple):
        return stacked(found, stack)
    return each(lambda column: stacked(column, stack), type_of(found[0])(tuple(zip(*found, strict=True))))


def type_of(result: tuple[Any, ...]) -> Callable[[tuple[Any, ...]], Any]:
    """What makes a tuple like `result`, named or not."""
    return result._make if hasattr(result, "_make") else tuple


def stacked(items: Any, stack: Driver) -> Any:
    """Arrays of all examples as one, or what is the same for all."""
    if is_array(items[0]):
        if any(x.shape != items[0].shape for x in items):
            raise NoBatchRule("results differ in shape from example to example")
        return stack(items)
    if any(x != items[0] for x in items):
        raise NoBatchRule("results differ from example to example")
    return items[0]


# By the module that the host's driver is from, and the driver's name where others there have no such rule.
RULES: dict[str, Callable[[Driver, list[Any], dict[str, Any], Batch], Any]] = {
    "nd4py.cpu.sort.sort": on_stacks,
    "nd4py.cpu.sort.search": by_search,
    "nd4py.cpu.index.take_along": on_stacks,
    "nd4py.cpu.bits.bits.binary_parts": on_stacks,
    "nd4py._exec.drivers.factorization_drivers": on_matrices,
    "nd4py._exec.drivers.fourier_drivers": by_steps,
    "nd4py._exec.drivers.fused_reductions": along_axes,
    "nd4py._core.layout.subarrays.diagonal_view": between_axes,
}
# Drivers without any: they write to an operand, which the rules of indexing come before, or give a view of bytes.
WITHOUT = ("put_slices", "add_slices", "add_at", "write_selected", "parts")


def run_driver(name: str, module: str, driver: Driver, operands: tuple[Any, ...], settings: dict[str, Any]) -> Any:
    """What a driver, named and from a module, gives for all examples.  Raises NoBatchRule."""
    batch, given, _ = entered(operands)
    check_untracked(name, given, batch)
    if name in WITHOUT:
        raise NoBatchRule(f"{name} has no rule for a batch")
    rule = RULES.get(f"{module}.{name}") or RULES.get(module, example_by_example)
    result = rule(driver, given, settings, batch)
    return each(lambda y: batched(y, batch) if is_array(y) else y, result)
