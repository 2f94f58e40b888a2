"""Complex functions: special values of the array API standard, branch cuts, symmetries, and accuracy against mpmath."""

import itertools
import math
from fractions import Fraction

import mpmath as mp
import numpy as np
import pytest
from complex_accuracy import REGIONS, errors, exact, reference, wanted
from complex_cases import EVEN, ODD, SPECIAL_FUNCTIONS, TURNED, UNARY, grid, matches, special_cases

import nd4py as nd

DTYPES = ("complex64", "complex128")
# Of expm1 only the number as a whole: its real part vanishes on a curve, where expm1(a) cos(b) = 2 sin(b / 2)^2.
PART_TOLERANCE = {"expm1": math.inf}


def call(name, *operands):
    """A function of nd4py on NumPy arrays, as a NumPy array."""
    return np.asarray(getattr(nd, name)(*(nd.asarray(x) for x in operands)))


def parts(z):
    return float(z.real), float(z.imag)


def agree(got, want, signed=(True, True), rtol=0.0):
    """Whether two complex numbers are the same in both parts."""
    return all(matches(g, w, s, rtol) for g, w, s in zip(parts(got), parts(want), signed, strict=True))


def turned(z):
    """i z, exactly."""
    return nd_complex(-z.imag, z.real)


def turned_back(z):
    """-i z, exactly."""
    return nd_complex(z.imag, -z.real)


def nd_complex(re, im):
    """A complex array from its parts; re + 1j * im would lose infinities and signs of zero."""
    z = np.empty(np.shape(re), np.result_type(re, np.complex64))
    z.real, z.imag = re, im
    return z


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", SPECIAL_FUNCTIONS)
def test_special_values(name, dtype, instruction_set):
    operands, results = special_cases(name)
    got = call(name, np.array(operands, dtype=dtype))
    for z, one, ((re, re_signed), (im, im_signed)) in zip(operands, got, results, strict=True):
        assert agree(one, complex(re, im), (re_signed, im_signed), 1e-6), f"{name}({z}) = {one}, not {re} + {im}j"


def operands_of(name, dtype):
    """The grid; without 0 for sign, which is +0 whatever the signs of the zeros."""
    z = grid().astype(dtype)
    return z[z != 0] if name == "sign" else z


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", UNARY)
def test_conjugate_symmetry(name, dtype):
    """f(conj(z)) = conj(f(z)), signs of zeros and infinities included where no NaN went in."""
    z = operands_of(name, dtype)
    for one, got, want in zip(z, call(name, np.conj(z)), np.conj(call(name, z)), strict=True):
        assert agree(got, want, (not np.isnan(one),) * 2), f"{name}(conj({one})) = {got}, not {want}"


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", ODD + EVEN)
def test_odd_and_even_functions(name, dtype):
    z = operands_of(name, dtype)
    results = call(name, z)
    for one, got, want in zip(z, call(name, -z), -results if name in ODD else results, strict=True):
        assert agree(got, want, (not np.isnan(one),) * 2), f"{name}(-{one}) = {got}, not {want}"


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", TURNED)
def test_circular_functions_are_turned_hyperbolic_ones(name, dtype):
    z = grid().astype(dtype)
    for one, got, want in zip(z, call(name, z), turned_back(call(TURNED[name], turned(z))), strict=True):
        assert agree(got, want, (not np.isnan(one),) * 2), f"{name}({one}) = {got}, not {want}"


@pytest.mark.parametrize("dtype", DTYPES)
def test_cosine_is_a_turned_hyperbolic_cosine(dtype):
    z = grid().astype(dtype)
    for one, got, want in zip(z, call("cos", z), call("cosh", turned(z)), strict=True):
        assert agree(got, want, (not np.isnan(one),) * 2), f"cos({one}) = {got}, not {want}"


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name, base", [("log2", 2), ("log10", 10)])
def test_logarithms_to_a_base(name, base, dtype):
    z = grid().astype(dtype)
    z = z[z != 1]
    want = call("log", z)
    want = nd_complex(want.real / math.log(base), want.imag / math.log(base))
    for one, g, w in zip(z, call(name, z), want, strict=True):
        assert agree(g, w, rtol=1e-6), f"{name}({one}) = {g}, not {w}"


# Where each function is cut, and whether the imaginary part (or the real one) is the zero whose sign chooses the side.
CUTS = {
    **dict.fromkeys(("sqrt", "log", "log2", "log10"), (-4.0, -1.0, -1e-30, -1e30)),
    "log1p": (-4.0, -1.5, -1e30),
    "acosh": (-4.0, -1.0, -0.5, 0.5, -1e30),
    **dict.fromkeys(("asin", "acos", "atanh"), (-4.0, 4.0, 1.5, -1.5, 1e30, -1e30)),
    **dict.fromkeys(("asinh", "atan"), (-4j, 4j, 1.5j, -1.5j, 1e30j, -1e30j)),
}


@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", CUTS)
def test_branch_cuts_continue_the_side_of_the_zero(name, dtype, side):
    """f(x +- 0i) is the limit of f(x +- ti) for t -> 0, whose rounded parts have the signs of that side."""
    for point in CUTS[name]:
        z = np.array([complex(math.copysign(0, side), point.imag) if isinstance(point, complex) else 0j], dtype=dtype)
        if not isinstance(point, complex):
            z = nd_complex(np.array([point]), np.array([math.copysign(0, side)])).astype(dtype)
        with mp.workprec(2000):
            step = side * mp.mpf(2) ** -1500
            want = reference(name)(exact(z[0]) + (step if isinstance(point, complex) else mp.mpc(0, step)))
            got = call(name, z)[0]
            number, _ = errors(got, want)
            assert number < 4, f"{name}({z[0]}) = {got}, not {want}"
            assert math.copysign(1, got.real) == mp.sign(want.real)
            assert math.copysign(1, got.imag) == mp.sign(want.imag)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("region", REGIONS)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", [name for name in UNARY if name != "square"])
def test_accuracy(name, dtype, region, instruction_set):
    """4 epsilons of the complex number, and of each part but where it vanishes on a curve."""
    operands, results = wanted(name, dtype, region)
    got = call(name, operands)
    got = got.astype(dtype) if got.dtype.kind == "f" else got
    with mp.workprec(300):
        for z, one, want in zip(operands, got, results, strict=True):
            number, worst_part = errors(one, want)
            assert number < 4, f"{name}({z!r}) = {one!r}, not {mp.nstr(want, 20)}"
            assert worst_part < PART_TOLERANCE.get(name, 4), f"{name}({z!r}) = {one!r}, not {mp.nstr(want, 20)}"


@pytest.mark.parametrize("dtype", DTYPES)
def test_division_at_the_limits(dtype, instruction_set):
    """Quotients of parts from the smallest to the largest number, against fractions."""
    limits = np.finfo(dtype)
    largest = float(limits.max)
    ends = np.array([0, limits.smallest_subnormal, 3 * limits.smallest_normal, 0.75, limits.max / 3, limits.max])
    values = np.array([complex(a, b) for a, b in itertools.product(ends, ends[1:])], dtype=dtype)
    left, right = (x.ravel() for x in np.meshgrid(values, values))
    for x, y, got in zip(left, right, call("divide", left, right), strict=True):
        a, b, c, d = (Fraction(part) for part in (*parts(x), *parts(y)))
        size = c * c + d * d
        quotients = (a * c + b * d) / size, (b * c - a * d) / size
        if max(map(abs, quotients)) > largest:
            assert max(map(abs, parts(got))) > largest * (1 - 8 * limits.eps), f"{x!r} / {y!r} = {got!r}"
        else:
            with mp.workprec(300):
                want = mp.mpc(*(mp.mpf(q.numerator) / q.denominator for q in quotients))
                assert errors(got, want)[0] < 3, f"{x!r} / {y!r} = {got!r}, not {mp.nstr(want, 20)}"


@pytest.mark.parametrize("dtype", DTYPES)
def test_infinite_quotients(dtype):
    """As in C99's annex G: finite / infinite is 0, infinite / finite is infinite, any / 0 is infinite."""
    infinities = np.array([complex(math.inf, 1), complex(-math.inf, math.nan), complex(2, math.inf)], dtype=dtype)
    ones = np.full(3, 1 - 2j, dtype=dtype)
    assert (call("divide", ones, infinities) == 0).all()
    assert np.isinf(call("divide", infinities, ones)).all()
    assert np.isinf(call("divide", ones, np.zeros(3, dtype))).all()
    assert np.isnan(call("divide", np.zeros(3, dtype), np.zeros(3, dtype))).all()


def test_parts_and_predicates():
    z = grid()
    np.testing.assert_array_equal(call("real", z), z.real)
    np.testing.assert_array_equal(call("imag", z), z.imag)
    np.testing.assert_array_equal(np.signbit(call("conj", z).imag), ~np.signbit(z.imag))
    for name in ("isnan", "isinf", "isfinite"):
        np.testing.assert_array_equal(call(name, z), getattr(np, name)(z))
    rounded = call("round", z)
    np.testing.assert_array_equal(rounded, nd_complex(np.round(z.real), np.round(z.imag)))
    for places in (2, -1):
        rounded = np.asarray(nd.round(nd.asarray(z), places))
        np.testing.assert_array_equal(rounded, np.round(z, places))
        np.testing.assert_array_equal(np.signbit(rounded.imag), np.signbit(np.round(z, places).imag))
    np.testing.assert_allclose(call("abs", z), np.hypot(z.real, z.imag), rtol=1e-15)
    assert [call(name, np.arange(3.0)).tolist() for name in ("real", "conj")] == [[0, 1, 2]] * 2


def test_exact_results():
    """What can be exact is: roots of squares, squares, products of conjugates, powers of ten."""
    assert call("sqrt", np.array([-4 + 0j, 3 + 4j])).tolist() == [2j, 2 + 1j]
    assert call("square", np.array([1 + 2j])).tolist() == [-3 + 4j]
    assert call("abs", np.array([3 + 4j, -5j])).tolist() == [5, 5]
    assert call("log10", np.array([1000 + 0j])).tolist() == [3]
    assert call("log2", np.array([8 + 0j])).tolist() == [3]
    assert call("divide", np.array([3 + 1j]), np.array([3 + 1j])).tolist() == [1]


POWERS = np.array([0.5, -0.5, 2.5, -1.5, 1 / 3, 10.5, 33.3, 100.25, 3, -2, 64, -47, 200, 0.5 - 0.25j, 1 + 1j])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("region", ["plane", "middle", "unit circle", "near +-1"])
def test_accuracy_of_powers(region, dtype):
    """4 epsilons for every real exponent up to 512; for others the error grows with the result's angle."""
    x, _ = wanted("log", dtype, region)
    x, y = (z.ravel() for z in np.meshgrid(x, POWERS.astype(dtype)))
    with mp.workprec(300):
        for a, b, got in zip(x, y, call("pow", x, y), strict=True):
            want = mp.exp(exact(b) * mp.log(exact(a)))
            error = errors(got, want)[0] if abs(want) < float(np.finfo(dtype).max) else 0.0
            assert error < 4, f"{a!r} ** {b!r} = {got!r}, not {mp.nstr(want, 20)}"


def test_powers_of_gaussian_integers_are_exact():
    for a, b, n in itertools.product(range(-5, 6), range(-5, 6), range(1, 12)):
        if a == b == 0:
            continue
        re, im = 1, 0
        for _ in range(n):
            re, im = re * a - im * b, re * b + im * a
        assert call("pow", np.array([complex(a, b)]), np.array([complex(n)]))[0] == complex(re, im)


@pytest.mark.parametrize("dtype", DTYPES)
def test_special_powers(dtype):
    x = np.array([0, 0, 0, math.inf, 2, 3, complex(math.nan, 1)], dtype=dtype)
    y = np.array([0, 2, 1 - 3j, -1, 0.5, -2, 0], dtype=dtype)
    np.testing.assert_allclose(call("pow", x, y), [1, 0, 0, 0, 2**0.5, 1 / 9, 1], rtol=2 * np.finfo(dtype).eps)
    assert np.isinf(call("pow", np.zeros(1, dtype), np.array([-1], dtype=dtype))).all()
