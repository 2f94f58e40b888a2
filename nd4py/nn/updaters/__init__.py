"""Updaters, and the schedules of their learning rates.

An updater or a schedule is public, and known to configurations, by one line here, `from .file import Name as Name`.

The files, as the build lists them:

- adam.py: Adam and its relatives: means of gradients over means of their squares.
- adaptive.py: A rate for each parameter, from the squares of its gradients: AdaGrad, RmsProp, AdaDelta.
- courses.py: Schedules made of parts: constant, piecewise, cycles, and a rise before another schedule.
- decays.py: Schedules that fall from an initial value, by a formula.
- descent.py: Gradient descent: plain, with momentum, and by the sign of the gradient.
- factored.py: AdaFactor: Adam's second moments of a matrix, kept as the means of its rows and of its columns.
- schedule.py: Schedule: the protocol and base classes of learning-rate schedules.
- updater.py: Updater: the base class of optimizers, which compute the change of the parameters from a gradient.
"""

import typing as _typing

from ..names import public_names as _public_names
from .adam import AdaBelief as AdaBelief
from .adam import Adam as Adam
from .adam import AdaMax as AdaMax
from .adam import AdamW as AdamW
from .adam import AMSGrad as AMSGrad
from .adam import Nadam as Nadam
from .adaptive import AdaDelta as AdaDelta
from .adaptive import AdaGrad as AdaGrad
from .adaptive import RmsProp as RmsProp
from .courses import CycleSchedule as CycleSchedule
from .courses import FixedSchedule as FixedSchedule
from .courses import MapSchedule as MapSchedule
from .courses import OneCycleSchedule as OneCycleSchedule
from .courses import RampSchedule as RampSchedule
from .courses import WarmupSchedule as WarmupSchedule
from .decays import CosineSchedule as CosineSchedule
from .decays import ExponentialSchedule as ExponentialSchedule
from .decays import InverseSchedule as InverseSchedule
from .decays import PolySchedule as PolySchedule
from .decays import SigmoidSchedule as SigmoidSchedule
from .decays import StepSchedule as StepSchedule
from .descent import Lion as Lion
from .descent import Nesterovs as Nesterovs
from .descent import NoOp as NoOp
from .descent import Sgd as Sgd
from .factored import AdaFactor as AdaFactor
from .schedule import Schedule as Schedule
from .updater import Updater as Updater

if not _typing.TYPE_CHECKING:  # type checkers take what is imported `as` itself
    __all__ = _public_names(globals())
