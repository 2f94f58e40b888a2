"""VariationalAutoencoder: an encoder and a decoder with a distribution between them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

from nd4py import api as nd
from nd4py.api.arguments import array, having, items

from ...activations import activated, activation
from ...inputs import FEED_FORWARD, InputType
from ...losses.loss import masked
from ...names import look_up
from ...numbers import whole
from ...parameters import Parameter
from ..dense import output_of_rows, product
from ..layer import checked_outputs, parameter
from .pretrained_layer import PretrainedLayer
from .reconstruction import RECONSTRUCTIONS

State = Mapping[str, nd.NDArray]


@dataclass(frozen=True)
class VariationalAutoencoder(PretrainedLayer):
    """The mean of the latent variables z of x, found by an encoder that is pretrained together with a decoder.

    Kingma & Welling 2013, "Auto-Encoding Variational Bayes", https://arxiv.org/abs/1312.6114

    The encoder gives z a normal distribution q(z|x), with a mean and the logarithm of a variance for each of its
    numbers; the decoder turns z into the distribution p(x|z).  Pretraining makes the negative of the bound of equation
    10 small: the divergence of q from N(0, 1), and -log p(x|z) at z drawn from q.
    x: (batch, n_in)    y: (batch, n_out)
    n_out: numbers of z    encoder_layer_sizes, decoder_layer_sizes: outputs of the dense layers of both
    activation: of these layers: a name of `ACTIVATIONS`, or an `Activation`; None for the network's
    pzx_activation: of the mean and the logarithm of the variance of z
    reconstruction_distribution: p(x|z): "gaussian", or "bernoulli" for numbers in [0, 1]
    reconstruction_activation: of the means and logarithms of variances, or of the probabilities, that the decoder ends
        with; None: "identity" of "gaussian", "sigmoid" of "bernoulli"
    num_samples: how many z are drawn for each example in pretraining
    Raises ValueError for a setting out of its range or an unknown name.

    >>> layer = nn.VariationalAutoencoder(2, encoder_layer_sizes=(16,), decoder_layer_sizes=(16,))
    >>> [each.name for each in layer.parameters(nn.InputType.feed_forward(8))][:4]
    ['e0W', 'e0b', 'pZXMeanW', 'pZXMeanb']
    """

    n_out: int
    encoder_layer_sizes: tuple[int, ...] = (100,)
    decoder_layer_sizes: tuple[int, ...] = (100,)
    activation: Any = None
    pzx_activation: Any = "identity"
    reconstruction_distribution: str = "gaussian"
    reconstruction_activation: Any = None
    num_samples: int = 1

    wanted_input: ClassVar[str] = FEED_FORWARD

    def __post_init__(self) -> None:
        super().__post_init__()
        checked_outputs(self)
        for name in ("encoder_layer_sizes", "decoder_layer_sizes"):
            given = items(f"{self.title}: {name}", getattr(self, name))
            object.__setattr__(self, name, tuple(whole(n, f"{self.title}: each of {name}") for n in given))
        whole(self.num_samples, f"{self.title}: num_samples")
        look_up(RECONSTRUCTIONS, self.reconstruction_distribution, "reconstruction_distribution")
        for each in (self.pzx_activation, self.reconstruction_activation):
            activation(each)

    @property
    def _distribution(self) -> Any:
        return RECONSTRUCTIONS[self.reconstruction_distribution]

    @property
    def _last_activation(self) -> Any:
        own = self.reconstruction_activation
        return self._distribution.activation if own is None else own

    def output_type(self, given: InputType) -> InputType:
        return output_of_rows(given, self.n_out)

    def parameters(self, given: InputType) -> tuple[Parameter, ...]:
        n_in = given.n_features
        encoder, decoder = (n_in, *self.encoder_layer_sizes), (self.n_out, *self.decoder_layer_sizes)
        return (
            *(each for i, (n, m) in enumerate(pairwise(encoder)) for each in _dense(f"e{i}", n, m, False)),
            *_dense("pZXMean", encoder[-1], self.n_out, False),
            *_dense("pZXLogStd2", encoder[-1], self.n_out, True),
            *(each for i, (n, m) in enumerate(pairwise(decoder)) for each in _dense(f"d{i}", n, m, True)),
            *_dense("pXZ", decoder[-1], n_in * self._distribution.values_of_each, True),
        )

    def _hidden(self, params: State, side: str, x: nd.NDArray, rng: Any = None) -> nd.NDArray:
        """The outputs of the dense layers of the encoder, "e", or the decoder, "d"."""
        sizes = self.encoder_layer_sizes if side == "e" else self.decoder_layer_sizes
        for number in range(len(sizes)):
            x = activated(self.activation, _sum(params, f"{side}{number}", x), train=rng is not None, rng=rng)
        return x

    def _mean(self, params: State, hidden: nd.NDArray) -> nd.NDArray:
        return activation(self.pzx_activation)(_sum(params, "pZXMean", hidden))

    def _log_variance(self, params: State, hidden: nd.NDArray) -> nd.NDArray:
        return activation(self.pzx_activation)(_sum(params, "pZXLogStd2", hidden))

    def _decoded(self, params: State, z: nd.NDArray, rng: Any = None) -> nd.NDArray:
        """What p(x|z) is made of, before its activation."""
        return _sum(params, "pXZ", self._hidden(params, "d", z, rng))

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
        return self._mean(params, self._hidden(params, "e", x, rng if train else None))

    def pretrain_score(
        self, params: State, x: nd.NDArray, *, rng: Any = None, mask: nd.NDArray | None = None
    ) -> nd.NDArray:
        if rng is not None:
            having("pretrain_score: rng", rng, "a generator", "normal")
        hidden = self._hidden(params, "e", array("pretrain_score: x", x), rng)
        mean, log_variance = self._mean(params, hidden), self._log_variance(params, hidden)
        divergence = 0.5 * (nd.exp(log_variance) + mean * mean - 1.0 - log_variance)
        z = mean if rng is None else _drawn(mean, log_variance, self.num_samples, rng)
        losses = self._distribution.negative_log_likelihood(x, self._decoded(params, z, rng), self._last_activation)
        losses = losses if rng is None else nd.mean(losses, axis=0)
        if mask is not None:
            divergence, losses = (masked(each, array("pretrain_score: mask", mask)) for each in (divergence, losses))
        return nd.sum(divergence) + nd.sum(losses)

    def reconstruct(self, params: State, x: nd.NDArray) -> nd.NDArray:
        """The mean of p(x|z) at the mean of q(z|x).

        Returns an array of the shape of `x`.  Raises TypeError for an argument that is not an array, ValueError for
        shapes that do not fit.
        """
        z = self._mean(params, self._hidden(params, "e", array("reconstruct: x", x)))
        return self.generate_at_mean_given_z(params, z)

    def generate_at_mean_given_z(self, params: State, z: nd.NDArray) -> nd.NDArray:
        """The mean of p(x|z): what z (batch, n_out) stands for.

        Returns an array (batch, n_in).  Raises as `reconstruct` does.
        """
        decoded = self._decoded(params, array("generate_at_mean_given_z: z", z))
        found: nd.NDArray = self._distribution.mean(decoded, self._last_activation)
        return found

    def generate_random_given_z(self, params: State, z: nd.NDArray, rng: Any) -> nd.NDArray:
        """A draw from p(x|z), with the generator `rng`, for each z of an array (batch, n_out).

        Returns an array (batch, n_in).  Raises as `reconstruct` does, TypeError for what is no generator.
        """
        decoded = self._decoded(params, array("generate_random_given_z: z", z))
        generator = having("generate_random_given_z: rng", rng, "a generator", "normal", "uniform")
        found: nd.NDArray = self._distribution.sample(decoded, self._last_activation, generator)
        return found

    def reconstruction_log_probability(self, params: State, x: nd.NDArray, n_samples: int, rng: Any) -> nd.NDArray:
        """The mean of log p(x|z) over `n_samples` z that are drawn from q(z|x) with the generator `rng`.

        Small ones are of examples unlike those of the training.  An & Cho 2015, "Variational autoencoder based anomaly
        detection using reconstruction probability".
        Returns an array (batch,).  Raises as `reconstruct` does, TypeError for what is no generator, ValueError for a
        number of samples that is not whole.
        """
        hidden = self._hidden(params, "e", array("reconstruction_log_probability: x", x))
        mean, log_variance = self._mean(params, hidden), self._log_variance(params, hidden)
        n_samples = whole(n_samples, "reconstruction_log_probability: n_samples")
        generator = having("reconstruction_log_probability: rng", rng, "a generator", "normal")
        decoded = self._decoded(params, _drawn(mean, log_variance, n_samples, generator))
        losses = self._distribution.negative_log_likelihood(x, decoded, self._last_activation)
        return nd.sum(nd.mean(losses, axis=0), axis=-1) * -1.0

    def reconstruction_probability(self, params: State, x: nd.NDArray, n_samples: int, rng: Any) -> nd.NDArray:
        """exp(`reconstruction_log_probability`), as in Deeplearning4j.

        Returns an array (batch,).  Raises as `reconstruction_log_probability` does.
        """
        return nd.exp(self.reconstruction_log_probability(params, x, n_samples, rng))


def _dense(name: str, n_in: int, n_out: int, is_pretrained: bool) -> tuple[Parameter, Parameter]:
    return (
        Parameter(f"{name}W", (n_in, n_out), n_in, n_out, is_pretrained=is_pretrained),
        Parameter(f"{name}b", (n_out,), is_bias=True, is_pretrained=is_pretrained),
    )


def _sum(params: State, name: str, x: nd.NDArray) -> nd.NDArray:
    """x @ W + b"""
    return product(x, parameter(params, f"{name}W")) + parameter(params, f"{name}b")


def _drawn(mean: nd.NDArray, log_variance: nd.NDArray, n_samples: int, rng: Any) -> nd.NDArray:
    """Draws from q(z|x), along a new first axis."""
    noise = rng.normal(size=(n_samples, *mean.shape), dtype=mean.dtype, device=mean.device)
    return mean + nd.exp(0.5 * log_variance) * noise
