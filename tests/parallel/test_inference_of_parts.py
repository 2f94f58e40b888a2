"""DaskInference without Dask: parts in this process."""

import numpy as np
import pytest

import nd4py as nd
from nd4py import nn
from nd4py.parallel import DaskInference


def test_parts_of_any_size_have_the_networks_outputs():
    net = nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(4), seed=3)
    parts = [nd.random.Generator(n).normal(size=(n, 4)) for n in (1, 7, 8, 0, 20)]
    for part, got in zip(parts, DaskInference(net, batch_size=8).output(parts), strict=True):
        assert got.shape == (part.shape[0], 2)
        np.testing.assert_allclose(np.asarray(got), np.asarray(net.output(part)), rtol=1e-6)


def test_refuses_what_is_no_network_or_does_not_fit():
    with pytest.raises(TypeError, match="network"):
        DaskInference(3)
    net = nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(4))
    with pytest.raises(ValueError, match="batch_size must be at least 1"):
        DaskInference(net, batch_size=0)
    with pytest.raises(ValueError, match="4"):
        DaskInference(net).output([nd.ones((3, 5))])
