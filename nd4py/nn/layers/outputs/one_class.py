"""OCNNOutputLayer: an output layer that tells what is like the examples of the training from what is not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from nd4py import api as nd
from nd4py.api.arguments import array

from ...activations import activation
from ...inputs import FEED_FORWARD, InputType
from ...losses.loss import sizes_of
from ...numbers import real, whole
from ...parameters import Parameter
from ..layer import State, WeightedLayer, parameter
from ..scored import ScoredLayer


@dataclass(frozen=True)
class OCNNOutputLayer(WeightedLayer, ScoredLayer):
    """A one-class neural network: y = activation(x @ v) @ w - r, negative for what is unlike the training's examples.

    Chalapathy et al. 2018, "Anomaly Detection using One-Class Neural Networks", https://arxiv.org/abs/1802.06360,
    equations 3 and 5

    The loss of an example is max(0, -y) / nu + |w|**2 / 2 + |v|**2 / 2 - r.  r is no weight but a running value: the
    nu-quantile of activation(x @ v) @ w, of which the loss takes what it was before the batch.
    x: (batch, n_in)    y: (batch, 1)    v: (n_in, hidden_size)    w: (hidden_size, 1)    r: (1,)
    hidden_size: outputs of the hidden layer    nu: the share of examples that are outside, between 0 and 1
    activation: of the hidden layer: a name of `ACTIVATIONS`, or an `Activation`
    initial_r: what r starts with    decay: the share of r that a batch leaves
    Batches should have more than 1 / nu rows, or their quantiles say little.
    Labels are not looked at; there must be a row for each example.
    Raises ValueError for a setting out of its range or an unknown name.

    >>> layer = nn.OCNNOutputLayer(1, nu=0.5, activation="identity")
    >>> params = {"v": nd.ones((1, 1)), "w": nd.ones((1, 1)), "r": nd.asarray([2.0])}
    >>> layer.forward(params, nd.asarray([[3.0], [0.5]]))
    array([[ 1. ],
           [-1.5]], dtype=float64)
    """

    hidden_size: int
    nu: float = 0.04
    activation: Any = "sigmoid"
    initial_r: float = 0.1
    decay: float = 0.9

    wanted_input: ClassVar[str] = FEED_FORWARD

    def __post_init__(self) -> None:
        super().__post_init__()
        whole(self.hidden_size, f"{self.title}: hidden_size")
        if not 0.0 < real(self.nu, f"{self.title}: nu") < 1.0:
            raise ValueError(f"{self.title}: nu must be above 0 and below 1, given {self.nu!r}")
        activation(self.activation)
        real(self.initial_r, f"{self.title}: initial_r")
        real(self.decay, f"{self.title}: decay", low=0.0, high=1.0)

    def output_type(self, given: InputType) -> InputType:
        if len(given.dimensions) != 1:
            raise ValueError(f"{self.title}: rows are needed, given {given.kind} input {given}")
        return InputType.feed_forward(1)

    def parameters(self, given: InputType) -> tuple[Parameter, ...]:
        n_in = given.n_features
        return (
            Parameter("v", (n_in, self.hidden_size), n_in, self.hidden_size),
            Parameter("w", (self.hidden_size, 1), self.hidden_size, 1),
            Parameter("r", (1,), is_state=True, initial=self.initial_r, decay=self.decay),
        )

    def _outputs(self, params: State, x: nd.NDArray) -> nd.NDArray:
        """activation(x @ v) @ w"""
        return activation(self.activation)(array("x", x) @ parameter(params, "v")) @ parameter(params, "w")

    def forward(
        self,
        params: State,
        x: nd.NDArray,
        *,
        train: bool = False,
        rng: Any = None,
        mask: nd.NDArray | None = None,
        state: State | None = None,
    ) -> nd.NDArray:
        return self._outputs(params, x) - parameter(params, "r")

    def prepare_labels(self, labels: nd.NDArray, shape: tuple[int | None, ...], dtype: nd.DType) -> nd.NDArray:
        n_examples = sizes_of(shape)[0]
        if array("prepare_labels: labels", labels).shape[:1] != (n_examples,):
            raise ValueError(
                f"{self.title} expects labels with a row for each of {n_examples} examples, given {labels.shape}"
            )
        return labels

    def example_labels(self, shape: tuple[int, ...], dtype: nd.DType) -> nd.NDArray:
        return nd.ones(sizes_of(shape), dtype=dtype, device="cpu")

    def score(
        self,
        params: State,
        x: nd.NDArray,
        labels: nd.NDArray,
        *,
        train: bool = False,
        rng: Any = None,
        mask: nd.NDArray | None = None,
    ) -> Any:
        outputs = self._outputs(params, x)
        loss = nd.sum(self._losses(params, outputs, mask))
        if not train:
            return loss
        seen, before = nd.stop_gradient(outputs).reshape((-1,)), params["r"]
        n_seen = seen.shape[0]
        if mask is not None:
            counts = nd.reshape(mask, (-1,))
            seen, n_seen = nd.where(counts > 0, seen, float("inf")), int(nd.sum(counts > 0))
        if not n_seen:
            return loss, {"r": before}
        return loss, {"r": self.decay * before + (1.0 - self.decay) * quantile(seen, n_seen, self.nu)}

    def example_scores(
        self, params: State, x: nd.NDArray, labels: nd.NDArray, *, mask: nd.NDArray | None = None
    ) -> nd.NDArray:
        return self._losses(params, self._outputs(params, x), mask)

    def _losses(self, params: State, outputs: nd.NDArray, mask: nd.NDArray | None) -> nd.NDArray:
        r = nd.stop_gradient(parameter(params, "r"))
        norms = 0.5 * (nd.sum_of_squares(params["w"]) + nd.sum_of_squares(params["v"]))
        losses = nd.relu(r - outputs).reshape((-1,)) * (1.0 / self.nu) + (norms - r)
        return losses if mask is None else losses * nd.reshape(array("score: mask", mask), (-1,))


def quantile(x: nd.NDArray, n: int, q: float) -> nd.NDArray:
    """The q-quantile of the `n` smallest elements of a vector, (1,); linear between neighbours, as NumPy's default."""
    ordered, place = nd.sort(x), q * (n - 1)
    low = int(place)
    lower, upper = ordered[low : low + 1], ordered[min(low + 1, n - 1) :][:1]
    return lower + (upper - lower) * (place - low)
