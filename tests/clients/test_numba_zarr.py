"""Numba's compiled functions on nd4py's arrays, and arrays in zarr's files."""

import numpy as np
import pytest

import nd4py as nd


def test_numba_loops_over_arrays_as_they_are():
    numba = pytest.importorskip("numba")

    @numba.njit
    def doubled(x, out):
        for i in range(len(x)):
            for j in range(2):
                out[i, j] = 2 * x[i, j]

    x, out = nd.arange(6.0).reshape(3, 2), nd.zeros((3, 2))
    doubled(x, out)
    assert out.tolist() == [[0.0, 2.0], [4.0, 6.0], [8.0, 10.0]]
    doubled(nd.arange(6.0).reshape(2, 3).T, out)
    assert out.tolist() == [[0.0, 6.0], [2.0, 8.0], [4.0, 10.0]]
    assert "float64" in str(numba.typeof(x))


def test_numba_calls_of_numpy_need_numpys_array():
    numba = pytest.importorskip("numba")
    total = numba.njit(lambda x: x.sum())
    x = nd.arange(5.0)
    with pytest.raises(numba.TypingError, match="Unknown attribute"):
        total(x)
    assert total(np.asarray(x)) == 10.0


def test_numba_universal_functions_give_nd4py_arrays():
    numba = pytest.importorskip("numba")
    added = numba.vectorize(["float64(float64, float64)"])(lambda a, b: a + 2 * b)
    x = nd.arange(3.0)
    assert isinstance(added(x, x), nd.NDArray)
    assert added(x, x).tolist() == [0.0, 3.0, 6.0]


def test_zarr_by_numpys_arrays():
    zarr = pytest.importorskip("zarr")
    x = nd.arange(6.0).reshape(2, 3)
    z = zarr.array(np.asarray(x))
    assert nd.all(nd.asarray(z[:]) == x)
    z[:] = np.asarray(x + 1)
    z[0, 1:] = np.asarray(nd.asarray([7.0, 8.0]))
    assert nd.asarray(z).tolist() == [[1.0, 7.0, 8.0], [4.0, 5.0, 6.0]]
