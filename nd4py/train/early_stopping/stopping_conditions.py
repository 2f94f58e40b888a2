"""Conditions that end early-stopping training, after epochs and after iterations."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from typing import Any

from nd4py.api.unknown_settings import TellingArguments
from nd4py.nn.numbers import real, whole


@dataclass
class EpochTerminationCondition(TellingArguments):
    """The base class of conditions that are asked after epochs.

    needs_score: whether it is asked only after epochs that were scored
    Raises nothing.

    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Good(train.EpochTerminationCondition):
    ...     def terminates(self, epoch, score, minimize):
    ...         return score < 0.1
    >>> Good().terminates(0, 0.05, True)
    True
    """

    needs_score = True

    def initialize(self) -> None:
        """Called when training begins.  Raises nothing."""

    def terminates(self, epoch: int, score: float, minimize: bool) -> bool:
        """Whether training ends.

        epoch: the one that has ended, counted from 0    score: of the network after it
        minimize: whether lower scores are better
        Returns a bool.  Raises TypeError for anything but numbers.
        """
        return False


@dataclass
class MaxEpochsTerminationCondition(EpochTerminationCondition):
    """Ends after so many epochs.

    max_epochs: at least 1
    Raises ValueError for fewer.

    >>> condition = train.MaxEpochsTerminationCondition(2)
    >>> condition.terminates(0, 0.5, True), condition.terminates(1, 0.5, True)
    (False, True)
    """

    max_epochs: int
    needs_score = False

    def __post_init__(self) -> None:
        whole(self.max_epochs, "MaxEpochsTerminationCondition: max_epochs")

    def terminates(self, epoch: int, score: float, minimize: bool) -> bool:
        return whole(epoch, "terminates: epoch", least=0) + 1 >= self.max_epochs


@dataclass
class ScoreImprovementEpochTerminationCondition(EpochTerminationCondition):
    """Ends when the best score has not improved for so many epochs.

    max_no_improvement: epochs without an improvement    min_improvement: what is more than this is one
    Scores that are not finite are worse than any other.
    Raises ValueError for numbers below 0.

    >>> condition = train.ScoreImprovementEpochTerminationCondition(1)
    >>> [condition.terminates(epoch, score, True) for epoch, score in enumerate((0.5, 0.4, 0.45))]
    [False, False, True]
    """

    max_no_improvement: int
    min_improvement: float = 0.0
    _best: float = field(default=math.nan, init=False, repr=False, compare=False)
    _best_epoch: int = field(default=-1, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        who = type(self).__name__
        whole(self.max_no_improvement, f"{who}: max_no_improvement", least=0)
        real(self.min_improvement, f"{who}: min_improvement", low=0.0)

    def initialize(self) -> None:
        self._best, self._best_epoch = math.nan, -1

    def terminates(self, epoch: int, score: float, minimize: bool) -> bool:
        epoch, score = whole(epoch, "terminates: epoch", least=0), _number(score)
        if self._best_epoch < 0:
            self._best_epoch = epoch  # which later ones are counted from
        if improvement(score, self._best, minimize) > self.min_improvement:
            self._best, self._best_epoch = score, epoch
            return False
        return epoch >= self._best_epoch + self.max_no_improvement


@dataclass
class BestScoreEpochTerminationCondition(EpochTerminationCondition):
    """Ends when the score is good enough.

    best_expected_score: lower ones end training, or higher ones where those are better
    Raises ValueError for anything but a finite number.

    >>> train.BestScoreEpochTerminationCondition(0.9).terminates(0, 0.95, minimize=False)
    True
    """

    best_expected_score: float

    def __post_init__(self) -> None:
        real(self.best_expected_score, "BestScoreEpochTerminationCondition: best_expected_score")

    def terminates(self, epoch: int, score: float, minimize: bool) -> bool:
        score = _number(score)
        return score < self.best_expected_score if minimize else score > self.best_expected_score


@dataclass
class IterationTerminationCondition(TellingArguments):
    """The base class of conditions that are asked after iterations.

    Raises nothing.

    >>> train.IterationTerminationCondition().terminates(0.5)
    False
    """

    def initialize(self) -> None:
        """Called when training begins.  Raises nothing."""

    def terminates(self, score: float) -> bool:
        """Whether training ends.

        score: of the iteration's batch
        Returns a bool.  Raises TypeError for anything but a number.
        """
        return False


@dataclass
class MaxTimeIterationTerminationCondition(IterationTerminationCondition):
    """Ends when training has taken so long.

    seconds: since the start
    Raises ValueError for a number below 0.

    >>> condition = train.MaxTimeIterationTerminationCondition(3600)
    >>> condition.initialize()
    >>> condition.terminates(0.5)
    False
    """

    seconds: float
    _start: float = field(default=math.inf, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        real(self.seconds, "MaxTimeIterationTerminationCondition: seconds", low=0.0)

    def initialize(self) -> None:
        self._start = time.monotonic()

    def terminates(self, score: float) -> bool:
        return time.monotonic() - self._start >= self.seconds


@dataclass
class MaxScoreIterationTerminationCondition(IterationTerminationCondition):
    """Ends when the score of a batch is above a limit, or NaN.

    max_score: the limit
    Raises ValueError for anything but a finite number.

    >>> train.MaxScoreIterationTerminationCondition(10.0).terminates(11.0)
    True
    """

    max_score: float

    def __post_init__(self) -> None:
        real(self.max_score, "MaxScoreIterationTerminationCondition: max_score")

    def terminates(self, score: float) -> bool:
        return not _number(score) <= self.max_score


@dataclass
class InvalidScoreIterationTerminationCondition(IterationTerminationCondition):
    """Ends when the score of a batch is NaN or infinite.

    Raises nothing.

    >>> train.InvalidScoreIterationTerminationCondition().terminates(float("nan"))
    True
    """

    def terminates(self, score: float) -> bool:
        return not math.isfinite(_number(score))


def improvement(score: float, best: float, minimize: bool) -> float:
    """How much better a score is than the best so far; anything finite is better than what is not."""
    if not math.isfinite(score):
        return -math.inf
    if not math.isfinite(best):
        return math.inf
    return best - score if minimize else score - best


def _number(score: Any) -> float:
    if isinstance(score, bool) or not isinstance(score, int | float):
        raise TypeError(f"terminates: score must be a number, given {type(score).__name__}")
    return float(score) if abs(score) < 1e300 or not isinstance(score, int) else math.inf
