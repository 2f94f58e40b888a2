"""`ParallelInference` with `layers=`: outputs of layers in every mode, their bits in batches, and what is refused."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import nd4py as nd
from nd4py import nn, parallel

RNG = np.random.default_rng(8)
ROWS, STEPS = nn.InputType.feed_forward, nn.InputType.recurrent


def stack():
    layers = [nn.DenseLayer(7, "tanh", name="hidden"), nn.ActivationLayer("identity"), nn.OutputLayer(3)]
    return nn.MultiLayerNetwork(layers, input_type=ROWS(5), seed=2)


def recurrent():
    layers = [nn.LSTM(4), nn.LastTimeStep(nn.GRU(3)), nn.OutputLayer(2)]
    return nn.MultiLayerNetwork(layers, input_type=STEPS(5), seed=2)


def graph():
    vertices = {
        "left": (nn.DenseLayer(4, "relu"), "a"),
        "right": (nn.DenseLayer(4, "tanh"), "b"),
        "both": (nn.ElementWiseVertex("add"), "left", "right"),
        "out": (nn.OutputLayer(2), "both"),
        "other": (nn.OutputLayer(3), "both"),
    }
    return nn.ComputationGraph({"a": ROWS(5), "b": ROWS(5)}, vertices, outputs=("out", "other"), seed=2)


def wanted(net, layers, *inputs, mask=None):
    """What `feed_forward` says."""
    found = net.feed_forward(*inputs, mask=mask)
    if isinstance(found, dict):
        return [found[layer] for layer in layers]
    return [found[1 + _number(net, layer)] for layer in layers]


def _number(net, layer):
    return next(stage.index for stage in net.stages if layer in (stage.index, stage.name, stage.layer.name))


NETWORKS = [
    pytest.param(stack, (5,), 1, [0, "hidden", 2, 1], id="stack"),
    pytest.param(recurrent, (6, 5), 1, [1, 0], id="sequences"),
    pytest.param(graph, (5,), 2, ["both", "other", "left"], id="graph"),
]


@pytest.mark.parametrize("mode", ["batched", "sequential", "in_place"])
@pytest.mark.parametrize("make, shape, n_inputs, layers", NETWORKS)
def test_layers_have_the_bits_of_a_forward_pass_in_every_mode(make, shape, n_inputs, layers, mode):
    net = make()
    requests = [[RNG.normal(size=(n, *shape)).astype("float32") for _ in range(n_inputs)] for n in (1, 2, 3, 1) * 6]
    least = 2 if mode == "batched" else 1
    with parallel.ParallelInference(net, mode, workers=2, least_rows=least) as inference:
        with ThreadPoolExecutor(8) as threads:
            found = list(threads.map(lambda inputs: inference.output(*inputs, layers=layers), requests))
            mixed = list(threads.map(lambda inputs: inference.output(*inputs), requests))
        futures = [inference.submit(*inputs, layers=layers[:1]) for inputs in requests[:4]]
        awaited = asyncio.run(inference.aoutput(*requests[0], layers=layers))
    for inputs, outputs, plain in zip(requests, found, mixed, strict=True):
        assert isinstance(outputs, tuple)
        filled = [np.concatenate([x, np.zeros((max(0, least - len(x)), *shape), x.dtype)]) for x in inputs]
        for got, want in zip(outputs, wanted(net, layers, *filled), strict=True):
            assert nd.array_equal(got, want[: len(inputs[0])])
        assert isinstance(plain, tuple) == (n_inputs == 2)
    assert all(nd.array_equal(a, b) for a, b in zip(awaited, found[0], strict=True))
    assert [len(each.result()) for each in futures] == [1] * 4


def test_one_layer_may_be_named_alone_and_masks_are_seen():
    net, x = recurrent(), RNG.normal(size=(2, 6, 5)).astype("float32")
    mask = np.asarray([[1, 1, 1, 0, 0, 0], [1, 1, 1, 1, 1, 0]], "float32")
    with parallel.ParallelInference(net) as inference:
        (got,) = inference.output(x, mask=mask, layers=0)
        (text,) = inference.output(x, mask=mask, layers="0")
    assert nd.array_equal(got, net.feed_forward(x, mask=mask)[1])
    assert nd.array_equal(text, got)


def test_answers_belong_to_the_caller():
    net, x = stack(), nd.asarray(RNG.normal(size=(3, 5)), dtype="float32")
    with parallel.ParallelInference(net, "in_place") as inference:
        first, same = inference.output(x, layers=[0, 1])  # the second layer passes on what it is given
        before = same.copy()
        first[...] = 0.0
        assert nd.array_equal(same, before)
        assert nd.array_equal(inference.output(x, layers=[1])[0], before)


def test_layers_follow_the_model_that_answers():
    net, other, x = stack(), stack(), RNG.normal(size=(2, 5)).astype("float32")
    other.set_params(other.params() * 2.0)
    with parallel.ParallelInference(net) as inference:
        before = inference.output(x, layers=["hidden"])[0]
        inference.update_model(other)
        after = inference.output(x, layers=["hidden"])[0]
    assert nd.array_equal(before, net.feed_forward(x)[1])
    assert nd.array_equal(after, other.feed_forward(x)[1])


def test_processes_answer_too():
    net, x = stack(), RNG.normal(size=(2, 5)).astype("float32")
    with parallel.ParallelInference(net, processes=1) as inference:
        assert nd.array_equal(inference.output(x, layers=[0])[0], net.feed_forward(x)[1])
        assert nd.array_equal(inference.output(x), net.output(x))


@pytest.mark.parametrize(
    "layers, error, message",
    [
        (["hiden"], ValueError, "there is no layer 'hiden'; layers: 0"),
        ([3], ValueError, "there is no layer 3"),
        ([], ValueError, "layers names none"),
        (2.5, TypeError, "layers must be a sequence"),
    ],
)
def test_layers_that_there_are_not_are_told_at_once(layers, error, message):
    with parallel.ParallelInference(stack()) as inference:
        for call in (inference.output, inference.submit):
            with pytest.raises(error, match=message):
                call(np.ones((1, 5)), layers=layers)
        assert inference.output(np.ones((1, 5))).shape == (1, 3)
