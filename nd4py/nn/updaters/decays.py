"""Schedules that fall from an initial value, by a formula."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..numbers import whole
from .schedule import SteppedSchedule, step_of


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


@dataclass(frozen=True)
class CosineSchedule(SteppedSchedule):
    """lowest + (initial - lowest) * (1 + cos(pi * i / length)) / 2, and `lowest` from `length` on.

    restarts: begin again from `initial` after `length` steps, each time with `growth` times as many.
    Loshchilov & Hutter 2017, https://arxiv.org/abs/1608.03983, equation 5.
    Raises ValueError for a setting that is no finite number in its range.

    >>> schedule = nn.CosineSchedule(initial=0.1, length=10)
    >>> [round(schedule.value(i, 0), 3) for i in (0, 5, 10, 15)]
    [0.1, 0.05, 0.0, 0.0]
    """

    initial: float
    length: int
    lowest: float = 0.0
    restarts: bool = False
    growth: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        whole(self.length, "CosineSchedule: length")
        whole(self.growth, "CosineSchedule: growth")
        if not isinstance(self.restarts, bool):
            raise ValueError(f"CosineSchedule: restarts must be True or False, given {self.restarts!r}")

    def at(self, i: int) -> float:
        position, length = self._position(step_of(i))
        fraction = min(position / length, 1.0)
        return self.lowest + (self.initial - self.lowest) * (1.0 + math.cos(math.pi * fraction)) / 2

    def _position(self, i: int) -> tuple[int, int]:
        """The step within the period that step `i` lies in, and that period's length."""
        length = self.length
        if not self.restarts:
            return i, length
        if self.growth == 1:
            return i % length, length
        while i >= length:
            i, length = i - length, length * self.growth
        return i, length
