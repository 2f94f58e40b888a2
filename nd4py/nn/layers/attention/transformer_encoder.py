"""TransformerEncoderLayer: attention and a feed-forward network, each with a residual connection."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from nd4py import api as nd

from ...activations import activation
from ...inputs import RECURRENT, InputType
from ...numbers import real, whole
from ...parameters import Parameter
from ..calls import there
from ..dropout import DropoutLayer
from ..layer import Output, State, WeightedLayer
from ..recurrent.recurrent_layer import sequences
from .multi_head_attention import attended, attention_parameters, checked_heads
from .projections import projected, projection


@dataclass(frozen=True)
class TransformerEncoderLayer(WeightedLayer):
    """One layer of a transformer's encoder: x = norm(x + attention(x)), y = norm(x + f(x W1 + b1) W2 + b2).

    With `norm_first` x = x + attention(norm(x)), y = x + f(norm(x) W1 + b1) W2 + b2.
    Vaswani et al. 2017, https://arxiv.org/abs/1706.03762, section 3.1; norms first, Xiong et al. 2020,
    https://arxiv.org/abs/2002.04745; norm is that of layers, Ba, Kiros & Hinton 2016, https://arxiv.org/abs/1607.06450

    x: (batch, length, n)    Wq, Wk, Wv, Wo: (n, n)    W1: (n, feed_forward_size)    W2: (feed_forward_size, n)
    bq, bk, bv, bo, b1, b2: their biases    gamma1, beta1, gamma2, beta2: (n,), of the norms behind, or before,
    attention and the feed-forward network
    n_heads: heads, which divide n    feed_forward_size: 4 * n if None    activation: f, a name of `ACTIVATIONS`
    norm_first: where the norms are    causal: no step sees those behind it; the layer then carries state, see
    `MultiHeadAttention`
    dropout_rate: the share that is dropped, while it trains, of what attention gives, of f(...) and of what the
    feed-forward network gives; of the weights of attention none is    epsilon: added to variances
    Steps whose mask is 0 are not seen, and give 0.
    Raises ValueError for a setting out of its range or an unknown name.

    >>> layer = nn.TransformerEncoderLayer(2, feed_forward_size=16)
    >>> sum(nd.ones(p.shape).size for p in layer.parameters(nn.InputType.recurrent(8)))
    600
    """

    n_heads: int
    feed_forward_size: int | None = None
    activation: str = "relu"
    norm_first: bool = field(default=False, kw_only=True)
    causal: bool = field(default=False, kw_only=True)
    dropout_rate: float = field(default=0.0, kw_only=True)
    epsilon: float = field(default=1e-5, kw_only=True)

    wanted_input: ClassVar[str] = RECURRENT

    def __post_init__(self) -> None:
        super().__post_init__()
        whole(self.n_heads, f"{self.title}: n_heads")
        if self.feed_forward_size is not None:
            whole(self.feed_forward_size, f"{self.title}: feed_forward_size")
        activation(self.activation)
        real(self.epsilon, f"{self.title}: epsilon", low=0.0)
        DropoutLayer(self.dropout_rate, name=self.title)
        object.__setattr__(self, "is_recurrent", bool(self.causal))
        object.__setattr__(self, "needs_whole_sequences", not self.causal)

    def output_type(self, given: InputType) -> InputType:
        checked_heads(self.title, sequences(self.title, given).n_features, self.n_heads)
        return given

    def parameters(self, given: InputType) -> tuple[Parameter, ...]:
        n = self.output_type(given).n_features
        size = self.feed_forward_size or 4 * n
        norms = [
            Parameter(name + number, (n,), is_bias=True, initial=1.0 if name == "gamma" else 0.0)
            for number in "12"
            for name in ("gamma", "beta")
        ]
        return (
            *attention_parameters(n, n, True),
            *(projection("W1", n, size), projection("W2", size, n)),
            *(Parameter("b1", (size,), is_bias=True), Parameter("b2", (n,), is_bias=True)),
            *norms,
        )

    def forward(
        self,
        params: Mapping[str, nd.NDArray],
        x: nd.NDArray,
        *,
        train: bool = False,
        rng: Any = None,
        mask: nd.NDArray | None = None,
        state: State | None = None,
    ) -> Output:
        def dropped(y: nd.NDArray) -> nd.NDArray:
            return DropoutLayer(self.dropout_rate).forward({}, y, train=train, rng=rng)

        def normed(y: nd.NDArray, number: str) -> nd.NDArray:
            return nd.layer_norm(y, params["gamma" + number], params["beta" + number], epsilon=self.epsilon)

        def fed_forward(y: nd.NDArray) -> nd.NDArray:
            hidden = activation(self.activation)(projected(params, "1", y))
            return dropped(projected(params, "2", dropped(hidden)))

        x = there(x, mask)
        seen = normed(x, "1") if self.norm_first else x
        heads, new = attended(params, seen, self.n_heads, mask, self.causal, state)
        x = x + dropped(heads)
        if self.norm_first:
            y = x + fed_forward(normed(x, "2"))
        else:
            x = normed(x, "1")
            y = normed(x + fed_forward(x), "2")
        y = there(y, mask)
        return (y, new) if self.causal else y
