"""Locally connected layers and learnt slopes: values, gradients, masks, what they start with, wrong settings."""

import cases
import numpy as np
import pytest
from central_differences import check_gradient

import nd4py as nd
from nd4py import nn

RNG = np.random.default_rng(12)
CASES = [
    pytest.param(case.layer, case.given, id=f"{i}-{case.layer.title}")
    for i, case in enumerate(cases.LAYERS)
    if isinstance(case.layer, nn.LocallyConnected1D | nn.LocallyConnected2D | nn.PReLULayer)
]
CONNECTED = [case for case in CASES if not isinstance(case.values[0], nn.PReLULayer)]


def parameters_of(layer, given):
    return {each.name: RNG.normal(size=each.shape) for each in layer.parameters(given)}


def output(layer, params, x, **how):
    return layer.forward({name: nd.asarray(each) for name, each in params.items()}, nd.asarray(x), **how)


@pytest.mark.parametrize("layer, given", CASES)
def test_gradients_are_those_of_central_differences(layer, given):
    params, x = parameters_of(layer, given), RNG.normal(size=(2, *given.shape))
    weights = nd.asarray(RNG.normal(size=output(layer, params, x).shape))

    def total(x, params=params):
        return nd.sum(output(layer, params, x) * weights)

    check_gradient(total, x, rtol=1e-5, atol=1e-7)
    for name in params:
        check_gradient(lambda value, name=name: total(x, params | {name: value}), params[name], 1e-5, 1e-7)


def position_by_position(layer, params, x):
    """Each position by itself: its window, its weights.  x: (batch, channels, *sizes)"""
    window = layer.window
    edges = window.edges(x.shape[2:])
    padded = np.pad(x, ((0, 0), (0, 0), *zip(edges[::2], edges[1::2], strict=True)))
    y = np.empty((len(x), layer.n_out, *window.output_size(x.shape[2:])))
    for number, place in enumerate(np.ndindex(y.shape[2:])):
        axes = zip(place, window.kernel, window.stride, window.dilation, strict=True)
        seen = padded[(..., *(slice(i * s, i * s + (k - 1) * d + 1, d) for i, k, s, d in axes))]
        y[(slice(None), slice(None), *place)] = seen.reshape(len(x), -1) @ params["W"][number]
    y += params.get("b", np.zeros(1)).reshape(-1, *[1] * (x.ndim - 2))
    return cases.ACTIVATIONS[layer.activation or "identity"](y)


@pytest.mark.parametrize("layer, given", CONNECTED)
def test_every_position_has_weights_of_its_own(layer, given):
    params, x = parameters_of(layer, given), RNG.normal(size=(3, *given.shape))
    got = np.asarray(output(layer, params, x))
    if isinstance(layer, nn.LocallyConnected1D):
        want = position_by_position(layer, params, x.transpose(0, 2, 1)).transpose(0, 2, 1)
    else:
        want = position_by_position(layer, params, x)
    np.testing.assert_allclose(got, want, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("mode", ["truncate", "same"])
def test_equal_weights_make_a_convolution(mode):
    local, shared = (
        kind((3, 2), 4, (1, 2), convolution_mode=mode) for kind in (nn.LocallyConnected2D, nn.ConvolutionLayer)
    )
    x, w, b = RNG.normal(size=(2, *cases.IMAGES.shape)), RNG.normal(size=(4, 2, 3, 2)), RNG.normal(size=4)
    n_positions = local.parameters(cases.IMAGES)[0].shape[0]
    each = np.broadcast_to(w.reshape(4, -1).T, (n_positions, 12, 4))
    want = output(shared, {"W": w, "b": b}, x)
    np.testing.assert_allclose(np.asarray(output(local, {"W": each, "b": b}, x)), np.asarray(want), rtol=1e-12)


def test_masked_steps_count_as_zeros():
    layer, given = nn.LocallyConnected1D(2, 3), nn.InputType.recurrent(4, 5)
    params, x = parameters_of(layer, given), RNG.normal(size=(2, 5, 4))
    mask = nd.asarray([[1.0] * 5, [1.0, 1.0, 0.0, 0.0, 0.0]])
    assert layer.output_mask(mask, given).tolist() == [[1.0] * 4, [1.0, 1.0, 0.0, 0.0]]
    padded = x.copy()
    padded[1, 2:], x[1, 2:] = np.nan, 0
    want = np.asarray(output(layer, params, x))
    np.testing.assert_array_equal(np.asarray(output(layer, params, padded, mask=mask)), want)


def test_slopes_hold_below_zero_and_are_shared():
    x, w = RNG.normal(size=(3, 2, 4, 5)), RNG.normal(size=(2, 1, 1))
    got = np.asarray(output(nn.PReLULayer((2, 3)), {"W": w}, x))
    np.testing.assert_array_equal(got, np.where(x > 0, x, w * x))


def test_slopes_start_at_a_quarter_and_penalties_leave_them_alone():
    layers = [nn.DenseLayer(5), nn.PReLULayer(), nn.PReLULayer(weight_init="zero", l2=0.5), nn.OutputLayer(2)]
    net = nn.MultiLayerNetwork(layers, input_type=cases.ROWS, l2=0.1, l1=0.1, weight_decay=0.1, updater=nn.Sgd(0.0))
    table = net.param_table()
    assert table["1_W"].tolist() == [0.25] * 5
    assert table["2_W"].tolist() == [0.0] * 5
    x, labels = RNG.normal(size=(4, 6)), np.eye(2)[[0, 1, 1, 0]]
    before = net.score((x, labels))
    table["1_W"][...] = 7.0
    table["0_W"][...] = table["3_W"][...] = 0.0  # the loss no longer depends on slopes, and no other weight counts
    assert net.score((x, labels)) == pytest.approx(np.log(2), rel=1e-6)
    assert before != pytest.approx(np.log(2), rel=1e-6)
    table["2_W"][...] = 2.0
    assert net.score((x, labels)) == pytest.approx(np.log(2) + 5 * 0.5 / 2 * 2.0**2, rel=1e-6)


@pytest.mark.parametrize("make, message", [
    (lambda: nn.PReLULayer((0,)), "PReLULayer: each of shared_axes must be a whole number of at least 1, given 0"),
    (lambda: nn.PReLULayer((2,)).parameters(cases.ROWS), r"shared_axes must be between 1 and 1, .* \(2,\)"),
    (lambda: nn.PReLULayer().parameters(nn.InputType.recurrent(3)), "slopes for each step; give shared_axes=\\(1,\\)"),
    (lambda: nn.LocallyConnected2D(2), "LocallyConnected2D: n_out, the number of outputs, must be .* given 0"),
    (lambda: nn.LocallyConnected2D(9, 3).parameters(cases.IMAGES), "the kernel is larger than the padded input"),
    (lambda: nn.LocallyConnected1D(2, 3).parameters(nn.InputType.recurrent(3)), "need a length; give InputType.rec"),
    (lambda: nn.LocallyConnected1D(2, 3, padding=-1), "padding must be a whole number of at least 0, given -1"),
])  # fmt: skip
def test_wrong_settings_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()
