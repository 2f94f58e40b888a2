"""Updaters by name."""

from .adam import AdaBelief, Adam, AdaMax, AdamW, AMSGrad, Nadam
from .adaptive import AdaDelta, AdaGrad, RmsProp
from .descent import Lion, Nesterovs, NoOp, Sgd
from .factored import AdaFactor
from .updater import Updater

UPDATERS: dict[str, type[Updater]] = {
    updater.__name__: updater
    for updater in (
        NoOp,
        Sgd,
        Nesterovs,
        Lion,
        AdaGrad,
        RmsProp,
        AdaDelta,
        AdaFactor,
        Adam,
        AdamW,
        AdaMax,
        AMSGrad,
        Nadam,
        AdaBelief,
    )
}

__all__ = ["UPDATERS", "Sgd", "Updater"]
