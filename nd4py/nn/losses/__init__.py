"""Loss functions.

A loss with settings is public, and known to configurations, by one line here, `from .file import Name as Name`.

The files, as the build lists them:

- classification.py: Losses of outputs that are classes or bits.
- ctc.py: CTCLoss: sequences of labels without their places in time.
- loss.py: Loss: the base class of losses that have settings, and what all losses are made of.
- losses.py: Loss functions by name: (labels, pre-activation, activation's name) to the losses of a batch.
- mixture_density.py: MixtureDensityLoss: outputs that are a mixture of normal distributions.
- regression.py: Losses of outputs that are numbers.
"""

import typing as _typing

from ..names import public_names as _public_names
from .classification import FMeasureLoss as FMeasureLoss
from .classification import FocalLoss as FocalLoss
from .ctc import CTCLoss as CTCLoss
from .loss import Loss as Loss
from .mixture_density import MixtureDensityLoss as MixtureDensityLoss
from .regression import HuberLoss as HuberLoss

if not _typing.TYPE_CHECKING:  # type checkers take what is imported `as` itself
    __all__ = _public_names(globals())
