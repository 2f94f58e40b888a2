"""Layers one by one: shapes, values, the arithmetic of windows."""

from dataclasses import dataclass

import cases
import numpy as np
import pytest
from central_differences import check_gradient

import nd4py as nd
from nd4py import nn
from nd4py.nn.inputs import preprocess
from nd4py.nn.parameters import lay_out, views

CASES = [pytest.param(case, id=f"{i}-{type(case.layer).__name__}") for i, case in enumerate(cases.LAYERS)]


def forward(layer, given, x, seed=1, **how):
    """The layer's output and parameters as NumPy arrays; parameters are small random numbers."""
    slots = lay_out({"0": layer.parameters(given)})
    flat = nd.asarray(np.random.default_rng(seed).normal(scale=0.5, size=slots[-1].stop if slots else 0))
    params = views(flat, slots, 1)[0]
    y = layer.forward(params, nd.asarray(x), **how)
    y = y[0] if layer.is_recurrent else y
    return np.asarray(y), {k: np.asarray(v) for k, v in params.items()}


def windows(x, layer, fill):
    """Windows of images or sequences, padded with `fill`; sequences have their steps last.

    Returns (batch, channels, *positions, *window), the window as far as it spans.
    """
    window, sizes = layer.window, x.shape[2:]
    edges = np.reshape(window.edges(sizes), (-1, 2))
    padded = np.pad(x, ((0, 0), (0, 0), *map(tuple, edges)), constant_values=fill)
    axes = tuple(range(2, x.ndim))
    view = np.lib.stride_tricks.sliding_window_view(padded, window.spans, axes)
    return view[(slice(None), slice(None), *(slice(None, None, stride) for stride in window.stride))]


def channels_second(x, layer):
    return np.moveaxis(x, -1, 1) if layer.wanted_input == "recurrent" else x


def of_kind(kind):
    return [case for case in CASES if isinstance(case.values[0].layer, kind)]


@pytest.mark.parametrize("case", CASES)
def test_shapes(case):
    x = case.inputs(np.random.default_rng(0))
    given = preprocess(case.given, case.layer.wanted_input)
    y, params = forward(case.layer, given, x.reshape(len(x), *given.shape))
    assert case.layer.output_type(given).shape == case.output
    assert y.shape == (case.n_outputs, *case.output)
    assert sum(value.size for value in params.values()) == case.n_params


TRANSPOSED = of_kind(nn.Deconvolution2D)


@pytest.mark.parametrize("case", [case for case in of_kind(nn.ConvolutionLayer) if case not in TRANSPOSED])
def test_convolution_matches_numpy(case):
    layer, x = case.layer, np.random.default_rng(0).normal(size=(2, *case.given.shape))
    y, params = forward(layer, case.given, x)
    weights = np.zeros((*params["W"].shape[:2], *layer.window.spans))
    weights[(..., *(slice(None, None, step) for step in layer.window.dilation))] = params["W"]
    seen = np.split(windows(channels_second(x, layer), layer, 0.0), layer.groups, axis=1)
    n = weights.ndim - 2
    parts = [
        np.moveaxis(np.tensordot(part, own, ((1, *range(2 + n, 2 + 2 * n)), tuple(range(1, 2 + n)))), -1, 1)
        for part, own in zip(seen, np.split(weights, layer.groups), strict=True)
    ]
    z = np.concatenate(parts, axis=1) + params.get("b", np.zeros(1)).reshape(-1, *[1] * n)
    want = cases.ACTIVATIONS[layer.activation or "identity"](z)
    np.testing.assert_allclose(channels_second(y, layer), want, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("case", TRANSPOSED)
def test_transposed_convolution_adds_its_kernel_for_every_element(case):
    layer, x = case.layer, np.random.default_rng(0).normal(size=(2, *case.given.shape))
    y, params = forward(layer, case.given, x)
    window, sizes = layer.window, case.given.spatial
    whole = np.zeros((2, layer.n_out, *(n * step + span for n, step, span in zip(
        sizes, window.stride, window.spans, strict=True))))  # fmt: skip
    made, seen = layer.n_out // layer.groups, x.shape[1] // layer.groups
    for group, position in np.ndindex(layer.groups, int(np.prod(sizes))):
        at = np.unravel_index(position, sizes)
        part = np.tensordot(x[(slice(None), slice(group * seen, (group + 1) * seen), *at)],
                            params["W"][group * seen : (group + 1) * seen], 1)  # fmt: skip
        where = [slice(i * step, i * step + span, dilation) for i, step, span, dilation in zip(
            at, window.stride, window.spans, window.dilation, strict=True)]  # fmt: skip
        whole[(slice(None), slice(group * made, (group + 1) * made), *where)] += part
    if layer.convolution_mode == "same":
        first = [max(0, span - step) // 2 for span, step in zip(window.spans, window.stride, strict=True)]
    else:
        first = window.padding
    cut = [slice(before, before + n) for before, n in zip(first, y.shape[2:], strict=True)]
    z = whole[(..., *cut)] + params.get("b", np.zeros(1)).reshape(-1, *[1] * len(sizes))
    np.testing.assert_allclose(y, cases.ACTIVATIONS[layer.activation or "identity"](z), rtol=1e-10, atol=1e-12)


POOLS = {
    "max": lambda seen, axes, p: np.nanmax(seen, axis=axes),
    "avg": lambda seen, axes, p: np.nanmean(seen, axis=axes),
    "sum": lambda seen, axes, p: np.nansum(seen, axis=axes),
    "pnorm": lambda seen, axes, p: np.nansum(np.abs(seen) ** p, axis=axes) ** (1 / p),
}


@pytest.mark.parametrize("case", of_kind(nn.SubsamplingLayer))
def test_pooling_matches_numpy_and_ignores_padding(case):
    layer, x = case.layer, np.random.default_rng(0).normal(size=(2, *case.given.shape))
    seen = windows(channels_second(x, layer), layer, np.nan)
    want = POOLS[layer.pooling_type](seen, tuple(range(x.ndim, seen.ndim)), layer.pnorm)
    y, _ = forward(layer, case.given, x)
    np.testing.assert_allclose(channels_second(y, layer), want, rtol=1e-12)


@pytest.mark.parametrize("case", of_kind((nn.ConvolutionLayer, nn.SubsamplingLayer)))
def test_gradients_of_windows_are_those_of_central_differences(case):
    layer, given = case.layer, case.given
    x = np.random.default_rng(0).normal(size=(2, *given.shape))
    y, params = forward(layer, given, x)
    weights = nd.asarray(np.random.default_rng(2).normal(size=y.shape))

    def total(value, name="x"):
        arrays = {key: nd.asarray(each) for key, each in params.items() if key != name}
        arrays |= {name: value} if name != "x" else {}
        return nd.sum(layer.forward(arrays, value if name == "x" else nd.asarray(x)) * weights)

    check_gradient(total, x, rtol=1e-5, atol=1e-7)
    for name, value in params.items():
        check_gradient(lambda each, name=name: total(each, name), value, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("pnorm", [1, 2, 3])
def test_windows_of_zeros_have_a_norm_without_slope(pnorm):
    layer = nn.SubsamplingLayer("pnorm", pnorm=pnorm)
    x = np.zeros((1, 1, 2, 4))
    x[..., 2:] = [[3.0, 0.0], [-4.0, 0.0]]
    g = np.asarray(nd.grad(lambda x: nd.sum(layer.forward({}, x)))(nd.asarray(x)))
    norm = (3.0**pnorm + 4.0**pnorm) ** (1 / pnorm)
    want = np.zeros_like(x)
    want[0, 0, :, 2] = [(3.0 / norm) ** (pnorm - 1), -((4.0 / norm) ** (pnorm - 1))]
    np.testing.assert_allclose(g, want, rtol=1e-12)


def test_groups_see_their_own_channels():
    layer, given = nn.ConvolutionLayer(3, 6, groups=3), nn.InputType.convolutional(5, 5, 9)
    [weight, _] = layer.parameters(given)
    assert (weight.shape, weight.fan_in, weight.fan_out) == ((6, 3, 3, 3), 27, 18)
    x = np.random.default_rng(0).normal(size=(1, 9, 5, 5))
    changed = x.copy()
    changed[:, 3:6] += 1.0
    before, after = forward(layer, given, x)[0], forward(layer, given, changed)[0]
    assert (before != after).any(axis=(0, 2, 3)).tolist() == [False, False, True, True, False, False]


def test_dense_is_a_matrix_product():
    x = np.random.default_rng(0).normal(size=(3, 6))
    y, params = forward(nn.DenseLayer(4, "relu"), cases.ROWS, x)
    np.testing.assert_allclose(y, np.maximum(x @ params["W"] + params["b"], 0), rtol=1e-12)


def test_dropout_drops_its_share_and_keeps_the_mean():
    x, rng = np.ones((100, 100)), nd.random.Generator(4)
    y, _ = forward(nn.DropoutLayer(0.2), cases.ROWS, x, train=True, rng=rng)
    assert (y == 0).mean() == pytest.approx(0.2, abs=0.02)
    np.testing.assert_allclose(y[y != 0], 1.25)
    again, _ = forward(nn.DropoutLayer(0.2), cases.ROWS, x, train=True, rng=nd.random.Generator(4))
    np.testing.assert_array_equal(y, again)


@pytest.mark.parametrize("rate, how", [(0.0, {"train": True}), (0.5, {"train": False})])
def test_dropout_does_nothing_otherwise(rate, how):
    x = np.random.default_rng(0).normal(size=(3, 6))
    y, _ = forward(nn.DropoutLayer(rate), cases.ROWS, x, **how)
    np.testing.assert_array_equal(y, x)


def test_strict_error_shows_the_numbers():
    layer = nn.ConvolutionLayer(3, 4, stride=2, convolution_mode="strict")
    with pytest.raises(ValueError, match=r"\(6 - 3 \+ 2 \* 0\) / 2 \+ 1 = 2.5 \(along the width: input 6, kernel 3"):
        layer.output_type(cases.IMAGES)


def test_numbers_stand_for_pairs():
    assert nn.ConvolutionLayer(3, 4, 2) == nn.ConvolutionLayer((3, 3), 4, [2, 2])


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: nn.ConvolutionLayer(3), "ConvolutionLayer: n_out, the number of outputs, must be .* given 0"),
        (lambda: nn.ConvolutionLayer(0, 4), "kernel_size must be a whole number of at least 1, given 0"),
        (lambda: nn.ConvolutionLayer((1, 2, 3), 4), r"kernel_size must be one number or \(height, width\)"),
        (lambda: nn.ConvolutionLayer(3, 4, padding=-1), "padding must be a whole number of at least 0, given -1"),
        (lambda: nn.ConvolutionLayer(3, 4, convolution_mode="full"), "convolution_mode 'full'. Known: same, strict"),
        (
            lambda: nn.ConvolutionLayer(3, 4, padding=1, convolution_mode="same", name="first"),
            "first: convolution_mode 'same' computes its padding, given padding=1",
        ),
        (lambda: nn.SubsamplingLayer(padding=(0, 2)), r"padding \(0, 2\) must be smaller than the kernel \(2, 2\)"),
        (lambda: nn.SubsamplingLayer("median"), "unknown pooling_type 'median'. Known: avg, max, pnorm, sum"),
        (lambda: nn.SubsamplingLayer("pnorm", pnorm=0), "SubsamplingLayer: pnorm must be a whole number of at least 1"),
        (lambda: nn.Subsampling1DLayer(padding=2), "Subsampling1DLayer: padding 2 must be smaller than the kernel 2"),
        (lambda: nn.SubsamplingLayer(convolution_mode="causal"), "unknown .* 'causal'. Known: same, strict, truncate"),
        (lambda: nn.Convolution1D(3, 4, padding=1, convolution_mode="causal"), "'causal' computes its padding, .*=1"),
        (lambda: nn.ConvolutionLayer(3, 4, groups=3), "ConvolutionLayer: groups 3 must divide n_out 4"),
        (lambda: nn.Convolution3D((1, 2), 4), r"kernel_size must be one number or \(depth, height, width\), given"),
        (lambda: nn.Convolution3D(2, 4).output_type(cases.IMAGES), "convolutional_3d input is needed, given convol"),
        (
            lambda: nn.Deconvolution2D(2, 4, padding=9).output_type(cases.IMAGES),
            r"leaves \(-10, -11\) of \(7, 6\), with stride \(1, 1\), kernel \(2, 2\) and padding \(9, 9\); take less",
        ),
        (lambda: nn.Subsampling3DLayer(padding=(0, 2, 0)), r"padding \(0, 2, 0\) must be smaller than the kernel"),
        (lambda: nn.ConvolutionLayer(3, 4, groups=0), "groups must be a whole number of at least 1, given 0"),
        (
            lambda: nn.ConvolutionLayer(3, 4, groups=4).output_type(cases.IMAGES),
            "groups 4 must divide the 2 channels of the input",
        ),
        (lambda: nn.DenseLayer(2.5), "DenseLayer: n_out, .* must be a whole number of at least 1, given 2.5"),
        (lambda: nn.DenseLayer(3, l2=-1.0), "DenseLayer: l2 must be at least 0, given -1.0"),
        (lambda: nn.DenseLayer(3, bias_init="one"), "bias_init must be a finite number, given 'one'"),
        (lambda: nn.OutputLayer(3, loss="mcxen"), "unknown loss 'mcxen'. Did you mean 'mcxent'"),
        (lambda: nn.DropoutLayer(1.0), "rate 1 would drop everything"),
        (lambda: nn.DropoutLayer(1.5), "rate must be between 0 and 1, given 1.5"),
        (lambda: nn.InputType.convolutional(28, 0, 1), "every size must be a whole number of at least 1, given 0"),
    ],
)
def test_bad_settings_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


@dataclass(frozen=True)
class GatedLayer(nn.WeightedLayer):
    """x * sigmoid(x @ W + b): a layer with weights of the caller's own."""

    def parameters(self, given):
        n = given.size
        return (nn.Parameter("W", (n, n), n, n), nn.Parameter("b", (n,), is_bias=True))

    def forward(self, params, x, *, train=False, rng=None):
        return x * nd.sigmoid(x @ params["W"] + params["b"])


def test_a_layer_of_the_caller_s_own_has_the_settings_of_layers_with_weights():
    layers = [GatedLayer(weight_init="zero", bias_init=0.5, l2=0.1), nn.OutputLayer(2)]
    net = nn.MultiLayerNetwork(layers, input_type=nn.InputType.feed_forward(3), updater=nn.Sgd(0.5), seed=1)
    table = net.param_table()
    assert table["0_W"].tolist() == [[0.0] * 3] * 3
    assert table["0_b"].tolist() == [0.5] * 3
    x, labels = nd.asarray([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]]), nd.one_hot([0, 1], 2)
    scores = [net.fit_batch(x, labels) for _ in range(20)]
    assert scores[-1] < 0.5 * scores[0]
    with pytest.raises(ValueError, match="GatedLayer: l1"):
        GatedLayer(l1=-1.0)
