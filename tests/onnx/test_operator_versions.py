"""Operators in models of later versions than their definitions, and nodes as tools leave them."""

import numpy as np
import pytest
from onnx import defs, parser
from onnx.reference import ReferenceEvaluator

import nd4py as nd

NEWEST = defs.onnx_opset_version()
X = np.linspace(-2, 3, 24, dtype=np.float32)
LABELS = np.array([0, 3, 1, 3, 2, 1])


def parsed(text, opset):
    return parser.parse_model(f'<ir_version: {8 if opset < 20 else 13}, opset_import: ["": {opset}]> {text}')


# name: inputs, outputs (between semicolons) and the node in the text form, the first version, the arrays
OPERATORS = {
    "Attention": ("float[1, 2, 3, 4] x", "float[a, b, c, d] y", "Attention(x, x, x)", 23, [X.reshape(1, 2, 3, 4)]),
    "CenterCropPad": ("float[4, 6] x, int64[2] s", "float[a, b] y", "CenterCropPad(x, s)", 18,
                      [X.reshape(4, 6), np.array([6, 3])]),
    "DynamicQuantizeLinear": ("float[n] x", "uint8[a] y; float s; uint8 z", "DynamicQuantizeLinear(x)", 11, [X]),
    "GroupNormalization": ("float[1, 4, 6] x, float[4] s", "float[a, b, c] y",
                           "GroupNormalization <num_groups = 2> (x, s, s)", 21, [X.reshape(1, 4, 6), X[:4]]),
    "HannWindow": ("int64 n", "float[a] y", "HannWindow(n)", 17, [np.array(7)]),
    "MeanVarianceNormalization": ("float[1, 4, 2, 3] x", "float[a, b, c, d] y",
                                  "MeanVarianceNormalization <axes = [0, 2, 3]> (x)", 9, [X.reshape(1, 4, 2, 3)]),
    "NegativeLogLikelihoodLoss": ("float[n, 4] x, int64[n] t", "float y", "NegativeLogLikelihoodLoss(x, t)", 12,
                                  [X.reshape(6, 4), LABELS]),
    "RMSNormalization": ("float[6, 4] x, float[4] s", "float[a, b] y", "RMSNormalization(x, s)", 23,
                         [X.reshape(6, 4), X[:4]]),
    "SoftmaxCrossEntropyLoss": ("float[n, 4] x, int64[n] t, float[4] w", "float y; float[a, b] p",
                                "SoftmaxCrossEntropyLoss <ignore_index = 3> (x, t, w)", 12,
                                [X.reshape(6, 4), LABELS, X[-4:]]),
}  # fmt: skip


@pytest.mark.parametrize("name", OPERATORS)
def test_every_version_from_the_first_on(name):
    inputs, outputs, node, first, arrays = OPERATORS[name]
    targets = ", ".join(kind.split()[-1] for kind in outputs.split("; "))
    wanted = None
    for opset in range(first, NEWEST + 1):
        model = parsed(f"g ({inputs}) => ({outputs.replace(';', ',')}) {{ {targets} = {node} }}", opset)
        if wanted is None:
            wanted = ReferenceEvaluator(model).run(
                None, dict(zip([i.name for i in model.graph.input], arrays, strict=True))
            )
        for found, value in zip(nd.onnx.load(model).run(arrays), wanted, strict=True):
            assert np.allclose(found, value, rtol=1e-5, atol=1e-5), opset
            assert np.asarray(found).dtype == np.asarray(value).dtype


@pytest.mark.parametrize("reduction", ["none", "sum", "mean"])
def test_losses_of_images(reduction):
    scores, labels = X.reshape(2, 4, 3), LABELS.reshape(2, 3)
    logarithms = scores - np.log(np.exp(scores).sum(1, keepdims=True))
    each = -np.take_along_axis(logarithms, labels[:, None], 1)[:, 0]
    kind = "float[2, 3]" if reduction == "none" else "float"
    node = f'SoftmaxCrossEntropyLoss <reduction = "{reduction}"> (x, t)'
    model = nd.onnx.load(parsed(f"g (float[2, 4, 3] x, int64[2, 3] t) => ({kind} y) {{ y = {node} }}", 13))
    wanted = each if reduction == "none" else getattr(each, reduction)()
    assert np.allclose(model.run([scores, labels])[0], wanted, atol=1e-5)


def test_a_scale_of_one_number_is_that_of_all_features():
    x, scale = X.reshape(6, 4), np.array([2.0], np.float32)
    model = nd.onnx.load(
        parsed("g (float[6, 4] x, float[1] s) => (float[6, 4] y) { y = RMSNormalization <epsilon = 0.5> (x, s) }", 23)
    )
    wanted = x / np.sqrt((x**2).mean(1, keepdims=True) + 0.5) * scale
    np.testing.assert_allclose(np.asarray(model.run([x, scale])[0]), wanted, rtol=1e-5)


def test_an_array_of_zeros_is_quantized():
    model = nd.onnx.load(
        parsed("g (float[3] x) => (uint8[3] y, float s, uint8 z) { y, s, z = DynamicQuantizeLinear(x) }", 17)
    )
    steps, scale, zero_point = model.run([np.zeros(3, np.float32)])
    assert ((np.asarray(steps) - int(zero_point)) * float(scale)).tolist() == [0, 0, 0]


def test_short_time_spectra_of_a_signal_without_an_axis_for_the_parts():
    text = """g (float[1, 24] x, float[8] w) => (float[a, b, c, d] y) {
        step = Constant <value_int = 4> () y = STFT (x, step, w) }"""
    found = np.asarray(nd.onnx.load(parsed(text, 17)).run([X[None], np.hanning(8).astype(np.float32)])[0])
    frames = np.lib.stride_tricks.sliding_window_view(X, 8)[::4] * np.hanning(8)
    wanted = np.fft.rfft(frames)
    assert np.allclose(found[0, ..., 0] + 1j * found[0, ..., 1], wanted, atol=1e-5)


def test_nodes_in_any_order():
    text = """g (bool c, float[n] x) => (float[n] y) {
        y = Mul (z, z)
        z = If (c) <then_branch = t () => (float[n] a) { a = Add (half, x) },
                    else_branch = e () => (float[n] b) { b = Neg (half) }>
        half = Mul (x, x) }"""
    model = nd.onnx.load(parsed(text, 17))
    assert model.run([np.bool_(True), np.float32([3])])[0].tolist() == [144]
    assert model.run([np.bool_(False), np.float32([3])])[0].tolist() == [81]


@pytest.mark.parametrize("sizes", [(3, 4), (2, 1, 3)])
@pytest.mark.parametrize("aligned", [0, 1])
def test_places_of_one_image(sizes, aligned):
    n = len(sizes)
    text = f"""g (float[1, {n}, {n + 1}] x, int64[{n + 2}] s) => (float[{", ".join("abcde"[: n + 2])}] y) {{
        y = AffineGrid <align_corners = {aligned}> (x, s) }}"""
    theta = X[: n * (n + 1)].reshape(1, n, n + 1)
    lines = [np.linspace(-1, 1, size) if aligned else (2 * np.arange(size) + 1) / size - 1 for size in sizes]
    places = np.stack([*np.meshgrid(*lines, indexing="ij")[::-1], np.ones(sizes)], axis=-1)
    found = nd.onnx.load(parsed(text, 20)).run([theta, np.array([1, 2, *sizes])])[0]
    assert np.allclose(found, (places @ theta[0].T)[None], atol=1e-5)
