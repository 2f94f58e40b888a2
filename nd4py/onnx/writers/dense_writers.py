"""Layers of elements and rows: dense ones, embeddings, activations, and those that only act in training."""

from __future__ import annotations

from nd4py import nn

from .activation_writers import activated
from .written_layer import Write, Written


def dense(it: Written) -> str:
    y = it.writer.node("MatMul", it.x, it.weight("W"))
    if it.layer.has_bias:
        y = it.writer.node("Add", y, it.weight("b"))
    return activated(it.writer, it.layer.activation, y, it.n_axes)


def activation(it: Written) -> str:
    return activated(it.writer, it.layer.activation, it.x, it.n_axes)


def unchanged(it: Written) -> str:
    return it.x


def scaled(it: Written) -> str:
    y = it.writer.node("Add", it.writer.node("Mul", it.x, it.weight("W")), it.weight("b"))
    return activated(it.writer, it.layer.activation, y, it.n_axes)


def parametric_relu(it: Written) -> str:
    return it.writer.node("PRelu", it.x, it.weight("W"))


def embedded(it: Written, sizes: tuple[int, ...], n_axes: int) -> str:
    numbers = it.writer.node("Cast", it.writer.reshaped(it.x, *sizes), to=7)  # int64
    y = it.writer.node("Gather", it.weight("W"), numbers, axis=0)
    if it.layer.has_bias:
        y = it.writer.node("Add", y, it.weight("b"))
    return activated(it.writer, it.layer.activation, y, n_axes)


def embedding(it: Written) -> str:
    return embedded(it, (-1,), 2)


def embedding_of_sequences(it: Written) -> str:
    return embedded(it, (0, -1), 3)


WRITERS: dict[type, Write] = {
    nn.ActivationLayer: activation,
    nn.CenterLossOutputLayer: dense,
    nn.CnnLossLayer: activation,
    nn.DenseLayer: dense,
    nn.DropoutLayer: unchanged,
    nn.ElementWiseMultiplicationLayer: scaled,
    nn.EmbeddingLayer: embedding,
    nn.EmbeddingSequenceLayer: embedding_of_sequences,
    nn.LossLayer: activation,
    nn.MaskLayer: unchanged,
    nn.OutputLayer: dense,
    nn.PReLULayer: parametric_relu,
    nn.RnnLossLayer: activation,
    nn.RnnOutputLayer: dense,
}
