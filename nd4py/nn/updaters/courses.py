"""Schedules made of parts: constant, piecewise, cycles, and a rise before another schedule."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from nd4py.api.arguments import instance

from ..numbers import real, whole
from .schedule import CountedSchedule, SteppedSchedule, checked_rate, rate_at, step_of


@dataclass(frozen=True)
class FixedSchedule(SteppedSchedule):
    """`rate` at every step, as a plain number is.

    Raises ValueError for a setting that is no finite number in its range.

    >>> nn.FixedSchedule(0.1).value(1000, 3)
    0.1
    """

    rate: float

    def at(self, i: int) -> float:
        step_of(i)
        return self.rate


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


@dataclass(frozen=True)
class OneCycleSchedule(SteppedSchedule):
    """One cycle along half cosines: up from highest / divisor, then down to highest / (divisor * final_divisor).

    The way up takes the share `rise` of the `length` steps; after the last the value stays.
    Smith & Topin 2019, https://arxiv.org/abs/1708.07120; the shape and defaults are PyTorch's OneCycleLR.
    Raises ValueError for a setting that is no finite number in its range.

    >>> schedule = nn.OneCycleSchedule(highest=1.0, length=11, rise=0.4)
    >>> [round(schedule.value(i, 0), 2) for i in (0, 3, 10)]
    [0.04, 0.97, 0.0]
    """

    highest: float
    length: int
    rise: float = 0.3
    divisor: float = 25.0
    final_divisor: float = 1e4

    def __post_init__(self) -> None:
        super().__post_init__()
        whole(self.length, "OneCycleSchedule: length", least=2)
        real(self.rise, "OneCycleSchedule: rise", low=0.0, high=1.0)
        for name in ("divisor", "final_divisor"):
            real(getattr(self, name), f"OneCycleSchedule: {name}", low=1.0)

    def at(self, i: int) -> float:
        lowest = self.highest / self.divisor
        i, top, last = min(step_of(i), self.length - 1), self.rise * self.length - 1, self.length - 1
        if i <= top:
            return _along_cosine(lowest, self.highest, i / top if top else 1.0)
        return _along_cosine(self.highest, lowest / self.final_divisor, (i - top) / (last - top))


def _along_cosine(start: float, end: float, fraction: float) -> float:
    return end + (start - end) * (1.0 + math.cos(math.pi * fraction)) / 2


@dataclass(frozen=True)
class RampSchedule(CountedSchedule):
    """Another schedule, or a number, times (i + 1) / length in the first `length` steps.

    Raises ValueError for a length below 1, or a schedule that is none.

    >>> schedule = nn.RampSchedule(0.1, length=4)
    >>> [schedule.value(i, 0) for i in (0, 1, 3, 9)]
    [0.025, 0.05, 0.1, 0.1]
    """

    schedule: Any
    length: int

    def __post_init__(self) -> None:
        super().__post_init__()
        whole(self.length, "RampSchedule: length")
        object.__setattr__(self, "schedule", checked_rate(self.schedule, "RampSchedule: schedule"))

    def value(self, iteration: int, epoch: int) -> float:
        """The value at this point of the training.  Raises ValueError unless both counters are whole numbers from 0."""
        share = min((self.counted(iteration, epoch) + 1) / self.length, 1.0)
        return share * rate_at(self.schedule, iteration, epoch)


@dataclass(frozen=True)
class WarmupSchedule(CountedSchedule):
    """A straight line from `initial` to the first value of another schedule, or a number, which begins after `length`.

    The other schedule counts from the end of the warm-up; a `RampSchedule` counts from the start.
    Goyal et al. 2017, https://arxiv.org/abs/1706.02677, section 2.2.
    Raises ValueError for a setting that is no finite number in its range, or a schedule that is none.

    >>> schedule = nn.WarmupSchedule(nn.CosineSchedule(0.1, length=100), length=4)
    >>> [round(schedule.value(i, 0), 3) for i in (0, 2, 4, 54, 104)]
    [0.0, 0.05, 0.1, 0.05, 0.0]
    """

    schedule: Any
    length: int
    initial: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        whole(self.length, "WarmupSchedule: length")
        object.__setattr__(self, "schedule", checked_rate(self.schedule, "WarmupSchedule: schedule"))

    def value(self, iteration: int, epoch: int) -> float:
        """The value at this point of the training.  Raises ValueError unless both counters are whole numbers from 0."""
        i, is_iteration = self.counted(iteration, epoch), self.per == "iteration"
        later = max(i - self.length, 0)
        then = rate_at(self.schedule, later if is_iteration else iteration, epoch if is_iteration else later)
        return then if i >= self.length else self.initial + (then - self.initial) * i / self.length
