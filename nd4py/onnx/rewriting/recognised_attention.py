"""Attention as exporters write it: a product, a softmax over its rows, and another product.

Vaswani et al. 2017, https://arxiv.org/abs/1706.03762, equation 1.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf, nan
from typing import Any

from nd4py import api as nd

from ..compiled_graph import Step
from .graph_edits import GraphEdits

# Scores of all heads: of 4 heads with 12 keys they take 2 us at once and 17 us by blocks, of 4 heads with 128 keys
# 201 and 98 us.
FEWEST_SCORES = 1 << 14
HIDES = -1e4  # what is added to scores of keys that are not seen, or less: their weights become 0
ALL_ALIKE = -1e30  # what makes all scores of a query one number where it is added to them, or less


@dataclass(frozen=True)
class Hiding:
    """What hides keys.  scores: the name of what it is done to    inputs: further ones of the attention"""

    steps: tuple[Step, ...]
    scores: str
    function: Any
    inputs: tuple[str, ...]
    attributes: dict[str, Any]


def attention(q: Any, k: Any, v: Any, added: Any = None, *, scale: float, is_guarded: bool, seen: Any = None) -> Any:
    """softmax(q @ k * scale + added) @ v    q: (..., queries, size)    k: (..., size, keys)    v: (..., keys, values)

    seen: where `added` is 0, if it hides all else    is_guarded: whether weights that are no numbers become 0
    """
    if is_by_blocks(q, k, v, seen):
        return nd.dot_product_attention(q, k.mT, v, mask=seen, scale=scale)
    scores = nd.matmul(q, k)
    scores = scores * scale if scale != 1 else scores
    return weighted(scores if added is None else scores + added, v, is_guarded)


def masked_attention(
    q: Any, k: Any, v: Any, condition: Any, *, scale: float, is_guarded: bool, hidden: float, hides: bool,
    is_added: bool,
) -> Any:  # fmt: skip
    """softmax(scores) @ v of scores that are `hidden`, or have that added, where a condition of the run says so.

    hides: whether the condition holds where a key is hidden, else where it is seen    The rest is as for `attention`.
    A query that sees no key has the mean of all values, nan where `hidden` is -inf, and 0 where that is guarded.
    """
    seen = nd.logical_not(condition) if hides else condition
    if is_by_blocks(q, k, v, seen):
        y = nd.dot_product_attention(q, k.mT, v, mask=seen, scale=scale)
        if is_guarded and hidden == -inf:
            return y
        of_none = nan if hidden == -inf else nd.mean(v, axis=-2, keepdims=True)
        return nd.where(nd.any(seen, axis=-1, keepdims=True), y, of_none)
    scores = nd.matmul(q, k)
    scores = scores * scale if scale != 1 else scores
    return weighted(nd.where(seen, scores, scores + hidden if is_added else hidden), v, is_guarded)


def weighted(scores: Any, v: Any, is_guarded: bool) -> Any:
    """softmax(scores) @ v"""
    weights = nd.softmax(scores, axis=-1)
    return nd.matmul(nd.where(nd.isnan(weights), 0, weights) if is_guarded else weights, v)


def is_by_blocks(q: Any, k: Any, v: Any, seen: Any) -> bool:
    """Whether there are many scores, of one stack of sequences whose scores a mask has no more axes than."""
    is_one_stack = q.ndim == k.ndim == v.ndim and q.shape[:-2] == k.shape[:-2] == v.shape[:-2]
    is_one_stack = is_one_stack and (seen is None or is_of_scores(seen.shape, (*q.shape[:-1], k.shape[-1])))
    n_scores = q.size // max(q.shape[-1], 1) * k.shape[-1]
    return is_one_stack and n_scores >= FEWEST_SCORES and q.ndim > 2


def is_of_scores(shape: tuple[int, ...], scores: tuple[int, ...]) -> bool:
    """Whether a mask broadcasts to scores, and scores not to it."""
    pairs = zip(reversed(shape), reversed(scores), strict=False)
    return 0 < len(shape) <= len(scores) and all(size in (1, wanted) for size, wanted in pairs)


def recognise_attention(edits: GraphEdits, step: Step) -> bool:
    """One step for two products and the softmax between them, with a mask.  step: the softmax"""
    hiding = hiding_of(edits, step.inputs[0]) if step.attributes.get("axis", -1) == -1 else None
    if hiding is None:
        return False
    steps, scale, name = [*hiding.steps, step], 1.0, hiding.scores
    if (scaling := edits.maker(name, "Div", "Mul")) is not None and (number := edits.number(scaling.inputs[1])):
        if number <= 0:
            return False
        steps, scale, name = [scaling, *steps], number if scaling.operator == "Mul" else 1 / number, scaling.inputs[0]
    guards = guards_of(edits, step)
    steps, weights = [*steps, *guards], guards[-1] if guards else step
    scores, last = edits.maker(name, "MatMul"), edits.only_reader(weights, "MatMul")
    if scores is None or last is None or last.inputs[0] != weights.outputs[0] or last.inputs[1] == last.inputs[0]:
        return False
    steps = [scores, *steps, last]
    if not edits.is_inside(steps, last):
        return False
    inputs = (*scores.inputs, last.inputs[1], *hiding.inputs)
    attributes = {"scale": scale, "is_guarded": bool(guards), **hiding.attributes}
    made = replace(last, operator="Attention", function=hiding.function, inputs=inputs, attributes=attributes)
    edits.put(steps, last, made)
    what = "attention" if hiding.function is attention else "attention with a mask of the run"
    edits.done[f"{what} recognised"] += 1
    return True


def guards_of(edits: GraphEdits, step: Step) -> tuple[Step, ...]:
    """The steps that make weights 0 which are no numbers: Where(IsNaN(weights), 0, weights).  step: the softmax"""
    (weights,) = step.outputs
    readers = {each.operator: each for each in edits.readers(weights)}
    test, choosing = readers.get("IsNaN"), readers.get("Where")
    if len(edits.readers(weights)) != 2 or test is None or choosing is None or choosing.inputs[0] != test.outputs[0]:
        return ()
    return (test, choosing) if choosing.inputs[2] == weights and edits.number(choosing.inputs[1]) == 0 else ()


def hiding_of(edits: GraphEdits, name: str) -> Hiding | None:
    """What is done to scores before a softmax; None for what is no mask."""
    if (choosing := edits.maker(name, "Where")) is not None:
        condition, first, second = choosing.inputs
        for scores, other, hides in ((first, second, False), (second, first, True)):
            hidden = edits.number(other)
            if hidden is not None and hidden <= HIDES:
                attributes = {"hidden": hidden, "hides": hides, "is_added": False}
                return Hiding((choosing,), scores, masked_attention, (condition,), attributes)
        return None
    adding = edits.maker(name, "Add")
    if adding is None:
        return Hiding((), name, attention, (), {"seen": None})
    orders = (adding.inputs, adding.inputs[::-1])
    for scores, mask in orders:
        if (seen := seen_keys(edits.constant(mask))) is not None:
            return Hiding((adding,), scores, attention, (mask,), {"seen": seen})
    for scores, mask in orders:
        if (found := mask_of_run(edits, mask)) is not None:
            condition, attributes = found
            return Hiding((adding,), scores, masked_attention, (condition,), attributes)
    return None


def mask_of_run(edits: GraphEdits, name: str) -> tuple[str, dict[str, Any]] | None:
    """The condition of what is 0, or else hides keys whatever their scores are: Where(condition, 0, -inf)."""
    choosing = edits.maker(name, "Where")
    if choosing is None:
        return None
    condition, *others = choosing.inputs
    numbers = [edits.number(other) for other in others]
    for zero, hidden, hides in ((*numbers, False), (*numbers[::-1], True)):
        if zero == 0 and hidden is not None and hidden <= ALL_ALIKE:
            return condition, {"hidden": hidden, "hides": hides, "is_added": True}
    return None


def seen_keys(mask: Any) -> Any:
    """Where a constant that is added to scores is 0, if it hides all else and every query sees a key; or None."""
    if mask is None or mask.ndim < 2 or mask.dtype not in (nd.float32, nd.float64):
        return None
    seen = mask == 0
    return seen if nd.all(seen | (mask <= HIDES)) and nd.all(nd.any(seen, axis=-1)) else None
