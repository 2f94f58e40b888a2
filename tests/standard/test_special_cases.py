"""The special cases of the standard's text: zeros and their signs, infinities, NaN; real functions."""

import numpy as np
import pytest

from .arrays import lay_out
from .subject import ARRAY, DTYPES, PART, agreement, assert_array, different_zeros, find, numpy_of, xp
from .tables.names_elementwise import ELEMENTWISE
from .tables.special_cases import APPROXIMATE, complex_array, complex_cases, expected_arrays, real_cases
from .tables.special_complex import BASES, COMPLEX, OF_COMPLEX, TURNED
from .tables.special_real import BINARY, UNARY

TEXTS = UNARY | BINARY
ROWS = {row.name: row for row in ELEMENTWISE}
# 67 copies of each table: the vector loops and their tails meet every case at every position.
COPIES = 67


def wrong_at(got, want, free, approximate):
    """Where values are not the expected ones."""
    ulp = np.where(approximate, APPROXIMATE, 0)
    good = agreement(got, want, ulp)
    return np.logical_not(good) | (different_zeros(got, want) & np.logical_not(free))


def complaint(name, operands, got, want, wrong):
    index = np.argmax(wrong)
    return f"{name}({', '.join(str(x[index]) for x in operands)}) is {got[index]!s} instead of {want[index]!s}"


@pytest.mark.parametrize("dtype", DTYPES["real floating"])
@pytest.mark.parametrize("name", TEXTS)
def test_in_long_arrays(name, dtype):
    cases = real_cases(TEXTS[name], dtype)
    (result,) = ROWS[name].result_dtypes(dtype)
    want, free, approximate = expected_arrays([expected for _, expected in cases], result)
    columns = [np.asarray(column, dtype) for column in zip(*[operands for operands, _ in cases], strict=True)]
    for layout in ("contiguous", "strided", "reversed"):
        operands = [lay_out(np.tile(column, COPIES), layout)[1] for column in columns]
        got = numpy_of(find(name)(*operands))
        expected = [np.tile(x, COPIES) for x in (want, free, approximate)]
        wrong = wrong_at(got, *expected)
        inputs = [np.tile(column, COPIES) for column in columns]
        assert got.dtype.name == result
        assert not wrong.any(), complaint(name, inputs, got, expected[0], wrong)


@pytest.mark.parametrize("dtype", DTYPES["real floating"])
@pytest.mark.parametrize("name", TEXTS)
def test_in_arrays_of_one_element(name, dtype):
    for operands, expected in real_cases(TEXTS[name], dtype):
        result = find(name)(*[xp.asarray(np.asarray(x)) for x in operands])
        assert isinstance(result, ARRAY)
        assert result.shape == ()
        got = numpy_of(result)
        want = np.asarray(expected.value).astype(got.dtype)
        wrong = wrong_at(got, want, expected.is_sign_free, expected.is_approximate)
        assert not wrong, f"{name}({', '.join(map(str, operands))}) is {got!s} instead of {want!s}"


def test_the_table_covers_every_function_with_special_cases():
    """Functions without special cases in the text: bitwise, logical, and those of complex numbers alone."""
    without = {"clip", "conj", "real", "imag"}
    named = {row.name for row in ELEMENTWISE if not row.name.startswith(("bitwise", "logical"))}
    assert set(TEXTS) == named - without


@pytest.mark.parametrize("dtype", DTYPES["real floating"])
@pytest.mark.parametrize("name", BINARY)
def test_with_a_python_scalar_on_either_side(name, dtype):
    """A scalar operand may take a short way, `x ** 0.5` for one, but means the same."""
    cases = real_cases(BINARY[name], dtype)
    (result,) = ROWS[name].result_dtypes(dtype)
    for position in (0, 1):
        groups = {}
        for operands, expected in cases:
            groups.setdefault((str(operands[position]), np.signbit(operands[position])), []).append(
                (operands, expected)
            )
        for group in groups.values():
            scalar = group[0][0][position].item()
            others = np.asarray([operands[1 - position] for operands, _ in group], dtype)
            operands = (scalar, xp.asarray(others)) if position == 0 else (xp.asarray(others), scalar)
            got = numpy_of(find(name)(*operands))
            want, free, approximate = expected_arrays([expected for _, expected in group], result)
            wrong = wrong_at(got, want, free, approximate)
            columns = [np.asarray([values[i] for values, _ in group]) for i in (0, 1)]
            assert not wrong.any(), complaint(name, columns, got, want, wrong)


def wrong_parts(got, expected):
    """Where a part of a complex result is not the expected one."""
    wrong = np.zeros(got.shape, bool)
    for part, cases in zip((got.real, got.imag), zip(*expected, strict=True), strict=True):
        want, free, _ = expected_arrays(cases, part.dtype)
        either = agreement(part, want, APPROXIMATE) | (free & agreement(-part, want, APPROXIMATE))
        wrong |= np.logical_not(either) | (different_zeros(part, want) & np.logical_not(free))
    return wrong


@pytest.mark.parametrize("dtype", DTYPES["complex floating"])
@pytest.mark.parametrize("name", [*COMPLEX, *TURNED, *BASES])
def test_of_complex_functions(name, dtype):
    cases = complex_cases(name, dtype)
    z = complex_array([parts for parts, _ in cases], dtype)
    expected = [result for _, result in cases]
    got = numpy_of(find(name)(xp.asarray(z)))
    wrong = wrong_parts(got, expected)
    assert got.dtype == z.dtype
    assert not wrong.any(), {str(z[i]): (str(got[i]), expected[i]) for i in np.flatnonzero(wrong)[:6]}
    long = numpy_of(find(name)(xp.asarray(np.tile(z, COPIES))))
    assert not wrong_parts(long, expected * COPIES).any()


@pytest.mark.parametrize("dtype", DTYPES["complex floating"])
@pytest.mark.parametrize("name", OF_COMPLEX)
def test_of_complex_functions_with_real_results(name, dtype):
    cases = real_cases(OF_COMPLEX[name], PART[dtype])
    z = complex_array([parts for parts, _ in cases], dtype)
    got = numpy_of(find(name)(xp.asarray(z)))
    want, free, _ = expected_arrays([expected for _, expected in cases], got.dtype)
    wrong = wrong_at(got, want, free, approximate=True)
    assert not wrong.any(), complaint(name, [z], got, want, wrong)


@pytest.mark.parametrize("dtype", DTYPES["complex floating"])
def test_of_complex_arithmetic(dtype):
    """Sums and roundings part by part; all parts NaN give NaN."""
    parts = (0.0, -0.0, 1.5, -2.5, np.inf, -np.inf, np.nan)
    z = complex_array([(a, b) for a in parts for b in parts], dtype)
    nans = xp.asarray(complex_array([(np.nan, np.nan)], dtype))
    x, y = xp.asarray(z[:, None]), xp.asarray(z)
    for name in ("add", "subtract"):
        whole = find(name)(x, y)
        for part in (xp.real, xp.imag):
            assert_array(part(whole), numpy_of(find(name)(part(x), part(y))))
    for part in (xp.real, xp.imag):
        assert_array(part(xp.round(y)), numpy_of(xp.round(part(y))))
    for result in (nans * nans, nans / nans, xp.square(nans), xp.reciprocal(nans)):
        assert np.isnan(numpy_of(result).real).all()
        assert np.isnan(numpy_of(result).imag).all()
    assert_array(xp.equal(x, y), (z[:, None].real == z.real) & (z[:, None].imag == z.imag))
    assert_array(xp.not_equal(x, y), (z[:, None].real != z.real) | (z[:, None].imag != z.imag))
