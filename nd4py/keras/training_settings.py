"""How a model was compiled: its optimizer, and losses for its outputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from nd4py import nn
from nd4py.nn.layers.calls import setting

from .counterparts.logits_loss import LogitsLoss
from .graph_builder import GraphBuilder
from .optimizer_settings import optimizer_settings
from .settings_reader import Settings, UnsupportedError, plain, shown
from .translations.translated_settings import is_foreign


@dataclass(frozen=True)
class LossRow:
    """A loss of Keras: what it is called here, whether Keras takes the mean where nd4py adds up the outputs, and the
    activation that logits of it are before, None where it has no such setting."""

    loss: str
    is_mean: bool = False
    of_logits: str | None = None


# By the names of functions and, in lower case, of classes.
NAMES = {
    "mse": "mean_squared_error",
    "mae": "mean_absolute_error",
    "mape": "mean_absolute_percentage_error",
    "msle": "mean_squared_logarithmic_error",
    "kld": "kl_divergence",
    "bce": "binary_crossentropy",
    "logcosh": "log_cosh",
}
ROWS: Mapping[str, tuple[Any, ...]] = {
    "mean_squared_error": ("mse",),
    "mean_absolute_error": ("mae",),
    "mean_absolute_percentage_error": ("mape",),
    "mean_squared_logarithmic_error": ("msle",),
    "binary_crossentropy": ("xent", True, "sigmoid"),
    "categorical_crossentropy": ("mcxent", False, "softmax"),
    "sparse_categorical_crossentropy": ("sparse_mcxent", False, "softmax"),
    "hinge": ("hinge", True),
    "squared_hinge": ("squared_hinge", True),
    "poisson": ("poisson", True),
    "kl_divergence": ("kl_divergence",),
    "log_cosh": ("log_cosh",),
    "huber": ("huber",),
    "cosine_similarity": ("cosine_proximity",),
}


def named(value: str) -> str:
    """The name of a function, for that of a function or a class."""
    name = value.lower()
    name = NAMES.get(name, name)
    return next((each for each in ROWS if each.replace("_", "") == name.replace("_", "")), name)


def loss_of(value: Any) -> tuple[Any, LossRow, float]:
    """The loss that a setting says, its row, and how much the labels are smoothed.

    Raises UnsupportedError for one without a counterpart.
    """
    settings = Settings("keras.load: loss", {})
    name = value
    if isinstance(value, Mapping):
        whole = Settings("keras.load: loss", value)
        if is_foreign(value):
            raise UnsupportedError(f"loss {shown(value.get('class_name'))}")
        name = value.get("config") if value.get("class_name") == "function" else value.get("class_name")
        settings = whole.inner("config") if isinstance(value.get("config"), Mapping) else settings
    row = ROWS.get(named(name)) if isinstance(name, str) else None
    if row is None:
        raise UnsupportedError(f"loss {shown(name)}")
    found, reduction = LossRow(*row), settings.values.get("reduction", "sum_over_batch_size")
    if reduction not in ("sum_over_batch_size", "auto", None):
        raise UnsupportedError(f"loss {shown(name)} with the reduction {shown(reduction)}")
    settings.refuse(ignore_class=None)
    if settings.values.get("axis", -1) != -1:
        raise UnsupportedError(f"loss {shown(name)} along another axis than the last")
    loss: Any = found.loss
    if loss == "huber":
        loss = nn.HuberLoss(settings.number("delta", 1.0, least=0.0))
    smoothing = settings.number("label_smoothing", 0.0, least=0.0)
    if settings.flag("from_logits", False) and found.of_logits:
        if smoothing:
            raise UnsupportedError("label_smoothing of logits")
        loss = LogitsLoss(found.loss, found.of_logits)
    return loss, found, smoothing


def with_losses(builder: GraphBuilder, outputs: list[str], training: Any) -> tuple[list[str], dict[str, Any]]:
    """The outputs with losses, and the settings of the network, for a model that was compiled.

    training: as the file has it, None or empty where it was not
    Changes the builder.  Raises UnsupportedError for what has no counterpart, ValueError for what is no setting.
    """
    if not training:
        return outputs, {}
    settings = Settings("keras.load: training settings", training)
    found = optimizer_settings(settings.values.get("optimizer", settings.values.get("optimizer_config")))
    layers = [node.vertex for node in builder.vertices.values()]
    if "gradient_normalization" in found and any(setting(each, name) for each in layers for name in ("l1", "l2")):
        # Keras limits gradients with those of penalties, nd4py those of the loss alone.
        raise UnsupportedError("limits of gradients beside regularizers")
    losses = for_outputs(settings, "loss", outputs)
    if all(each is None for each in losses):
        return outputs, found
    if any(each is None for each in losses):
        raise UnsupportedError("outputs of which some have no loss")
    weights, names = [], []
    given = for_outputs(settings, "loss_weights", outputs)
    for name, value, weight in zip(outputs, losses, given, strict=True):
        if weight is not None and (isinstance(weight, bool) or not isinstance(weight, int | float)):
            raise settings.wrong("loss_weights", "a number for each output")
        loss, row, smoothing = loss_of(value)
        made = builder.types[name]
        if len(made.shape) > 2:
            raise UnsupportedError(f"a loss of images, output {name!r}")
        share = 1.0 if weight is None else float(weight)
        share /= made.n_features if row.is_mean else 1
        share /= made.length or 1
        weights.append(share)
        names.append(scored(builder, name, loss, smoothing))
    return names, found if set(weights) == {1.0} else {**found, "output_weights": tuple(weights)}


def for_outputs(settings: Settings, name: str, outputs: Sequence[str]) -> list[Any]:
    """The value of a setting for each output, from one for all, a list of them, or a dict by the names of outputs."""
    value = plain(settings.values.get(name))
    if isinstance(value, Mapping) and "class_name" not in value:
        short = [each.partition(",")[0].rpartition("/")[2] for each in outputs]
        if set(value) <= set(short):
            return [value.get(each) for each in short]
        value = list(value.values())
    if isinstance(value, list):
        if len(value) != len(outputs):
            raise settings.wrong(name, f"one for each of {len(outputs)} outputs")
        return value
    return [value] * len(outputs)


def scored(builder: GraphBuilder, name: str, loss: Any, smoothing: float) -> str:
    """An output with a loss: in the dense layer that makes it, or behind it.  Returns its name; changes the builder."""
    node, is_steps = builder.vertices[name], len(builder.types[name].shape) == 2
    shares = node.shares or any(each.shares == name for each in builder.vertices.values())
    own = {"loss": loss, "label_smoothing": smoothing}
    is_read = any(name in each.inputs for each in builder.vertices.values())
    if type(node.vertex) is nn.DenseLayer and not shares and not is_read and fits(loss, node.vertex.activation):
        settings = {row.name: getattr(node.vertex, row.name) for row in fields(node.vertex) if row.init}
        kind: Any = nn.RnnOutputLayer if is_steps else nn.OutputLayer
        builder.vertices[name] = replace(node, vertex=kind(**settings, **own))
        return name
    last: Any = nn.RnnLossLayer if is_steps else nn.LossLayer
    if type(node.vertex) is nn.ActivationLayer and not is_read and fits(loss, node.vertex.activation):
        builder.vertices[name] = replace(node, vertex=last(activation=node.vertex.activation, **own))
        return name
    return builder.add(f"{name}, loss", last(activation="identity", **own), name)


def fits(loss: Any, activation: Any) -> bool:
    """Whether a loss can be computed from the values before the activation."""
    return not isinstance(loss, LogitsLoss) or activation == "identity"
