"""Functions that are applied in functional models: arithmetic, and the masks that Keras computes."""

from __future__ import annotations

from functools import partial
from typing import Any

from nd4py import nn

from ..graph_builder import Call, MaskTensor, Tensor
from ..settings_reader import UnsupportedError
from .function_translations import function
from .merge_translations import concatenate, dot, element_wise, mask_of_masks

OPERATIONS = {"Add": "add", "Subtract": "subtract", "Multiply": "product", "Maximum": "max", "Minimum": "min"}
QUOTIENTS = ("Divide", "TrueDivide")


def arithmetic(kind: str, call: Call) -> Tensor:
    """Arithmetic of two tensors, or of a tensor and a number behind or before it."""
    args = call.keywords["args"]
    if len(call.inputs) == 2 and len(args) == 2 and kind in OPERATIONS and is_alike(call):
        return element_wise(OPERATIONS[kind], call)
    numbers = [each for each in args if isinstance(each, int | float) and not isinstance(each, bool)]
    if len(call.inputs) != 1 or len(args) != 2 or len(numbers) != 1:
        return function(kind, call)
    number, is_behind = float(numbers[0]), args[1] is numbers[0]
    if kind == "Multiply":
        return kept(call, nn.ScaleVertex(number))
    if kind in QUOTIENTS and is_behind and number:
        return kept(call, nn.ScaleVertex(1.0 / number))
    if kind == "Add" or (kind == "Subtract" and is_behind):
        return kept(call, nn.ShiftVertex(number if kind == "Add" else -number))
    return function(kind, call)


def is_alike(call: Call) -> bool:
    """Whether both inputs have the same shape."""
    return call.inputs[0].shape == call.inputs[1].shape


def kept(call: Call, vertex: nn.Vertex) -> Tensor:
    """What a vertex makes that treats all numbers alike."""
    return call.made(call.add(vertex, call.x.only), is_last=call.x.first is None)


def not_equal(call: Call) -> Tensor:
    """The mask of padding, as Embedding and Masking compute it."""
    args = call.keywords["args"]
    if len(call.inputs) != 1 or len(args) != 2 or not isinstance(args[1], int | float):
        return function("NotEqual", call)
    return MaskTensor(call.x.shape, None, None, source=call.x.only)


def no_mask(call: Call) -> Tensor:
    """Zeros that Keras adds to a mask to give it more axes."""
    return MaskTensor(call.x.shape, None, None)


def full_mask(call: Call) -> Tensor:
    """Ones that Keras makes for a tensor without a mask, where it joins it to one that has one."""
    if call.x.mask is not None or isinstance(call.x, MaskTensor):
        raise UnsupportedError("ones like a tensor that has a mask")
    return MaskTensor(call.x.shape, None, None)


def joined_masks(kind: str, call: Call) -> Tensor:
    """The mask that masks are joined to, or a function of tensors."""
    is_mask = any(isinstance(each, MaskTensor) for each in call.inputs)
    return mask_of_masks(call) if is_mask else function(kind, call)


def more_axes(call: Call) -> Tensor:
    """A mask for more axes, or a tensor with an axis of size 1."""
    is_mask = any(isinstance(each, MaskTensor) for each in call.inputs)
    return mask_of_masks(call) if is_mask else function("ExpandDims", call)


def average(call: Call) -> Tensor:
    """The layer of several tensors, or the function of one; old files do not say which of the two is meant."""
    return element_wise("average", call) if len(call.inputs) > 1 else function("Average", call)


def product(call: Call) -> Tensor:
    """The layer, which is told axes, or the function."""
    return dot(call) if call.settings.has("axes") else function("Dot", call)


# Functions that masks are made by; old files do not say that they are functions and not layers.
MASK_ROWS: dict[str, Any] = {
    "NotEqual": not_equal,
    "ZerosLike": no_mask,
    "OnesLike": full_mask,
    "Any": partial(joined_masks, "Any"),
    "ExpandDims": more_axes,
    "LogicalOr": partial(joined_masks, "LogicalOr"),
}
ROWS: dict[str, Any] = {
    **MASK_ROWS,
    **{f"ops.{kind}": translation for kind, translation in MASK_ROWS.items()},
    **{kind: partial(arithmetic, kind) for kind in QUOTIENTS},
    **{f"ops.{kind}": partial(arithmetic, kind) for kind in (*OPERATIONS, *QUOTIENTS)},
    "Average": average,
    "Dot": product,
    "ops.Concatenate": concatenate,
}
