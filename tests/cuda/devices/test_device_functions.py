"""Scans, products, indexing and joining on simulated devices, and what happens to functions without kernels."""

import math
import warnings

import numpy as np
import pytest

import nd4py as nd
from nd4py.cuda import UnsupportedOnDevice
from nd4py.cuda.compile import row_kernels
from nd4py.cuda.fallback import counts

pytestmark = pytest.mark.usefixtures("simulator")


def on(values, device="cuda:0"):
    return nd.asarray(values, device=device)


def numpy_of(x):
    assert x.device.startswith("cuda:")
    return np.asarray(x.to_device("cpu"))


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "complex64"])
@pytest.mark.parametrize(
    "shapes", [((3, 4), (4, 5)), ((2, 3, 4), (4, 5)), ((2, 1, 3, 4), (5, 4, 2)), ((4,), (4, 3)), ((3, 4), (4,)),
               ((4,), (4,)), ((3, 0), (0, 2))], ids=str,
)  # fmt: skip
def test_matmul(dtype, shapes):
    a, b = (np.random.default_rng(i).integers(-4, 5, shape).astype(dtype) for i, shape in enumerate(shapes))
    got = numpy_of(on(a) @ on(b))
    assert got.dtype == dtype
    np.testing.assert_array_equal(got, a @ b)


def test_products_of_views_and_of_mixed_dtypes():
    a, b = np.arange(12.0).reshape(3, 4), np.arange(12, dtype="int32").reshape(3, 4)
    np.testing.assert_array_equal(numpy_of(on(a).T @ on(b)), a.T @ b)
    np.testing.assert_array_equal(numpy_of(on(a)[:, ::2] @ on(b)[:, ::-2].T), a[:, ::2] @ b[:, ::-2].T)
    np.testing.assert_array_equal(numpy_of(nd.tensordot(on(a), on(a), axes=2)), np.tensordot(a, a, axes=2))
    np.testing.assert_array_equal(numpy_of(nd.vecdot(on(a), on(a))), (a * a).sum(axis=1))


def test_wrong_products():
    x = on(np.ones((2, 3)))
    with pytest.raises(ValueError, match=r"inner sizes differ, \(2, 3\) @ \(2, 3\)"):
        x @ x
    with pytest.raises(ValueError, match="do not broadcast"):
        on(np.ones((2, 2, 3))) @ on(np.ones((3, 3, 2)))
    with pytest.raises(ValueError, match="different devices"):
        x @ on(np.ones((3, 2)), "cuda:1")
    with pytest.raises(ValueError, match="different devices"):
        nd.matmul(x, nd.ones((3, 2)))


@pytest.mark.parametrize("name", ["cumulative_sum", "cumulative_prod"])
@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("include_initial", [False, True])
def test_scans(name, axis, include_initial):
    values = np.random.default_rng(2).integers(1, 3, (3, 4, 5)).astype("int16")
    function = getattr(nd, name)
    want = np.asarray(function(nd.asarray(values), axis=axis, include_initial=include_initial))
    for x in (on(values), on(values.T).permute_dims((2, 1, 0))):
        got = numpy_of(function(x, axis=axis, include_initial=include_initial))
        assert got.dtype == want.dtype
        np.testing.assert_array_equal(got, want)


def test_long_scans_and_wrong_ones():
    values = np.random.default_rng(2).integers(-9, 9, 40_000)
    np.testing.assert_array_equal(numpy_of(nd.cumulative_sum(on(values))), np.cumsum(values))
    assert nd.cumulative_sum(on(values), dtype="float32").dtype == "float32"
    with pytest.raises(ValueError, match="needs an axis"):
        nd.cumulative_sum(on(np.ones((2, 2))))


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "complex64"])
@pytest.mark.parametrize("name", ["prod", "nanprod"])
def test_products_with_a_zero(name, dtype):
    large = {"float16": 6e4, "float32": 1e30, "float64": 1e300, "complex64": 1e30}[dtype]
    x = np.full((5, 700), large).astype(dtype)
    x[0, 3] = x[3, 600] = 0.0
    x[1, 3], x[1, 600] = 0.0, math.inf
    x[2] = 1.0
    x[4, 5], x[4, 7] = math.nan, -0.0
    want = getattr(nd, name)(nd.asarray(x), axis=1)
    got = getattr(nd, name)(on(x), axis=1)
    assert got.dtype == want.dtype
    np.testing.assert_array_equal(numpy_of(got), np.asarray(want))
    assert numpy_of(getattr(nd, name)(on(x[::3]))).item() == 0
    if dtype != "complex64":
        slope = nd.grad(lambda x: nd.sum(getattr(nd, name)(x, axis=1)))(on(x[:1, :5]))
        np.testing.assert_array_equal(np.isfinite(numpy_of(slope)), [[True, True, True, False, True]])


def test_take_and_integer_indices():
    values = np.arange(24.0).reshape(2, 3, 4)
    x = on(values)
    for axis in (0, 1, 2, -1):
        indices = [0, 1, -1, 1]
        np.testing.assert_array_equal(numpy_of(nd.take(x, on(indices), axis=axis)), np.take(values, indices, axis))
    np.testing.assert_array_equal(
        numpy_of(nd.take(x.mT, [[1, 0]], axis=1)), np.take(values.swapaxes(1, 2), [[1, 0]], 1)
    )
    np.testing.assert_array_equal(numpy_of(x[on([1, 0, 1])]), values[[1, 0, 1]])
    with pytest.raises(IndexError, match="take: index 7 is out of range for an axis of size 3"):
        numpy_of(nd.take(x, on([0, 7, 9]), axis=1))
    with pytest.raises(IndexError, match="indices must be integers"):
        nd.take(x, on([0.5]), axis=1)


def test_masks():
    values = np.arange(6.0)
    x = on(values)
    x[x > 3] = -1
    np.testing.assert_array_equal(numpy_of(x), np.where(values > 3, -1, values))
    np.testing.assert_array_equal(numpy_of(x[x < 0]), [-1, -1])
    x[on([0, 1])] = 5.0
    np.testing.assert_array_equal(numpy_of(x), [5, 5, 2, 3, -1, -1])


def test_joining():
    a, b = np.arange(6.0).reshape(2, 3), np.arange(6, dtype="int8").reshape(2, 3)
    for axis in (0, 1):
        np.testing.assert_array_equal(numpy_of(nd.concat([on(a), on(b)], axis=axis)), np.concatenate([a, b], axis))
    for axis in (0, 1, 2, -1):
        np.testing.assert_array_equal(numpy_of(nd.stack([on(a), on(b).T.T], axis=axis)), np.stack([a, b], axis))
    with pytest.raises(ValueError, match="concat: shapes"):
        nd.concat([on(a), on(b)[:, :2]])
    with pytest.raises(ValueError, match="different devices"):
        nd.concat([on(a), nd.asarray(b)])


def test_views_by_function():
    values = np.arange(24.0).reshape(2, 3, 4)
    x = on(values)
    np.testing.assert_array_equal(numpy_of(nd.flip(x, axis=1)), np.flip(values, 1))
    np.testing.assert_array_equal(numpy_of(nd.moveaxis(x, 0, -1)), np.moveaxis(values, 0, -1))
    np.testing.assert_array_equal(numpy_of(nd.expand_dims(x, axis=1)), values[:, None])
    np.testing.assert_array_equal(numpy_of(nd.squeeze(x[:1], axis=0)), values[0])
    np.testing.assert_array_equal(numpy_of(nd.matrix_transpose(x)), values.swapaxes(1, 2))
    np.testing.assert_array_equal(numpy_of(nd.astype(x, nd.int32)), values.astype("int32"))


# Functions without kernels.


def test_on_host_runs_any_function():
    counts.clear()
    values = np.random.default_rng(0).normal(size=(3, 3))
    found = nd.cuda.on_host(nd.linalg.svd, on(values, "cuda:1"))
    assert found.S.device == "cuda:1"
    np.testing.assert_allclose(numpy_of(found.S), np.linalg.svd(values).S)
    np.testing.assert_array_equal(numpy_of(nd.cuda.on_host(nd.sort, on([3, 1, 2]))), [1, 2, 3])
    assert nd.cuda.fallbacks() == {"svd": 1, "sort": 1}
    counts.clear()


def test_operations_without_kernels_are_errors_unless_told_otherwise(monkeypatch):
    refuse(monkeypatch)
    x = on([1.0, 2.0])
    with pytest.raises(
        UnsupportedOnDevice, match=r"op 'tan'.*no kernel today.*x.to_device\('cpu'\).*fallback\('host'\)"
    ):
        nd.tan(x)
    assert nd.cuda.fallbacks() == {}


def test_the_host_in_place_of_a_kernel(monkeypatch, host_fallback):
    refuse(monkeypatch)
    x = on([1.0, 2.0], "cuda:1")
    with pytest.warns(nd.cuda.HostFallbackWarning, match="tan has no CUDA kernel and ran on the host"):
        y = nd.tan(x)
    assert y.device == "cuda:1"
    np.testing.assert_allclose(numpy_of(y), np.tan([1.0, 2.0]))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        nd.tan(x, out=y)  # warned of once
    assert nd.cuda.fallbacks() == {"tan": 2}


def test_fallback_takes_two_words():
    with pytest.raises(ValueError, match="'error' or 'host', given 'cpu'"):
        nd.cuda.fallback("cpu")


def refuse(monkeypatch):
    """Let rows that were not used yet have no kernel."""

    def without(name, dtype):
        raise TypeError(f"{name} of {dtype} has no kernel today")

    monkeypatch.setattr(row_kernels, "row_kernels", without)


@pytest.fixture(autouse=True)
def forget_kernels():
    """What `refuse` refused may have kernels again."""
    yield
    row_kernels.found_kernels.cache_clear()
