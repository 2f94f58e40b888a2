"""Elementwise functions under NumPy's names: NumPy's values, shapes and dtypes for every kind of operand."""

import numpy as np
import numpy.testing as npt
import pytest
from numpy_comparison import COMPLEX, EVERY, FLOATS, INTEGERS, NUMBERS, REAL, compare, compare_widely, rounded, sample

import nd4py as nd

# function: (dtypes, the call)
OF_ONE = {
    "around": (NUMBERS, lambda xp, x: xp.around(x)),
    "round 2": (NUMBERS, lambda xp, x: xp.round(x, 2)),
    "round -1": (NUMBERS, lambda xp, x: xp.round(x, decimals=-1)),
    "rint": (FLOATS + COMPLEX, lambda xp, x: xp.rint(x)),
    "fix": (REAL, lambda xp, x: xp.fix(x)),
    "angle": (NUMBERS, lambda xp, x: xp.angle(x)),
    "angle deg": (FLOATS + COMPLEX, lambda xp, x: xp.angle(x, deg=True)),
    "degrees": (REAL, lambda xp, x: xp.degrees(x)),
    "radians": (REAL, lambda xp, x: xp.radians(x)),
    "fabs": (REAL, lambda xp, x: xp.fabs(x)),
    "frexp": (REAL, lambda xp, x: xp.frexp(x)),
    "modf": (REAL, lambda xp, x: xp.modf(x)),
    "spacing": (INTEGERS + ("float32", "float64"), lambda xp, x: xp.spacing(x)),  # NumPy's of halves loses the sign
    "bitwise_count": (INTEGERS, lambda xp, x: xp.bitwise_count(x)),
    "i0": (FLOATS + ("int64",), lambda xp, x: xp.i0(x)),
    "iscomplex": (EVERY, lambda xp, x: xp.iscomplex(x)),
    "isreal": (EVERY, lambda xp, x: xp.isreal(x)),
    "iscomplexobj": (EVERY, lambda xp, x: xp.iscomplexobj(x)),
    "isrealobj": (EVERY, lambda xp, x: xp.isrealobj(x)),
    "real_if_close": (NUMBERS, lambda xp, x: xp.real_if_close(x)),
    "real_if_close tol": (NUMBERS, lambda xp, x: xp.real_if_close(x + 1e-9j, tol=1e-7)),
}
# Functions that give bools as they are, or as False.
OF_BOOLS = {
    name: (("bool",), lambda xp, x, name=name: getattr(xp, name)(x))
    for name in ("abs", "floor", "ceil", "trunc", "fix", "real", "imag")
}
OF_TWO = {
    "fmod": (REAL, lambda xp, x, y: xp.fmod(x, y)),
    "fmax": (("bool", *REAL), lambda xp, x, y: xp.fmax(x, y)),
    "fmin": (("bool", *REAL), lambda xp, x, y: xp.fmin(x, y)),
    "gcd": (INTEGERS, lambda xp, x, y: xp.gcd(x, y)),
    "lcm": (INTEGERS, lambda xp, x, y: xp.lcm(x, y)),
    "logaddexp2": (REAL, lambda xp, x, y: xp.logaddexp2(x, y)),
    "float_power": (NUMBERS, lambda xp, x, y: xp.float_power(x + 7, y)),
    "divmod": (REAL, lambda xp, x, y: xp.divmod(x, y)),
}


@pytest.mark.parametrize("name", OF_ONE | OF_BOOLS)
def test_of_one_operand(name):
    dtypes, call = (OF_ONE | OF_BOOLS)[name]
    keeps_dtype = False if name == "i0" else None  # NumPy computes it in float64
    tolerance = 1e-6 if name == "i0" else None
    dtypes = tuple(t for t in dtypes if not (name == "i0" and t == "float16"))
    compare_widely(call, dtypes, check_dtype=keeps_dtype, tolerance=tolerance)


@pytest.mark.parametrize("name", OF_TWO)
def test_of_two_operands(name):
    dtypes, call = OF_TWO[name]
    # The array API asks for other quotients of infinities than NumPy gives.
    compare_widely(call, dtypes, n=2, special=name not in ("divmod", "float_power"))


def test_two_results_are_written_to_a_pair_or_to_two_operands():
    for name, operands in (("modf", ([1.5, -2.25],)), ("frexp", ([8.0, -0.75],)), ("divmod", ([7.0, -7.0], 3.0))):
        second = "int32" if name == "frexp" else "float64"

        def call(xp, *given, name=name, second=second, together=False):
            outs = xp.zeros(2), xp.zeros(2, dtype=second)
            got = getattr(xp, name)(*given, out=outs) if together else getattr(xp, name)(*given, *outs)
            assert got[0] is outs[0]
            assert got[1] is outs[1]
            return outs

        compare(call, *operands)
        compare(lambda xp, *given, call=call: call(xp, *given, together=True), *operands)
    with pytest.raises(TypeError, match="modf: out must be a pair of arrays"):
        nd.modf([1.5], nd.zeros(1))
    with pytest.raises(TypeError):
        nd.modf([1.5], (nd.zeros(1), nd.zeros(1)), nd.zeros(1))


def test_powers_take_no_modulus():
    for call in (lambda: pow(nd.asarray([2]), 3, 5), lambda: pow(2, nd.asarray([3]), 5)):
        with pytest.raises(TypeError, match="unsupported operand type"):
            call()
    assert pow(nd.asarray([2]), 3).tolist() == [8]


def test_clip_by_bounds_of_a_higher_kind_gives_that_kind():
    for low, high in ((1.5, 3), (0, float("inf")), (None, 2.5), ([0.5, 1.5, 2.5], None)):
        for dtype in ("int64", "uint8", "float32"):
            given = None if low is None else np.asarray(low, "float32") if dtype == "float32" else low
            compare(lambda xp, x, low=given, high=high: xp.clip(x, low, high), np.asarray([0, 2, 5], dtype))
    with pytest.raises(TypeError, match="clip: the result is float64, out is int64"):
        nd.clip(nd.arange(3), 0.5, 1.5, out=nd.arange(3))


def test_ldexp_is_exact_where_exponents_are_far_and_numbers_subnormal():
    for dtype in FLOATS:
        x = rounded([1.0, -1.5, 0.0, -0.0, np.inf, np.nan, 3e-7, 6e4, 1e-40, 5e-324, 1.7e308], dtype)
        for shift in (0, 1, -1, 5, -20, 100, -149, 1000, -1074, 2000, -2100, 40_000, -2_000_000_000):
            compare(lambda xp, x, n: xp.ldexp(x, n), x, np.full(x.shape, shift, "int32"), tolerance=0, label=f"{shift}")
    compare(lambda xp, x: xp.ldexp(x, [1, -2, 3]), [1, 2, 3])
    for dtype in ("int8", "uint8", "int16", "uint16", "int32", "uint32"):
        far = np.asarray([0, 3, np.iinfo(dtype).max], dtype)
        compare(lambda xp, x, n: xp.ldexp(x, n), np.asarray([1.5, -3.0, 2.0]), far, tolerance=0, label=dtype)
    assert nd.ldexp(1.0, 2.5).item() == 4.0
    with pytest.raises(TypeError, match=r"ldexp: x2 must be of integers"):
        nd.ldexp(1.0, 1j)


@pytest.mark.parametrize("dtype", FLOATS)
def test_frexp_and_ldexp_are_inverse_for_every_size_of_numbers(dtype):
    rng = np.random.default_rng(3)
    x = rounded(rng.uniform(-1, 1, 5000) * 2.0 ** rng.integers(-1080, 1023, 5000), dtype)
    mantissa, exponent = nd.frexp(nd.asarray(x))
    npt.assert_array_equal(np.asarray(nd.ldexp(mantissa, exponent)), x)
    npt.assert_array_equal(np.asarray(mantissa), np.frexp(x)[0])
    npt.assert_array_equal(np.asarray(exponent), np.frexp(x)[1])


@pytest.mark.parametrize("layout", [lambda x: x, lambda x: x[::-1], lambda x: x[1:], lambda x: x[:0]])
@pytest.mark.parametrize("dtype", FLOATS)
def test_frexp_of_numbers_without_parts_anywhere(dtype, layout):
    x = layout(np.resize(rounded(np.asarray([3.0, -0.0, np.inf, -1e-40, np.nan, 0.0, -np.inf, 1.0, 0.1]), dtype), 77))
    mantissa, exponent = nd.frexp(nd.asarray(x))
    want = np.frexp(x.astype("float64"))
    npt.assert_array_equal(np.asarray(mantissa).astype("float64"), want[0])
    npt.assert_array_equal(np.signbit(np.asarray(mantissa).astype("float64")), np.signbit(want[0]))
    npt.assert_array_equal(np.asarray(exponent), want[1])


@pytest.mark.parametrize("dtype", INTEGERS)
def test_limits_of_integers(dtype):
    low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    x, y = (
        np.asarray(row, dtype) for row in np.meshgrid([low, low + 1, 0, 1, 7, high - 1, high], [low, 0, 1, 3, high])
    )
    for call in (lambda xp, x, y: xp.gcd(x, y), lambda xp, x, y: xp.lcm(x, y), lambda xp, x, y: xp.fmod(x, y)):
        compare(call, x, y)
    compare(lambda xp, x: xp.bitwise_count(x), x)


def test_operands_that_do_not_fit_are_refused_as_in_numpy():
    for call in (
        lambda xp: xp.gcd(1.5, 2), lambda xp: xp.fmod(1j, 2), lambda xp: xp.fmax([1, 2], [1, 2, 3]),
        lambda xp: xp.fix(1j), lambda xp: xp.frexp(1j), lambda xp: xp.modf(1j), lambda xp: xp.spacing(1j),
        lambda xp: xp.bitwise_count(1.5), lambda xp: xp.divmod(1j, 2), lambda xp: xp.fabs(1j),
        lambda xp: xp.round(1.5, 1.5), lambda xp: xp.i0(1j), lambda xp: xp.ldexp(1.0, 1j),
    ):  # fmt: skip
        compare(call)


def test_divmod_of_arrays_is_pythons():
    x, y = nd.asarray([7, -7, 5]), nd.asarray([2, 2, -3])
    for got in (divmod(x, y), divmod(x, 2), divmod(7, y)):
        assert len(got) == 2
    npt.assert_array_equal(np.asarray(divmod(7, y)), np.asarray(divmod(7, np.asarray(y))))
    npt.assert_array_equal(np.asarray(divmod(x, y)), np.asarray(divmod(np.asarray(x), np.asarray(y))))


def test_large_arrays_are_deferred_and_equal():
    x = sample("float64", (60_000,))
    for name in ("spacing", "fabs", "i0"):
        compare(lambda xp, x, name=name: getattr(xp, name)(x), x)
    compare(lambda xp, x: xp.modf(x), x)
    compare(lambda xp, x: xp.frexp(x), x)
    compare(lambda xp, x: xp.round(x, 1), x)


def test_isscalar():
    for value in (3, 2.5, True, 1j, "text", b"bytes", np.float64(2), None, [1], np.ones(1), {}):
        assert nd.isscalar(value) == np.isscalar(value)
    assert not nd.isscalar(nd.ones(()))


@pytest.mark.parametrize("function, at, slope", [
    (lambda x: nd.round(x, 1), 0.3, 0.0),
    (lambda x: nd.fmod(x, 0.7), 2.0, 1.0),
    (lambda x: nd.modf(x).fractional, -2.25, 1.0),
    (lambda x: nd.frexp(x).mantissa, 6.0, 0.125),
    (lambda x: nd.i0(x), 1.5, 0.9816664285779),
    (lambda x: nd.i0(x), 20.0, 42454973.3851278),
    (lambda x: nd.ldexp(x, 3), 1.0, 8.0),
    (lambda x: nd.float_power(x, 3), 2.0, 12.0),
    (lambda x: nd.fabs(x), -2.0, -1.0),
    (lambda x: nd.logaddexp2(x, 1.0), 1.0, 0.5),
    (lambda x: nd.degrees(x), 1.0, 180 / np.pi),
])  # fmt: skip
def test_gradients(function, at, slope):
    got = nd.grad(lambda x: nd.sum(function(x)))(nd.full((3,), at))
    npt.assert_allclose(np.asarray(got), np.full(3, slope), rtol=1e-9)
