"""Linear algebra: products, norms and traces against NumPy; solutions against their definitions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from .arrays import EXAMPLES, arrays, draw_values, lay_out, layouts, parts_of, seeds
from .matrices import BATCHES, SIDES, norm_of, regular, stacks, wide
from .subject import DTYPES, PART, assert_array, dtype_of, numpy_of, xp
from .tables.entry import ACCUMULATED

numeric = pytest.mark.parametrize("dtype", DTYPES["numeric"])
floating = pytest.mark.parametrize("dtype", DTYPES["floating"])
SMALL = (-3, 3)


def ulp_of(dtype, n=16):
    """Sums of n products, in floating dtypes."""
    return 0 if "int" in dtype else 4 * n


def exact(values):
    """Integers as they are, floating numbers in a wide dtype."""
    return wide(values) if values.dtype.kind in "fc" else values


@numeric
@EXAMPLES
@given(data=st.data())
def test_matmul(dtype, data):
    """Matrices, vectors on either side, stacks that broadcast."""
    m, k, n = (data.draw(SIDES) for _ in range(3))
    batch = data.draw(BATCHES)
    rng = np.random.default_rng(data.draw(seeds))
    left = (k,) if data.draw(st.booleans()) else (*data.draw(parts_of(batch)), m, k)
    right = (k,) if data.draw(st.booleans()) else (*data.draw(parts_of(batch)), k, n)
    a, x = lay_out(draw_values(rng, dtype, left, SMALL), data.draw(layouts))
    b, y = lay_out(draw_values(rng, dtype, right, SMALL), data.draw(layouts))
    want = np.asarray(np.matmul(exact(a), exact(b)))
    for got in (xp.matmul(x, y), x @ y, xp.linalg.matmul(x, y)):
        assert_array(got, want, dtype, ulp=ulp_of(dtype), scale=30 * max(k, 1), signs=False)


def test_products_refuse_sizes_that_differ():
    x, y = xp.ones((2, 3)), xp.ones((2, 4))
    for call in (
        lambda: xp.matmul(x, y),
        lambda: xp.matmul(xp.ones(2), xp.ones(3)),
        lambda: xp.matmul(xp.ones(()), x),
        lambda: xp.matmul(x, xp.asarray(2.0)),
        lambda: xp.matmul(xp.ones((2, 2, 3)), xp.ones((3, 3, 2))),
        lambda: xp.vecdot(x, y),
        lambda: xp.vecdot(xp.ones(3), xp.ones(1)),
        lambda: xp.tensordot(x, y, axes=1),
        lambda: xp.tensordot(x, y, axes=((0,), (1,))),
        lambda: xp.linalg.cross(x, y),
        lambda: xp.linalg.cross(xp.ones(2), xp.ones(2)),
        lambda: xp.linalg.cross(xp.ones((3, 1)), xp.ones(3)),
        lambda: xp.linalg.outer(x, xp.ones(2)),
        lambda: xp.linalg.solve(x, xp.ones(2)),
        lambda: xp.linalg.inv(x),
    ):
        with pytest.raises((ValueError, xp.linalg.LinAlgError) if hasattr(xp.linalg, "LinAlgError") else ValueError):
            call()


@numeric
@EXAMPLES
@given(data=st.data())
def test_tensordot(dtype, data):
    """Over the last and first n axes, and over axes that are named."""
    a, x = data.draw(arrays(dtype, st.lists(st.integers(0, 3), max_size=3).map(tuple), SMALL))
    n_joined = data.draw(st.integers(0, a.ndim))
    rest = data.draw(st.lists(st.integers(0, 3), max_size=2).map(tuple))
    b, y = data.draw(arrays(dtype, st.just(a.shape[a.ndim - n_joined :] + rest), SMALL))
    scale = 30 * max(1, a.size)
    want = np.asarray(np.tensordot(exact(a), exact(b), n_joined))
    assert_array(xp.tensordot(x, y, axes=n_joined), want, dtype, ulp=ulp_of(dtype), scale=scale, signs=False)
    left = [axis - a.ndim if data.draw(st.booleans()) else axis for axis in range(a.ndim - n_joined, a.ndim)]
    order = data.draw(st.permutations(range(n_joined)))
    axes = ([left[i] for i in order], list(order))
    for choice in (axes, tuple(map(tuple, axes))):
        got = xp.tensordot(x, y, axes=choice)
        assert_array(got, want, dtype, ulp=ulp_of(dtype), scale=scale, signs=False)


@numeric
@EXAMPLES
@given(data=st.data(), k=st.integers(0, 5))
def test_vecdot(dtype, data, k):
    """The first operand is conjugated; the axis counts from the end and is not broadcast."""
    batch = data.draw(st.lists(st.integers(0, 3), max_size=3).map(tuple))
    rng = np.random.default_rng(data.draw(seeds))
    shapes = [data.draw(parts_of(batch)) for _ in range(2)]
    axis = data.draw(st.integers(-min(map(len, shapes)) - 1, -1))
    a, b = (np.moveaxis(draw_values(rng, dtype, (*shape, k), SMALL), -1, axis) for shape in shapes)
    want = np.asarray((np.conj(exact(a)) * exact(b)).sum(axis))
    (a, x), (b, y) = lay_out(a, "permuted"), lay_out(b, "strided")
    assert_array(xp.vecdot(x, y, axis=axis), want, dtype, ulp=ulp_of(dtype), scale=60, signs=False)
    if axis == -1:
        assert_array(xp.linalg.vecdot(x, y), want, dtype, ulp=ulp_of(dtype), scale=60, signs=False)


@numeric
@EXAMPLES
@given(data=st.data())
def test_cross_and_outer(dtype, data):
    batch = data.draw(st.lists(st.integers(0, 3), max_size=2).map(tuple))
    rng = np.random.default_rng(data.draw(seeds))
    shapes = [data.draw(parts_of(batch)) for _ in range(2)]
    axis = data.draw(st.integers(-min(map(len, shapes)) - 1, -1))
    a, b = (np.moveaxis(draw_values(rng, dtype, (*shape, 3), SMALL), -1, axis) for shape in shapes)
    (a, x), (b, y) = lay_out(a, "permuted"), lay_out(b, data.draw(st.sampled_from(["strided", "contiguous"])))
    want = np.cross(exact(a), exact(b), axis=axis)
    assert_array(xp.linalg.cross(x, y, axis=axis), want, dtype, ulp=ulp_of(dtype), scale=60, signs=False)
    (a, x), (b, y) = (data.draw(arrays(dtype, st.tuples(st.integers(0, 9)), SMALL)) for _ in range(2))
    assert_array(xp.linalg.outer(x, y), np.outer(a, b), ulp=ulp_of(dtype, 1))


@pytest.mark.parametrize("dtype", DTYPES["all"])
@EXAMPLES
@given(data=st.data(), offset=st.integers(-7, 7))
def test_diagonals(dtype, data, offset):
    values, x = data.draw(stacks(dtype))
    want = np.diagonal(values, offset, -2, -1)
    assert_array(xp.linalg.diagonal(x, offset=offset), want)
    assert_array(xp.linalg.matrix_transpose(x), np.swapaxes(values, -1, -2))
    if dtype == "bool":
        return
    result = ACCUMULATED[dtype]
    got = xp.linalg.trace(x, offset=offset)
    assert_array(got, want.sum(-1, dtype=result), result, ulp=ulp_of(dtype), scale=30, signs=False)
    got = xp.linalg.trace(x, offset=offset, dtype=dtype_of("complex128"))
    assert_array(got, want.sum(-1, dtype="complex128"), ulp=16, scale=30, signs=False)


@floating
@pytest.mark.parametrize("order", ["fro", "nuc", 1, 2, np.inf, -1, -2, -np.inf])
@EXAMPLES
@given(data=st.data(), keepdims=st.booleans())
def test_matrix_norms(dtype, order, data, keepdims):
    values, x = data.draw(stacks(dtype, (data.draw(st.integers(1, 5)), data.draw(st.integers(1, 5)))))
    widest = np.complex128 if dtype in PART else np.float64
    want = np.linalg.norm(values.astype(widest), order, (-2, -1), keepdims) if values.size else np.zeros(
        values.shape[:-2] + (1, 1) * keepdims
    )  # fmt: skip
    result = PART.get(dtype, dtype)
    got = xp.linalg.matrix_norm(x, ord=order, keepdims=keepdims)
    assert_array(got, want, result, ulp=200, scale=norm_of(values))
    if order == "fro" and not keepdims:
        assert_array(xp.linalg.matrix_norm(x), want, result, ulp=200, scale=norm_of(values))


@floating
@pytest.mark.parametrize("order", [2, 1, np.inf, 0, 3, 2.5, 0.5, -1, -2, -np.inf, -1.5])
@EXAMPLES
@given(data=st.data(), keepdims=st.booleans())
def test_vector_norms(dtype, order, data, keepdims):
    """Over all elements, along an axis, over several axes as one vector."""
    shape = st.lists(st.integers(1, 4), max_size=4).map(tuple)
    values, x = data.draw(arrays(dtype, shape, (0.25, 3)))
    one = st.integers(-values.ndim, values.ndim - 1)
    several = st.lists(one, unique_by=lambda axis: axis % max(values.ndim, 1)).map(tuple)
    axis = data.draw(st.none() | one | several) if values.ndim else None
    sizes = np.abs(wide(values))
    want = norm_by_definition(sizes, order, axis, keepdims)
    got = xp.linalg.vector_norm(x, ord=order, axis=axis, keepdims=keepdims)
    assert_array(got, want, PART.get(dtype, dtype), ulp=500)
    if order == 2:
        assert_array(xp.linalg.vector_norm(x, axis=axis, keepdims=keepdims), want, PART.get(dtype, dtype), ulp=500)


def norm_by_definition(sizes, order, axis, keepdims):
    """The table of the standard."""
    if order in (np.inf, -np.inf):
        return np.asarray((np.max if order > 0 else np.min)(sizes, axis=axis, keepdims=keepdims))
    if order == 0:
        return np.asarray(np.sum(sizes != 0, axis=axis, keepdims=keepdims))
    return np.asarray(np.sum(sizes**order, axis=axis, keepdims=keepdims) ** (1 / np.longdouble(order)))


@floating
@EXAMPLES
@given(data=st.data(), power=st.integers(-3, 5))
def test_matrix_power(dtype, data, power):
    values, x = data.draw(regular(dtype))
    widest = np.complex128 if dtype in PART else np.float64
    want = np.linalg.matrix_power(values.astype(widest), power)
    assert_array(xp.linalg.matrix_power(x, power), want, dtype, ulp=500, scale=norm_of(want))


def test_norms_of_large_and_small_numbers():
    """Nothing overflows or vanishes on the way to a Euclidean length."""
    for size in (1e-200, 1e200):
        x = xp.asarray(np.asarray([3.0, 4.0]) * size)
        assert_array(xp.hypot(x[0], x[1]), np.asarray(5.0 * size), ulp=4)
        assert_array(xp.abs(xp.asarray(complex(3 * size, 4 * size))), np.asarray(5.0 * size), ulp=4)
    assert numpy_of(xp.linalg.vector_norm(xp.asarray([3.0, 4.0]))) == 5
