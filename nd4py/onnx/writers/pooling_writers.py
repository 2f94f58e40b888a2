"""Pooling over windows and over all places."""

from __future__ import annotations

from math import prod

from nd4py import nn

from .activation_writers import times
from .convolution_writers import windows
from .written_layer import Write, Written


def pooled(it: Written, x: str) -> str:
    kind, n = it.layer.pooling_type, prod(it.layer.window.kernel)
    if kind == "max":
        return it.writer.node("MaxPool", x, **windows(it))
    if kind == "avg":
        return it.writer.node("AveragePool", x, count_include_pad=0, **windows(it))
    if kind == "pnorm":
        x = it.writer.node("Pow", it.writer.node("Abs", x), it.writer.constant(it.layer.pnorm))
    sums = times(it.writer, it.writer.node("AveragePool", x, count_include_pad=1, **windows(it)), n)
    return sums if kind == "sum" else root(it, sums)


def root(it: Written, powers: str) -> str:
    return it.writer.node("Pow", powers, it.writer.constant(1 / it.layer.pnorm))


def subsampling(it: Written) -> str:
    return pooled(it, it.x)


def subsampling_of_steps(it: Written) -> str:
    return it.writer.transposed(pooled(it, it.writer.transposed(it.x, 0, 2, 1)), 0, 2, 1)


def global_pooling(it: Written) -> str:
    axes, kind = [1] if it.n_axes == 3 else list(range(2, it.n_axes)), it.layer.pooling_type
    if kind in ("max", "avg"):
        return it.writer.node("ReduceMax" if kind == "max" else "ReduceMean", it.x, axes=axes, keepdims=0)
    x = it.x
    if kind == "pnorm":
        x = it.writer.node("Pow", it.writer.node("Abs", x), it.writer.constant(it.layer.pnorm))
    sums = it.writer.node("ReduceSum", x, it.writer.integers(axes, "axes"), keepdims=0)
    return sums if kind == "sum" else root(it, sums)


WRITERS: dict[type, Write] = {
    nn.GlobalPoolingLayer: global_pooling,
    nn.Subsampling1DLayer: subsampling_of_steps,
    nn.Subsampling3DLayer: subsampling,
    nn.SubsamplingLayer: subsampling,
}
