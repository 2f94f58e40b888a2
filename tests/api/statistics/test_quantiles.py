"""Medians and quantiles, with and without NaN, against NumPy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sampled_arrays import arrays, axes, check, check_gradient, numbers, silent_numpy

import nd4py as nd
from nd4py.api.statistics.quantiles import METHODS

RNG = np.random.default_rng(11)
MATRIX = RNG.permutation(60).reshape(3, 4, 5) / 4
SHARES = st.sampled_from([0.0, 0.1, 0.25, 1 / 3, 0.5, 0.9, 1.0])
FILLED = arrays(numbers()).filter(lambda x: x.size)
GAPPY = arrays(numbers(has_nan=True)).filter(lambda x: x.size)


@given(data=st.data(), q=SHARES | st.lists(SHARES, max_size=3), method=st.sampled_from(sorted(METHODS)))
def test_quantile(data, q, method):
    x = data.draw(FILLED)
    axis, keepdims = data.draw(axes(x.ndim)), data.draw(st.booleans())
    got = nd.quantile(nd.asarray(x), q, axis, method=method, keepdims=keepdims)
    if q == []:
        assert got.shape == (0, *np.median(x, axis, keepdims=keepdims).shape)
    else:
        check(got, np.quantile(x, q, axis=axis, method=method, keepdims=keepdims))


@given(data=st.data(), q=SHARES, method=st.sampled_from(sorted(METHODS)))
def test_nanquantile(data, q, method):
    x = data.draw(GAPPY)
    axis, keepdims = data.draw(axes(x.ndim).filter(lambda axis: axis != ())), data.draw(st.booleans())
    with silent_numpy():
        want = np.nanquantile(x, q, axis=axis, method=method, keepdims=keepdims)
        check(nd.nanquantile(nd.asarray(x), q, axis, method=method, keepdims=keepdims), want)
        # 100 * q / 100 need not be q, and some methods jump there.
        want = np.nanpercentile(x, 100 * q, axis=axis, method=method, keepdims=keepdims)
        check(nd.nanpercentile(nd.asarray(x), 100 * q, axis, method=method, keepdims=keepdims), want, 1e-9)


@given(data=st.data(), keepdims=st.booleans())
def test_medians(data, keepdims):
    x = data.draw(GAPPY)
    axis = data.draw(axes(x.ndim))
    with silent_numpy():
        check(nd.median(nd.asarray(x), axis, keepdims=keepdims), np.median(x, axis, keepdims=keepdims))
        if axis != ():
            check(nd.nanmedian(nd.asarray(x), axis, keepdims=keepdims), np.nanmedian(x, axis, keepdims=keepdims))


def test_shares_of_any_shape():
    x, q = nd.asarray(MATRIX), np.array([[0.0, 0.5], [0.25, 1.0]])
    check(nd.quantile(x, nd.asarray(q), (0, 2)), np.quantile(MATRIX, q, (0, 2)))
    check(nd.percentile(x, 100 * q, 1, keepdims=True), np.percentile(MATRIX, 100 * q, 1, keepdims=True))
    check(nd.percentile(x, 30), np.percentile(MATRIX, 30))
    check(nd.percentile(x, [0, 100]), np.percentile(MATRIX, [0, 100]))


def test_nan_makes_nan():
    x = nd.asarray([[1.0, float("nan"), 3.0], [1.0, 2.0, 3.0]])
    assert str(nd.quantile(x, 0.0, 1).tolist()) == "[nan, 1.0]"
    assert str(nd.quantile(x, 0.0, 1, method="lower").tolist()) == "[nan, 1.0]"
    assert str(nd.median(x, 1).tolist()) == "[nan, 2.0]"
    assert nd.nanmedian(x, 1).tolist() == [2.0, 2.0]
    assert str(nd.nanmedian(x[:1, 1:2], 1).tolist()) == "[nan]"


def test_infinities_are_elements_like_others():
    inf = float("inf")
    assert nd.median(nd.asarray([1.0, inf])).item() == inf
    assert nd.median(nd.asarray([-inf, 2.0, inf])).item() == 2.0
    assert nd.quantile(nd.asarray([inf, inf]), 0.5).item() == inf
    assert nd.quantile(nd.asarray([0.0, inf]), [0.0, 0.25, 0.75, 1.0]).tolist() == [0.0, inf, inf, inf]
    assert nd.quantile(nd.asarray([-inf, 0.0]), [0.0, 0.25, 0.75, 1.0]).tolist() == [-inf, -inf, -inf, 0.0]


@pytest.mark.parametrize("shape, axis", [((0,), None), ((3, 0), 1), ((0, 2), 0), ((3, 0), 0), ((2, 0, 3), (0, 2))])
def test_no_elements_are_nan(shape, axis):
    x = nd.zeros(shape)
    want = np.full(np.zeros(shape).sum(axis).shape, np.nan)
    for function in (nd.median, nd.nanmedian):
        check(function(x, axis), want)
        assert function(x.astype("int32"), axis).dtype == "float64"
    check(nd.quantile(x, [0.5, 0.1], axis), np.stack([want, want]))


@pytest.mark.parametrize("method", sorted(METHODS))
@pytest.mark.parametrize("dtype", ["int8", "uint64", "bool", "float16", "float32"])
def test_dtypes(method, dtype):
    x = (MATRIX * 4).astype("uint8").astype(dtype)
    got = nd.quantile(nd.asarray(x), 0.3, 1, method=method)
    want = np.quantile(x.astype("float64"), 0.3, 1, method=method)
    check(got, want, 1e-3 if dtype == "float16" else 1e-6)
    is_element = METHODS[method][1] is None
    kept = dtype.startswith("float") or (is_element and dtype != "bool")
    assert got.dtype == (dtype if kept else "float64")
    assert nd.median(nd.asarray(x)).dtype == (dtype if dtype.startswith("float") else "float64")


def test_the_dtype_of_an_array_of_shares_counts():
    x = nd.asarray([1.0, 2.0]).astype("float32")
    assert nd.quantile(x, 0.5).dtype == "float32"
    assert nd.quantile(x, [0.5]).dtype == "float32"
    assert nd.quantile(x, nd.asarray([0.5])).dtype == "float64"
    assert nd.quantile(x, nd.asarray([0.5]), method="lower").dtype == "float32"


@pytest.mark.parametrize("method", sorted(METHODS))
def test_gradients(method):
    check_gradient(lambda x: nd.quantile(x, [0.15, 0.5, 0.93], 1, method=method), MATRIX)


@pytest.mark.parametrize("function", [nd.median, lambda x: nd.median(x, (0, 2)), lambda x: nd.nanmedian(x, 0)])
def test_gradient_of_medians(function):
    check_gradient(function, MATRIX)


def test_gradient_of_the_share():
    check_gradient(lambda q: nd.quantile(nd.asarray([1.0, 4.0, 9.0, 16.0]), q), [0.2, 0.5, 0.6])


def test_gradient_passes_over_nan():
    x = nd.asarray([1.0, float("nan"), 3.0, 2.0])
    assert nd.grad(nd.nanmedian)(x).tolist() == [0.0, 0.0, 0.0, 1.0]
    assert nd.grad(lambda x: nd.nanquantile(x, 0.75))(x).tolist() == [0.0, 0.0, 0.5, 0.5]


@pytest.mark.parametrize(
    "call, text",
    [
        (lambda: nd.quantile(nd.ones(3), 1.5), "quantile: q must lie between 0 and 1"),
        (lambda: nd.quantile(nd.ones(3), [0.5, float("nan")]), "q must lie between 0 and 1"),
        (lambda: nd.percentile(nd.ones(3), -1), "percentile: q must lie between 0 and 100, given -1 to -1"),
        (lambda: nd.quantile(nd.ones(3), 0.5, method="cubic"), "method must be one of .*given 'cubic'"),
        (lambda: nd.median(nd.ones((2, 2)), 2), "axis 2 is out of range"),
        (lambda: nd.quantile(nd.ones((2, 2)), 0.5, (0, 0)), "names one axis twice"),
    ],
)
def test_refusals(call, text):
    with pytest.raises(ValueError, match=text):
        call()


@pytest.mark.parametrize("method", ["linear", "nearest", "inverted_cdf", "midpoint"])
@pytest.mark.parametrize("dtype", ["float64", "float32", "int32"])
def test_long_rows(dtype, method):
    x = (np.random.default_rng(2).standard_normal((2, 20_001)) * 100).astype(dtype)
    if dtype == "float64":
        x[1, 77] = np.nan
    for q in (0.0, 0.3, [0.4999, 0.5, 0.5001], [0.1, 0.9], 1.0, []):
        got = nd.quantile(nd.asarray(x), q, axis=1, method=method)
        np.testing.assert_allclose(got, np.quantile(x, q, axis=1, method=method), rtol=1e-6)
    for axis in (1, None):
        np.testing.assert_allclose(nd.median(nd.asarray(x), axis=axis), np.median(x, axis=axis), rtol=1e-6)
