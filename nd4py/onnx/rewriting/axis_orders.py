"""Transpositions that cancel each other, or that one can stand for."""

from __future__ import annotations

from dataclasses import replace

from ..compiled_graph import Step
from .graph_edits import GraphEdits


def join_transpositions(edits: GraphEdits, step: Step) -> bool:
    """Two transpositions, one behind the other, as one or none.  step: the second"""
    before = edits.maker(step.inputs[0], "Transpose")
    if before is None:
        return False
    first, second = before.attributes.get("perm"), step.attributes.get("perm")
    if first is None or second is None or len(first) != len(second):
        return False
    order = [first[axis] for axis in second]
    if order == sorted(order):
        if not edits.pass_on(step, before.inputs[0]):
            return False
        edits.done["transpositions cancelled"] += 2
        return True
    joined = replace(step, inputs=before.inputs, attributes={**step.attributes, "perm": order})
    edits.put((step,), step, joined)
    edits.done["transpositions joined"] += 1
    return True
