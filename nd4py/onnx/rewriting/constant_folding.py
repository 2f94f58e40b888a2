"""Steps whose inputs are constants are computed once, and steps that only pass a value on are taken out."""

from __future__ import annotations

from math import prod
from typing import Any

from nd4py import api as nd

from ..compiled_graph import Step
from .graph_edits import GraphEdits

MOST_BYTES = 1 << 26  # of a constant that is computed: larger ones are made by each run, as the file says
GROWING = ("ConstantOfShape", "Expand", "EyeLike", "Pad", "Range", "Resize", "Tile", "Upsample", "OneHot")


def fold_constants(edits: GraphEdits, step: Step) -> bool:
    """The value of a step whose inputs are constants, in its place; errors are left for the run."""
    if step.graphs or any(name and edits.constant(name) is None for name in step.inputs):
        return False
    if any(edits.is_output(name) for name in step.outputs):  # which belongs to the caller, who may write to it
        return False
    if not all(is_small(edits, name, step) for name in step.outputs if name):
        return False
    values = {name: edits.constants[name] for name in step.inputs if name}
    try:
        step.run(values)
    except (ValueError, TypeError, IndexError, OverflowError, MemoryError):
        return False
    found = {name: values[name] for name in step.outputs if name in values}
    if not all(isinstance(value, nd.NDArray) and value.nbytes <= MOST_BYTES for value in found.values()):
        return False
    if step.operator == "Constant":
        edits.fold(step, found)
    else:
        edits.fold(step, {name: nd.copy(value) for name, value in found.items()})  # not a view of what may go
        edits.done["steps of constants computed"] += 1
    return True


def is_small(edits: GraphEdits, name: str, step: Step) -> bool:
    """Whether an output surely needs no more memory than a constant may; one of unknown size may not grow."""
    sizes: tuple[Any, ...] | None = edits.sizes.get(name)
    if sizes is None or not all(isinstance(size, int) for size in sizes):
        return step.operator not in GROWING
    return prod(sizes) * 16 <= MOST_BYTES


def pass_values_on(edits: GraphEdits, step: Step) -> bool:
    """Take out what does nothing when a network does not train."""
    if len([name for name in step.outputs if name]) > 1 or not edits.pass_on(step, step.inputs[0]):
        return False
    edits.done["steps that pass a value on taken out"] += 1
    return True
