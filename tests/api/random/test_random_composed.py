"""Distributions that are composed of others: NumPy's moments and quantiles, shapes and refusals."""

import inspect

import numpy as np
import numpy.testing as npt
import pytest

import nd4py as nd
from nd4py.random import Generator, RandomState

# Parameters of each distribution, several kinds where its formula branches.
CASES = {
    "lognormal": [(0.2, 0.5)],
    "standard_exponential": [()],
    "standard_gamma": [(3.0,), (0.3,)],
    "chisquare": [(5.0,), (0.5,)],
    "noncentral_chisquare": [(3.0, 2.0), (0.7, 0.0), (1.0, 9.0)],
    "f": [(5.0, 12.0)],
    "noncentral_f": [(5.0, 14.0, 2.0)],
    "standard_t": [(9.0,)],
    "logistic": [(1.0, 2.0)],
    "pareto": [(9.0,)],
    "power": [(3.0,), (0.4,)],
    "rayleigh": [(2.0,)],
    "weibull": [(1.5,), (0.8,)],
    "triangular": [(-1.0, 0.5, 3.0), (0.0, 0.0, 1.0), (0.0, 1.0, 1.0)],
    "wald": [(2.0, 3.0), (1.0, 0.2)],
    "vonmises": [(0.5, 2.0), (0.0, 0.0), (-2.0, 1e-6), (1.0, 50.0), (0.3, 1e7)],
    "geometric": [(0.3,), (1.0,), (0.01,)],
    "negative_binomial": [(5.0, 0.4), (0.5, 0.9), (3.0, 1.0)],
    "logseries": [(0.6,), (0.95,), (0.0,)],
    "zipf": [(6.0,), (2000.0,)],
}
WHOLE = {"geometric", "negative_binomial", "logseries", "zipf"}
N = 200_000


@pytest.mark.parametrize("name, parameters", [(name, given) for name, many in CASES.items() for given in many])
def test_moments_and_quantiles_are_numpys(name, parameters):
    got = np.asarray(getattr(Generator(7), name)(*parameters, size=N)).astype("float64")
    want = getattr(np.random.default_rng(7), name)(*parameters, size=N).astype("float64")
    deviation = max(want.std(), 1e-300)
    assert np.isfinite(got).all()
    assert abs(got.mean() - want.mean()) <= 6 * deviation / N**0.5 * 2
    levels = np.linspace(0.05, 0.95, 10)
    apart = np.abs(np.quantile(got, levels) - np.quantile(want, levels)).max()
    assert apart <= (1.0 if name in WHOLE and deviation < 50 else 0.05 * deviation)
    npt.assert_allclose(got.std(), want.std(), rtol=0.12, atol=1e-12)


@pytest.mark.parametrize("name", sorted(set(CASES) - {"standard_gamma"}))
def test_arguments_are_numpys_and_the_size_has_two_names(name):
    theirs = [p for p in inspect.signature(getattr(np.random.Generator, name)).parameters if p != "self"]
    own = inspect.signature(getattr(Generator, name)).parameters.values()
    ours = [p.name for p in own if p.name != "self" and p.kind is not p.KEYWORD_ONLY]
    assert ours == theirs[: len(ours)]
    parameters = CASES[name][0]
    by_size, by_shape = (getattr(Generator(3), name)(*parameters, **{key: (2, 3)}) for key in ("size", "shape"))
    assert by_size.shape == by_shape.shape == (2, 3)
    assert by_size.tolist() == by_shape.tolist()
    assert getattr(Generator(3), name)(*parameters).shape == ()
    assert by_size.dtype == ("int64" if name in WHOLE else "float64")
    assert getattr(nd.random, name)(*parameters, 4).shape == (4,)


@pytest.mark.parametrize("name", sorted(name for name, many in CASES.items() if many[0]))
def test_parameters_may_be_arrays_and_are_checked(name):
    arrays = [nd.full((3, 1), float(value)) for value in CASES[name][0]]
    draw = getattr(Generator(1), name)
    assert draw(*arrays).shape == (3, 1)
    assert draw(*arrays, size=(3, 4)).shape == (3, 4)
    for wrong in (float("nan"), -1e300 if name not in ("logistic", "lognormal", "vonmises", "triangular") else nd.inf):
        with pytest.raises(ValueError, match=name.removeprefix("standard_")):
            draw(wrong, *CASES[name][0][1:])
    with pytest.raises(NotImplementedError, match="gradients do not flow through a draw"):
        nd.grad(lambda x: nd.sum(draw(x, *CASES[name][0][1:]).astype("float64")))(arrays[0])


@pytest.mark.parametrize("name", sorted(set(CASES) - WHOLE))
def test_numbers_in_float32(name):
    x = getattr(Generator(1), name)(*CASES[name][0], size=100, dtype="float32")
    assert x.dtype == nd.float32
    with pytest.raises(TypeError, match="float32"):
        getattr(Generator(1), name)(*CASES[name][0], dtype="int32")


def test_threads_do_not_change_the_numbers():
    for name, (parameters, *_) in CASES.items():
        with nd.threads(1):
            one = getattr(Generator(11), name)(*parameters, size=50_000)
        assert nd.all(one == getattr(Generator(11), name)(*parameters, size=50_000))


def test_dirichlet():
    alpha = np.asarray([0.5, 2.0, 5.0])
    x = np.asarray(Generator(2).dirichlet(alpha, 50_000))
    npt.assert_allclose(x.sum(1), 1.0, rtol=1e-12)
    npt.assert_allclose(x.mean(0), alpha / alpha.sum(), atol=0.005)
    npt.assert_allclose(np.cov(x.T), np.cov(np.random.default_rng(2).dirichlet(alpha, 50_000).T), atol=2e-3)
    assert Generator(2).dirichlet([1.0, 1.0]).shape == (2,)
    tiny = np.asarray(Generator(2).dirichlet([1e-4, 1e-4, 1e-4], 1000))
    assert np.isfinite(tiny).all()
    for wrong in ([0.0, 1.0], 1.0, [[1.0]], []):
        with pytest.raises(ValueError, match="dirichlet: alpha"):
            Generator(2).dirichlet(wrong)


@pytest.mark.parametrize("method", ["svd", "eigh", "cholesky"])
def test_multivariate_normal(method):
    mean, cov = [1.0, -2.0, 0.0], np.asarray([[2.0, 0.5, 0.0], [0.5, 1.0, -0.3], [0.0, -0.3, 0.5]])
    x = np.asarray(Generator(5).multivariate_normal(mean, cov, (100, 500), method=method))
    assert x.shape == (100, 500, 3)
    npt.assert_allclose(x.reshape(-1, 3).mean(0), mean, atol=0.03)
    npt.assert_allclose(np.cov(x.reshape(-1, 3).T), cov, atol=0.03)
    assert Generator(5).multivariate_normal(mean, cov).shape == (3,)


def test_multivariate_normal_refuses_what_is_no_covariance():
    rng = Generator(1)
    for cov, words in [([[1.0, 2.0], [2.0, 1.0]], "negative eigenvalue"), ([[1.0, 0.5], [0.0, 1.0]], "symmetric"),
                       ([[1.0]], r"cov \(k, k\)")]:  # fmt: skip
        with pytest.raises(ValueError, match=words):
            rng.multivariate_normal([0.0, 0.0], cov)
    assert rng.multivariate_normal([0.0, 0.0], [[1.0, 2.0], [2.0, 1.0]], check_valid="ignore").shape == (2,)
    assert rng.multivariate_normal([0.0, 0.0], [[0.0, 0.0], [0.0, 0.0]], 3).tolist() == [[0.0, 0.0]] * 3


def test_shuffle_and_permuted_keep_the_elements():
    rng = Generator(9)
    for axis in (0, 1, -1):
        x = nd.arange(24).reshape(4, 6)
        rng.shuffle(x, axis)
        other = 1 - axis % 2
        assert nd.all(nd.sort(x, axis=axis) == nd.arange(24).reshape(4, 6))
        assert nd.all(nd.diff(x, axis=other) == (1 if other else 6))  # slices move as a whole
        y = nd.arange(24).reshape(4, 6)
        mixed = rng.permuted(y, axis=axis)
        assert nd.all(nd.sort(mixed, axis=axis) == y)
        assert rng.permuted(y, axis=axis, out=y) is y
        assert rng.permutation(nd.arange(24).reshape(4, 6), axis).shape == (4, 6)
    assert nd.sort(rng.permuted(nd.arange(6).reshape(2, 3)).reshape(-1)).tolist() == list(range(6))
    items = list("abcdef")
    rng.shuffle(items)
    assert sorted(items) == list("abcdef")
    with pytest.raises(TypeError, match="shuffle: needs an nd4py array or a list"):
        rng.shuffle((1, 2))
    with pytest.raises(ValueError, match="permuted: out"):
        rng.permuted([1, 2, 3], out=nd.zeros(2))


def test_every_order_is_as_likely():
    rng = Generator(4)
    counts = np.zeros(6)
    for _ in range(6000):
        x = nd.arange(3)
        rng.shuffle(x)
        counts[[(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)].index(tuple(x.tolist()))] += 1
    assert (abs(counts - 1000) < 150).all()


def test_choice_along_an_axis():
    x = nd.arange(12).reshape(3, 4)
    chosen = Generator(1).choice(x, 5, axis=1)
    assert chosen.shape == (3, 5)
    assert nd.all((chosen - chosen[:1]) == nd.asarray([[0], [4], [8]]))


def test_children_and_seeds():
    rng = Generator(5)
    first, second = rng.spawn(2)
    again = Generator(5).spawn(3)
    assert [child.state for child in (first, second, *rng.spawn(1))] == [child.state for child in again]
    assert len({child.state["seed"] for child in (rng, *again)}) == 4
    for seeds in ([1, 2], [2, 1], [1], (1, 2, 0), []):
        assert Generator(seeds).state == nd.random.default_rng(seeds).state
    assert len({Generator(seeds).state["seed"] for seeds in ([1, 2], [2, 1], [1], (1, 2, 0), [], 1)}) == 6
    assert Generator(np.asarray([1, 2])).state == Generator(nd.asarray([1, 2])).state == Generator([1, 2]).state
    for wrong in ([-1], [1.5], "12", [[1]], [-(2**64)]):
        with pytest.raises((TypeError, ValueError), match="seed"):
            Generator(wrong)


def test_older_names():
    rng = RandomState(3)
    assert rng.rand(2, 3).shape == rng.randn(2, 3).shape == (2, 3)
    assert rng.rand().shape == ()
    numbers = np.asarray(rng.randint(2, 5, 1000))
    assert set(numbers.tolist()) == {2, 3, 4}
    assert set(np.asarray(rng.random_integers(3, size=1000)).tolist()) == {1, 2, 3}
    assert rng.random_sample(3).tolist() == RandomState(3).random_sample(3).tolist() or rng.random_sample(3).shape == (
        3,
    )
    state = rng.get_state()
    first = rng.rand(4).tolist()
    rng.set_state(state)
    assert rng.rand(4).tolist() == first
    rng.seed([3, 4])
    assert rng.rand(4).tolist() == Generator([3, 4]).random(4).tolist()
    assert len(rng.bytes(5)) == 5
    assert nd.random.rand(2).shape == (2,)
