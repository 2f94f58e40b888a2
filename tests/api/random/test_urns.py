"""Draws without putting back: limits, means and deviations, and that a seed decides."""

import numpy as np
import pytest

import nd4py as nd


@pytest.mark.parametrize(
    "good, bad, n", [(30, 20, 10), (3, 100, 50), (5, 0, 3), (0, 5, 3), (7, 7, 14), (4, 4, 0), (10**5, 10**5, 1000)]
)
def test_hypergeometric(good, bad, n):
    x = np.asarray(nd.random.Generator(1).hypergeometric(good, bad, n, 20_000))
    assert x.dtype == np.int64
    assert x.min() >= max(0, n - bad)
    assert x.max() <= min(good, n)
    total = good + bad
    variance = n * good / total * bad / total * (total - n) / max(total - 1, 1)
    assert abs(x.mean() - n * good / total) <= 5 * (variance / x.size) ** 0.5
    assert abs(x.var() - variance) <= 0.1 * variance


def test_parameters_that_are_arrays():
    n = nd.asarray([0, 5, 10])
    x = nd.random.Generator(2).hypergeometric(30, 20, n, (4000, 3))
    assert x.shape == (4000, 3)
    np.testing.assert_allclose(np.asarray(x.mean(axis=0)), [0, 3, 6], atol=0.15)
    assert nd.random.Generator(2).hypergeometric(30, [[20], [5]], n).shape == (2, 3)
    assert nd.array_equal(nd.random.Generator(2).hypergeometric(30, 20, n, (4000, 3)), x)


def test_colors():
    x = nd.random.Generator(3).multivariate_hypergeometric([30, 0, 20, 10], 12, (5, 2000))
    assert x.shape == (5, 2000, 4)
    assert (x.sum(axis=-1) == 12).all()
    assert ((x >= 0) & (x <= nd.asarray([30, 0, 20, 10]))).all()
    np.testing.assert_allclose(np.asarray(x.mean(axis=(0, 1))), [6, 0, 4, 2], atol=0.1)
    assert nd.random.multivariate_hypergeometric([3, 4], 2, method="count").shape == (2,)
    assert nd.random.hypergeometric(3, 4, 2).shape == ()


@pytest.mark.parametrize(
    "error, call",
    [
        (ValueError, lambda g: g.hypergeometric(-1, 2, 1)),
        (ValueError, lambda g: g.hypergeometric(1, 2, 4)),
        (ValueError, lambda g: g.hypergeometric(10**9, 10**9, 10**9)),
        (ValueError, lambda g: g.hypergeometric([1, 2], 2, 1, (3,))),
        (TypeError, lambda g: g.hypergeometric(1.5, 2, 1)),
        (ValueError, lambda g: g.multivariate_hypergeometric([1, 2], 4)),
        (ValueError, lambda g: g.multivariate_hypergeometric([[1, 2]], 1)),
        (ValueError, lambda g: g.multivariate_hypergeometric([1, 2], 1, method="other")),
    ],
)
def test_mistakes(error, call):
    with pytest.raises(error, match="hypergeometric"):
        call(nd.random.Generator(1))
