"""Activation functions by name."""

from collections.abc import Callable

from nd4py import api as nd

from .names import look_up

Activation = Callable[[nd.NDArray], nd.NDArray]


def identity(x: nd.NDArray) -> nd.NDArray:
    """x itself."""
    return x


def features_axis(x: nd.NDArray) -> int:
    """The axis of a batch that its features or channels lie along: the last of rows and sequences, 1 of images."""
    return 1 if x.ndim > 3 else x.ndim - 1


def softmax(x: nd.NDArray) -> nd.NDArray:
    """exp(x) / sum(exp(x)) over the outputs of a row, the numbers of a step of a sequence, the channels of an image."""
    return nd.softmax(x, axis=features_axis(x))


ACTIVATIONS: dict[str, Activation] = {
    function.__name__: function
    for function in (
        identity,
        softmax,
        nd.cube,
        nd.elu,
        nd.gelu,
        nd.hard_sigmoid,
        nd.hard_tanh,
        nd.leaky_relu,
        nd.mish,
        nd.rational_tanh,
        nd.rectified_tanh,
        nd.relu,
        nd.relu6,
        nd.selu,
        nd.sigmoid,
        nd.softplus,
        nd.softsign,
        nd.swish,
        nd.tanh,
        nd.threshold_relu,
    )
}


def activation(name: str | None) -> Activation:
    """The function called `name`, `identity` for None.  Raises ValueError that lists the names there are."""
    return identity if name is None else look_up(ACTIVATIONS, name, "activation")
