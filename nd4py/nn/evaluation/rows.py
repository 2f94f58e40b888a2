"""Labels and predictions as evaluations take them: a row for each example, step of a sequence or pixel that counts."""

from __future__ import annotations

from typing import Any, NamedTuple

from nd4py import api as nd
from nd4py.api.arguments import of_texts
from nd4py.api.creation.sharing import held_still

# How far beyond 0 and 1 a probability may be: float32 rounds.
TOLERANCE = 1e-5


class Rows(NamedTuple):
    """Labels and predictions of one batch, on the host.

    labels: (rows,) or (rows, n)    predictions: (rows, n)    mask: (rows, n), 1 at what counts, or None where all does
    """

    labels: nd.NDArray
    predictions: nd.NDArray
    mask: nd.NDArray | None

    @property
    def counted(self) -> tuple[nd.NDArray, nd.NDArray, nd.NDArray | None]:
        """Labels, predictions and mask in float64, with 0 at what does not count, which may be no number.

        Whatever is computed from them has to be there when the batch is counted: they lie in the caller's memory.
        """
        labels, predictions = (held_still(nd.astype(x, "float64", copy=False)) for x in (self.labels, self.predictions))
        if self.mask is None:
            return labels, predictions, None
        return nd.where(self.mask > 0, labels, 0.0), nd.where(self.mask > 0, predictions, 0.0), self.mask


def comparable(labels: Any, outputs: Any, mask: Any = None, features_mask: Any = None) -> Rows:
    """Labels and outputs, of sequences and images with a row for each step or pixel, without those that are masked.

    mask: of the labels, with the first axes of the outputs, or one number for each output; or None
    features_mask: is used where there is no other, if the outputs still have the steps of the features
    Raises ValueError for outputs without axes, and for a mask of the labels of another size.
    """
    is_stated = mask is not None
    mask = _single(mask if is_stated else features_mask)
    outputs = nd.asarray(outputs, device="cpu")
    try:
        labels = nd.asarray(labels, device="cpu")
    except TypeError as error:
        raise of_texts(error) from None
    if outputs.ndim == 0:
        raise ValueError("eval: predictions need an axis for the examples, given one number")
    of_outputs = mask is not None and is_stated and mask.ndim > 1 and mask.shape == outputs.shape
    if outputs.ndim > 3:  # the channels of images last
        outputs = nd.moveaxis(outputs, 1, -1)
        labels = nd.moveaxis(labels, 1, -1) if labels.ndim == outputs.ndim else labels
        mask = nd.moveaxis(mask, 1, -1) if of_outputs else mask
    if outputs.ndim > 2:
        labels = labels.reshape((-1, labels.shape[-1])) if labels.ndim == outputs.ndim else labels.reshape(-1)
        outputs = outputs.reshape((-1, outputs.shape[-1]))
    elif outputs.ndim == 1:
        outputs = outputs.reshape((-1, 1))
    if mask is None:
        return Rows(labels, outputs, None)
    if of_outputs and outputs.shape[1] > 1:
        return Rows(labels, outputs, nd.astype(mask.reshape(outputs.shape) != 0, "float64"))
    counts = mask.reshape(-1)
    if counts.shape[0] != outputs.shape[0] and not is_stated:
        return Rows(labels, outputs, None)
    if counts.shape[0] != outputs.shape[0]:
        raise ValueError(
            f"evaluate: the mask has {counts.shape[0]} elements and the outputs have {outputs.shape[0]} rows; give a "
            "mask with one number for each example, for each step of each sequence, or for each output"
        )
    which = nd.nonzero(counts)[0]
    return Rows(nd.take(labels, which, axis=0), nd.take(outputs, which, axis=0), None)


def check_numbers(who: str, predictions: nd.NDArray) -> None:
    """Raises ValueError for predictions that are NaN."""
    if nd.any(nd.isnan(predictions)):
        raise ValueError(f"{who}.eval: predictions are NaN; the network has diverged, lower its learning rate")


def probabilities(who: str, predictions: nd.NDArray) -> nd.NDArray:
    """The predictions in float64, from 0 to 1.  Raises ValueError for others."""
    check_numbers(who, predictions)
    p = nd.astype(predictions, "float64")
    if nd.any((p < -TOLERANCE) | (p > 1.0 + TOLERANCE)):
        raise ValueError(f"{who}.eval: probabilities are needed, from 0 to 1; use softmax or sigmoid for the output")
    return nd.clip(p, 0.0, 1.0)


def with_columns(who: str, rows: Rows) -> Rows:
    """Rows with a column of labels for each of the predictions.  Raises ValueError where there are others."""
    labels, predictions = rows.labels, rows.predictions
    if labels.ndim == 1 and predictions.shape[1] == 1:
        labels = labels.reshape((-1, 1))
    if labels.shape != predictions.shape:
        raise ValueError(
            f"{who}.eval: labels and predictions of one shape (batch, n_outputs) expected, given labels {labels.shape} "
            f"and predictions {predictions.shape}"
        )
    return rows._replace(labels=labels)


def positive(who: str, labels: nd.NDArray, mask: nd.NDArray | None = None) -> nd.NDArray:
    """Whether labels of decisions are above 0.5.  Raises ValueError for those that count and are not from 0 to 1."""
    is_other = ~((labels >= 0) & (labels <= 1))
    if nd.any(is_other if mask is None else is_other & (mask != 0)):
        raise ValueError(
            f"{who}.eval: labels are from 0 to 1, given {float(nd.min(labels)):g} to {float(nd.max(labels)):g}; write "
            "1 for the positive class and 0 for the other one"
        )
    return labels > 0.5


def actual_classes(who: str, rows: Rows) -> nd.NDArray:
    """The class of each row of labels, which are one-hot or numbers, (rows,).

    Raises ValueError for other shapes, and for numbers of classes that there are not.
    """
    labels, predictions = rows.labels, rows.predictions
    if labels.ndim == 2 and labels.shape[1] == 1 != predictions.shape[1]:
        labels = labels.reshape(-1)  # class numbers in a column
    if labels.shape not in (predictions.shape, predictions.shape[:1]):
        raise ValueError(
            f"{who}.eval: labels (batch, n_classes) or (batch,) and predictions (batch, n_classes) expected, "
            f"given labels {labels.shape} and predictions {predictions.shape}"
        )
    if predictions.shape[1] == 1 and labels.size and not (nd.min(labels) >= 0 and nd.max(labels) <= 1):
        raise ValueError(
            f"{who}.eval: labels of one column are 0 or 1, given {float(nd.min(labels)):g} to "
            f"{float(nd.max(labels)):g}; nn.RegressionEvaluation compares numbers"
        )
    actual, n = class_numbers(labels), max(predictions.shape[1], 2)
    if nd.any((actual < 0) | (actual >= n)):
        lowest, highest = int(nd.min(actual)), int(nd.max(actual))
        raise ValueError(
            f"{who}.eval: labels must be numbers of classes from 0 to {n - 1}, given {lowest} to {highest}; "
            f"predictions have {predictions.shape[1]} columns"
        )
    return actual


def both_columns(predictions: nd.NDArray) -> nd.NDArray:
    """A column for each class: a single one is the probability of class 1 of two."""
    return nd.concat([1.0 - predictions, predictions], axis=1) if predictions.shape[1] == 1 else predictions


def class_numbers(x: nd.NDArray, threshold: float | None = None) -> nd.NDArray:
    """The class of each row of scores, (rows,); numbers of classes as they are.

    A single column is the probability of class 1 of two.
    threshold: above which class 1 of two is predicted; None: that with the largest score, or 0.5 for a single column
    """
    if x.ndim == 1:
        return nd.astype(x, "int64")
    if x.shape[1] == 1 or threshold is not None:
        return nd.astype(x[:, -1] > (0.5 if threshold is None else threshold), "int64")
    return nd.argmax(x, axis=1)


def _single(mask: Any) -> Any:
    """A mask as an array on the host, the first where each input or output has one."""
    if isinstance(mask, tuple | list) and mask and (mask[0] is None or hasattr(mask[0], "shape")):
        mask = mask[0]
    return None if mask is None else nd.asarray(mask, device="cpu")
