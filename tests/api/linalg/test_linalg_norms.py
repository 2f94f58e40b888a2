"""Norms of vectors and matrices, and condition numbers, against NumPy."""

import numpy as np
import pytest
from test_linalg import SHAPES, assert_close, every_dtype, numbers, real_of, values

import nd4py as nd
from nd4py import linalg


@pytest.mark.sampled(3)
@every_dtype
@pytest.mark.parametrize("stack", [(), (3,), (2, 3)], ids=str)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("ord", ["fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf])
@pytest.mark.parametrize("keepdims", [False, True])
def test_matrix_norm(dtype, stack, shape, ord, keepdims):
    x = numbers((*stack, *shape), dtype)
    wanted = np.asarray(np.linalg.matrix_norm(x, ord=ord, keepdims=keepdims))
    assert_close(linalg.matrix_norm(nd.asarray(x), ord=ord, keepdims=keepdims), wanted, real_of(dtype))


@pytest.mark.parametrize("ord", ["fro", "nuc", 1, 2, np.inf])
def test_matrix_norm_of_nothing(ord):
    for shape in ((0, 3), (3, 0), (2, 0, 0)):
        np.testing.assert_array_equal(values(linalg.matrix_norm(nd.zeros(shape), ord=ord)), np.zeros(shape[:-2]))


@pytest.mark.sampled(2)
@every_dtype
@pytest.mark.parametrize("axis", [None, 0, -1, (0, 2), (0, 1, 2)], ids=str)
@pytest.mark.parametrize("ord", [0, 1, 2, 3, 0.5, -1, -2, np.inf, -np.inf])
@pytest.mark.parametrize("keepdims", [False, True])
def test_vector_norm(dtype, axis, ord, keepdims):
    x = numbers((3, 4, 5), dtype)
    wanted = np.asarray(np.linalg.vector_norm(x, axis=axis, ord=ord, keepdims=keepdims))
    got = linalg.vector_norm(nd.asarray(x), axis=axis, ord=ord, keepdims=keepdims)
    assert_close(got, wanted, real_of(dtype))


def test_vector_norm_of_special_inputs():
    assert linalg.vector_norm(nd.zeros(0)).item() == 0
    assert linalg.vector_norm(nd.zeros(0), ord=np.inf).item() == 0
    assert linalg.vector_norm(nd.asarray(-2.0)).item() == 2
    np.testing.assert_array_equal(values(linalg.vector_norm(nd.asarray([[-3.0, 4.0]]), axis=())), [[3, 4]])
    assert linalg.vector_norm(nd.asarray([3.0, 4.0], dtype="float16")).dtype == nd.float16
    assert np.isnan(linalg.vector_norm(nd.asarray([1.0, np.nan]), ord=np.inf).item())


@pytest.mark.parametrize("arguments", [
    {}, {"ord": 2, "axis": 0}, {"axis": (0, 2)}, {"ord": "nuc", "axis": (2, 0)}, {"ord": 1, "axis": (0, 1)},
    {"ord": -np.inf, "axis": (-1, 0), "keepdims": True}, {"keepdims": True}, {"axis": 1, "ord": np.inf},
], ids=str)  # fmt: skip
def test_norm(arguments):
    x = numbers((3, 4, 5))
    assert_close(linalg.norm(nd.asarray(x), **arguments), np.asarray(np.linalg.norm(x, **arguments)), "float64")


def test_norm_of_vectors_and_matrices():
    for shape, ord in (((4,), 1), ((4, 3), 1), ((4, 3), None), ((4, 3), "fro")):
        x = numbers(shape)
        assert_close(linalg.norm(nd.asarray(x), ord), np.asarray(np.linalg.norm(x, ord)), "float64")
    with pytest.raises(ValueError, match=r"one axis or two, given None for shape \(2, 2, 2\)"):
        linalg.norm(nd.ones((2, 2, 2)), 2)
    with pytest.raises(ValueError, match="one axis twice"):
        linalg.norm(nd.ones((2, 2)), 2, (0, -2))


@pytest.mark.parametrize("p", [None, 2, -2, "fro", "nuc", 1, -1, np.inf, -np.inf])
def test_cond(p):
    x = numbers((4, 3, 3))
    np.testing.assert_allclose(values(linalg.cond(nd.asarray(x), p)), np.linalg.cond(x, p), rtol=1e-9)
    x[1] = [[1, 2, 0], [2, 4, 0], [0, 0, 1]]
    if p not in (None, 2, -2):
        assert values(linalg.cond(nd.asarray(x), p))[1] == np.inf
    assert linalg.cond(nd.zeros((2, 2))).item() == np.inf
