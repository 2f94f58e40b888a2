"""unique_* and isin against NumPy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import nd4py as nd

DTYPES = ["bool", "int8", "uint16", "int32", "uint32", "int64", "uint64", "float16", "float32", "float64"]
COMPLEX = ["complex64", "complex128"]
SIZES = (0, 1, 2, 50, 127, 129, 1000, 70_000, 140_000)


def drawn(dtype, n, seed, n_different=40):
    """n elements of about so many different values, with NaNs and zeros of both signs where there are any."""
    rng = np.random.default_rng(seed)
    if dtype.startswith("complex"):
        return (drawn("float64", n, seed, 5) + 1j * drawn("float64", n, seed + 1, 5)).astype(dtype)
    x = rng.integers(0, n_different, n) * (3 if n_different < 100 else 1)
    if dtype == "bool":
        return x % 2 == 1
    if "float" not in dtype:
        return x.astype(dtype)
    x = (x * 0.1).astype(dtype)
    x[rng.random(n) < 0.05] = -0.0
    x[rng.random(n) < 0.05] = np.nan
    return x


def assert_groups(x):
    """unique_all agrees with NumPy, but for the order of complex NaNs, and the other three agree with it."""
    a = nd.asarray(x)
    got, want = nd.unique_all(a), np.unique_all(x)
    np.testing.assert_array_equal(got.values, want.values)
    assert {y.dtype.name for y in got[1:]} == {"int64"}
    values, indices, inverse, counts = map(np.asarray, got)
    np.testing.assert_array_equal(values[inverse], x)
    assert inverse.shape == x.shape
    if x.dtype.kind != "c":
        np.testing.assert_array_equal(inverse, want.inverse_indices)
    np.testing.assert_array_equal(counts, np.bincount(inverse.ravel(), minlength=values.size))
    first = np.full(values.size, x.size)
    np.minimum.at(first, inverse.ravel(), np.arange(x.size))
    np.testing.assert_array_equal(indices, first)
    np.testing.assert_array_equal(nd.unique_inverse(a).values, values)
    np.testing.assert_array_equal(nd.unique_inverse(a).inverse_indices, inverse)
    np.testing.assert_array_equal(nd.unique_counts(a).values, values)
    np.testing.assert_array_equal(nd.unique_counts(a).counts, counts)
    np.testing.assert_array_equal(nd.unique_values(a), values)
    assert nd.unique_values(a).dtype == a.dtype


@pytest.mark.parametrize("dtype", DTYPES + COMPLEX)
def test_groups_of_every_dtype(dtype):
    for n in SIZES:
        for n_different in (40, 30_000):
            assert_groups(drawn(dtype, n, n, n_different))


@pytest.mark.parametrize("n_threads", [1, 2])
def test_long_arrays(n_threads):
    rng = np.random.default_rng(0)
    with nd.threads(n_threads):
        assert_groups(rng.standard_normal(300_000))
        assert_groups(rng.integers(-(2**63), 2**63 - 1, 300_000))
        assert_groups(np.repeat(rng.standard_normal(1000), 300))
        assert_groups(np.where(rng.random(300_000) < 0.5, np.nan, np.arange(300_000) // 3 * 0.1))
        assert_groups(np.arange(300_000.0)[::-1])


@pytest.mark.parametrize("shape", [(), (1,), (4, 5), (2, 3, 0), (3, 2, 2)])
def test_shapes(shape):
    x = np.random.default_rng(1).integers(0, 4, shape)
    assert_groups(x)
    assert nd.unique_all(nd.asarray(x)).values.ndim == 1


def test_layouts():
    x = np.random.default_rng(2).integers(0, 9, (12, 10))
    for view in (x.T, x[::2, ::3], x[::-1, ::-1], np.broadcast_to(x[:1], (3, 10))):
        assert_groups(view)


def test_every_nan_is_its_own_and_zeros_are_one():
    x = nd.asarray([np.nan, -0.0, 1.0, np.nan, 0.0])
    values, indices, inverse, counts = nd.unique_all(x)
    np.testing.assert_array_equal(values, [0, 1, np.nan, np.nan])
    assert np.signbit(np.asarray(values))[0]  # the first zero stands for both
    assert indices.tolist() == [1, 2, 0, 3]
    assert inverse.tolist() == [2, 0, 1, 3, 0]
    assert counts.tolist() == [2, 1, 1, 1]


def test_infinity_is_no_nan():
    """Packed keys of infinity and NaN may share their leading bits."""
    x = np.array([np.inf, 2.0, np.inf, -0.0, 0.0, 4.0, np.inf])
    assert_groups(x)
    assert_groups(x.astype("float32"))
    assert_groups(np.append(x, np.nan))


def test_bfloat16():
    x = nd.asarray(drawn("float32", 300, 3)).astype("bfloat16")
    want = np.unique_all(np.asarray(x.astype("float32")))
    got = nd.unique_all(x)
    assert got.values.dtype == "bfloat16"
    np.testing.assert_array_equal(got.values.astype("float32"), want.values)
    np.testing.assert_array_equal(got.inverse_indices, want.inverse_indices)
    np.testing.assert_array_equal(nd.unique_values(x).astype("float32"), want.values)


@given(st.lists(st.floats(), max_size=200))
def test_any_floats(values):
    assert_groups(np.array(values, "float64"))


@given(st.lists(st.integers(-(2**63), 2**63 - 1), max_size=200))
def test_any_integers(values):
    assert_groups(np.array(values, "int64"))


@pytest.mark.parametrize("dtype", DTYPES + COMPLEX)
@pytest.mark.parametrize("invert", [False, True])
def test_isin_of_every_dtype(dtype, invert):
    for n, m in ((0, 3), (3, 0), (5, 7), (1000, 3), (1000, 400), (7, 5000), (20_000, 20_000)):
        elements, others = drawn(dtype, n, 1, 300), drawn(dtype, m, 2, 300)
        got = nd.isin(nd.asarray(elements), nd.asarray(others), invert=invert)
        assert got.dtype == "bool"
        np.testing.assert_array_equal(got, np.isin(elements, others, invert=invert))


def test_isin_keeps_the_shape_and_promotes():
    elements, others = np.arange(12, dtype="int8").reshape(3, 4)[:, ::2], np.array([[2, 300], [8, -1]], "int16")
    np.testing.assert_array_equal(nd.isin(nd.asarray(elements), nd.asarray(others)), np.isin(elements, others))
    assert nd.isin(nd.asarray(3), nd.arange(5)).tolist() is True


def test_isin_of_wide_integers():
    """Beyond any table: the numbers are searched."""
    rng = np.random.default_rng(4)
    elements = rng.integers(-(2**62), 2**62, 5000)
    others = np.concatenate([elements[::3], rng.integers(-(2**62), 2**62, 100)])
    np.testing.assert_array_equal(nd.isin(nd.asarray(elements), nd.asarray(others)), np.isin(elements, others))


def test_isin_takes_python_numbers():
    x = nd.asarray(np.array([0.1, 0.2], "float32"))
    assert nd.isin(x, 0.1).tolist() == [True, False]  # as a float32, like an operand
    assert nd.isin(2, nd.arange(3)).tolist() is True
    assert nd.isin(nd.asarray(np.array([1, 2], "int8")), 1000).tolist() == [False, False]
    assert nd.isin(nd.arange(3), 1, invert=True).tolist() == [True, False, True]


def test_complex_numbers_are_ordered_by_their_parts():
    x = np.array([1 + 2j, 0 - 1j, 1 - 2j, -0.0 - 1j, 1 + 2j, complex(np.nan, 0), complex(0, np.nan)])
    values, indices, inverse, counts = nd.unique_all(nd.asarray(x))
    np.testing.assert_array_equal(values, x[[1, 6, 2, 0, 5]])
    assert counts.tolist() == [2, 1, 1, 2, 1]
    assert inverse.tolist() == [3, 0, 2, 0, 3, 4, 1]
    assert indices.tolist() == [1, 6, 2, 0, 5]


def test_gradient_goes_to_the_first_of_each_group():
    x = nd.asarray([3.0, 1.0, 3.0, 2.0])
    weights = nd.asarray([10.0, 20.0, 30.0])
    for values in (nd.unique_values, lambda a: nd.unique_all(a).values, lambda a: nd.unique_counts(a).values):
        assert nd.grad(lambda a, f=values: nd.sum(f(a) * weights))(x).tolist() == [30, 10, 0, 20]


def test_isin_of_uint64_among_signed_numbers():
    unsigned = nd.asarray([0, 2, 2**63 - 1, 2**63 + 1], dtype="uint64")
    assert nd.isin(unsigned, [2, -1, 2**63 - 1]).tolist() == [False, True, True, False]
    assert nd.isin(unsigned, nd.asarray([-1, 0], dtype="int8"), invert=True).tolist() == [False, True, True, True]
    assert nd.isin(nd.asarray([-1, 2, 5]), unsigned).tolist() == [False, True, False]
    assert nd.isin(nd.asarray([-(2**63) + 1]), unsigned).tolist() == [False]


@pytest.mark.parametrize("n_others", [0, 1, 5, 8, 9])
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_isin_of_many_elements_and_few_values(dtype, n_others):
    x = np.random.default_rng(0).integers(-4, 5, (40, 60)).astype(dtype)
    x[0, :6] = np.nan, -0.0, 0.0, np.inf, -np.inf, np.nan
    others = np.array([0.0, np.nan, 3, np.inf, -2, 3, 4, -4, 1])[:n_others].astype(dtype)
    for elements in (x, x.T, x[::-1, ::2]):
        for invert in (False, True):
            got = nd.isin(nd.asarray(elements), nd.asarray(others), invert=invert)
            np.testing.assert_array_equal(np.asarray(got), np.isin(elements, others, invert=invert))
