"""Networks inside of functions, as ONNX files: onnxruntime and nd4py compute from them what the functions do."""

import numpy as np
import onnxruntime
import pytest
from cases import LAYERS

import nd4py as nd
from nd4py import nn

OF_ONE_SIZE = (nn.BatchToSpaceLayer,)  # whose batch is a multiple


def assert_computes(function, path, x):
    """Both runtimes give what the function does."""
    want = [np.asarray(y) for y in function(x)]
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    for found in (nd.onnx.load(path).run([x]), session.run(None, {session.get_inputs()[0].name: x})):
        for one, other in zip(found, want, strict=True):
            assert np.asarray(one).dtype == other.dtype
            np.testing.assert_allclose(np.asarray(one), other, rtol=1e-5, atol=1e-5)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("case", [pytest.param(case, id=str(case.layer)[:60]) for case in LAYERS])
def test_layers(case, tmp_path):
    """Before and after a graph of the network repeats outputs, with the batch as it is and with any other."""
    vertices = {"layer": (case.layer, "x"), "beside": (nn.DenseLayer(1), "x")}
    net = nn.ComputationGraph({"x": case.given}, vertices, outputs=("layer", "beside"), seed=1)
    x, path = np.float32(case.inputs(np.random.default_rng(1))), str(tmp_path / "net.onnx")

    def function(x):
        y, beside = net.output(x)
        return y * 2, nd.tanh(beside)

    nd.onnx.export(function, path, x)
    assert_computes(function, path, x)
    if isinstance(case.layer, OF_ONE_SIZE):
        return
    for _ in range(4):
        function(nd.asarray(x))
    nd.onnx.export(function, path, x, dynamic_batch=True)
    assert_computes(function, path, x)
    assert_computes(function, path, np.concatenate([x, x[:1]]))


SEQUENCE_LAYERS = [
    [nn.LSTM(6), nn.RnnOutputLayer(2)],
    [nn.GravesLSTM(6), nn.RnnOutputLayer(2)],
    [nn.GRU(6), nn.RnnOutputLayer(2)],
    [nn.SimpleRnn(6), nn.RnnOutputLayer(2)],
    [nn.Bidirectional(nn.LSTM(6)), nn.RnnOutputLayer(2)],
    [nn.LastTimeStep(nn.GRU(6)), nn.OutputLayer(2)],
    [nn.Convolution1D(3, 6), nn.LSTM(5), nn.GlobalPoolingLayer("avg"), nn.OutputLayer(2)],
    [nn.TransformerEncoderLayer(2), nn.LSTM(5, activation="softsign"), nn.RnnOutputLayer(2)],
]


@pytest.mark.parametrize("layers", SEQUENCE_LAYERS, ids=lambda layers: str(layers[0])[:40])
def test_sequences_with_a_mask(layers, tmp_path):
    """The mask is an input of the file, and the size of the batch is open."""
    net = nn.MultiLayerNetwork(layers, input_type=nn.InputType.recurrent(4), seed=1)
    rng, path = np.random.default_rng(1), str(tmp_path / "net.onnx")
    masks = np.float32([[1, 1, 1, 0, 0], [1, 1, 1, 1, 1], [1, 0, 0, 0, 0]])

    def function(x, mask):
        return net.output(x, mask=mask)

    nd.onnx.export(function, path, (states := np.float32(rng.standard_normal((3, 5, 4))), masks), dynamic_batch=True)
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    for x, mask in ((states, masks), (states[:1] * 2, masks[2:]), (np.tile(states, (2, 1, 1)), np.tile(masks, (2, 1)))):
        want = np.asarray(function(nd.asarray(x), nd.asarray(mask)))
        for (found,) in (nd.onnx.load(path).run([x, mask]), session.run(None, {"x": x, "mask": mask})):
            np.testing.assert_allclose(np.asarray(found), want, rtol=1e-5, atol=1e-5)


def test_vmap_of_a_network(tmp_path):
    layers = [nn.DenseLayer(16, "tanh"), nn.BatchNormalization(), nn.OutputLayer(2)]
    net = nn.MultiLayerNetwork(layers, input_type=nn.InputType.feed_forward(4), seed=1)
    x, path = np.random.default_rng(1).standard_normal((5, 4)).astype(np.float32), str(tmp_path / "net.onnx")
    for_each = nd.vmap(lambda row: net.output(row[None])[0])
    for _ in range(4):
        assert nd.allclose(for_each(nd.asarray(x)), net.output(x), atol=1e-6)
    nd.onnx.export(for_each, path, x, dynamic_batch=True)
    assert_computes(lambda x: [net.output(x)], path, x)
