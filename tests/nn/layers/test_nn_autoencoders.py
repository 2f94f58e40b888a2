"""Autoencoders: losses beside NumPy and PyTorch, gradients, what they draw, masks, what they generate."""

import cases
import numpy as np
import pytest
from central_differences import check_gradient

import nd4py as nd
from nd4py import nn

RNG = np.random.default_rng(31)
CASES = [
    pytest.param(case.layer, case.given, id=f"{i}-{case.layer.title}")
    for i, case in enumerate(cases.LAYERS)
    if isinstance(case.layer, nn.PretrainedLayer)
]
GAUSSIAN = nn.VariationalAutoencoder(2, (5,), (4, 3), "tanh", num_samples=3)
BERNOULLI = nn.VariationalAutoencoder(2, (), (3,), "softplus", "tanh", "bernoulli", num_samples=2)


def parameters_of(layer, given):
    return {each.name: RNG.normal(size=each.shape) for each in layer.parameters(given)}


def arrays(params):
    return {name: nd.asarray(value) for name, value in params.items()}


def inputs(layer, given, n_examples=3):
    """Numbers in (0, 1), which every loss takes."""
    return RNG.uniform(0.1, 0.9, (n_examples, *given.shape))


@pytest.mark.parametrize("rng", [None, 5])
@pytest.mark.parametrize("layer, given", [*CASES, (GAUSSIAN, cases.ROWS), (BERNOULLI, cases.STEPS)])
def test_gradients_are_those_of_central_differences(layer, given, rng):
    params, x = parameters_of(layer, given), inputs(layer, given)

    def score(params):
        return layer.pretrain_score(
            arrays(params), nd.asarray(x), rng=None if rng is None else nd.random.Generator(rng)
        )

    for name, each in params.items():
        check_gradient(lambda value, name=name: score(params | {name: value}), each, 1e-5, 1e-7)


def test_an_autoencoder_compares_its_input_with_what_it_makes_of_it():
    layer, x = nn.AutoEncoder(4, "tanh"), RNG.normal(size=(5, 6))
    params = parameters_of(layer, cases.ROWS)
    y = np.tanh(x @ params["W"] + params["b"])
    again = np.tanh(y @ params["W"].T + params["vb"])
    np.testing.assert_allclose(np.asarray(layer.forward(arrays(params), nd.asarray(x))), y, rtol=1e-12)
    np.testing.assert_allclose(np.asarray(layer.reconstruct(arrays(params), nd.asarray(x))), again, rtol=1e-12)
    want = ((again - x) ** 2).mean(1).sum()
    assert float(layer.pretrain_score(arrays(params), nd.asarray(x))) == pytest.approx(want, rel=1e-12)
    bits = nn.AutoEncoder(4, "sigmoid", loss="xent")
    x = RNG.integers(0, 2, (5, 6)).astype(float)
    again = cases.sigmoid(cases.sigmoid(x @ params["W"] + params["b"]) @ params["W"].T + params["vb"])
    want = -(x * np.log(again) + (1 - x) * np.log(1 - again)).sum()
    assert float(bits.pretrain_score(arrays(params), nd.asarray(x))) == pytest.approx(want, rel=1e-10)


def test_corruption_drops_its_share_of_what_is_seen_and_nothing_of_what_is_wanted():
    # With W = 1 and vb = 0 the reconstruction is what was seen: x, or 0 for what was dropped.
    layer = nn.AutoEncoder(1, "identity", corruption_level=0.3, loss="squared_loss")
    params = arrays({"W": np.ones((1, 1)), "b": np.zeros(1), "vb": np.zeros(1)})
    x = nd.ones((10_000, 1))
    assert float(layer.pretrain_score(params, x)) == 0.0
    score = float(layer.pretrain_score(params, x, rng=nd.random.Generator(2)))
    assert score / 10_000 == pytest.approx(0.3, abs=0.02)
    assert float(layer.pretrain_score(params, x, rng=nd.random.Generator(2))) == score
    assert float(nn.AutoEncoder(1, corruption_level=0.0).pretrain_score(params, x, rng=nd.random.Generator(2))) == 0.0


def hidden(params, side, n_layers, x, function):
    for i in range(n_layers):
        x = function(x @ params[f"{side}{i}W"] + params[f"{side}{i}b"])
    return x


def normal_log_density(x, mean, log_variance):
    return -0.5 * ((x - mean) ** 2 / np.exp(log_variance) + log_variance + np.log(2 * np.pi))


def bound(layer, params, x, noise):
    """The parts of the negative bound in NumPy: the divergence, and -log p(x|z) of each sample."""
    function, last = cases.ACTIVATIONS[layer.activation], cases.ACTIVATIONS[layer.pzx_activation]
    h = hidden(params, "e", len(layer.encoder_layer_sizes), x, function)
    mean = last(h @ params["pZXMeanW"] + params["pZXMeanb"])
    log_variance = last(h @ params["pZXLogStd2W"] + params["pZXLogStd2b"])
    divergence = -0.5 * (1 + log_variance - mean**2 - np.exp(log_variance)).sum(-1)
    z = mean + np.exp(log_variance / 2) * noise
    made = hidden(params, "d", len(layer.decoder_layer_sizes), z, function) @ params["pXZW"] + params["pXZb"]
    if layer.reconstruction_distribution == "gaussian":
        losses = -normal_log_density(x, *np.split(made, 2, axis=-1))
    else:
        p = cases.sigmoid(made)
        losses = -(x * np.log(p) + (1 - x) * np.log(1 - p))
    return divergence, losses.sum(-1)


def noise_of(seed, shape):
    return np.asarray(nd.random.Generator(seed).normal(size=shape))


@pytest.mark.parametrize("layer", [GAUSSIAN, BERNOULLI], ids=lambda layer: layer.reconstruction_distribution)
def test_the_bound_matches_numpy(layer):
    params, x = parameters_of(layer, cases.ROWS), inputs(layer, cases.ROWS, 4)
    divergence, losses = bound(layer, params, x, np.zeros((1, 4, 2)))
    got = layer.pretrain_score(arrays(params), nd.asarray(x))
    assert float(got) == pytest.approx(divergence.sum() + losses.sum(), rel=1e-10)
    divergence, losses = bound(layer, params, x, noise_of(7, (layer.num_samples, 4, 2)))
    got = layer.pretrain_score(arrays(params), nd.asarray(x), rng=nd.random.Generator(7))
    assert float(got) == pytest.approx(divergence.sum() + losses.mean(0).sum(), rel=1e-10)
    _, losses = bound(layer, params, x, noise_of(8, (6, 4, 2)))
    got = layer.reconstruction_log_probability(arrays(params), nd.asarray(x), 6, nd.random.Generator(8))
    np.testing.assert_allclose(np.asarray(got), -losses.mean(0), rtol=1e-10)
    got = layer.reconstruction_probability(arrays(params), nd.asarray(x), 6, nd.random.Generator(8))
    np.testing.assert_allclose(np.asarray(got), np.exp(-losses.mean(0)), rtol=1e-9)


def test_the_divergence_is_that_of_pytorch():
    torch = pytest.importorskip("torch")
    layer, given = nn.VariationalAutoencoder(3, (), ()), nn.InputType.feed_forward(4)
    params, x = parameters_of(layer, given), RNG.normal(size=(5, 4))
    params["pXZW"][:] = 0
    params["pXZb"][:] = 0  # p(x|z) is N(0, 1), whatever z is
    mean, log_variance = (torch.tensor(x @ params[f"pZX{n}W"] + params[f"pZX{n}b"]) for n in ("Mean", "LogStd2"))
    latent, prior = (torch.distributions.Normal(*of) for of in ((mean, torch.exp(log_variance / 2)), (0.0, 1.0)))
    divergence = torch.distributions.kl_divergence(latent, prior).sum()
    want = float(divergence - torch.distributions.Normal(0.0, 1.0).log_prob(torch.tensor(x)).sum())
    got = layer.pretrain_score(arrays(params), nd.asarray(x), rng=nd.random.Generator(1))
    assert float(got) == pytest.approx(want, rel=1e-10)


def test_what_a_gaussian_decoder_generates():
    layer, given = nn.VariationalAutoencoder(1, (), ()), nn.InputType.feed_forward(2)
    params = parameters_of(layer, given)
    params["pXZW"] = np.asarray([[2.0, -1.0, 0.0, 0.0]])
    params["pXZb"] = np.asarray([1.0, 0.0, np.log(4.0), np.log(0.25)])
    z = np.full((20_000, 1), 3.0)
    mean = np.asarray(layer.generate_at_mean_given_z(arrays(params), nd.asarray(z[:1])))
    np.testing.assert_allclose(mean, [[7.0, -3.0]], rtol=1e-12)
    drawn = np.asarray(layer.generate_random_given_z(arrays(params), nd.asarray(z), nd.random.Generator(4)))
    np.testing.assert_allclose(drawn.mean(0), [7.0, -3.0], atol=0.05)
    np.testing.assert_allclose(drawn.std(0), [2.0, 0.5], rtol=0.02)
    x = RNG.normal(size=(3, 2))
    again = layer.generate_at_mean_given_z(arrays(params), layer.forward(arrays(params), nd.asarray(x)))
    np.testing.assert_array_equal(np.asarray(layer.reconstruct(arrays(params), nd.asarray(x))), np.asarray(again))


def test_what_a_decoder_of_bits_generates():
    layer = nn.VariationalAutoencoder(1, (), (), reconstruction_distribution="bernoulli")
    params = parameters_of(layer, nn.InputType.feed_forward(2))
    params["pXZW"], params["pXZb"] = np.asarray([[1.0, 0.0]]), np.asarray([0.0, -1.0])
    z = nd.asarray(np.full((20_000, 1), 2.0))
    p = np.asarray(layer.generate_at_mean_given_z(arrays(params), z))
    np.testing.assert_allclose(p[0], cases.sigmoid(np.asarray([2.0, -1.0])), rtol=1e-12)
    drawn = np.asarray(layer.generate_random_given_z(arrays(params), z, nd.random.Generator(4)))
    assert set(np.unique(drawn)) == {0.0, 1.0}
    np.testing.assert_allclose(drawn.mean(0), p[0], atol=0.02)


@pytest.mark.parametrize("layer", [nn.AutoEncoder(3, "tanh"), GAUSSIAN], ids=lambda layer: layer.title)
def test_masked_steps_cost_nothing(layer):
    params, x = arrays(parameters_of(layer, cases.STEPS)), RNG.normal(size=(2, 5, 4))
    mask = np.asarray([[1.0] * 5, [1.0, 1.0, 0.0, 0.0, 0.0]])
    got = layer.pretrain_score(params, nd.asarray(x), mask=nd.asarray(mask))
    want = layer.pretrain_score(params, nd.asarray(x[mask > 0]))
    assert float(got) == pytest.approx(float(want), rel=1e-12)


@pytest.mark.parametrize("make, message", [
    (lambda: nn.AutoEncoder(0), "AutoEncoder: n_out, the number of outputs, must be .* given 0"),
    (lambda: nn.AutoEncoder(2, corruption_level=1.0), "corruption_level 1 would leave nothing to learn from"),
    (lambda: nn.AutoEncoder(2, corruption_level=-0.1), "corruption_level must be between 0 and 1, given -0.1"),
    (lambda: nn.AutoEncoder(2, has_bias=False), "an autoencoder has biases"),
    (lambda: nn.AutoEncoder(2, loss="mes"), "unknown loss 'mes'. Did you mean 'mse'"),
    (lambda: nn.VariationalAutoencoder(2, (3, 0)), "each of encoder_layer_sizes must be a whole number of at least 1"),
    (lambda: nn.VariationalAutoencoder(2, num_samples=0), "num_samples must be a whole number of at least 1, given 0"),
    (lambda: nn.VariationalAutoencoder(2, reconstruction_distribution="gausian"), "Did you mean 'gaussian'"),
    (lambda: nn.VariationalAutoencoder(2, pzx_activation="tan"), "unknown activation 'tan'"),
    (lambda: GAUSSIAN.reconstruction_probability(arrays(parameters_of(GAUSSIAN, cases.ROWS)), nd.ones((1, 6)), 0,
                                                 nd.random.Generator(1)), "n_samples must be a whole number"),
])  # fmt: skip
def test_wrong_settings_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()
