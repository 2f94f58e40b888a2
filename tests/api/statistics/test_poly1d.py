"""poly1d gives what NumPy's gives, as values and in print."""

import numpy as np
import pytest

import nd4py as nd

ROWS = ([1, 2, 3], [1.0, -1.0], [0, 0, 4], [5], [], [2, 0, 0, -1.5], [1j, 2], [1] * 14)


def both(program):
    got, want = program(nd), program(np)
    for one, other in zip(got, want, strict=True):
        if isinstance(other, np.poly1d):
            np.testing.assert_allclose(np.asarray(one.coeffs), other.coeffs, rtol=1e-12, atol=1e-12)
            assert one.variable == other.variable
        else:
            np.testing.assert_allclose(np.asarray(one), np.asarray(other), rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_attributes_and_print(row):
    def program(np):
        p = np.poly1d(row)
        return [
            p.coeffs,
            p.c,
            p.coef,
            p.coefficients,
            p.order,
            p.o,
            len(p),
            p[0],
            p[1],
            p[40],
            p(0.5),
            p([1, 2]),
            list(p),
        ]

    both(program)
    assert str(nd.poly1d(row)) == str(np.poly1d(row))
    assert repr(nd.poly1d(row)) == repr(np.poly1d(row))
    assert str(nd.poly1d(row, variable="t")) == str(np.poly1d(row, variable="t"))


@pytest.mark.parametrize("first", ROWS[:4], ids=str)
@pytest.mark.parametrize("second", ROWS[:4], ids=str)
def test_arithmetic(first, second):
    def program(np):
        p, q = np.poly1d(first), np.poly1d(second)
        found = [p + q, p - q, p * q, p**3, -p, +p, p + 1, 1 - p, p * [1, 2], 2 * p, p(q), p / 2, p == q, p != q]
        return [*found, *(p / q), *np.polydiv(p, q), np.polyadd(p, q), np.polymul(p, [1, 2]), np.polysub([1, 2], p)]

    both(program)


def test_calculus_roots_and_fits():
    def program(np):
        p = np.poly1d([3.0, -1.0, 2.0, 5.0])
        x = np.linspace(0.0, 1.0, 9)
        fit = np.poly1d(np.polyfit(x, x**2 - x, 2))
        found = [p.deriv(), p.deriv(2), p.integ(), p.integ(2, [1, 2]), np.polyder(p), np.polyint(p), fit, fit(x)]
        return [
            *found,
            np.poly1d([1, 2], True),
            np.sort(np.poly1d([1.0, -3.0, 2.0]).r),
            np.roots(np.poly1d([2.0, -4.0])),
        ]

    both(program)


def test_coefficients_are_set():
    def program(np):
        p = np.poly1d([1, 2, 3])
        p[0], p[5] = 7, 2
        return [p, np.asarray(p), np.poly1d(p)]

    both(program)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda p: nd.poly1d([[1]]), ValueError, "needs a row of coefficients"),
        (lambda p: p**-1, ValueError, "exponent must be a whole number of 0 or more"),
        (lambda p: p.deriv(-1), ValueError, "deriv: m must not be negative"),
        (lambda p: p.__setitem__(-1, 2), ValueError, "no negative powers"),
        (lambda p: p / [0], ValueError, "is 0"),
    ],
)
def test_wrong_arguments_are_refused(call, error, text):
    with pytest.raises(error, match=text):
        call(nd.poly1d([1, 2]))
