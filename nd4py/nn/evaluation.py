"""Evaluation of classifiers: the confusion matrix, and the metrics computed from it."""

from collections.abc import Callable, Sequence
from typing import Any

from nd4py import api as nd
from nd4py.api.arguments import instance, items

from .numbers import whole

MOST_CLASSES_SHOWN = 50


class Evaluation:
    """Evaluation of a classifier: counts how often each class was predicted for each actual class.

    n_classes: found from the first labels when None    names: of the classes, their numbers when None
    A ratio 0 / 0, such as the precision of a class that was never predicted, is left out of the mean over classes.
    Before the first example all counts and ratios are 0.  Counts are kept outside of any workspace.
    With two classes precision, recall and F1 are those of class 1, as is usual.
    Raises ValueError for fewer than one class, or another number of names, TypeError for anything but a number or
    sequence.

    >>> evaluation = nn.Evaluation()
    >>> evaluation.eval([[1.0, 0.0], [0.0, 1.0]], [[0.9, 0.1], [0.8, 0.2]])
    >>> evaluation.accuracy()
    0.5
    """

    def __init__(self, n_classes: int | None = None, names: Sequence[str] | None = None) -> None:
        self.n_classes = None if n_classes is None else whole(n_classes, "Evaluation: n_classes")
        self.names = None if names is None else [str(name) for name in items("Evaluation: names", names)]
        if self.names is not None:
            self.n_classes = self._agree(len(self.names), "names")
        self.reset()

    def reset(self) -> None:
        """Forget all examples.  Raises nothing."""
        self._counts: nd.NDArray | None = None

    def eval(self, labels: Any, predictions: Any) -> None:
        """Count a batch.

        labels: (batch, n_classes) one row per example, the largest element is the class; or class numbers (batch,)
        predictions: (batch, n_classes) probabilities or scores
        Single columns (batch, 1) are the probability of class 1 of two.
        Arrays on a device are copied to the host.
        Raises ValueError for shapes that do not agree and for predictions that are NaN.
        """
        with nd.scope_out_of_workspaces():  # of the caller, which end before the evaluation does
            self._count(nd.asarray(labels, device="cpu"), nd.asarray(predictions, device="cpu"))

    def _count(self, labels: nd.NDArray, predictions: nd.NDArray) -> None:
        if labels.ndim == 2 and labels.shape[1] == 1 != predictions.shape[-1]:
            labels = labels.reshape(-1)  # class numbers in a column
        _check(labels, predictions)
        n_classes = self._agree(max(predictions.shape[1], 2), "predictions")
        actual = nd.one_hot(_class_numbers(labels), n_classes, dtype="float64")
        predicted = nd.one_hot(_class_numbers(predictions), n_classes, dtype="float64")
        counts = actual.T @ predicted
        vars(self).update(
            n_classes=n_classes, _counts=(counts if self._counts is None else self._counts + counts).block()
        )

    def merge(self, other: "Evaluation") -> None:
        """Add the examples that `other` has counted.

        Raises TypeError for anything but an evaluation, ValueError for one of other classes.
        """
        instance("Evaluation.merge: other", other, Evaluation)
        if other.n_classes is None:
            return
        counts, n_classes = self._counts, self._agree(other.n_classes, "the other evaluation")
        if other._counts is not None:
            with nd.scope_out_of_workspaces():
                counts = (other._counts.copy() if counts is None else counts + other._counts).block()
        vars(self).update(n_classes=n_classes, _counts=counts)

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
        if self._counts is None:
            return nd.zeros((self.n_classes, self.n_classes), dtype="int64")
        return nd.astype(self._counts, "int64")

    @property
    def n_examples(self) -> int:
        return sum(map(sum, self._rows()))

    def true_positives(self) -> list[int]:
        """True positives per class.  Returns a list.  Raises nothing."""
        return [row[i] for i, row in enumerate(self._rows())]

    def false_positives(self) -> list[int]:
        """False positives per class: examples of other classes predicted as it.  Returns a list.  Raises nothing."""
        return [sum(row[i] for row in self._rows()) - hit for i, hit in enumerate(self.true_positives())]

    def false_negatives(self) -> list[int]:
        """False negatives per class: its examples predicted as others.  Returns a list.  Raises nothing."""
        return [sum(row) - row[i] for i, row in enumerate(self._rows())]

    def true_negatives(self) -> list[int]:
        """True negatives per class: examples of other classes not predicted as it.  Returns a list.  Raises nothing."""
        kinds = zip(self.true_positives(), self.false_positives(), self.false_negatives(), strict=True)
        return [self.n_examples - sum(kind) for kind in kinds]

    def accuracy(self) -> float:
        """The fraction of examples predicted correctly.  Raises nothing: 0 before the first example."""
        return sum(self.true_positives()) / max(self.n_examples, 1)

    def precision(self, class_number: int | None = None) -> float:
        """Precision of a class: true positives over all predictions of the class; None: mean over classes.

        Returns a number from 0 to 1.
        Raises ValueError unless `class_number` is a whole number of at least 0, IndexError for a class that
        does not exist.
        """
        return self._ratio(lambda hit, false_alarm, missed: (hit, hit + false_alarm), class_number)

    def recall(self, class_number: int | None = None) -> float:
        """Recall of a class: true positives over all examples of the class; None: mean over classes.

        Returns a number from 0 to 1.
        Raises ValueError unless `class_number` is a whole number of at least 0, IndexError for a class that
        does not exist.
        """
        return self._ratio(lambda hit, false_alarm, missed: (hit, hit + missed), class_number)

    def f1(self, class_number: int | None = None) -> float:
        """Harmonic mean of precision and recall, 2 tp / (2 tp + fp + fn); None: mean over classes.

        Returns a number from 0 to 1.
        Raises ValueError unless `class_number` is a whole number of at least 0, IndexError for a class that
        does not exist.
        """
        return self._ratio(lambda hit, false_alarm, missed: (2 * hit, 2 * hit + false_alarm + missed), class_number)

    def stats(self) -> str:
        """The numbers, warnings about classes that do not count, and the confusion matrix.  Raises nothing."""
        lines = [
            "======== Evaluation ========",
            f"Classes:    {'not known yet' if self.n_classes is None else self.n_classes}",
            f"Examples:   {self.n_examples}",
            f"Accuracy:   {self.accuracy():.4f}",
            f"Precision:  {self.precision():.4f}",
            f"Recall:     {self.recall():.4f}",
            f"F1:         {self.f1():.4f}",
        ]
        if self.n_examples:
            lines += [*self._notes(), "", *self._matrix_lines()]
        else:
            lines.append("No examples counted yet: call eval(labels, predictions).")
        return "\n".join(lines)

    def __str__(self) -> str:
        return "Evaluation(no examples)" if self._counts is None else self.stats()

    def _rows(self) -> list[list[int]]:
        """The confusion matrix; without rows while the number of classes is not known."""
        return [] if self.n_classes is None else self.confusion_matrix().tolist()

    def _agree(self, n_classes: int, where: str) -> int:
        if self.n_classes not in (None, n_classes):
            raise ValueError(f"Evaluation: {self.n_classes} classes so far, but {where} have {n_classes}")
        return n_classes

    def _ratio(self, parts: Callable[[int, int, int], tuple[int, int]], class_number: int | None) -> float:
        kinds = zip(self.true_positives(), self.false_positives(), self.false_negatives(), strict=True)
        ratios = [part / whole if whole else None for part, whole in (parts(*kind) for kind in kinds)]
        if class_number is None and self.n_classes == 2:
            class_number = 1
        if class_number is not None:
            class_number = self._known(class_number)
            return (ratios[class_number] or 0.0) if ratios else 0.0
        defined = [ratio for ratio in ratios if ratio is not None]
        return sum(defined) / len(defined) if defined else 0.0

    def _known(self, class_number: int) -> int:
        number = whole(class_number, "Evaluation: class_number", least=0)
        if self.n_classes is not None and number >= self.n_classes:
            raise IndexError(f"Evaluation: class_number must be below {self.n_classes}, the classes, given {number}")
        return number

    def _name(self, i: int) -> str:
        return str(i) if self.names is None else self.names[i]

    def _notes(self) -> list[str]:
        if self.n_classes == 2:
            return [f"Precision, recall and F1 are those of class {self._name(1)}."]
        kinds = list(zip(self.true_positives(), self.false_positives(), self.false_negatives(), strict=True))
        unused = [self._name(i) for i, (hit, false_alarm, _) in enumerate(kinds) if not hit + false_alarm]
        absent = [self._name(i) for i, (hit, _, missed) in enumerate(kinds) if not hit + missed]
        notes = ["Precision, recall and F1 are means over classes."]
        if unused:
            notes.append(f"Never predicted, left out of the precision: {', '.join(unused)}")
        if absent:
            notes.append(f"Without examples, left out of the recall: {', '.join(absent)}")
        return notes

    def _matrix_lines(self) -> list[str]:
        rows = self._rows()
        if len(rows) > MOST_CLASSES_SHOWN:
            return [f"Confusion matrix: {len(rows)} classes are too many to print; see confusion_matrix()"]
        width = max(len(str(count)) for row in [*rows, range(len(rows))] for count in row) + 1
        lines = ["Confusion matrix, a row per actual class, a column per predicted class:"]
        lines.append("".join(str(i).rjust(width) for i in range(len(rows))))
        lines += [
            f"{''.join(str(count).rjust(width) for count in row)} | {i} = {self._name(i)}" for i, row in enumerate(rows)
        ]
        return lines


def _check(labels: nd.NDArray, predictions: nd.NDArray) -> None:
    if predictions.ndim != 2 or labels.shape not in (predictions.shape, predictions.shape[:1]):
        raise ValueError(
            "Evaluation.eval: labels (batch, n_classes) or (batch,) and predictions (batch, n_classes) expected, "
            f"given labels {labels.shape} and predictions {predictions.shape}"
        )
    if nd.any(nd.isnan(predictions)):
        raise ValueError("Evaluation.eval: predictions are NaN; the network has diverged, lower its learning rate")


def _class_numbers(x: nd.NDArray) -> nd.NDArray:
    """The class of each row: (batch,)"""
    if x.ndim == 1:
        return x
    return nd.astype(x[:, 0] > 0.5, "int64") if x.shape[1] == 1 else nd.argmax(x, axis=1)
