"""Spaced numbers, positions, triangles and polynomials, against NumPy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sampled_arrays import arrays, check, check_gradient, numbers

import nd4py as nd

RNG = np.random.default_rng(53)


@pytest.mark.parametrize("num", [0, 1, 2, 7, 50])
@pytest.mark.parametrize("endpoint", [True, False])
def test_spaced_exponents(num, endpoint):
    for start, stop, base in [(0, 3, 10.0), (-2.5, 1, 2), (3, 3, 10)]:
        check(nd.logspace(start, stop, num, endpoint, base), np.logspace(start, stop, num, endpoint, base), 1e-13)
    for start, stop in [(1, 1000), (-2, -0.25), (5.0, 5.0), (1e-300, 1e300)]:
        got, want = nd.geomspace(start, stop, num, endpoint), np.geomspace(start, stop, num, endpoint)
        check(got, want, 1e-12, 0)
        assert got.tolist()[:1] == want.tolist()[:1]
        assert not endpoint or got.tolist()[-1:] == want.tolist()[-1:]


def test_spaced_dtypes():
    assert nd.logspace(0, 2, 3, dtype="int32").tolist() == [1, 10, 100]
    assert nd.logspace(0, 2, 3, dtype="int32").dtype == "int32"
    assert nd.geomspace(1, 4, 3, dtype="float32").dtype == "float32"
    assert nd.logspace(0, 1).shape == nd.geomspace(1, 2).shape == (50,)


@pytest.mark.parametrize("start, stop", [(0, 1), (1, 0), (-1, 1)])
def test_no_ratio_leads_through_zero(start, stop):
    with pytest.raises(ValueError, match=f"one sign and not be 0, given {start} and {stop}"):
        nd.geomspace(start, stop)


def test_negative_numbers_of_elements_are_refused():
    with pytest.raises(ValueError, match="num must not be negative"):
        nd.logspace(0, 1, -1)


@given(n=st.integers(0, 6), m=st.none() | st.integers(0, 6), k=st.integers(-7, 7))
def test_tri(n, m, k):
    check(nd.tri(n, m, k), np.tri(n, m, k))
    assert nd.tri(n, m, k, "int8").dtype == "int8"


def test_identity():
    check(nd.identity(4), np.identity(4))
    assert nd.identity(0).shape == (0, 0)
    assert nd.identity(2, "uint8").tolist() == [[1, 0], [0, 1]]


@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (2, 0, 3), (2, 1, 4)])
def test_indices(shape):
    check(nd.indices(shape), np.indices(shape))
    check(nd.indices(list(shape), sparse=True), np.indices(shape, sparse=True))
    assert nd.indices(shape, "float32").dtype == "float32"
    assert nd.indices(shape).dtype == "int64"


@given(x=arrays(numbers(-3, 3)), n=st.integers(0, 5))
def test_polyval(x, n):
    p = np.linspace(-2, 3, n)
    check(nd.polyval(p, nd.asarray(x)), np.polyval(p, x), 1e-10, 1e-10)


def test_polyval_of_integers_is_exact():
    got = nd.polyval([1, 0, 7], nd.asarray([3, 2**30]))
    assert got.dtype == "int64"
    assert got.tolist() == [16, 2**60 + 7]
    assert nd.polyval([4.0], nd.asarray([1.0, 2.0])).is_writable


@pytest.mark.parametrize("n", [None, 0, 1, 4])
@pytest.mark.parametrize("increasing", [True, False])
def test_vander(n, increasing):
    for x in (np.array([1.5, 0.0, -2.0]), np.array([3, 5, -7], "int8"), np.array([True, False]), np.zeros(0)):
        got, want = nd.vander(nd.asarray(x), n, increasing), np.vander(x, n, increasing)
        assert got.dtype == want.dtype
        check(got, want)


def test_gradients():
    x = np.array([1.5, 0.0, -2.0])
    check_gradient(lambda p, x: nd.polyval(p, x), [0.5, -1.0, 2.0, 3.0], x)
    check_gradient(lambda x: nd.vander(x, 4), x)


@pytest.mark.parametrize(
    "call, text",
    [
        (lambda: nd.polyval(nd.ones((2, 2)), nd.ones(2)), "p must be a row of coefficients"),
        (lambda: nd.vander(nd.ones((2, 2))), "x must be a row"),
        (lambda: nd.vander(nd.ones(2), -1), "N must not be negative"),
    ],
)
def test_refusals(call, text):
    with pytest.raises(ValueError, match=text):
        call()
