"""Reductions of arrays in any order in memory: NumPy's values, results in the order of what is reduced."""

import itertools

import numpy as np
import pytest

import nd4py as nd

LAYOUTS = {
    "fortran": lambda x: np.asfortranarray(x),
    "transposed": lambda x: np.ascontiguousarray(x.transpose(1, 0, 3, 2)).transpose(1, 0, 3, 2),
    "channels last": lambda x: np.ascontiguousarray(x.transpose(0, 2, 3, 1)).transpose(0, 3, 1, 2),
    "reversed": lambda x: np.ascontiguousarray(x[::-1, :, ::-1])[::-1, :, ::-1],
    "every second": lambda x: np.repeat(x, 2, axis=3)[..., ::2],
    "repeated": lambda x: np.broadcast_to(x[:, :1, :, :1], x.shape),
}
AXES = [axes for n in (1, 2, 3) for axes in itertools.combinations(range(4), n)]


def array(dtype, layout):
    x = np.random.default_rng(0).integers(0, 2 if dtype == "bool" else 9, (6, 3, 8, 5)).astype(dtype)
    return LAYOUTS[layout](x)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", ["bool", "uint8", "int16", "int64", "float16", "float32", "float64", "complex128"])
def test_values_along_any_axes(dtype, layout):
    x = array(dtype, layout)
    y = nd.asarray(x)
    for name in ("sum", "prod", "max", "min", "any", "all", "count_nonzero"):
        if dtype == "complex128" and name in ("max", "min") or dtype in ("float16", "float32") and name == "prod":
            continue
        for axes in AXES:
            for keepdims in (False, True):
                got = getattr(nd, name)(y, axis=axes, keepdims=keepdims)
                with np.errstate(over="ignore", invalid="ignore"):
                    expected = getattr(np, name)(x, axis=axes, keepdims=keepdims)
                assert got.shape == expected.shape
                np.testing.assert_allclose(np.asarray(got), expected, rtol=2e-3 if dtype == "float16" else 1e-6)
    if dtype != "complex128":
        for axis in range(4):
            np.testing.assert_array_equal(np.asarray(nd.argmax(y, axis=axis)), np.argmax(x, axis=axis))
            np.testing.assert_array_equal(np.asarray(nd.argmin(y, axis=axis)), np.argmin(x, axis=axis))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_deferred_and_immediate_sums_have_the_same_bits(layout):
    x = np.random.default_rng(1).standard_normal((40, 3, 32, 33))
    y = nd.asarray(np.asarray(LAYOUTS[layout](x)))
    for axes in AXES:
        with nd.combine(False):
            expected = np.asarray((y * 3.0).sum(axis=axes))
        np.testing.assert_array_equal(np.asarray((y * 3.0).sum(axis=axes)), expected)


def test_results_are_in_the_order_of_what_is_reduced():
    x = nd.asarray(np.asfortranarray(np.ones((4, 5, 6))))
    assert x.sum(axis=2).strides == np.ones((4, 5), order="F").strides
    assert nd.ones((4, 5, 6)).sum(axis=0).is_contiguous


@pytest.mark.parametrize("name", ["max", "min"])
def test_largest_and_smallest_of_bools(name):
    for x in (np.zeros(100, bool), np.ones(100, bool), np.arange(100) == 99, np.eye(10, dtype=bool)):
        got = getattr(nd, name)(nd.asarray(x))
        assert got.dtype == nd.bool
        assert bool(got) == getattr(np, name)(x)
        for axis in range(x.ndim):
            got = getattr(nd.asarray(x), name)(axis=axis)
            assert got.dtype == nd.bool
            np.testing.assert_array_equal(np.asarray(got), getattr(x, name)(axis=axis))
    with pytest.raises(ValueError, match=f"{name}: no elements"):
        getattr(nd, name)(nd.zeros((0,), dtype="bool"))
