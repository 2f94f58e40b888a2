"""Bits packed, unpacked, counted and joined along axes, and sums at indices, as NumPy's."""

import numpy as np
import pytest

import nd4py as nd

WHOLE = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")
SHAPES = ((0,), (1,), (7,), (8,), (17,), (1000,), (40_001,), (3, 5), (4, 33, 2), (2, 0, 3), (200, 64))


def numbers(dtype, shape):
    rng = np.random.default_rng(len(shape) + 1)
    if dtype == "bool":
        return rng.integers(0, 2, shape).astype(bool)
    limits = np.iinfo(dtype)
    return rng.integers(limits.min, limits.max, shape, dtype=dtype, endpoint=True)


def assert_same(got, want):
    assert got.dtype == want.dtype
    np.testing.assert_array_equal(np.asarray(got), want)


@pytest.mark.parametrize("dtype", ["bool", *WHOLE])
@pytest.mark.parametrize("order", ["big", "little"])
def test_packed(dtype, order):
    for shape in SHAPES:
        a = numbers(dtype, shape)
        for axis in (None, *range(a.ndim)):
            assert_same(nd.packbits(nd.asarray(a), axis, order), np.packbits(a, axis, order))


@pytest.mark.parametrize("order", ["big", "little"])
def test_unpacked(order):
    for shape in SHAPES:
        a = numbers("uint8", shape)
        for axis in (None, *range(a.ndim)):
            assert_same(nd.unpackbits(nd.asarray(a), axis, None, order), np.unpackbits(a, axis, None, order))
    backwards = nd.asarray(numbers("uint8", (6, 8)))[::-1, ::2]
    assert_same(nd.unpackbits(backwards, 1), np.unpackbits(np.asarray(backwards), 1))


@pytest.mark.parametrize("dtype", WHOLE)
def test_counted(dtype):
    for shape in SHAPES:
        a = numbers(dtype, shape)
        assert_same(nd.bitwise_count(nd.asarray(a)), np.bitwise_count(a))


@pytest.mark.parametrize("dtype", ["bool", *WHOLE])
@pytest.mark.parametrize("name", ["bitwise_and", "bitwise_or", "bitwise_xor", "gcd"])
@pytest.mark.parametrize("method", ["reduce", "accumulate"])
def test_joined(dtype, name, method):
    if dtype == "bool" and name == "gcd":
        pytest.skip("bools have no divisors")
    for shape in SHAPES:
        a = numbers(dtype, shape)
        for axis in range(a.ndim):
            ours, theirs = (getattr(getattr(library, name), method) for library in (nd, np))
            assert_same(ours(nd.asarray(a), axis=axis), theirs(a, axis=axis))


KEYS = {
    "repeated": np.asarray([0, 3, 3, 0, 3]),
    "two axes": (np.asarray([0, 1, 1, 4]), np.asarray([5, 2, 2, 0])),
    "slice": (slice(1, 3),),
    "mask": np.asarray([True, False, True, True, False]),
    "number": 2,
    "array and slice": (np.asarray([[0, 1], [1, 1]]), slice(2)),
}


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "int32", "uint8", "complex128"])
@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("name", ["add", "subtract"])
def test_sums_at_indices(dtype, key, name):
    a = np.random.default_rng(1).integers(20, 90, (5, 6)).astype(dtype)
    x = nd.asarray(a.copy())
    getattr(np, name).at(a, KEYS[key], 3)
    assert getattr(nd, name).at(x, KEYS[key], 3) is None
    assert_same(x, a)


def test_sums_at_indices_change_nothing_where_they_fail():
    x = nd.arange(4)
    for key, values, error in ((9, 1, IndexError), ([0, 1], [1, 2, 3], ValueError), (0, 1.5, TypeError)):
        with pytest.raises(error):
            nd.add.at(x, key, values)
    assert x.tolist() == [0, 1, 2, 3]
    with pytest.raises(ValueError, match="read-only"):
        nd.add.at(nd.broadcast_to(x, (2, 4)), 0, 1)
