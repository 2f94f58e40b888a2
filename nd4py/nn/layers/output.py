"""OutputLayer: a dense layer with a loss."""

from collections.abc import Mapping
from dataclasses import dataclass

from nd4py import api as nd
from nd4py.api.arguments import array

from ..losses.losses import check_labels, loss_function, takes_class_numbers
from .dense import DenseLayer


@dataclass(frozen=True)
class OutputLayer(DenseLayer):
    """A dense layer with a loss.

    has_bias: whether b is added.
    The loss is computed from the values before the activation, so that softmax with negative log likelihood and sigmoid
    with binary cross entropy neither overflow nor take the logarithm of 0.
    Raises ValueError for a setting out of its range or an unknown name.

    >>> layer = nn.OutputLayer(2, activation="softmax", loss="mcxent")
    >>> layer.forward({"W": nd.zeros((3, 2)), "b": nd.zeros(2)}, nd.ones((1, 3)))
    array([[0.5, 0.5]], dtype=float64)
    """

    activation: str = "softmax"
    loss: str = "negative_log_likelihood"

    def __post_init__(self) -> None:
        super().__post_init__()
        loss_function(self.loss)

    def prepare_labels(self, labels: nd.NDArray, n_examples: int, dtype: nd.DType) -> nd.NDArray:
        """`labels` in the form `score` takes.  Raises ValueError when loss and `n_out` ask for another shape.

        Returns an array of that dtype.
        """
        check_labels(self.loss, array("prepare_labels: labels", labels), n_examples, self.n_out, self.title)
        return labels if takes_class_numbers(self.loss) else nd.astype(labels, dtype)

    def example_labels(self, n_examples: int, dtype: nd.DType) -> nd.NDArray:
        """Labels in the form `score` takes, all ones.

        Returns an array of the shape that `score` takes.  Raises ValueError for a negative number, TypeError for a
        number that is not whole.
        """
        if takes_class_numbers(self.loss):
            return nd.ones(n_examples, dtype="int64", device="cpu")
        return nd.ones((n_examples, self.n_out), dtype=dtype, device="cpu")

    def score(self, params: Mapping[str, nd.NDArray], x: nd.NDArray, labels: nd.NDArray) -> nd.NDArray:
        """The loss summed over the examples: a 0-d array.

        Raises TypeError for an argument that is not an array, ValueError for shapes that do not fit.
        """
        return loss_function(self.loss)(array("score: labels", labels), self.pre_activation(params, x), self.activation)
