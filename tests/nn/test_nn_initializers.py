"""First weights: their spread, their limits, and that a seed repeats them."""

import cases
import numpy as np
import pytest

import nd4py as nd
from nd4py import nn
from nd4py.nn.initialization.initializers import initializer
from nd4py.nn.parameters import Parameter

WEIGHT = Parameter("W", (cases.FAN_IN, cases.FAN_OUT), cases.FAN_IN, cases.FAN_OUT)
LARGE = Parameter("W", (400, 300), cases.FAN_IN, cases.FAN_OUT)


def draw(weight_init, parameter=WEIGHT, seed=5, dtype="float64"):
    return np.asarray(initializer(weight_init)(nd.random.Generator(seed), parameter, dtype))


@pytest.mark.parametrize("name", sorted(cases.INITIALIZERS.keys() - {"identity", "xavier_legacy"}))
def test_variance_and_limit(name):
    variance, limit = cases.INITIALIZERS[name]
    weights = draw(name, LARGE)
    assert weights.shape == LARGE.shape
    assert weights.var() == pytest.approx(variance, rel=0.02)
    assert abs(weights.mean() - weights.mean().round()) < 0.01
    if limit is not None:
        assert abs(weights).max() <= limit * (1 + 1e-4)
        assert abs(weights).max() >= 0.97 * limit


def test_xavier_legacy_goes_by_the_shape():
    variance, _ = cases.INITIALIZERS["xavier_legacy"]
    weights = np.stack([draw("xavier_legacy", seed=seed) for seed in range(20)])
    assert weights.var() == pytest.approx(variance, rel=0.03)


def test_identity_is_square():
    np.testing.assert_array_equal(draw("identity", Parameter("W", (3, 3), 3, 3)), np.eye(3))
    with pytest.raises(ValueError, match=r"square matrix, given a weight of shape \(40, 60\)"):
        draw("identity")


@pytest.mark.parametrize("name", ["xavier", "uniform", "var_scaling_normal_fan_in"])
def test_seed_repeats(name):
    np.testing.assert_array_equal(draw(name), draw(name))
    assert (draw(name) != draw(name, seed=6)).any()


def test_dtype_is_the_one_asked_for():
    assert draw("xavier", dtype="float32").dtype == np.float32
    assert draw(nn.Orthogonal(), dtype="float32").dtype == np.float32


@pytest.mark.parametrize(
    "distribution, mean, std",
    [
        pytest.param(nn.Constant(0.3), 0.3, 0.0, id="Constant"),
        pytest.param(nn.Normal(1.0, 2.0), 1.0, 2.0, id="Normal"),
        pytest.param(nn.Uniform(2.0, 4.0), 3.0, 2 / np.sqrt(12), id="Uniform"),
        pytest.param(nn.TruncatedNormal(1.0, 2.0), 1.0, 2 * 0.87963, id="TruncatedNormal"),
        pytest.param(nn.LogNormal(0.0, 0.5), np.exp(0.125), np.sqrt(np.expm1(0.25) * np.exp(0.25)), id="LogNormal"),
        pytest.param(nn.Binomial(10, 0.3), 3.0, np.sqrt(2.1), id="Binomial"),
    ],
)
def test_distribution(distribution, mean, std):
    values = draw(distribution, LARGE)
    assert values.mean() == pytest.approx(mean, rel=0.02)
    assert values.std() == pytest.approx(std, rel=0.02)


@pytest.mark.parametrize("mode, n", [("fan_in", 40), ("fan_out", 60), ("fan_avg", 50)])
@pytest.mark.parametrize(
    "distribution, limit", [("normal", None), ("truncated_normal", 2 / 0.87963), ("uniform", np.sqrt(3))]
)
def test_variance_scaling(mode, n, distribution, limit):
    weights = draw(nn.VarianceScaling(2.0, mode, distribution), LARGE)
    std = np.sqrt(2.0 / n)
    assert weights.std() == pytest.approx(std, rel=0.01)
    assert abs(weights.mean()) < 0.01 * std
    if limit is None:
        assert abs(weights).max() > 4 * std
    else:
        assert 0.97 * limit * std <= abs(weights).max() <= limit * std * (1 + 1e-4)


@pytest.mark.parametrize(
    "alias, name",
    [
        ("glorot_normal", "xavier"),
        ("glorot_uniform", "xavier_uniform"),
        ("he_normal", "relu"),
        ("he_uniform", "relu_uniform"),
        ("orthogonal", nn.Orthogonal()),
        ("var_scaling_normal_fan_in", nn.VarianceScaling()),
    ],
)
def test_one_initializer_by_two_names(alias, name):
    np.testing.assert_array_equal(draw(alias), draw(name))


def test_orthogonal_weights_of_a_recurrent_layer():
    layers = [nn.LSTM(5, recurrent_weight_init="orthogonal"), nn.RnnOutputLayer(2)]
    net = nn.MultiLayerNetwork(layers, input_type=nn.InputType.recurrent(3), dtype="float64")
    weights = np.asarray(net.param_table()["0_RW"])
    np.testing.assert_allclose(weights @ weights.T, np.eye(5), atol=1e-12)


def test_truncated_normal_stays_within_two_deviations():
    assert abs(draw(nn.TruncatedNormal(1.0, 2.0), LARGE) - 1.0).max() <= 4.0


@pytest.mark.parametrize("shape", [(6, 9), (9, 6), (5, 2, 3, 3)])
def test_orthogonal(shape):
    matrix = draw(nn.Orthogonal(gain=2.0), Parameter("W", shape, 1, 1)).reshape(shape[0], -1)
    gram = matrix @ matrix.T if matrix.shape[0] <= matrix.shape[1] else matrix.T @ matrix
    np.testing.assert_allclose(gram, 4 * np.eye(min(matrix.shape)), atol=1e-12)


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: nn.Normal(0.0, -1.0), "std must be at least 0, given -1.0"),
        (lambda: nn.Uniform(1.0, 0.0), "high must be at least 1, given 0.0"),
        (lambda: nn.Binomial(0, 0.5), "trials must be a whole number of at least 1, given 0"),
        (lambda: nn.Binomial(3, 1.5), "p must be between 0 and 1, given 1.5"),
        (lambda: nn.VarianceScaling(0), "scale must be above 0, given 0; use Constant"),
        (lambda: nn.VarianceScaling(-1.0), "scale must be at least 0, given -1.0"),
        (lambda: nn.VarianceScaling(1.0, "fan_inn"), "unknown mode 'fan_inn'. Did you mean 'fan_in'"),
        (lambda: nn.VarianceScaling(1.0, "fan_in", "gauss"), "unknown distribution 'gauss'.*Known: normal"),
        (lambda: nn.Constant(float("nan")), "value must be a finite number, given nan"),
        (lambda: nn.DenseLayer(3, weight_init="xaver"), "unknown weight_init 'xaver'. Did you mean 'xavier'"),
    ],
)
def test_bad_settings_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


class Alternating(nn.Distribution):
    """1 and -1 in turns."""

    def __call__(self, rng, parameter, dtype):
        signs = nd.where(nd.arange(np.prod(parameter.shape)) % 2 == 0, 1, -1)
        return nd.astype(signs.reshape(parameter.shape), dtype)


def test_a_distribution_of_the_caller_s_own():
    layers = [nn.OutputLayer(2, weight_init=Alternating())]
    net = nn.MultiLayerNetwork(layers, input_type=nn.InputType.feed_forward(3))
    assert net.param_table()["0_W"].tolist() == [[1.0, -1.0]] * 3
