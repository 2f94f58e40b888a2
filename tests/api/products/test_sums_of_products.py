"""Sums of products of vectors and of the rows of stacks: whole numbers, which wrap around, and floating ones."""

import numpy as np
import pytest

import nd4py as nd

SIZES = [0, 1, 2, 23, 24, 100, 1000]


def rows(dtype, shape, seed):
    rng = np.random.default_rng(seed)
    if np.dtype(dtype).kind in "iu":
        info = np.iinfo(dtype)
        return rng.integers(info.min, info.max, shape, dtype=dtype)
    return rng.integers(-5, 6, shape).astype(dtype)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"])
def test_whole_numbers_wrap_around(dtype):
    for n in SIZES:
        a, b = rows(dtype, (3, 2 * n), 0), rows(dtype, (2 * n, 4), 1)
        ours = nd.asarray(a), nd.asarray(b)
        for step in (1, -1, 2):
            x, y = a[1, ::step][:n], b[::step, 2][:n]
            p, q = ours[0][1, ::step][:n], ours[1][::step, 2][:n]
            expected = (x * y).sum(dtype=dtype)
            for got in (p @ q, nd.vecdot(p, q), nd.dot(p, q), nd.einsum("i,i", p, q), nd.inner(p, q)):
                assert got.dtype == dtype
                assert got.item() == expected
        np.testing.assert_array_equal(np.asarray(ours[0] @ ours[1][:, 1]), (a * b[:, 1]).sum(axis=1, dtype=dtype))
        np.testing.assert_array_equal(np.asarray(ours[0][2] @ ours[1]), (a[2][:, None] * b).sum(axis=0, dtype=dtype))


def test_bools_are_joined():
    x, y = np.arange(50) == 49, np.arange(50) > 10
    p, q = nd.asarray(x), nd.asarray(y)
    assert (p @ q).item() is True
    assert (p @ ~q).item() is False
    np.testing.assert_array_equal(np.asarray(~q), ~y)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "complex64", "complex128"])
def test_rows_of_stacks(dtype):
    for n in SIZES[1:]:
        x, y = rows(dtype, (4, 3, n), 2), rows(dtype, (3, n), 3)
        expected = (x.conj() * y).sum(axis=-1)
        np.testing.assert_array_equal(np.asarray(nd.vecdot(nd.asarray(x), nd.asarray(y))), expected)
        wide = np.repeat(x, 2, axis=-1)
        np.testing.assert_array_equal(np.asarray(nd.vecdot(nd.asarray(wide)[..., ::2], nd.asarray(y))), expected)
        back = nd.vecdot(nd.asarray(x)[..., ::-1], nd.asarray(y)[:, ::-1])
        np.testing.assert_array_equal(np.asarray(back), expected)
        np.testing.assert_array_equal(
            np.asarray(nd.asarray(x)[:, :, None, :] @ nd.asarray(y)[:, :, None])[..., 0, 0], (x * y).sum(axis=-1)
        )
