"""Outputs of layers that nobody reads any more are let go within a step, and kept where a listener wants them."""

import numpy as np
import pytest

import nd4py as nd
from nd4py import data, nn

N, SIZE, N_BLOCKS = 256, 512, 4
ARRAY_BYTES = N * SIZE * 4


class Watcher:
    """A listener that wants the output of every layer."""

    def on_forward_pass(self, network, activations):
        self.seen = {name: np.array(value) for name, value in activations.items()}


def stack():
    blocks = [[nn.BatchNormalization(), nn.ActivationLayer("relu")] for _ in range(N_BLOCKS)]
    return nn.MultiLayerNetwork(
        [*(layer for block in blocks for layer in block), nn.OutputLayer(3)],
        input_type=nn.InputType.feed_forward(SIZE),
        updater=nn.Sgd(0.1),
        workspace_mode="none",
        seed=3,
    )


def graph():
    vertices, before = {}, "x"
    for i in range(N_BLOCKS):
        vertices[f"normed {i}"] = (nn.BatchNormalization(), before)
        vertices[f"active {i}"] = (nn.ActivationLayer("relu"), f"normed {i}")
        before = f"active {i}"
    return nn.ComputationGraph(
        {"x": nn.InputType.feed_forward(SIZE)},
        {**vertices, "out": (nn.OutputLayer(3), before)},
        outputs=("out",),
        updater=nn.Sgd(0.1),
        workspace_mode="none",
        seed=3,
    )


def examples():
    rng = np.random.default_rng(1)
    x = nd.array(rng.normal(size=(N, SIZE)).astype("float32"))
    return data.DataSet(x, nd.one_hot(nd.asarray(rng.integers(0, 3, N)), 3, dtype="float32"))


def peak_of_a_step(network, batch):
    """Bytes that a step has at most, above those before it."""
    before = nd.memory.stats().live_bytes
    nd.memory.reset_peak()
    network.fit(batch)
    return nd.memory.stats().peak_live_bytes - before


@pytest.mark.parametrize("make", [stack, graph])
def test_outputs_that_nobody_reads_take_no_memory(make):
    batch, plain, watched, watcher = examples(), make(), make(), Watcher()
    watched.set_listeners(watcher)
    for network in (plain, watched):
        network.fit(batch)
    peaks = [peak_of_a_step(network, batch) for network in (plain, watched)]
    assert peaks[0] + (N_BLOCKS - 1) * ARRAY_BYTES <= peaks[1]  # the normalized ones, but for the last at most
    assert np.array_equal(plain.params(), watched.params())
    assert len(watcher.seen) == 2 * N_BLOCKS + 1


@pytest.mark.parametrize("make", [stack, graph])
def test_an_output_is_the_same_where_all_are_asked_for(make):
    network, x = make(), examples().features
    found = network.feed_forward(x)
    last = list(found.values())[-1] if isinstance(found, dict) else found[-1]
    assert np.array_equal(network.output(x), last)
