"""Settings that many layers of Keras have, as nd4py has them: activations, penalties, constraints, data formats."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from nd4py import api as nd
from nd4py import nn
from nd4py.nn.activations import exponential, log_softmax, softmax, tanh_shrink

from ..counterparts.keras_activations import LimitedReLU, SixthSigmoid, SparsePlus, SparseSigmoid, SquarePlus
from ..graph_builder import Call
from ..settings_reader import Settings, UnsupportedError, plain, shown

# Activations that are called alike.
SAME = (
    *(
        nd.celu,
        nd.elu,
        nd.gelu,
        nd.hard_shrink,
        nd.hard_tanh,
        nd.hard_swish,
        nd.log_sigmoid,
        nd.mish,
        nd.relu,
        nd.relu6,
    ),
    *(nd.selu, nd.sigmoid, nd.soft_shrink, nd.softplus, nd.softsign, nd.swish, nd.tanh),
    *(exponential, log_softmax, softmax, tanh_shrink),
)
# By what Keras calls them: the names here, or what makes them.
ACTIVATIONS: dict[str, Any] = {
    **{function.__name__: function.__name__ for function in SAME},
    "linear": "identity",
    "silu": nd.swish.__name__,
    "hard_silu": nd.hard_swish.__name__,
    "hard_sigmoid": SixthSigmoid,
    "leaky_relu": partial(nn.LeakyReLU, 0.2),
    "sparse_plus": SparsePlus,
    "sparse_sigmoid": SparseSigmoid,
    "squareplus": SquarePlus,
}
LEGACY_ACTIVATIONS = ACTIVATIONS | {"hard_sigmoid": "hard_sigmoid"}


def activation(call: Call, name: str = "activation", default: str = "linear") -> Any:
    """The activation that a setting names.  Raises UnsupportedError for one that nd4py has not."""
    value = call.settings.values.get(name, default)
    if value is None:
        return "identity"
    if isinstance(value, Mapping):
        kind = value.get("class_name")
        if kind in ACTIVATION_LAYERS and not is_foreign(value):
            return ACTIVATION_LAYERS[kind](Settings(f"{call.settings.who}: {name}", value.get("config")))
        value = value.get("config") if kind == "function" and not is_foreign(value) else kind
    table = LEGACY_ACTIVATIONS if call.is_legacy else ACTIVATIONS
    if not isinstance(value, str) or value not in table:
        raise UnsupportedError(f"{name} {shown(value)}")
    return found() if callable(found := table[value]) else found


def is_foreign(value: Mapping[str, Any]) -> bool:
    """Whether a class or function is none of Keras's own."""
    module, registered = value.get("module"), value.get("registered_name")
    return (isinstance(module, str) and not module.startswith(("keras", "builtins"))) or (
        isinstance(registered, str) and ">" in registered
    )


def leaky_relu(settings: Settings) -> nn.Activation:
    return nn.LeakyReLU(settings.number("negative_slope" if settings.has("negative_slope") else "alpha", 0.3))


def relu(settings: Settings) -> Any:
    limit = settings.number("max_value") if settings.has("max_value") else None
    slope = settings.number("negative_slope", 0.0) if settings.has("negative_slope") else 0.0
    threshold = settings.number("threshold", 0.0) if settings.has("threshold") else 0.0
    if limit is None and not threshold:
        return nn.LeakyReLU(slope) if slope else "relu"
    return LimitedReLU(limit, slope, threshold)


def elu(settings: Settings) -> nn.Activation:
    return nn.ELU(settings.number("alpha", 1.0))


def thresholded_relu(settings: Settings) -> nn.Activation:
    return nn.ThresholdedReLU(settings.number("theta", 1.0))


# Layers that are activations.
ACTIVATION_LAYERS = {"LeakyReLU": leaky_relu, "ReLU": relu, "ELU": elu, "ThresholdedReLU": thresholded_relu}


def penalties(call: Call, *others: str) -> dict[str, Any]:
    """The fields `l1` and `l2` of a layer.  Keras adds l2 * sum(w**2) to the loss, nd4py half of that.

    others: names of settings for which there is no counterpart
    Raises UnsupportedError for regularizers that are none of these, and for those of biases and outputs.
    """
    call.refuse_training(bias_regularizer=None, activity_regularizer=None, **dict.fromkeys(others))
    value = call.settings.values.get("kernel_regularizer", call.settings.values.get("embeddings_regularizer"))
    if value is None:
        return {}
    whole = Settings(f"{call.settings.who}: kernel_regularizer", value)
    kind = whole.values.get("class_name")
    if kind not in ("L1", "L2", "L1L2") or is_foreign(whole.values):
        call.refuse_training(kernel_regularizer=None, embeddings_regularizer=None)
        return {}
    settings = whole.inner("config")
    return {
        "l1": settings.number("l1", 0.0, least=0.0) if kind != "L2" else 0.0,
        "l2": 2.0 * settings.number("l2", 0.0, least=0.0) if kind != "L1" else 0.0,
    }


def constraints(call: Call, axes: tuple[int, ...]) -> dict[str, Any]:
    """The field `constraints` of a layer with one kernel, `axes` being all of the kernel's but that of the outputs.

    Raises UnsupportedError for others than those of nd4py, or over other axes.
    """
    call.refuse_training(bias_constraint=None)
    value = call.settings.values.get("kernel_constraint")
    if value is None:
        return {}
    whole = Settings(f"{call.settings.who}: kernel_constraint", value)
    kind = whole.values.get("class_name")
    if is_foreign(whole.values) or kind not in ("NonNeg", "MaxNorm", "UnitNorm", "MinMaxNorm"):
        call.refuse_training(kernel_constraint=None)
        return {}
    if kind == "NonNeg":
        return {"constraints": (nn.NonNegativeConstraint(),)}
    settings = whole.inner("config")
    given = plain(settings.values.get("axis", 0))
    if tuple(given if isinstance(given, list) else [given]) != axes:
        raise UnsupportedError(f"constraint {kind} over axis {shown(given)}")
    if kind == "UnitNorm":
        return {"constraints": (nn.UnitNormConstraint(),)}
    if kind == "MaxNorm":
        return {"constraints": (nn.MaxNormConstraint(max_norm=settings.number("max_value", 2.0)),)}
    limits = (settings.number("min_value", 0.0), settings.number("max_value", 1.0), settings.number("rate", 1.0))
    return {"constraints": (nn.MinMaxNormConstraint(min_norm=limits[0], max_norm=limits[1], rate=limits[2]),)}


def is_channels_first(call: Call) -> bool:
    """Whether the layer has the channels in front.  Raises ValueError for another format."""
    if not call.settings.has("data_format"):
        return False
    return call.settings.choice("data_format", ("channels_last", "channels_first")) == "channels_first"
