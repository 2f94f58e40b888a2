"""AutoEncoder: a dense layer that learns to make its input again from part of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from nd4py import api as nd
from nd4py.api.arguments import array

from ...activations import activated, activation
from ...inputs import InputType
from ...losses.losses import check_loss, losses_of
from ...numbers import real
from ...parameters import Parameter
from ...regularization.dropouts import keep_mask
from ..dense import DenseLayer, product
from ..layer import parameter, weights
from .pretrained_layer import PretrainedLayer


@dataclass(frozen=True)
class AutoEncoder(DenseLayer, PretrainedLayer):
    """y = activation(x @ W + b), pretrained so that activation(y @ W.T + vb) is x again.

    Vincent et al. 2008, "Extracting and composing robust features with denoising autoencoders",
    https://doi.org/10.1145/1390156.1390294

    x: (batch, n_in)    W: (n_in, n_out)    b: (n_out,)    vb: (n_in,), which pretraining alone needs
    n_out, activation: as for `DenseLayer`; b is always added
    corruption_level: in pretraining, the share of the input that is 0, drawn anew for each batch
    loss: between input and reconstruction: a name of `LOSSES`, or a `Loss`; "xent" with a sigmoid for numbers in [0, 1]
    visible_bias_init: what vb starts with
    Raises ValueError for a setting out of its range or an unknown name.

    >>> layer = nn.AutoEncoder(1, activation="identity")
    >>> params = {"W": nd.asarray([[0.6], [0.8]]), "b": nd.zeros(1), "vb": nd.zeros(2)}
    >>> layer.reconstruct(params, nd.asarray([[3.0, 4.0]]))
    array([[3., 4.]], dtype=float64)
    """

    corruption_level: float = 0.3
    loss: Any = "mse"
    visible_bias_init: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.has_bias:
            raise ValueError(f"{self.title}: an autoencoder has biases; leave has_bias as it is")
        if real(self.corruption_level, f"{self.title}: corruption_level", low=0.0, high=1.0) == 1.0:
            raise ValueError(f"{self.title}: corruption_level 1 would leave nothing to learn from")
        real(self.visible_bias_init, f"{self.title}: visible_bias_init")
        check_loss(self.loss, self.activation, 0.0, self.title)

    def parameters(self, given: InputType) -> tuple[Parameter, ...]:
        n_in = given.n_features
        visible = Parameter("vb", (n_in,), is_bias=True, is_pretrained=True, initial=self.visible_bias_init)
        return (*super().parameters(given), visible)

    def reconstruct(self, params: Mapping[str, nd.NDArray], x: nd.NDArray) -> nd.NDArray:
        """What the layer makes of its own output: activation(y @ W.T + vb).

        Returns an array of the shape of `x`.  Raises TypeError for an argument that is not an array, ValueError for
        shapes that do not fit.
        """
        return activation(self.activation)(self._decoded(params, array("reconstruct: x", x), None))

    def pretrain_score(
        self, params: Mapping[str, nd.NDArray], x: nd.NDArray, *, rng: Any = None, mask: nd.NDArray | None = None
    ) -> nd.NDArray:
        seen = array("pretrain_score: x", x)
        if rng is not None and self.corruption_level:
            seen = seen * keep_mask(seen, seen.shape, self.corruption_level, rng)
        return nd.sum(losses_of(self.loss, x, self._decoded(params, seen, rng), self.activation, mask))

    def _decoded(self, params: Mapping[str, nd.NDArray], x: nd.NDArray, rng: Any) -> nd.NDArray:
        """The reconstruction before its activation."""
        y = activated(self.activation, self.pre_activation(params, x), train=rng is not None, rng=rng)
        return product(y, nd.matrix_transpose(weights(params)["W"])) + parameter(params, "vb")
