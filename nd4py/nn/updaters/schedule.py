"""Schedule: the protocol and base classes of learning-rate schedules.

A schedule has a method `value(iteration, epoch)`; both are counted from 0.  `per` says on which of the two it depends.
A plain number is a schedule that never changes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from typing import Any, Protocol

from ..names import Settings
from ..numbers import plain, real, whole

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
    if callable(rate) and not hasattr(rate, "value"):
        raise ValueError(f"{what} must be a number, or a schedule with value(iteration, epoch), given {rate!r}")
    return rate if hasattr(rate, "value") else real(rate, what, low=0.0)


def step_of(i: Any) -> int:
    """A step of a counter.  Raises ValueError unless it is a whole number of at least 0."""
    return whole(i, "a schedule's step", least=0)


@dataclass(frozen=True, kw_only=True)
class CountedSchedule(Settings):
    """The base class of schedules, with the counter they depend on.

    per: "iteration" or "epoch", the counter that the value depends on.
    """

    per: str = "iteration"

    def __post_init__(self) -> None:
        if self.per not in STEPS:
            raise ValueError(f"{type(self).__name__}: per must be 'iteration' or 'epoch', given {self.per!r}")
        for field in fields(self):
            object.__setattr__(self, field.name, plain(getattr(self, field.name)))
            if field.type in (float, "float"):
                real(getattr(self, field.name), f"{type(self).__name__}: {field.name}")

    def counted(self, iteration: int, epoch: int) -> int:
        """The counter that the value depends on.  Raises ValueError unless it is a whole number from 0."""
        return step_of(iteration if self.per == "iteration" else epoch)


@dataclass(frozen=True, kw_only=True)
class SteppedSchedule(CountedSchedule, ABC):
    """The base class of schedules that depend on nothing but their counter."""

    def value(self, iteration: int, epoch: int) -> float:
        """The value at this point of the training.  Raises ValueError unless its counter is a whole number from 0."""
        return self.at(self.counted(iteration, epoch))

    @abstractmethod
    def at(self, i: int) -> float:
        """The value at step `i` of the counter.  Raises ValueError unless `i` is a whole number of at least 0."""
