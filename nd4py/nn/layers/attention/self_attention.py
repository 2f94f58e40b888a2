"""Self-attention as Deeplearning4j has it: of the steps to each other, or to learned queries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from nd4py import api as nd

from ...inputs import RECURRENT, InputType
from ...numbers import whole
from ...parameters import Parameter
from ..calls import there
from ..layer import State, WeightedLayer
from ..recurrent.recurrent_layer import sequences
from .projections import in_heads, keys_seen, out_of_heads, projected, projection


@dataclass(frozen=True)
class SelfAttentionLayer(WeightedLayer):
    """y = attention(x Wq, x Wk, x Wv) Wo, in `n_heads` heads; or attention(x, x, x), without weights.

    Vaswani et al. 2017, https://arxiv.org/abs/1706.03762, section 3.2

    x: (batch, length, n_in)    Wq, Wk, Wv: (n_in, n_heads * head_size)    Wo: (n_heads * head_size, n_out)
    n_out: numbers of a step of the output; n_in if None, which `project_input` false leaves it at
    head_size: numbers of a head; n_out / n_heads if None, which must be whole
    project_input: false for one head of the steps as they are
    Steps whose mask is 0 are not seen, and give 0.
    Raises ValueError for a setting out of its range or an unknown name.

    >>> layer = nn.SelfAttentionLayer(project_input=False)
    >>> nd.round(layer.forward({}, nd.asarray([[[0.0, 9.0], [9.0, 0.0]]])), 4)
    array([[[0., 9.],
            [9., 0.]]], dtype=float64)
    """

    n_out: int | None = None
    n_heads: int = 1
    head_size: int | None = None
    project_input: bool = field(default=True, kw_only=True)

    wanted_input: ClassVar[str] = RECURRENT
    needs_whole_sequences: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        whole(self.n_heads, f"{self.title}: n_heads")
        for what in ("n_out", "head_size"):
            if (number := getattr(self, what)) is not None:
                whole(number, f"{self.title}: {what}")
        if not self.project_input and (self.n_out, self.n_heads, self.head_size) != (None, 1, None):
            raise ValueError(
                f"{self.title}: without project_input there is one head of the size of the steps; "
                "leave n_out, n_heads and head_size out"
            )

    def _sizes(self, n_in: int) -> tuple[int, int]:
        """The numbers of all heads, and of a step of the output.  Raises ValueError where heads do not divide these."""
        n_out = self.n_out or n_in
        if self.head_size is None and n_out % self.n_heads:
            raise ValueError(f"{self.title}: n_heads must divide {n_out}, the outputs, given {self.n_heads}")
        return (self.head_size or n_out // self.n_heads) * self.n_heads, n_out

    def output_type(self, given: InputType) -> InputType:
        return InputType.recurrent(self._sizes(sequences(self.title, given).n_features)[1], given.length)

    def parameters(self, given: InputType) -> tuple[Parameter, ...]:
        n_in = sequences(self.title, given).n_features
        if not self.project_input:
            return ()
        size, n_out = self._sizes(n_in)
        return (*(projection(f"W{letter}", n_in, size) for letter in "qkv"), projection("Wo", size, n_out))

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
        return there(attention_of(self, params, x, x, mask), mask)


@dataclass(frozen=True)
class LearnedSelfAttentionLayer(SelfAttentionLayer):
    """y = attention(Q Wq, x Wk, x Wv) Wo with learned queries Q: sequences of any length become `n_queries` steps.

    Q: (n_queries, n_in)    n_queries: steps of the output, which has no mask    The rest is that of
    `SelfAttentionLayer`: n_out, n_heads, head_size, project_input.
    Raises ValueError for a setting out of its range or an unknown name.

    >>> layer = nn.LearnedSelfAttentionLayer(4, n_queries=2)
    >>> layer.output_type(nn.InputType.recurrent(6)).shape
    (2, 4)
    """

    n_queries: int = field(default=1, kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        whole(self.n_queries, f"{self.title}: n_queries")

    def output_type(self, given: InputType) -> InputType:
        return InputType.recurrent(super().output_type(given).n_features, self.n_queries)

    def output_mask(self, mask: nd.NDArray | None, given: InputType) -> nd.NDArray | None:
        return None

    def parameters(self, given: InputType) -> tuple[Parameter, ...]:
        n_in = sequences(self.title, given).n_features
        return (*super().parameters(given), Parameter("Q", (self.n_queries, n_in), n_in, self.n_queries))

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
        queries = nd.broadcast_to(params["Q"], (x.shape[0], *params["Q"].shape))
        return attention_of(self, params, queries, x, mask)


def attention_of(
    layer: SelfAttentionLayer, params: Any, queries: nd.NDArray, x: nd.NDArray, mask: nd.NDArray | None
) -> nd.NDArray:
    """Attention of `queries` to the steps of x, with or without weights."""
    if not layer.project_input:
        heads = [in_heads(each, 1) for each in (queries, x, x)]
        return out_of_heads(nd.dot_product_attention(*heads, mask=keys_seen(mask)))
    given = zip("qkv", (queries, x, x), strict=True)
    heads = [in_heads(projected(params, letter, each), layer.n_heads) for letter, each in given]
    return projected(params, "o", out_of_heads(nd.dot_product_attention(*heads, mask=keys_seen(mask))))
