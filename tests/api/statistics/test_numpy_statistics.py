"""Polynomials, phases, differences and histograms in NumPy's form."""

import numpy as np
import numpy.testing as npt
import pytest
from numpy_comparison import COMPLEX, FLOATS, INTEGERS, NUMBERS, compare, sample

import nd4py as nd

ROWS = ([], [0], [2], [1, 2, 3], [0, 0, 1, -2], [3, 0, 0], [0, 0, 0], [1.5, -2.0], [1j, 2, 0], [1, -3, 3, -1])
OF_TWO = {
    "polyadd": lambda xp, x, y: xp.polyadd(x, y),
    "polysub": lambda xp, x, y: xp.polysub(x, y),
    "polymul": lambda xp, x, y: xp.polymul(x, y),
    "polydiv": lambda xp, x, y: xp.polydiv(x, y),
}
OF_ONE = {
    "polyder": lambda xp, x: xp.polyder(x),
    "polyder 2": lambda xp, x: xp.polyder(x, 2),
    "polyder 9": lambda xp, x: xp.polyder(x, m=9),
    "polyint": lambda xp, x: xp.polyint(x),
    "polyint k": lambda xp, x: xp.polyint(x, 2, [3, 4.5]),
    "polyint one k": lambda xp, x: xp.polyint(x, m=3, k=2),
}


@pytest.mark.parametrize("name", OF_TWO)
def test_two_polynomials(name):
    for first in ROWS:
        for second in ROWS:
            if name in ("polymul", "polydiv") and (not first or not second):
                continue
            if name == "polydiv" and not second[0]:
                continue
            x, y = np.asarray(first), np.asarray(second)
            is_exact = x.size > 0 and y.size > 0
            compare(OF_TWO[name], x, y, tolerance=1e-12, dtype=is_exact, label=f"{first} {second}")
            compare(OF_TWO[name], first, second, tolerance=1e-12, dtype=is_exact, label=f"{first} {second}")


@pytest.mark.parametrize("name", OF_ONE)
def test_one_polynomial(name):
    for row in ROWS:
        compare(OF_ONE[name], np.asarray(row), tolerance=1e-12, dtype=len(row) > 0, label=f"{row}")


def test_wrong_polynomials_are_refused():
    for call in (
        lambda xp: xp.polyder([1, 2], -1), lambda xp: xp.polyint([1, 2], -1), lambda xp: xp.polyint([1, 2], 3, [1, 2]),
        lambda xp: xp.roots([[1, 2], [3, 4]]), lambda xp: xp.poly([[1, 2, 3], [4, 5, 6]]),
        lambda xp: xp.polyfit([1.0], [1.0, 2.0], 1), lambda xp: xp.polyfit([], [], 1),
        lambda xp: xp.polyfit([1.0, 2.0], [1.0, 2.0], -1), lambda xp: xp.polyfit([1.0, 2.0], [1.0, 2.0], 1, cov=True),
        lambda xp: xp.polyfit([1.0, 2.0], [1.0, 2.0], 1, w=[1.0]),
    ):  # fmt: skip
        compare(call)
    with pytest.raises(ValueError, match="polydiv: the first coefficient of v is 0"):
        nd.polydiv([1.0], [0.0])


def in_order(values):
    """Complex numbers in an order that roundings do not change."""
    return np.asarray(
        sorted(np.asarray(values).astype("complex128"), key=lambda z: (round(z.real, 6), round(z.imag, 6)))
    )


@pytest.mark.parametrize("row", [
    [1, -3, 2], [1, 0, 1], [2, -12, 22, -12], [0, 0, 1, -1], [1, 2, 0, 0], [5], [0, 0], [], [1, 1j], [1.0, -1e-3, 5],
])  # fmt: skip
def test_roots(row):
    got, want = nd.roots(row), np.roots(row)
    npt.assert_allclose(in_order(got), in_order(want), rtol=1e-8, atol=1e-8)
    assert got.dtype.kind == ("c" if np.iscomplexobj(want) and got.dtype.kind == "c" else "f")


@pytest.mark.parametrize("row", [[1, 0, -2], [1, 0, -5, 0, 4], [2, 0, 0, -1], [1, -1, 0], [3, 0]])
def test_roots_of_polynomials_without_some_powers_stand_in_numpys_order(row):
    npt.assert_allclose(np.asarray(nd.roots(row)), np.roots(row), rtol=1e-8, atol=1e-8)


def test_poly():
    for zeros in ([], [2], [1, 2, 3], [1.5, -2.0], [1j, -1j, 2], [1j, 2], [[1, 2], [3, 4]], [[2.0, 0.0], [0.0, 3.0]]):
        compare(lambda xp, x: xp.poly(x), zeros, tolerance=1e-12)
    assert nd.poly([1 + 1j, 1 - 1j]).dtype == nd.float64


POINTS = np.linspace(-1.0, 2.0, 9), np.asarray([1.0, 0.5, 0.3, 0.1, 0.2, 0.7, 1.4, 2.0, 3.5])


@pytest.mark.parametrize("deg", [0, 1, 2, 5])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_polyfit(deg, dtype):
    x, y = (row.astype(dtype) for row in POINTS)
    loose = 1e-9 if dtype == "float64" else 2e-3
    weights = np.linspace(0.5, 2.0, 9).astype(dtype)
    compare(lambda xp, x, y: xp.polyfit(x, y, deg), x, y, tolerance=loose, dtype=False)
    compare(lambda xp, x, y, w: xp.polyfit(x, y, deg, w=w), x, y, weights, tolerance=loose, dtype=False)
    compare(lambda xp, x, y: xp.polyfit(x, xp.stack([y, y * 2], axis=1), deg), x, y, tolerance=loose, dtype=False)
    compare(lambda xp, x, y: xp.polyfit(x, y, deg, cov=True), x, y, tolerance=5 * loose, dtype=False)
    compare(lambda xp, x, y: xp.polyfit(x, y, deg, cov="unscaled"), x, y, tolerance=5 * loose, dtype=False)
    compare(lambda xp, x, y: xp.polyfit(x, xp.stack([y, y * 2], axis=1), deg, cov=True), x, y, tolerance=5 * loose,
            dtype=False)  # fmt: skip
    if dtype == "float64":
        compare(lambda xp, x, y: xp.polyfit(x, y, deg, full=True), x, y, tolerance=loose, dtype=False)
        compare(lambda xp, x, y: xp.polyfit(x, y, deg, rcond=1e-3), x, y, tolerance=loose, dtype=False)


def test_polyfit_of_lists_and_its_gradient():
    assert nd.allclose(nd.polyfit([0, 1, 2], [1, 3, 7], 2), [1.0, 1.0, 1.0])
    x, y = map(nd.asarray, POINTS)
    slope = np.asarray(nd.grad(lambda y: nd.sum(nd.polyfit(x, y, 2) * nd.asarray([1.0, 2.0, 3.0])))(y))
    steps = [(np.polyfit(POINTS[0], POINTS[1] + step, 2) @ [1, 2, 3] - np.polyfit(*POINTS, 2) @ [1, 2, 3]) / 1e-6
             for step in np.eye(9) * 1e-6]  # fmt: skip
    npt.assert_allclose(slope, steps, rtol=1e-5, atol=1e-5)


def test_unwrap():
    for dtype in (*FLOATS[1:], "int64"):
        for shape in ((9,), (3, 4), (2, 0), (1,)):
            for axis in range(-len(shape), len(shape)):
                x = sample(dtype, shape, low=-20, high=20, special=False)
                compare(lambda xp, x, axis=axis: xp.unwrap(x, axis=axis), x, tolerance=1e-4, dtype=dtype != "float32")
                for period in (4, 5, 2.5):
                    for discont in (None, 3.5):
                        compare(lambda xp, x, axis=axis, period=period, discont=discont:
                                xp.unwrap(x, discont, axis, period=period), x, tolerance=1e-4,
                                label=f"{shape} {axis} {period} {discont}", dtype=dtype != "float32")  # fmt: skip


def test_ediff1d():
    for dtype in NUMBERS:
        for shape in ((), (0,), (1,), (7,), (3, 4)):
            x = sample(dtype, shape, special=False)
            compare(lambda xp, x: xp.ediff1d(x), x)
            compare(lambda xp, x: xp.ediff1d(x, to_end=xp.asarray([1, 2]).astype(x.dtype), to_begin=0), x)
    compare(lambda xp: xp.ediff1d([1, 2], to_begin=1.5))


@pytest.mark.parametrize("options", [{}, {"density": True}, {"weights": np.arange(12.0)}, {"bins": 3},
                                     {"bins": [2, 4, 3]}, {"range": [(0, 1), (0.1, 0.9), (0, 0.5)]},
                                     {"bins": [np.asarray([0, 0.3, 1.0]), 2, 3], "density": True}])  # fmt: skip
def test_histogramdd(options):
    points = np.random.default_rng(4).uniform(size=(12, 3))
    options = {"bins": 2, **options}
    compare(lambda xp, x: xp.histogramdd(x, **{k: given(xp, v) for k, v in options.items()}), points, tolerance=1e-12)
    compare(lambda xp, x, y, z: xp.histogramdd((x, y, z), **{k: given(xp, v) for k, v in options.items()}),
            *np.ascontiguousarray(points.T), tolerance=1e-12)  # fmt: skip


def given(xp, value):
    """An option with its arrays made by a namespace."""
    if isinstance(value, list):
        return [given(xp, each) for each in value]
    return xp.asarray(value) if isinstance(value, np.ndarray) else value


def test_histogramdd_of_wrong_samples():
    for call in (
        lambda xp: xp.histogramdd(xp.ones((2, 2, 2))), lambda xp: xp.histogramdd(xp.ones((3, 2)), bins=[2, 2, 2]),
        lambda xp: xp.histogramdd([[1.0, 2.0], [1.0]]), lambda xp: xp.histogramdd(xp.ones((3, 2)), range=[(0, 1)]),
    ):  # fmt: skip
        compare(call)


WINDOWS = ("bartlett", "blackman", "hamming", "hanning")


@pytest.mark.parametrize("name", WINDOWS)
def test_windows(name):
    for length in (-3, 0, 1, 2, 3, 8, 101, 2.5, 7.0):
        compare(lambda xp, length=length: getattr(xp, name)(length), label=f"{length}", tolerance=1e-14)
    with pytest.raises(TypeError, match=f"{name}: M must be a real number"):
        getattr(nd, name)("x")


def test_kaiser():
    for length in (0, 1, 2, 7, 64):
        for beta in (0.0, 5, 8.6, 14.0, -3.0):
            compare(
                lambda xp, length=length, beta=beta: xp.kaiser(length, beta), label=f"{length} {beta}", tolerance=1e-13
            )


@pytest.mark.parametrize("bitorder", ["big", "little"])
def test_bits_are_packed_and_unpacked(bitorder):
    for dtype in ("bool", *INTEGERS):
        for shape in ((0,), (1,), (8,), (17,), (3, 9), (2, 3, 8), ()):
            x = sample(dtype, shape)
            for axis in (None, *range(-len(shape), len(shape))):
                compare(
                    lambda xp, x, axis=axis: xp.packbits(x, axis, bitorder=bitorder), x, label=f"{dtype}{shape} {axis}"
                )
                y = x.astype("uint8")
                for count in (
                    (None, 0, 5, 40, -3, -1000) if y.size else (None, 0)
                ):  # NumPy leaves zeros of none unwritten
                    compare(lambda xp, y, axis=axis, count=count: xp.unpackbits(y, axis, count, bitorder), y,
                            label=f"{shape} {axis} {count}")  # fmt: skip
    for call in (lambda xp: xp.packbits([1.5]), lambda xp: xp.unpackbits([1]), lambda xp: xp.packbits([1], 1),
                 lambda xp: xp.packbits([1], bitorder="x")):  # fmt: skip
        compare(call)


def test_texts_of_numbers():
    for number in (0, 1, -1, 5, -3, 127, -128, 255, 10**20, -(10**20)):
        for width in (None, 0, 1, 3, 8, 9, 70):
            compare(lambda xp, number=number, width=width: xp.binary_repr(number, width), label=f"{number} {width}")
        for base in (2, 3, 10, 16, 36, 1, 37):
            for padding in (0, 3):
                compare(lambda xp, number=number, base=base, padding=padding: xp.base_repr(number, base, padding),
                        label=f"{number} {base} {padding}")  # fmt: skip


def test_sums_of_polynomials_have_gradients():
    x = nd.asarray([1.0, 2.0, 3.0])
    assert nd.grad(lambda x: nd.sum(nd.polymul(x, [2.0, 1.0])))(x).tolist() == [3.0, 3.0, 3.0]
    assert nd.grad(lambda x: nd.sum(nd.polyder(x)))(x).tolist() == [2.0, 1.0, 0.0]
    assert nd.grad(lambda x: nd.sum(nd.polyint(x)))(x).tolist() == [1 / 3, 1 / 2, 1.0]
    assert nd.grad(lambda x: nd.sum(nd.polydiv(x, [2.0, 1.0])[0]))(x).tolist() == [0.25, 0.5, 0.0]
    assert COMPLEX
