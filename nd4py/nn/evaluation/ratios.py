"""Ratios of true and false positives and negatives: precision, recall and what else is made of them."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable
from typing import NamedTuple

from ..numbers import real, whole
from .streamed import StreamedEvaluation

AVERAGES = ("macro", "micro")


class Outcomes(NamedTuple):
    """How the examples of a class, and those of others, were predicted: hit, false alarm, missed or rightly not."""

    true_positives: int
    false_positives: int
    false_negatives: int
    true_negatives: int


def _ratio(part: float, of: float) -> float | None:
    """None for 0 / 0."""
    return part / of if of else None


def _f_beta(beta: float) -> Callable[[Outcomes], float | None]:
    """(1 + beta**2) precision recall / (beta**2 precision + recall), in counts."""

    def value(of: Outcomes) -> float | None:
        hits = (1 + beta**2) * of.true_positives
        return _ratio(hits, hits + beta**2 * of.false_negatives + of.false_positives)

    return value


def _precision(of: Outcomes) -> float | None:
    return _ratio(of.true_positives, of.true_positives + of.false_positives)


def _recall(of: Outcomes) -> float | None:
    return _ratio(of.true_positives, of.true_positives + of.false_negatives)


def _g_measure(of: Outcomes) -> float | None:
    precision, recall = _precision(of), _recall(of)
    return None if precision is None or recall is None else math.sqrt(precision * recall)


def _false_positive_rate(of: Outcomes) -> float | None:
    return _ratio(of.false_positives, of.false_positives + of.true_negatives)


def _false_negative_rate(of: Outcomes) -> float | None:
    return _ratio(of.false_negatives, of.false_negatives + of.true_positives)


def _false_alarm_rate(of: Outcomes) -> float | None:
    first, second = _false_positive_rate(of), _false_negative_rate(of)
    return None if first is None or second is None else (first + second) / 2


def accuracy_of(of: Outcomes) -> float | None:
    return _ratio(of.true_positives + of.true_negatives, sum(of))


def matthews(of: Outcomes) -> float | None:
    hits, false_alarms, misses, rest = of
    square = (hits + false_alarms) * (hits + misses) * (rest + false_alarms) * (rest + misses)
    return (hits * rest - false_alarms * misses) / math.sqrt(square) if square else None


class RatioEvaluation(StreamedEvaluation):
    """The base class of evaluations that count hits and errors, of classes or of outputs.

    A ratio 0 / 0, such as the precision of a class that was never predicted, is left out of means, and is 0 by itself.
    """

    @abstractmethod
    def _outcomes(self) -> list[Outcomes]:
        """Of each class or output; none while their number is not known."""

    def _usual(self) -> int | None:
        """The class that ratios are of where none is asked for, None for the mean over all."""
        return None

    def true_positives(self) -> list[int]:
        """True positives of each class or output.  Returns a list.  Raises nothing."""
        return [each.true_positives for each in self._outcomes()]

    def false_positives(self) -> list[int]:
        """False positives of each class or output: predicted as it and not of it.  Returns a list.  Raises nothing."""
        return [each.false_positives for each in self._outcomes()]

    def false_negatives(self) -> list[int]:
        """False negatives of each class or output: of it and not predicted so.  Returns a list.  Raises nothing."""
        return [each.false_negatives for each in self._outcomes()]

    def true_negatives(self) -> list[int]:
        """True negatives of each class or output: not of it nor predicted so.  Returns a list.  Raises nothing."""
        return [each.true_negatives for each in self._outcomes()]

    def precision(self, number: int | None = None, *, average: str | None = None) -> float:
        """True positives over all that is predicted as a class.

        number: of the class or output; None: the mean over all, and of two classes class 1
        average: "macro", the mean of the ratios, or "micro", the ratio of the summed counts; None is as `number` says
        Returns a number from 0 to 1.
        Raises ValueError unless `number` is a whole number of at least 0, for another average, and for both; IndexError
        for a class that does not exist.
        """
        return self._of(_precision, number, average)

    def recall(self, number: int | None = None, *, average: str | None = None) -> float:
        """True positives over all examples of a class.

        number, average: as in `precision`
        Returns a number from 0 to 1.
        Raises as `precision` does.
        """
        return self._of(_recall, number, average)

    def f1(self, number: int | None = None, *, average: str | None = None) -> float:
        """The harmonic mean of precision and recall, 2 tp / (2 tp + fp + fn).

        number, average: as in `precision`
        Returns a number from 0 to 1.
        Raises as `precision` does.
        """
        return self._of(_f_beta(1.0), number, average)

    def f_beta(self, beta: float, number: int | None = None, *, average: str | None = None) -> float:
        """The harmonic mean of precision and recall in which recall counts beta**2 times as much.

        beta: a number of at least 0    number, average: as in `precision`
        Returns a number from 0 to 1.
        Raises as `precision` does, and ValueError for a beta that is no such number.
        """
        return self._of(_f_beta(real(beta, f"{type(self).__name__}.f_beta: beta", low=0.0)), number, average)

    def g_measure(self, number: int | None = None, *, average: str | None = None) -> float:
        """The geometric mean of precision and recall.

        number, average: as in `precision`
        Returns a number from 0 to 1.
        Raises as `precision` does.
        """
        return self._of(_g_measure, number, average)

    def false_positive_rate(self, number: int | None = None, *, average: str | None = None) -> float:
        """False positives over all examples that are not of a class.

        number, average: as in `precision`
        Returns a number from 0 to 1.
        Raises as `precision` does.
        """
        return self._of(_false_positive_rate, number, average)

    def false_negative_rate(self, number: int | None = None, *, average: str | None = None) -> float:
        """False negatives over all examples of a class.

        number, average: as in `precision`
        Returns a number from 0 to 1.
        Raises as `precision` does.
        """
        return self._of(_false_negative_rate, number, average)

    def false_alarm_rate(self, number: int | None = None, *, average: str | None = None) -> float:
        """The mean of the rates of false positives and false negatives.

        number, average: as in `precision`
        Returns a number from 0 to 1.
        Raises as `precision` does.
        """
        return self._of(_false_alarm_rate, number, average)

    def _of(self, ratio: Callable[[Outcomes], float | None], number: int | None, average: str | None) -> float:
        outcomes = self._outcomes()
        if average is not None:
            if average not in AVERAGES:
                raise ValueError(f"{type(self).__name__}: average must be 'macro' or 'micro', given {average!r}")
            if number is not None:
                raise ValueError(f"{type(self).__name__}: give a number or an average, not both")
            if average == "micro":
                return (ratio(Outcomes(*map(sum, zip(*outcomes, strict=True)))) or 0.0) if outcomes else 0.0
        elif number is None:
            number = self._usual()
        if number is not None:
            number = self._known(number, len(outcomes))
            return (ratio(outcomes[number]) or 0.0) if outcomes else 0.0
        defined = [value for value in map(ratio, outcomes) if value is not None]
        return sum(defined) / len(defined) if defined else 0.0

    def _known(self, number: int, n: int) -> int:
        """A class or output that exists; while nothing is known, any."""
        number = whole(number, f"{type(self).__name__}: number", least=0)
        if n and number >= n:
            raise IndexError(f"{type(self).__name__}: number must be below {n}, the classes, given {number}")
        return number
