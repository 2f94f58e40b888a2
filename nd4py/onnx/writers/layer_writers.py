"""The function that writes each kind of layer or vertex, and layers that hold another one."""

from __future__ import annotations

from dataclasses import replace

from nd4py import nn

from . import (
    attention_writers,
    convolution_writers,
    dense_writers,
    normalization_writers,
    pooling_writers,
    recurrent_writers,
    vertex_writers,
)
from .graph_writer import GraphWriter
from .recurrent_writers import joined, last_step, of_direction
from .written_layer import Write, Written


def written(it: Written) -> str:
    """The output of a layer or vertex.  Raises NotImplementedError for one that has no counterpart."""
    write = WRITERS.get(type(it.layer))  # a subclass may compute something else
    if write is None:
        raise NotImplementedError(type(it.layer).__name__)
    return write(it)


def converted(writer: GraphWriter, x: str, came: nn.InputType, seen: nn.InputType) -> str:
    """A batch of the type `came` as a layer sees it."""
    shape = came.shape
    if came.kind == "convolutional_nhwc":
        x, shape = writer.transposed(x, 0, 3, 1, 2), came.dimensions
    return x if shape == seen.shape else writer.reshaped(x, 0, *(size or -1 for size in seen.dimensions))


def frozen(it: Written) -> str:
    return written(replace(it, layer=it.layer.layer))


def last_time_step(it: Written) -> str:
    return last_step(it, frozen(it))


def bidirectional(it: Written) -> str:
    forth = written(of_direction(it, "f", it.x))
    back = written(of_direction(it, "b", it.writer.backwards(it.x, 1)))
    is_sequence = it.layer.layer.output_type(it.given[0]).kind == "recurrent"
    return joined(it, forth, it.writer.backwards(back, 1) if is_sequence else back)


def time_distributed(it: Written) -> str:
    """Each step goes through the layer as an example of its own."""
    size = it.given[0].n_features
    step = it.layer.step_type or nn.InputType.feed_forward(size)
    seen = nn.inputs.preprocess(step, it.layer.layer.wanted_input)
    steps = it.writer.reshaped(it.x, -1, *(n or 1 for n in step.shape))
    inner = replace(it, layer=it.layer.layer, inputs=[converted(it.writer, steps, step, seen)], given=[seen])
    y = it.writer.reshaped(written(inner), -1, int(it.layer.layer.output_type(seen).size))
    sizes = it.writer.node("Shape", it.x, start=0, end=2)
    return it.writer.node("Reshape", y, it.writer.node("Concat", sizes, it.writer.integers([-1]), axis=0))


WRITERS: dict[type, Write] = {
    **attention_writers.WRITERS,
    **convolution_writers.WRITERS,
    **dense_writers.WRITERS,
    **normalization_writers.WRITERS,
    **pooling_writers.WRITERS,
    **recurrent_writers.WRITERS,
    **vertex_writers.WRITERS,
    nn.Bidirectional: bidirectional,
    nn.FrozenLayer: frozen,
    nn.LastTimeStep: last_time_step,
    nn.TimeDistributed: time_distributed,
}
