"""Powers of bools and of whole numbers by a whole exponent, and the flipped bits of bools."""

import numpy as np
import pytest

import nd4py as nd


@pytest.mark.parametrize("n", [3, 200, 50_000])
def test_powers_of_bools(n):
    x = np.random.default_rng(0).random(n) > 0.5
    for exponent in (1, 2, 3, 7):
        got = nd.asarray(x) ** exponent
        assert got.dtype == nd.int64
        np.testing.assert_array_equal(np.asarray(got), x.astype(int))
    np.testing.assert_array_equal(np.asarray(nd.asarray(x) ** 0), np.ones(n, int))
    np.testing.assert_array_equal(np.asarray(~nd.asarray(x)), ~x)
    np.testing.assert_array_equal(np.asarray(nd.invert(nd.asarray(x)[::-2])), ~x[::-2])


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16", "int32", "int64", "uint64"])
def test_third_powers_wrap_around(dtype):
    info = np.iinfo(dtype)
    x = np.random.default_rng(0).integers(info.min, info.max, (30, 40), dtype=dtype)
    for view in (x, x.T, x[::-1, ::3], x[:0], x[3:4, 4].reshape(())):
        got = nd.asarray(view) ** 3
        assert got.dtype == dtype
        with np.errstate(over="ignore"):
            np.testing.assert_array_equal(np.asarray(got), view * view * view)
    y = nd.asarray(x.copy())
    y **= 3
    np.testing.assert_array_equal(np.asarray(y), x * x * x)
