"""Functions as ONNX files with several axes of any size: both runtimes compute for every size what the functions do."""

import numpy as np
import onnxruntime
import pytest
from cases import LAYERS

import nd4py as nd
from nd4py import nn

RNG = np.random.default_rng(1)
W = nd.asarray(RNG.standard_normal((3, 4)), dtype="float32")
AXES = {"x": {0: "batch", 1: "length"}}
SHAPES = ((1, 9, 3), (4, 1, 3), (3, 6, 3), (2, 40, 3), (1, 1, 3), (5, 2, 3), (7, 7, 3))


def inputs_of(shape, seed=3):
    return np.float32(np.random.default_rng(seed).standard_normal(shape))


def assert_any_sizes(function, path, shapes=SHAPES, axes=AXES):
    """Both runtimes give for every shape what the function does."""
    nd.onnx.export(function, path, inputs_of((2, 9, *shapes[0][2:])), dynamic_axes=axes)
    session, model = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"]), nd.onnx.load(path)
    for shape in shapes:
        x = inputs_of(shape, sum(shape))
        want = np.asarray(function(nd.asarray(x)))
        for (found,) in (session.run(None, {session.get_inputs()[0].name: x}), model.run([x])):
            assert np.asarray(found).shape == want.shape
            np.testing.assert_allclose(np.asarray(found), want, rtol=1e-4, atol=1e-4)
    return session


def attention(mask):
    return lambda x: nd.softmax(nd.where(mask(x.shape[1]), x @ x.mT, -1e9)) @ x


def added_attention(x):
    ahead = nd.triu(nd.full((x.shape[1], x.shape[1]), float("-inf"), dtype="float32"), k=1)
    return nd.softmax(x @ x.mT + ahead) @ x


def shifted(x):
    y = nd.zeros_like(x)
    y[:, 1:] = x[:, :-1]
    y[:, 0] += 1
    return y


FUNCTIONS = {
    "a layer": lambda x: nd.softmax(nd.tanh(x @ W)),
    "rows of all steps": lambda x: (x.reshape(-1, 3) @ W).reshape(x.shape[0], x.shape[1], 4),
    "a product of sizes": lambda x: x.reshape(x.shape[0] * x.shape[1], 3) @ W,
    "flat": lambda x: x.reshape(x.shape[0], -1).sum(axis=1),
    "a mean by both sizes": lambda x: x.sum(axis=(0, 1)) * (1 / (x.shape[0] * x.shape[1])),
    "a mean by one size": lambda x: x.sum(axis=1) / x.shape[1],
    "a deviation": lambda x: x.std(axis=1, correction=1) + x.std(correction=1),
    "turned": lambda x: x.permute_dims((1, 0, 2))[::-1],
    "positions": lambda x: x * nd.arange(x.shape[1], dtype="float32")[:, None],
    "further positions": lambda x: x + nd.arange(3, 2 * x.shape[1] + 3, 2)[None, :, None].astype("float32"),
    "causal attention": attention(lambda n: nd.tril(nd.ones((n, n), dtype="bool"))),
    "attention to what is near": attention(lambda n: nd.tril(nd.ones((n, n), dtype="bool"), k=2)),
    "what is ahead": attention(lambda n: ~nd.triu(nd.ones((n, n), dtype="bool"), k=1)),
    "added attention": added_attention,
    "an identity matrix": lambda x: (x @ x.mT + 2 * nd.eye(x.shape[1], dtype="float32")) @ x,
    "all pairs": lambda x: ((x[:, :, None] - x[:, None]) ** 2).sum(axis=-1),
    "running": lambda x: nd.cumulative_prod(x, axis=1) + nd.cumulative_max(x, axis=0),
    "sorted": lambda x: nd.sort(x, axis=1),
    "gradients": lambda x: nd.grad(lambda v: (nd.cumulative_max(v, axis=1) ** 2).mean())(x),
    "gradients of sorting": lambda x: nd.grad(lambda v: (nd.sort(v, axis=1) * nd.sin(v)).sum())(x),
    "shifted": shifted,
    "every other step": lambda x: x[:, ::2],
    "no more than five steps": lambda x: x[:, :5],
    "the last step": lambda x: x[:, -1],
    "a step twice": lambda x: nd.repeat(x, 2, axis=1),
    "for each example": nd.vmap(lambda x: nd.softmax(x @ x.T) @ x),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions(name, tmp_path):
    assert_any_sizes(FUNCTIONS[name], str(tmp_path / "f.onnx"))


REFUSED = {
    "other steps for 11 examples, length 2 than for": lambda x: x if x.shape[1] < 6 else -x,
    "other steps for 2 examples, length 17 than for": lambda x: sum(x[:, i] for i in range(x.shape[1])),
    "length 5 than for .* Slice .rolled": lambda x: nd.roll(x, 5, axis=1),
    "in getitem .an array.": lambda x: x[:, : x.shape[1] // 2],
    "in variance .a number.": lambda x: nd.var(x, axis=1, correction=2),
    "arrays that are cut to size can be inputs": lambda x: x + nd.asarray(inputs_of((99, 3)))[: x.shape[1]],
}


@pytest.mark.parametrize("why", REFUSED)
def test_what_depends_on_sizes_otherwise_is_refused(why, tmp_path):
    path = tmp_path / "f.onnx"
    with pytest.raises(NotImplementedError, match=f"the batch and 'length' cannot have any size: .*{why}"):
        nd.onnx.export(REFUSED[why], path, inputs_of((2, 9, 3)), dynamic_axes=AXES)
    assert not path.exists()


def test_sizes_that_the_function_does_not_take_are_named(tmp_path):
    with pytest.raises(ValueError, match="the function does not take 2 examples, length 13: .*reshape"):
        nd.onnx.export(lambda x: x.reshape(-1, 4, 3), tmp_path / "f.onnx", inputs_of((2, 8, 3)), dynamic_axes=AXES)


SEQUENCES = [case for case in LAYERS if case.given.kind == "recurrent"]
# Of fixed lengths, step by step in Python, with tables of positions, and windows whose edges are computed.
OF_ONE_LENGTH = (
    *(nn.CapsuleLayer, nn.CapsuleStrengthLayer, nn.LocallyConnected1D, nn.RecurrentAttentionLayer),
    *(nn.PositionEmbeddingLayer, nn.PositionEncodingLayer, nn.Subsampling1DLayer, nn.Convolution1D),
)


def may_be_refused(layer):
    """Recurrent layers with other activations than nodes have are written step by step."""
    inner = getattr(layer, "layer", layer)
    is_stepwise = getattr(inner, "activation", None) not in (None, "tanh", "relu") or (
        getattr(inner, "gate_activation", "sigmoid") != "sigmoid"
    )
    return isinstance(layer, OF_ONE_LENGTH) or isinstance(inner, (nn.LSTM, nn.GRU, nn.SimpleRnn)) and is_stepwise


@pytest.mark.parametrize("case", [pytest.param(case, id=str(case.layer)[:60]) for case in SEQUENCES])
def test_layers_over_sequences(case, tmp_path):
    """What a layer computes from the length otherwise is refused; what is written is right for all lengths."""
    n = case.given.n_features
    vertices = {"layer": (case.layer, "x"), "beside": (nn.DenseLayer(1), "x")}
    try:
        net = nn.ComputationGraph({"x": nn.InputType.recurrent(n)}, vertices, outputs=("layer", "beside"), seed=1)
        assert_any_sizes(lambda x: net.output(x)[0], str(tmp_path / "f.onnx"), [(1, 9, n), (5, 12, n), (3, 30, n)])
    except (NotImplementedError, ValueError) as error:
        if not may_be_refused(case.layer):
            raise
        assert any(text in str(error) for text in ("cannot have any size", "length"))


def test_several_inputs_share_their_sizes(tmp_path):
    """Sequences of two lengths, and a mask; what lies on an axis that is counted from the end."""
    path = str(tmp_path / "f.onnx")

    def attend(queries, keys, mask):
        scores = nd.where(mask[:, None, :] > 0, queries @ keys.mT, -1e9)
        return {"found": nd.softmax(scores) @ keys, "scores": scores}

    def given(batch, n, m):
        mask = np.float32(np.arange(m) < np.arange(1, batch + 1)[:, None])
        return [inputs_of((batch, n, 3)), inputs_of((batch, m, 3), 4), mask]

    axes = {"queries": {0: "batch", -2: "n"}, "keys": {0: "batch", 1: "m"}, "mask": {0: "batch", -1: "m"}}
    nd.onnx.export(attend, path, tuple(given(2, 4, 5)), dynamic_axes=axes)
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    assert [each.shape for each in session.get_outputs()] == [["batch", "n", 3], ["batch", "n", "m"]]
    for sizes in ((1, 1, 1), (3, 2, 7), (6, 20, 5)):
        inputs = given(*sizes)
        names = [each.name for each in session.get_inputs()]
        for found in (session.run(None, dict(zip(names, inputs, strict=True))), nd.onnx.load(path).run(inputs)):
            for one, other in zip(found, attend(*map(nd.asarray, inputs)).values(), strict=True):
                np.testing.assert_allclose(np.asarray(one), np.asarray(other), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(
    "axes, message",
    [
        ({"y": {0: "batch"}}, "must name inputs, x; given 'y'"),
        ({"x": {3: "batch"}}, "x has 3 axes, given axis 3"),
        ({"x": {0: 1}}, "an axis is given a name"),
        ({"x": {0: "n", 1: "n"}}, "called 'n' must have one size"),
        ({}, "1 to 3 sizes can be left open, given none"),
    ],
)
def test_wrong_axes_are_errors(axes, message, tmp_path):
    with pytest.raises(ValueError, match=f"export: dynamic_axes.*{message}"):
        nd.onnx.export(lambda x: x, tmp_path / "f.onnx", inputs_of((2, 4, 3)), dynamic_axes=axes)


def test_axes_are_of_functions_and_in_dicts(tmp_path):
    with pytest.raises(TypeError, match="dynamic_axes must be a dict"):
        nd.onnx.export(lambda x: x, tmp_path / "f.onnx", inputs_of((2, 4, 3)), dynamic_axes=["x"])
    with pytest.raises(ValueError, match="dynamic_axes or dynamic_batch, not both"):
        nd.onnx.export(lambda x: x, tmp_path / "f.onnx", inputs_of((2, 3)), dynamic_axes=AXES, dynamic_batch=True)
    net = nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(3))
    with pytest.raises(ValueError, match="dynamic_axes is of functions"):
        nd.onnx.export(net, tmp_path / "f.onnx", dynamic_axes={"input": {0: "batch"}})
