"""Networks as ONNX files: onnxruntime computes from them what the networks do."""

from dataclasses import dataclass

import numpy as np
import onnxruntime
import pytest
from cases import LAYERS
from onnx import checker

import nd4py as nd
from nd4py import nn


def assert_exported(net, path, *inputs, other_activations=False):
    """onnxruntime and nd4py compute from the file what the network does.

    other_activations: inside of recurrent nodes, which nd4py writes and does not read
    """
    nd.onnx.export(net, path)
    checker.check_model(path, full_check=True)
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    wanted = net.output(*inputs)
    wanted = wanted if isinstance(wanted, tuple) else (wanted,)
    given = dict(zip((each.name for each in session.get_inputs()), map(np.asarray, inputs), strict=True))
    results = [session.run(None, given)]
    if not other_activations:
        results.append(nd.onnx.load(path).run(given))
    for found in results:
        assert len(found) == len(wanted)
        for x, y in zip(found, wanted, strict=True):
            np.testing.assert_allclose(np.asarray(x), np.asarray(y), rtol=1e-5, atol=1e-5)


def disturb(net):
    """Other values for parameters that start with zeros and ones, and running means and variances."""
    rng = np.random.default_rng(3)
    for values in net.param_table().values():
        noise = rng.uniform(0.05, 0.3, values.shape)
        values[...] = nd.asarray(np.asarray(values) + noise, dtype=values.dtype)


@pytest.mark.parametrize("case", [pytest.param(case, id=str(case.layer)[:60]) for case in LAYERS])
def test_layers(case, tmp_path):
    # A network has parameters; the layer itself may have none.
    vertices = {"layer": (case.layer, "x"), "beside": (nn.DenseLayer(1), "x")}
    net = nn.ComputationGraph({"x": case.given}, vertices, outputs=("layer", "beside"), seed=1)
    path = str(tmp_path / "net.onnx")
    if isinstance(case.layer, nn.BatchToSpaceLayer):  # of no single example
        with pytest.raises(NotImplementedError, match="BatchToSpaceLayer.*nor can what the network runs be written"):
            nd.onnx.export(net, path)
        return
    disturb(net)
    x = np.float32(case.inputs(np.random.default_rng(1)))
    is_recurrent = isinstance(case.layer, (nn.LSTM, nn.GRU, nn.SimpleRnn))
    other_activations = is_recurrent and case.layer.activation not in (None, "tanh", "relu")
    assert_exported(net, path, nd.asarray(x), other_activations=other_activations)


ACTIVATIONS = [*nn.activations.ACTIVATIONS, nn.ELU(0.5), nn.LeakyReLU(0.3), nn.RReLU(0.1, 0.3), nn.ThresholdedReLU(0.4)]


@pytest.mark.parametrize("activation", ACTIVATIONS, ids=str)
def test_activations(activation, tmp_path):
    layers = [nn.DenseLayer(5, activation), nn.OutputLayer(2)]
    net = nn.MultiLayerNetwork(layers, input_type=nn.InputType.feed_forward(4), seed=1)
    x = np.linspace(-4, 4, 28, dtype=np.float32).reshape(7, 4)
    assert_exported(net, str(tmp_path / "net.onnx"), nd.asarray(x))


ROWS, STEPS, IMAGES = (
    nn.InputType.feed_forward(6),
    nn.InputType.recurrent(6),
    nn.InputType.convolutional(5, 4, 3),
)
SHAPES = {ROWS: (4, 6), STEPS: (4, 5, 6), IMAGES: (4, 3, 5, 4)}
VERTICES = [
    (nn.MergeVertex(), ROWS, ROWS),
    (nn.MergeVertex(), IMAGES, IMAGES),
    (nn.MergeVertex(), STEPS, STEPS),
    *((nn.ElementWiseVertex(each), ROWS, ROWS, ROWS) for each in ("add", "product", "average", "max", "min")),
    (nn.ElementWiseVertex("subtract"), ROWS, ROWS),
    (nn.SubsetVertex(1, 3), IMAGES),
    (nn.StackVertex(), ROWS, ROWS),
    (nn.UnstackVertex(1, 2), ROWS),
    (nn.ScaleVertex(0.5), ROWS),
    (nn.ShiftVertex(0.5), ROWS),
    (nn.L2Vertex(), IMAGES, IMAGES),
    (nn.L2NormalizeVertex(), IMAGES),
    (nn.ReshapeVertex((2, 3)), ROWS),
    (nn.PreprocessorVertex("feed_forward"), IMAGES),
    (nn.PoolHelperVertex(), IMAGES),
    (nn.LastTimeStepVertex(), STEPS),
    (nn.DuplicateToTimeSeriesVertex(), ROWS, STEPS),
    (nn.ReverseTimeSeriesVertex(), STEPS),
    (nn.DotProductAttentionVertex(), STEPS, STEPS),
]


@pytest.mark.parametrize("vertex, given", [pytest.param(v, given, id=str(v)) for v, *given in VERTICES])
def test_vertices(vertex, given, tmp_path):
    inputs = {f"x{i}": each for i, each in enumerate(given)}
    vertices = {"joined": (vertex, *inputs), "beside": (nn.DenseLayer(1), "x0")}
    net = nn.ComputationGraph(inputs, vertices, outputs=("joined", "beside"), seed=1)
    rng = np.random.default_rng(1)
    arrays = [nd.asarray(np.float32(rng.normal(size=SHAPES[each]))) for each in given]
    assert_exported(net, str(tmp_path / "net.onnx"), *arrays)


def test_sizes_of_batches_and_sequences_are_open(tmp_path):
    path = str(tmp_path / "net.onnx")
    layers = [nn.Convolution1D(3, 4, 1), nn.TransformerEncoderLayer(2, causal=True), nn.LSTM(5), nn.RnnOutputLayer(2)]
    net = nn.MultiLayerNetwork(layers, input_type=nn.InputType.recurrent(3), seed=1)
    nd.onnx.export(net, path)
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    for shape in ((1, 4, 3), (5, 9, 3)):
        x = np.random.default_rng(1).normal(size=shape).astype("float32")
        np.testing.assert_allclose(session.run(None, {"input": x})[0], np.asarray(net.output(x)), rtol=1e-5, atol=1e-5)


def test_images_as_rows_and_with_channels_last(tmp_path):
    for given, shape in (
        (nn.InputType.convolutional(6, 6, 2, "NHWC"), (3, 6, 6, 2)),
        (nn.InputType.convolutional_flat(6, 6, 2), (3, 72)),
    ):
        layers = [nn.ConvolutionLayer(3, 4), nn.SubsamplingLayer(), nn.DenseLayer(5), nn.OutputLayer(3)]
        net = nn.MultiLayerNetwork(layers, input_type=given, seed=1)
        x = nd.asarray(np.random.default_rng(1).normal(size=shape).astype("float32"))
        assert_exported(net, str(tmp_path / "net.onnx"), x)


def test_path_and_example_may_change_places(tmp_path):
    net = nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(3))
    for number, path in enumerate((str(tmp_path / "a.onnx"), tmp_path / "b.onnx")):
        nd.onnx.export(net, np.ones((2, 3), dtype="float64"), path)
        nd.onnx.export(net, tmp_path / f"{number}.onnx", np.ones((2, 3), dtype="float64"))
        assert (tmp_path / f"{number}.onnx").read_bytes() == (tmp_path / path).read_bytes()
    with pytest.raises(TypeError, match=r"path must be a path, given ndarray; export\(network, path, example\)"):
        nd.onnx.export(net, np.ones((2, 3)))


def test_the_example_says_the_dtypes(tmp_path):
    path = str(tmp_path / "net.onnx")
    layers = [nn.EmbeddingSequenceLayer(7, 4), nn.LSTM(3), nn.RnnOutputLayer(2)]
    net = nn.MultiLayerNetwork(layers, input_type=nn.InputType.recurrent(1, 5), seed=1)
    numbers = nd.asarray(np.random.default_rng(1).integers(0, 7, (2, 5, 1)))
    nd.onnx.export(net, path, numbers)
    (found,) = nd.onnx.load(path).run([numbers])
    np.testing.assert_allclose(np.asarray(found), np.asarray(net.output(numbers)), rtol=1e-5)
    with pytest.raises(ValueError, match="1 inputs, the example 2"):
        nd.onnx.export(net, path, (numbers, numbers))
    with pytest.raises(ValueError, match="real numbers, the example for input 'input' is complex64"):
        nd.onnx.export(net, tmp_path / "net.onnx", nd.ones((1, 3), dtype="complex64"))


@dataclass(frozen=True)
class Doubled(nn.Layer):
    """A layer of a user."""

    def output_type(self, given):
        return given

    def forward(self, params, x, *, train=False, rng=None, mask=None, state=None):
        return x * 2 + nd.cumulative_sum(x, axis=1)


@dataclass(frozen=True)
class Looking(Doubled):
    """A layer that looks at values."""

    def forward(self, params, x, *, train=False, rng=None, mask=None, state=None):
        return x * float(x.max())


def test_layers_of_users_are_run(tmp_path):
    """The sizes of batches and sequences are open as for other layers."""
    path = str(tmp_path / "net.onnx")
    layers = [nn.LSTM(5), Doubled(), nn.LocallyConnected1D(3, 2), nn.RnnOutputLayer(2)]
    net = nn.MultiLayerNetwork(layers, input_type=nn.InputType.recurrent(3, 6), seed=1)
    assert_exported(net, path, nd.asarray(np.float32(np.random.default_rng(1).normal(size=(4, 6, 3)))))
    vertices = {
        "seen": (Doubled(), "x"),
        "y": (nn.RnnOutputLayer(2), "seen"),
        "last": (nn.LastTimeStepVertex(), "seen"),
    }
    net = nn.ComputationGraph({"x": nn.InputType.recurrent(3)}, vertices, outputs=("y", "last"), seed=1)
    for shape in ((1, 4, 3), (5, 9, 3)):
        assert_exported(net, path, nd.asarray(np.float32(np.random.default_rng(1).normal(size=shape))))
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    assert [each.name for each in session.get_outputs()] == ["y", "last"]
    assert session.get_inputs()[0].shape == ["batch", "x_length", 3]


def test_masks_that_layers_make_are_seen(tmp_path):
    """Padding counts for nothing behind an embedding, in a file as in the network."""
    path, words = str(tmp_path / "net.onnx"), np.float32([[3, 1, 0, 0], [2, 2, 4, 0], [1, 0, 0, 0]])[..., None]
    for layers in (
        [nn.LSTM(3), nn.LastTimeStep(nn.GRU(4))],
        [nn.DenseLayer(3), nn.GlobalPoolingLayer("avg")],
        [nn.TransformerEncoderLayer(2), nn.GlobalPoolingLayer("max")],
    ):
        layers = [nn.EmbeddingSequenceLayer(7, 4, mask_zero=True), *layers, nn.OutputLayer(2)]
        net = nn.MultiLayerNetwork(layers, input_type=nn.InputType.recurrent(1), seed=1)
        for x in (words, words[:1], np.tile(words, (2, 2, 1))):
            assert_exported(net, path, nd.asarray(x))


def test_everything_without_a_counterpart_is_named(tmp_path):
    path = tmp_path / "net.onnx"
    path.write_bytes(b"older")
    layers = [nn.LocallyConnected2D(2, 3), Looking(), nn.OutputLayer(2)]
    net = nn.MultiLayerNetwork(layers, input_type=nn.InputType.convolutional(5, 5, 1))
    message = r"layer 0 \(LocallyConnected2D\).*layer 1 \(Looking\).*nor can .* be written: .*looks at a value"
    with pytest.raises(NotImplementedError, match=message):
        nd.onnx.export(net, path)
    assert path.read_bytes() == b"older"
    with pytest.raises(TypeError, match="MultiLayerNetwork, ComputationGraph or function"):
        nd.onnx.export("net", path)
    half = nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(3), dtype="float16")
    with pytest.raises(NotImplementedError, match="networks of float16"):
        nd.onnx.export(half, path)
