"""Random numbers follow their distributions: Kolmogorov & Smirnov's test, chi-square for counts, with fixed seeds."""

import math

import numpy as np
import pytest
from scipy import stats

import nd4py as nd

N = 200_000
ENOUGH = 1e-4  # of a right generator, one test in 10,000 falls below; the seeds here are fixed

REAL = {
    "uniform": (lambda rng, **k: rng.uniform(-2.0, 3.0, (N,), **k), stats.uniform(-2.0, 5.0)),
    "random": (lambda rng, **k: rng.random((N,), **k), stats.uniform()),
    "normal": (lambda rng, **k: rng.normal(3.0, 0.5, (N,), **k), stats.norm(3.0, 0.5)),
    "standard_normal": (lambda rng, **k: rng.standard_normal((N,), **k), stats.norm()),
    "exponential": (lambda rng, **k: rng.exponential(2.5, (N,), **k), stats.expon(scale=2.5)),
    "laplace": (lambda rng, **k: rng.laplace(1.0, 2.0, (N,), **k), stats.laplace(1.0, 2.0)),
    "gumbel": (lambda rng, **k: rng.gumbel(-1.0, 2.0, (N,), **k), stats.gumbel_r(-1.0, 2.0)),
    **{f"gamma-{shape}": (lambda rng, shape=shape, **k: rng.gamma(shape, 2.0, (N,), **k), stats.gamma(shape, scale=2.0))
       for shape in (0.05, 0.5, 0.999, 1.0, 2.5, 40.0, 1e6)},
    **{f"beta-{a}-{b}": (lambda rng, a=a, b=b, **k: rng.beta(a, b, (N,), **k), stats.beta(a, b))
       for a, b in ((0.2, 0.3), (0.5, 5.0), (1.0, 1.0), (3.0, 2.0), (200.0, 100.0))},
}  # fmt: skip


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", REAL)
def test_real_numbers(name, dtype):
    draw, distribution = REAL[name]
    x = draw(nd.random.Generator(11), dtype=dtype)
    assert x.dtype == dtype
    x = np.asarray(x).astype("float64")
    if (x == 0).sum() < 10:
        assert stats.kstest(x, distribution.cdf).pvalue > ENOUGH
    else:  # numbers too small for the dtype
        assert abs((x == 0).mean() - distribution.cdf(float(np.finfo(dtype).smallest_subnormal) / 2)) < 1e-3
    assert abs(x.mean() - distribution.mean()) < 5 * distribution.std() / math.sqrt(N)
    assert abs(np.corrcoef(x[:-1], x[1:])[0, 1]) < 5 / math.sqrt(N)


INFINITE = math.inf
CUTS = [
    (-2.0, 2.0), (-0.5, 0.3), (0.0, INFINITE), (-INFINITE, 0.0), (-INFINITE, INFINITE), (-INFINITE, 1.0), (0.5, 0.6),
    (1.0, 1.5), (3.0, 4.0), (5.0, INFINITE), (-INFINITE, -8.0), (-9.0, -8.0), (-1.0, 10.0), (-3.0, 0.1), (30.0, 31.0),
]  # fmt: skip


@pytest.mark.parametrize("low, high", CUTS)
def test_truncated_normal(low, high):
    mean, std = -1.5, 3.0
    x = nd.random.Generator(12).truncated_normal(mean + std * low, mean + std * high, mean, std, (N,))
    z = (np.asarray(x) - mean) / std
    assert z.min() >= low - 1e-12
    assert z.max() <= high + 1e-12
    assert stats.kstest(z, stats.truncnorm(low, high).cdf).pvalue > ENOUGH


def test_truncated_normal_far_out():
    """Above 1e6 standard deviations the distance from the end is exponential, of rate 1e6."""
    x = np.asarray(nd.random.Generator(13).truncated_normal(1e6, math.inf, shape=(N,)))
    assert stats.kstest((x - 1e6) * 1e6, stats.expon().cdf).pvalue > ENOUGH
    ends = nd.random.Generator(13).truncated_normal(1e300, 2e300, 0.0, 1e-300, (5,))
    assert ends.tolist() == [1e300] * 5
    assert nd.random.Generator(13).truncated_normal(2.0, 2.0, shape=(3,)).tolist() == [2.0] * 3
    assert nd.random.Generator(13).truncated_normal(-1e200, math.inf, 0.0, 1.0, (3,)).shape == (3,)


def test_tails_reach_far():
    """What 2**24 or 2**53 steps of a uniform number would cut off."""
    rng = nd.random.Generator(14)
    n = 20_000_000
    for x, expected in (
        (rng.normal(size=(n,), dtype="float32"), stats.norm.isf(1 / n)),
        (rng.exponential(shape=(n,), dtype="float32"), stats.expon.isf(1 / n)),
        (rng.gumbel(shape=(n,), dtype="float32"), stats.gumbel_r.isf(1 / n)),
    ):
        assert float(nd.max(x)) > expected - 2.5
    tiny = np.asarray(rng.gamma(0.01, 1.0, (100_000,)))
    assert tiny.min() == 0 or tiny.min() < 1e-290
    extreme = np.asarray(rng.beta(0.01, 0.01, (100_000,)))
    assert (extreme > 0).mean() > 0.99
    assert abs((extreme < 0.5).mean() - 0.5) < 0.01


def chi_square(x, pmf):
    """The p-value of counts against the probabilities of 0, 1, 2 ...; rare values are put together."""
    low, high = int(x.min()), int(x.max())
    values = np.arange(low, high + 1)
    expected = pmf(values) * x.size
    counts = np.bincount(x - low, minlength=values.size)
    common = expected > 10
    counts = np.append(counts[common], counts[~common].sum())
    expected = np.append(expected[common], x.size - expected[common].sum())
    if expected[-1] < 5:
        counts[-2] += counts[-1]
        expected[-2] += expected[-1]
        counts, expected = counts[:-1], expected[:-1]
    if counts.size == 1:
        return 1.0
    return stats.chisquare(counts, expected * counts.sum() / expected.sum()).pvalue


@pytest.mark.parametrize("mean", [0.0, 1e-3, 0.5, 3.0, 9.99, 10.0, 12.5, 80.0, 1234.5, 1e6])
def test_poisson(mean):
    x = np.asarray(nd.random.Generator(15).poisson(mean, (N,)))
    assert x.dtype == "int64"
    assert chi_square(x, stats.poisson(mean).pmf) > ENOUGH
    assert abs(x.mean() - mean) <= 5 * math.sqrt(mean / N)


@pytest.mark.parametrize(
    "n, p",
    [(0, 0.5), (1, 0.3), (10, 0.0), (10, 1.0), (10, 0.3), (10, 0.9), (19, 0.5), (20, 0.5), (40, 0.26), (100, 0.75),
     (1000, 0.02), (1000, 0.5), (10**6, 1e-6), (10**6, 0.3), (10**6, 1 - 1e-5)],
)  # fmt: skip
def test_binomial(n, p):
    x = np.asarray(nd.random.Generator(16).binomial(n, p, (N,)))
    assert x.dtype == "int64"
    assert x.min() >= 0
    assert x.max() <= n
    assert chi_square(x, stats.binom(n, p).pmf) > ENOUGH
    assert abs(x.mean() - n * p) <= 5 * math.sqrt(n * p * (1 - p) / N)


def test_huge_counts_are_normal():
    """Where log(k!) has lost its digits."""
    mean = 2.0**50
    x = np.asarray(nd.random.Generator(17).poisson(mean, (N,))).astype("float64")
    assert stats.kstest((x - mean) / math.sqrt(mean), stats.norm.cdf).pvalue > ENOUGH
    x = np.asarray(nd.random.Generator(17).binomial(2**52, 0.25, (N,))).astype("float64")
    assert stats.kstest((x - 2.0**50) / math.sqrt(2.0**50 * 0.75), stats.norm.cdf).pvalue > ENOUGH


@pytest.mark.parametrize("p", [0.0, 1e-4, 0.3, 0.5, 1 - 1e-4, 1.0])
def test_bernoulli(p):
    x = np.asarray(nd.random.Generator(18).bernoulli(p, (N,)))
    assert x.dtype == bool
    assert abs(x.mean() - p) <= 5 * math.sqrt(p * (1 - p) / N)


def test_bernoulli_looks_behind_32_bits():
    """Half of the numbers whose first 32 bits equal those of p are below it."""
    seed, n = 19, 1_000_000
    words = np.asarray(nd.random.Generator(seed).integers(0, 2**32, (n,), dtype="uint32")).astype("float64")
    for i in range(8):
        exact = nd.random.Generator(seed).bernoulli((words[i] + 1) / 2**32, (i + 1,))
        below = nd.random.Generator(seed).bernoulli(words[i] / 2**32, (i + 1,))
        assert (bool(exact[i]), bool(below[i])) == (True, False)
    halves = np.asarray(nd.random.Generator(seed).bernoulli((words + 0.5) / 2**32))
    assert abs(halves.mean() - 0.5) < 5 * 0.5 / math.sqrt(n)


# Arrays of parameters: element i is what a scalar draw gives at position i.


@pytest.mark.parametrize(
    "name, parameters",
    [
        ("exponential", ([0.0, 1.0, 2.0, 1e-3],)),
        ("laplace", ([0.0, 1.0, -2.0, 5.0], [1.0, 2.0, 3.0, 0.0])),
        ("gumbel", ([0.0, 1.0, -2.0, 5.0], [1.0, 2.0, 3.0, 0.0])),
        ("gamma", ([0.3, 1.0, 2.5, 40.0], [1.0, 2.0, 0.5, 1.0])),
        ("beta", ([0.3, 1.0, 2.5, 40.0], [1.0, 2.0, 0.5, 1.0])),
        ("truncated_normal", ([-1, 3, 0.1, -2], [2, 4, 0.2, -1], [0, 0.5, 0, 1], [1, 2, 1, 3])),
        ("poisson", ([0.0, 3.0, 10.0, 500.0],)),
        ("binomial", ([5, 10, 1000, 10**6], [0.5, 1.0, 0.3, 0.999])),
        ("bernoulli", ([0.0, 0.2, 0.8, 1.0],)),
    ],
)  # fmt: skip
def test_parameters_may_be_arrays(name, parameters):
    n = 1200
    positions = np.arange(n) % 4
    given = [nd.asarray(np.asarray(values)[positions]) for values in parameters]
    mixed = getattr(nd.random.Generator(20), name)(*given).tolist()
    for i in range(4):
        one = getattr(nd.random.Generator(20), name)(*(values[i] for values in parameters), size=(n,)).tolist()
        assert mixed[i::4] == one[i::4]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_uniform_and_normal_take_arrays(dtype):
    rng = lambda: nd.random.Generator(21)  # noqa: E731
    low, high = np.asarray([0.0, -3.0, 5.0]), np.asarray([1.0, 3.0, 5.0])
    x = np.asarray(rng().uniform(low, high, (400, 3), dtype=dtype))
    assert ((x >= low) & (x <= high)).all()
    assert (x[:, 0] == np.asarray(rng().uniform(0.0, 1.0, (400, 3), dtype=dtype))[:, 0]).all()
    assert (x[:, 1] == np.asarray(rng().uniform(-3.0, 3.0, (400, 3), dtype=dtype))[:, 1]).all()
    assert (x[:, 2] == 5).all()
    z = np.asarray(rng().normal(low, high, (400, 3), dtype=dtype))
    assert (z[:, 1] == np.asarray(rng().normal(-3.0, 3.0, (400, 3), dtype=dtype))[:, 1]).all()


def test_parameters_broadcast():
    rng = nd.random.Generator(22)
    column, row = nd.ones((3, 1)), nd.ones((2,), dtype="float32")
    assert rng.gamma(column, row).shape == (3, 2)
    assert rng.normal(loc=column, scale=1.0).shape == (3, 1)
    assert rng.normal(column, row, (4, 3, 2)).shape == (4, 3, 2)
    assert rng.poisson(nd.ones((2, 3), dtype="int32").T[::-1]).shape == (3, 2)
    assert rng.exponential([1.0, 2.0]).shape == (2,)
    assert rng.exponential(nd.asarray(2.0)).shape == ()
    assert rng.beta(nd.ones((0, 3)), 1.0).shape == (0, 3)
    assert rng.binomial(nd.asarray([10]), 0.5, (2, 0)).shape == (2, 0)


@pytest.mark.parametrize(
    "error, message, call",
    [
        (ValueError, "broadcast to shape", lambda rng: rng.gamma(nd.ones(3), 1.0, (2,))),
        (TypeError, "size must be.*given 0.0; pass parameters by keyword", lambda rng: rng.normal(1.0, (2,), 0.0)),
        (ValueError, "gamma: shape.*> 0.*0.0", lambda rng: rng.gamma(0.0)),
        (ValueError, "gamma: shape.*from -1", lambda rng: rng.gamma([1.0, -1.0])),
        (ValueError, "scale.*>= 0", lambda rng: rng.exponential(-1.0)),
        (ValueError, "scale.*nan", lambda rng: rng.exponential([1.0, math.nan])),
        (ValueError, "loc.*finite", lambda rng: rng.laplace(math.inf)),
        (ValueError, "b must be", lambda rng: rng.beta(1.0, 0.0)),
        (ValueError, "probability", lambda rng: rng.bernoulli(1.5)),
        (ValueError, "probability.*nan", lambda rng: rng.binomial(3, math.nan)),
        (ValueError, "whole number of trials", lambda rng: rng.binomial(2.5, 0.5)),
        (ValueError, r"2\*\*52", lambda rng: rng.binomial(2**53, 0.5)),
        (ValueError, r"2\*\*52", lambda rng: rng.poisson(1e17)),
        (ValueError, r"2\*\*52", lambda rng: rng.poisson(-1.0)),
        (ValueError, "at least 0", lambda rng: rng.truncated_normal(2.0, 1.0)),
        (ValueError, "scale.*> 0", lambda rng: rng.truncated_normal(0.0, 1.0, 0.0, 0.0)),
        (ValueError, "below infinity", lambda rng: rng.truncated_normal(math.inf, math.inf)),
        (ValueError, "above -infinity", lambda rng: rng.truncated_normal(-math.inf, -math.inf)),
        (ValueError, "nan", lambda rng: rng.truncated_normal(math.nan, 1.0)),
        (TypeError, "must be a number.*'a'", lambda rng: rng.poisson("a")),
        (TypeError, "real dtype.*bool", lambda rng: rng.poisson(nd.asarray([True]))),
        (TypeError, "int32", lambda rng: rng.gamma(1.0, dtype="int32")),
        (TypeError, "float16.*astype", lambda rng: rng.beta(1.0, 1.0, dtype="float16")),
    ],
)
def test_wrong_parameters_are_refused(error, message, call):
    rng = nd.random.Generator(1)
    before = rng.state
    with pytest.raises(error, match=message):
        call(rng)
    assert rng.state == before


def test_gradients_do_not_flow_through_a_draw():
    def loss(mean):
        return nd.sum(nd.random.Generator(1).normal(size=(3,), loc=mean))

    with pytest.raises(NotImplementedError, match="gradients do not flow"):
        nd.grad(loss)(nd.ones(3))
