"""Layer normalization as exporters write it before opset 17, in nine steps, and root mean square normalization, in
six to eight.

Ba, Kiros & Hinton 2016, https://arxiv.org/abs/1607.06450, equation 4.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from nd4py import api as nd

from ..compiled_graph import Step
from ..operators.host_values import whole_numbers
from .graph_edits import GraphEdits


def layer_norm_of_rows(x: Any, scale: Any = None, bias: Any = None, *, epsilon: float) -> Any:
    """Over the last axis, as the steps that it stands for: scale and bias have its length."""
    return nd.layer_norm(x, scale, bias, epsilon=epsilon)


def rms_norm_of_rows(x: Any, scale: Any = None, *, epsilon: float) -> Any:
    """The same without a mean and a bias."""
    return nd.rms_norm(x, scale, epsilon=epsilon)


# What computes each, the steps that may follow it and become a part of it, and what a summary calls them.
NORMALIZATIONS = {
    "LayerNormalization": (layer_norm_of_rows, ("Mul", "Add"), "layer normalizations"),
    "RMSNormalization": (rms_norm_of_rows, ("Mul",), "root mean square normalizations"),
}


def recognise_layer_norm(edits: GraphEdits, step: Step) -> bool:
    """One step for those that lead to the division (x - mean) / sqrt(variance + epsilon).  step: the division"""
    distance, root = edits.maker(step.inputs[0], "Sub"), edits.maker(step.inputs[1], "Sqrt")
    total = edits.maker(root.inputs[0], "Add") if root else None
    if distance is None or root is None or total is None:
        return False
    x, mean = distance.inputs[0], edits.maker(distance.inputs[1], "ReduceMean")
    if mean is None or mean.inputs[0] != x or not is_over_rows(edits, mean):
        return False
    for name, other in (total.inputs, total.inputs[::-1]):
        epsilon, variance = edits.number(other), edits.maker(name, "ReduceMean")
        square = edits.maker(variance.inputs[0], "Pow", "Mul") if variance is not None else None
        if epsilon is None or variance is None or square is None or not is_over_rows(edits, variance):
            continue
        if is_square_of(edits, square, distance.outputs[0]):
            return put(edits, [mean, distance, square, variance, total, root], step, x, epsilon, "LayerNormalization")
    return False


def is_over_rows(edits: GraphEdits, step: Step) -> bool:
    """Whether a mean is over the last axis, which is kept."""
    given = edits.constant(step.inputs[1]) if len(step.inputs) > 1 and step.inputs[1] else None
    axes = whole_numbers(given) if given is not None else step.attributes.get("axes")
    return axes == [-1] and step.attributes.get("keepdims", 1) == 1


def is_square_of(edits: GraphEdits, square: Step, name: str) -> bool:
    if square.operator == "Pow":
        return square.inputs[0] == name and edits.number(square.inputs[1]) == 2
    return square.inputs == (name, name)


def put(edits: GraphEdits, steps: list[Step], last: Step, x: str, epsilon: float, operator: str) -> bool:
    """One step, with the scale, and the bias where there is one, that follow as constants of one length."""
    function, followers, plural = NORMALIZATIONS[operator]
    found = [*steps, last]
    inputs = [x]
    for follower in followers:
        after = edits.only_reader(last, follower)
        is_plain = after is not None and not after.attributes.get("broadcast")
        name = row_beside(edits, after, last.outputs[0]) if after is not None and is_plain else None
        if after is None or name is None:
            break
        inputs.append(name)
        found.append(after)
        last = after
    if not edits.is_inside(found, last):
        return False
    made = replace(last, operator=operator, function=function, inputs=tuple(inputs), attributes={"epsilon": epsilon})
    edits.put(found, last, made)
    edits.done[f"{plural} recognised"] += 1
    return True


def row_beside(edits: GraphEdits, step: Step, name: str) -> str | None:
    """The other input of a step, if it is a constant with one axis of the rows' length."""
    other = step.inputs[1] if step.inputs[0] == name else step.inputs[0]
    array, sizes = edits.constant(other), edits.sizes.get(name)
    if array is None or not sizes or array.shape != (sizes[-1],):
        return None
    return other


def recognise_rms_norm(edits: GraphEdits, step: Step) -> bool:
    """One step for those around the root of a mean of squares.  step: the root

    Zhang & Sennrich 2019, https://arxiv.org/abs/1910.07467, equation 4.
    """
    total = edits.maker(step.inputs[0], "Add")
    if total is None:
        return False
    for name, other in (total.inputs, total.inputs[::-1]):
        epsilon, mean = edits.number(other), edits.maker(name, "ReduceMean")
        square = edits.maker(mean.inputs[0], "Pow", "Mul") if mean is not None else None
        if epsilon is None or mean is None or square is None or not is_over_rows(edits, mean):
            continue
        x = square.inputs[0]
        if is_distance(edits, x):
            return False
        after = divided_by(edits, step, x) if is_square_of(edits, square, x) else ()
        if after:
            return put(edits, [square, mean, total, step, *after[:-1]], after[-1], x, epsilon, "RMSNormalization")
    return False


def is_distance(edits: GraphEdits, x: str) -> bool:
    """Whether x is a difference from a mean, and the whole a layer normalization."""
    distance = edits.maker(x, "Sub")
    return distance is not None and any(edits.maker(name, "ReduceMean") for name in distance.inputs)


def divided_by(edits: GraphEdits, root: Step, x: str) -> tuple[Step, ...]:
    """The steps that divide x by a root, nothing where that is not done: x / root, or x * (1 / root)."""
    division = edits.only_reader(root, "Div", "Reciprocal")
    if division is None:
        return ()
    if division.operator == "Div":
        if division.inputs == (x, root.outputs[0]):
            return (division,)
        if edits.number(division.inputs[0]) != 1 or division.inputs[1] != root.outputs[0]:
            return ()
    product = edits.only_reader(division, "Mul")
    is_of_x = product is not None and set(product.inputs) == {x, division.outputs[0]}
    return (division, product) if product is not None and is_of_x else ()
