"""Operators of onnxruntime that its tools write: of 8 bits, of transformers, and with activations in them."""

import math

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

import nd4py as nd

RNG = np.random.default_rng(7)
A_SCALE, B_SCALE, Y_SCALE = np.float32(0.02), np.float32(0.05), np.float32(0.03)
A_ZERO, B_ZERO, Y_ZERO = np.uint8(120), np.uint8(60), np.uint8(100)
A, B = (RNG.integers(0, 256, (2, 3, 4, 4), dtype=np.uint8) for _ in range(2))
KINDS = {"f": TensorProto.FLOAT, "u": TensorProto.UINT8, "i": TensorProto.INT8, "b": TensorProto.BOOL}


def element_type(array):
    return TensorProto.INT32 if array.dtype == np.int32 else KINDS[array.dtype.kind]


def one_node(kind, inputs, made=TensorProto.UINT8, opset=17, **attributes):
    """A model of one node of onnxruntime's, whose output has no shape; None is an input that is left out."""
    names = ["" if each is None else f"x{i}" for i, each in enumerate(inputs)]
    given = [
        helper.make_tensor_value_info(name, element_type(each), np.shape(each))
        for name, each in zip(names, inputs, strict=True)
        if each is not None
    ]
    node = helper.make_node(kind, names, ["y"], name="the_node", domain="com.microsoft", **attributes)
    graph = helper.make_graph([node], "g", given, [helper.make_tensor_value_info("y", made, None)])
    opsets = [helper.make_opsetid("", opset), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=8)


def made(kind, inputs, **settings):
    found = nd.onnx.load(one_node(kind, inputs, **settings)).run([np.asarray(x) for x in inputs if x is not None])
    return np.asarray(found[0])


def real(x, scale, zero):
    return (x.astype(np.float32) - np.float32(zero)) * scale


def in_bits(x):
    return np.clip(np.round(x / Y_SCALE) + Y_ZERO, 0, 255).astype(np.uint8)


def is_near(found, wanted):
    """Halves may be rounded to either side."""
    assert found.dtype == wanted.dtype
    assert found.shape == wanted.shape
    assert np.abs(found.astype(int) - wanted.astype(int)).max() <= 1
    assert np.mean(found != wanted) < 0.15


def pooled(x):
    return x.reshape(2, 3, 2, 2, 2, 2).mean((3, 5))


def softmax(x):
    high = np.exp(x - x.max(-1, keepdims=True))
    return high / high.sum(-1, keepdims=True)


OF_ONE = {
    "QLinearAveragePool": (pooled, {"kernel_shape": [2, 2], "strides": [2, 2]}),
    "QLinearGlobalAveragePool": (lambda x: x.mean((2, 3), keepdims=True), {}),
    "QLinearLeakyRelu": (lambda x: np.where(x < 0, 0.1 * x, x), {"alpha": 0.1}),
    "QLinearReduceMean": (lambda x: x.mean(1), {"axes": [1], "keepdims": 0}),
    "QLinearSigmoid": (lambda x: 1 / (1 + np.exp(-x)), {}),
    "QLinearSoftmax": (softmax, {"axis": -1, "opset": 17}),
}


@pytest.mark.parametrize("kind", OF_ONE)
def test_operators_of_one_quantized_array(kind):
    function, attributes = OF_ONE[kind]
    found = made(kind, [A, A_SCALE, A_ZERO, Y_SCALE, Y_ZERO], **attributes)
    is_near(found, in_bits(function(real(A, A_SCALE, A_ZERO))))


@pytest.mark.parametrize("kind, function", [("QLinearAdd", np.add), ("QLinearMul", np.multiply)])
@pytest.mark.parametrize("b", [B, B[:1, :, :1]], ids=["alike", "stretched"])
def test_operators_of_two_quantized_arrays(kind, function, b):
    found = made(kind, [A, A_SCALE, A_ZERO, b, B_SCALE, B_ZERO, Y_SCALE, Y_ZERO])
    is_near(found, in_bits(function(real(A, A_SCALE, A_ZERO), real(b, B_SCALE, B_ZERO))))


def test_arrays_that_are_joined_and_chosen():
    parts = [A, A_SCALE, A_ZERO, B, B_SCALE, B_ZERO]
    a, b = real(A, A_SCALE, A_ZERO), real(B, B_SCALE, B_ZERO)
    is_near(made("QLinearConcat", [Y_SCALE, Y_ZERO, *parts], axis=1), in_bits(np.concatenate([a, b], 1)))
    is_near(made("QLinearWhere", [A > B, *parts, Y_SCALE, Y_ZERO]), in_bits(np.where(A > B, a, b)))


@pytest.mark.parametrize("is_turned", [False, True])
@pytest.mark.parametrize("has_bias", [False, True])
@pytest.mark.parametrize("is_quantized", [False, True])
def test_products_with_a_scale_for_each_column(is_turned, has_bias, is_quantized):
    a, w = A.reshape(-1, 4), RNG.integers(-128, 128, (4, 3)).astype(np.int8)
    scales, zeros = np.float32([0.01, 0.02, 0.04]), np.int8([0, 1, -2])
    bias = RNG.integers(-900, 900, 3).astype(np.int32) if has_bias else None
    wanted = real(a, A_SCALE, A_ZERO) @ ((w.astype(np.float32) - zeros) * scales)
    wanted = wanted + bias * (A_SCALE * scales) if has_bias else wanted
    inputs = [a, A_SCALE, A_ZERO, w.T.copy() if is_turned else w, scales, zeros, bias]
    kind = TensorProto.UINT8 if is_quantized else TensorProto.FLOAT
    inputs += [Y_SCALE, Y_ZERO] if is_quantized else []
    inputs = inputs if inputs[-1] is not None else inputs[:-1]
    found = made("QGemm", inputs, made=kind, transB=int(is_turned))
    if is_quantized:
        is_near(found, in_bits(wanted))
    else:
        np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-5)


def test_activations_of_transformers():
    x, bias = RNG.normal(size=(3, 4)).astype(np.float32), RNG.normal(size=4).astype(np.float32)
    wanted = x * 0.5 * (1 + erf(x / math.sqrt(2)))
    np.testing.assert_allclose(made("Gelu", [x], **FLOAT), wanted, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(made("BiasGelu", [x - bias, bias], **FLOAT), wanted, rtol=1e-5, atol=1e-6)
    quick = made("QuickGelu", [x], alpha=2.0, **FLOAT)
    np.testing.assert_allclose(quick, x / (1 + np.exp(-2 * x)), rtol=1e-5, atol=1e-6)


FLOAT = {"made": TensorProto.FLOAT}


def floats(*shape):
    return RNG.normal(size=shape).astype(np.float32)


def erf(x):
    return np.vectorize(math.erf)(x)


def test_gelu_by_tanh():
    x, bias = floats(3, 4), floats(4)
    wanted = 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))
    np.testing.assert_allclose(made("FastGelu", [x], **FLOAT), wanted, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(made("FastGelu", [x - bias, bias], **FLOAT), wanted, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("turned", [(0, 0), (1, 0), (0, 1), (1, 1)])
@pytest.mark.parametrize("stack", [(), (2, 3)])
def test_products_times_a_number(turned, stack):
    a, b = floats(*stack, 4, 5), floats(*stack, 5, 6)
    given = [x.swapaxes(-1, -2).copy() if is_turned else x for x, is_turned in zip((a, b), turned, strict=True)]
    found = made("FusedMatMul", given, alpha=0.25, transA=turned[0], transB=turned[1], **FLOAT)
    np.testing.assert_allclose(found, 0.25 * (a @ b), rtol=1e-5, atol=1e-5)


ACTIVATIONS = {
    "Relu": ([], lambda x: np.maximum(x, 0)),
    "Clip": ([-0.5, 0.75], lambda x: np.clip(x, -0.5, 0.75)),
    "LeakyRelu": ([0.1], lambda x: np.where(x < 0, 0.1 * x, x)),
    "HardSigmoid": ([0.25, 0.5], lambda x: np.clip(0.25 * x + 0.5, 0, 1)),
    "Sigmoid": ([], lambda x: 1 / (1 + np.exp(-x))),
    "Tanh": ([], np.tanh),
}


@pytest.mark.parametrize("has_bias", [False, True])
@pytest.mark.parametrize("kind", ACTIVATIONS)
def test_convolutions_with_an_activation(kind, has_bias):
    """With an array that is added before it, too."""
    (params, function), x, w, z = ACTIVATIONS[kind], floats(2, 3, 4, 5), floats(6, 3, 1, 1), floats(2, 6, 4, 5)
    bias = floats(6) if has_bias else None
    plain = np.einsum("bchw,fc->bfhw", x, w[:, :, 0, 0]) + (bias[:, None, None] if has_bias else 0)
    settings = {"activation": kind, "kernel_shape": [1, 1], **FLOAT} | ({"activation_params": params} if params else {})
    found = made("FusedConv", [x, w, bias, z], **settings)
    np.testing.assert_allclose(found, function(plain + z), rtol=1e-5, atol=1e-5)
    alone = made("FusedConv", [x, w, bias] if has_bias else [x, w], **settings)
    np.testing.assert_allclose(alone, function(plain), rtol=1e-5, atol=1e-5)


def stepped(names, inputs, attributes, domain, outputs=("y", "yh", "yc")):
    """The outputs of one recurrent node; the kind is the first of its names."""
    kind, *names = names
    present = [(name, each) for name, each in zip(names, inputs, strict=True) if each is not None]
    given = [helper.make_tensor_value_info(name, element_type(each), each.shape) for name, each in present]
    names = [name if each is not None else "" for name, each in zip(names, inputs, strict=True)]
    node = helper.make_node(kind, names, outputs, domain=domain, **attributes)
    wanted = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in outputs]
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
    model = helper.make_model(helper.make_graph([node], "g", given, wanted), opset_imports=opsets, ir_version=8)
    return [np.asarray(each) for each in nd.onnx.load(model).run([each for _, each in present])]


@pytest.mark.parametrize("has_zeros", [True, False])
@pytest.mark.parametrize("has_rows", [True, False])
@pytest.mark.parametrize("has_states", [True, False])
@pytest.mark.parametrize("direction", ["forward", "reverse", "bidirectional"])
def test_recurrence_with_weights_of_8_bits(direction, has_states, has_rows, has_zeros):
    """Beside ONNX's own operator with the weights made real."""
    n, size, hidden = 2 if direction == "bidirectional" else 1, 4, 5
    x, bias, peepholes = floats(6, 3, size), floats(n, 8 * hidden), floats(n, 3 * hidden)
    states = [np.int32([6, 2, 4]), floats(n, 3, hidden), floats(n, 3, hidden), peepholes]
    states = states if has_states else [None] * 4
    bits, scales, zeros, weights = [], [], [], []
    for rows in (size, hidden):
        bits.append(RNG.integers(-128, 128, (n, rows, 4 * hidden)).astype(np.int8))
        scales.append(RNG.uniform(0.002, 0.008, (n, 4 * hidden) if has_rows else n).astype(np.float32))
        zeros.append(RNG.integers(-3, 4, scales[-1].shape).astype(np.int8) * has_zeros)
        own = (bits[-1].astype(np.float32) - zeros[-1].reshape(n, 1, -1)) * scales[-1].reshape(n, 1, -1)
        weights.append(own.swapaxes(1, 2).copy())
    told = [zero.astype(np.int8) if has_zeros else None for zero in zeros]
    attributes = {"hidden_size": hidden, "direction": direction}
    given = [x, *bits, bias, *states, scales[0], told[0], scales[1], told[1]]
    names = ["DynamicQuantizeLSTM", *"xwrbnhcp", "ws", "wz", "rs", "rz"]
    if not has_zeros:
        names, given = names[:-1], given[:-1]
    found = stepped(names, given, attributes, "com.microsoft")
    wanted = stepped(["LSTM", *"xwrbnhcp"], [x, *weights, bias, *states], attributes, "")
    for got, want in zip(found, wanted, strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-6)
    settings = attributes | {"activations": ["Sigmoid", "Tanh", "Tanh"] * n}
    found = stepped(names, given, settings, "com.microsoft", ("y",))
    wanted = stepped(["LSTM", *"xwrbnhcp"], [x, *weights, bias, *states], settings, "", ("y",))
    np.testing.assert_allclose(found[0], wanted[0], rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("n_given", [3, 4, 5])
def test_layer_normalization_of_a_sum(n_given):
    x, skip, *row = floats(2, 3, 8), floats(2, 3, 8), floats(8), floats(8), floats(8)
    total = x + skip + (row[2] if n_given == 5 else 0)
    centred = total - total.mean(-1, keepdims=True)
    wanted = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + 0.01) * row[0] + (row[1] if n_given > 3 else 0)
    found = made("SkipLayerNormalization", [x, skip, *row][:n_given], epsilon=0.01, **FLOAT)
    np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-5)
    model = one_node("SkipLayerNormalization", [x, skip, *row][:n_given], epsilon=0.01, **FLOAT)
    model.graph.node[0].output.extend(["", "", "total"])
    model.graph.output.append(helper.make_tensor_value_info("total", TensorProto.FLOAT, None))
    again, added = nd.onnx.load(model).run([x, skip, *row][:n_given])
    np.testing.assert_array_equal(np.asarray(again), found)
    np.testing.assert_allclose(np.asarray(added), total, rtol=1e-5)


@pytest.mark.parametrize("n_given", [2, 3, 4])
@pytest.mark.parametrize("opset", [15, 17, 18])
def test_root_mean_squares(n_given, opset):
    x, skip = (RNG.normal(size=(2, 3, 8)).astype(np.float32) for _ in range(2))
    row = [RNG.normal(size=8).astype(np.float32) for _ in range(2)]
    given = [x, row[0]] if n_given == 2 else [x, skip, *row][:n_given]
    total = x if n_given == 2 else x + skip + (row[1] if n_given == 4 else 0)
    wanted = total / np.sqrt((total**2).mean(-1, keepdims=True) + 0.01) * row[0]
    kind = "SimplifiedLayerNormalization" if n_given == 2 else "SkipSimplifiedLayerNormalization"
    model = one_node(kind, given, epsilon=0.01, opset=opset, **FLOAT)
    np.testing.assert_allclose(np.asarray(nd.onnx.load(model).run(given)[0]), wanted, rtol=1e-4, atol=1e-5)
    if n_given == 2:
        model.graph.node[0].domain = ""  # as onnxruntime writes it
        before = model.SerializeToString()
        np.testing.assert_allclose(np.asarray(nd.onnx.load(model).run(given)[0]), wanted, rtol=1e-4, atol=1e-5)
        assert model.SerializeToString() == before


@pytest.mark.parametrize(
    "model, message",
    [
        (one_node("QLinearAdd", [A, A_SCALE, A_ZERO, B, B_SCALE, B_ZERO, Y_SCALE, Y_ZERO], opset=12), "QLinearAdd"),
        (one_node("QLinearGlobalAveragePool", [A, A_SCALE, A_ZERO, Y_SCALE, Y_ZERO], channels_last=1), "AveragePool"),
        (one_node("QLinearConcat", [Y_SCALE, Y_ZERO, A, A_SCALE], axis=1), "QLinearConcat"),
        (one_node("QLinearSoftmax", [A, A_SCALE, A_ZERO, Y_SCALE, Y_ZERO], axis=1, opset_=0), "QLinearSoftmax"),
        (one_node("FusedMatMul", [A, A], transBatchA=1), "FusedMatMul"),
        (one_node("FusedConv", [A, B], activation="Elu"), "FusedConv"),
        (one_node("FusedConv", [A, B], activation=[1, 2]), "FusedConv"),
        (one_node("FusedConv", [A, B], activation="LeakyRelu", activation_params="ab"), "FusedConv"),
        (one_node("QLinearSoftmax", [A, A_SCALE, A_ZERO, Y_SCALE, Y_ZERO], opset_=[1, 2]), "QLinearSoftmax"),
        (one_node("FusedConv", [A, B], activation="Clip"), "FusedConv"),
        (one_node("SkipLayerNormalization", [A, B, A], opset=16), "SkipLayerNormalization"),
        (one_node("Mine", [A]), "com.microsoft:Mine of opset 1"),
    ],
)
def test_others_are_refused_when_they_are_loaded(model, message):
    for attribute in model.graph.node[0].attribute:
        attribute.name = {"opset_": "opset"}.get(attribute.name, attribute.name)
    with pytest.raises(NotImplementedError, match=f"not supported: node 'the_node'.*{message}"):
        nd.onnx.load(model)


def test_outputs_may_have_no_shape(tmp_path):
    """Converters leave it out where they do not know it."""
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 2])
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    graph = helper.make_graph([helper.make_node("Exp", ["x"], ["y"])], "g", [x], [y])
    given = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    before = given.SerializeToString()
    onnx.save(given, tmp_path / "m.onnx")
    for source in (given, tmp_path / "m.onnx"):
        model = nd.onnx.load(source)
        assert model.tensor_types["y"] == (nd.float32, None)
        assert model.run([np.zeros((3, 2), np.float32)])[0].shape == (3, 2)
    assert given.SerializeToString() == before
