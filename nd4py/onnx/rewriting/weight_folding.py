"""What is done to each channel after a convolution or product, done to its weights instead."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from nd4py import api as nd

from ..compiled_graph import Step
from .graph_edits import GraphEdits

Folding = tuple[Any, Any]  # what each channel is multiplied by, and what is then added; either may be None


def fold_batch_normalization(edits: GraphEdits, step: Step) -> bool:
    """A convolution, or product with a matrix, and the batch normalization behind it, as one with other weights."""
    after = edits.only_reader(step, "BatchNormalization")
    if after is None or after.attributes.get("training_mode") or after.inputs[0] != step.outputs[0]:
        return False
    given = [edits.constant(name) for name in after.inputs[1:5]]
    if any(each is None for each in given) or len(after.outputs) != 1:
        return False
    scale, bias, mean, variance = (each.astype(nd.float64) for each in given)
    factor = scale / nd.sqrt(variance + after.attributes.get("epsilon", 1e-5))
    return fold(edits, step, after, (factor, bias - mean * factor), "batch normalizations folded into weights")


def fold_bias(edits: GraphEdits, step: Step) -> bool:
    """A convolution and the numbers that are added to its channels behind it, as one with a bias."""
    after = edits.only_reader(step, "Add")
    if after is None or after.attributes.get("broadcast") or (len(step.inputs) > 2 and step.inputs[2]):
        return False
    first, second = after.inputs
    added = edits.constant(second if first == step.outputs[0] else first)
    w = edits.constant(step.inputs[1])
    if added is None or w is None:
        return False
    channels, n_after = channels_of(step, w), 0 if step.operator == "Gemm" else w.ndim - 2
    if added.dtype != w.dtype or added.ndim < 1 + n_after or added.ndim > w.ndim:
        return False
    if added.shape[-1 - n_after :] != (channels, *[1] * n_after) or added.size != channels:
        return False
    return fold(edits, step, after, (None, added.reshape(-1).astype(nd.float64)), "additions folded into biases")


def fold(edits: GraphEdits, step: Step, after: Step, folding: Folding, what: str) -> bool:
    """One step for `step` and `after`, if its weights are constants that allow it."""
    w = edits.constant(step.inputs[1])
    name = step.inputs[2] if len(step.inputs) > 2 else ""
    bias = edits.constant(name) if name else None
    channels = channels_of(step, w) if w is not None else None
    if channels is None or (name and (bias is None or bias.shape != (channels,))):
        return False
    factor, added = folding
    if factor is not None and factor.shape != (channels,):
        return False
    names = list(step.inputs[:2])
    if factor is not None:
        axis = channel_axis(step, w)
        shaped = factor.reshape([-1 if i == axis else 1 for i in range(w.ndim)])
        names[1] = edits.add_constant(names[1], nd.copy((w.astype(nd.float64) * shaped).astype(w.dtype)))
        bias = bias * factor if bias is not None else None
    total = added if bias is None else bias + added
    names.append(edits.add_constant(after.outputs[0], nd.copy(total.astype(w.dtype))))
    edits.put((step, after), after, replace(step, inputs=tuple(names), outputs=after.outputs))
    edits.done[what] += 1
    return True


def channels_of(step: Step, w: Any) -> int | None:
    """How many channels a step makes, or None where its attributes leave no simple rule."""
    attributes = step.attributes
    if step.operator == "Gemm":
        is_plain = attributes.get("alpha", 1.0) == 1 and attributes.get("beta", 1.0) == 1
        return int(w.shape[channel_axis(step, w)]) if is_plain and w.ndim == 2 else None
    if step.operator == "ConvTranspose":
        return int(w.shape[1]) if attributes.get("group", 1) == 1 else None
    return int(w.shape[0])


def channel_axis(step: Step, w: Any) -> int:
    if step.operator == "Gemm":
        return 0 if step.attributes.get("transB") else 1
    return 1 if step.operator == "ConvTranspose" else 0
