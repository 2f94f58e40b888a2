"""Functions that are applied in functional models: arithmetic, and the masks that Keras computes."""

from functools import partial
from typing import Any

from nd4py import nn

from ..graph_builder import Call, MaskTensor, Tensor
from ..settings_reader import UnsupportedError, shown
from .merge_translations import concatenate, element_wise, mask_of_masks

OPERATIONS = {"Add": "add", "Subtract": "subtract", "Multiply": "product", "Maximum": "max", "Minimum": "min"}
QUOTIENTS = ("Divide", "TrueDivide")


def arithmetic(kind: str, call: Call) -> Tensor:
    """Arithmetic of two tensors, or of a tensor and a number behind or before it."""
    args = call.keywords["args"]
    if len(call.inputs) == 2 and len(args) == 2 and kind in OPERATIONS:
        return element_wise(OPERATIONS[kind], call)
    numbers = [each for each in args if isinstance(each, int | float) and not isinstance(each, bool)]
    if len(call.inputs) != 1 or len(args) != 2 or len(numbers) != 1:
        raise UnsupportedError(f"arguments {shown(args)}")
    number, is_behind = float(numbers[0]), args[1] is numbers[0]
    if kind == "Multiply":
        return kept(call, nn.ScaleVertex(number))
    if kind in QUOTIENTS and is_behind and number:
        return kept(call, nn.ScaleVertex(1.0 / number))
    if kind == "Add" or (kind == "Subtract" and is_behind):
        return kept(call, nn.ShiftVertex(number if kind == "Add" else -number))
    raise UnsupportedError(f"arguments {shown(args)}")


def kept(call: Call, vertex: nn.Vertex) -> Tensor:
    """What a vertex makes that treats all numbers alike."""
    return call.made(call.add(vertex, call.x.only), is_last=call.x.first is None)


def not_equal(call: Call) -> Tensor:
    """The mask of padding, as Embedding and Masking compute it."""
    args = call.keywords["args"]
    if len(call.inputs) != 1 or len(args) != 2 or not isinstance(args[1], int | float):
        raise UnsupportedError(f"arguments {shown(args)}")
    return MaskTensor(call.x.shape, None, None, source=call.x.only)


def no_mask(call: Call) -> Tensor:
    """Zeros that Keras adds to a mask to give it more axes."""
    return MaskTensor(call.x.shape, None, None)


# Functions that masks are made by; old files do not say that they are functions and not layers.
MASK_ROWS: dict[str, Any] = {
    "NotEqual": not_equal,
    "ZerosLike": no_mask,
    **{kind: mask_of_masks for kind in ("Any", "ExpandDims", "LogicalOr")},  # noqa: C420  a call at import
}
ROWS: dict[str, Any] = {
    **MASK_ROWS,
    **{f"ops.{kind}": translation for kind, translation in MASK_ROWS.items()},
    **{kind: partial(arithmetic, kind) for kind in QUOTIENTS},
    **{f"ops.{kind}": partial(arithmetic, kind) for kind in (*OPERATIONS, *QUOTIENTS)},
    "ops.Concatenate": concatenate,
}
