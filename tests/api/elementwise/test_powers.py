"""x ** n with a Python scalar: 2, 3, -1 and 1/2 have loops of their own, with the special cases of pow."""

import numpy as np
import pytest

import nd4py as nd

SPECIAL = [0.0, -0.0, 1.0, -1.0, 1e-20, -1e-20, 1e13, -1e13, 1e200, -1e200, 3e-320, np.inf, -np.inf, np.nan]


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
@pytest.mark.parametrize("power", [2, 3, -1, 2.0, 3.0, -1.0, 0.5])
def test_values(dtype, power):
    x = np.random.default_rng(1).normal(size=1000).astype(dtype)
    x = np.abs(x) if power == 0.5 else x
    precise = 1e-5 if dtype in ("float32", "complex64") else 1e-13
    np.testing.assert_allclose(np.asarray(nd.asarray(x) ** power), x**power, rtol=precise)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("power", [2, 3, -1, 0.5])
def test_special_cases_are_those_of_pow(dtype, power):
    with np.errstate(all="ignore"):
        x = np.array(SPECIAL).astype(dtype)
        wanted = np.power(x, np.full_like(x, power))
    found = np.asarray(nd.asarray(x) ** power)
    np.testing.assert_allclose(found, wanted, rtol=1e-6 if dtype == "float32" else 1e-15)
    has_sign = ~np.isnan(wanted)
    assert np.array_equal(np.signbit(found)[has_sign], np.signbit(wanted)[has_sign])


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("share", [0.0, 0.01, 0.5, 1.0])
def test_square_roots_among_other_powers(dtype, share):
    """An exponent of 1/2 gives the same bits beside whatever others, also where the result lies over an operand."""
    rng = np.random.default_rng(3)
    with np.errstate(all="ignore"):
        x = np.concatenate([np.exp(rng.normal(0, 20, 3000)), rng.normal(size=3000), SPECIAL * 10]).astype(dtype)
    y = np.where(rng.random(x.size) < share, 0.5, rng.normal(0, 3, x.size)).astype(dtype)
    with np.errstate(all="ignore"):
        roots = np.where(x == -np.inf, np.inf, np.sqrt(x) + 0).astype(dtype)
    found = np.asarray(nd.asarray(x) ** nd.asarray(y))
    np.testing.assert_array_equal(found[y == 0.5], roots[y == 0.5])
    np.testing.assert_array_equal(np.asarray(nd.asarray(x) ** 0.5), roots)
    np.testing.assert_allclose(found, [float(a) ** nd.asarray(b) for a, b in zip(x, y, strict=True)], rtol=2e-6)
    for over in (x, y):
        out = nd.array(over)
        nd.pow(out if over is x else nd.asarray(x), out if over is y else nd.asarray(y), out=out)
        np.testing.assert_array_equal(np.asarray(out), found)


def test_cubes_of_floats_are_within_one_unit_over_all_bits():
    bits = np.random.default_rng(2).integers(0, 2**32, 1_000_000, dtype=np.uint32)
    edges = np.nextafter(np.float32(np.cbrt(3.4028235e38)), np.array([0, np.inf], dtype="float32"))
    x = np.concatenate([bits.view("float32"), edges, -edges])
    x = x[~np.isnan(x)]
    found, exact = np.asarray(nd.asarray(x) ** 3), x.astype("float64") ** 3
    with np.errstate(all="ignore"):
        wanted = exact.astype("float32")
        error = np.abs(found - exact) / np.spacing(np.abs(wanted))
    assert np.array_equal(np.isinf(found), np.isinf(wanted))
    assert np.array_equal(np.signbit(found), np.signbit(x))
    assert error[np.isfinite(wanted)].max() <= 1.0


def test_dtypes_are_those_of_pow():
    assert (nd.asarray([1, 2]) ** 3).dtype == "int64"
    assert (nd.asarray([1, 2]) ** 3.0).dtype == nd.pow(nd.asarray([1, 2]), nd.asarray(3.0)).dtype
    assert (nd.asarray([1.5], dtype="float16") ** 3).dtype == "float16"
    assert nd.pow(nd.asarray([1.5], dtype="float32"), 3).tolist() == [3.375]


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex128"])
@pytest.mark.parametrize("power", [2, 3, -1, 2.0, 3.0, -1.0, 0.5])
def test_a_power_has_the_same_bits_wherever_it_is_written(dtype, power):
    values = np.random.default_rng(0).normal(0, 2, 1000).astype(dtype)
    values = np.abs(values).astype(dtype) if power == 0.5 else values
    wanted = (nd.asarray(values) ** power).tolist()
    out, x = nd.zeros(1000, dtype=dtype), nd.asarray(values, copy=True)
    assert nd.pow(nd.asarray(values), power, out=out) is out
    x **= power
    spaced = nd.zeros(2000, dtype=dtype)[::2]
    spaced[...] = nd.asarray(values)
    spaced **= power
    assert out.tolist() == x.tolist() == spaced.tolist() == wanted


def test_slopes():
    x = nd.asarray([1.0, -2.0, 3.0])
    assert nd.grad(lambda x: nd.sum(x**3))(x).tolist() == [3.0, 12.0, 27.0]
    assert nd.grad(lambda x: nd.sum(x**-1))(x).tolist() == [-1.0, -0.25, -1 / 9]
