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
HIDES = -1e4  # what is added to scores of keys that are not seen, or less: their weights become 0


def attention(q: Any, k: Any, v: Any, added: Any = None, *, scale: float, seen: Any = None) -> Any:
    """softmax(q @ k * scale + added) @ v    q: (..., queries, size)    k: (..., size, keys)    v: (..., keys, values)

    seen: where `added` is 0, if it hides all else
    """
    is_one_stack = q.ndim == k.ndim == v.ndim and q.shape[:-2] == k.shape[:-2] == v.shape[:-2]
    is_one_stack = is_one_stack and (seen is None or is_of_scores(seen.shape, (*q.shape[:-1], k.shape[-1])))
    n_scores = q.size // max(q.shape[-1], 1) * k.shape[-1]
    if is_one_stack and n_scores >= FEWEST_SCORES and q.ndim > 2:
        return nd.dot_product_attention(q, k.mT, v, mask=seen, scale=scale)
    scores = nd.matmul(q, k)
    scores = scores * scale if scale != 1 else scores
    return nd.matmul(nd.softmax(scores if added is None else scores + added, axis=-1), v)


def is_of_scores(shape: tuple[int, ...], scores: tuple[int, ...]) -> bool:
    """Whether a mask broadcasts to scores, and scores not to it."""
    pairs = zip(reversed(shape), reversed(scores), strict=False)
    return len(shape) <= len(scores) and all(size in (1, wanted) for size, wanted in pairs)


def recognise_attention(edits: GraphEdits, step: Step) -> bool:
    """One step for two products and the softmax between them, with a mask that is a constant.  step: the softmax"""
    if step.attributes.get("axis", -1) != -1:
        return False
    steps, scale, name = [step], 1.0, step.inputs[0]
    seen: Any = None
    added: tuple[str, ...] = ()
    if (adding := edits.maker(name, "Add")) is not None:
        for other, mask in (adding.inputs, adding.inputs[::-1]):
            if (seen := seen_keys(edits.constant(mask))) is not None:
                steps, name, added = [adding, step], other, (mask,)
                break
        else:
            return False
    if (scaling := edits.maker(name, "Div", "Mul")) is not None:
        number = edits.number(scaling.inputs[1])
        if number is None or number <= 0:
            return False
        steps, scale, name = [scaling, *steps], number if scaling.operator == "Mul" else 1 / number, scaling.inputs[0]
    scores, last = edits.maker(name, "MatMul"), edits.only_reader(step, "MatMul")
    if scores is None or last is None or last.inputs[0] != step.outputs[0] or last.inputs[1] == step.outputs[0]:
        return False
    steps = [scores, *steps, last]
    if not edits.is_inside(steps, last):
        return False
    inputs = (*scores.inputs, last.inputs[1], *added)
    attributes = {"scale": scale, "seen": seen}
    made = replace(last, operator="Attention", function=attention, inputs=inputs, attributes=attributes)
    edits.put(steps, last, made)
    edits.done["attention recognised"] += 1
    return True


def seen_keys(mask: Any) -> Any:
    """Where a constant that is added to scores is 0, if it hides all else and every query sees a key; or None."""
    if mask is None or mask.ndim < 2 or mask.dtype not in (nd.float32, nd.float64):
        return None
    seen = mask == 0
    return seen if nd.all(seen | (mask <= HIDES)) and nd.all(nd.any(seen, axis=-1)) else None
