"""Vertices of graphs of layers."""

from __future__ import annotations

from nd4py import nn

from .activation_writers import features_axis, plus, times
from .attention_writers import attention
from .graph_writer import LAST
from .recurrent_writers import last_step
from .written_layer import Write, Written

ELEMENT_WISE = {"add": "Sum", "average": "Mean", "max": "Max", "min": "Min", "subtract": "Sub"}


def merge(it: Written) -> str:
    return it.writer.node("Concat", *it.inputs, axis=features_axis(it.n_axes))


def element_wise(it: Written) -> str:
    if it.layer.operation != "product":
        return it.writer.node(ELEMENT_WISE[it.layer.operation], *it.inputs)
    first, *others = it.inputs
    for other in others:
        first = it.writer.node("Mul", first, other)
    return first


def subset(it: Written) -> str:
    return it.writer.part(it.x, it.layer.start, it.layer.stop, features_axis(it.n_axes))


def stack(it: Written) -> str:
    return it.writer.node("Concat", *it.inputs, axis=0)


def unstack(it: Written) -> str:
    if it.layer.n_stacked == 1:
        return it.x
    return it.writer.several("Split", it.layer.n_stacked, it.x, axis=0)[it.layer.index]


def scale(it: Written) -> str:
    return times(it.writer, it.x, it.layer.factor)


def shift(it: Written) -> str:
    return plus(it.writer, it.x, it.layer.amount)


def length_of(it: Written, x: str, axes: list[int]) -> str:
    """sqrt(sum of squares + eps) along `axes`"""
    squares = it.writer.node("ReduceSum", it.writer.node("Mul", x, x), it.writer.integers(axes, "axes"), keepdims=1)
    return it.writer.node("Sqrt", plus(it.writer, squares, it.layer.eps))


def distance(it: Written) -> str:
    difference = it.writer.node("Sub", *it.inputs)
    return length_of(it, it.writer.reshaped(difference, 0, -1), [1])


def normalized(it: Written) -> str:
    return it.writer.node("Div", it.x, length_of(it, it.x, list(range(1, it.n_axes))))


def reshape(it: Written) -> str:
    return it.writer.reshaped(it.x, 0, *it.layer.shape)


def preprocessor(it: Written) -> str:
    is_flattened = it.layer.wanted == "feed_forward" and it.n_axes > 3
    return it.writer.reshaped(it.x, 0, -1) if is_flattened else it.x


def pool_helper(it: Written) -> str:
    return it.writer.part(it.writer.part(it.x, 1, LAST, 2), 1, LAST, 3)


def last_time_step(it: Written) -> str:
    return last_step(it, it.x)


def duplicated(it: Written) -> str:
    """Rows, once for each step of the second input."""
    writer = it.writer
    rows = writer.node("Unsqueeze", it.x, writer.integers([1], "axes"))
    one = writer.integers([1])
    shape = writer.node("Concat", one, writer.size(it.inputs[1], 1), one, axis=0)
    return writer.node("Expand", rows, shape)


def reversed_steps(it: Written) -> str:
    return it.writer.backwards(it.x, 1)


def dot_product_attention(it: Written) -> str:
    queries, keys, values = it.inputs[0], it.inputs[1], it.inputs[-1]
    return attention(it.writer, queries, it.writer.transposed(keys, 0, 2, 1), values, it.given[0].n_features)


WRITERS: dict[type, Write] = {
    nn.DotProductAttentionVertex: dot_product_attention,
    nn.DuplicateToTimeSeriesVertex: duplicated,
    nn.ElementWiseVertex: element_wise,
    nn.L2NormalizeVertex: normalized,
    nn.L2Vertex: distance,
    nn.LastTimeStepVertex: last_time_step,
    nn.MergeVertex: merge,
    nn.PoolHelperVertex: pool_helper,
    nn.PreprocessorVertex: preprocessor,
    nn.ReshapeVertex: reshape,
    nn.ReverseTimeSeriesVertex: reversed_steps,
    nn.ScaleVertex: scale,
    nn.ShiftVertex: shift,
    nn.StackVertex: stack,
    nn.SubsetVertex: subset,
    nn.UnstackVertex: unstack,
}
