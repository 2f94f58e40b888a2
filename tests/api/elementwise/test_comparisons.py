"""Closeness and equality of whole arrays, against NumPy."""

import operator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import mutually_broadcastable_shapes
from sampled_arrays import arrays, check

import nd4py as nd

NAN, INF = float("nan"), float("inf")
VALUES = st.sampled_from([NAN, INF, -INF, 0.0, 1.0, 1.0 + 1e-9, 1.0 + 1e-4, -1.0, 1e-9, 1e300])
PAIRS = mutually_broadcastable_shapes(num_shapes=2, max_dims=2, min_side=0, max_side=3)


@given(data=st.data(), equal_nan=st.booleans(), tolerance=st.sampled_from([(1e-5, 1e-8), (0.0, 0.0), (1e-3, 0.5)]))
def test_closeness(data, equal_nan, tolerance):
    shapes = data.draw(PAIRS).input_shapes
    x, y = (data.draw(arrays(VALUES, shapes=st.just(shape))) for shape in shapes)
    rtol, atol = tolerance
    got = nd.isclose(nd.asarray(x), nd.asarray(y), rtol, atol, equal_nan)
    check(got, np.isclose(x, y, rtol, atol, equal_nan))
    whole = nd.allclose(nd.asarray(x), nd.asarray(y), rtol, atol, equal_nan)
    assert whole.shape == ()
    assert bool(whole) == np.allclose(x, y, rtol, atol, equal_nan)


def test_closeness_of_complex_numbers():
    values = [1 + 2j, 1 + 2.00001j, complex(NAN, 1), complex(INF, 0), complex(INF, 1), 3.0]
    x, y = np.array(values), np.array(values)[:, None]
    for keywords in ({}, {"equal_nan": True}, {"rtol": 0, "atol": 1e-4}):
        check(nd.isclose(nd.asarray(x), nd.asarray(y), **keywords), np.isclose(x, y, **keywords))
    check(nd.isclose(nd.asarray(x.real), nd.asarray(y)), np.isclose(x.real, y))
    assert not nd.allclose(nd.asarray(x), nd.asarray(x))


def test_allclose_of_other_dtypes():
    assert nd.allclose(nd.asarray([1, 2]), nd.asarray([1.0, 2.0]))
    assert not nd.allclose(nd.asarray([1, 2], dtype="uint8"), [1, 3])
    assert nd.allclose(nd.asarray([1.0, 1.0], dtype="float32"), 1.0)
    assert not nd.allclose(nd.asarray(-128, dtype="int8"), nd.asarray(127, dtype="int8"))


@given(data=st.data(), equal_nan=st.booleans())
def test_equality(data, equal_nan):
    shapes = data.draw(PAIRS).input_shapes
    x, y = (data.draw(arrays(VALUES, shapes=st.just(shape))) for shape in shapes)
    for left, right in ((x, y), (x, x.copy())):
        got = nd.array_equal(nd.asarray(left), nd.asarray(right), equal_nan)
        assert got.shape == ()
        assert bool(got) == np.array_equal(left, right, equal_nan)
        assert bool(nd.array_equiv(nd.asarray(left), nd.asarray(right))) == np.array_equiv(left, right)


def test_equality_of_other_dtypes():
    assert nd.array_equal([1, 2], nd.asarray([1, 2], dtype="int8"))
    assert nd.array_equal(nd.asarray([True]), nd.asarray([True]), equal_nan=True)
    assert not nd.array_equal(nd.asarray([1, 2]), nd.asarray([[1, 2]]))
    assert nd.array_equiv(nd.asarray([1, 2]), nd.asarray([[1, 2], [1, 2]]))
    assert not nd.array_equiv(nd.asarray([1, 2]), nd.asarray([1, 2, 3]))


def test_refusals():
    with pytest.raises(ValueError, match="do not broadcast"):
        nd.allclose(nd.ones(2), nd.ones(3))
    with pytest.raises(TypeError, match="cannot make an array"):
        nd.array_equal("text", nd.ones(1))


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "int64", "uint64"])
@pytest.mark.parametrize("shape", [(3,), (), (2000, 30), (0,)])
def test_ints_that_the_dtype_has_no_room_for_are_compared(dtype, shape):
    values = np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(dtype)
    x, limits = nd.asarray(values), np.iinfo(dtype)
    for number in (limits.max + 1, limits.min - 1, 2**70, -(2**70), limits.max, limits.min):
        for compare in (operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge):
            for operands in ((x, number), (number, x)):
                got = compare(*operands)
                want = compare(*(values if each is x else each for each in operands))
                assert got.dtype == "bool"
                assert got.shape == shape
                assert (np.asarray(got) == want).all()
    out = nd.zeros(shape, dtype="bool")
    assert nd.less(x, 2**70, out=out) is out
    assert np.asarray(out).all()


def test_tolerances_may_be_arrays_and_floats_take_the_dtype_of_arrays():
    near = [1.0, 2.0, np.inf, np.nan]
    for tolerance in ([0.2, 0.001, 0.1, 0.1], np.asarray([1.0]), nd.asarray([0.2, 0.001, 0.1, 0.1])):
        got = nd.isclose(near, [1.1, 2.1, np.inf, np.nan], rtol=tolerance, atol=0.0, equal_nan=True)
        check(got, np.isclose(near, [1.1, 2.1, np.inf, np.nan], rtol=np.asarray(tolerance), atol=0.0, equal_nan=True))
    below_one = 1.0 - float(np.finfo("float64").eps)
    assert nd.isclose(nd.asarray(below_one, dtype="float32"), below_one, rtol=0, atol=0)
    assert not nd.isclose(nd.asarray(1.0, dtype="float64"), below_one, rtol=0, atol=0)
    assert not nd.allclose(nd.asarray([1, 2]), 1.5, atol=[0.6, 0.1])
