"""Products with a zero among finite elements are 0, with the sign of the product, however they are cut and combined."""

import math

import numpy as np
import pytest

import nd4py as nd

PRODUCTS = {"prod": np.prod, "nanprod": np.nanprod}
LARGE = {"float16": 6e4, "bfloat16": 1e30, "float32": 1e30, "float64": 1e300, "complex64": 1e30, "complex128": 1e300}


def large_with_zero(shape, dtype, seed=0, zero=-0.0):
    """Elements of both signs whose product overflows at once, with a zero somewhere on each line of every axis."""
    rng = np.random.default_rng(seed)
    x = rng.choice([-1.0, 1.0], shape) * LARGE[dtype]
    indices = np.add.outer(np.arange(shape[0]), np.arange(shape[1])) % min(shape) if len(shape) == 2 else None
    if indices is None:
        x[rng.integers(shape[0])] = zero
    else:
        x[indices == 0] = zero
    return x


def as_numpy(y):
    return np.asarray(y.astype("float64") if y.dtype.kind == "f" else y)


def check(got, x, axis, dtype):
    """Zeros everywhere; of real numbers with the sign of the product."""
    got = as_numpy(got)
    np.testing.assert_array_equal(got, np.zeros_like(got))
    if not dtype.startswith("complex"):
        negative = np.signbit(x).sum(axis=axis) % 2 == 1
        np.testing.assert_array_equal(np.signbit(got), negative)


@pytest.mark.parametrize("name", PRODUCTS)
@pytest.mark.parametrize("dtype", LARGE)
@pytest.mark.parametrize("n", [3, 17, 100, 840, 5000, 100_000])
def test_a_line(name, dtype, n):
    for seed in range(3):
        for zero in (0.0, -0.0):
            x = large_with_zero((n,), dtype, seed, zero)
            check(getattr(nd, name)(nd.asarray(x).astype(dtype)), x, None, dtype)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", PRODUCTS)
@pytest.mark.parametrize("dtype", LARGE)
@pytest.mark.parametrize("shape", [(40, 50), (3, 700), (700, 3), (300, 300)])
@pytest.mark.parametrize("axis", [0, 1, None, (0, 1)])
@pytest.mark.parametrize("layout", ["C", "F", "strided", "reversed"])
def test_axes_and_layouts(name, dtype, shape, axis, layout):
    x = large_with_zero(shape, dtype)
    if layout == "F":
        array = nd.asarray(x.T.copy()).astype(dtype).T
    elif layout == "strided":
        array = nd.asarray(np.repeat(x, 2, axis=1)).astype(dtype)[:, ::2]
    elif layout == "reversed":
        array = nd.asarray(x[::-1].copy()).astype(dtype)[::-1]
    else:
        array = nd.asarray(x).astype(dtype)
    check(getattr(nd, name)(array, axis=axis), x, axis, dtype)
    kept = getattr(nd, name)(array, axis=axis, keepdims=True)
    assert kept.shape == tuple(1 if axis is None or i in np.atleast_1d(axis) else size for i, size in enumerate(shape))
    np.testing.assert_array_equal(as_numpy(kept), np.zeros(kept.shape))


@pytest.mark.parametrize("n_threads", [1, 2, 4])
@pytest.mark.parametrize("axis", [None, 0, 1])
def test_threads_and_chains(n_threads, axis):
    x = large_with_zero((1000, 1000), "float64")
    with nd.threads(n_threads):
        check((nd.asarray(x.copy()) * 1.0 * 1.0).prod(axis=axis), x, axis, "float64")
        check(nd.prod(nd.asarray(x.copy()) * 1.0, axis=axis), x, axis, "float64")
        held = nd.asarray(x.copy()) * 1.0
        check(nd.prod(held, axis=axis, keepdims=True), x, None, "complex")
        np.testing.assert_array_equal(np.asarray(held), x)


def test_the_operand_of_a_chain_is_as_it_was():
    x = nd.asarray(large_with_zero((100, 1000), "float64"))
    with nd.combine(True):
        y = nd.exp(nd.log(nd.abs(x)))
        assert nd.prod(y, axis=1).tolist() == [0.0] * 100
        assert nd.prod(y).item() == 0.0
        np.testing.assert_allclose(np.asarray(y), np.abs(np.asarray(x)), rtol=1e-12)


@pytest.mark.parametrize("name", PRODUCTS)
@pytest.mark.parametrize("axis", [None, 0, 1])
def test_an_unreferenced_array_is_looked_at_again(name, axis):
    """The operand of a product is part of a chain, whose other values are held, or not."""
    shape = (300, 400) if axis else (120_000,)
    x = nd.asarray(large_with_zero(shape, "float32"))
    product = getattr(nd, name)
    for make in (
        lambda: [y := nd.tanh(x) * x, product(y * 2, axis=axis)],
        lambda: [y := nd.grad(lambda x: nd.sum(nd.tanh(x) * x))(x), product(y * 2, axis=axis)],
        lambda: [y := nd.grad(lambda x: nd.sum(nd.tanh(x) * x))(x), product(x * y * 2, axis=axis)],
        lambda: [None, product(nd.tanh(x) * x * 2, axis=axis)],
        lambda: [y := x * x, product(y * x, axis=axis, dtype="float64")],
        lambda: [y := x + 0, z := y - 0, product(z * 2, axis=axis)],
    ):
        with nd.combine(False):
            want = make()[-1]
        *held, got = make()
        np.testing.assert_array_equal(np.asarray(got), np.asarray(want))
        del held


def test_the_method_the_operator_and_numpy():
    x = nd.arange(840.0) % 251
    assert x.prod().item() == 0.0
    assert nd.prod(x).item() == 0.0
    assert np.prod(x).item() == 0.0
    assert np.multiply.reduce(x).item() == 0.0
    assert nd.prod(x.astype("float32"), dtype="float64").item() == 0.0


@pytest.mark.parametrize("name", PRODUCTS)
@pytest.mark.parametrize("n", [5, 840, 50_000])
def test_infinity_and_nan_beside_zero_stay_nan(name, n):
    for bad in (math.inf, -math.inf):
        x = np.full(n, 2.0)
        x[n // 3], x[n // 2] = 0.0, bad
        assert math.isnan(getattr(nd, name)(nd.asarray(x)).item())
    x = np.full(n, 1e300)
    x[n // 3], x[n // 2] = 0.0, math.nan
    assert math.isnan(nd.prod(nd.asarray(x)).item())
    assert nd.nanprod(nd.asarray(x)).item() == 0.0


def test_lines_are_looked_at_one_by_one():
    x = np.full((4, 500), 1e300)
    x[0, 3] = 0.0
    x[1, 3], x[1, 400] = 0.0, math.inf
    x[3, 7] = math.nan
    np.testing.assert_array_equal(nd.prod(nd.asarray(x), axis=1), [0.0, math.nan, math.inf, math.nan])
    np.testing.assert_array_equal(nd.prod(nd.asarray(x.T.copy()), axis=0), [0.0, math.nan, math.inf, math.nan])


def test_running_products_go_from_left_to_right():
    x = np.asarray([1e300, 1e300, 0.0, 2.0])
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(nd.cumulative_prod(nd.asarray(x)), np.cumprod(x))
        np.testing.assert_array_equal(nd.cumulative_prod(nd.asarray(x[::-1].copy())), np.cumprod(x[::-1]))


def test_the_gradient_beside_a_zero_and_an_overflow():
    x = np.full(100, 1e10)
    x[40] = 0.0
    g = np.asarray(nd.grad(nd.prod)(nd.asarray(x)))
    assert g[40] == math.inf
    assert (np.delete(g, 40) == 0.0).all()
