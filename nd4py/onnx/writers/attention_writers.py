"""Attention, encoders made of it, and positions."""

from __future__ import annotations

from math import inf

import numpy
from onnx import numpy_helper

from nd4py import api as nd
from nd4py import nn

from .activation_writers import activated, times
from .graph_writer import GraphWriter
from .written_layer import Write, Written


def projected(it: Written, names: str, x: str) -> str:
    """x @ W + b with the parameters of these names."""
    y = it.writer.node("MatMul", x, it.weight("W" + names))
    return it.writer.node("Add", y, it.weight("b" + names)) if "b" + names in it.params else y


def in_heads(writer: GraphWriter, x: str, n_heads: int) -> str:
    """(batch, length, size) as (batch, heads, length, size of one)."""
    return writer.transposed(writer.reshaped(x, 0, 0, n_heads, -1), 0, 2, 1, 3)


def out_of_heads(writer: GraphWriter, y: str) -> str:
    return writer.reshaped(writer.transposed(y, 0, 2, 1, 3), 0, 0, -1)


def attention(writer: GraphWriter, q: str, k: str, v: str, size: int, *, causal: bool = False) -> str:
    """softmax(q @ k.mT / sqrt(size)) @ v, over the last two of four axes, or of three"""
    scores = times(writer, writer.node("MatMul", q, k), size**-0.5)
    if causal:
        hidden = numpy_helper.from_array(numpy.full(1, -inf, dtype=writer.dtype))
        rows = writer.node("ConstantOfShape", writer.node("Shape", scores, start=-2), value=hidden)
        scores = writer.node("Add", scores, writer.node("Trilu", rows, writer.integers(1), upper=1))
    return writer.node("MatMul", writer.node("Softmax", scores, axis=-1), v)


def heads_of(it: Written, queries: str, x: str, n_heads: int, *, causal: bool = False) -> str:
    """Attention of `queries` to x, all (batch, length, numbers), with the weights q, k, v and o."""
    writer = it.writer
    size = it.params["Wq"].shape[1] // n_heads
    q = in_heads(writer, projected(it, "q", queries), n_heads)
    k = writer.transposed(writer.reshaped(projected(it, "k", x), 0, 0, n_heads, -1), 0, 2, 3, 1)
    v = in_heads(writer, projected(it, "v", x), n_heads)
    return projected(it, "o", out_of_heads(writer, attention(writer, q, k, v, size, causal=causal)))


def multi_head(it: Written) -> str:
    return heads_of(it, it.x, it.x, it.layer.n_heads, causal=it.layer.causal)


def self_attention(it: Written) -> str:
    return attention_to_steps(it, it.x)


def learned_attention(it: Written) -> str:
    return attention_to_steps(it, it.writer.constant(it.params["Q"][None], "Q"))


def attention_to_steps(it: Written, queries: str) -> str:
    if it.layer.project_input:
        return heads_of(it, queries, it.x, it.layer.n_heads)
    keys = it.writer.transposed(it.x, 0, 2, 1)
    return attention(it.writer, queries, keys, it.x, it.given[0].n_features)


def encoder(it: Written) -> str:
    writer, layer = it.writer, it.layer

    def normed(y: str, number: str) -> str:
        weights = it.weight("gamma" + number), it.weight("beta" + number)
        return writer.node("LayerNormalization", y, *weights, axis=-1, epsilon=layer.epsilon)

    def fed_forward(y: str) -> str:
        return projected(it, "2", activated(writer, layer.activation, projected(it, "1", y), 3))

    seen = normed(it.x, "1") if layer.norm_first else it.x
    heads = heads_of(it, seen, seen, layer.n_heads, causal=layer.causal)
    x = writer.node("Add", it.x, heads)
    if layer.norm_first:
        return writer.node("Add", x, fed_forward(normed(x, "2")))
    x = normed(x, "1")
    return normed(writer.node("Add", x, fed_forward(x)), "2")


def position_embedding(it: Written) -> str:
    writer = it.writer
    ends = writer.size(it.x, 1)
    rows = writer.node("Slice", it.weight("W"), writer.integers([0]), ends, writer.integers([0]))
    return writer.node("Add", it.x, rows)


def position_encoding(it: Written) -> str:
    """Raises NotImplementedError for sequences of any length: the encodings are written to the file."""
    length = it.given[0].length
    if length is None:
        raise NotImplementedError("positions of sequences of any length; give InputType.recurrent a length")
    zeros = nd.zeros((1, length, it.given[0].n_features), dtype=str(it.writer.dtype))
    rows, _ = it.layer.forward({}, zeros)
    return it.writer.node("Add", it.x, it.writer.constant(numpy.asarray(rows)))


WRITERS: dict[type, Write] = {
    nn.LearnedSelfAttentionLayer: learned_attention,
    nn.MultiHeadAttention: multi_head,
    nn.PositionEmbeddingLayer: position_embedding,
    nn.PositionEncodingLayer: position_encoding,
    nn.SelfAttentionLayer: self_attention,
    nn.TransformerEncoderLayer: encoder,
}
