"""Counting numbers and elements by bin, against NumPy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes
from sampled_arrays import arrays, check, check_gradient, numbers, silent_numpy

import nd4py as nd

RNG = np.random.default_rng(23)
NAN, INF = float("nan"), float("inf")
EDGES = [-30.0, -2.5, 0.0, 0.0, 1.0, 60.0]


def rows(elements, dtype="float64"):
    """Arrays of one dimension."""
    return arrays(elements, dtype, array_shapes(min_dims=1, max_dims=1, min_side=0, max_side=40))


@given(x=rows(st.integers(0, 9), "int64"), minlength=st.integers(0, 15))
def test_bincount(x, minlength):
    weights = np.linspace(-1, 2, x.size)
    got = nd.bincount(nd.asarray(x), None, minlength)
    assert got.dtype == "int64"
    check(got, np.bincount(x, minlength=minlength))
    sums = nd.bincount(nd.asarray(x), weights, minlength)
    assert sums.dtype == "float64"
    check(sums, np.bincount(x, weights, minlength))


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "int32", "uint64"])
def test_bincount_of_other_dtypes(dtype):
    x = RNG.integers(0, 2, 50).astype(dtype)
    check(nd.bincount(nd.asarray(x)), np.bincount(x.astype("int64")))


@pytest.mark.parametrize("n_bins", [1, 7, 2047, 2049, 60_000])
@pytest.mark.parametrize("size", [65_535, 400_003])
def test_large_counts(n_bins, size):
    """Two tables and one, one piece and several."""
    x, weights = RNG.integers(0, n_bins, size), RNG.uniform(size=size)
    check(nd.bincount(nd.asarray(x), minlength=n_bins), np.bincount(x, minlength=n_bins))
    check(nd.bincount(nd.asarray(x), weights), np.bincount(x, weights), 1e-10)


def test_sums_do_not_depend_on_threads():
    x, weights = RNG.integers(0, 100, 1_000_000), RNG.uniform(size=1_000_000)
    results = []
    for n in (1, 2, 3, 7):
        with nd.threads(n):
            results.append(bytes(memoryview(nd.bincount(nd.asarray(x), weights))))
            results.append(bytes(memoryview(nd.histogram(nd.asarray(weights), 30, weights=weights)[0])))
    assert len(set(results[::2])) == len(set(results[1::2])) == 1


@given(x=arrays(numbers()), bins=st.sampled_from([1, 2, 10, 37, EDGES, [0.0, 0.0], [5.0]]), data=st.data())
def test_histogram(x, bins, data):
    limits = data.draw(st.sampled_from([None, (-3.0, 40.0), (2, 2)]))
    weights = data.draw(st.sampled_from([None, "weights"])) and RNG.integers(-8, 8, x.shape) / 4
    got = nd.histogram(nd.asarray(x), bins, limits, weights=weights)
    want = np.histogram(x, bins, limits, weights=weights)
    assert got[0].dtype == want[0].dtype
    check(got, want)
    check(nd.histogram_bin_edges(nd.asarray(x), bins, limits), want[1])


@given(x=rows(st.floats(-1e3, 1e3)), n_bins=st.integers(1, 60))
def test_bins_end_where_the_edges_say(x, n_bins):
    """Elements that lie on edges, and next to them."""
    edges = np.linspace(-7.0, 13.0, n_bins + 1)
    x = np.concatenate([x, edges, np.nextafter(edges, -INF), np.nextafter(edges, INF)])
    got, _ = nd.histogram(nd.asarray(x), n_bins, (-7.0, 13.0))
    check(got, np.histogram(x, edges)[0])


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int64", "float16", "float32", "bool"])
def test_dtypes(dtype):
    x = RNG.integers(0, 2, 300) if dtype == "bool" else RNG.integers(-60, 60, 300)
    x = np.abs(x).astype(dtype) if dtype[0] in "ub" else x.astype(dtype)
    counts, edges = nd.histogram(nd.asarray(x), 8)
    if dtype != "bool":  # NumPy warns
        check((counts, edges), np.histogram(x, 8), 1e-3)
    assert nd.sum(counts).item() == 300
    assert edges.dtype == (dtype if dtype.startswith("float") else "float64")


@pytest.mark.parametrize("bins", [10, [0.0, 0.25, 0.5, 2.0]])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_large_histograms(bins, dtype):
    x = RNG.normal(size=300_000).astype(dtype)
    x[::1000] = NAN
    limits = (-2.0, 2.0)
    check(nd.histogram(nd.asarray(x), bins, limits), np.histogram(x, bins, limits), 1e-6)


def test_density():
    x, weights = RNG.normal(size=500), RNG.uniform(size=500)
    for bins in (12, EDGES[:3]):
        check(nd.histogram(nd.asarray(x), bins, density=True), np.histogram(x, bins, density=True))
        got = nd.histogram(nd.asarray(x), bins, None, True, weights)
        check(got, np.histogram(x, bins, density=True, weights=weights))


@pytest.mark.parametrize("dtype", ["int32", "float32"])
def test_weights_give_the_dtype(dtype):
    x, weights = RNG.normal(size=90), RNG.integers(0, 9, 90).astype(dtype)
    got, want = nd.histogram(nd.asarray(x), 5, weights=weights)[0], np.histogram(x, 5, weights=weights)[0]
    assert got.dtype == want.dtype
    check(got, want)


@pytest.mark.parametrize("rule", ["auto", "doane", "fd", "rice", "scott", "sqrt", "stone", "sturges"])
@pytest.mark.parametrize("size", [0, 1, 2, 3, 50, 2000])
def test_rules(rule, size):
    # Numbers of its own, the same in every run: where Stone's errors of two numbers of bins are equal but for rounding,
    # NumPy's choice depends on the kernel of its dot product.
    rng = np.random.default_rng(size)
    for x in (rng.normal(size=size), rng.integers(-9, 9, size), np.ones(size)):
        got = nd.histogram(nd.asarray(x), rule)
        with silent_numpy():
            check(got, np.histogram(x, rule))
    x = rng.normal(size=size)
    got = nd.histogram_bin_edges(nd.asarray(x), rule, (-1, 2))
    with silent_numpy():
        check(got, np.histogram_bin_edges(x, rule, (-1, 2)))


@pytest.mark.parametrize("bins", [6, [3, 5], ([-1.0, 0.0, 2.0], 4), EDGES])
@pytest.mark.parametrize("limits", [None, [[-1, 1], [0, 2]]])
@pytest.mark.parametrize("density", [False, True])
def test_histogram2d(bins, limits, density):
    x, y, weights = RNG.normal(size=200), RNG.normal(size=200), RNG.uniform(size=200)
    for w in (None, weights):
        got = nd.histogram2d(nd.asarray(x), nd.asarray(y), bins, limits, density, w)
        with silent_numpy():
            check(got, np.histogram2d(x, y, bins, limits, density, w))


@given(x=arrays(numbers(-5, 5)), right=st.booleans())
def test_digitize(x, right):
    for bins in ([-2.0, 0.0, 0.0, 1.5], [3.0, 1.0, -2.5], [1.0], []):
        got = nd.digitize(nd.asarray(x), bins, right)
        assert got.dtype == "int64"
        check(got, np.digitize(x, bins, right))


def test_digitize_integers():
    x, bins = RNG.integers(-9, 9, (4, 5)), [-3, 0, 4]
    check(nd.digitize(nd.asarray(x), nd.asarray(bins)), np.digitize(x, bins))


def test_gradient_of_the_weights():
    positions, x = RNG.integers(0, 5, 12), RNG.uniform(-2, 2, 12)
    weights = RNG.uniform(size=12)
    check_gradient(lambda w: nd.bincount(nd.asarray(positions), w, 7), weights)
    check_gradient(lambda w: nd.histogram(nd.asarray(x), 4, (-1.0, 1.0), weights=w)[0], weights)
    check_gradient(lambda w: nd.histogram(nd.asarray(x), [-1.0, 0.5, 1.0], density=True, weights=w)[0], weights)
    check_gradient(lambda w: nd.histogram2d(nd.asarray(x), nd.asarray(x[::-1].copy()), 3, weights=w)[0], weights)


@pytest.mark.parametrize(
    "call, error, text",
    [
        (lambda: nd.bincount(nd.asarray([1, -2])), ValueError, "must not be negative, given -2"),
        (lambda: nd.bincount(nd.asarray([1.0])), TypeError, "x must be integers, given float64"),
        (lambda: nd.bincount(nd.ones((2, 2), dtype="int64")), ValueError, "must have one dimension"),
        (lambda: nd.bincount(nd.asarray([1]), minlength=-1), ValueError, "minlength must not be negative"),
        (lambda: nd.bincount(nd.asarray([1]), [1.0, 2.0]), ValueError, r"the shape of x, \(1,\), given \(2,\)"),
        (lambda: nd.histogram(nd.ones(3), 0), ValueError, "bins must be at least 1, given 0"),
        (lambda: nd.histogram(nd.ones(3), 2.5), TypeError, "must be a whole number, given float64"),
        (lambda: nd.histogram(nd.ones(3), "best"), ValueError, "bins must be one of auto.*given 'best'"),
        (lambda: nd.histogram(nd.ones(3), "fd", weights=[1.0] * 3), TypeError, "knows no weights"),
        (lambda: nd.histogram(nd.ones(3), [2.0, 1.0]), ValueError, "edges in bins must rise"),
        (lambda: nd.histogram(nd.ones(3), [[2.0, 1.0]]), ValueError, "a number or a row of edges"),
        (lambda: nd.histogram(nd.ones(3), []), ValueError, "a number or a row of edges"),
        (lambda: nd.histogram(nd.ones(3), 3, (1, 0)), ValueError, "range must rise, given 1 to 0"),
        (lambda: nd.histogram(nd.ones(3), 3, (0, INF)), ValueError, "range must be finite"),
        (lambda: nd.histogram(nd.asarray([1.0, NAN]), 3), ValueError, "without range the elements must be finite"),
        (lambda: nd.histogram(nd.asarray([1.0, 1 + 1e-15]), 99), ValueError, "no room for 99 bins"),
        (lambda: nd.histogram(nd.ones(3), 3, weights=[1.0]), ValueError, r"the shape of x, \(3,\)"),
        (lambda: nd.digitize(nd.ones(3), [0.0, 1.0, 0.5]), ValueError, "must rise, or fall"),
        (lambda: nd.digitize(nd.ones(3), 0.5), ValueError, "bins must have one dimension"),
        (lambda: nd.histogram2d(nd.ones(3), nd.ones(4)), ValueError, "rows of one length"),
        (lambda: nd.grad(lambda x: nd.sum(nd.histogram(x, 2)[1]))(nd.ones(2)), NotImplementedError, "stop_gradient"),
    ],
)
def test_refusals(call, error, text):
    with pytest.raises(error, match=text):
        call()
