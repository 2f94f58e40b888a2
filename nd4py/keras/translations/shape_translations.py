"""Layers that change the shape of examples: Flatten, Reshape, Permute."""

from __future__ import annotations

import math
from typing import Any

from nd4py import nn
from nd4py.nn.vertices.shape_vertices import KIND_OF_SHAPE

from ..counterparts.axis_vertices import PermuteVertex
from ..graph_builder import Call, Tensor
from ..settings_reader import UnsupportedError, plain
from .function_translations import function
from .translated_settings import is_channels_first


def flatten(call: Call) -> Tensor:
    shape = known(call)
    if len(shape) == 1:
        return call.made(call.add(nn.ActivationLayer("identity"), call.last))
    source = call.last
    if is_channels_first(call):
        source = call.add(PermuteVertex((*range(2, len(shape) + 1), 1)), source, part="channels last")
    return call.made(call.add(nn.ReshapeVertex((math.prod(shape),)), source))


def known(call: Call) -> tuple[int, ...]:
    """The shape of an example.  Raises UnsupportedError where a size is open."""
    sizes = tuple(size for size in call.x.shape if size is not None)
    if len(sizes) < len(call.x.shape):
        raise UnsupportedError(f"input of shape {('batch', *call.x.shape)}; all sizes must be given")
    return sizes


def reshape(call: Call) -> Tensor:
    if call.settings.has("newshape"):  # the function, which old files call as the layer
        return function("Reshape", call)
    size, target = math.prod(known(call)), call.settings.wholes("target_shape")
    rest = math.prod(each for each in target if each != -1)
    if target.count(-1) > 1 or any(each < 1 and each != -1 for each in target) or size % max(rest, 1):
        raise ValueError(f"{call.settings.who}: {('batch', *call.x.shape)} cannot become {target}")
    shape = tuple(size // rest if each == -1 else each for each in target)
    if math.prod(shape) != size:
        raise ValueError(f"{call.settings.who}: {('batch', *call.x.shape)} cannot become {target}")
    if len(shape) not in KIND_OF_SHAPE:
        raise UnsupportedError(f"target_shape {plain(target)}; examples have 1 to {max(KIND_OF_SHAPE)} axes")
    return call.made(call.add(nn.ReshapeVertex(shape), call.last), is_last=True)


def permute(call: Call) -> Tensor:
    dims = tuple(call.settings.wholes("dims"))
    if sorted(dims) != list(range(1, len(call.x.shape) + 1)):
        raise ValueError(f"{call.settings.who}: dims {dims} are no order of the axes of {('batch', *call.x.shape)}")
    return call.made(call.add(PermuteVertex(dims), call.last), is_last=True)


ROWS: dict[str, Any] = {"Flatten": flatten, "Reshape": reshape, "Permute": permute}
