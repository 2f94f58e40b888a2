"""CenterLossOutputLayer: an output layer that draws the inputs of a class together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from nd4py import api as nd
from nd4py.api.arguments import array, having

from ...inputs import InputType
from ...losses.losses import takes_class_numbers
from ...numbers import real
from ...parameters import Parameter
from ..layer import State
from .output import OutputLayer


@dataclass(frozen=True)
class CenterLossOutputLayer(OutputLayer):
    """An output layer whose score has center_weight / 2 * |x - center of the class of x|**2 beside the loss.

    The centers, the running values "cL" (n_out, n_in), follow the inputs in training: each moves by
    center_rate * sum(x - center) / (1 + n) over the n inputs of its class in a batch.  Labels are one-hot, or numbers.
    center_rate, center_weight: alpha and lambda of Deeplearning4j and of the paper.
    Wen et al. 2016, https://doi.org/10.1007/978-3-319-46478-7_31, equations 2 to 4.
    Raises ValueError for a setting out of its range or an unknown name.

    >>> layer = nn.CenterLossOutputLayer(2, center_weight=1.0)
    >>> params = {"W": nd.zeros((1, 2)), "b": nd.zeros(2), "cL": nd.zeros((2, 1))}
    >>> float(layer.score(params, nd.asarray([[2.0]]), nd.asarray([[1.0, 0.0]])))  # log(2) + 2**2 / 2
    2.6931471805599454
    """

    center_rate: float = 0.05
    center_weight: float = 2e-4

    def __post_init__(self) -> None:
        super().__post_init__()
        real(self.center_rate, f"{self.title}: center_rate", low=0.0, high=1.0)
        real(self.center_weight, f"{self.title}: center_weight", low=0.0)

    def parameters(self, given: InputType) -> tuple[Parameter, ...]:
        shape = (self.n_out, given.n_features)
        return (*super().parameters(given), Parameter("cL", shape, is_state=True, initial=0.0))

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
        loss = super().score(params, x, labels, train=train, rng=rng, mask=mask)
        members, distances = self._distances(params, x, labels, mask)
        loss = loss + nd.sum(distances)
        if not train:
            return loss
        members, inputs = nd.stop_gradient(members), nd.stop_gradient(x)
        n_members = nd.expand_dims(nd.sum(members, axis=0), axis=1)
        towards = members.T @ inputs - n_members * params["cL"]
        return loss, {"cL": params["cL"] + self.center_rate * towards / (1.0 + n_members)}

    def example_scores(
        self, params: State, x: nd.NDArray, labels: nd.NDArray, *, mask: nd.NDArray | None = None
    ) -> nd.NDArray:
        scores = super().example_scores(params, x, labels, mask=mask)
        return scores + nd.reshape(self._distances(params, x, labels, mask)[1], (-1,))

    def _distances(
        self, params: State, x: nd.NDArray, labels: nd.NDArray, mask: nd.NDArray | None
    ) -> tuple[nd.NDArray, nd.NDArray]:
        """How much each example is of each class (batch, n_out), and what its distance costs (batch, 1)."""
        if "cL" not in having("score: params", params, "a mapping", "keys"):
            raise ValueError(f"score: params must have the centers cL, given {list(params)}")
        members = labels
        if takes_class_numbers(self.loss):
            members = nd.one_hot(nd.reshape(labels, (-1,)), self.n_out, dtype=x.dtype)
        offsets = array("score: x", x) - members @ nd.stop_gradient(params["cL"])
        distances = nd.sum_of_squares(offsets, axis=1, keepdims=True) * (0.5 * self.center_weight)
        if mask is None:
            return members, distances
        counts = nd.reshape(mask, (x.shape[0], -1))[:, :1]
        return members * counts, distances * counts
