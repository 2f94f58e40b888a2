"""Capsules and their routing: values beside the paper's procedure in NumPy, gradients, masks, wrong settings."""

import cases
import numpy as np
import pytest
from central_differences import check_gradient

import nd4py as nd
from nd4py import nn

RNG = np.random.default_rng(21)
CASES = [
    pytest.param(case.layer, case.given, id=f"{i}-{case.layer.title}")
    for i, case in enumerate(cases.LAYERS)
    if isinstance(case.layer, nn.PrimaryCapsules | nn.CapsuleLayer | nn.CapsuleStrengthLayer)
]


def output(layer, params, x, **how):
    return layer.forward({name: nd.asarray(each) for name, each in params.items()}, nd.asarray(x), **how)


def squash(s):
    """Equation 1."""
    length = np.sqrt((s**2).sum(-1, keepdims=True))
    return length**2 / (1 + length**2) * s / length


def routed(u, w, n_capsules, n_dimensions, routings, bias):
    """Procedure 1, for one example, capsule by capsule.  u: (below, their dimensions)"""
    predictions = np.asarray([u[i] @ w[i] for i in range(len(u))]).reshape(len(u), n_capsules, n_dimensions)
    b = np.zeros((len(u), n_capsules))
    for _ in range(routings):
        c = np.exp(b) / np.exp(b).sum(1, keepdims=True)
        s = np.asarray([sum(c[i, j] * predictions[i, j] for i in range(len(u))) for j in range(n_capsules)])
        v = squash(s + bias)
        for i in range(len(u)):
            for j in range(n_capsules):
                b[i, j] += predictions[i, j] @ v[j]
    return v


@pytest.mark.parametrize("layer, given", CASES)
def test_gradients_are_those_of_central_differences(layer, given):
    params = {each.name: RNG.normal(size=each.shape) for each in layer.parameters(given)}
    x = RNG.normal(size=(2, *given.shape))
    weights = nd.asarray(RNG.normal(size=output(layer, params, x).shape))

    def total(x, params=params):
        return nd.sum(output(layer, params, x) * weights)

    check_gradient(total, x, rtol=1e-5, atol=1e-7)
    for name in params:
        check_gradient(lambda value, name=name: total(x, params | {name: value}), params[name], 1e-5, 1e-7)


@pytest.mark.parametrize("routings", [1, 2, 4])
@pytest.mark.parametrize("has_bias", [False, True])
def test_routing_matches_the_paper(routings, has_bias):
    layer = nn.CapsuleLayer(3, 4, routings, has_bias)
    u, w, b = RNG.normal(size=(2, 5, 6)), RNG.normal(size=(5, 6, 12)), RNG.normal(size=(3, 4))
    params = {"W": w, "b": b} if has_bias else {"W": w}
    want = [routed(each, w, 3, 4, routings, b if has_bias else 0.0) for each in u]
    np.testing.assert_allclose(np.asarray(output(layer, params, u)), want, rtol=1e-5)


def test_rounds_of_routing_follow_agreement():
    # The predictions of two capsules below agree about capsule 0 and cancel each other about capsule 1.
    w = np.asarray([[[1.0, 0.0, 1.0, 0.0]], [[1.0, 0.0, -1.0, 0.1]]])
    lengths = [
        np.linalg.norm(np.asarray(output(nn.CapsuleLayer(2, 2, rounds), {"W": w}, np.ones((1, 2, 1))))[0], axis=1)
        for rounds in (1, 3, 9)
    ]
    assert lengths[0][0] < lengths[1][0] < lengths[2][0] < 1
    assert lengths[0][1] > lengths[1][1] > lengths[2][1] > 0


def test_primary_capsules_are_neighbouring_channels_of_a_convolution():
    layer, x = nn.PrimaryCapsules(2, 6, (3, 2), (2, 1), activation="tanh"), RNG.normal(size=(2, *cases.IMAGES.shape))
    params = {each.name: RNG.normal(size=each.shape) for each in layer.parameters(cases.IMAGES)}
    images = output(nn.ConvolutionLayer((3, 2), 6, (2, 1), activation="tanh"), params, x)
    got = np.asarray(output(layer, params, x))
    assert got.shape == (2, 3 * 3 * 5, 2)
    want = squash(np.asarray(images).reshape(2, 3, 2, 3, 5).transpose(0, 1, 3, 4, 2))
    np.testing.assert_allclose(got.reshape(2, 3, 3, 5, 2), want, rtol=1e-4)


def test_capsules_of_zeros_have_slopes_of_zero():
    layers = [nn.CapsuleLayer(2, 3), nn.CapsuleStrengthLayer()]
    x, w = nd.zeros((1, 4, 2), dtype="float16"), nd.ones((4, 2, 6), dtype="float16")

    def total(x, w):
        return nd.sum(layers[1].forward({}, layers[0].forward({"W": w}, x)))

    for gradient in nd.grad(total, (0, 1))(x, w):
        assert not np.asarray(gradient).any()


def test_masked_capsules_predict_nothing():
    layer, x, w = nn.CapsuleLayer(2, 3), RNG.normal(size=(2, 5, 4)), RNG.normal(size=(5, 4, 6))
    mask = nd.asarray([[1.0] * 5, [1.0, 1.0, 0.0, 0.0, 0.0]])
    got = np.asarray(output(layer, {"W": w}, x, mask=mask))
    np.testing.assert_array_equal(got[0], np.asarray(output(layer, {"W": w}, x))[0])
    np.testing.assert_allclose(got[1], np.asarray(output(layer, {"W": w[:2]}, x[:, :2]))[1], rtol=1e-12)
    assert layer.output_mask(mask, cases.STEPS) is None


def test_a_network_of_capsules_learns():
    layers = [
        nn.ConvolutionLayer(3, 6, activation="relu"), nn.PrimaryCapsules(4, 8, 3, 2), nn.CapsuleLayer(3, 6),
        nn.CapsuleStrengthLayer(), nn.LossLayer("mse"),
    ]  # fmt: skip
    given = nn.InputType.convolutional(9, 9, 1)
    net = nn.MultiLayerNetwork(layers, input_type=given, updater=nn.Adam(0.01), seed=3)
    x, numbers = RNG.normal(scale=0.1, size=(24, 1, 9, 9)), np.arange(24) % 3
    for image, number in zip(x, numbers, strict=True):
        image[0, 3 * number : 3 * number + 3] += 1.0
    labels = np.eye(3)[numbers]
    before = net.score((x, labels))
    for _ in range(60):
        net.fit_batch(x, labels)
    assert net.score((x, labels)) < 0.2 * before
    assert (np.asarray(net.output(x)).argmax(1) == numbers).all()


@pytest.mark.parametrize("make, message", [
    (lambda: nn.PrimaryCapsules(3, 8), "channels must be a multiple of capsule_dimensions, given 8 and 3"),
    (lambda: nn.PrimaryCapsules(0), "capsule_dimensions must be a whole number of at least 1, given 0"),
    (lambda: nn.PrimaryCapsules(2, 4, 9).output_type(cases.IMAGES), "the kernel is larger than the padded input"),
    (lambda: nn.CapsuleLayer(0, 4), "CapsuleLayer: capsules must be a whole number of at least 1, given 0"),
    (lambda: nn.CapsuleLayer(2, 4, 0), "CapsuleLayer: routings must be a whole number of at least 1, given 0"),
    (lambda: nn.CapsuleLayer(2, 4).parameters(nn.InputType.recurrent(3)), "need their number; give InputType"),
    (lambda: nn.CapsuleStrengthLayer().output_type(cases.ROWS), "need their number; give InputType.recurrent"),
])  # fmt: skip
def test_wrong_settings_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()
