"""Constraints, noise of weights and of inputs, and clipping of whole gradients, against NumPy."""

import numpy as np
import pytest

import nd4py as nd
from nd4py import nn
from nd4py.nn.parameters import lay_out

W = np.random.default_rng(3).normal(size=(4, 3))
FILTERS = np.random.default_rng(3).normal(size=(4, 3, 2, 2))
PARAMETER = nn.Parameter("W", (4, 3))


@pytest.mark.parametrize("weights, axes", [(W, (0,)), (FILTERS, (1, 2, 3)), (W[:, 0], (0,))], ids=str)
def test_constraints_of_norms(weights, axes):
    norms = np.sqrt((weights**2).sum(axes, keepdims=True))
    limited = np.minimum(norms, 0.7)
    for constraint, wanted in (
        (nn.MaxNormConstraint(max_norm=0.7), limited),
        (nn.MaxNormConstraint(axes, 0.7), limited),
        (nn.MinMaxNormConstraint(None, 1.0, 1.2, 0.5), 0.5 * np.clip(norms, 1.0, 1.2) + 0.5 * norms),
        (nn.UnitNormConstraint(), np.ones_like(norms)),
    ):
        got = constraint.apply(nd.asarray(weights), PARAMETER)
        np.testing.assert_allclose(np.asarray(got), weights * wanted / norms, rtol=1e-12)
        assert not np.asarray(constraint.apply(nd.zeros(weights.shape), PARAMETER)).any()


def test_a_constraint_without_norms():
    got = nn.NonNegativeConstraint().apply(nd.asarray(W), PARAMETER)
    np.testing.assert_array_equal(np.asarray(got), np.maximum(W, 0))


def test_noise_of_weights():
    ones, rng = nd.ones((200, 200)), nd.random.Generator(2)
    dropped = np.asarray(nn.DropConnect(0.25).apply(ones, nn.Parameter("W", (200, 200)), rng))
    assert (dropped == 0).mean() == pytest.approx(0.25, abs=0.01)
    assert dropped.max() == pytest.approx(4 / 3)
    bias = nn.Parameter("b", (3,), is_bias=True)
    assert np.asarray(nn.DropConnect(0.5).apply(nd.ones(3), bias, rng)).tolist() == [1, 1, 1]
    added = nn.WeightNoise(nn.Constant(0.5), biases=True).apply(nd.ones(3), bias, rng)
    assert np.asarray(added).tolist() == [1.5, 1.5, 1.5]
    times = nn.WeightNoise(nn.Constant(0.5), additive=False).apply(nd.ones(3), nn.Parameter("W", (3,)), rng)
    assert np.asarray(times).tolist() == [0.5, 0.5, 0.5]


@pytest.mark.parametrize("dropout", [nn.Dropout(0.3), nn.GaussianDropout(0.3), nn.AlphaDropout(0.3)], ids=str)
def test_dropout_keeps_the_mean_and_alpha_dropout_the_variance(dropout):
    x = np.random.default_rng(1).normal(size=(400, 400))
    y = np.asarray(dropout.apply(nd.asarray(x), nd.random.Generator(1)))
    assert y.mean() == pytest.approx(0.0, abs=0.02)
    assert y.var() == pytest.approx(1.0 if isinstance(dropout, nn.AlphaDropout) else 1 / 0.7, abs=0.03)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_noise_in_sixteen_bits(dtype):
    x = nd.ones((50, 40), dtype=dtype)
    for noise in (nn.Dropout(0.5), nn.AlphaDropout(0.5), nn.GaussianDropout(0.3), nn.GaussianNoise(0.5)):
        found = noise.apply(x, nd.random.Generator(1))
        expected = noise.apply(nd.ones((50, 40), dtype="float32"), nd.random.Generator(1))
        assert found.dtype == x.dtype
        assert nd.allclose(found.astype("float32"), expected, rtol=0.02, atol=0.02)
    parameter = nn.Parameter("W", (50, 40))
    for noise in (nn.DropConnect(0.5), nn.WeightNoise(nn.Normal(1.0, 0.1))):
        found = noise.apply(x, parameter, nd.random.Generator(1))
        assert found.dtype == x.dtype
        assert not nd.all(found == x)


def test_noise_of_inputs():
    noise = np.asarray(nn.GaussianNoise(0.5).apply(nd.zeros((300, 300)), nd.random.Generator(1)))
    assert noise.std() == pytest.approx(0.5, abs=0.01)
    images = np.asarray(nn.SpatialDropout(0.5).apply(nd.ones((8, 6, 3, 3)), nd.random.Generator(1)))
    assert set(np.unique(images)) == {0.0, 2.0}
    assert (images == images[:, :, :1, :1]).all()
    with pytest.raises(ValueError, match="sequences, images or volumes are needed"):
        nn.SpatialDropout().apply(nd.ones((2, 3)), nd.random.Generator(1))


def test_clipping_of_the_whole_gradient():
    slots = lay_out({"0": [nn.Parameter("W", (2,))], "1": [nn.Parameter("W", (2,))]})
    for numbers, scale in (([3.0, 0.0, 0.0, 4.0], 0.2), ([0.3, 0.0, 0.0, 0.4], 1.0)):
        gradient = nd.asarray(numbers)
        nn.NORMALIZATIONS["clip_l2_global"](gradient, slots, 1.0)
        np.testing.assert_allclose(np.asarray(gradient), np.array(numbers) * scale)


@pytest.mark.parametrize(
    "settings, error, message",
    [
        ({"dropout": 1.0}, ValueError, "DenseLayer: dropout 1 would drop everything"),
        ({"weight_noise": 0.5}, TypeError, "DenseLayer: weight_noise must be a"),
        ({"updater": "adam"}, TypeError, "DenseLayer: updater must be a"),
        ({"constraints": ("unit",)}, TypeError, "each of constraints must be a"),
        ({"gradient_normalization": "clip"}, ValueError, "unknown gradient_normalization 'clip'"),
        ({"gradient_threshold": -1.0}, ValueError, "gradient_threshold must be at least 0"),
    ],
)
def test_wrong_settings_of_a_layer_are_refused(settings, error, message):
    with pytest.raises(error, match=message):
        nn.DenseLayer(3, **settings)


@pytest.mark.parametrize("kind, name", [(nn.MaxNormConstraint, "max_norm"), (nn.MinMaxNormConstraint, "min_norm")])
@pytest.mark.parametrize("norm", [2, 0.5])
def test_a_norm_in_the_place_of_axes_is_told_its_name(kind, name, norm):
    with pytest.raises(TypeError, match=rf"axes must be a sequence, given {norm}; .*{kind.__name__}\({name}={norm}\)"):
        kind(norm)
