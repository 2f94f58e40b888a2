"""Normalizations: of batches, layers and groups, to unit length, and by statistics that are known."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy

from nd4py import nn

from ..counterparts.axis_vertices import PermuteVertex
from ..counterparts.scaling_layers import StandardizingLayer, UnitLengthLayer
from ..counterparts.wrapped_layers import WithoutParameters
from ..graph_builder import Arrays, Call, Converted, Tensor
from ..settings_reader import Settings, UnsupportedError, plain
from ..stored_weights import Wanted
from .function_translations import applied
from .merge_translations import positive
from .shape_translations import known


def axes_of(call: Call, default: int = -1) -> tuple[int, ...]:
    """The axes that a layer names, counted from the batch, 0."""
    given = call.settings.wholes("axis") if call.settings.has("axis") else [default]
    return tuple(positive(axis, len(call.x.shape)) for axis in given)


def features_of(call: Call, axis: int) -> int:
    """The size along an axis of an example.  Raises UnsupportedError where it is open."""
    n = call.x.shape[axis - 1]
    if n is None:
        raise UnsupportedError("inputs of any number of features")
    return n


def normalized(
    call: Call, layer: Any, names: Mapping[str, str], running: tuple[str, ...] = (), sizes: Any = None
) -> Tensor:
    """A layer of normalization over the channels, or what is at another axis, and its weights.

    names: of the parameters, by the settings that say whether they are there    running: further ones
    sizes: the shape that the weights have in the file, None for one axis
    """
    n_axes = len(call.x.shape)
    (axis,) = axes_of(call) if len(axes_of(call)) == 1 else (0,)
    if not 1 <= axis <= n_axes:
        raise UnsupportedError(f"axis {call.settings.values.get('axis')}")
    n_features = features_of(call, axis)
    kept = [name for setting, name in names.items() if call.settings.flag(setting, True)]
    left_out = tuple(name for name in names.values() if name not in kept)
    layer = WithoutParameters(layer, left_out=left_out) if left_out else layer
    stored = [*kept, *running]
    wanted = [Wanted(f"vars/{i}", tuple(sizes or (n_features,)), name not in running) for i, name in enumerate(stored)]
    if stored:
        call.fill(wanted, lambda arrays: {name: each.reshape(-1) for name, each in zip(stored, arrays, strict=True)})
    if axis == n_axes:
        return call.made(call.add(layer, call.first))
    if axis == 1 and n_axes > 2:
        return call.made(call.add(layer, call.last), is_last=True)
    if call.x.mask is not None or None in call.x.shape:
        raise UnsupportedError(f"axis {axis} of sequences with a mask, or of any length")
    order = (*(i for i in range(1, n_axes + 1) if i != axis), axis)
    turned = call.builder.tensor(call.add(PermuteVertex(order), call.last, part="axis last"), is_last=True)
    made = call.builder.tensor(call.add(layer, call.builder.first(turned)))
    back = tuple(order.index(i) + 1 for i in range(1, n_axes + 1))
    return call.made(call.add(PermuteVertex(back), call.builder.last(made), part="axis back"), is_last=True)


GAMMA_AND_BETA = {"scale": "gamma", "center": "beta"}
REGULARIZED = {f"{name}_{kind}": None for name in ("gamma", "beta") for kind in ("regularizer", "constraint")}


def batch_normalization(call: Call) -> Tensor:
    call.settings.refuse(renorm=False, virtual_batch_size=None)
    call.refuse_training(**REGULARIZED)
    layer = nn.BatchNormalization(
        decay=call.settings.number("momentum", 0.99), eps=call.settings.number("epsilon", 1e-3, least=0.0)
    )
    return normalized(call, layer, GAMMA_AND_BETA, ("mean", "var"))


def layer_normalization(call: Call) -> Tensor:
    call.settings.refuse(rms_scaling=False)
    call.refuse_training(**REGULARIZED)
    layer = nn.LayerNormalization(eps=call.settings.number("epsilon", 1e-3, least=0.0))
    axes, n_axes = axes_of(call), len(call.x.shape)
    if len(axes) == 1:
        return normalized(call, layer, GAMMA_AND_BETA)
    first = n_axes - len(axes)
    if sorted(axes) != list(range(first + 1, n_axes + 1)):
        raise UnsupportedError(f"axis {call.settings.values.get('axis')}")
    sizes = known(call)
    flat = (*sizes[:first], math.prod(sizes[first:]))
    rows = call.builder.tensor(call.add(nn.ReshapeVertex(flat), call.last, part="one axis"), is_last=True)
    settings = Settings(call.settings.who, {**call.settings.values, "axis": -1})
    made = normalized(replace(call, inputs=(rows,), settings=settings), layer, GAMMA_AND_BETA, sizes=sizes[first:])
    vertex = call.add(nn.ReshapeVertex(sizes), call.builder.last(made), part="several axes")
    return call.made(vertex, is_last=True)


def group_normalization(call: Call) -> Tensor:
    call.refuse_training(**REGULARIZED)
    groups = call.settings.values.get("groups", 32)
    groups = call.x.shape[axes_of(call)[0] - 1] if groups == -1 and axes_of(call)[0] > 0 else groups
    if isinstance(groups, bool) or not isinstance(groups, int):
        raise call.settings.wrong("groups", "a whole number")
    layer = nn.GroupNormalization(groups, eps=call.settings.number("epsilon", 1e-3, least=0.0))
    return normalized(call, layer, GAMMA_AND_BETA)


def rms_normalization(call: Call) -> Tensor:
    layer = nn.RMSNormalization(eps=call.settings.number("epsilon", 1e-6, least=0.0))
    return normalized(call, layer, {"scale": "gamma"})


def unit_normalization(call: Call) -> Tensor:
    if (axes := axes_of(call)) != (len(call.x.shape),):
        return applied(call, "Normalize", axis=axes)
    return call.made(call.add(UnitLengthLayer(), call.first))


def numbers_of(call: Call, name: str, n: int) -> numpy.ndarray:
    """A list of numbers that is a setting, as `n` numbers.  Raises ValueError for others."""
    value = call.settings.values.get(name)
    value = value.get("config", {}).get("value") if isinstance(value, Mapping) else value
    try:
        found = numpy.asarray(plain(value), dtype=numpy.float64).reshape(-1)
    except (TypeError, ValueError):
        raise call.settings.wrong(name, f"{n} numbers") from None
    if found.size not in (1, n) or not numpy.all(numpy.isfinite(found)):
        raise call.settings.wrong(name, f"{n} numbers")
    return numpy.broadcast_to(found, (n,))


def normalization(call: Call) -> Tensor:
    given = plain(call.settings.values.get("axis", -1))
    is_whole = given is None or given == []
    if not is_whole and axes_of(call) != (len(call.x.shape),):
        raise UnsupportedError(f"axis {given}")
    n_features = features_of(call, len(call.x.shape))
    layer = StandardizingLayer(call.settings.flag("invert", False))
    if call.settings.has("mean") or call.settings.has("variance"):
        mean, var = numbers_of(call, "mean", n_features), numbers_of(call, "variance", n_features)

        def known(arrays: Arrays) -> Converted:
            return {"mean": mean, "var": var}

        call.fill([], known)
    else:
        shape = () if is_whole else (n_features,)
        wanted = [Wanted(f"vars/{i}", each, False, is_read=i < 2) for i, each in enumerate((shape, shape, ()))]

        def read(arrays: Arrays) -> Converted:
            mean, var = (numpy.broadcast_to(each.reshape(-1), (n_features,)) for each in arrays[:2])
            return {"mean": mean, "var": var}

        call.fill(wanted, read)
    return call.made(call.add(layer, call.first))


def rescaling(call: Call) -> Tensor:
    given = [plain(call.settings.values.get(name, 0.0)) for name in ("scale", "offset")]
    if any(isinstance(each, list) for each in given):
        numbers = [numbers_of(call, name, features_of(call, len(call.x.shape))).tolist() if call.settings.has(name)
                   else [0.0] for name in ("scale", "offset")]  # fmt: skip
        return applied(call, "rescale", scale=numbers[0], offset=numbers[1])
    scale, offset = call.settings.number("scale"), call.settings.number("offset", 0.0)
    scaled = call.add(nn.ScaleVertex(scale), call.x.only)
    is_last = call.x.first is None
    if not offset:
        return call.made(scaled, is_last=is_last)
    return call.made(call.add(nn.ShiftVertex(offset), scaled, part="offset"), is_last=is_last)


ROWS: dict[str, Any] = {
    "BatchNormalization": batch_normalization,
    "SyncBatchNormalization": batch_normalization,
    "LayerNormalization": layer_normalization,
    "GroupNormalization": group_normalization,
    "RMSNormalization": rms_normalization,
    "UnitNormalization": unit_normalization,
    "Normalization": normalization,
    "Rescaling": rescaling,
}
