"""RecurrentAttentionLayer: a recurrent layer whose state asks all steps of the input."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from nd4py import api as nd

from ...activations import activation
from ...inputs import RECURRENT, InputType
from ...parameters import Parameter
from ..calls import there
from ..layer import State, WeightedLayer, checked_outputs
from ..recurrent.recurrent_layer import sequences
from .multi_head_attention import checked_heads
from .projections import in_heads, keys_seen, out_of_heads, projected, projection


@dataclass(frozen=True)
class RecurrentAttentionLayer(WeightedLayer):
    """y_t = activation(x_t W + attention(y_(t-1) Wq, x Wk, x Wv) RW + b): every step asks all steps of the input.

    Deeplearning4j's layer of this name; attention as in Vaswani et al. 2017, https://arxiv.org/abs/1706.03762

    x: (batch, length, n_in)    W: (n_in, n_out)    Wq: (n_out, n_out)    Wk, Wv: (n_in, n_out)    RW: (n_out, n_out)
    b: (n_out,)
    n_out: numbers of a step of the output    n_heads: heads, which divide n_out    activation: a name of `ACTIVATIONS`
    has_bias: whether b is added
    It sees whole sequences, and so carries no state from one part of them to the next.  Where the mask is 0 a step is
    not seen, the output before goes on to the next step, and y is 0.
    Raises ValueError for a setting out of its range or an unknown name.

    >>> [p.name for p in nn.RecurrentAttentionLayer(4, n_heads=2).parameters(nn.InputType.recurrent(3))]
    ['W', 'Wq', 'Wk', 'Wv', 'RW', 'b']
    """

    n_out: int
    n_heads: int = 1
    activation: str = "tanh"
    has_bias: bool = field(default=True, kw_only=True)

    wanted_input: ClassVar[str] = RECURRENT
    needs_whole_sequences: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        checked_outputs(self)
        checked_heads(self.title, self.n_out, self.n_heads)

    def output_type(self, given: InputType) -> InputType:
        return InputType.recurrent(self.n_out, sequences(self.title, given).length)

    def parameters(self, given: InputType) -> tuple[Parameter, ...]:
        n_in, n_out = sequences(self.title, given).n_features, self.n_out
        bias = (Parameter("b", (n_out,), is_bias=True),) if self.has_bias else ()
        return (
            *(projection("W", n_in, n_out), projection("Wq", n_out, n_out)),
            *(projection("Wk", n_in, n_out), projection("Wv", n_in, n_out), projection("RW", n_out, n_out)),
            *bias,
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
    ) -> nd.NDArray:
        x = there(x, mask)
        z = projected(params, "", x)
        k, v = (in_heads(projected(params, letter, x), self.n_heads) for letter in "kv")
        seen, y, found = keys_seen(mask), nd.zeros_like(z[:, 0]), []
        for step in range(x.shape[1]):
            q = in_heads(nd.expand_dims(y @ params["Wq"], 1), self.n_heads)
            asked = out_of_heads(nd.dot_product_attention(q, k, v, mask=seen))[:, 0]
            new = activation(self.activation)(z[:, step] + asked @ params["RW"])
            y = new if mask is None else nd.where(mask[:, step : step + 1] != 0, new, y)
            found.append(y)
        return there(nd.stack(found, axis=1), mask)
