"""Reductions that pass over NaN, against NumPy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sampled_arrays import arrays, axes, check, check_gradient, numbers, silent_numpy

import nd4py as nd

NAN, INF = float("nan"), float("inf")
GAPPY = np.random.default_rng(5).uniform(0.5, 2, (3, 4, 5))
GAPPY[0, 1] = GAPPY[2, 3, 4] = GAPPY[:, 0, 0] = NAN


@pytest.mark.parametrize("name", ["nansum", "nanprod", "nanmean", "nanvar", "nanstd"])
@given(data=st.data(), keepdims=st.booleans())
def test_sums(name, data, keepdims):
    x = data.draw(arrays(numbers(-4, 4, has_nan=True)))
    axis = data.draw(axes(x.ndim))
    got = getattr(nd, name)(nd.asarray(x), axis=axis, keepdims=keepdims)
    with silent_numpy():
        check(got, getattr(np, name)(x, axis=axis, keepdims=keepdims), 1e-11, 1e-11)


@pytest.mark.parametrize("name", ["nanmax", "nanmin"])
@given(data=st.data(), keepdims=st.booleans())
def test_extremes(name, data, keepdims):
    x = data.draw(arrays(numbers(has_nan=True) | st.sampled_from([INF, -INF])).filter(lambda x: x.size))
    axis = data.draw(axes(x.ndim))
    got = getattr(nd, name)(nd.asarray(x), axis=axis, keepdims=keepdims)
    with silent_numpy():
        check(got, getattr(np, name)(x, axis=axis, keepdims=keepdims))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", ["nanmax", "nanmin"])
@pytest.mark.parametrize("n", [200, 1023, 1024, 2100])
def test_extremes_of_long_lines_that_are_nan_in_part(name, n, dtype):
    worst = -INF if name == "nanmax" else INF
    x = np.full((6, n), NAN, dtype)
    x[1] = worst
    x[2, ::3] = worst
    x[3, 5], x[4, -1] = worst, 3.0
    x[5] = np.random.default_rng(n).normal(size=n)
    x[5, ::2] = NAN
    with silent_numpy():
        check(getattr(nd, name)(nd.asarray(x), axis=1), getattr(np, name)(x, axis=1))


@pytest.mark.parametrize("name", ["nanargmax", "nanargmin"])
@given(data=st.data(), keepdims=st.booleans())
def test_positions(name, data, keepdims):
    x = data.draw(arrays(numbers(has_nan=True)).filter(lambda x: x.size))
    axis = data.draw(st.none() | st.integers(-x.ndim, x.ndim - 1)) if x.ndim else None
    try:
        want = getattr(np, name)(x, axis=axis, keepdims=keepdims)
    except ValueError:
        with pytest.raises(ValueError, match="are NaN"):
            getattr(nd, name)(nd.asarray(x), axis, keepdims=keepdims)
        return
    got = getattr(nd, name)(nd.asarray(x), axis, keepdims=keepdims)
    assert got.dtype == "int64"
    check(got, want)


def test_an_infinity_is_no_gap():
    assert nd.nanargmin(nd.asarray([NAN, INF])).item() == 1
    assert nd.nanargmax(nd.asarray([NAN, -INF, NAN])).item() == 1
    assert nd.nanmax(nd.asarray([NAN, -INF])).item() == -INF
    assert nd.nanmean(nd.asarray([NAN, INF, 1.0])).item() == INF
    assert str(nd.nanvar(nd.asarray([NAN, INF, 1.0])).item()) == "nan"


@pytest.mark.parametrize("correction", [0, 1, 2.5, 4])
def test_corrections(correction):
    with silent_numpy():
        want = np.nanvar(GAPPY, axis=1, ddof=correction)
    for keyword in ({"correction": correction}, {"ddof": correction}):
        check(nd.nanvar(nd.asarray(GAPPY), 1, **keyword), want)
        check(nd.nanstd(nd.asarray(GAPPY), 1, **keyword), np.sqrt(want))


@pytest.mark.parametrize("dtype", ["int16", "uint8", "bool"])
def test_integers_have_no_gaps(dtype):
    x = np.arange(12).reshape(3, 4).astype(dtype)
    for name in ("nansum", "nanprod", "nanmean", "nanvar"):
        got, want = getattr(nd, name)(nd.asarray(x), axis=0), getattr(np, name)(x, axis=0)
        assert got.dtype == want.dtype
        check(got, want)
    if dtype != "bool":
        assert nd.nanmax(nd.asarray(x)).dtype == dtype
        check(nd.nanargmax(nd.asarray(x), 1), np.nanargmax(x, 1))


@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_narrow_dtypes(dtype):
    x = (GAPPY * 100).astype(dtype)
    for name in ("nansum", "nanmean", "nanvar", "nanstd", "nanmax"):
        got = getattr(nd, name)(nd.asarray(x), axis=1)
        assert got.dtype == dtype
        with silent_numpy():
            check(got, getattr(np, name)(x.astype("float64"), axis=1), 2e-3 if dtype == "float16" else 1e-5)


@pytest.mark.parametrize("name", ["nancumsum", "nancumprod"])
@given(data=st.data())
def test_running_results(name, data):
    x = data.draw(arrays(numbers(-4, 4, has_nan=True)))
    axis = data.draw(st.none() | st.integers(-x.ndim, x.ndim - 1)) if x.ndim else None
    check(getattr(nd, name)(nd.asarray(x), axis), getattr(np, name)(x, axis), 1e-11, 1e-11)


def test_running_results_of_integers_widen():
    x = np.array([[100, 100], [1, 2]], "int8")
    got = nd.nancumsum(nd.asarray(x), 1)
    assert got.dtype == "int64"
    check(got, np.nancumsum(x, 1))


def test_complex_numbers():
    x = np.array([1 + 2j, complex(NAN, 1), 3j, complex(INF, -INF)])
    check(nd.nanmean(nd.asarray(x[:3])), np.nanmean(x[:3]))
    check(nd.nansum(nd.asarray(x[:3])), np.nansum(x[:3]))
    check(nd.nan_to_num(nd.asarray(x)), np.nan_to_num(x))
    check(nd.nan_to_num(nd.asarray(x), True, 1.0, 2.0, 3.0), np.nan_to_num(x, True, 1.0, 2.0, 3.0))
    check(nd.nanvar(nd.asarray(x[:3])), np.nanvar(x[:3]))


def test_variance_does_not_cancel():
    x = (1e6 + np.random.default_rng(0).normal(size=10_000) / 2).astype("float32")
    x[::5] = NAN
    exact = float(np.nanvar(x.astype(np.longdouble)))
    assert abs(float(nd.nanvar(nd.asarray(x))) - exact) <= 1e-5 * exact


@pytest.mark.parametrize("function", [nd.nanmax, nd.nanmin, nd.nanargmax, nd.nanargmin])
def test_no_elements_have_no_extreme(function):
    with pytest.raises(ValueError, match="no elements"):
        function(nd.zeros((3, 0)), axis=1)


@pytest.mark.parametrize("name", ["nansum", "nanprod", "nanmean", "nanvar", "nanstd", "nanmax", "nanmin"])
def test_gradients(name):
    x = GAPPY[1:, 1:, 1:].copy()
    x[1, 1, 1] = NAN
    is_number = ~np.isnan(x)

    def function(numbers):
        full = nd.where(nd.asarray(is_number), numbers, NAN)
        return getattr(nd, name)(full, axis=2)

    check_gradient(function, np.where(is_number, x, 1.0))


def test_gradient_of_running_sums():
    x = nd.asarray([1.0, NAN, 3.0])
    assert nd.grad(lambda x: nd.sum(nd.nancumsum(x)))(x).tolist() == [3.0, 0.0, 1.0]


@given(x=arrays(st.sampled_from([NAN, INF, -INF, 0.0, -2.5])))
def test_nan_to_num(x):
    check(nd.nan_to_num(nd.asarray(x)), np.nan_to_num(x))
    check(nd.nan_to_num(nd.asarray(x), True, 1.5, 8.0, -9.0), np.nan_to_num(x, True, 1.5, 8.0, -9.0))
    check(nd.nan_to_num(nd.asarray(x), posinf=INF), np.nan_to_num(x, posinf=INF))


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "bfloat16"])
def test_infinities_become_the_largest_number(dtype):
    x = nd.nan_to_num(nd.asarray([NAN, INF, -INF]).astype(dtype))
    assert x.dtype == dtype
    largest = {"bfloat16": float.fromhex("0x1.fep127")}.get(dtype) or float(np.finfo(dtype).max)
    assert x.tolist() == [0.0, largest, -largest]


def test_nan_to_num_of_integers():
    x = nd.asarray([1, 2])
    assert nd.nan_to_num(x).tolist() == [1, 2]
    assert nd.nan_to_num(x, copy=False) is x
    assert nd.nan_to_num(x) is not x


def test_gradient_of_nan_to_num():
    x = nd.asarray([NAN, INF, 2.0])
    assert nd.grad(lambda x: nd.sum(nd.nan_to_num(x, posinf=1.0) * 3.0))(x).tolist() == [0.0, 0.0, 3.0]
