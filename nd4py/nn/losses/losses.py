"""Loss functions by name: (labels, pre-activation, activation's name) to the losses of a batch.

labels, pre_activation: (batch, n_out), (batch, length, n_out) for sequences, (batch, n_out, height, width) for images
The losses have these axes; that of the outputs has n_out or, where the loss is not a sum over outputs, one element.
A network adds them all up and divides by the batch.  Of mse, mae, mape, msle, huber, log_cosh and wasserstein the loss
of an example is a mean over its outputs, of the others a sum over them.
"""

from __future__ import annotations

import re
from dataclasses import MISSING, fields
from typing import Any

from nd4py import api as nd
from nd4py.api.arguments import array, is_array

from .. import losses as offered
from ..names import classes_of, look_up
from .classification import (
    hinge,
    kl_divergence,
    mcxent,
    multi_label,
    sparse_mcxent,
    squared_hinge,
    xent,
)
from .loss import Function, Loss, check_shape, masked, outputs_axis, sizes_of, with_outputs
from .regression import (
    cosine_proximity,
    l1,
    log_cosh,
    mae,
    mape,
    mse,
    msle,
    poisson,
    squared_loss,
    wasserstein,
)


def spelled(name: str) -> str:
    """What settings call a class: "f_measure" for "FMeasureLoss"."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name.removesuffix("Loss")).lower()


def has_defaults(loss: type[Loss]) -> bool:
    """Whether all settings of a loss have one."""
    return all(field.default is not MISSING or field.default_factory is not MISSING for field in fields(loss))


# Losses with settings.
LOSS_TYPES = classes_of(offered, Loss)
LOSSES: dict[str, Any] = {
    function.__name__: function
    for function in (
        mse,
        squared_loss,
        mae,
        l1,
        mape,
        msle,
        log_cosh,
        xent,
        mcxent,
        sparse_mcxent,
        kl_divergence,
        cosine_proximity,
        hinge,
        squared_hinge,
        multi_label,
        poisson,
        wasserstein,
    )
} | {
    "l2": squared_loss,
    "mean_absolute_error": mae,
    "mean_squared_error": mse,
    "negative_log_likelihood": mcxent,
    "reconstruction_crossentropy": kl_divergence,
    "binary_cross_entropy": xent,
    "categorical_cross_entropy": mcxent,
    "sparse_categorical_cross_entropy": sparse_mcxent,
}
# Of a class whose settings all have defaults, the name stands for an object with them: "f_measure" for FMeasureLoss.
LOSSES |= {spelled(name): loss for name, loss in LOSS_TYPES.items() if has_defaults(loss)}
CROSS_ENTROPIES = (xent, mcxent, sparse_mcxent)  # what label smoothing is for
PROBABILITIES = ("softmax", "sigmoid", "hard_sigmoid")  # activations whose outputs are from 0 to 1


def loss_function(loss: Any) -> Function:
    """The loss called `loss`, or that `Loss` itself.  Raises ValueError that lists the names there are."""
    if isinstance(loss, Loss):
        return loss
    found: Function = look_up(LOSSES, loss, "loss")
    return found() if isinstance(found, type) else found


def takes_class_numbers(loss: Any) -> bool:
    """Whether the labels of a loss are integers, one per example, and not a row per example."""
    return loss_function(loss) is sparse_mcxent


def checked_labels(
    loss: Any, labels: nd.NDArray, shape: tuple[int | None, ...], dtype: nd.DType, who: str
) -> nd.NDArray:
    """Labels as a loss takes them, for outputs of `shape`, where None is any length.

    Raises ValueError for labels of another shape or dtype than the loss is computed from, IndexError for numbers of no
    class.
    """
    function, shape = loss_function(loss), sizes_of(shape)
    if isinstance(function, Loss):
        return function.prepare_labels(array("labels", labels), shape, dtype, who)
    if not takes_class_numbers(loss):
        labels = with_outputs(labels, shape)
        check_shape(labels, (shape,), shape, loss, who)
        return nd.astype(labels, dtype, copy=False)
    axis = outputs_axis(shape)
    if array("labels", labels).dtype.kind not in "iu":
        raise ValueError(
            f"{who}: the labels of {loss} are class numbers, integers; given {labels.dtype}; labels.astype('int64') "
            "makes whole numbers of others, and one-hot labels are for loss='mcxent'"
        )
    check_shape(labels, ((*shape[:axis], *shape[axis + 1 :]), (*shape[:axis], 1, *shape[axis + 1 :])), shape, loss, who)
    _check_class_numbers(labels, shape[axis], loss, who)
    return labels


def _check_class_numbers(labels: nd.NDArray, n_classes: int | None, loss: Any, who: str) -> None:
    """Raises IndexError for numbers of no class."""
    if n_classes is None or not labels.size:
        return
    lowest, highest = int(nd.min(labels)), int(nd.max(labels))
    if lowest < 0 or highest >= n_classes:
        raise IndexError(
            f"{who}: a label is out of range: those of {loss} are class numbers from 0 to {n_classes - 1}, given "
            f"{lowest} to {highest}; labels that do not count have any of them, and a mask that is 0 there"
        )


def labels_of_ones(loss: Any, shape: tuple[int, ...], dtype: nd.DType) -> nd.NDArray:
    """Labels of a loss, all ones, for outputs of `shape`."""
    function, shape = loss_function(loss), sizes_of(shape)
    if isinstance(function, Loss):
        return function.example_labels(shape, dtype)
    axis = outputs_axis(shape)
    if takes_class_numbers(loss):
        return nd.ones((*shape[:axis], *shape[axis + 1 :]), dtype="int64", device="cpu")
    return nd.ones(shape, dtype=dtype, device="cpu")


def losses_of(
    loss: Any,
    labels: nd.NDArray,
    z: nd.NDArray,
    name: Any,
    mask: nd.NDArray | None,
    *,
    weights: Any = None,
    smoothing: float = 0.0,
) -> nd.NDArray:
    """The losses of a batch, with 0 for what the mask leaves out.

    weights: what each output counts, (n_out,), or None; smoothing: of labels, see `smoothed`
    Raises ValueError for weights where the loss has no losses of single outputs.
    """
    function = loss_function(loss)
    if not labels.ndim:
        raise ValueError("score: labels must have a row for each example, given one number")
    if not z.ndim:
        raise ValueError("score: outputs must have a row for each example, given one number")
    if mask is not None:
        array("score: mask", mask)
    if smoothing:
        labels, function = smoothed(function, labels, z, smoothing)
    if isinstance(function, Loss) and function.takes_mask:
        losses = each_example(function(labels, z, name, mask), z, loss)
    else:
        losses = each_example(function(labels, z, name), z, loss)
        losses = losses if mask is None else masked(losses, mask)
    if weights is None:
        return losses
    axis = outputs_axis(z.shape)
    if losses.shape[axis] != z.shape[axis]:
        raise ValueError(f"loss_weights: {loss!r} has no losses of single outputs, so that they cannot be weighted")
    weights = nd.asarray(weights, dtype=z.dtype, device=z.device)
    return losses * nd.reshape(weights, (-1, *(1,) * (z.ndim - 1 - axis)))


def each_example(losses: Any, z: nd.NDArray, loss: Any) -> nd.NDArray:
    """The losses that a call returned.  Raises ValueError for what has no number for each example, such as a mean."""
    is_one = is_array(losses)
    if not is_one or losses.shape[:1] != z.shape[:1]:
        what = f"shape {losses.shape}" if is_one else type(losses).__name__
        raise ValueError(
            f"the loss {loss!r} must return an array with a number for each of the {z.shape[0]} examples, or for each "
            f"of their outputs, which the network adds up and divides by the examples; it returned {what}"
        )
    checked: nd.NDArray = losses
    return checked


def smoothed(function: Function, labels: nd.NDArray, z: nd.NDArray, smoothing: float) -> tuple[nd.NDArray, Function]:
    """Labels of a cross entropy moved towards equal ones, labels * (1 - smoothing) + smoothing / classes, and its loss.

    Of bits there are two classes.  Class numbers become rows.
    Szegedy et al. 2016, https://arxiv.org/abs/1512.00567, section 7.
    """
    axis = outputs_axis(z.shape)
    if function is sparse_mcxent:
        numbers = nd.squeeze(labels, axis=axis) if labels.ndim == z.ndim else labels
        labels, function = nd.moveaxis(nd.one_hot(numbers, z.shape[axis], dtype=z.dtype), -1, axis), mcxent
    return labels * (1.0 - smoothing) + smoothing / (2 if function is xent else z.shape[axis]), function


def check_loss(loss: Any, name: Any, smoothing: float, who: str) -> None:
    """Raises ValueError naming `who` for an unknown loss, an activation or label smoothing that it is not for."""
    function = loss_function(loss)
    if isinstance(function, Loss) and function.only_activation not in (None, name):
        raise ValueError(f"{who}: the loss {loss!r} needs activation={function.only_activation!r}, given {name!r}")
    if smoothing and function not in CROSS_ENTROPIES:
        raise ValueError(f"{who}: label_smoothing is for xent, mcxent and sparse_mcxent, given the loss {loss!r}")


def check_outputs(loss: Any, name: Any, n_outputs: int, who: str) -> None:
    """Raises ValueError naming `who` for outputs that are always 1, and for logarithms of what is no probability."""
    if name == "softmax" and n_outputs == 1:
        raise ValueError(
            f"{who}: softmax of a single output is always 1; give activation='sigmoid' and loss='xent' for two "
            "classes, activation='identity' and a loss such as 'mse' for a number, or an output for each class"
        )
    # An activation that is an object may be one of one's own, which makes probabilities.
    if loss_function(loss) in CROSS_ENTROPIES and isinstance(name, str) and name not in PROBABILITIES:
        usual = "sigmoid" if loss_function(loss) is xent else "softmax"
        raise ValueError(
            f"{who}: the loss {loss!r} takes logarithms of outputs, which must be from 0 to 1, and those of "
            f"activation={name!r} are not; give activation={usual!r}: the loss is computed from the values before it, "
            "as other libraries do from logits"
        )
