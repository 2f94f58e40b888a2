"""EvaluationCalibration: whether the probabilities of a classifier are as often right as they say."""

from __future__ import annotations

import math
import os
from typing import Any

from nd4py import api as nd

from ..numbers import whole
from . import pictures
from .rows import Rows, actual_classes, both_columns, probabilities
from .streamed import Kept, StreamedEvaluation, on_a_screen

# Of each bin of a class, and of the class that is predicted: examples, those that are right, and the sum of their
# probabilities.
BINS = ("examples", "hits", "sums")


class EvaluationCalibration(StreamedEvaluation):
    """Evaluation of the probabilities of a classifier: reliability, calibration error, and histograms.

    n_bins: of probabilities, for reliability and calibration errors    n_histogram_bins: for the histograms
    Bins are of equal width; an edge belongs to the bin below it, as in scikit-learn.
    Labels are one-hot rows, or numbers of classes.  A single column is the probability of class 1 of two.
    Guo et al. 2017, https://arxiv.org/abs/1706.04599
    Raises ValueError for numbers of bins that are not whole or less than 1.

    >>> calibration = nn.EvaluationCalibration(n_bins=2)
    >>> calibration.eval([0, 1, 1, 0], [[0.9, 0.1], [0.3, 0.7], [0.2, 0.8], [0.4, 0.6]])
    >>> [part.tolist() for part in calibration.reliability_diagram(1)]
    [[0.1, 0.7000000000000001], [0.0, 0.6666666666666666], [1, 3]]
    """

    settings = ("n_bins", "n_histogram_bins")
    kept = {
        1: ("predicted_examples", "predicted_hits", "predicted_sums"),
        2: ("examples", "hits", "sums", "probabilities", "residuals"),
    }

    def __init__(self, n_bins: int = 10, n_histogram_bins: int = 50) -> None:
        self.n_bins = whole(n_bins, "EvaluationCalibration: n_bins")
        self.n_histogram_bins = whole(n_histogram_bins, "EvaluationCalibration: n_histogram_bins")
        super().__init__()

    @property
    def n_classes(self) -> int | None:
        """The number of classes, None while it is not known."""
        return None if self._state is None else int(self._state["examples"].shape[0])

    @property
    def n_examples(self) -> int:
        return 0 if self._state is None else int(nd.sum(self._state["predicted_examples"]))

    def _found(self, rows: Rows) -> Kept:
        actual = actual_classes("EvaluationCalibration", rows)
        p = both_columns(probabilities("EvaluationCalibration", rows.predictions))
        is_so = nd.one_hot(actual, p.shape[1], dtype="float64")
        largest, is_right = nd.max(p, axis=1, keepdims=True), nd.argmax(p, axis=1) == actual
        of_predicted = self._bins(largest, nd.astype(is_right, "float64").reshape((-1, 1)))
        return {
            **self._bins(p, is_so),
            **{f"predicted_{name}": counts.reshape(-1) for name, counts in of_predicted.items()},
            "probabilities": _counted(p, self.n_histogram_bins),
            "residuals": _counted(nd.abs(is_so - p), self.n_histogram_bins),
        }

    def _bins(self, p: nd.NDArray, is_so: nd.NDArray) -> dict[str, nd.NDArray]:
        """Of each column and bin: examples, those that are so, and the sum of their probabilities."""
        weights = (nd.ones_like(p), is_so, p)
        return {name: _counted(p, self.n_bins, weight) for name, weight in zip(BINS, weights, strict=True)}

    def _check_kept(self, state: Kept) -> None:
        n = state["examples"].shape[0]
        for name, array in state.items():
            size = self.n_histogram_bins if name in ("probabilities", "residuals") else self.n_bins
            if array.shape != ((size,) if array.ndim == 1 else (n, size)):
                raise ValueError(f"{name} of {n} classes must have {size} bins, given shape {array.shape}")

    def reliability_diagram(self, number: int | None = None) -> tuple[nd.NDArray, nd.NDArray, nd.NDArray]:
        """Of each bin that is not empty: the mean probability, the fraction that is so, and how many examples it has.

        number: of the class; None: the probability of the class that is predicted, and how often it is right
        Returns three arrays (bins,).
        Raises ValueError before the first example and unless `number` is a whole number of at least 0, IndexError for a
        class that does not exist.
        """
        examples, hits, sums = self._rows(number)
        there = nd.nonzero(examples)[0]
        counts, hits, sums = (nd.take(each, there) for each in (examples, hits, sums))
        return sums / counts, hits / counts, nd.astype(counts, "int64")

    def expected_calibration_error(self, number: int | None = None) -> float:
        """The mean distance of probability and fraction over the bins, weighed by their examples.

        number: of the class; None: of the class that is predicted, as Guo et al. define it
        Returns a number from 0 to 1, NaN where no examples were counted.
        Raises IndexError for a number that there is not.
        """
        if self._state is None and number is None:
            return math.nan
        examples, hits, sums = self._rows(number)
        return float(nd.sum(nd.abs(sums - hits)) / nd.sum(examples))

    def probability_histogram(self, number: int | None = None) -> tuple[nd.NDArray, nd.NDArray]:
        """How often probabilities fall into each bin from 0 to 1.

        number: of the class; None: of all classes
        Returns the edges (n_histogram_bins + 1,) and the counts (n_histogram_bins,).
        Raises as `reliability_diagram` does.
        """
        return self._histogram("probabilities", number)

    def residual_histogram(self, number: int | None = None) -> tuple[nd.NDArray, nd.NDArray]:
        """How often |label - probability| falls into each bin from 0 to 1.

        number: of the class; None: of all classes
        Returns the edges (n_histogram_bins + 1,) and the counts (n_histogram_bins,).
        Raises as `reliability_diagram` does.
        """
        return self._histogram("residuals", number)

    def stats(self) -> str:
        """The calibration errors, and the reliability of the class that is predicted.  Raises nothing."""
        lines = ["======== EvaluationCalibration ========", f"Examples:  {self.n_examples}"]
        if self.n_classes is None:
            return "\n".join([*lines, "No examples counted yet: call eval(labels, predictions)."])
        lines.append(f"Expected calibration error:  {self.expected_calibration_error():.4f}")
        of_classes = [f"  of class {i}:  {self.expected_calibration_error(i):.4f}" for i in range(self.n_classes)]
        lines += on_a_screen(of_classes, "classes")
        lines.append("probability  fraction right  examples")
        diagram = (part.tolist() for part in self.reliability_diagram())
        rows = [f"{p:11.4f}  {right:14.4f}  {n:8}" for p, right, n in zip(*diagram, strict=True)]
        lines += on_a_screen(rows, "bins")
        return "\n".join(lines)

    def plot(self, path: str | os.PathLike[str] | None = None, number: int | None = None) -> Any:
        """Draw the reliability diagram, and how many examples have which probability beside it.

        path: of a file to write, such as "reliability.png"; None for none
        number: of the class; None: the probability of the class that is predicted, and the histogram of all classes
        Returns a figure of matplotlib.
        Raises ValueError unless `number` is a whole number of at least 0, IndexError for a class that does not exist,
        ImportError without matplotlib, OSError where the file cannot be written.
        """
        probabilities = fractions = edges = counts = None
        title = "reliability of what is predicted" if number is None else f"reliability of class {number}"
        if self._state is not None:
            probabilities, fractions, _ = self.reliability_diagram(number)
            edges, counts = self.probability_histogram(number)
        elif number is not None:
            whole(number, "EvaluationCalibration: number", least=0)
        return pictures.drawn(
            [
                lambda axes: pictures.draw_reliability(axes, probabilities, fractions, title),
                lambda axes: pictures.draw_histogram(axes, edges, counts),
            ],
            path,
        )

    def _rows(self, number: int | None) -> tuple[nd.NDArray, ...]:
        """Examples, hits and sums of the bins."""
        state = self._counts()
        if number is None:
            return tuple(state[f"predicted_{name}"] for name in BINS)
        number = self._known(number)
        return tuple(state[name][number] for name in BINS)

    def _histogram(self, name: str, number: int | None) -> tuple[nd.NDArray, nd.NDArray]:
        counts = self._counts()[name]
        counts = nd.sum(counts, axis=0) if number is None else counts[self._known(number)]
        return nd.arange(self.n_histogram_bins + 1, dtype="float64") / self.n_histogram_bins, nd.astype(counts, "int64")

    def _counts(self) -> Kept:
        if self._state is None:
            raise ValueError("EvaluationCalibration: no examples counted yet; call eval(labels, predictions) first")
        return self._state

    def _known(self, number: int) -> int:
        number, n = whole(number, "EvaluationCalibration: number", least=0), self.n_classes or 0
        if number >= n:
            raise IndexError(f"EvaluationCalibration: number must be below {n}, the classes, given {number}")
        return number


def _counted(x: nd.NDArray, n_bins: int, weights: nd.NDArray | None = None) -> nd.NDArray:
    """How many elements of each column fall into each of the bins of [0, 1], or their weights: (columns, n_bins)."""
    n_rows, n = x.shape
    edges = nd.arange(1, n_bins, dtype="float64") / n_bins
    places = nd.searchsorted(edges, x.reshape(-1)) + nd.broadcast_to(nd.arange(n) * n_bins, (n_rows, n)).reshape(-1)
    given = nd.ones_like(x) if weights is None else weights
    return nd.bincount(places, weights=given.reshape(-1), minlength=n * n_bins).reshape((n, n_bins))
