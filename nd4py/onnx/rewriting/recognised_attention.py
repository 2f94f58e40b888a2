"""Attention as exporters write it: a product, a softmax over its rows, and another product.

Vaswani et al. 2017, https://arxiv.org/abs/1706.03762, equation 1.
"""

from dataclasses import replace
from typing import Any

from nd4py import api as nd

from ..compiled_graph import Step
from .graph_edits import GraphEdits

# Scores of all heads: of 4 heads with 12 keys they take 2 us at once and 17 us by blocks, of 4 heads with 128 keys
# 201 and 98 us.
FEWEST_SCORES = 1 << 14


def attention(q: Any, k: Any, v: Any, *, scale: float) -> Any:
    """softmax(q @ k * scale) @ v    q: (..., queries, size)    k: (..., size, keys)    v: (..., keys, values)"""
    is_one_stack = q.ndim == k.ndim == v.ndim and q.shape[:-2] == k.shape[:-2] == v.shape[:-2]
    n_scores = q.size // max(q.shape[-1], 1) * k.shape[-1]
    if is_one_stack and n_scores >= FEWEST_SCORES and q.ndim > 2:
        return nd.dot_product_attention(q, k.mT, v, scale=scale)
    scores = nd.matmul(q, k)
    return nd.matmul(nd.softmax(scores * scale if scale != 1 else scores, axis=-1), v)


def recognise_attention(edits: GraphEdits, step: Step) -> bool:
    """One step for two products and the softmax between them.  step: the softmax"""
    if step.attributes.get("axis", -1) != -1:
        return False
    steps, scale, name = [step], 1.0, step.inputs[0]
    if (scaling := edits.maker(name, "Div", "Mul")) is not None:
        number = edits.number(scaling.inputs[1])
        if number is None or number <= 0:
            return False
        steps, scale, name = [scaling, step], number if scaling.operator == "Mul" else 1 / number, scaling.inputs[0]
    scores, last = edits.maker(name, "MatMul"), edits.only_reader(step, "MatMul")
    if scores is None or last is None or last.inputs[0] != step.outputs[0] or last.inputs[1] == step.outputs[0]:
        return False
    steps = [scores, *steps, last]
    if not edits.is_inside(steps, last):
        return False
    inputs = (*scores.inputs, last.inputs[1])
    edits.put(
        steps, last, replace(last, operator="Attention", function=attention, inputs=inputs, attributes={"scale": scale})
    )
    edits.done["attention recognised"] += 1
    return True
