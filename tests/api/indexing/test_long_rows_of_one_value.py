"""One value written to rows that index arrays name."""

import numpy as np
import pytest

import nd4py as nd


@pytest.mark.parametrize("dtype", ["bool", "int8", "int16", "float32", "float64", "complex128"])
@pytest.mark.parametrize("length", [1, 2, 15, 16, 17, 100, 3000])
def test_rows_are_filled(dtype, length):
    x = np.zeros((12, 3, length), dtype)
    y = nd.asarray(x).copy()
    for index in ([1, 3, 3, 11], [-1], [], np.arange(12)[::-2]):
        x[index], y[index] = 1, 1
        np.testing.assert_array_equal(np.asarray(y), x)
    x[...], y[...] = 0, 0
    x[[0, 5], :, ::-1], y[[0, 5], :, ::-1] = 1, 1
    x[[2], [1]], y[[2], [1]] = 1, 1
    x[:, [2]], y[:, [2]] = 1, 1
    values = np.arange(3).astype(dtype)[:, None]  # one for each row
    x[[4, 6]], y[[4, 6]] = values, nd.asarray(values)
    np.testing.assert_array_equal(np.asarray(y), x)
