"""Evaluation of classifiers: the confusion matrix, and the metrics computed from it."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from typing import Any, NamedTuple, Self

from nd4py import api as nd
from nd4py.api.arguments import items

from ..numbers import real, whole
from . import pictures
from .ratios import Outcomes, RatioEvaluation, matthews
from .rows import Rows, actual_classes, both_columns, check_numbers, class_numbers, comparable
from .streamed import MOST_ROWS_SHOWN, Kept

MOST_NAMES_SHOWN = 12


class Prediction(NamedTuple):
    """What was predicted for one example: its class, the class that was predicted, and what says which example it is.

    actual, predicted: numbers of classes    metadata: as it was given to `Evaluation.eval`
    Raises nothing.

    >>> nn.Prediction(1, 0, "image 7").metadata
    'image 7'
    """

    actual: int
    predicted: int
    metadata: Any


class Evaluation(RatioEvaluation):
    """Evaluation of a classifier: counts how often each class was predicted for each actual class.

    n_classes: found from the first labels when None    names: of the classes, their numbers when None
    top_n: `top_n_accuracy` counts an example as right when its class is among so many with the largest scores
    threshold: of two classes, class 1 is predicted above this probability; None: the class with the larger score, and
        0.5 for outputs of a single column, which is the probability of class 1
    costs: one positive number for each class: the class with the largest score times cost is predicted
    A ratio 0 / 0, such as the precision of a class that was never predicted, is left out of the mean over classes.
    Before the first example all counts and ratios are 0.  Counts are kept outside of any workspace.
    With two classes precision, recall and the other ratios are those of class 1, as is usual.
    Raises ValueError for fewer than one class, another number of names or costs, costs that are not positive, and for a
    threshold beside costs, TypeError for anything but a number or sequence.

    >>> evaluation = nn.Evaluation()
    >>> evaluation.eval([[1.0, 0.0], [0.0, 1.0]], [[0.9, 0.1], [0.8, 0.2]])
    >>> evaluation.accuracy()
    0.5
    """

    settings = ("n_classes", "names", "top_n", "threshold", "costs")
    kept = {0: ("in_top",), 2: ("counts",)}

    def __init__(
        self,
        n_classes: int | None = None,
        names: Sequence[str] | None = None,
        *,
        top_n: int = 1,
        threshold: float | None = None,
        costs: Sequence[float] | None = None,
    ) -> None:
        self._n_classes = None if n_classes is None else whole(n_classes, "Evaluation: n_classes")
        self.names = None if names is None else [str(name) for name in items("Evaluation: names", names)]
        self.top_n = whole(top_n, "Evaluation: top_n")
        self.threshold = None
        if threshold is not None:
            self.threshold = real(threshold, "Evaluation: threshold", low=0.0, high=1.0)
        self.costs = None if costs is None else checked_costs(costs)
        if self.costs is not None and threshold is not None:
            raise ValueError("Evaluation: give a threshold or costs, not both")
        super().__init__()
        if self.names is not None:
            self._n_classes = self._agree(len(self.names), "names")
        if self.costs is not None:
            self._n_classes = self._agree(len(self.costs), "costs")

    @property
    def n_classes(self) -> int | None:
        """The number of classes, None while it is not known."""
        return self._n_classes if self._state is None else int(self._state["counts"].shape[0])

    @property
    def n_examples(self) -> int:
        return sum(map(sum, self._matrix()))

    def reset(self) -> None:
        """Forget all examples.  Raises nothing."""
        super().reset()
        self._predictions: list[Prediction] = []

    def eval(self, labels: Any, predictions: Any, mask: Any = None, *, metadata: Any = None) -> None:
        """Count a batch.

        labels, predictions, mask: as in the other evaluations
        metadata: a sequence with one object for each example, such as its file, which `predictions_of` gives back;
            `to_json` leaves them out
        Raises ValueError for shapes that do not agree, for predictions that are NaN, and for metadata of examples that
        have no single class: those that a mask leaves out, and those of sequences and images.

        >>> evaluation = nn.Evaluation()
        >>> evaluation.eval([0, 1], [[0.9, 0.1], [0.8, 0.2]], metadata=["a.png", "b.png"])
        >>> evaluation.prediction_errors()
        [Prediction(actual=1, predicted=0, metadata='b.png')]
        """
        told = None if metadata is None else items("Evaluation.eval: metadata", metadata)
        with nd.scope_out_of_workspaces():
            rows = comparable(labels, predictions, mask)
            found = [] if told is None else self._told(rows, told)
            self._count(rows)
        self._predictions += found

    def _told(self, rows: Rows, metadata: Sequence[Any]) -> list[Prediction]:
        """The predictions of rows with what says which they are."""
        if len(metadata) != rows.predictions.shape[0]:
            raise ValueError(
                f"Evaluation.eval: metadata has {len(metadata)} items and {rows.predictions.shape[0]} rows are "
                "counted; give one for each"
            )
        actual = actual_classes("Evaluation", rows).tolist()
        predicted = class_numbers(self._weighed(rows.predictions), self.threshold).tolist()
        return list(map(Prediction, actual, predicted, metadata))

    def _weighed(self, predictions: nd.NDArray) -> nd.NDArray:
        """The predictions times the costs.  Raises ValueError for another number of classes."""
        n = self._agree(max(predictions.shape[1], 2), "predictions")
        if self.threshold is not None and n != 2:
            raise ValueError(f"Evaluation: threshold={self.threshold} is for two classes, predictions have {n}")
        if self.costs is None:
            return predictions
        return both_columns(predictions) * nd.asarray(self.costs, dtype=predictions.dtype)

    def _found(self, rows: Rows) -> Kept:
        actual = actual_classes("Evaluation", rows)
        check_numbers("Evaluation", rows.predictions)
        predictions = self._weighed(rows.predictions)
        n = max(predictions.shape[1], 2)
        predicted = class_numbers(predictions, self.threshold)
        counts = nd.bincount(actual * n + predicted, minlength=n * n).reshape((n, n))
        return {"counts": nd.astype(counts, "float64"), "in_top": self._in_top(actual, predicted, predictions)}

    def _in_top(self, actual: nd.NDArray, predicted: nd.NDArray, predictions: nd.NDArray) -> nd.NDArray:
        """How many examples have fewer than `top_n` classes with larger scores than their own class."""
        if self.top_n == 1 or predictions.shape[1] == 1:
            right = predicted == actual if self.top_n == 1 else nd.ones_like(actual)
        else:
            own = nd.take_along_axis(predictions, nd.expand_dims(actual, axis=1), axis=1)
            right = nd.sum(nd.astype(predictions > own, "int64"), axis=1) < self.top_n
        return nd.sum(nd.astype(right, "float64"))

    def _check_same(self, other: Self) -> None:
        for name in ("top_n", "threshold", "costs"):
            self._check_setting(name, other)
        self._agree(other.n_classes or 0, "the other evaluation")

    def _check_kept(self, state: Kept) -> None:
        super()._check_kept(state)
        n = self._agree(state["counts"].shape[0], "the counts")
        if state["counts"].shape != (n, n):
            raise ValueError(f"counts must be square, given {state['counts'].shape}")

    def confusion_matrix(self) -> nd.NDArray:
        """Examples by class: (n_classes, n_classes) int64, a row per actual class, a column per predicted one.

        Returns a new array.
        Raises ValueError before the first example, unless `n_classes` was given.
        """
        if self.n_classes is None:
            raise ValueError(
                "Evaluation: no examples counted yet, so the number of classes is not known; call "
                "eval(labels, predictions) first, or give n_classes"
            )
        if self._state is None:
            return nd.zeros((self.n_classes, self.n_classes), dtype="int64")
        return nd.astype(self._state["counts"], "int64")

    def predictions_of(self, *, actual: int | None = None, predicted: int | None = None) -> list[Prediction]:
        """The examples that came with metadata, in their order.

        actual, predicted: the number of a class, whose examples, or those taken for it, are wanted; None: of all
        Returns a new list of `Prediction`.
        Raises ValueError unless the numbers are whole and at least 0, IndexError for a class that does not exist.
        """
        n = self.n_classes or 0
        wanted = [None if number is None else self._known(number, n) for number in (actual, predicted)]
        return [
            each
            for each in self._predictions
            if wanted[0] in (None, each.actual) and wanted[1] in (None, each.predicted)
        ]

    def prediction_errors(self) -> list[Prediction]:
        """The examples that came with metadata and were not predicted correctly, in their order.  Raises nothing."""
        return [each for each in self._predictions if each.actual != each.predicted]

    def merge(self, other: Self) -> None:
        """Add the examples that `other` has counted, and their metadata.

        Raises TypeError for anything but an evaluation of the same class, ValueError where both do not fit together.
        """
        super().merge(other)
        self._predictions += other._predictions

    def accuracy(self) -> float:
        """The fraction of examples predicted correctly.  Raises nothing: 0 before the first example."""
        matrix = self._matrix()
        return sum(row[i] for i, row in enumerate(matrix)) / max(sum(map(sum, matrix)), 1)

    def top_n_accuracy(self) -> float:
        """The fraction of examples whose class is among the `top_n` with the largest scores.

        Raises nothing: 0 before the first example.
        """
        return 0.0 if self._state is None else float(self._state["in_top"]) / max(self.n_examples, 1)

    def matthews_correlation(self, number: int | None = None) -> float:
        """Matthews' correlation of predictions with labels, from -1 to 1.

        number: of a class, against all others; None: of all classes, R_K of Gorodkin 2004,
            https://doi.org/10.1016/j.compbiolchem.2004.09.006; of two classes both are the same
        Returns a number, 0 where it is not defined.
        Raises ValueError unless `number` is a whole number of at least 0, IndexError for a class that does not exist.
        """
        if number is not None:
            return self._of(matthews, number, None)
        matrix = self._matrix()
        total, hits = sum(map(sum, matrix)), sum(row[i] for i, row in enumerate(matrix))
        actual, predicted = [sum(row) for row in matrix], [sum(column) for column in zip(*matrix, strict=True)]
        by_chance = sum(a * p for a, p in zip(actual, predicted, strict=True))
        square = (total**2 - sum(p * p for p in predicted)) * (total**2 - sum(a * a for a in actual))
        return (hits * total - by_chance) / math.sqrt(square) if square else 0.0

    def stats(self) -> str:
        """The numbers, warnings about classes that do not count, and the confusion matrix.  Raises nothing."""
        lines = [
            "======== Evaluation ========",
            f"Classes:    {'not known yet' if self.n_classes is None else self.n_classes}",
            f"Examples:   {self.n_examples}",
            f"Accuracy:   {self.accuracy():.4f}",
            *([f"Top {self.top_n}:".ljust(12) + f"{self.top_n_accuracy():.4f}"] if self.top_n > 1 else []),
            f"Precision:  {self.precision():.4f}",
            f"Recall:     {self.recall():.4f}",
            f"F1:         {self.f1():.4f}",
        ]
        if self.n_examples:
            lines += [*self._notes(), "", *self._matrix_lines()]
        else:
            lines.append("No examples counted yet: call eval(labels, predictions).")
        return "\n".join(lines)

    def plot(self, path: str | os.PathLike[str] | None = None) -> Any:
        """Draw the confusion matrix: colours are the shares of an actual class.

        path: of a file to write, such as "matrix.png"; None for none
        Returns a figure of matplotlib.
        Raises ImportError without matplotlib, OSError where the file cannot be written, ValueError for an ending of its
        name that matplotlib does not know.
        """
        names = [self._name(i) for i in range(self.n_classes or 0)]
        counts = self.confusion_matrix() if names else None
        return pictures.drawn([lambda axes: pictures.draw_matrix(axes, counts, names)], path)

    def _usual(self) -> int | None:
        return 1 if self.n_classes == 2 else None

    def _outcomes(self) -> list[Outcomes]:
        matrix = self._matrix()
        total, predicted = sum(map(sum, matrix)), [sum(column) for column in zip(*matrix, strict=True)]
        found = []
        for i, row in enumerate(matrix):
            hits, of_class = row[i], sum(row)
            found.append(Outcomes(hits, predicted[i] - hits, of_class - hits, total - of_class - predicted[i] + hits))
        return found

    def _matrix(self) -> list[list[int]]:
        """The confusion matrix; without rows while the number of classes is not known."""
        matrix: list[list[int]] = [] if self.n_classes is None else self.confusion_matrix().tolist()
        return matrix

    def _agree(self, n_classes: int, where: str) -> int:
        if self.n_classes not in (None, n_classes):
            raise ValueError(f"Evaluation: {self.n_classes} classes so far, but {where} have {n_classes}")
        return n_classes

    def _name(self, i: int) -> str:
        return str(i) if self.names is None else self.names[i]

    def _notes(self) -> list[str]:
        if self.n_classes == 2:
            return [f"Precision, recall and F1 are those of class {self._name(1)}."]
        every = self._outcomes()
        unused = [self._name(i) for i, of in enumerate(every) if not of.true_positives + of.false_positives]
        absent = [self._name(i) for i, of in enumerate(every) if not of.true_positives + of.false_negatives]
        notes = ["Precision, recall and F1 are means over classes."]
        if unused:
            notes.append(f"Never predicted, left out of the precision: {_named(unused)}")
        if absent:
            notes.append(f"Without examples, left out of the recall: {_named(absent)}")
        return notes

    def _matrix_lines(self) -> list[str]:
        rows = self._matrix()
        if len(rows) > MOST_ROWS_SHOWN:
            return [f"Confusion matrix: {len(rows)} classes are too many to print; see confusion_matrix()"]
        width = max(len(str(count)) for row in [*rows, range(len(rows))] for count in row) + 1
        lines = ["Confusion matrix, a row per actual class, a column per predicted class:"]
        lines.append("".join(str(i).rjust(width) for i in range(len(rows))))
        lines += [
            f"{''.join(str(count).rjust(width) for count in row)} | {i} = {self._name(i)}" for i, row in enumerate(rows)
        ]
        return lines


def _named(names: list[str]) -> str:
    """Names of classes, the first of them where there are many."""
    shown, n_more = names[:MOST_NAMES_SHOWN], len(names) - MOST_NAMES_SHOWN
    return ", ".join(shown) + (f" and {n_more} more" if n_more > 0 else "")


def checked_costs(costs: Any) -> list[float]:
    """Costs of classes.  Raises ValueError unless all are positive and finite, TypeError for anything but numbers."""
    who = "Evaluation: costs"
    found = [real(cost, who, low=0.0) for cost in items(who, costs)]
    if len(found) < 2 or not all(0 < cost < math.inf for cost in found):
        raise ValueError(f"{who} must be a positive number for each of two or more classes, given {costs!r}")
    return found
