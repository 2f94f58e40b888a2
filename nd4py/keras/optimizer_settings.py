"""Optimizers and learning rates of Keras as updaters and schedules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from nd4py import nn

from .counterparts.keras_updaters import (
    CenteredRmsProp,
    MomentumRmsProp,
    MomentumUpdater,
    ScaledAdaDelta,
    ScheduledNadam,
    StartedAdaGrad,
)
from .counterparts.leader_updaters import FollowTheLeader, LayerwiseAdam
from .settings_reader import Settings, UnsupportedError, shown
from .translations.translated_settings import is_foreign


def rate(settings: Settings, default: float) -> Any:
    """The learning rate, a number or a schedule.  Raises UnsupportedError for schedules without a counterpart."""
    name = "lr" if settings.has("lr") and not settings.has("learning_rate") else "learning_rate"
    value = settings.values.get(name, default)
    if not isinstance(value, Mapping) or "class_name" not in value:
        return settings.number(name, default, least=0.0)
    kind = value.get("class_name")
    if kind not in SCHEDULES or is_foreign(value):
        raise UnsupportedError(f"learning rate {shown(kind)}")
    return SCHEDULES[str(kind)](settings.inner(name).inner("config"))


def exponential(settings: Settings) -> Any:
    first, steps = settings.number("initial_learning_rate"), settings.whole("decay_steps")
    decay = settings.number("decay_rate", least=0.0)
    if settings.flag("staircase", False):
        return nn.StepSchedule(first, decay, steps)
    return nn.ExponentialSchedule(first, decay ** (1.0 / steps))


def inverse_time(settings: Settings) -> Any:
    settings.refuse(staircase=False)
    gamma = settings.number("decay_rate", least=0.0) / settings.whole("decay_steps")
    return nn.InverseSchedule(settings.number("initial_learning_rate"), gamma)


def polynomial(settings: Settings) -> Any:
    settings.refuse(cycle=False)
    if settings.number("end_learning_rate", 0.0001) != 0.0:
        raise UnsupportedError("an end_learning_rate that is not 0")
    first, power = settings.number("initial_learning_rate"), settings.number("power", 1.0)
    return nn.PolySchedule(first, power, settings.whole("decay_steps"))


def cosine(settings: Settings) -> Any:
    settings.refuse(warmup_target=None, warmup_steps=0)
    first = settings.number("initial_learning_rate")
    return nn.CosineSchedule(first, settings.whole("decay_steps"), first * settings.number("alpha", 0.0))


def piecewise(settings: Settings) -> Any:
    """A value up to and with each boundary, and another behind."""
    boundaries, values = settings.wholes("boundaries"), settings.items("values")
    if len(values) != len(boundaries) + 1 or any(isinstance(each, bool | str | list | dict) for each in values):
        raise settings.wrong("values", "one number more than there are boundaries")
    return nn.MapSchedule(dict(zip((0, *(each + 1 for each in boundaries)), values, strict=True)))


SCHEDULES: Mapping[str, Callable[[Settings], Any]] = {
    "ExponentialDecay": exponential,
    "InverseTimeDecay": inverse_time,
    "PolynomialDecay": polynomial,
    "CosineDecay": cosine,
    "PiecewiseConstantDecay": piecewise,
}


def moments(settings: Settings) -> dict[str, Any]:
    """The decay of the means of Adam and its relatives."""
    return {
        "learning_rate": rate(settings, 0.001),
        "b1": settings.number("beta_1", 0.9, least=0.0),
        "b2": settings.number("beta_2", 0.999, least=0.0),
        "eps": settings.number("epsilon", 1e-7, least=0.0),
    }


def adam(settings: Settings) -> nn.Updater:
    if settings.has("weight_decay"):
        return adam_w(settings)
    kind = nn.AMSGrad if settings.flag("amsgrad", False) else nn.Adam
    return kind(**moments(settings))


def adam_w(settings: Settings) -> nn.Updater:
    settings.refuse(amsgrad=False)
    return nn.AdamW(**moments(settings), weight_decay=settings.number("weight_decay", 0.004, least=0.0))


def adamax(settings: Settings) -> nn.Updater:
    settings.refuse(weight_decay=None)
    return nn.AdaMax(**moments(settings))


def nadam(settings: Settings) -> nn.Updater:
    settings.refuse(weight_decay=None)
    return ScheduledNadam(**moments(settings))


def descent(settings: Settings) -> nn.Updater:
    settings.refuse(weight_decay=None)
    momentum = settings.number("momentum", 0.0, least=0.0)
    if not momentum:
        return nn.Sgd(rate(settings, 0.01))
    if not settings.flag("nesterov", False):
        return MomentumUpdater(rate(settings, 0.01), momentum)
    return nn.Nesterovs(rate(settings, 0.01), momentum)


def rms_prop(settings: Settings) -> nn.Updater:
    settings.refuse(weight_decay=None)
    decay, eps = settings.number("rho", 0.9, least=0.0), settings.number("epsilon", 1e-7, least=0.0)
    momentum = settings.number("momentum", 0.0, least=0.0)
    if settings.flag("centered", False):
        return CenteredRmsProp(rate(settings, 0.001), decay, momentum, eps)
    if momentum:
        return MomentumRmsProp(rate(settings, 0.001), decay, momentum, eps)
    return nn.RmsProp(rate(settings, 0.001), decay, eps)


def adagrad(settings: Settings) -> nn.Updater:
    settings.refuse(weight_decay=None)
    start, eps = settings.number("initial_accumulator_value", 0.1), settings.number("epsilon", 1e-7, least=0.0)
    if not 0.0 <= start < 1.0:
        raise UnsupportedError("Adagrad with an initial_accumulator_value that is not in [0, 1)")
    return StartedAdaGrad(rate(settings, 0.001), start, eps) if start else nn.AdaGrad(rate(settings, 0.001), eps)


def adadelta(settings: Settings) -> nn.Updater:
    settings.refuse(weight_decay=None)
    decay, eps = settings.number("rho", 0.95, least=0.0), settings.number("epsilon", 1e-7, least=0.0)
    learning_rate = rate(settings, 0.001)
    return nn.AdaDelta(decay, eps) if learning_rate == 1.0 else ScaledAdaDelta(decay, eps, learning_rate)


def lion(settings: Settings) -> nn.Updater:
    decay = settings.number("weight_decay", least=0.0) if settings.has("weight_decay") else 0.0
    betas = settings.number("beta_1", 0.9, least=0.0), settings.number("beta_2", 0.99, least=0.0)
    return nn.Lion(rate(settings, 0.001), *betas, weight_decay=decay)


def lamb(settings: Settings) -> nn.Updater:
    settings.refuse(weight_decay=None)
    return LayerwiseAdam(**moments(settings))


def adafactor(settings: Settings) -> nn.Updater:
    """Keras takes the smaller of the rate and 1 / sqrt(t) whatever `relative_step` says."""
    settings.refuse(weight_decay=None)
    return nn.AdaFactor(
        rate(settings, 0.001),
        parameter_eps=settings.number("epsilon_2", 1e-3, least=0.0),
        clipping_threshold=settings.number("clip_threshold", 1.0, least=0.0),
        decay_exponent=-settings.number("beta_2_decay", -0.8),
        eps=settings.number("epsilon_1", 1e-30, least=0.0),
    )


def ftrl(settings: Settings) -> nn.Updater:
    settings.refuse(weight_decay=None)
    power = -settings.number("learning_rate_power", -0.5)
    strengths = {
        name: settings.number(f"{name}_regularization_strength", 0.0, least=0.0)
        for name in ("l1", "l2", "l2_shrinkage")
    }
    start = settings.number("initial_accumulator_value", 0.1, least=0.0)
    return FollowTheLeader(rate(settings, 0.001), power, start, beta=settings.number("beta", 0.0), **strengths)


OPTIMIZERS: Mapping[str, Callable[[Settings], nn.Updater]] = {
    "SGD": descent,
    "Adam": adam,
    "AdamW": adam_w,
    "Adamax": adamax,
    "Nadam": nadam,
    "RMSprop": rms_prop,
    "Adagrad": adagrad,
    "Adadelta": adadelta,
    "Lion": lion,
    "Lamb": lamb,
    "Adafactor": adafactor,
    "Ftrl": ftrl,
}
# Limits of gradients, and what they are called here.
LIMITS = {
    "clipnorm": "clip_l2_per_param_type",
    "clipvalue": "clip_element_wise_absolute_value",
    "global_clipnorm": "clip_l2_global",
}


def optimizer_settings(value: Any) -> dict[str, Any]:
    """The settings of a network that follow from an optimizer.  Raises UnsupportedError where it has no counterpart."""
    if value is None:
        return {}
    whole = Settings("keras.load: optimizer", {"class_name": value, "config": {}} if isinstance(value, str) else value)
    names = {each.lower(): each for each in OPTIMIZERS}
    kind = names.get(whole.text("class_name").lower().rpartition(">")[2])
    if kind is None or (is_foreign(whole.values) and not whole.text("class_name").startswith("Custom>")):
        raise UnsupportedError(f"optimizer {shown(whole.values['class_name'])}")
    settings = whole.inner("config")
    settings.refuse(use_ema=False, gradient_accumulation_steps=None, decay=0.0)
    found: dict[str, Any] = {"updater": OPTIMIZERS[kind](settings)}
    limits = [name for name in LIMITS if settings.has(name)]
    if len(limits) > 1:
        raise UnsupportedError(f"{' and '.join(limits)} together")
    for name in limits:
        limit = settings.number(name, least=0.0)
        found |= {"gradient_normalization": LIMITS[name], "gradient_threshold": limit}
    return found
