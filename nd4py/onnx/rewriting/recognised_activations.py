"""GELU as exporters write it, in five to nine steps: x * 0.5 * (1 + erf(x / sqrt(2))), and its approximation by tanh.

Hendrycks & Gimpel 2016, https://arxiv.org/abs/1606.08415.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import isclose, pi, sqrt
from typing import Any

from nd4py import api as nd

from ..compiled_graph import Step
from .graph_edits import GraphEdits

Found = tuple[str, list[Step]]  # the name of x, and the steps that were passed on the way to it


def recognise_gelu(edits: GraphEdits, step: Step) -> bool:
    """One step for those around an Erf."""
    for operator, factor in (("Div", sqrt(2)), ("Mul", sqrt(0.5))):
        found = scaled(edits, step.inputs[0], operator, factor)
        if found is not None and put_half(edits, step, found, nd.gelu):
            return True
    return False


def recognise_gelu_of_tanh(edits: GraphEdits, step: Step) -> bool:
    """One step for those around a Tanh: of sqrt(2 / pi) * (x + 0.044715 * x**3)"""
    outer = scaled(edits, step.inputs[0], "Mul", sqrt(2 / pi))
    total = edits.maker(outer[0], "Add") if outer else None
    if outer is None or total is None:
        return False
    for x, cubed in (total.inputs, total.inputs[::-1]):
        inner = scaled(edits, cubed, "Mul", 0.044715)
        powers = cube(edits, inner[0], x) if inner else None
        if inner is not None and powers is not None:
            passed = [*outer[1], total, *inner[1], *powers]
            return put_half(edits, step, (x, passed), nd.gelu_tanh)
    return False


def scaled(edits: GraphEdits, name: str, operator: str, factor: float) -> Found | None:
    """What a step multiplies by a constant, or divides by it, to make a value."""
    step = edits.maker(name, operator)
    if step is None:
        return None
    for x, other in (step.inputs, step.inputs[::-1])[: 2 if operator == "Mul" else 1]:
        number = edits.number(other)
        if number is not None and isclose(number, factor, rel_tol=1e-3):
            return x, [step]
    return None


def cube(edits: GraphEdits, name: str, x: str) -> list[Step] | None:
    """The steps that make x**3 of x."""
    if (step := edits.maker(name, "Pow")) is not None:
        return [step] if step.inputs[0] == x and edits.number(step.inputs[1]) == 3 else None
    if (step := edits.maker(name, "Mul")) is None or x not in step.inputs:
        return None
    other = step.inputs[1] if step.inputs[0] == x else step.inputs[0]
    square = edits.maker(other, "Mul", "Pow")
    if square is None or square.inputs[0] != x:
        return None
    is_square = square.inputs[1] == x if square.operator == "Mul" else edits.number(square.inputs[1]) == 2
    return [square, step] if is_square else None


def put_half(edits: GraphEdits, step: Step, found: Found, function: Callable[[Any], Any]) -> bool:
    """One step for those that make x * 0.5 * (1 + y) of the output y of `step`, in whatever order."""
    x, passed = found
    plus = edits.only_reader(step, "Add")
    if plus is None or all(edits.number(name) != 1 for name in plus.inputs):
        return False
    first = edits.only_reader(plus, "Mul")
    if first is None:
        return False
    other = first.inputs[1] if first.inputs[0] == plus.outputs[0] else first.inputs[0]
    steps, last = [*passed, step, plus, first], first
    half = scaled(edits, other, "Mul", 0.5)
    if half is not None and half[0] == x:
        steps += half[1]
    else:
        second = edits.only_reader(first, "Mul")
        if second is None:
            return False
        left = second.inputs[1] if second.inputs[0] == first.outputs[0] else second.inputs[0]
        if not ((other == x and edits.number(left) == 0.5) or (left == x and edits.number(other) == 0.5)):
            return False
        steps, last = [*steps, second], second
    if not edits.is_inside(steps, last):
        return False
    made = replace(last, operator="Gelu", function=function, inputs=(x,), attributes={})
    edits.put(steps, last, made)
    edits.done["GELU recognised"] += 1
    return True
