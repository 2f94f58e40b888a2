"""Exact enough values of the elementary functions, in np.longdouble, and how far a result is from them."""

import math
from typing import NamedTuple

import numpy as np

LONG = np.longdouble
# Where a long double has no more bits than a double, nothing here says anything.
IS_EXACT_ENOUGH = np.finfo(LONG).nmant >= 63
ROOT_PI = np.sqrt(LONG(4) * np.arctan(LONG(1)))
N_TERMS = 300


class Function(NamedTuple):
    """An elementary function: its reference, one (low, high) of dense points for each operand, and edges."""

    reference: object
    dense: tuple
    edges: tuple = ()


# ------------------------------------------------------------------------------------------ error function


def erf_by_series(x):
    """erf(x), |x| <= 1, by positive terms: 2 x exp(-x^2) / sqrt(pi) sum (2 x^2)^n / (1 3 5 ... (2n + 1))."""
    term = total = np.ones_like(x)
    for n in range(1, 60):
        term = term * (2 * x * x) / (2 * n + 1)
        total = total + term
    return 2 * x * exp_of_minus_square(x) * total / ROOT_PI


def scaled_erfc(x):
    """exp(x^2) erfc(x) of x >= 1, by Laplace's continued fraction from its far end."""
    fraction = np.zeros_like(x)
    for n in range(N_TERMS, 0, -1):
        fraction = (LONG(n) / 2) / (x + fraction)
    return 1 / ((x + fraction) * ROOT_PI)


def exp_of_minus_square(x, factor=1):
    """exp(-factor x^2) with x in two parts, the square of the first being exact."""
    head = x.astype(np.float32).astype(LONG)
    return np.exp(-factor * head * head) * np.exp(-factor * (x - head) * (x + head))


def erf(x):
    """The error function."""
    return np.where(np.abs(x) < 1, erf_by_series(inside(x, 1)), np.copysign(1 - erfc_tail(np.abs(x)), x))


def erfc(x):
    """1 - erf(x)."""
    tail = erfc_tail(np.abs(x))
    return np.where(np.abs(x) < 1, 1 - erf_by_series(inside(x, 1)), np.where(x < 0, 2 - tail, tail))


def erfc_tail(size):
    """erfc(size) of size >= 1."""
    size = np.where(size > 200, LONG(200), np.where(size < 1, LONG(1), size))
    return exp_of_minus_square(size) * scaled_erfc(size)


def gelu(x):
    """x times the normal distribution function."""
    root_half, size = np.sqrt(LONG(0.5)), np.where(np.abs(x) > 200, LONG(200), np.abs(x))
    far = np.where(size < 1.5, LONG(1.5), size)
    tail = exp_of_minus_square(far, LONG(0.5)) * scaled_erfc(far * root_half) * far / 2
    near = x / 2 * (1 + erf_by_series(inside(x, 1.5) * root_half))
    return np.where(np.abs(x) < 1.5, near, np.where(x > 0, x - tail, np.copysign(tail, x)))


def inside(x, limit):
    """x, or 0 beyond the limit; NaN stays."""
    return np.where(np.abs(x) > limit, LONG(0), x)


# ------------------------------------------------------------------------------------------ table


def sigmoid(x):
    """1 / (1 + exp(-x)), by exp(x) where that is small."""
    t = np.exp(-np.abs(x))
    return np.where(x < 0, t, 1) / (1 + t)


def softplus(x):
    """log(1 + exp(x))."""
    return np.maximum(x, 0) + np.log1p(np.exp(-np.abs(x)))


QUARTERS = tuple(k * math.pi / 2 for k in (1, 2, 3, 4, 7, 11, 22, 355, 51819, 10**6, 10**9))
ONES = (1.0, math.nextafter(1, 0), math.nextafter(1, 2), 0.5, math.nextafter(0.5, 0), math.nextafter(0.5, 1))
EXPONENTS = (88.7, 89, 103.9, 104, 127, 128, 149, 150, 709.7, 710, 745.1, 746, 1023, 1024, 1074, 1075)

# fmt: off
FUNCTIONS = {
    "exp": Function(np.exp, ((-120, 100),), EXPONENTS),
    "expm1": Function(np.expm1, ((-20, 90),), EXPONENTS),
    "exp2": Function(np.exp2, ((-150, 130),), EXPONENTS),
    "log": Function(np.log, ((0, 4),), ONES),
    "log1p": Function(np.log1p, ((-1, 4),), ONES),
    "log2": Function(np.log2, ((0, 4),), ONES),
    "log10": Function(np.log10, ((0, 4),), ONES),
    "cbrt": Function(np.cbrt, ((-9, 9),), ONES),
    "sin": Function(np.sin, ((-20, 20),), QUARTERS),
    "cos": Function(np.cos, ((-20, 20),), QUARTERS),
    "tan": Function(np.tan, ((-20, 20),), QUARTERS),
    "asin": Function(np.arcsin, ((-1, 1),), ONES),
    "acos": Function(np.arccos, ((-1, 1),), ONES),
    "atan": Function(np.arctan, ((-4, 4),), ONES),
    "sinh": Function(np.sinh, ((-90, 90),), EXPONENTS),
    "cosh": Function(np.cosh, ((-90, 90),), EXPONENTS),
    "tanh": Function(np.tanh, ((-12, 12),), ONES),
    "asinh": Function(np.arcsinh, ((-4, 4),), ONES),
    "acosh": Function(np.arccosh, ((1, 4),), ONES),
    "atanh": Function(np.arctanh, ((-1, 1),), ONES),
    "sigmoid": Function(sigmoid, ((-100, 40),), EXPONENTS),
    "softplus": Function(softplus, ((-100, 40),), EXPONENTS),
    "erf": Function(erf, ((-5, 5),), ONES),
    "erfc": Function(erfc, ((-6, 11),), (*ONES, 10.05, 10.06, 26.5, 27.2, 27.3)),
    "gelu": Function(gelu, ((-15, 8),), (*ONES, 5.0, 14.1, 14.2, 38.4, 38.5)),
    "pow": Function(np.power, ((0, 9), (-30, 30)), ONES),
    "hypot": Function(np.hypot, ((-4, 4), (-4, 4)), ONES),
    "atan2": Function(np.arctan2, ((-4, 4), (-4, 4)), ONES),
}
# fmt: on


# ------------------------------------------------------------------------------------------ operands


def dense(function, dtype, n, seed=0):
    """Points spread evenly over the ranges where a function does most of its work."""
    rng = np.random.default_rng(seed)
    return [rng.uniform(low, high, n).astype(dtype) for low, high in function.dense]


def random_bits(function, dtype, n, seed=1):
    """Every bit by chance: all exponents are as frequent, NaN and infinities among them."""
    rng = np.random.default_rng(seed)
    word = {"float32": np.uint32, "float64": np.uint64}[dtype]
    return [rng.integers(0, np.iinfo(word).max, n, word, endpoint=True).view(dtype) for _ in function.dense]


def edges(function, dtype):
    """Zeros, infinities, NaN, the least and greatest numbers, and a function's own edges with their neighbours."""
    limits = np.finfo(dtype)
    own = np.array(function.edges, dtype)
    own = np.concatenate([own, np.nextafter(own, dtype_of(dtype)(0)), np.nextafter(own, dtype_of(dtype)(np.inf))])
    plain = [0, np.inf, 1, 2, limits.max, limits.tiny, limits.smallest_subnormal, limits.eps, 1 / limits.eps]
    points = np.concatenate([own, np.array(plain, dtype)])
    points = np.concatenate([points, -points, np.array([np.nan], dtype)])
    grid = np.meshgrid(*[points] * len(function.dense))
    return [axis.ravel() for axis in grid]


def dtype_of(name):
    """NumPy's scalar type."""
    return np.dtype(name).type


def wanted(function, operands):
    """The reference of operands of any floating dtype."""
    with np.errstate(all="ignore"):
        return function.reference(*[x.astype(LONG) for x in operands])


# ------------------------------------------------------------------------------------------ distance


class Precision(NamedTuple):
    """What np.finfo says of a dtype, for one that NumPy lacks."""

    nmant: int
    minexp: int
    maxexp: int


BFLOAT16 = Precision(7, -126, 128)


def ulps(got, want, limits=None):
    """Distance of `got` from the exact `want` in units in last place, infinite where they cannot compare.

    The units are those of the dtype of `got`, or of the `limits` given.

    NaN has to meet NaN and a sign its sign, zeros included.  An infinity counts as the power of 2 that overflows first.
    """
    limits = limits or np.finfo(got.dtype)
    overflow = LONG(2) ** limits.maxexp
    with np.errstate(all="ignore"):
        exponent = np.frexp(want)[1] - 1
        unit = LONG(2) ** (np.maximum(exponent, limits.minexp) - limits.nmant)
        distance = np.abs(np.clip(got.astype(LONG), -overflow, overflow) - np.clip(want, -overflow, overflow)) / unit
    is_nan = np.isnan(want)
    distance = np.where(np.isinf(want), np.where(got == want, 0, np.inf), distance)
    distance = np.where(np.signbit(got) != np.signbit(want), np.inf, distance)
    return np.where(is_nan | np.isnan(got), np.where(is_nan & np.isnan(got), 0, np.inf), distance).astype(np.float64)
