"""Networks compute small batches by a graph, with the bits and the memory of before."""

import copy
from dataclasses import dataclass

import numpy as np
import pytest

import nd4py as nd
from nd4py import nn
from nd4py.examples.lenet import lenet


def batch(n, seed=0, dtype="float32"):
    return nd.asarray(np.random.default_rng(seed).random((n, 784)).astype(dtype))


def plain(network, x):
    """The output without a graph."""
    return network.feed_forward(x)[-1]


@pytest.mark.parametrize("n", [1, 2, 33])
def test_bits_are_those_without_a_graph(n):
    network = lenet()
    for seed in range(6):
        x = batch(n, seed)
        assert network.output(x).tobytes() == plain(network, x).tobytes()
    assert network._graph._graph.n_captures == 1


def test_parameters_that_change_are_seen():
    network = lenet()
    x = batch(1)
    labels = np.eye(10, dtype="float32")[:1]
    for step in range(12):
        outputs = {network.output(x).tobytes() for _ in range(3)}
        assert outputs == {plain(network, x).tobytes()}
        if step % 3 == 0:
            network.fit_batch(x, labels)
        elif step % 3 == 1:
            network.set_params(np.asarray(network.params()) * 1.01)
        else:
            np.asarray(network.params())[...] *= 0.99


def test_large_batches_and_gradients_need_no_graph():
    network = lenet()
    for _ in range(4):
        network.output(batch(100))
    assert network._graph._graph.n_captures == 0
    x = batch(1)
    for _ in range(4):
        network.output(x)
    slope = nd.grad(lambda x: network.output(x).sum())(x)
    assert slope.shape == x.shape


def test_results_lie_in_no_workspace():
    network = lenet()
    with nd.workspace("mine"):
        results = [network.output(batch(1)) for _ in range(5)]
        assert not any(y.is_attached() for y in results)
    assert len({y.tobytes() for y in results}) == 1


def test_copies_have_graphs_of_their_own():
    network = lenet()
    for _ in range(4):
        before = network.output(batch(1)).tobytes()
    twin = copy.deepcopy(network)
    network.set_params(np.asarray(network.params()) * 2)
    for _ in range(4):
        assert twin.output(batch(1)).tobytes() == before


def test_other_peoples_layers_run_each_time():
    calls = []

    @dataclass(frozen=True)
    class Counting(nn.Layer):
        def forward(self, params, x, *, train=False, rng=None):
            calls.append(1)
            return x

    network = nn.MultiLayerNetwork(
        [Counting(), nn.OutputLayer(n_out=2, activation="softmax", loss="mcxent")],
        input_type=nn.InputType.feed_forward(784),
    )
    for _ in range(5):
        network.output(batch(1))
    assert len(calls) == 5


def test_batches_of_another_library_and_dtype():
    network = lenet()
    x = np.random.default_rng(1).random((2, 784))
    for _ in range(5):
        assert network.output(x).tobytes() == plain(network, x).tobytes()


def test_a_function_with_a_network_inside_is_captured():
    network = lenet()
    for n_calls in (0, 4):
        for _ in range(n_calls):
            network.output(batch(1))
        graph = nd.capture(lambda x: network.output(x) * 2)
        for seed in range(3):
            assert graph(batch(1, seed)).tobytes() == (plain(network, batch(1, seed)) * 2).tobytes()


def test_another_choice_of_loops_drops_the_graph():
    network = lenet()
    x = batch(1)
    try:
        for name in [*nd.config()["usable instruction sets"].split(", "), None]:
            nd.select_instruction_set(name)
            for _ in range(4):
                assert network.output(x).tobytes() == plain(network, x).tobytes()
    finally:
        nd.select_instruction_set()


def test_a_network_that_a_helper_computes_has_a_graph_without_it():
    network = nn.MultiLayerNetwork(
        [nn.ConvolutionLayer(n_out=32, kernel_size=3, padding=1),
         nn.OutputLayer(n_out=2, activation="softmax", loss="mcxent")],
        input_type=nn.InputType.convolutional(4, 4, 128),
    )  # fmt: skip
    x = nd.asarray(np.random.default_rng(3).random((1, 128, 4, 4), dtype="float32"))
    wanted = nd.helpers(True)
    try:
        for is_on in (True, False, True):
            nd.helpers(is_on)
            for _ in range(4):
                assert network.output(x).tobytes() == plain(network, x).tobytes()
            assert is_on or network._graph._graph.n_captures == 1
    finally:
        nd.helpers(wanted)
