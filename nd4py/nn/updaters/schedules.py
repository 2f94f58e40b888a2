"""Learning-rate schedules.

A schedule has a method `value(iteration, epoch)`; both are counted from 0.  `per` says on which of the two it depends.
A plain number is a schedule that never changes.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Protocol

from nd4py.api.arguments import instance

from ..numbers import real, whole

STEPS = ("iteration", "epoch")


class Schedule(Protocol):
    """Anything with `value(iteration, epoch)`.

    >>> class Halved:
    ...     def value(self, iteration, epoch):
    ...         return 0.1 / 2**epoch
    >>> nn.Sgd(learning_rate=Halved()).rate(iteration=0, epoch=1)
    0.05
    """

    def value(self, iteration: int, epoch: int) -> float:
        """The value at this point of the training.  Raises ValueError for other numbers than counts."""


def rate_at(rate: Any, iteration: int, epoch: int) -> float:
    """The value of a number or schedule at this point of the training."""
    return rate if isinstance(rate, float) else rate.value(iteration, epoch)


def checked_rate(rate: Any, what: str) -> Any:
    """A schedule as it is, a number as a float.  Raises ValueError for a negative or non-finite number."""
    return rate if hasattr(rate, "value") else real(rate, what, low=0.0)


def step_of(i: Any) -> int:
    """A step of a counter.  Raises ValueError unless it is a whole number of at least 0."""
    return whole(i, "a schedule's step", least=0)


@dataclass(frozen=True, kw_only=True)
class SteppedSchedule(ABC):
    """The base class of schedules, with the counter they depend on.

    per: "iteration" or "epoch", the counter that the value depends on.
    """

    per: str = "iteration"

    def __post_init__(self) -> None:
        if self.per not in STEPS:
            raise ValueError(f"{type(self).__name__}: per must be 'iteration' or 'epoch', given {self.per!r}")
        for field in fields(self):
            if field.type in (float, "float"):
                real(getattr(self, field.name), f"{type(self).__name__}: {field.name}")

    def value(self, iteration: int, epoch: int) -> float:
        """The value at this point of the training.  Raises ValueError unless its counter is a whole number from 0."""
        return self.at(iteration if self.per == "iteration" else epoch)

    @abstractmethod
    def at(self, i: int) -> float:
        """The value at step `i` of the counter.  Raises ValueError unless `i` is a whole number of at least 0."""


@dataclass(frozen=True)
class ExponentialSchedule(SteppedSchedule):
    """initial * gamma ** i

    Raises ValueError for a setting that is no finite number in its range.

    >>> nn.ExponentialSchedule(initial=0.1, gamma=0.5).value(2, 0)
    0.025
    """

    initial: float
    gamma: float

    def at(self, i: int) -> float:
        return self.initial * self.gamma ** step_of(i)


@dataclass(frozen=True)
class InverseSchedule(SteppedSchedule):
    """initial / (1 + gamma * i) ** power

    Raises ValueError for a setting that is no finite number in its range.

    >>> nn.InverseSchedule(initial=0.1, gamma=1.0).value(1, 0)
    0.05
    """

    initial: float
    gamma: float
    power: float = 1.0

    def at(self, i: int) -> float:
        return self.initial / (1.0 + self.gamma * step_of(i)) ** self.power


@dataclass(frozen=True)
class StepSchedule(SteppedSchedule):
    """initial * decay ** floor(i / step)

    Raises ValueError for a setting that is no finite number in its range.

    >>> nn.StepSchedule(initial=0.1, decay=0.5, step=10).value(10, 0)
    0.05
    """

    initial: float
    decay: float
    step: int

    def __post_init__(self) -> None:
        super().__post_init__()
        whole(self.step, "StepSchedule: step")

    def at(self, i: int) -> float:
        return self.initial * self.decay ** (step_of(i) // self.step)


@dataclass(frozen=True)
class SigmoidSchedule(SteppedSchedule):
    """initial / (1 + exp(gamma * (i - step))): falls from `initial` to 0, half way at `step`.

    Deeplearning4j writes -gamma, which rises from 0 when gamma is positive; give a negative gamma for that.
    Raises ValueError for a setting that is no finite number in its range.

    >>> nn.SigmoidSchedule(initial=0.1, gamma=1.0, step=5).value(5, 0)
    0.05
    """

    initial: float
    gamma: float
    step: int

    def at(self, i: int) -> float:
        return self.initial / (1.0 + math.exp(min(self.gamma * (step_of(i) - self.step), 700.0)))


@dataclass(frozen=True)
class PolySchedule(SteppedSchedule):
    """initial * (1 - i / last) ** power, and 0 from `last` on.

    Deeplearning4j's formula has 1 + i / last, which grows; this one decays.
    Raises ValueError for a setting that is no finite number in its range.

    >>> nn.PolySchedule(initial=0.1, power=1.0, last=10).value(5, 0)
    0.05
    """

    initial: float
    power: float
    last: int

    def __post_init__(self) -> None:
        super().__post_init__()
        whole(self.last, "PolySchedule: last")

    def at(self, i: int) -> float:
        return self.initial * (1.0 - min(step_of(i) / self.last, 1.0)) ** self.power


def _step(key: Any) -> Any:
    """A step; JSON has it as text."""
    return int(key) if isinstance(key, str) and key.isdecimal() else key


@dataclass(frozen=True)
class MapSchedule(SteppedSchedule):
    """Piecewise constant: `values` maps a first step to the value from there on; step 0 must be there.

    Raises ValueError without step 0 or for steps that are none, TypeError for anything but a mapping.

    >>> schedule = nn.MapSchedule({0: 0.1, 100: 0.01})
    >>> schedule.value(99, 0), schedule.value(100, 0)
    (0.1, 0.01)
    """

    values: Mapping[int, float]

    def __post_init__(self) -> None:
        super().__post_init__()
        values = {
            whole(_step(step), "MapSchedule: a step", least=0): real(value, "MapSchedule: a value")
            for step, value in instance("MapSchedule: values", self.values, Mapping).items()
        }
        if 0 not in values:
            raise ValueError(f"MapSchedule: no value for step 0, given steps {sorted(values)}")
        object.__setattr__(self, "values", dict(sorted(values.items())))

    def at(self, i: int) -> float:
        return self.values[max(step for step in self.values if step <= step_of(i))]


@dataclass(frozen=True)
class CycleSchedule(SteppedSchedule):
    """One cycle: up from `initial` to `highest`, back down, then `annealing` steps at falling rates.

    `length` steps in all; the last `annealing` of them fall linearly from `initial` to initial / 10 and the value stays
    there.  Smith 2018, https://arxiv.org/abs/1803.09820, section 4.
    Raises ValueError for a setting that is no finite number in its range.

    >>> schedule = nn.CycleSchedule(initial=0.1, highest=1.0, length=10)
    >>> [round(schedule.value(i, 0), 2) for i in (0, 5, 10)]
    [0.1, 1.0, 0.1]
    """

    initial: float
    highest: float
    length: int
    annealing: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        whole(self.annealing, "CycleSchedule: annealing", least=0)
        whole(self.length, "CycleSchedule: length", least=self.annealing + 2)

    def at(self, i: int) -> float:
        i, half = step_of(i), (self.length - self.annealing) / 2
        if i < 2 * half:
            return self.initial + (self.highest - self.initial) * (1.0 - abs(i - half) / half)
        if not self.annealing:
            return self.initial
        return self.initial * (1.0 - 0.9 * min((i - 2 * half) / self.annealing, 1.0))


SCHEDULES = {
    schedule.__name__: schedule
    for schedule in (
        ExponentialSchedule,
        InverseSchedule,
        StepSchedule,
        SigmoidSchedule,
        PolySchedule,
        MapSchedule,
        CycleSchedule,
    )
}
