"""Normalizations: of batches, layers and groups, to unit length, and by statistics that are known."""

from collections.abc import Mapping
from typing import Any

import numpy

from nd4py import nn

from ..counterparts.scaling_layers import StandardizingLayer, UnitLengthLayer
from ..counterparts.wrapped_layers import WithoutParameters
from ..graph_builder import Arrays, Call, Converted, Tensor
from ..settings_reader import UnsupportedError, plain
from ..stored_weights import Wanted
from .merge_translations import positive


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


def normalized(call: Call, layer: Any, names: Mapping[str, str], running: tuple[str, ...] = ()) -> Tensor:
    """A layer of normalization over the channels, and its weights.

    names: of the parameters, by the settings that say whether they are there    running: further ones
    """
    n_axes = len(call.x.shape)
    (axis,) = axes_of(call) if len(axes_of(call)) == 1 else (0,)
    if axis != n_axes and (axis != 1 or n_axes < 3):
        raise UnsupportedError(f"axis {call.settings.values.get('axis')}")
    n_features = features_of(call, axis)
    kept = [name for setting, name in names.items() if call.settings.flag(setting, True)]
    left_out = tuple(name for name in names.values() if name not in kept)
    layer = WithoutParameters(layer, left_out=left_out) if left_out else layer
    stored = [*kept, *running]
    wanted = [Wanted(f"vars/{i}", (n_features,), name not in running) for i, name in enumerate(stored)]
    if stored:
        call.fill(wanted, lambda arrays: dict(zip(stored, arrays, strict=True)))
    if axis == n_axes:
        return call.made(call.add(layer, call.first))
    return call.made(call.add(layer, call.last), is_last=True)


GAMMA_AND_BETA = {"scale": "gamma", "center": "beta"}
REGULARIZED = {f"{name}_{kind}": None for name in ("gamma", "beta") for kind in ("regularizer", "constraint")}


def batch_normalization(call: Call) -> Tensor:
    call.settings.refuse(renorm=False, virtual_batch_size=None, **REGULARIZED)
    layer = nn.BatchNormalization(
        decay=call.settings.number("momentum", 0.99), eps=call.settings.number("epsilon", 1e-3, least=0.0)
    )
    return normalized(call, layer, GAMMA_AND_BETA, ("mean", "var"))


def layer_normalization(call: Call) -> Tensor:
    call.settings.refuse(rms_scaling=False, **REGULARIZED)
    eps = call.settings.number("epsilon", 1e-3, least=0.0)
    if len(call.x.shape) == 2 and axes_of(call) != (2,):
        raise UnsupportedError(f"axis {call.settings.values.get('axis')}")
    return normalized(call, nn.LayerNormalization(eps=eps), GAMMA_AND_BETA)


def group_normalization(call: Call) -> Tensor:
    call.settings.refuse(**REGULARIZED)
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
    if axes_of(call) != (len(call.x.shape),):
        raise UnsupportedError(f"axis {call.settings.values.get('axis')}")
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
    axes = axes_of(call) if call.settings.values.get("axis", -1) is not None else ()
    if axes != (len(call.x.shape),):
        raise UnsupportedError(f"axis {call.settings.values.get('axis')}")
    n_features = features_of(call, axes[0])
    layer = StandardizingLayer(call.settings.flag("invert", False))
    if call.settings.has("mean") or call.settings.has("variance"):
        mean, var = numbers_of(call, "mean", n_features), numbers_of(call, "variance", n_features)

        def known(arrays: Arrays) -> Converted:
            return {"mean": mean, "var": var}

        call.fill([], known)
    else:
        shapes = ((n_features,), (n_features,), ())
        wanted = [Wanted(f"vars/{i}", shape, False, is_read=bool(shape)) for i, shape in enumerate(shapes)]
        call.fill(wanted, lambda arrays: {"mean": arrays[0].reshape(-1), "var": arrays[1].reshape(-1)})
    return call.made(call.add(layer, call.first))


def rescaling(call: Call) -> Tensor:
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
