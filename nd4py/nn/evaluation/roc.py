"""ROC, ROCBinary and ROCMultiClass: for two classes, for independent outputs, and for each class against the others."""

from __future__ import annotations

from nd4py import api as nd

from .rows import Rows, actual_classes, both_columns, positive, with_columns
from .score_curves import CurveEvaluation


class ROC(CurveEvaluation):
    """The receiver operating characteristic of a classifier of two classes, and its precision against its recall.

    steps: 0 keeps every score that there is, with its counts, and gives exact curves; else counts are kept for the
        thresholds i / steps alone, so that memory does not grow with the data, and scores must be probabilities
    Labels are numbers, above 0.5 for class 1, or one-hot rows of two; scores one column, or two, of which the second
    counts.  A score that is at least the threshold predicts class 1.
    Fawcett 2006, https://doi.org/10.1016/j.patrec.2005.10.010
    Raises ValueError unless `steps` is a whole number of at least 0.

    >>> roc = nn.ROC()
    >>> roc.eval([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> roc.auc(), roc.average_precision()
    (0.75, 0.8333333333333333)
    """

    def _decisions(self, rows: Rows) -> tuple[nd.NDArray, nd.NDArray, nd.NDArray | None]:
        labels, scores = _of_class_one(rows.labels, "labels"), _of_class_one(rows.predictions, "predictions")
        if labels.shape != scores.shape:
            raise ValueError(f"ROC.eval: {labels.shape[0]} labels for {scores.shape[0]} predictions")
        return positive("ROC", labels), scores, None


class ROCBinary(CurveEvaluation):
    """A `ROC` of each output that decides between two classes by itself, such as those of a sigmoid.

    steps: as in `ROC`
    A label above 0.5 is positive.  Masks may have a number for each output.
    Raises ValueError unless `steps` is a whole number of at least 0.

    >>> roc = nn.ROCBinary()
    >>> roc.eval([[0, 1], [0, 0], [1, 1]], [[0.1, 0.4], [0.4, 0.9], [0.8, 0.7]])
    >>> roc.auc(0), roc.auc(1), roc.auc()
    (1.0, 0.0, 0.5)
    """

    takes_output_masks = True

    def _decisions(self, rows: Rows) -> tuple[nd.NDArray, nd.NDArray, nd.NDArray | None]:
        labels, scores, mask = with_columns("ROCBinary", rows).counted
        return positive("ROCBinary", labels, mask), scores, mask


class ROCMultiClass(CurveEvaluation):
    """A `ROC` of each class of a classifier against all others, by the score of that class.

    steps: as in `ROC`
    Labels are one-hot rows, or numbers of classes.  A single column is the probability of class 1 of two.
    Raises ValueError unless `steps` is a whole number of at least 0.

    >>> roc = nn.ROCMultiClass()
    >>> roc.eval([0, 1, 2], [[0.6, 0.3, 0.1], [0.5, 0.2, 0.3], [0.2, 0.1, 0.7]])
    >>> roc.auc(0), roc.auc(1)
    (1.0, 0.5)
    """

    def _decisions(self, rows: Rows) -> tuple[nd.NDArray, nd.NDArray, nd.NDArray | None]:
        scores = both_columns(rows.predictions)
        return nd.one_hot(actual_classes("ROCMultiClass", rows), scores.shape[1]) > 0.5, scores, None


def _of_class_one(x: nd.NDArray, what: str) -> nd.NDArray:
    """The column of class 1, (rows, 1)."""
    if x.ndim == 2 and 1 <= x.shape[1] <= 2:
        return x[:, -1:]
    if x.ndim != 1:
        raise ValueError(
            f"ROC.eval: {what} of one column or two expected, given {x.shape}; for more outputs use ROCBinary or "
            "ROCMultiClass"
        )
    return x.reshape((-1, 1))
