"""Comparisons, extremes and sinc of complex numbers give what NumPy's give: in order of their parts."""

import itertools

import numpy as np
import pytest

import nd4py as nd

NAN = float("nan")
PARTS = (-1.0, -0.0, 0.0, 2.0, float("inf"), -float("inf"), NAN)
COMPARISONS = ("less", "less_equal", "greater", "greater_equal")
EXTREMES = ("maximum", "minimum", "fmax", "fmin")
REDUCTIONS = ("max", "min", "argmax", "argmin", "nanmax", "nanmin")


def every_pair(dtype):
    """All numbers of these parts beside all others."""
    z = np.asarray([complex(*parts) for parts in itertools.product(PARTS, PARTS)], dtype)
    return np.repeat(z, z.size), np.tile(z, z.size)


def same(got, want):
    np.testing.assert_array_equal(np.asarray(got), want)
    assert got.dtype == want.dtype


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("name", COMPARISONS + EXTREMES)
def test_pairs(name, dtype):
    left, right = every_pair(dtype)
    with np.errstate(all="ignore"):
        want = getattr(np, name)(left, right)
    got = getattr(nd, name)(nd.asarray(left), nd.asarray(right))
    if name in EXTREMES:  # of two NaNs NumPy gives one or the other
        is_nan = np.isnan(want)
        np.testing.assert_array_equal(np.isnan(np.asarray(got)), is_nan)
        want, got = np.where(is_nan, 0, want), nd.where(nd.asarray(is_nan), 0, got)
    same(got, want)


@pytest.mark.parametrize("name", COMPARISONS + EXTREMES)
def test_numbers_and_arrays_of_real_numbers(name):
    z = np.asarray([1 + 2j, 2, 1 - 1j, 3j])
    x, function, theirs = nd.asarray(z), getattr(nd, name), getattr(np, name)
    for other in (1, 1.0, 1 + 2j, -1j):
        same(function(x, other), theirs(z, other))
        same(function(other, x), theirs(other, z))
    real = np.asarray([[1.0], [2.0]])
    same(function(x, nd.asarray(real)), theirs(z, real))
    same(function(nd.asarray(real), 1j), theirs(real, 1j))


def test_operators():
    z, w = np.asarray([1 + 2j, 2, 1j]), np.asarray([1 + 1j, 2, 2j])
    x, y = nd.asarray(z), nd.asarray(w)
    for got, want in ((x < y, z < w), (x <= y, z <= w), (x > y, z > w), (x >= 1, z >= 1)):
        same(got, want)


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("name", REDUCTIONS)
def test_reductions(name, dtype):
    rng = np.random.default_rng(7)
    z = (rng.integers(-2, 3, (3, 4, 5)) + 1j * rng.integers(-2, 3, (3, 4, 5))).astype(dtype)
    for has_nan in (False, True):
        if has_nan:
            z[0, 1, 2], z[2, 3, 0] = complex(NAN, 1), complex(0, NAN)
        for axis in (None, 0, 1, -1) if name.startswith("arg") else (None, 0, 1, -1, (0, 2), (2, 1)):
            for keepdims in (False, True):
                with np.errstate(all="ignore"):
                    want = getattr(np, name)(z, axis=axis, keepdims=keepdims)
                same(getattr(nd, name)(nd.asarray(z), axis=axis, keepdims=keepdims), np.asarray(want))


def test_methods_and_ranges():
    z = np.asarray([[1 + 2j, 1 + 3j], [9j, 5]])
    x = nd.asarray(z)
    for name in ("max", "min", "argmax", "argmin"):
        same(getattr(x, name)(axis=0), getattr(z, name)(axis=0))
    same(nd.ptp(x), np.ptp(z))
    same(nd.maximum.reduce(x, axis=1), np.maximum.reduce(z, axis=1))
    same(nd.clip(x, 1, 4 + 1j), np.clip(z, 1, 4 + 1j))
    same(nd.clip(x, None, 2), np.clip(z, None, 2))


def test_no_elements():
    empty = nd.zeros((0, 3), dtype="complex128")
    for name in ("max", "argmin"):
        with pytest.raises(ValueError, match=f"{name}: no elements along axis 0"):
            getattr(nd, name)(empty, axis=0)
    assert nd.max(empty, axis=1).shape == (0,)


def test_errors_name_the_function():
    with pytest.raises(ValueError, match="^fmax: shapes"):
        nd.fmax(nd.zeros(3, dtype="complex64"), nd.zeros(2))


def test_gradients_reach_what_was_chosen():
    z, w = nd.asarray([3 + 1j, 1, 2j]), nd.asarray([3, 2 + 0j, 1j])
    assert nd.grad(lambda z: nd.sum(nd.real(nd.maximum(z, w))))(z).tolist() == [1, 0, 1]
    assert nd.grad(lambda z: nd.real(nd.max(z)))(z).tolist() == [1, 0, 0]


def test_sinc():
    z = np.asarray([1 + 2j, 0, 0.25j, -0.5 + 0.1j, 1.5])
    np.testing.assert_allclose(np.asarray(nd.sinc(nd.asarray(z))), np.sinc(z), rtol=1e-13)


def test_powers_of_2():
    z = np.asarray([1 + 2j, 0, 0.25j, -3.5 + 0.1j, 1.5, 20 - 1j])
    np.testing.assert_allclose(np.asarray(nd.exp2(nd.asarray(z))), np.exp2(z), rtol=1e-13)
    np.testing.assert_allclose(np.asarray(nd.exp2(nd.asarray(z.astype("complex64")))), np.exp2(z), rtol=1e-5)


def test_limits_in_a_histogram_need_real_numbers():
    with pytest.raises(TypeError, match="histogram: needs real numbers, given complex128"):
        nd.histogram(nd.asarray([1j]))


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("name", ["maximum", "minimum", "fmax", "fmin"])
def test_running_extremes(name, dtype):
    z = np.random.default_rng(3).integers(-2, 3, (4, 9)).astype(dtype)
    z.imag = np.random.default_rng(4).integers(-2, 3, (4, 9))
    for x in (z, z[:1], z[:, :1], z[:0]):
        for axis in (0, 1):
            same(getattr(nd, name).accumulate(nd.asarray(x), axis), getattr(np, name).accumulate(x, axis))
