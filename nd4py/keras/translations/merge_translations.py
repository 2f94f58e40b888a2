"""Layers that join several tensors."""

from __future__ import annotations

from functools import partial
from typing import Any

from nd4py import nn

from ..counterparts.axis_vertices import ConcatenateVertex
from ..counterparts.product_vertices import DotVertex
from ..graph_builder import Call, MaskTensor, Tensor
from ..settings_reader import UnsupportedError, plain, shown


def with_one_mask(call: Call) -> Call:
    """The call, without masks where not all inputs have one.  Raises UnsupportedError for different ones."""
    masks = {each.mask for each in call.inputs}
    if len(masks - {None}) > 1:
        raise UnsupportedError("sequences with different masks")
    return call if len(masks) == 1 else call.without_masks()


def joined(call: Call, vertex: nn.Vertex) -> Tensor:
    """What a vertex makes of all inputs, the channels in front."""
    return call.made(call.add(vertex, *(call.builder.first(each) for each in call.inputs)))


def element_wise(operation: str, call: Call) -> Tensor:
    """The translation of a layer that joins tensors element by element."""
    call = with_one_mask(call)
    check_inputs(call, 2)
    if len({len(each.shape) for each in call.inputs}) > 1:
        raise UnsupportedError("inputs of different numbers of axes")
    return joined(call, nn.ElementWiseVertex(operation))


def check_inputs(call: Call, least: int) -> None:
    """Raises ValueError for fewer inputs."""
    if len(call.inputs) < least:
        raise ValueError(f"{call.settings.who}: at least {least} inputs are needed, the file has {len(call.inputs)}")


def positive(axis: int, n_axes: int) -> int:
    """An axis counted from the batch, 0, for one that may be counted from the end."""
    return axis if axis >= 0 else axis + n_axes + 1


def mask_of_masks(call: Call) -> Tensor:
    """The mask that Keras joins masks of one tensor to.  Raises UnsupportedError for others."""
    sources = {each.source for each in call.inputs if isinstance(each, MaskTensor)} - {""}
    if len(sources) != 1 or not all(isinstance(each, MaskTensor) for each in call.inputs):
        raise UnsupportedError("tensors that are no masks, or masks of different sequences")
    return MaskTensor(call.inputs[0].shape, None, None, source=sources.pop())


def concatenate(call: Call) -> Tensor:
    if call.inputs and all(isinstance(each, MaskTensor) for each in call.inputs):
        return mask_of_masks(call)
    call = with_one_mask(call)
    check_inputs(call, 1)
    given = call.settings.wholes("axis") if call.settings.has("axis") else [-1]
    n_axes = len(call.inputs[0].shape)
    axis = positive(given[0], n_axes)
    if len(given) != 1 or not 1 <= axis <= n_axes:
        raise UnsupportedError(f"axis {given}")
    if axis == n_axes:
        return joined(call, nn.MergeVertex())
    call = call.without_masks()
    sources = [call.builder.last(each) for each in call.inputs]
    return call.made(call.add(ConcatenateVertex(axis), *sources), is_last=True)


def dot(call: Call) -> Tensor:
    call = call.without_masks()
    if len(call.inputs) != 2:
        raise ValueError(f"{call.settings.who}: two inputs are needed, the file has {len(call.inputs)}")
    given = plain(call.settings.values.get("axes"))
    pair = [given, given] if isinstance(given, int) else given
    if not isinstance(pair, list) or len(pair) != 2 or not all(type(each) is int for each in pair):
        raise call.settings.wrong("axes", "one or two whole numbers")
    axes = (positive(pair[0], len(call.inputs[0].shape)), positive(pair[1], len(call.inputs[1].shape)))
    if any(len(each.shape) > 2 for each in call.inputs) or min(axes) < 1:
        raise UnsupportedError(
            f"axes {shown(given)} of inputs of shapes {[('batch', *each.shape) for each in call.inputs]}"
        )
    vertex = DotVertex(axes, is_normalized=call.settings.flag("normalize", False))
    return call.made(call.add(vertex, *(each.only for each in call.inputs)))


ROWS: dict[str, Any] = {
    "Add": partial(element_wise, "add"),
    "Subtract": partial(element_wise, "subtract"),
    "Multiply": partial(element_wise, "product"),
    "Average": partial(element_wise, "average"),
    "Maximum": partial(element_wise, "max"),
    "Minimum": partial(element_wise, "min"),
    "Concatenate": concatenate,
    "Dot": dot,
}
