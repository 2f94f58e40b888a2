"""Look-up of names in configurations, and the names that packages offer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from types import ModuleType
from typing import Any, Self, TypeVar

from nd4py.api.unknown_settings import keywords_of, too_many, unknown_setting

Entry = TypeVar("Entry")

# What takes the place of a function of one's own, by the kind that is looked up.
OWN = {
    "activation": " A function of your own goes into a layer, nn.LambdaLayer(function), behind the one it belongs to.",
    "loss": " A loss of your own is an object of a class that derives from nn.Loss.",
    "weight_init": " Initial weights of your own are an object of a class that derives from nn.Distribution.",
}


# Entries of tables, and what other libraries call them.
OTHER_NAMES = {
    "identity": ("linear", "none"),
    "mcxent": ("cross_entropy", "crossentropy", "categorical_crossentropy", "softmax_cross_entropy"),
    "sparse_mcxent": ("sparse_categorical_crossentropy", "sparse_crossentropy"),
    "xent": ("bce", "bce_with_logits", "binary_crossentropy", "log_loss"),
    "negative_log_likelihood": ("nll", "nll_loss"),
    "mae": ("l1_loss",),
    "huber": ("smooth_l1",),
    "he_normal": ("kaiming", "kaiming_normal"),
    "he_uniform": ("kaiming_uniform",),
    "xavier": ("xavier_normal",),
    "zero": ("zeros",),
    "clip_l2_global": ("clip_norm", "clip_by_norm", "clip_by_global_norm", "clip_grad_norm", "global_clipnorm"),
    "clip_element_wise_absolute_value": ("clip_value", "clip_by_value", "clipvalue", "clip_grad_value"),
    "avg": ("mean", "average"),
    "truncate": ("valid",),
}


def look_up(table: Mapping[str, Entry], name: object, kind: str) -> Entry:
    """The entry of `table` called `name`.

    kind: what the table lists, for the message ("activation", "loss" ...)
    Raises ValueError that names the closest match and everything that exists.
    """
    if isinstance(name, str) and name in table:
        return table[name]
    if callable(name) and not isinstance(name, type):
        raise ValueError(f"unknown {kind} {name!r}.{OWN.get(kind, '')} Names: {', '.join(sorted(table))}")
    spellings = {known.lower(): known for known in table}
    spelled = str(name).lower()
    close = [own for own, others in OTHER_NAMES.items() if own in table and spelled in others]
    close = close or [spellings[each] for each in get_close_matches(spelled, spellings, n=1)]
    hint = f" Did you mean {close[0]!r}?" if close else ""
    raise ValueError(f"unknown {kind} {name!r}.{hint} Known: {', '.join(sorted(table))}")


# Settings, and what other libraries call them.
OTHER_SPELLINGS = {
    "n_out": (
        *("units", "out_features", "out_channels", "filters", "n_filters", "hidden_size", "output_dim"),
        "embedding_dim",
    ),
    "n_in": ("in_features", "in_channels", "input_size", "input_dim"),
    "learning_rate": ("lr", "rate"),
    "b1": ("betas", "beta_1", "beta1"),
    "b2": ("betas", "beta_2", "beta2"),
    "eps": ("epsilon",),
    "has_bias": ("bias", "use_bias"),
    "weight_init": ("kernel_initializer", "weight_initializer", "init"),
    "kernel_size": ("pool_size", "kernel", "filter_size"),
    "stride": ("strides",),
    "dilation": ("dilation_rate",),
    "convolution_mode": ("border_mode", "padding_mode"),
    "rate": ("p", "drop_rate", "drop_prob"),
    "n_heads": ("num_heads", "nhead", "heads"),
    "updater": ("optimizer", "optim"),
}


class Settings:
    """The base class of dataclasses of settings: an unknown keyword is an error that names the nearest known one."""

    def __new__(cls, *values: Any, **settings: Any) -> Self:
        if settings and (known := keywords_of(cls.__init__)) is not None:
            for name in settings.keys() - set(known):
                if name == "learning_rate" and "updater" in known:
                    raise TypeError(f"{cls.__name__}: the learning rate is one of the updater: updater=nn.Adam(rate)")
                raise TypeError(unknown_setting(cls.__name__, name, known, OTHER_SPELLINGS))
        told = too_many(cls.__name__, cls.__init__, len(values)) if values else None
        if told is not None:
            raise TypeError(told)
        return super().__new__(cls)


def public_names(namespace: Mapping[str, object]) -> list[str]:
    """What a package offers, sorted: the names in it that are neither modules nor begin with an underscore."""
    return sorted(
        name for name, found in namespace.items() if not name.startswith("_") and not isinstance(found, ModuleType)
    )


def classes_of(package: ModuleType, base: type, but: Iterable[type] = ()) -> dict[str, type]:
    """The classes derived from `base` that a package offers, by their names, without those in `but`."""
    found = [vars(package)[name] for name in public_names(vars(package))]
    return {
        each.__name__: each
        for each in found
        if isinstance(each, type) and issubclass(each, base) and each not in (base, *but)
    }
