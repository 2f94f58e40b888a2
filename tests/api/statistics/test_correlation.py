"""Convolution and correlation of rows, against NumPy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis.extra.numpy import array_shapes
from sampled_arrays import arrays, check, check_gradient, numbers

import nd4py as nd

RNG = np.random.default_rng(41)
MODES = ["full", "same", "valid"]


def rows():
    """Arrays of one dimension, with one element or more."""
    return arrays(numbers(-8, 8), shapes=array_shapes(min_dims=1, max_dims=1, min_side=1, max_side=40))


@pytest.mark.parametrize("mode", MODES)
@given(x1=rows(), x2=rows())
def test_rows(mode, x1, x2):
    check(nd.convolve(nd.asarray(x1), nd.asarray(x2), mode), np.convolve(x1, x2, mode))
    check(nd.correlate(nd.asarray(x1), nd.asarray(x2), mode), np.correlate(x1, x2, mode))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    "n, m", [(1, 1), (2100, 2100), (5000, 1), (5000, 3), (3000, 999), (999, 3000), (70_000, 70_000 - 5)]
)
def test_long_rows(mode, n, m):
    if m > 3000 and mode != "valid":
        n, m = 1100, 1095
    x1, x2 = RNG.integers(-9, 9, n) / 8, RNG.integers(-9, 9, m) / 8
    check(nd.convolve(nd.asarray(x1), nd.asarray(x2), mode), np.convolve(x1, x2, mode))
    check(nd.correlate(nd.asarray(x1), nd.asarray(x2), mode), np.correlate(x1, x2, mode))


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "int64", "uint64", "float16", "float32"])
@pytest.mark.parametrize("n, m", [(40, 7), (20, 9)])
def test_dtypes(dtype, n, m):
    x1, x2 = RNG.integers(0, 4, n).astype(dtype), RNG.integers(0, 4, m).astype(dtype)
    for mode in MODES:
        got, want = nd.convolve(nd.asarray(x1), nd.asarray(x2), mode), np.convolve(x1, x2, mode)
        assert got.dtype == want.dtype
        check(got, want)


def test_operands_promote():
    x = nd.asarray([1, 2, 3], dtype="int8")
    assert nd.convolve(x, nd.asarray([1, 1], dtype="int32")).dtype == "int32"
    assert nd.convolve(x, [1, 1]).tolist() == [1, 3, 5, 3]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("n, m", [(40, 7), (7, 40), (5, 5)])
def test_complex_numbers(mode, n, m):
    x1, x2 = (RNG.normal(size=size) + 1j * RNG.normal(size=size) for size in (n, m))
    check(nd.correlate(nd.asarray(x1), nd.asarray(x2), mode), np.correlate(x1, x2, mode))
    check(nd.correlate(nd.asarray(x1.real.copy()), nd.asarray(x2), mode), np.correlate(x1.real, x2, mode))
    check(nd.convolve(nd.asarray(x1), nd.asarray(x2), mode), np.convolve(x1, x2, mode))


@pytest.mark.parametrize("mode", MODES)
def test_what_lies_beside_a_row_takes_no_part(mode):
    x, short = [1.0, 2.0, 3.0, 4.0], [np.inf, 1.0, np.nan]
    for first, second in ((x, short), (short, x), (x, x[:2])):
        check(nd.convolve(first, second, mode), np.convolve(first, second, mode))
        check(nd.correlate(first, second, mode), np.correlate(first, second, mode))


@pytest.mark.parametrize("mode", MODES)
def test_numbers_are_rows_of_one_to_convolve(mode):
    for first, second in ((2.0, [1.0, 3.0]), ([1.0, 3.0], 2.0), (2.0, 3.0)):
        check(nd.convolve(first, second, mode), np.convolve(first, second, mode))
    with pytest.raises(ValueError, match="correlate: needs two rows"):
        nd.correlate(2.0, [1.0, 3.0], mode)


def test_integers_wrap():
    x = np.full(50, 100, "int8")
    check(nd.convolve(nd.asarray(x), nd.asarray(x[:20])), np.convolve(x, x[:20]))


def test_bits_do_not_depend_on_threads():
    x, short = nd.asarray(RNG.normal(size=200_000)), nd.asarray(RNG.normal(size=30))
    results = set()
    for n in (1, 2, 3):
        with nd.threads(n):
            results.add(bytes(memoryview(nd.convolve(x, short))))
    assert len(results) == 1


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("n, m", [(30, 7), (7, 30), (25, 25)])
def test_gradients(mode, n, m):
    x1, x2 = RNG.normal(size=n), RNG.normal(size=m)
    check_gradient(lambda x1, x2: nd.convolve(x1, x2, mode), x1, x2)
    check_gradient(lambda x1, x2: nd.correlate(x1, x2, mode), x1, x2)


@pytest.mark.parametrize(
    "call, text",
    [
        (lambda: nd.convolve(nd.ones((2, 2)), nd.ones(2)), r"two rows of one number or more, given shapes \(2, 2\)"),
        (lambda: nd.correlate(nd.ones(0), nd.ones(2)), "two rows of one number or more"),
        (lambda: nd.convolve(nd.ones(2), nd.ones(2), "half"), "mode must be full, same or valid, given 'half'"),
    ],
)
def test_refusals(call, text):
    with pytest.raises(ValueError, match=text):
        call()


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("mode", ["full", "same", "valid"])
@pytest.mark.parametrize(("n", "m"), [(20_000, 100), (3001, 2999), (100_000, 7)])
def test_rows_of_floats_that_are_multiplied_as_matrices(n, m, mode, dtype):
    rng = np.random.default_rng(n)
    x, short = rng.normal(size=n).astype(dtype), rng.normal(size=m).astype(dtype)
    tolerance = 1e-4 if dtype == "float32" else 1e-11
    for name in ("convolve", "correlate"):
        want = getattr(np, name)(x.astype("float64"), short.astype("float64"), mode)
        got = getattr(nd, name)(nd.asarray(x), nd.asarray(short), mode)
        assert got.dtype == dtype
        np.testing.assert_allclose(np.asarray(got), want, rtol=tolerance, atol=tolerance * m**0.5)


def test_infinite_numbers_of_long_rows_stay_where_they_are():
    x, short = np.ones(20_000), np.ones(100)
    x[[5, 10_000]] = np.inf, np.nan
    np.testing.assert_array_equal(np.asarray(nd.convolve(nd.asarray(x), nd.asarray(short))), np.convolve(x, short))
    short[3] = np.inf
    x[[5, 10_000]] = 1.0
    np.testing.assert_array_equal(np.asarray(nd.convolve(nd.asarray(x), nd.asarray(short))), np.convolve(x, short))


def test_gradients_of_long_rows():
    x, short = nd.ones(20_000), nd.ones(100)
    assert nd.all(nd.grad(lambda x: nd.sum(nd.convolve(x, short)))(x) == 100)
