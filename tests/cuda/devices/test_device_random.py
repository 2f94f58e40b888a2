"""Random numbers on a device: the bits of the host, from the same place in the stream."""

import numpy as np
import pytest
from device_training import numpy_of

import nd4py as nd

pytestmark = pytest.mark.usefixtures("simulator")

RNG = np.random.default_rng(3)
SMALL, PLACES = RNG.uniform(0.05, 1, 301), RNG.normal(size=301)
MEANS, CHANCES = RNG.uniform(0, 40, 301), RNG.uniform(0, 1, 301)
COUNTS = RNG.integers(0, 200, 301)
SHARES = np.asarray([0.1, 0.4, 0.0, 0.25, 0.25])
LOGITS = RNG.normal(size=(3, 7))
SLICES = np.arange(60.0).reshape(20, 3)

# What is drawn, by generator `g`; `a` makes an array of parameters where the numbers are drawn.
DRAWS = {
    "random": lambda g, a, **at: g.random((3, 50), **at),
    "uniform": lambda g, a, **at: (g.uniform(-2.0, 3.0, (7,), **at), g.uniform(a(-SMALL), a(SMALL), **at)),
    "uniform float32": lambda g, a, **at: g.uniform(a(-SMALL), 2.0, (301,), dtype="float32", **at),
    "standard_normal": lambda g, a, **at: g.standard_normal(77, **at),
    "normal": lambda g, a, **at: (g.normal(1.0, 2.0, (5, 3), **at), g.normal(loc=a(PLACES), scale=a(SMALL), **at)),
    "normal float32": lambda g, a, **at: g.normal(a(PLACES), 3.0, (2, 301), dtype="float32", **at),
    "truncated_normal": lambda g, a, **at: (
        g.truncated_normal(1.0, 2.0, shape=99, **at), g.truncated_normal(-9.0, 9.0, shape=99, **at),
        g.truncated_normal(4.0, np.inf, -1.0, 0.5, shape=99, dtype="float32", **at),
        g.truncated_normal(a(PLACES - 1), a(PLACES + 2), a(PLACES), a(SMALL), **at),
    ),
    "exponential": lambda g, a, **at: (g.exponential(2.0, 99, **at), g.exponential(a(SMALL), dtype="float32", **at)),
    "laplace": lambda g, a, **at: (g.laplace(1.0, 2.0, 99, **at), g.laplace(a(PLACES), a(SMALL), **at)),
    "gumbel": lambda g, a, **at: (g.gumbel(1.0, 2.0, 99, **at), g.gumbel(a(PLACES), a(SMALL), **at)),
    "gamma": lambda g, a, **at: (
        g.gamma(0.3, 2.0, 99, **at), g.gamma(5.0, size=99, dtype="float32", **at),
        g.gamma(a(SMALL * 3), a(SMALL), **at),
    ),
    "beta": lambda g, a, **at: (
        g.beta(0.5, 0.01, 99, **at), g.beta(2.0, 3.0, 99, dtype="float32", **at), g.beta(a(SMALL * 3), 2.0, **at)
    ),
    "integers": lambda g, a, **at: (
        g.integers(-3, 4, (3, 50), **at), g.integers(200, shape=50, dtype="uint8", **at),
        g.integers(-(2**63), 2**63 - 1, 50, **at), g.integers(0, 2**62 + 9, 50, **at),
    ),
    "bernoulli": lambda g, a, **at: (g.bernoulli(0.3, 99, **at), g.bernoulli(a(CHANCES), **at)),
    "binomial": lambda g, a, **at: (
        g.binomial(20, 0.3, 99, **at), g.binomial(10**6, 0.7, 99, **at), g.binomial(a(COUNTS), a(CHANCES), **at)
    ),
    "poisson": lambda g, a, **at: (g.poisson(3.0, 99, **at), g.poisson(1e5, 99, **at), g.poisson(a(MEANS), **at)),
    "multinomial": lambda g, a, **at: (g.multinomial(1000, a(SHARES), (4, 3), **at), g.multinomial(0, [1.0], **at)),
    "categorical": lambda g, a, **at: (
        g.categorical(a(LOGITS), shape=40, **at), g.categorical(p=a(SHARES), shape=40, **at),
        g.categorical(np.zeros((0, 2)), **at),
    ),
    "permutation": lambda g, a, **at: [g.permutation(n, **at) for n in (0, 1, 2, 3, 100, 1000)],
    "permutation of slices": lambda g, a, **at: g.permutation(a(SLICES)),
    "choice": lambda g, a, **at: (
        g.choice(9, (4, 5), **at), g.choice(9, 9, replace=False, **at), g.choice(10**5, 400, replace=False, **at),
        g.choice(300, 14, replace=False, **at), g.choice(5, 30, p=a(SHARES), **at), g.choice(a(SLICES), (2, 3)),
        g.choice(5, 4, replace=False, p=a(SHARES), **at), g.choice(4, 0, replace=False, **at),
    ),
}  # fmt: skip


def arrays_of(drawn):
    return list(drawn) if isinstance(drawn, tuple | list) else [drawn]


@pytest.mark.parametrize("name", DRAWS)
def test_devices_draw_the_bits_of_the_host(name):
    there, here = nd.random.Generator(5), nd.random.Generator(5)
    found = DRAWS[name](there, lambda x: nd.asarray(x, device="cuda:1"), device="cuda:1")
    wanted = DRAWS[name](here, nd.asarray)
    for got, want in zip(arrays_of(found), arrays_of(wanted), strict=True):
        assert (got.device, got.shape, got.dtype) == ("cuda:1", want.shape, want.dtype)
        np.testing.assert_array_equal(numpy_of(got), np.asarray(want))
    assert there.state == here.state


# Of those above and of elementwise functions.
COMPOSED = {
    *("bytes", "chisquare", "dirichlet", "f", "geometric", "logistic", "lognormal", "logseries", "multivariate_normal"),
    *("negative_binomial", "noncentral_chisquare", "noncentral_f", "pareto", "permuted", "power", "rand", "randint"),
    *("randn", "random_integers", "random_sample", "ranf", "rayleigh", "sample", "shuffle", "standard_cauchy"),
    *("standard_exponential", "standard_gamma", "standard_t", "triangular", "vonmises", "wald", "weibull", "zipf"),
}


def test_every_distribution_is_drawn_there():
    """A function that is added to nd.random draws on devices too, or this says that it does not."""
    about = {"Generator", "RandomState", "default_rng", "seed", "get_state", "set_state"}
    about |= {
        "BitGenerator",
        "MT19937",
        "PCG64",
        "PCG64DXSM",
        "Philox",
        "SFC64",
        "SeedSequence",
    }  # seeds
    about |= {"hypergeometric", "multivariate_hypergeometric"}  # of the host
    assert {name.split()[0] for name in DRAWS} == set(nd.random.__all__) - about - COMPOSED


def test_samples_from_long_lists_differ_in_all_elements():
    drawn = numpy_of(nd.random.Generator(1).choice(2**40, 3000, replace=False, device="cuda:0"))
    assert np.unique(drawn).size == 3000
    assert drawn.min() >= 0
    assert drawn.max() < 2**40


@pytest.mark.parametrize("order", [("reverse", 0), ("random", 4)])
def test_shuffles_do_not_depend_on_the_order_of_threads(simulator, order):
    want = (
        np.asarray(nd.random.Generator(8).permutation(700)),
        np.asarray(nd.random.Generator(8).choice(9**9, 700, False)),
    )
    simulator.schedule(*order)
    try:
        got = [
            numpy_of(nd.random.Generator(8).permutation(700, device="cuda:0")),
            numpy_of(nd.random.Generator(8).choice(9**9, 700, False, device="cuda:0")),
        ]
    finally:
        simulator.schedule("forward", 0)
    for x, y in zip(got, want, strict=True):
        np.testing.assert_array_equal(x, y)


def test_the_default_device_draws():
    with nd.device("cuda:1"):
        assert nd.random.normal(size=(3,)).device == "cuda:1"
        assert nd.random.permutation(4).device == "cuda:1"
        assert nd.random.gamma([1.0, 2.0]).device == "cuda:1"
        assert nd.random.uniform(size=(3,), device="cpu").device == "cpu"
        host = nd.zeros(3, device="cpu")
        assert nd.random.normal(loc=host).device == "cpu"  # where its parameter is
    assert nd.random.normal(loc=nd.zeros(3, device="cuda:0")).device == "cuda:0"
    before = nd.set_default_device("cuda:0")
    try:
        assert nd.random.choice(4, 2).device == "cuda:0"
    finally:
        nd.set_default_device(before)
    assert nd.random.normal(size=(3,)).device == "cpu"


def test_wrong_arguments_are_errors_of_the_host():
    there = nd.zeros(2, device="cuda:1")
    generator = nd.random.Generator(1)
    with pytest.raises(ValueError, match="uniform: parameters on cpu for numbers on cuda:0; bring them together"):
        generator.uniform(nd.zeros(2), 1.0, (2,), device="cuda:0")
    with pytest.raises(ValueError, match="parameters on cpu and cuda:1"):
        generator.normal(loc=nd.zeros(2), scale=there)
    with pytest.raises(ValueError, match="choice: parameters on cuda:1 for numbers on cpu"):
        generator.choice(there, 2, device="cpu")
    with pytest.raises(ValueError, match="normal: scale must be finite and >= 0, given -1.0"):
        generator.normal(scale=there - 1)
    with pytest.raises(ValueError, match="categorical: p must add up to 1, given a sum of 0.0"):
        generator.categorical(p=there)
    with pytest.raises(ValueError, match="device 'tpu' is not available"):
        generator.integers(9, device="tpu")
    with pytest.raises(TypeError, match="integers: draws integer dtypes, given float32"):
        generator.integers(9, dtype="float32", device="cuda:0")
    assert generator.state["offset"] == 0
