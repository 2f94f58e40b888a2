"""Snapshot: what a network computed when it was taken, for many threads at a time."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import nd4py as nd
from nd4py import nn


def network():
    layers = [nn.DenseLayer(20, activation="relu"), nn.BatchNormalization(), nn.OutputLayer(3)]
    return nn.MultiLayerNetwork(layers, input_type=nn.InputType.feed_forward(5), updater=nn.Adam(1e-2))


def batch(n=4):
    rng = np.random.default_rng(n)
    return rng.standard_normal((n, 5)).astype("float32"), np.eye(3, dtype="float32")[rng.integers(0, 3, n)]


def test_training_on_does_not_change_it():
    net, (x, labels) = network(), batch()
    wanted = net.output(x).tobytes()
    snapshot = nn.Snapshot(net)
    net.fit_batch(x, labels)
    assert net.output(x).tobytes() != wanted
    inputs, masks = snapshot.checked(x)
    for _ in range(5):  # the third one is captured as a graph
        assert snapshot.outputs(inputs, masks)[0].tobytes() == wanted
    assert snapshot.activations(inputs, masks)[-1].tobytes() == wanted
    assert [y.shape for y in snapshot.activations(inputs)] == [(4, 5), (4, 20), (4, 20), (4, 3)]


def test_many_threads_get_the_bits_of_one():
    snapshot = nn.Snapshot(network())
    wanted = {n: snapshot.outputs(snapshot.checked(batch(n)[0])[0])[0].tobytes() for n in range(1, 9)}

    def ask(n):
        return snapshot.outputs(snapshot.checked(batch(n)[0])[0])[0].tobytes()

    with ThreadPoolExecutor(8) as pool:
        sizes = [1 + i % 8 for i in range(400)]
        assert list(pool.map(ask, sizes)) == [wanted[n] for n in sizes]


def test_it_knows_inputs_outputs_and_bytes():
    net = network()
    snapshot = nn.Snapshot(net)
    assert snapshot.input_types == {"input": nn.InputType.feed_forward(5)}
    assert [each.shape for each in snapshot.output_types] == [(3,)]
    assert snapshot.n_bytes == net.params().nbytes
    assert snapshot.working_bytes(10) == 10 * 4 * (20 + 20 + 3)
    assert snapshot.index_inputs == frozenset()
    texts = nn.MultiLayerNetwork(
        [nn.EmbeddingSequenceLayer(n_in=9, n_out=4), nn.RnnOutputLayer(2)], input_type=nn.InputType.recurrent(1)
    )
    assert nn.Snapshot(texts).index_inputs == {0}


def test_what_does_not_fit_is_refused():
    snapshot = nn.Snapshot(network())
    for _ in range(2):
        with pytest.raises(ValueError, match="expects"):
            snapshot.checked(nd.ones((3, 4)))
        assert snapshot.checked(np.ones((3, 5), "float64"))[0][0].dtype == nd.float32
        assert snapshot.checked([nd.ones((3, 5), dtype="float32")])[0][0].shape == (3, 5)
    with pytest.raises(TypeError, match="network"):
        nn.Snapshot(nd.ones(3))
