"""Loss functions by name: (labels, pre-activation, activation's name) to the total over a batch.

labels, pre_activation: (batch, n_out)
A network divides the total by the batch.  Losses whose name says "mean" (mse, mae, mape, msle, wasserstein) are means
over the outputs of an example, the others are sums over them.
"""

from collections.abc import Callable, Mapping

from nd4py import api as nd

from ..activations import activation
from ..names import look_up

Loss = Callable[[nd.NDArray, nd.NDArray, str], nd.NDArray]
SMALLEST_NORM = 1e-8


def _sum(row: Callable[..., nd.NDArray], labels: nd.NDArray, z: nd.NDArray, name: str) -> nd.NDArray:
    return nd.sum(row(activation(name)(z), labels))


def _mean(row: Callable[..., nd.NDArray], labels: nd.NDArray, z: nd.NDArray, name: str) -> nd.NDArray:
    return _sum(row, labels, z, name) / labels.shape[1]


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
        return nd.sum(nd.softplus(z) - labels * z)
    return _sum(nd.binary_cross_entropy, labels, z, name)


def mcxent(labels: nd.NDArray, z: nd.NDArray, name: str) -> nd.NDArray:
    """Cross entropy over classes: -labels * log(y), summed over the outputs.

    With softmax the logarithm is taken of the exponentials before they are formed (log-sum-exp), exact for every z;
    with others y is at least 1e-10.
    """
    if name == "softmax":
        return -nd.sum(labels * nd.log_softmax(z, axis=1))
    return _sum(nd.cross_entropy, labels, z, name)


def sparse_mcxent(labels: nd.NDArray, z: nd.NDArray, name: str) -> nd.NDArray:
    """`mcxent` with labels that are the numbers of the classes: integers of shape (batch,) or (batch, 1)."""
    return mcxent(nd.one_hot(labels.reshape(-1), z.shape[1], dtype=z.dtype), z, name)


def kl_divergence(labels: nd.NDArray, z: nd.NDArray, name: str) -> nd.NDArray:
    """Kullback-Leibler divergence: labels * log(labels / y), summed over the outputs."""
    return _sum(nd.kl_divergence, labels, z, name)


def cosine_proximity(labels: nd.NDArray, z: nd.NDArray, name: str) -> nd.NDArray:
    """Minus the cosine of the angle between labels and outputs."""
    outputs = activation(name)(z)
    squares = nd.sum_of_squares(labels, axis=1) * nd.sum_of_squares(outputs, axis=1)
    return -nd.sum(nd.sum(labels * outputs, axis=1) / nd.sqrt(nd.maximum(squares, SMALLEST_NORM**2)))


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


def check_labels(name: str, labels: nd.NDArray, n_examples: int, n_out: int, who: str) -> None:
    """Raises ValueError when the loss `name` cannot be computed from labels of this shape or dtype."""
    if takes_class_numbers(name):
        allowed: tuple[tuple[int, ...], ...] = ((n_examples,), (n_examples, 1))
        if labels.dtype.kind not in "iu":
            raise ValueError(f"{who}: the labels of sparse_mcxent are class numbers, integers; given {labels.dtype}")
    else:
        allowed = ((n_examples, n_out),)
    if labels.shape not in allowed:
        raise ValueError(
            f"{who} with {n_out} outputs and loss {name!r} expects labels of shape "
            f"{' or '.join(map(str, allowed))} for {n_examples} examples, given {labels.shape}"
        )
