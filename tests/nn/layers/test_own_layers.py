"""Layers that a program writes for itself: what their `forward` need not take, and what is said of mistakes."""

from dataclasses import dataclass

import numpy as np
import pytest

import nd4py as nd
from nd4py import nn

X, Y = np.random.default_rng(2).normal(size=(8, 4)), np.eye(2)[[0, 1] * 4]


@dataclass(frozen=True)
class Plain(nn.Layer):
    def forward(self, params, x):
        return x * 2.0


@dataclass(frozen=True)
class WhileTraining(nn.Layer):
    def forward(self, params, x, train):
        return x * (3.0 if train else 2.0)


@dataclass(frozen=True)
class Random(nn.Layer):
    def forward(self, params, x, *, rng=None):
        assert rng is None or hasattr(rng, "normal")
        return x * 2.0


@dataclass(frozen=True)
class AnotherName(nn.Layer):
    def forward(self, params, x, *, training=False):
        return x * 2.0


class NoFields(nn.Layer):
    def __init__(self, factor):
        self.factor = factor

    def forward(self, params, x, **keywords):
        return x * self.factor


def network(layer):
    return nn.MultiLayerNetwork([layer, nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(4), dtype="float64")


@pytest.mark.parametrize("kind", [Plain, WhileTraining, Random])
def test_forward_takes_what_it_needs(kind):
    net = network(kind())
    doubled = nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(4), dtype="float64")
    doubled.set_params(net.params())
    assert nd.allclose(net.output(X), doubled.output(X * 2.0))
    factor = 3.0 if kind is WhileTraining else 2.0
    assert abs(net.fit_batch(X, Y) - doubled.score((X * factor, Y))) < 1e-12


def test_another_name_for_what_forward_is_told_is_refused():
    with pytest.raises(TypeError, match="unexpected keyword argument 'train'"):
        network(AnotherName()).output(X)


def test_a_layer_that_is_no_dataclass_is_told_what_to_write():
    with pytest.raises(TypeError, match=r"layers\[0\]: NoFields has no '\w+', .* has @dataclass\(frozen=True\) above"):
        network(NoFields(2.0))


def test_gradient_check_takes_labels_beside_features():
    assert nn.gradient_check(network(Plain()), X, Y)
    assert nn.gradient_check(network(Plain()), (X, Y))
