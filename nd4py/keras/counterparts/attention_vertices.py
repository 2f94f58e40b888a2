"""Attention of queries to keys and values that may be of other sequences."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from nd4py import api as nd
from nd4py.nn import InputType, Parameter, Vertex
from nd4py.nn.layers.attention.projections import in_heads, out_of_heads, projected, projection
from nd4py.nn.regularization.dropouts import with_noise

from .axis_vertices import type_of_shape

Mask = nd.NDArray | None
LOWEST = {2: -3e4, 4: -1e30, 8: -1e30}  # the score of a key that is not seen, by the bytes of a number


def seen_keys(keys: Mask, n_queries: int, n_keys: int, is_causal: bool, like: nd.NDArray) -> Mask:
    """(batch or 1, queries, keys), true where a query sees a key, None where every query sees all of them."""
    seen = None if keys is None else nd.expand_dims(keys != 0, axis=1)
    if not is_causal:
        return seen
    rows = nd.expand_dims(nd.arange(n_queries, device=like.device), axis=1)
    before = nd.expand_dims(nd.arange(n_keys, device=like.device) <= rows, axis=0)
    return before if seen is None else nd.logical_and(seen, before)


def weighted(scores: nd.NDArray, values: nd.NDArray, seen: Mask, dropout: float, rng: Any) -> nd.NDArray:
    """softmax(scores) @ values, of what is seen; dropout of the weights where `rng` is given."""
    if seen is not None:
        scores = nd.where(seen, scores, LOWEST[scores.dtype.itemsize])
    weights = nd.softmax(scores, axis=-1)
    return nd.matmul(weights if rng is None or not dropout else with_noise(dropout, weights, rng), values)


@dataclass(frozen=True)
class HeadsVertex(Vertex):
    """attention(q Wq + bq, k Wk + bk, v Wv + bv) Wo + bo in heads.  It reads queries, values and, if they differ, keys.

    n_heads, key_size, value_size: how many heads, and the numbers of a key and of a value in each
    n_key_heads: how many heads of keys and values there are, each for as many of queries; 0 for as many as `n_heads`
    n_out: numbers of a step of the output    causal: no query sees a key behind its own step
    has_bias: whether biases are added    dropout: of the weights while it trains
    is_kept: whether training leaves the parameters as they are
    has_pairs: whether the last input is no sequence but says which query sees which key, (batch, queries, keys)
    has_gate: whether what the heads found is multiplied by sigmoid(q Wg + bg)
    part: what is made: the "steps", or the "weights" of the keys, (batch, heads, queries, keys)
    Padded queries see all keys alike, as in Keras; a mask of them is handed on.

    >>> from nd4py.keras.counterparts.attention_vertices import HeadsVertex
    >>> q, v = nn.InputType.recurrent(4, 5), nn.InputType.recurrent(6, 7)
    >>> HeadsVertex(2, 3, 3, 8).output_type(q, v).shape
    (5, 8)
    """

    n_heads: int
    key_size: int
    value_size: int
    n_out: int
    causal: bool = False
    has_bias: bool = True
    dropout: float = 0.0
    is_kept: bool = False
    n_key_heads: int = 0
    has_pairs: bool = False
    part: str = "steps"
    has_gate: bool = False

    fewest: ClassVar[int] = 2
    most: ClassVar[int | None] = 4

    def __post_init__(self) -> None:
        if self.part not in ("steps", "weights"):
            raise ValueError(f"{self.title}: part must be steps or weights, given {self.part!r}")
        if self.n_key_heads and self.n_heads % self.n_key_heads:
            raise ValueError(f"{self.title}: {self.n_key_heads} heads of keys do not divide {self.n_heads} of queries")

    @property
    def is_frozen(self) -> bool:
        return self.is_kept

    def output_type(self, *given: InputType) -> InputType:
        if any(each.kind != "recurrent" for each in self._types(given)):
            raise ValueError(f"{self.title}: sequences are needed, given {' and '.join(map(str, given))}")
        if self.part == "weights":
            return type_of_shape((self.n_heads, given[0].length, given[1].length))
        return InputType.recurrent(self.n_out, given[0].length)

    def parameters(self, *given: InputType) -> tuple[Parameter, ...]:
        n_key_heads = self.n_key_heads or self.n_heads
        keys, values = n_key_heads * self.key_size, n_key_heads * self.value_size
        sizes = {
            "q": (given[0].n_features, self.n_heads * self.key_size),
            "k": (given[: len(given) - self.has_pairs][-1].n_features, keys),
            "v": (given[1].n_features, values),
            "o": (self.n_heads * self.value_size, self.n_out),
        }
        if self.has_gate:
            sizes["g"] = (given[0].n_features, self.n_heads * self.value_size)
        weights = [projection(f"W{letter}", *size) for letter, size in sizes.items()]
        biases = [Parameter(f"b{letter}", size[1:], is_bias=True) for letter, size in sizes.items()]
        return (*weights, *(biases if self.has_bias else ()))

    def forward(
        self,
        params: Mapping[str, nd.NDArray],
        inputs: Sequence[nd.NDArray],
        *,
        masks: Sequence[Mask] | None = None,
        train: bool = False,
        rng: Any = None,
    ) -> nd.NDArray:
        given, known = list(self._operands(inputs)), self._masks(masks)
        pairs = given.pop() if self.has_pairs else None
        q = in_heads(projected(params, "q", given[0]), self.n_heads)
        n_key_heads = self.n_key_heads or self.n_heads
        k = in_heads(projected(params, "k", given[-1]), n_key_heads)
        v = in_heads(projected(params, "v", given[1]), n_key_heads)
        if n_key_heads < self.n_heads:
            k, v = (nd.repeat(each, self.n_heads // n_key_heads, axis=1) for each in (k, v))
        keys = known[1] if len(given) < 3 or known[2] is None else known[2]
        seen = seen_keys(keys, q.shape[2], k.shape[2], self.causal, q)
        if known[0] is not None:
            there = nd.expand_dims(known[0] != 0, axis=-1)
            q = nd.where(nd.expand_dims(there, axis=1), q, 0.0)
            seen = None if seen is None else nd.logical_or(seen, nd.logical_not(there))
        if pairs is not None:
            seen = pairs != 0 if seen is None else nd.logical_and(seen, pairs != 0)
        seen = None if seen is None else nd.expand_dims(seen, axis=1)
        if self.part == "weights":
            scores = nd.matmul(q, nd.matrix_transpose(k)) / math.sqrt(self.key_size)
            return nd.softmax(
                scores if seen is None else nd.where(seen, scores, LOWEST[scores.dtype.itemsize]), axis=-1
            )
        if train and self.dropout:
            scores = nd.matmul(q, nd.matrix_transpose(k)) / math.sqrt(self.key_size)
            y = weighted(scores, v, seen, self.dropout, rng)
        else:
            y = nd.dot_product_attention(q, k, v, mask=seen)
        found = out_of_heads(y)
        if self.has_gate:
            found = found * nd.sigmoid(projected(params, "g", given[0]))
        return projected(params, "o", found)


@dataclass(frozen=True)
class ScoredAttentionVertex(Vertex):
    """softmax(scores) v.  It reads queries, values and, if they differ, keys: sequences of steps of one size.

    kind: "dot", scores q k^T times a number `scale`; "additive", the sum of scale * tanh(q + k), `scale` a number for
        each feature
    has_scale: whether there is a parameter `scale`, otherwise 1    causal, dropout, is_kept: as for `HeadsVertex`
    Steps of padded queries are 0.

    >>> from nd4py.keras.counterparts.attention_vertices import ScoredAttentionVertex
    >>> q, v = nd.ones((1, 2, 3)), nd.ones((1, 4, 3))
    >>> ScoredAttentionVertex("dot").forward({}, [q, v]).shape
    (1, 2, 3)
    """

    kind: str
    has_scale: bool = False
    causal: bool = False
    dropout: float = 0.0
    is_kept: bool = False

    fewest: ClassVar[int] = 2
    most: ClassVar[int | None] = 3

    @property
    def is_frozen(self) -> bool:
        return self.is_kept

    def output_type(self, *given: InputType) -> InputType:
        types = self._types(given)
        if any(each.kind != "recurrent" for each in types) or types[0].n_features != types[-1].n_features:
            raise ValueError(f"{self.title}: sequences of one size are needed, given {' and '.join(map(str, given))}")
        return InputType.recurrent(types[1].n_features, types[0].length)

    def parameters(self, *given: InputType) -> tuple[Parameter, ...]:
        shape = () if self.kind == "dot" else (given[0].n_features,)
        return (Parameter("scale", shape, is_bias=True, initial=1.0),) if self.has_scale else ()

    def forward(
        self,
        params: Mapping[str, nd.NDArray],
        inputs: Sequence[nd.NDArray],
        *,
        masks: Sequence[Mask] | None = None,
        train: bool = False,
        rng: Any = None,
    ) -> nd.NDArray:
        given, known = self._operands(inputs), self._masks(masks)
        q, v, k = given[0], given[1], given[-1]
        seen = seen_keys(known[1], q.shape[1], k.shape[1], self.causal, q)
        if self.kind == "dot":
            scores = nd.matmul(q * params["scale"] if self.has_scale else q, nd.matrix_transpose(k))
        else:
            sums = nd.tanh(nd.expand_dims(q, axis=2) + nd.expand_dims(k, axis=1))
            scores = nd.sum(sums * params["scale"] if self.has_scale else sums, axis=-1)
        y = weighted(scores, v, seen, self.dropout if train else 0.0, rng)
        return y if known[0] is None else nd.where(nd.expand_dims(known[0] != 0, axis=-1), y, 0.0)
