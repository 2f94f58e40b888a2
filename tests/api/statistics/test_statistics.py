"""Variance, averages, covariance and the softmax family, against NumPy and SciPy's definitions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sampled_arrays import arrays, axes, check, check_gradient, numbers, silent_numpy

import nd4py as nd

RNG = np.random.default_rng(7)
MATRIX = RNG.normal(size=(3, 4, 5))


@pytest.mark.parametrize("name", ["var", "std"])
@given(data=st.data(), keepdims=st.booleans(), correction=st.sampled_from([0, 1, 0.5, 3]))
def test_spread(name, data, keepdims, correction):
    x = data.draw(arrays(numbers(has_nan=True)))
    axis = data.draw(axes(x.ndim))
    got = getattr(nd, name)(nd.asarray(x), axis, correction=correction, keepdims=keepdims)
    n = x.size if axis is None else int(np.prod([x.shape[i] for i in np.atleast_1d(axis).astype(int)]))
    with silent_numpy():
        want = getattr(np, name)(x, axis=axis, ddof=correction, keepdims=keepdims)
    if n <= correction:
        want = np.full(np.shape(want), np.nan)
    check(got, want, 1e-11, 1e-11)


def test_spread_takes_numpys_names():
    x = nd.asarray(MATRIX)
    check(nd.var(x, 1, ddof=1), MATRIX.var(1, ddof=1))
    check(nd.std(x, axis=(0, 2), ddof=1), MATRIX.std((0, 2), ddof=1))
    check(nd.var(x, [0, 1]), MATRIX.var((0, 1)))


@pytest.mark.parametrize("dtype, offset", [("float32", 1e6), ("float64", 1e12)])
def test_variance_does_not_cancel(dtype, offset):
    """Numbers far from 0, close together: the mean, rounded, misses by more than a tenth of the deviation."""
    x = (offset + RNG.normal(size=10_000) * (offset * np.finfo(dtype).eps * 4)).astype(dtype)
    exact = np.var(x.astype(np.longdouble))
    got = float(nd.var(nd.asarray(x)))
    assert abs(got - float(exact)) <= 1e-5 * float(exact)


@pytest.mark.parametrize("dtype", ["int8", "int64", "uint64", "bool", "float16", "float32"])
def test_spread_of_other_dtypes(dtype):
    x = RNG.integers(0, 2, (4, 6)) * 100
    x = x.astype(dtype)
    got = nd.var(nd.asarray(x), axis=1)
    assert got.dtype == (dtype if dtype.startswith("float") else "float64")
    check(got, np.var(x.astype("float64"), axis=1), 2e-3 if dtype == "float16" else 1e-6)


def test_halves_are_rounded_once():
    x = nd.asarray(np.full(5000, 300.0, "float16"))  # the sum of squares is beyond the largest half
    assert float(nd.var(x)) == 0.0
    y = nd.asarray(np.array([100.0, 300.0] * 50, "float16"))
    assert float(nd.std(y)) == 100.0


@given(data=st.data(), keepdims=st.booleans())
def test_ptp(data, keepdims):
    x = data.draw(arrays(numbers(has_nan=True)).filter(lambda x: x.size))
    axis = data.draw(axes(x.ndim))
    with silent_numpy():
        check(nd.ptp(nd.asarray(x), axis, keepdims=keepdims), np.ptp(x, axis=axis, keepdims=keepdims))


@given(data=st.data(), keepdims=st.booleans())
def test_average(data, keepdims):
    x = data.draw(arrays(numbers()).filter(lambda x: x.size))
    axis = data.draw(axes(x.ndim))
    check(nd.average(nd.asarray(x), axis, keepdims=keepdims), np.average(x, axis, keepdims=keepdims))
    weights = RNG.uniform(0.5, 2, x.shape)
    got = nd.average(nd.asarray(x), axis, weights, True, keepdims=keepdims)
    check(got, np.average(x, axis, weights, True, keepdims=keepdims))


def test_average_with_weights_along_axes():
    x = nd.asarray(MATRIX)
    row, plane = RNG.uniform(1, 2, 4), RNG.uniform(1, 2, (5, 3))
    check(nd.average(x, 1, row), np.average(MATRIX, 1, row))
    check(nd.average(x, (2, 0), plane), np.average(MATRIX, (2, 0), plane))
    check(nd.average(nd.asarray([1, 2, 4]), weights=[1, 1, 2]), np.average([1, 2, 4], weights=[1, 1, 2]))
    check(nd.average(nd.zeros((0,))), np.nan)


@pytest.mark.parametrize(
    "keywords",
    [
        {},
        {"bias": True},
        {"ddof": 2},
        {"ddof": 0},
        {"fweights": [1, 2, 3, 1, 2, 1]},
        {"aweights": [0.5, 1, 2, 0.25, 1, 1]},
        {"fweights": [1, 2, 3, 1, 2, 1], "aweights": [0.5, 1, 2, 0.25, 1, 1], "ddof": 2},
    ],
)
def test_cov(keywords):
    x, y = RNG.normal(size=(3, 6)), RNG.normal(size=6)
    check(nd.cov(nd.asarray(x), **keywords), np.cov(x, **keywords))
    check(nd.cov(nd.asarray(x), nd.asarray(y), **keywords), np.cov(x, y, **keywords))
    check(nd.cov(nd.asarray(y), **keywords), np.cov(y, **keywords))
    check(nd.cov(nd.asarray(x.T), rowvar=False, **keywords), np.cov(x.T, rowvar=False, **keywords))


def test_cov_keeps_the_dtype_and_says_nan_without_freedom():
    x = RNG.normal(size=(2, 8)).astype("float32")
    assert nd.cov(nd.asarray(x)).dtype == "float32"
    assert nd.cov(nd.asarray(x), dtype="float64").dtype == "float64"
    assert nd.cov(nd.asarray([[1, 2], [3, 5]])).dtype == "float64"
    assert nd.isnan(nd.cov(nd.asarray([[1.0], [2.0]]))).tolist() == [[True, True], [True, True]]
    assert nd.cov(nd.zeros((0, 4))).shape == (0, 0)


def test_covariance_of_complex_numbers():
    x = RNG.normal(size=(3, 6)) + 1j * RNG.normal(size=(3, 6))
    check(nd.cov(nd.asarray(x)), np.cov(x))
    check(nd.cov(nd.asarray(x), nd.asarray(x[0].real.copy())), np.cov(x, x[0].real))
    check(nd.corrcoef(nd.asarray(x)), np.corrcoef(x))
    narrow = nd.cov(nd.asarray(x.astype("complex64")), aweights=[0.5, 1, 2, 0.25, 1, 1])
    assert narrow.dtype == "complex64"
    check(narrow, np.cov(x, aweights=[0.5, 1, 2, 0.25, 1, 1]), 1e-5)
    check(nd.average(nd.asarray(x), 0, [1.0, 2.0, 0.5]), np.average(x, 0, [1.0, 2.0, 0.5]))


def test_corrcoef():
    x = RNG.normal(size=(4, 9))
    check(nd.corrcoef(nd.asarray(x)), np.corrcoef(x))
    check(nd.corrcoef(nd.asarray(x), nd.asarray(x[0] * 2)), np.corrcoef(x, x[0] * 2))
    check(nd.corrcoef(nd.asarray(x[0])), np.corrcoef(x[0]))
    check(nd.corrcoef(nd.asarray(x.T), rowvar=False), np.corrcoef(x.T, rowvar=False))
    assert np.isnan(np.asarray(nd.corrcoef(nd.asarray([[1.0, 1.0], [1.0, 2.0]])))[0]).all()


def softmax(x, axis):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


@given(data=st.data(), keepdims=st.booleans())
def test_softmax_family(data, keepdims):
    x = data.draw(arrays(numbers()).filter(lambda x: x.size))
    axis = data.draw(axes(x.ndim))
    with silent_numpy():
        check(nd.softmax(nd.asarray(x), axis), softmax(x, axis))
        top = x.max(axis=axis, keepdims=True)
        total = np.log(np.exp(x - top).sum(axis=axis, keepdims=True)) + top
        check(nd.log_softmax(nd.asarray(x), axis=axis), x - total, 1e-11, 1e-11)
        want = total if keepdims else total.reshape(x.sum(axis=axis).shape)
        check(nd.logsumexp(nd.asarray(x), axis, keepdims=keepdims), want)


def test_softmax_family_at_its_edges():
    inf = float("inf")
    assert nd.softmax(nd.zeros((2, 0))).shape == (2, 0)
    assert nd.log_softmax(nd.zeros((0, 3)), axis=0).shape == (0, 3)
    assert nd.logsumexp(nd.zeros((0, 3)), axis=0).tolist() == [-inf] * 3
    assert nd.logsumexp(nd.zeros((0, 3)), axis=1).shape == (0,)
    assert nd.logsumexp(nd.asarray([-inf, -inf])).item() == -inf
    assert nd.logsumexp(nd.asarray([inf, 1.0])).item() == inf
    assert nd.softmax(nd.asarray(3.0), axis=None).item() == 1.0
    assert nd.softmax(nd.asarray([1000.0, 1000.0])).tolist() == [0.5, 0.5]
    assert nd.softmax(nd.asarray([-inf, 0.0])).tolist() == [0.0, 1.0]
    assert nd.logsumexp(nd.asarray([0, 0, 0, 0])).item() == pytest.approx(np.log(4))


@pytest.mark.parametrize(
    "function",
    [
        lambda x: nd.var(x),
        lambda x: nd.var(x, 1, correction=1),
        lambda x: nd.std(x, (0, 2), keepdims=True),
        lambda x: nd.ptp(x, 1),
        lambda x: nd.average(x, 1, [1.0, 2.0, 0.5, 1.0]),
        lambda x: nd.cov(x[0]),
        lambda x: nd.cov(x[0], x[1], aweights=[1.0, 2.0, 0.5, 1.0, 0.25]),
        lambda x: nd.corrcoef(x[0]),
        lambda x: nd.softmax(x, (0, 2)),
        lambda x: nd.log_softmax(x),
        lambda x: nd.logsumexp(x, 1),
    ],
)
def test_gradients(function):
    check_gradient(function, MATRIX)


def test_gradient_of_the_weights():
    x = RNG.normal(size=(3, 4))
    check_gradient(lambda x, w: nd.average(x, 0, w), x, RNG.uniform(0.5, 2, (3, 4)))
    for ddof in (0, 1):
        check_gradient(lambda x, w, ddof=ddof: nd.cov(x, aweights=w, ddof=ddof), x, RNG.uniform(0.5, 2, 4))


def test_gradient_of_halves():
    g = nd.grad(lambda x: nd.var(x).astype("float32"))(nd.asarray(np.array([1, 2, 4], "float16")))
    assert g.dtype == "float16"
    np.testing.assert_allclose(np.asarray(g), 2 * (np.array([1, 2, 4]) - 7 / 3) / 3, rtol=2e-3)


@pytest.mark.parametrize("function", [nd.softmax, nd.log_softmax, nd.logsumexp])
def test_complex_numbers_are_refused(function):
    with pytest.raises(TypeError, match=f"{function.__name__}: needs real numbers, given complex"):
        function(nd.asarray([1j, 2.0]))


@pytest.mark.parametrize("function", [nd.var, nd.std, nd.ptp, nd.average, nd.softmax, nd.logsumexp])
def test_a_wrong_axis_is_refused(function):
    with pytest.raises(ValueError, match="axis 3 is out of range for an array of 2 dimensions"):
        function(nd.ones((2, 2)), axis=3)


@pytest.mark.parametrize(
    "call, error, text",
    [
        (lambda: nd.var(nd.ones((2, 2)), (0, -2)), ValueError, "names one axis twice"),
        (lambda: nd.average(nd.ones(3), weights=[1.0, -1.0, 0.0]), ZeroDivisionError, "weights add up to 0"),
        (lambda: nd.average(nd.ones((2, 3)), 1, [1.0, 2.0]), ValueError, r"given \(2,\) with axis=1"),
        (lambda: nd.average(nd.ones((2, 3)), None, [1.0] * 3), ValueError, "its sizes along axis"),
        (lambda: nd.cov(nd.ones((2, 2, 2))), ValueError, "1 or 2 dimensions"),
        (lambda: nd.cov(nd.ones((2, 3)), fweights=[1, 2]), ValueError, r"one number per observation, \(3,\)"),
        (lambda: nd.cov(nd.ones((2, 2)), aweights=[1, -2]), ValueError, "must not be negative, given -2"),
        (lambda: nd.cov(nd.ones((2, 2)), fweights=[1, 2.5]), TypeError, "must be whole numbers"),
    ],
)
def test_refusals(call, error, text):
    with pytest.raises(error, match=text):
        call()
