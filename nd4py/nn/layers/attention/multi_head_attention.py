"""Attention of the steps of a sequence to each other, in several heads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from nd4py import api as nd

from ...inputs import RECURRENT, InputType
from ...numbers import whole
from ...parameters import Parameter
from ..calls import there
from ..layer import Output, State, WeightedLayer
from ..recurrent.recurrent_layer import before, sequences
from .projections import in_heads, keys_seen, out_of_heads, projected, projection


@dataclass(frozen=True)
class MultiHeadAttention(WeightedLayer):
    """y = attention(x Wq + bq, x Wk + bk, x Wv + bv) Wo + bo, in `n_heads` heads of n_out / n_heads numbers each.

    Vaswani et al. 2017, https://arxiv.org/abs/1706.03762, section 3.2.2; see `nd4py.dot_product_attention`, which never
    makes a matrix of all pairs of steps.

    x: (batch, length, n_in)    Wq, Wk, Wv: (n_in, n_out)    Wo: (n_out, n_out)    bq, bk, bv, bo: (n_out,)
    n_out: numbers of a step of the output, which `n_heads` divides
    causal: no step sees those behind it.  The layer then carries its keys and values as state, {"k": (batch, n_heads,
    steps so far, size), "v": ..., "there": (batch, steps so far)}: steps one by one give what the whole sequence does
    has_bias: whether biases are added
    Steps whose mask is 0 are not seen, and give 0.
    Raises ValueError for a setting out of its range or an unknown name.

    >>> layer = nn.MultiHeadAttention(4, n_heads=2)
    >>> layer.output_type(nn.InputType.recurrent(6, length=10)).shape
    (10, 4)
    """

    n_out: int
    n_heads: int = 1
    causal: bool = field(default=False, kw_only=True)
    has_bias: bool = field(default=True, kw_only=True)

    wanted_input: ClassVar[str] = RECURRENT

    def __post_init__(self) -> None:
        super().__post_init__()
        checked_heads(self.title, self.n_out, self.n_heads)
        object.__setattr__(self, "is_recurrent", bool(self.causal))
        object.__setattr__(self, "needs_whole_sequences", not self.causal)

    def output_type(self, given: InputType) -> InputType:
        return InputType.recurrent(self.n_out, sequences(self.title, given).length)

    def parameters(self, given: InputType) -> tuple[Parameter, ...]:
        return attention_parameters(sequences(self.title, given).n_features, self.n_out, self.has_bias)

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
        y, new = attended(params, x, self.n_heads, mask, self.causal, state)
        return (y, new) if self.causal else y


def checked_heads(title: str, size: Any, n_heads: Any) -> None:
    """Raises ValueError unless both are whole numbers of which the second divides the first."""
    if whole(size, f"{title}: n_out, the number of outputs,") % whole(n_heads, f"{title}: n_heads"):
        raise ValueError(f"{title}: n_heads must divide {size}, the numbers of a step, given {n_heads}")


def attention_parameters(n_in: int, n_out: int, has_bias: bool) -> tuple[Parameter, ...]:
    """Wq, Wk, Wv, Wo and their biases."""
    weights = [projection(f"W{letter}", n_in if letter != "o" else n_out, n_out) for letter in "qkvo"]
    biases = [Parameter(f"b{letter}", (n_out,), is_bias=True) for letter in "qkvo"] if has_bias else []
    return (*weights, *biases)


def behind(state: State | None, name: str, new: nd.NDArray, axis: int) -> nd.NDArray:
    """What a state has of the steps before, with that of new steps behind it."""
    known = before(state, name)
    return new if known is None else nd.concat([known, new], axis=axis)


def attended(
    params: Any, x: nd.NDArray, n_heads: int, mask: nd.NDArray | None, causal: bool, state: State | None
) -> tuple[nd.NDArray, dict[str, nd.NDArray]]:
    """The output of the layer, and its keys and values, those of the state before among them."""
    x = there(x, mask)
    q, k, v = (in_heads(projected(params, letter, x), n_heads) for letter in "qkv")
    seen = nd.ones(x.shape[:2], dtype=x.dtype, device=x.device) if mask is None else mask
    k, v, seen = behind(state, "k", k, 2), behind(state, "v", v, 2), behind(state, "there", seen, 1)
    is_masked = mask is not None or state is not None
    y = nd.dot_product_attention(q, k, v, mask=keys_seen(seen) if is_masked else None, causal=causal)
    y = projected(params, "o", out_of_heads(y))
    return there(y, mask), {"k": k, "v": v, "there": seen}
