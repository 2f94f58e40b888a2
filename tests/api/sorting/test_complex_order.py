"""Complex numbers in order, by their real parts, then by the imaginary ones, give what NumPy's give."""

import numpy as np
import pytest

import nd4py as nd


def numbers(n, dtype="complex128", has_nan=False):
    rng = np.random.default_rng(n)
    z = (rng.integers(-3, 4, n) + 1j * rng.integers(-3, 4, n)).astype(dtype)
    if has_nan:
        z.real[rng.random(n) < 0.2] = np.nan
        z.imag[rng.random(n) < 0.2] = np.nan
    return z


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("n", [1, 2, 7, 300])
def test_sorts_and_searches(n, dtype):
    z = numbers(n, dtype)
    x, ordered, k = nd.asarray(z), np.sort(z), n // 2
    got = nd.sort(x)
    assert got.dtype == dtype
    np.testing.assert_array_equal(got, ordered)
    np.testing.assert_array_equal(nd.argsort(x), np.argsort(z, kind="stable"))
    np.testing.assert_array_equal(nd.sort(x, descending=True), ordered[::-1])
    np.testing.assert_array_equal(nd.topk(x, k).values, ordered[::-1][:k])
    np.testing.assert_array_equal(nd.lexsort((x, x.real)), np.lexsort((z, z.real)))
    assert nd.partition(x, k)[k].item() == z[np.asarray(nd.argpartition(x, k))][k] == ordered[k]
    for side in ("left", "right"):
        np.testing.assert_array_equal(nd.searchsorted(got, x, side=side), np.searchsorted(ordered, z, side=side))
    np.testing.assert_array_equal(nd.median(x), np.median(z))


def test_axes():
    z = numbers(24).reshape(2, 3, 4)
    for axis in (0, 1, 2, None):
        np.testing.assert_array_equal(nd.sort(nd.asarray(z), axis=axis), np.sort(z, axis=axis))
        np.testing.assert_array_equal(nd.median(nd.asarray(z), axis=axis), np.median(z, axis=axis))


def test_nan_comes_last():
    nan = np.nan
    z = np.asarray([nan + 1j, complex(2, nan), complex(nan, nan), 3, nan - 1j, complex(1, nan), 1 + 1j, 1 - 1j])
    np.testing.assert_array_equal(nd.argsort(nd.asarray(z)), [7, 6, 3, 5, 1, 4, 0, 2])
    np.testing.assert_array_equal(np.argsort(z, kind="stable"), [7, 6, 3, 5, 1, 4, 0, 2])
    assert np.isnan(nd.median(nd.asarray(z)).item())
    long = numbers(500, has_nan=True)
    np.testing.assert_array_equal(nd.argsort(nd.asarray(long)), np.argsort(long, kind="stable"))


def test_gradients():
    z = nd.asarray([3 + 1j, 1, 2j])
    assert nd.grad(lambda z: nd.sum(nd.real(nd.sort(z)[:1])))(z).tolist() == [0, 0, 1]
    assert nd.grad(lambda z: nd.sum(nd.real(nd.partition(z, 1)[2:])))(z).tolist() == [1, 0, 0]
