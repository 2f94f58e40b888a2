"""Depthwise convolution, pooling of whole inputs, and normalization: values, gradients, masks."""

import cases
import numpy as np
import pytest
from central_differences import check_gradient

import nd4py as nd
from nd4py import nn
from nd4py.nn.initialization.initializers import initial_value

KINDS = (
    nn.DepthwiseConvolution2D, nn.SeparableConvolution2D, nn.GlobalPoolingLayer, nn.BatchNormalization,
    nn.LayerNormalization,
)  # fmt: skip
CASES = [
    pytest.param(case.layer, case.given, id=f"{i}-{type(case.layer).__name__}")
    for i, case in enumerate(cases.LAYERS)
    if isinstance(case.layer, KINDS)
]
CASES.append(pytest.param(nn.LayerNormalization(), cases.STEPS, id="LayerNormalization of sequences"))
VOLUMES = nn.InputType.convolutional_3d(2, 3, 2, 4)


def numbers(*shape, seed=0):
    return np.random.default_rng(seed).normal(size=shape)


def parameters_of(layer, given, seed=1):
    """Small random numbers by name; variances are positive."""
    drawn = {p.name: numbers(*p.shape, seed=seed + i) / 2 for i, p in enumerate(layer.parameters(given))}
    return {name: abs(value) + 0.5 if name == "var" else value for name, value in drawn.items()}


def output(layer, params, x, **how):
    y = layer.forward({name: nd.asarray(value) for name, value in params.items()}, nd.asarray(x), **how)
    return y[0] if isinstance(y, tuple) else y


@pytest.mark.parametrize("train", [False, True])
@pytest.mark.parametrize("layer, given", CASES)
def test_gradients_are_those_of_central_differences(layer, given, train):
    params, x = parameters_of(layer, given), numbers(3, *given.shape)
    weights = nd.asarray(numbers(*np.asarray(output(layer, params, x)).shape, seed=9))

    def total(x, params=params):
        return nd.sum(output(layer, params, x, train=train) * weights)

    check_gradient(total, x, rtol=1e-5, atol=1e-7)
    for name in params:
        if name not in ("mean", "var"):
            check_gradient(lambda value, name=name: total(x, params | {name: value}), params[name], 1e-5, 1e-7)


def depthwise(x, params, multiplier, kernel, stride, edges, dilation):
    """Each output channel by a loop over the kernel's elements."""
    padded = np.pad(x, ((0, 0), (0, 0), edges[:2], edges[2:]))
    span = [(k - 1) * d + 1 for k, d in zip(kernel, dilation, strict=True)]
    out = [(n - s) // step + 1 for n, s, step in zip(padded.shape[2:], span, stride, strict=True)]
    y = np.zeros((len(x), x.shape[1] * multiplier, *out))
    for filter_, i, j in np.ndindex(y.shape[1], *kernel):
        rows = slice(i * dilation[0], i * dilation[0] + (out[0] - 1) * stride[0] + 1, stride[0])
        columns = slice(j * dilation[1], j * dilation[1] + (out[1] - 1) * stride[1] + 1, stride[1])
        y[:, filter_] += params["W"][filter_, 0, i, j] * padded[:, filter_ // multiplier, rows, columns]
    return y


@pytest.mark.parametrize("layer, given", [case for case in CASES if isinstance(case.values[0], KINDS[:1])])
def test_depthwise_and_separable_convolutions_match_numpy(layer, given):
    params, x = parameters_of(layer, given), numbers(2, *given.shape)
    want = depthwise(
        x, params, layer.depth_multiplier, layer.kernel_size, layer.stride, layer.window.edges(x.shape[2:]),
        layer.dilation,
    )  # fmt: skip
    if "pW" in params:
        want = np.einsum("bchw,fc->bfhw", want, params["pW"][:, :, 0, 0])
    want = cases.ACTIVATIONS[layer.activation or "identity"](want + params.get("b", np.zeros(1))[None, :, None, None])
    np.testing.assert_allclose(np.asarray(output(layer, params, x)), want, rtol=1e-10, atol=1e-12)


POOLS = {
    "max": lambda x: x.max(-1),
    "avg": lambda x: x.mean(-1),
    "sum": lambda x: x.sum(-1),
    "pnorm": lambda x: (np.abs(x) ** 3).sum(-1) ** (1 / 3),
}


@pytest.mark.parametrize("kind", POOLS)
def test_global_pooling_matches_numpy_and_leaves_masked_steps_out(kind):
    layer = nn.GlobalPoolingLayer(kind, 3)
    for x in (numbers(2, 4, 3, 5), numbers(2, 4, 2, 3, 2)):
        want = POOLS[kind](x.reshape(2, 4, -1))
        np.testing.assert_allclose(np.asarray(output(layer, {}, x)), want, rtol=1e-12)
    x = numbers(3, 6, 4)
    np.testing.assert_allclose(np.asarray(output(layer, {}, x)), POOLS[kind](x.transpose(0, 2, 1)), rtol=1e-12)
    lengths = [6, 2, 0]
    mask = nd.asarray([[float(step < n) for step in range(6)] for n in lengths])
    x[1, 2:], x[2] = np.nan, np.inf
    got = np.asarray(output(layer, {}, x, mask=mask))
    for row, n in enumerate(lengths[:2]):
        np.testing.assert_allclose(got[row], POOLS[kind](x[row, :n].T), rtol=1e-12)
    assert got[2].tolist() == [0.0] * 4
    assert layer.output_mask(mask, cases.STEPS) is None


def test_the_norm_of_nothing_has_no_slope():
    g = nd.grad(lambda x: nd.sum(nn.GlobalPoolingLayer("pnorm").forward({}, x)))(nd.zeros((1, 2, 3)))
    assert np.asarray(g).tolist() == np.zeros((1, 2, 3)).tolist()


def features_last(x):
    return x if x.ndim < 4 else np.moveaxis(x, 1, -1)


@pytest.mark.parametrize("given", [cases.ROWS, cases.STEPS, cases.IMAGES, VOLUMES], ids=lambda given: given.kind)
def test_batch_normalization_matches_numpy_and_keeps_running_values(given):
    layer, x = nn.BatchNormalization(decay=0.8, eps=1e-3), 3.0 + numbers(4, *given.shape)
    params = parameters_of(layer, given)
    rows = features_last(x).reshape(-1, given.n_features)
    mean, var = rows.mean(0), rows.var(0)
    for train in (False, True):
        y = output(layer, params, x, train=train)
        centre, spread = (mean, var) if train else (params["mean"], params["var"])
        want = params["gamma"] * (features_last(x) - centre) / np.sqrt(spread + 1e-3) + params["beta"]
        np.testing.assert_allclose(features_last(np.asarray(y)), want, rtol=1e-10, atol=1e-12)
    _, running = layer.forward({k: nd.asarray(v) for k, v in params.items()}, nd.asarray(x), train=True)
    assert set(running) == {p.name for p in layer.parameters(given) if p.is_state}
    for name, batch in (("mean", mean), ("var", var)):
        np.testing.assert_allclose(np.asarray(running[name]), 0.8 * params[name] + 0.2 * batch, rtol=1e-12)


def test_batch_normalization_leaves_masked_steps_out():
    layer, x = nn.BatchNormalization(), numbers(3, 5, 4)
    params = {name: nd.asarray(value) for name, value in parameters_of(layer, cases.STEPS).items()}
    there = np.arange(5) < np.asarray([[5], [2], [0]])
    y, running = layer.forward(params, nd.asarray(x), train=True, mask=nd.asarray(there.astype(float)))
    want, steps = layer.forward(params, nd.asarray(x[there]), train=True)
    np.testing.assert_allclose(np.asarray(y)[there], np.asarray(want), rtol=1e-10, atol=1e-12)
    for name, value in running.items():
        np.testing.assert_allclose(np.asarray(value), np.asarray(steps[name]), rtol=1e-12)


def test_locked_numbers_are_applied_and_not_learnt():
    layer, x = nn.BatchNormalization(gamma=2.0, beta=3.0, lock_gamma_beta=True), numbers(5, 6)
    params = parameters_of(layer, cases.ROWS)
    assert set(params) == {"mean", "var"}
    y = np.asarray(output(layer, params, x, train=True))
    np.testing.assert_allclose(y, 3 + 2 * (x - x.mean(0)) / np.sqrt(x.var(0) + 1e-5), rtol=1e-10)


@pytest.mark.parametrize("layer", [nn.BatchNormalization(), nn.LayerNormalization()], ids=lambda layer: layer.title)
def test_normalizations_start_as_such(layer):
    start = {p.name: initial_value(p, None, "float64", "xavier", 0.5) for p in layer.parameters(cases.ROWS)}
    x = numbers(5, 6)
    axis = 0 if isinstance(layer, nn.BatchNormalization) else 1
    want = (x - x.mean(axis, keepdims=True)) / np.sqrt(x.var(axis, keepdims=True) + 1e-5)
    y = output(layer, {name: np.asarray(value) for name, value in start.items()}, x, train=True)
    np.testing.assert_allclose(np.asarray(y), want, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("make, message", [
    (lambda: nn.DepthwiseConvolution2D(3, 0), "depth_multiplier must be a whole number of at least 1, given 0"),
    (lambda: nn.DepthwiseConvolution2D(3, activation="rleu"), "unknown activation 'rleu'"),
    (lambda: nn.SeparableConvolution2D(3), "n_out, the number of outputs, must be .* given 0"),
    (lambda: nn.GlobalPoolingLayer("median"), "unknown pooling_type 'median'. Known: avg, max, pnorm, sum"),
    (lambda: nn.GlobalPoolingLayer("pnorm", 0), "pnorm must be a whole number of at least 1, given 0"),
    (lambda: nn.GlobalPoolingLayer().output_type(cases.ROWS), "sequences, images or volumes are needed"),
    (lambda: nn.BatchNormalization(decay=1.5), "decay must be between 0 and 1, given 1.5"),
    (lambda: nn.LayerNormalization(eps=-1.0), "LayerNormalization: eps must be at least 0, given -1.0"),
])  # fmt: skip
def test_wrong_settings_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()
