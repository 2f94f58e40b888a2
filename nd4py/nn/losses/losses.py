"""Loss functions by name: (labels, pre-activation, activation's name) to the losses of a batch.

labels, pre_activation: (batch, n_out), (batch, length, n_out) for sequences, (batch, n_out, height, width) for images
The losses have these axes; that of the outputs has n_out or, where the loss is not a sum over outputs, one element.
A network adds them all up and divides by the batch.  Losses whose name says "mean" (mse, mae, mape, msle, wasserstein)
are means over the outputs of an example, the others are sums over them.
"""

from collections.abc import Callable, Mapping

from nd4py import api as nd
from nd4py.api.arguments import array, items

from ..activations import activation, features_axis
from ..names import look_up

Loss = Callable[[nd.NDArray, nd.NDArray, str], nd.NDArray]
SMALLEST_NORM = 1e-8


def _sum(row: Callable[..., nd.NDArray], labels: nd.NDArray, z: nd.NDArray, name: str) -> nd.NDArray:
    return row(activation(name)(z), labels)


def _mean(row: Callable[..., nd.NDArray], labels: nd.NDArray, z: nd.NDArray, name: str) -> nd.NDArray:
    return _sum(row, labels, z, name) / labels.shape[features_axis(labels)]


def mse(labels: nd.NDArray, z: nd.NDArray, name: str) -> nd.NDArray:
    """Mean squared error: (y - labels)**2, mean over the outputs."""
    return _mean(nd.squared_error, labels, z, name)


def squared_loss(labels: nd.NDArray, z: nd.NDArray, name: str) -> nd.NDArray:
    """(y - labels)**2, summed over the outputs."""
    return _sum(nd.squared_error, labels, z, name)


def mae(labels: nd.NDArray, z: nd.NDArray, name: str) -> nd.NDArray:
    """Mean absolute error: |y - labels|, mean over the outputs."""
    return _mean(nd.absolute_error, labels, z, name)


def l1(labels: nd.NDArray, z: nd.NDArray, name: str) -> nd.NDArray:
    """|y - labels|, summed over the outputs."""
    return _sum(nd.absolute_error, labels, z, name)


def mape(labels: nd.NDArray, z: nd.NDArray, name: str) -> nd.NDArray:
    """Mean absolute percentage error: 100 * |y - labels| / |labels|, mean over the outputs; labels must not be 0."""
    return _mean(nd.absolute_percentage_error, labels, z, name)


def msle(labels: nd.NDArray, z: nd.NDArray, name: str) -> nd.NDArray:
    """Mean squared logarithmic error: log((1 + y) / (1 + labels))**2, mean over the outputs; y and labels above -1."""
    return _mean(nd.squared_log_error, labels, z, name)


def xent(labels: nd.NDArray, z: nd.NDArray, name: str) -> nd.NDArray:
    """Binary cross entropy: -labels * log(y) - (1 - labels) * log(1 - y), summed over the outputs.

    With sigmoid it is softplus(z) - labels * z, which is exact for every z; with others y is clipped by 1e-5.
    """
    if name == "sigmoid":
        return nd.softplus(z) - labels * z
    return _sum(nd.binary_cross_entropy, labels, z, name)


def mcxent(labels: nd.NDArray, z: nd.NDArray, name: str) -> nd.NDArray:
    """Cross entropy over classes: -labels * log(y), summed over the outputs.

    With softmax the logarithm is taken of the exponentials before they are formed (log-sum-exp), exact for every z;
    with others y is at least 1e-10.
    """
    if name == "softmax":
        return -(labels * nd.log_softmax(z, axis=features_axis(z)))
    return _sum(nd.cross_entropy, labels, z, name)


def sparse_mcxent(labels: nd.NDArray, z: nd.NDArray, name: str) -> nd.NDArray:
    """`mcxent` with labels that are the numbers of classes: integers, with one element or none along the outputs."""
    axis = features_axis(z)
    numbers = nd.squeeze(labels, axis=axis) if labels.ndim == z.ndim else labels
    return mcxent(nd.moveaxis(nd.one_hot(numbers, z.shape[axis], dtype=z.dtype), -1, axis), z, name)


def kl_divergence(labels: nd.NDArray, z: nd.NDArray, name: str) -> nd.NDArray:
    """Kullback-Leibler divergence: labels * log(labels / y), summed over the outputs."""
    return _sum(nd.kl_divergence, labels, z, name)


def cosine_proximity(labels: nd.NDArray, z: nd.NDArray, name: str) -> nd.NDArray:
    """Minus the cosine of the angle between labels and outputs."""
    outputs, axis = activation(name)(z), features_axis(z)
    squares = nd.sum_of_squares(labels, axis=axis, keepdims=True) * nd.sum_of_squares(outputs, axis=axis, keepdims=True)
    products = nd.sum(labels * outputs, axis=axis, keepdims=True)
    return -(products / nd.sqrt(nd.maximum(squares, SMALLEST_NORM**2)))


def hinge(labels: nd.NDArray, z: nd.NDArray, name: str) -> nd.NDArray:
    """max(0, 1 - labels * y), labels -1 or 1, summed over the outputs."""
    return _sum(nd.hinge, labels, z, name)


def squared_hinge(labels: nd.NDArray, z: nd.NDArray, name: str) -> nd.NDArray:
    """max(0, 1 - labels * y)**2, labels -1 or 1, summed over the outputs."""
    return _sum(nd.squared_hinge, labels, z, name)


def poisson(labels: nd.NDArray, z: nd.NDArray, name: str) -> nd.NDArray:
    """y - labels * log(y), summed over the outputs."""
    return _sum(nd.poisson_loss, labels, z, name)


def wasserstein(labels: nd.NDArray, z: nd.NDArray, name: str) -> nd.NDArray:
    """labels * y, mean over the outputs."""
    return _mean(nd.wasserstein_loss, labels, z, name)


LOSSES: Mapping[str, Loss] = {
    function.__name__: function
    for function in (
        mse,
        squared_loss,
        mae,
        l1,
        mape,
        msle,
        xent,
        mcxent,
        sparse_mcxent,
        kl_divergence,
        cosine_proximity,
        hinge,
        squared_hinge,
        poisson,
        wasserstein,
    )
} | {
    "l2": squared_loss,
    "mean_absolute_error": mae,
    "negative_log_likelihood": mcxent,
    "reconstruction_crossentropy": kl_divergence,
}


def loss_function(name: str) -> Loss:
    """The loss called `name`.  Raises ValueError that lists the names there are."""
    return look_up(LOSSES, name, "loss")


def takes_class_numbers(name: str) -> bool:
    """Whether the labels of the loss `name` are integers, one per example, and not a row per example."""
    return loss_function(name) is sparse_mcxent


def checked_labels(
    name: str, labels: nd.NDArray, shape: tuple[int | None, ...], dtype: nd.DType, who: str
) -> nd.NDArray:
    """Labels as the loss `name` takes them, for outputs of `shape`, where None is any length.

    Raises ValueError for labels of another shape or dtype than the loss is computed from.
    """
    if not (shape := items("prepare_labels: shape", shape)):
        raise ValueError("prepare_labels: the shape of the outputs has a batch axis at least, given ()")
    axis = 1 if len(shape) > 3 else len(shape) - 1
    allowed = [shape]
    if takes_class_numbers(name):
        allowed = [(*shape[:axis], *shape[axis + 1 :]), (*shape[:axis], 1, *shape[axis + 1 :])]
        if array("labels", labels).dtype.kind not in "iu":
            raise ValueError(f"{who}: the labels of sparse_mcxent are class numbers, integers; given {labels.dtype}")
    if not any(_fits(array("labels", labels).shape, wanted) for wanted in allowed):
        texts = " or ".join(str(each).replace("None", "any length") for each in allowed)
        raise ValueError(
            f"{who} with {shape[axis]} outputs and loss {name!r} expects labels of shape {texts} for {shape[0]} "
            f"examples, given {labels.shape}"
        )
    return labels if takes_class_numbers(name) else nd.astype(labels, dtype)


def labels_of_ones(name: str, shape: tuple[int, ...], dtype: nd.DType) -> nd.NDArray:
    """Labels of the loss `name`, all ones, for outputs of `shape`."""
    if not (shape := items("example_labels: shape", shape)):
        raise ValueError("example_labels: the shape of the outputs has a batch axis at least, given ()")
    axis = 1 if len(shape) > 3 else len(shape) - 1
    if takes_class_numbers(name):
        return nd.ones((*shape[:axis], *shape[axis + 1 :]), dtype="int64", device="cpu")
    return nd.ones(shape, dtype=dtype, device="cpu")


def masked(losses: nd.NDArray, mask: nd.NDArray) -> nd.NDArray:
    """The losses with 0 for what the mask leaves out; a mask without the axis of the outputs counts for all of them."""
    if array("mask", mask).ndim < losses.ndim:
        mask = nd.expand_dims(mask, axis=tuple(range(mask.ndim, losses.ndim)))
    return losses * mask


def _fits(shape: tuple[int, ...], wanted: tuple[int | None, ...]) -> bool:
    return len(shape) == len(wanted) and all(n is None or n == given for n, given in zip(wanted, shape, strict=True))
