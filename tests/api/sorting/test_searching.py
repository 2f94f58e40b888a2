"""searchsorted against NumPy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import nd4py as nd

DTYPES = ["bool", "int8", "uint16", "int32", "uint32", "int64", "uint64", "float16", "float32", "float64"]
SIDES = pytest.mark.parametrize("side", ["left", "right"])


def drawn(dtype, n, seed):
    """n elements, many of them equal, with NaNs where there are any."""
    rng = np.random.default_rng(seed)
    x = rng.integers(0, max(n // 2, 2), n) % 50_000
    x = (x % 2 == 1) if dtype == "bool" else x.astype(dtype)
    if "float" in dtype:
        x[rng.random(n) < 0.02] = np.nan
        x[rng.random(n) < 0.02] = -np.inf
    return x


@SIDES
@pytest.mark.parametrize("dtype", DTYPES)
def test_places_in_arrays_of_every_length(dtype, side):
    for n, m in ((0, 5), (1, 3), (7, 63), (64, 64), (100, 1000), (5000, 129), (1000, 40_000)):
        x, queries = np.sort(drawn(dtype, n, 0)), drawn(dtype, m, 1)
        for given_queries in (queries, np.sort(queries), queries[::-1]):
            got = nd.searchsorted(nd.asarray(x), nd.asarray(given_queries), side=side)
            assert got.dtype == "int64"
            np.testing.assert_array_equal(got, np.searchsorted(x, given_queries, side=side))


@SIDES
def test_bfloat16(side):
    x = nd.sort(nd.asarray(drawn("float32", 300, 2)).astype("bfloat16"))
    queries = nd.asarray(drawn("float32", 200, 3)).astype("bfloat16")
    want = np.searchsorted(np.asarray(x.astype("float32")), np.asarray(queries.astype("float32")), side=side)
    np.testing.assert_array_equal(nd.searchsorted(x, queries, side=side), want)


@SIDES
@given(st.lists(st.floats(width=32), max_size=40), st.lists(st.floats(width=32), max_size=90))
def test_any_floats(side, values, queries):
    x, queries = np.sort(np.array(values, "float32")), np.array(queries, "float32")
    got = nd.searchsorted(nd.asarray(x), nd.asarray(queries), side=side)
    np.testing.assert_array_equal(got, np.searchsorted(x, queries, side=side))


@pytest.mark.parametrize("shape", [(), (1,), (3, 4), (2, 0, 3), (2, 3, 2)])
def test_queries_of_any_shape(shape):
    queries = np.random.default_rng(0).uniform(-1, 11, shape)
    got = nd.searchsorted(nd.arange(10.0), nd.asarray(queries))
    assert got.shape == shape
    np.testing.assert_array_equal(got, np.searchsorted(np.arange(10.0), queries))


def test_strided_and_reversed_operands():
    x, queries = np.arange(40)[::-2][::-1], np.arange(80).reshape(8, 10)[::-2, ::3]
    np.testing.assert_array_equal(nd.searchsorted(nd.asarray(x), nd.asarray(queries)), np.searchsorted(x, queries))


def test_python_numbers_take_the_dtype_of_the_array():
    x = nd.asarray(np.array([0.1, 0.2, 0.3], "float32"))
    assert nd.searchsorted(x, 0.2).tolist() == 1  # as a double, 0.2 would stand before its float32 neighbour
    assert nd.searchsorted(x, 1).shape == ()
    small = nd.asarray(np.array([1, 5, 9], "int8"))
    assert [nd.searchsorted(small, v).tolist() for v in (-1000, 5, 1000)] == [0, 1, 3]
    assert nd.searchsorted(small, 5, "right").tolist() == 2


def test_integers_of_two_sizes_are_promoted():
    x, queries = np.array([1, 200, 250], "uint8"), np.array([-7, 200, 3000], "int16")
    np.testing.assert_array_equal(nd.searchsorted(nd.asarray(x), nd.asarray(queries)), [0, 1, 3])


@SIDES
def test_sorter(side):
    x = np.random.default_rng(0).integers(0, 20, 50)
    order, queries = np.argsort(x, kind="stable"), np.arange(-2, 23)
    got = nd.searchsorted(nd.asarray(x), nd.asarray(queries), side=side, sorter=nd.asarray(order))
    np.testing.assert_array_equal(got, np.searchsorted(x, queries, side=side, sorter=order))
    np.testing.assert_array_equal(got, nd.searchsorted(nd.asarray(x), nd.asarray(queries), side, nd.asarray(order)))


def test_result_does_not_depend_on_the_threads():
    rng = np.random.default_rng(5)
    x, queries = nd.asarray(np.sort(rng.standard_normal(1000))), nd.asarray(rng.standard_normal(50_000))
    results = []
    for n_threads in (1, 2, 3):
        with nd.threads(n_threads):
            results.append(nd.searchsorted(x, queries).tolist())
    assert results[0] == results[1] == results[2]


def test_wrong_arguments_are_named():
    x = nd.arange(3)
    with pytest.raises(ValueError, match="x1 must have 1 dimension, given shape"):
        nd.searchsorted(nd.zeros((2, 2)), x)
    with pytest.raises(ValueError, match="side must be 'left' or 'right', given 'middle'"):
        nd.searchsorted(x, x, side="middle")
    with pytest.raises(ValueError, match="sorter must have the shape"):
        nd.searchsorted(x, x, sorter=nd.arange(2))
    with pytest.raises(IndexError, match="out of range"):
        nd.searchsorted(x, x, sorter=nd.arange(1, 4))


def test_what_is_inserted_under_numpys_name():
    x = nd.asarray([1, 3, 5])
    assert x.searchsorted(v=[0, 4]).tolist() == nd.searchsorted(x, v=[0, 4]).tolist() == [0, 2]
    assert x.searchsorted(v=3, side="right", sorter=[0, 1, 2]).item() == 2
    for wrong in (lambda: x.searchsorted(), lambda: x.searchsorted(1, v=2)):
        with pytest.raises(TypeError, match="give what is inserted once"):
            wrong()
