"""Curves of scores over all thresholds: the base class of ROC evaluations, and the areas under the curves."""

from __future__ import annotations

import math
import os
from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

from nd4py import api as nd

from ..numbers import whole
from . import pictures
from .rows import Rows, check_numbers, probabilities
from .streamed import Kept, StreamedEvaluation, on_a_screen

Curve = tuple[nd.NDArray, nd.NDArray, nd.NDArray]
COUNTS = ("positives", "negatives")
LISTS = ("outputs", "scores", *COUNTS)
FEWEST_SORTED = 1 << 20  # scores of batches that wait to be sorted at once, 32 MiB of them


class CurveEvaluation(StreamedEvaluation):
    """The base class of evaluations by the scores of outputs, each of which tells two classes apart.

    What is kept: how many `examples` each output has, and lists of `outputs`, their `scores` in rising order, and how
    many positives and negatives have each.
    steps: 0 keeps every score; else the thresholds i / steps alone, of which memory does not grow
    """

    settings = ("steps",)
    kept = {1: ("examples", *LISTS)}

    def __init__(self, steps: int = 0) -> None:
        self.steps = whole(steps, f"{type(self).__name__}: steps", least=0)
        super().__init__()

    def reset(self) -> None:
        # Of exact curves: what is kept, in parts of falling size, and batches that wait until sorting them pays.  A
        # part is joined with the next while that is not twice as large, so a score is moved about as often as the
        # logarithm of their number.
        self._held: tuple[tuple[Kept, ...], tuple[Kept, ...]] = ((), ())
        super().reset()

    def _take(self, found: Kept) -> None:
        if self.steps:
            super()._take(found)
            return
        parts, waiting = self._held
        for other in (*parts[:1], *waiting[:1]):
            self._check_outputs(other, found)
        waiting = (*waiting, found)
        if sum(each["scores"].size for each in waiting) < FEWEST_SORTED:
            self._held = parts, waiting
        else:
            self._held = self._with_part(parts, _joined_parts(waiting)), ()

    def _with_part(self, parts: tuple[Kept, ...], found: Kept) -> tuple[Kept, ...]:
        left = list(parts)
        while left and left[-1]["scores"].size <= 2 * found["scores"].size:
            found = {name: array.block() for name, array in _joined_parts((left.pop(), found)).items()}
        return (*left, {name: array.block() for name, array in found.items()})

    def _whole(self) -> Kept | None:
        parts, waiting = self._held
        if waiting or len(parts) > 1:
            with nd.scope_out_of_workspaces():
                whole = _joined_parts((*parts, *waiting))
                parts = ({name: array.block() for name, array in whole.items()},)
                self._held = parts, ()
        return parts[0] if parts else self._state

    @abstractmethod
    def _decisions(self, rows: Rows) -> tuple[nd.NDArray, nd.NDArray, nd.NDArray | None]:
        """Whether each row is positive, its scores, both (rows, n_outputs), and the mask of that shape or None."""

    def _found(self, rows: Rows) -> Kept:
        is_positive, scores, mask = self._decisions(rows)
        who, (n_rows, n) = type(self).__name__, scores.shape
        check_numbers(who, scores)
        outputs = nd.broadcast_to(nd.arange(n), (n_rows, n)).reshape(-1)
        positives, scores = nd.astype(is_positive, "float64").reshape(-1), nd.astype(scores, "float64").reshape(-1)
        if mask is None:
            examples = nd.full(n, n_rows, dtype="float64")
            weights = (positives, 1.0 - positives)
        else:
            counts = mask.reshape(-1)
            examples = nd.sum(mask, axis=0)
            weights = (positives * counts, (1.0 - positives) * counts)
        if not self.steps:
            listed: Sequence[nd.NDArray] = (nd.astype(outputs, "float64"), scores, *weights)
            if mask is not None:
                there = nd.nonzero(counts)[0]
                listed = tuple(nd.take(each, there) for each in listed)
            return {"examples": examples, **dict(zip(LISTS, listed, strict=True))}
        thresholds, size = self._thresholds(), self.steps + 1
        places = nd.searchsorted(thresholds, probabilities(who, scores), side="right") - 1 + outputs * size
        found = {
            name: nd.bincount(places, weights=w, minlength=n * size) for name, w in zip(COUNTS, weights, strict=True)
        }
        return {"examples": examples, **self._listed(n), **found}

    def _thresholds(self) -> nd.NDArray:
        return nd.arange(self.steps + 1, dtype="float64") / self.steps

    def _listed(self, n: int) -> Kept:
        """The outputs and scores that are kept with `steps`."""
        numbers = nd.repeat(nd.arange(n, dtype="float64"), self.steps + 1)
        return {"outputs": numbers, "scores": nd.tile(self._thresholds(), n)}

    def _joined(self, first: Kept, second: Kept) -> Kept:
        self._check_outputs(first, second)
        return {**first, **{name: first[name] + second[name] for name in ("examples", *COUNTS)}}

    def _check_outputs(self, first: Kept, second: Kept) -> None:
        before, now = first["examples"].shape[0], second["examples"].shape[0]
        if before != now:
            raise ValueError(f"{type(self).__name__}: {before} outputs so far, now {now}")

    def _check_kept(self, state: Kept) -> None:
        n, outputs, scores = state["examples"].shape[0], state["outputs"], state["scores"]
        if len({state[name].shape for name in LISTS}) != 1:
            raise ValueError("outputs, scores and counts must have one shape")
        if self.steps and not all(nd.array_equal(state[name], each) for name, each in self._listed(n).items()):
            raise ValueError(f"the scores must be the thresholds of {self.steps} steps")
        is_risen = (outputs[1:] > outputs[:-1]) | ((outputs[1:] == outputs[:-1]) & (scores[1:] > scores[:-1]))
        if not nd.all(is_risen) or nd.any((outputs < 0) | (outputs >= n)):
            raise ValueError("the scores of each output must rise")

    @property
    def n_outputs(self) -> int | None:
        """The number of outputs or classes, None while it is not known."""
        state = self._whole()
        return None if state is None else int(state["examples"].shape[0])

    def n_examples(self, number: int = 0) -> int:
        """How many examples of an output or class counted.

        number: of the output or class
        Raises ValueError unless `number` is a whole number of at least 0, IndexError for one that does not exist.
        """
        state = self._whole()
        if state is None:
            whole(number, f"{type(self).__name__}: number", least=0)
            return 0
        return int(state["examples"].tolist()[self._known(number)])

    def roc_curve(self, number: int = 0) -> Curve:
        """The false and true positive rates, and the thresholds they belong to, which fall.

        number: of the output or class
        Returns three arrays (points,).
        The first threshold is infinity, above all scores.  A rate is NaN where its class has no examples.
        Raises ValueError before the first example and unless `number` is a whole number of at least 0, IndexError for
        one that does not exist.
        """
        thresholds, hits, false_alarms = self._cumulated(number)
        above = nd.full(1, math.inf, dtype="float64")
        hits, false_alarms = (nd.concat([nd.zeros(1, dtype="float64"), each]) for each in (hits, false_alarms))
        return _shares(false_alarms, false_alarms[-1:]), _shares(hits, hits[-1:]), nd.concat([above, thresholds])

    def precision_recall_curve(self, number: int = 0) -> Curve:
        """The precisions and recalls, and the thresholds they belong to, which rise.

        number: of the output or class
        Returns arrays (points + 1,), (points + 1,) and (points,).
        The last point has no threshold: precision 1 and recall 0.  Recall is NaN where class 1 has no examples.
        Raises as `roc_curve` does.
        """
        thresholds, hits, false_alarms = self._cumulated(number)
        predicted = hits + false_alarms
        there = nd.flip(nd.nonzero(predicted)[0])
        thresholds, hits, predicted = (nd.take(each, there) for each in (thresholds, hits, predicted))
        one, zero = nd.ones(1, dtype="float64"), nd.zeros(1, dtype="float64")
        return nd.concat([hits / predicted, one]), nd.concat([_shares(hits, hits[:1]), zero]), thresholds

    def auc(self, number: int | None = None) -> float:
        """The area under the ROC curve: how probable it is that a positive example scores higher than another.

        number: of the output or class; None: the mean over all of which it is defined
        Returns a number from 0 to 1, NaN where one of both kinds has no examples, or none were counted.
        Raises IndexError for a number that there is not, TypeError or ValueError for what is no number.
        """
        return self._mean(self._auc, number)

    def auprc(self, number: int | None = None) -> float:
        """The area under precision over recall by trapezoids, as in Deeplearning4j.

        It is a little too large: between two points precision does not go in a straight line.  `average_precision` adds
        rectangles.
        number: of the output or class; None: the mean over all of which it is defined
        Returns a number from 0 to 1, NaN where no example is positive, or none were counted.
        Raises IndexError for a number that there is not, TypeError or ValueError for what is no number.
        """
        return self._mean(self._auprc, number)

    def average_precision(self, number: int | None = None) -> float:
        """The mean of the precisions at all thresholds, weighed by the gain in recall, as in scikit-learn.

        number: of the output or class; None: the mean over all of which it is defined
        Returns a number from 0 to 1, NaN where no example is positive, or none were counted.
        Raises IndexError for a number that there is not, TypeError or ValueError for what is no number.
        """
        return self._mean(self._average_precision, number)

    def stats(self) -> str:
        """A table of the areas, with a line for each output or class.  Raises nothing."""
        lines = [f"======== {type(self).__name__} ========", "output       AUC     AUPRC  average precision  examples"]
        rows = []
        for i in range(self.n_outputs or 0):
            areas = f"{self._auc(i):8.4f}  {self._auprc(i):8.4f}  {self._average_precision(i):17.4f}"
            rows.append(f"{i:6}  {areas}  {self.n_examples(i):8}")
        lines += on_a_screen(rows, "outputs")
        if self.n_outputs is None:
            lines.append("No examples counted yet: call eval(labels, predictions).")
        return "\n".join(lines)

    def plot(self, path: str | os.PathLike[str] | None = None, number: int | None = None) -> Any:
        """Draw the ROC curve, and precision over recall beside it.

        path: of a file to write, such as "curves.png"; None for none
        number: of the output or class; None: all, the first ten where there are more
        Returns a figure of matplotlib.
        Raises ValueError unless `number` is a whole number of at least 0, IndexError for one that does not exist,
        ImportError without matplotlib, OSError where the file cannot be written.
        """
        numbers = list(range(min(self.n_outputs or 0, pictures.MOST_CURVES)))
        if number is not None:
            numbers = [self._known(number)] if self.n_outputs else []
        roc, precision = [], []
        for i in numbers:
            name = f"output {i}: " if (self.n_outputs or 0) > 1 else ""
            false_rate, true_rate, _ = self.roc_curve(i)
            roc.append((f"{name}area {self._auc(i):.4f}", false_rate, true_rate))
            precisions, recalls, _ = self.precision_recall_curve(i)
            precision.append((f"{name}area {self._auprc(i):.4f}", recalls, precisions))
        return pictures.drawn(
            [
                lambda axes: pictures.draw_curves(axes, "roc", roc, (0.0, 1.0)),
                lambda axes: pictures.draw_curves(axes, "precision", precision, None),
            ],
            path,
        )

    def _auc(self, number: int) -> float:
        false_positive_rate, true_positive_rate, _ = self.roc_curve(number)
        return _area(false_positive_rate, true_positive_rate)

    def _auprc(self, number: int) -> float:
        precision, recall, _ = self.precision_recall_curve(number)
        return _area(nd.flip(recall), nd.flip(precision))

    def _average_precision(self, number: int) -> float:
        precision, recall, _ = self.precision_recall_curve(number)
        return float(nd.sum((recall[:-1] - recall[1:]) * precision[:-1])) if recall.size > 1 else math.nan

    def _mean(self, area: Callable[[int], float], number: int | None) -> float:
        if self.n_outputs is None:  # no examples yet, so that nothing is defined
            if number is not None:
                self._known(number)
            return math.nan
        if number is not None:
            return area(number)
        values = [area(i) for i in range(max(self.n_outputs or 0, 1))]
        defined = [value for value in values if not math.isnan(value)]
        return sum(defined) / len(defined) if defined else math.nan

    def _known(self, number: int) -> int:
        number, n = whole(number, f"{type(self).__name__}: number", least=0), self.n_outputs
        if n is not None and number >= n:
            raise IndexError(f"{type(self).__name__}: number must be below {n}, the outputs, given {number}")
        return number

    def _cumulated(self, number: int) -> Curve:
        """Falling thresholds of an output, and how many positive and negative examples score at least as much."""
        number, state = self._known(number), self._whole()
        if state is None:
            raise ValueError(f"{type(self).__name__}: no examples counted yet; call eval(labels, predictions) first")
        edges = nd.searchsorted(state["outputs"], nd.asarray([number, number + 1], dtype="float64"))
        start, stop = edges.tolist()
        scores, positives, negatives = (nd.flip(state[name][start:stop]) for name in ("scores", *COUNTS))
        return scores, nd.cumsum(positives), nd.cumsum(negatives)


def _joined_parts(parts: Sequence[Kept]) -> Kept:
    """What is kept of several batches, with the scores that differ in rising order."""
    examples = parts[0]["examples"]
    for each in parts[1:]:
        examples = examples + each["examples"]
    lists = [parts[0][name] if len(parts) == 1 else nd.concat([each[name] for each in parts]) for name in LISTS]
    return {"examples": examples, **_distinct(examples.shape[0], *lists)}


def _distinct(n: int, outputs: nd.NDArray, scores: nd.NDArray, positives: nd.NDArray, negatives: nd.NDArray) -> Kept:
    """The scores of each of `n` outputs that differ, in rising order, and how many of each kind have them."""
    scores, positives, negatives = _narrowed(scores, "float32"), _narrowed(positives), _narrowed(negatives)
    if n == 1:
        order = nd.argsort(scores)
    else:
        order = nd.lexsort((scores, outputs))
        outputs = nd.take(outputs, order)
    scores, positives, negatives = (nd.take(each, order).astype("float64") for each in (scores, positives, negatives))
    is_last = scores[1:] != scores[:-1]
    if n > 1:
        is_last = is_last | (outputs[1:] != outputs[:-1])
    if nd.all(is_last):
        return dict(zip(LISTS, (outputs, scores, positives, negatives), strict=True))
    last = nd.concat([nd.nonzero(is_last)[0], nd.asarray([scores.size - 1])])
    sums = [nd.take(nd.cumsum(each), last) for each in (positives, negatives)]
    counts = [nd.concat([each[:1], each[1:] - each[:-1]]) for each in sums]
    return dict(zip(LISTS, (nd.take(outputs, last), nd.take(scores, last), *counts), strict=True))


def _narrowed(x: nd.NDArray, dtype: str = "uint8") -> nd.NDArray:
    """`x` in a dtype of fewer bytes, of which more lie in the caches, where it has the same values in it; else `x`."""
    narrow = x.astype(dtype).block()
    return narrow if nd.array_equal(narrow, x) else x


def _shares(counts: nd.NDArray, total: nd.NDArray) -> nd.NDArray:
    """Counts as shares of a total, (1,) or empty; NaN where there is none."""
    if total.size and total.item():
        return counts / total
    return nd.full_like(counts, math.nan)


def _area(x: nd.NDArray, y: nd.NDArray) -> float:
    """The area under the straight lines between points whose x rises."""
    return float(nd.sum((x[1:] - x[:-1]) * (y[1:] + y[:-1]))) / 2 if x.size > 1 else math.nan
