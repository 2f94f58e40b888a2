"""The table of operations: one row each.

Design: loops, gradients, functions, documentation, tests and benchmarks are read from these rows and from nowhere else.
A row is data; `op.py` says what its columns mean.  Names that an expression uses beside its operands are functions
of C++ or of `kernels/math/scalar.h`.  References may use `np` and `math`; those of several outputs are tuples.  An
empty vjp lets no gradient pass: the operand is a constant to it, or the slope is zero wherever it exists (floor, sign).
"""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Iterator

from . import op as columns
from .op import (
    BOOLEAN,
    FLOAT,
    FLOATING,
    INTEGER,
    NUMERIC,
    ORDERED,
    REAL,
    WHOLE_KINDS,
    Kernels,
    Op,
    argreduce,
    binary,
    compare,
    custom,
    loss,
    predicate,
    reduce,
    scan,
    step,
    unary,
)

ANY_TYPE = columns.ALL
BITS = BOOLEAN + INTEGER
LEARNING_RATE = ("lr", None)
UNCHANGED = dict.fromkeys(("signed integer", "unsigned integer"), "positive")  # whole numbers of rows that round

# A row reads best as a few dense lines: expression, gradient, domain, reference, documentation.
# fmt: off

ARITHMETIC = (
    binary(
        "add", "x1 + x2", ("g", "g"), operator="add", neutral=0, when_bool="logical_or", ref="np.add(x1, x2)",
        doc="x1 + x2; of bools whether one of them is true.",
        usage="nd.add([1, 2, 3], 10) -> array([11, 12, 13], dtype=int64)",
    ),
    binary(
        "subtract", "x1 - x2", ("g", "-g"), operator="sub", ref="np.subtract(x1, x2)", doc="x1 - x2.",
        usage="nd.subtract([5, 7], [1, 2]) -> array([4, 5], dtype=int64)",
    ),
    binary(
        "multiply", "x1 * x2", ("g * x2", "g * x1"),
        operator="mul", neutral=1, when_bool="logical_and", ref="np.multiply(x1, x2)",
        doc="x1 * x2; of bools whether both are true.",
        usage="nd.multiply([1, 2, 3], [4, 5, 6]) -> array([ 4, 10, 18], dtype=int64)",
    ),
    binary(
        "divide", "x1 / x2", ("g / x2", "-g * y / x2"), types=FLOATING, domain=((-4.0, 4.0), (0.5, 4.0)),
        operator="truediv", aliases=("true_divide",), ref="np.divide(x1, x2)", doc="x1 / x2.",
        usage="nd.divide([1, 2, 3], 2) -> array([0.5, 1. , 1.5], dtype=float64)",
    ),
    binary(
        "floor_divide", "floor_div(x1, x2)", types=REAL, domain=((-50.0, 50.0), (0.5, 9.0)),
        operator="floordiv", ref="np.floor_divide(x1, x2)",
        doc="floor(x1 / x2); an integer divided by 0 gives 0, infinities follow the array API.",
        usage="nd.floor_divide([7, -7], 2) -> array([ 3, -4], dtype=int64)",
    ),
    binary(
        "remainder", "floor_mod(x1, x2)", ("g", "-g * floor_div(x1, x2)"), types=REAL,
        domain=((-50.0, 50.0), (0.5, 9.0)),
        operator="mod", aliases=("mod",), ref="np.remainder(x1, x2)",
        doc="x1 - x2 * floor(x1 / x2), with the sign of x2; an integer modulo 0 gives 0.",
        usage="nd.remainder([7, -7], 3) -> array([1, 2], dtype=int64)",
    ),
    binary(
        "fmod", "truncated_mod(x1, x2)", ("g", "-g * round_to_zero(x1 / x2)"), types=REAL,
        domain=((-50.0, 50.0), (0.5, 9.0)), ref="np.fmod(x1, x2)",
        doc="x1 - x2 * trunc(x1 / x2), with the sign of x1; an integer modulo 0 gives 0.",
        usage="nd.fmod([7, -7], 3) -> array([ 1, -1], dtype=int64)",
    ),
    binary(
        "pow", "power(x1, x2)",
        (
            "x2 == C(0) ? C(0) : g * x2 * power(x1, x2 - C(1))",
            "(x1 == C(0)) & (x2 >= C(0)) ? C(0) : g * y * log(x1)",
        ),
        domain=((0.25, 4.0), (0.0, 3.0)), operator="pow", aliases=("power",),
        when_scalar={2: "square", 3: "cube", -1: "reciprocal"}, ref="np.power(x1, x2)",
        doc="x1 to the power of x2; of integers by squaring, a negative exponent truncates toward 0.",
        usage="nd.pow([1, 2, 3], 2) -> array([1, 4, 9], dtype=int64)",
    ),
    binary(
        "maximum", "larger(x1, x2)",
        ("x1 > x2 ? g : x1 == x2 ? C(0.5) * g : C(0)", "x2 > x1 ? g : x1 == x2 ? C(0.5) * g : C(0)"),
        types=REAL, when_bool="logical_or", is_composed=True, ref="np.maximum(x1, x2)",
        doc="The larger operand, NaN if either is; equal operands share the gradient.",
        usage="nd.maximum([1, 5], [3, 2]) -> array([3, 5], dtype=int64)",
    ),
    binary(
        "minimum", "smaller(x1, x2)",
        ("x1 < x2 ? g : x1 == x2 ? C(0.5) * g : C(0)", "x2 < x1 ? g : x1 == x2 ? C(0.5) * g : C(0)"),
        types=REAL, when_bool="logical_and", is_composed=True, ref="np.minimum(x1, x2)",
        doc="The smaller operand, NaN if either is; equal operands share the gradient.",
        usage="nd.minimum([1, 5], [3, 2]) -> array([1, 2], dtype=int64)",
    ),
    binary(
        "fmax", "(x1 >= x2) | (x2 != x2) ? x1 : x2",
        (
            "(x1 > x2) | ((x2 != x2) & (x1 == x1)) ? g : x1 == x2 ? C(0.5) * g : C(0)",
            "(x2 > x1) | (x1 != x1) ? g : x1 == x2 ? C(0.5) * g : C(0)",
        ),
        types=REAL, same_as=dict.fromkeys(WHOLE_KINDS, "maximum"), when_bool="logical_or", is_composed=True,
        ref="np.fmax(x1, x2)",
        doc="The larger operand, the number where one of them is NaN; equal operands share the gradient.",
        usage="nd.fmax([1.0, nd.nan], [0.5, 2.0]) -> array([1., 2.], dtype=float64)",
    ),
    binary(
        "fmin", "(x1 <= x2) | (x2 != x2) ? x1 : x2",
        (
            "(x1 < x2) | ((x2 != x2) & (x1 == x1)) ? g : x1 == x2 ? C(0.5) * g : C(0)",
            "(x2 < x1) | (x1 != x1) ? g : x1 == x2 ? C(0.5) * g : C(0)",
        ),
        types=REAL, same_as=dict.fromkeys(WHOLE_KINDS, "minimum"), when_bool="logical_and", is_composed=True,
        ref="np.fmin(x1, x2)",
        doc="The smaller operand, the number where one of them is NaN; equal operands share the gradient.",
        usage="nd.fmin([1.0, nd.nan], [0.5, 2.0]) -> array([0.5, 2. ], dtype=float64)",
    ),
    binary(
        "gcd", "common_divisor(x1, x2)", types=INTEGER, domain=(-60.0, 60.0),
        neutral=0, ref="np.gcd(x1, x2)", doc="The greatest common divisor of |x1| and |x2|; that of 0 and x is |x|.",
        usage="nd.gcd([12, 20], [18, 15]) -> array([6, 5], dtype=int64)",
    ),
    binary(
        "lcm", "common_multiple(x1, x2)", types=INTEGER, domain=(-11.0, 11.0),
        ref="np.lcm(x1, x2)", doc="The least common multiple of |x1| and |x2|, 0 where one of them is 0.",
        usage="nd.lcm([4, 6], [6, 8]) -> array([12, 24], dtype=int64)",
    ),
    Op(
        "multiply_add", "map", ("x1", "x2", "x3"), NUMERIC, "x1 * x2 + x3", vjp=("g * x2", "g * x1", "g"),
        domain=(0.25, 4.0), ref="x1 * x2 + x3", doc="x1 * x2 + x3 in one pass.",
        usage="nd.multiply_add([1, 2], [3, 4], 10) -> array([13, 18], dtype=int64)",
    ),
    Op(
        "clip", "map", ("x", "low", "high"), REAL, "clipped(x, low, high)",
        vjp=(
            "(x >= low) & (x <= high) ? g : C(0)",
            "(x < low) & (low <= high) ? g : C(0)",
            "(x > high) | (low > high) ? g : C(0)",
        ),
        domain=((-4.0, 4.0), (-2.0, -1.0), (1.0, 2.0)),
        is_wrapped=True,
        ref="np.minimum(np.maximum(x, low), high)", doc="x limited to [low, high]; NaN stays NaN.",
    ),
    Op(
        "where", "map", ("condition", "x1", "x2"), ANY_TYPE, "condition ? x1 : x2",
        vjp=("", "condition ? g : C(0)", "condition ? C(0) : g"),
        is_wrapped=True, ref="np.where(condition != 0, x1, x2)", doc="x1 where the condition holds, else x2.",
    ),
    unary(
        "negative", "-x", "-g", types=NUMERIC, operator="neg", ref="np.negative(x)", doc="-x; unsigned wraps.",
        usage="nd.negative([1, -2]) -> array([-1,  2], dtype=int64)",
    ),
    unary(
        "positive", "x", "g", types=NUMERIC, operator="pos", ref="np.positive(x)", doc="x itself (identity).",
        usage="nd.positive([1, -2]) -> array([ 1, -2], dtype=int64)",
    ),
    unary(
        "abs", "absolute(x)", "g * sign(x)", types=NUMERIC, result="real", operator="abs", when_bool="logical_or",
        same_as={"unsigned integer": "positive"}, aliases=("absolute",), ref="np.abs(x)",
        doc="|x|, of complex numbers the distance from 0; bools as they are.",
        usage="nd.abs([-3, 4]) -> array([3, 4], dtype=int64)",
    ),
    unary(
        "sign", "sign(x)", types=NUMERIC, ref="np.sign(x)",
        doc="-1, 0 or 1 by the sign of x, of complex numbers x / |x|; NaN stays NaN.",
        usage="nd.sign([-3, 0, 4]) -> array([-1,  0,  1], dtype=int64)",
    ),
    unary(
        "square", "x * x", "g * (x + x)", types=NUMERIC, ref="np.square(x)", doc="x * x.",
        usage="nd.square([1, 2, 3]) -> array([1, 4, 9], dtype=int64)",
    ),
    unary(
        "reciprocal", "reciprocal(x)", "-g * y * y", types=FLOATING, domain=(0.25, 4.0),
        ref="np.reciprocal(x)", doc="1 / x.",
        usage="nd.reciprocal([1.0, 2.0, 4.0]) -> array([1.  , 0.5 , 0.25], dtype=float64)",
    ),
    binary(
        "copysign", "copysign(x1, x2)", ("x1 == C(0) ? C(0) : x1 == y ? g : -g", ""), types=FLOAT,
        ref="np.copysign(x1, x2)", doc="The magnitude of x1 with the sign of x2.",
        usage="nd.copysign([1.0, 2.0], [-1.0, 1.0]) -> array([-1.,  2.], dtype=float64)",
    ),
    binary(
        "nextafter", "nextafter(x1, x2)", ("g", ""), types=FLOAT,
        ref="np.nextafter(x1, x2)", doc="The number next to x1 in the direction of x2.",
        usage="nd.nextafter(nd.float32([1.0, 2.0]), 3.0) -> array([1.0000001, 2.0000002], dtype=float32)",
    ),
)

PARTS = (
    unary(
        "real", "real_part(x)", "g", types=NUMERIC, result="real", when_bool="logical_or", same_as=UNCHANGED,
        ref="np.real(x)", doc="The real part of x; real numbers and bools as they are.",
        usage="nd.real([1 + 2j, 3 - 4j]) -> array([1., 3.], dtype=float64)",
    ),
    unary(
        "imag", "imaginary_part(x)", types=NUMERIC, result="real", when_bool="logical_xor",
        ref="np.imag(x)", doc="The imaginary part of x; 0 of real numbers, False of bools.",
        usage="nd.imag([1 + 2j, 3 - 4j]) -> array([ 2., -4.], dtype=float64)",
    ),
    unary(
        "conj", "conj(x)", "g", types=NUMERIC, when_bool="logical_or", same_as=UNCHANGED,
        aliases=("conjugate",), ref="np.conj(x)",
        doc="x with its imaginary part negated; real numbers and bools as they are.",
        usage="nd.conj([1 + 2j, 3 - 4j]) -> array([1.-2.j, 3.+4.j], dtype=complex128)",
    ),
)

ROUNDING = (
    unary(
        "floor", "round_down(x)", types=REAL, when_bool="logical_or", same_as=UNCHANGED, ref="np.floor(x)",
        doc="The largest whole number <= x; bools as they are.",
        usage="nd.floor([1.7, -1.2]) -> array([ 1., -2.], dtype=float64)",
    ),
    unary(
        "ceil", "round_up(x)", types=REAL, when_bool="logical_or", same_as=UNCHANGED, ref="np.ceil(x)",
        doc="The smallest whole number >= x; bools as they are.",
        usage="nd.ceil([1.2, -1.7]) -> array([ 2., -1.], dtype=float64)",
    ),
    unary(
        "trunc", "round_to_zero(x)", types=REAL, when_bool="logical_or", same_as=UNCHANGED, ref="np.trunc(x)",
        doc="x without its fraction; bools as they are.",
        usage="nd.trunc([1.7, -1.7]) -> array([ 1., -1.], dtype=float64)",
    ),
    unary(
        "round", "round_to_even(x)", types=NUMERIC, same_as=UNCHANGED, aliases=("rint",), is_wrapped=True,
        ref="np.round(x)",
        doc="The nearest whole number; halves go to the even one; of complex numbers part by part.",
        usage="nd.rint([0.5, 1.5, 2.4]) -> array([0., 2., 2.], dtype=float64)",
    ),
)

EXPONENTIAL = (
    unary(
        "exp", "exp(x)", "g * y", types=FLOATING, ref="np.exp(x)", doc="e to the power of x.",
        usage="nd.exp([0.0, 1.0]) -> array([1.        , 2.71828183], dtype=float64)",
    ),
    unary(
        "expm1", "expm1(x)", "g * (y + C(1))", types=FLOATING, ref="np.expm1(x)", doc="exp(x) - 1, accurate near 0.",
        usage="nd.expm1([0.0, 1e-09]) -> array([0.e+00, 1.e-09], dtype=float64)",
    ),
    unary(
        "log", "log(x)", "g / x", types=FLOATING, domain=(0.1, 9.0), ref="np.log(x)", doc="Natural logarithm.",
        usage="nd.log([1.0, nd.e]) -> array([0., 1.], dtype=float64)",
    ),
    unary(
        "log1p", "log1p(x)", "g / (C(1) + x)", types=FLOATING, domain=(-0.9, 9.0),
        ref="np.log1p(x)", doc="log(1 + x), accurate near 0.",
        usage="nd.log1p([0.0, 1e-09]) -> array([0.00000000e+00, 9.99999999e-10], dtype=float64)",
    ),
    unary(
        "log2", "log2(x)", "g / (x * C(0.6931471805599453))", types=FLOATING, domain=(0.1, 9.0),
        ref="np.log2(x)", doc="Logarithm to base 2.",
        usage="nd.log2([1, 8]) -> array([0., 3.], dtype=float64)",
    ),
    unary(
        "log10", "log10(x)", "g / (x * C(2.302585092994046))", types=FLOATING, domain=(0.1, 9.0),
        ref="np.log10(x)", doc="Logarithm to base 10.",
        usage="nd.log10([1, 1000]) -> array([0., 3.], dtype=float64)",
    ),
    binary(
        "logaddexp", "log_add_exp(x1, x2)",
        (
            "x1 == x2 ? C(0.5) * g : g / (C(1) + exp(x2 - x1))",
            "x1 == x2 ? C(0.5) * g : g / (C(1) + exp(x1 - x2))",
        ),
        types=FLOAT, domain=(0.5, 4.0), neutral=-math.inf, ref="np.logaddexp(x1, x2)",
        doc="log(exp(x1) + exp(x2)), computed without overflow.",
        usage="nd.logaddexp(-1000.0, -1000.0) -> array(-999.30685282, dtype=float64)",
    ),
    binary(
        "logaddexp2", "log_add_exp2(x1, x2)",
        (
            "x1 == x2 ? C(0.5) * g : g / (C(1) + exp2(x2 - x1))",
            "x1 == x2 ? C(0.5) * g : g / (C(1) + exp2(x1 - x2))",
        ),
        types=FLOAT, domain=(0.5, 4.0), neutral=-math.inf, ref="np.logaddexp2(x1, x2)",
        doc="log2(2**x1 + 2**x2), computed without overflow.",
        usage="nd.logaddexp2(3.0, 3.0) -> array(4., dtype=float64)",
    ),
    binary(
        "ldexp", "times_power_of_two(x1, x2)", ("times_power_of_two(g, x2)", ""),
        types=FLOAT, domain=((-4.0, 4.0), (-9.0, 9.0)), is_wrapped=True,
        ref="x1 * np.exp2(np.trunc(x2))", doc="x1 * 2**x2 for a whole number x2, rounded once.",
    ),
    Op(
        "frexp", "map", ("x",), FLOAT, {"mantissa": "binary_mantissa(x)", "exponent": "binary_exponent(x)"},
        is_wrapped=True, ref="np.frexp(x)", doc="(mantissa, exponent) with x = mantissa * 2**exponent.",
    ),
    unary(
        "sqrt", "sqrt(x)", "g / (y + y)", types=FLOATING, domain=(0.1, 9.0), ref="np.sqrt(x)", doc="Square root.",
        usage="nd.sqrt([4, 9]) -> array([2., 3.], dtype=float64)",
    ),
    unary(
        "rsqrt", "C(1) / sqrt(x)", "C(-0.5) * g * y * y * y", domain=(0.1, 9.0),
        ref="1 / np.sqrt(x)", doc="1 / sqrt(x).",
        usage="nd.rsqrt([4.0, 16.0]) -> array([0.5 , 0.25], dtype=float64)",
    ),
    unary(
        "cbrt", "cbrt(x)", "g / (C(3) * y * y)", domain=(0.1, 9.0),
        ref="np.cbrt(x)", doc="Cube root.",
        usage="nd.cbrt([8.0, -27.0]) -> array([ 2., -3.], dtype=float64)",
    ),
    binary(
        "hypot", "hypot(x1, x2)", ("y == C(0) ? C(0) : g * x1 / y", "y == C(0) ? C(0) : g * x2 / y"),
        types=FLOAT, domain=(0.25, 4.0), neutral=0.0, ref="np.hypot(x1, x2)",
        doc="sqrt(x1**2 + x2**2), computed without overflow; at the origin its gradient is 0.",
        usage="nd.hypot([3, 5], [4, 12]) -> array([ 5., 13.], dtype=float64)",
    ),
    unary(
        "erf", "erf(x)", "C(1.1283791670955126) * g * exp(-x * x)", domain=(-3.0, 3.0),
        ref="np.vectorize(math.erf)(x)", doc="2 / sqrt(pi) times the integral of exp(-t**2) from 0 to x.",
        usage="nd.erf([0.0, 1.0]) -> array([0.        , 0.84270079], dtype=float64)",
    ),
    unary(
        "erfc", "erfc(x)", "C(-1.1283791670955126) * g * exp(-x * x)", domain=(-3.0, 3.0),
        ref="np.vectorize(math.erfc)(x)", doc="1 - erf(x), accurate for large x.",
        usage="nd.erfc([0.0, 1.0]) -> array([1.        , 0.15729921], dtype=float64)",
    ),
)

TRIGONOMETRIC = (
    unary(
        "sin", "sin(x)", "g * cos(x)", types=FLOATING, ref="np.sin(x)", doc="Sine.",
        usage="nd.sin([0.0, nd.pi / 2]) -> array([0., 1.], dtype=float64)",
    ),
    unary(
        "cos", "cos(x)", "-g * sin(x)", types=FLOATING, ref="np.cos(x)", doc="Cosine.",
        usage="nd.cos([0.0, nd.pi]) -> array([ 1., -1.], dtype=float64)",
    ),
    unary(
        "tan", "tan(x)", "g * (C(1) + y * y)", types=FLOATING, domain=(-1.4, 1.4), ref="np.tan(x)", doc="Tangent.",
        usage="nd.tan([0.0, 1.0]) -> array([0.        , 1.55740772], dtype=float64)",
    ),
    unary(
        "asin", "asin(x)", "g / sqrt((C(1) - x) * (C(1) + x))", types=FLOATING, domain=(-0.95, 0.95),
        aliases=("arcsin",), ref="np.arcsin(x)", doc="Inverse sine.",
        usage="nd.asin([0.0, 1.0]) -> array([0.        , 1.57079633], dtype=float64)",
    ),
    unary(
        "acos", "acos(x)", "-g / sqrt((C(1) - x) * (C(1) + x))", types=FLOATING, domain=(-0.95, 0.95),
        aliases=("arccos",), ref="np.arccos(x)", doc="Inverse cosine.",
        usage="nd.acos([1.0, 0.0]) -> array([0.        , 1.57079633], dtype=float64)",
    ),
    unary(
        "atan", "atan(x)", "g / (C(1) + x * x)", types=FLOATING, aliases=("arctan",),
        ref="np.arctan(x)", doc="Inverse tangent.",
        usage="nd.atan([0.0, 1.0]) -> array([0.        , 0.78539816], dtype=float64)",
    ),
    binary(
        "atan2", "atan2(x1, x2)",
        (
            "(x1 == C(0)) & (x2 == C(0)) ? C(0) : g * x2 / (x1 * x1 + x2 * x2)",
            "(x1 == C(0)) & (x2 == C(0)) ? C(0) : -g * x1 / (x1 * x1 + x2 * x2)",
        ),
        types=FLOAT,
        aliases=("arctan2",), ref="np.arctan2(x1, x2)",
        doc="The angle of the point (x2, x1), in (-pi, pi]; at the origin its gradient is 0.",
        usage="nd.atan2([1.0, -1.0], [1.0, 1.0]) -> array([ 0.78539816, -0.78539816], dtype=float64)",
    ),
    unary(
        "sinh", "sinh(x)", "g * cosh(x)", types=FLOATING, ref="np.sinh(x)", doc="Hyperbolic sine.",
        usage="nd.sinh([0.0, 1.0]) -> array([0.        , 1.17520119], dtype=float64)",
    ),
    unary(
        "cosh", "cosh(x)", "g * sinh(x)", types=FLOATING, ref="np.cosh(x)", doc="Hyperbolic cosine.",
        usage="nd.cosh([0.0, 1.0]) -> array([1.        , 1.54308063], dtype=float64)",
    ),
    unary(
        "tanh", "tanh(x)", "g * (C(1) - y * y)", types=FLOATING, ref="np.tanh(x)", doc="Hyperbolic tangent.",
        usage="nd.tanh([0.0, 1.0]) -> array([0.        , 0.76159416], dtype=float64)",
    ),
    unary(
        "asinh", "asinh(x)", "g / sqrt(x * x + C(1))", types=FLOATING,
        aliases=("arcsinh",), ref="np.arcsinh(x)", doc="Inverse hyperbolic sine.",
        usage="nd.asinh([0.0, 1.0]) -> array([0.        , 0.88137359], dtype=float64)",
    ),
    unary(
        "acosh", "acosh(x)", "g / (sqrt(x - C(1)) * sqrt(x + C(1)))", types=FLOATING, domain=(1.1, 9.0),
        aliases=("arccosh",), ref="np.arccosh(x)", doc="Inverse hyperbolic cosine.",
        usage="nd.acosh([1.0, 2.0]) -> array([0.       , 1.3169579], dtype=float64)",
    ),
    unary(
        "atanh", "atanh(x)", "g / ((C(1) - x) * (C(1) + x))", types=FLOATING, domain=(-0.95, 0.95),
        aliases=("arctanh",), ref="np.arctanh(x)", doc="Inverse hyperbolic tangent.",
        usage="nd.atanh([0.0, 0.5]) -> array([0.        , 0.54930614], dtype=float64)",
    ),
)

LOGIC = (
    compare(
        "equal", "x1 == x2", types=ANY_TYPE, operator="eq", ref="np.equal(x1, x2)", doc="x1 == x2.",
        usage="nd.equal([1, 2], [1, 3]) -> array([ True, False], dtype=bool)",
    ),
    compare(
        "not_equal", "x1 != x2", types=ANY_TYPE, operator="ne", ref="np.not_equal(x1, x2)", doc="x1 != x2.",
        usage="nd.not_equal([1, 2], [1, 3]) -> array([False,  True], dtype=bool)",
    ),
    compare(
        "less", "x1 < x2", operator="lt", is_composed=True, ref="np.less(x1, x2)", doc="x1 < x2.",
        usage="nd.less([1, 2], 2) -> array([ True, False], dtype=bool)",
    ),
    compare(
        "less_equal", "x1 <= x2", operator="le", is_composed=True, ref="np.less_equal(x1, x2)", doc="x1 <= x2.",
        usage="nd.less_equal([1, 2], 2) -> array([ True,  True], dtype=bool)",
    ),
    compare(
        "greater", "x2 < x1", operator="gt", is_composed=True, ref="np.greater(x1, x2)", doc="x1 > x2.",
        usage="nd.greater([2, 3], 2) -> array([False,  True], dtype=bool)",
    ),
    compare(
        "greater_equal", "x2 <= x1", operator="ge", is_composed=True, ref="np.greater_equal(x1, x2)", doc="x1 >= x2.",
        usage="nd.greater_equal([2, 3], 2) -> array([ True,  True], dtype=bool)",
    ),
    compare(
        "logical_and", "(x1 != C(0)) & (x2 != C(0))", types=ANY_TYPE,
        neutral=True, ref="np.logical_and(x1, x2)", doc="Whether both operands differ from 0.",
        usage="nd.logical_and([True, True], [True, False]) -> array([ True, False], dtype=bool)",
    ),
    compare(
        "logical_or", "(x1 != C(0)) | (x2 != C(0))", types=ANY_TYPE,
        neutral=False, ref="np.logical_or(x1, x2)", doc="Whether at least one operand differs from 0.",
        usage="nd.logical_or([True, False], [False, False]) -> array([ True, False], dtype=bool)",
    ),
    compare(
        "logical_xor", "(x1 != C(0)) != (x2 != C(0))", types=ANY_TYPE,
        neutral=False, ref="np.logical_xor(x1, x2)", doc="Whether exactly one operand differs from 0.",
        usage="nd.logical_xor([True, True], [True, False]) -> array([False,  True], dtype=bool)",
    ),
    predicate(
        "logical_not", "x == C(0)", ref="np.logical_not(x)", doc="Whether x is 0.",
        usage="nd.logical_not([True, False]) -> array([False,  True], dtype=bool)",
    ),
    predicate(
        "isnan", "is_nan(x)", ref="np.isnan(x)", doc="Whether x, or a part of it, is NaN; no integer is.",
        usage="nd.isnan([1.0, nd.nan]) -> array([False,  True], dtype=bool)",
    ),
    predicate(
        "isinf", "is_inf(x)", same_as=dict.fromkeys(WHOLE_KINDS, "isnan"), ref="np.isinf(x)",
        doc="Whether x, or a part of it, is infinite; no integer is.",
        usage="nd.isinf([1.0, -nd.inf]) -> array([False,  True], dtype=bool)",
    ),
    predicate(
        "isfinite", "is_finite(x)",
        ref="np.isfinite(x)", doc="Whether x is neither infinite nor NaN; every integer is finite.",
        usage="nd.isfinite([1.0, nd.inf, nd.nan]) -> array([ True, False, False], dtype=bool)",
    ),
    predicate(
        "signbit", "copysign(C(1), x) < C(0)", types=FLOAT,
        ref="np.signbit(x)", doc="Whether the sign bit of x is set, as in -0.0.",
        usage="nd.signbit([-1.0, 2.0]) -> array([ True, False], dtype=bool)",
    ),
    binary(
        "bitwise_and", "x1 & x2", types=BITS, domain=(-100.0, 100.0),
        operator="and", neutral=-1, ref="np.bitwise_and(x1, x2)", doc="The bits set in both operands.",
        usage="nd.bitwise_and([12, 10], 6) -> array([4, 2], dtype=int64)",
    ),
    binary(
        "bitwise_or", "x1 | x2", types=BITS, domain=(-100.0, 100.0),
        operator="or", neutral=0, ref="np.bitwise_or(x1, x2)", doc="The bits set in either operand.",
        usage="nd.bitwise_or([12, 10], 3) -> array([15, 11], dtype=int64)",
    ),
    binary(
        "bitwise_xor", "x1 ^ x2", types=BITS, domain=(-100.0, 100.0),
        operator="xor", neutral=0, ref="np.bitwise_xor(x1, x2)", doc="The bits set in exactly one operand.",
        usage="nd.bitwise_xor([12, 10], 6) -> array([10, 12], dtype=int64)",
    ),
    unary(
        "bitwise_invert", "invert(x)", types=BITS, domain=(-100.0, 100.0), same_as={"bool": "logical_not"},
        operator="invert", aliases=("bitwise_not", "invert"), ref="np.bitwise_not(x)",
        doc="Every bit flipped; of bool, not x.",
        usage="nd.bitwise_invert([0, 5]) -> array([-1, -6], dtype=int64)",
    ),
    binary(
        "bitwise_left_shift", "shift_left(x1, x2)", types=INTEGER, domain=((-100.0, 100.0), (0.0, 9.0)),
        operator="lshift", aliases=("left_shift",), ref="np.left_shift(x1, x2)",
        doc="x1 * 2**x2; 0 where x2 is negative or not less than the width.",
        usage="nd.bitwise_left_shift([1, 3], 2) -> array([ 4, 12], dtype=int64)",
    ),
    binary(
        "bitwise_right_shift", "shift_right(x1, x2)", types=INTEGER, domain=((-100.0, 100.0), (0.0, 9.0)),
        operator="rshift", aliases=("right_shift",), ref="np.right_shift(x1, x2)",
        doc="floor(x1 / 2**x2); only the sign is left where x2 is negative or not less than the width.",
        usage="nd.bitwise_right_shift([4, 9], 1) -> array([2, 4], dtype=int64)",
    ),
)

# 2 * sqrt(2 / pi) * (x + 0.044715 * x**3)
GELU_TANH = "C(1.5957691216057308) * product_plus(C(0.044715) * x * x, x, x)"

ACTIVATIONS = (
    unary(
        "relu", "rectified(x)", "if_positive(y, g)", types=REAL, same_as={"unsigned integer": "positive"},
        ref="np.maximum(x, 0)", doc="max(x, 0); NaN stays NaN.",
        usage="nd.relu([-1.0, 2.0]) -> array([0., 2.], dtype=float64)",
    ),
    unary(
        "relu6", "clipped(x, C(0), C(6))", "(y > C(0)) & (y < C(6)) ? g : C(0)", domain=(-4.0, 9.0),
        ref="np.minimum(np.maximum(x, 0), 6)", doc="min(max(x, 0), 6).",
        usage="nd.relu6([-1.0, 2.0, 9.0]) -> array([0., 2., 6.], dtype=float64)",
    ),
    unary(
        "leaky_relu", "x > C(0) ? x : alpha * x", "x > C(0) ? g : alpha * g", params=(("alpha", 0.01),),
        ref="np.where(x > 0, x, alpha * x)", doc="x above 0, alpha * x below.",
        usage="nd.leaky_relu([-1.0, 2.0], alpha=0.1) -> array([-0.1,  2. ], dtype=float64)",
    ),
    unary(
        "threshold_relu", "x <= theta ? C(0) : x", "x > theta ? g : C(0)", params=(("theta", 1.0),),
        ref="np.where(x <= theta, 0, x)", doc="x above theta, else 0; NaN stays NaN.",
        usage="nd.threshold_relu([0.5, 2.0], theta=1.0) -> array([0., 2.], dtype=float64)",
    ),
    unary(
        "elu", "x > C(0) ? x : alpha * expm1(x)", "x > C(0) ? g : g * (y + alpha)", params=(("alpha", 1.0),),
        ref="np.where(x > 0, x, alpha * np.expm1(np.where(x > 0, 0, x)))",
        doc="x above 0, alpha * (exp(x) - 1) below.  Clevert et al. 2015, https://arxiv.org/abs/1511.07289.",
        usage="nd.elu([-1.0, 2.0]) -> array([-0.63212056,  2.        ], dtype=float64)",
    ),
    unary(
        "selu", "C(1.0507009873554805) * (x > C(0) ? x : C(1.6732632423543772) * expm1(x))",
        "x > C(0) ? C(1.0507009873554805) * g : g * (y + C(1.7580993408473766))",
        ref="1.0507009873554805 * np.where(x > 0, x, 1.6732632423543772 * np.expm1(np.where(x > 0, 0, x)))",
        doc="Self-normalizing ELU with fixed constants.  Klambauer et al. 2017, https://arxiv.org/abs/1706.02515.",
        usage="nd.selu([-1.0, 1.0]) -> array([-1.11133074,  1.05070099], dtype=float64)",
    ),
    unary(
        "sigmoid", "logistic(x)", "g * y * (C(1) - y)", domain=(-9.0, 9.0),
        ref="1 / (1 + np.exp(-x))", doc="Logistic function 1 / (1 + exp(-x)).",
        usage="nd.sigmoid([0.0, 2.0]) -> array([0.5       , 0.88079708], dtype=float64)",
    ),
    unary(
        "hard_sigmoid", "clipped(C(0.2) * x + C(0.5), C(0), C(1))",
        "absolute(x) < C(2.5) ? C(0.2) * g : C(0)", domain=(-2.0, 4.0),
        ref="np.clip(0.2 * x + 0.5, 0, 1)", doc="0.2 * x + 0.5 limited to [0, 1].",
        usage="nd.hard_sigmoid([-9.0, 0.0, 1.0]) -> array([0. , 0.5, 0.7], dtype=float64)",
    ),
    unary(
        "hard_tanh", "clipped(x, C(-1), C(1))", "absolute(x) < C(1) ? g : C(0)",
        ref="np.clip(x, -1, 1)", doc="x limited to [-1, 1].",
        usage="nd.hard_tanh([-2.0, 0.5, 2.0]) -> array([-1. ,  0.5,  1. ], dtype=float64)",
    ),
    unary(
        "rational_tanh", "rational_tanh(x)", "g * rational_tanh_slope(x)",
        ref="(lambda a: 1.7159 * np.sign(x) * a / (1 + a))"
        "(np.abs(x) * 2 / 3 + np.square(x * 2 / 3) + 1.41645 * np.square(np.square(x * 2 / 3)))", ulp=8.0,
        doc="1.7159 * tanh(2x / 3) with tanh(a) taken as sign(a) * (1 - 1 / (1 + |a| + a**2 + 1.41645 * a**4)).",
        usage="nd.rational_tanh([0.0, 1.0]) -> array([0.        , 0.99822158], dtype=float64)",
    ),
    unary(
        "rectified_tanh", "tanh(rectified(x))", "x > C(0) ? g * (C(1) - y * y) : C(0)",
        ref="np.maximum(np.tanh(x), 0)", doc="max(tanh(x), 0).",
        usage="nd.rectified_tanh([-1.0, 1.0]) -> array([0.        , 0.76159416], dtype=float64)",
    ),
    unary(
        "cube", "cube(x)", "C(3) * g * x * x", ref="x * x * x", doc="x**3.",
        usage="nd.cube([1, 2, 3]) -> array([ 1.,  8., 27.], dtype=float64)",
    ),
    unary(
        "softplus", "softplus(x)", "g / (C(1) + exp(-x))", domain=(-9.0, 40.0),
        ref="np.logaddexp(0, x)", doc="log(1 + exp(x)), computed without overflow.",
        usage="nd.softplus([0.0, 50.0]) -> array([ 0.69314718, 50.        ], dtype=float64)",
    ),
    unary(
        "softsign", "x / (C(1) + absolute(x))", "g / squared(C(1) + absolute(x))",
        ref="x / (1 + np.abs(x))", doc="x / (1 + |x|).",
        usage="nd.softsign([-1.0, 3.0]) -> array([-0.5 ,  0.75], dtype=float64)",
    ),
    unary(
        "swish", "x / (C(1) + exp(-x))", "g * (y + (C(1) - y) / (C(1) + exp(-x)))",
        ref="x / (1 + np.exp(-x))", doc="x * sigmoid(x).  Ramachandran et al. 2017, https://arxiv.org/abs/1710.05941.",
        usage="nd.swish([0.0, 1.0]) -> array([0.        , 0.73105858], dtype=float64)",
    ),
    unary(
        "gelu", "gelu(x)",
        "g * product_plus(C(0.3989422804014327) * x, exp(C(-0.5) * x * x), C(0.5) * erfc(C(-0.7071067811865476) * x))",
        ref="0.5 * x * np.vectorize(math.erfc)(-0.7071067811865476 * x)", ulp=16.0, domain=(-3.0, 4.0),
        doc="x times the normal distribution function.  Hendrycks & Gimpel 2016, https://arxiv.org/abs/1606.08415.",
        usage="nd.gelu([0.0, 1.0]) -> array([0.        , 0.84134475], dtype=float64)",
    ),
    unary(
        "mish", "mish(x)", "g * mish_slope(x)", ref="x * np.tanh(np.logaddexp(0, x))", ulp=8.0,
        doc="x * tanh(softplus(x)).  Misra 2019, https://arxiv.org/abs/1908.08681.",
        usage="nd.mish([0.0, 1.0]) -> array([0.        , 0.86509839], dtype=float64)",
    ),
    unary(
        "hard_swish", "x <= C(-3) ? C(0) : x * (smaller(x, C(3)) + C(3)) * C(0.16666666666666667)",
        "x <= C(-3) ? C(0) : x < C(3) ? g * product_plus(x, C(0.33333333333333333), C(0.5)) : g",
        domain=(-2.0, 4.0), ref="x * np.clip(x + 3, 0, 6) / 6",
        doc="x * (x + 3) / 6 between -3 and 3, 0 below and x above.  "
        "Howard et al. 2019, https://arxiv.org/abs/1905.02244.",
        usage="nd.hard_swish([-4.0, 1.0, 5.0]) -> array([0.        , 0.66666667, 5.        ], dtype=float64)",
    ),
    unary(
        "log_sigmoid", "-softplus(-x)", "g / (C(1) + exp(x))", domain=(-40.0, 9.0),
        ref="-np.logaddexp(0, -x)", doc="log(sigmoid(x)), computed without overflow.",
        usage="nd.log_sigmoid([0.0, -50.0]) -> array([ -0.69314718, -50.        ], dtype=float64)",
    ),
    unary(
        "soft_shrink", "x - clipped(x, -theta, theta)", "absolute(x) > theta ? g : C(0)", params=(("theta", 0.5),),
        ref="x - np.clip(x, -theta, theta)", doc="x moved towards 0 by theta, and 0 within theta of 0.",
        usage="nd.soft_shrink([-2.0, 0.25, 1.0]) -> array([-1.5,  0. ,  0.5], dtype=float64)",
    ),
    unary(
        "hard_shrink", "absolute(x) <= theta ? C(0) : x", "absolute(x) > theta ? g : C(0)", params=(("theta", 0.5),),
        ref="np.where(np.abs(x) <= theta, 0, x)", doc="x, and 0 within theta of 0.",
        usage="nd.hard_shrink([-2.0, 0.25, 1.0]) -> array([-2.,  0.,  1.], dtype=float64)",
    ),
    unary(
        "celu", "x > C(0) ? x : alpha * expm1(x / alpha)", "x > C(0) ? g : g * exp(x / alpha)",
        params=(("alpha", 1.0),), ref="np.where(x > 0, x, alpha * np.expm1(np.where(x > 0, 0, x) / alpha))",
        doc="x above 0, alpha * (exp(x / alpha) - 1) below.  Barron 2017, https://arxiv.org/abs/1704.07483.",
        usage="nd.celu([-1.0, 2.0]) -> array([-0.63212056,  2.        ], dtype=float64)",
    ),
    unary(
        "gelu_tanh", f"x * logistic({GELU_TANH})",
        f"g * logistic({GELU_TANH}) * product_plus(x * (C(1) - logistic({GELU_TANH})), "
        "product_plus(C(0.21406444881780073) * x, x, C(1.5957691216057308)), C(1))",
        ref="0.5 * x * (1 + np.tanh(0.7978845608028654 * (x + 0.044715 * x * x * x)))", ulp=16.0, domain=(-2.0, 4.0),
        doc="`gelu` by a tanh: x * sigmoid(2 * sqrt(2 / pi) * (x + 0.044715 * x**3)).  Hendrycks & Gimpel 2016.",
        usage="nd.gelu_tanh([0.0, 1.0]) -> array([0.        , 0.84119199], dtype=float64)",
    ),
)

POSITIVE_PAIR = ((0.1, 0.9), (0.1, 0.9))
SIGNED_PAIR = ((-0.9, 0.9), (-1.0, 1.0))

LOSSES = (
    loss(
        "squared_error", "squared(x - labels)", "C(2) * g * (x - labels)", "C(-2) * g * (x - labels)",
        ref="np.square(x - labels)", doc="(x - labels)**2.",
        usage="nd.squared_error([1.0, 2.5], [1.0, 2.0]) -> array([0.  , 0.25], dtype=float64)",
    ),
    loss(
        "absolute_error", "absolute(x - labels)", "g * sign(x - labels)", "g * sign(labels - x)",
        ref="np.abs(x - labels)", doc="|x - labels|.",
        usage="nd.absolute_error([1.0, 2.5], [1.0, 2.0]) -> array([0. , 0.5], dtype=float64)",
    ),
    loss(
        "absolute_percentage_error", "C(100) * absolute((x - labels) / labels)",
        "C(100) * g * sign(x - labels) / absolute(labels)",
        "C(-100) * g * sign(x - labels) * sign(labels) * x / (labels * labels)", domain=((-4.0, 4.0), (0.5, 4.0)),
        ref="100 * np.abs((x - labels) / labels)", doc="100 * |(x - labels) / labels|.",
        usage="nd.absolute_percentage_error([1.0, 2.5], [1.0, 2.0]) -> array([ 0., 25.], dtype=float64)",
    ),
    loss(
        "squared_log_error", "squared(log((x + C(1)) / (labels + C(1))))",
        "C(2) * g * log((x + C(1)) / (labels + C(1))) / (x + C(1))",
        "C(-2) * g * log((x + C(1)) / (labels + C(1))) / (labels + C(1))", domain=((2.0, 4.0), (0.0, 1.0)), ulp=8.0,
        ref="np.square(np.log((x + 1) / (labels + 1)))", doc="(log(1 + x) - log(1 + labels))**2.",
        usage="nd.squared_log_error([1.0, 2.5], [1.0, 2.0]) -> array([0.        , 0.02376243], dtype=float64)",
    ),
    loss(
        "binary_cross_entropy", "binary_cross_entropy(labels, clipped(x, eps, C(1) - eps))",
        "g * binary_cross_entropy_slope(labels, clipped(x, eps, C(1) - eps))",
        "-g * logit(clipped(x, eps, C(1) - eps))",
        is_ordered=True, params=(("eps", 1e-5),), domain=POSITIVE_PAIR, ulp=8.0,
        ref="-labels * np.log(np.clip(x, eps, 1 - eps)) - (1 - labels) * np.log1p(-np.clip(x, eps, 1 - eps))",
        doc="-labels * log(p) - (1 - labels) * log(1 - p), p = x limited to [eps, 1 - eps]; the gradient is that at p.",
        usage="nd.binary_cross_entropy([0.5, 0.75], [0.0, 1.0]) -> array([0.69314718, 0.28768207], dtype=float64)",
    ),
    loss(
        "cross_entropy", "-labels * log(larger(x, eps))", "-g * labels / larger(x, eps)", "-g * log(larger(x, eps))",
        is_ordered=True, params=(("eps", 1e-10),), domain=POSITIVE_PAIR, ulp=8.0,
        ref="-labels * np.log(np.maximum(x, eps))", doc="-labels * log(max(x, eps)); the gradient is that there.",
        usage="nd.cross_entropy([0.25, 0.75], [0.0, 1.0]) -> array([0.        , 0.28768207], dtype=float64)",
    ),
    loss(
        "kl_divergence", "labels * log(larger(labels, eps) / larger(x, eps))",
        "-g * labels / larger(x, eps)", "g * (log(larger(labels, eps) / larger(x, eps)) + C(labels > eps))",
        is_ordered=True, params=(("eps", 1e-10),), domain=((0.5, 0.9), (0.1, 0.4)), ulp=8.0,
        ref="labels * np.log(np.maximum(labels, eps) / np.maximum(x, eps))",
        doc="labels * log(labels / x), both at least eps inside the logarithm.",
        usage="nd.kl_divergence([0.5, 0.5], [0.25, 0.75]) -> array([-0.1732868 ,  0.30409883], dtype=float64)",
    ),
    loss(
        "hinge", "larger(C(1) - labels * x, C(0))",
        "labels * x < C(1) ? -g * labels : C(0)", "labels * x < C(1) ? -g * x : C(0)", domain=SIGNED_PAIR,
        ref="np.maximum(1 - labels * x, 0)", doc="max(0, 1 - labels * x), labels -1 or 1.",
        usage="nd.hinge([0.5, -2.0], [1.0, 1.0]) -> array([0.5, 3. ], dtype=float64)",
    ),
    loss(
        "squared_hinge", "squared(larger(C(1) - labels * x, C(0)))",
        "C(-2) * g * labels * larger(C(1) - labels * x, C(0))",
        "C(-2) * g * x * larger(C(1) - labels * x, C(0))", domain=SIGNED_PAIR,
        ref="np.square(np.maximum(1 - labels * x, 0))", doc="max(0, 1 - labels * x)**2, labels -1 or 1.",
        usage="nd.squared_hinge([0.5, -2.0], [1.0, 1.0]) -> array([0.25, 9.  ], dtype=float64)",
    ),
    loss(
        "poisson_loss", "x - labels * log(larger(x, eps))",
        "g * (C(1) - labels / larger(x, eps))", "-g * log(larger(x, eps))",
        is_ordered=True, params=(("eps", 1e-10),), domain=POSITIVE_PAIR, ulp=8.0,
        ref="x - labels * np.log(np.maximum(x, eps))", doc="x - labels * log(x), x at least eps inside the logarithm.",
        usage="nd.poisson_loss([1.0, 2.0], [0.0, 3.0]) -> array([ 1.        , -0.07944154], dtype=float64)",
    ),
    loss(
        "wasserstein_loss", "labels * x", "g * labels", "g * x",
        ref="labels * x",
        doc="labels * x, the critic's score.  Arjovsky et al. 2017, https://arxiv.org/abs/1701.07875.",
        usage="nd.wasserstein_loss([0.5, -2.0], [1.0, -1.0]) -> array([0.5, 2. ], dtype=float64)",
    ),
    loss(
        "huber_loss",
        "absolute(x - labels) <= delta ? C(0.5) * squared(x - labels) : "
        "delta * (absolute(x - labels) - C(0.5) * delta)",
        "g * clipped(x - labels, -delta, delta)", "g * clipped(labels - x, -delta, delta)",
        params=(("delta", 1.0),), ulp=8.0,
        ref="np.where(np.abs(x - labels) <= delta, 0.5 * np.square(x - labels), "
        "delta * (np.abs(x - labels) - 0.5 * delta))",
        doc="(x - labels)**2 / 2 where |x - labels| is at most delta, else delta * (|x - labels| - delta / 2).  "
        "Huber 1964, https://doi.org/10.1214/aoms/1177703732.",
        usage="nd.huber_loss([1.5, 4.0], [1.0, 1.0]) -> array([0.125, 2.5  ], dtype=float64)",
    ),
    loss(
        "log_cosh_loss",
        "absolute(x - labels) < C(1) ? C(0.5) * log1p(squared(sinh(x - labels))) : "
        "absolute(x - labels) + log1p(exp(C(-2) * absolute(x - labels))) - C(0.6931471805599453)",
        "g * tanh(x - labels)", "g * tanh(labels - x)", domain=((2.0, 4.0), (0.0, 1.0)), ulp=8.0,
        ref="np.logaddexp(x - labels, labels - x) - math.log(2)", doc="log(cosh(x - labels)), without overflow.",
        usage="nd.log_cosh_loss([1.5, 4.0], [1.0, 1.0]) -> array([0.12011451, 2.3093285 ], dtype=float64)",
    ),
)

MOMENTS = (("b1", 0.9), ("b2", 0.999), ("eps", 1e-8))
CORRECTIONS = (("c1", None), ("c2", None))
MEAN_OF_G = "b1 * m + (C(1) - b1) * g"
MEAN_OF_G2 = "b2 * v + (C(1) - b2) * g * g"
REF_M = "m := b1 * m + (1 - b1) * g"
REF_V = "v := b2 * v + (1 - b2) * g * g"
STATE_DOMAIN = (0.1, 1.0)  # second moments are never negative; equal signs keep the reference free of cancellation

# `delta` is what to subtract from the parameters.  t counts iterations from 1, c1 = 1 - b1**t and c2 = 1 - b2**t.
UPDATERS = (
    step(
        "sgd_step", "g", (LEARNING_RATE,), {"delta": "lr * g"}, ref="lr * g", doc="Gradient descent: lr * g.",
        usage="nd.sgd_step([1.0, -2.0], lr=0.1) -> array([ 0.1, -0.2], dtype=float64)",
    ),
    step(
        "nesterovs_step", "g v", (LEARNING_RATE, ("momentum", 0.9)),
        {"v": "momentum * v - lr * g", "delta": "lr * g - momentum * v"}, domain=((0.1, 1.0), (-1.0, -0.1)),
        ref="(v := momentum * v - lr * g, lr * g - momentum * v)",
        doc="Nesterov momentum: v' = momentum * v - lr * g, delta = momentum * v - (1 + momentum) * v'.",
        usage="nd.nesterovs_step([1.0], [0.0], lr=0.1) -> (array([-0.1], dtype=float64), array([0.19], dtype=float64))",
    ),
    step(
        "adagrad_step", "g h", (LEARNING_RATE, ("eps", 1e-6)),
        {"h": "h + g * g", "delta": "lr * g / (sqrt(h) + eps)"}, domain=STATE_DOMAIN,
        ref="(h := h + g * g, lr * g / (np.sqrt(h) + eps))",
        doc="AdaGrad: h is the sum of squared gradients.  Duchi et al. 2011, JMLR 12.",
        usage="nd.adagrad_step([2], [0], lr=0.1)[1] -> array([0.09999995], dtype=float64)",
    ),
    step(
        "rmsprop_step", "g v", (LEARNING_RATE, ("decay", 0.95), ("eps", 1e-8)),
        {"v": "decay * v + (C(1) - decay) * g * g", "delta": "lr * g / (sqrt(v) + eps)"}, domain=STATE_DOMAIN,
        ref="(v := decay * v + (1 - decay) * g * g, lr * g / (np.sqrt(v) + eps))",
        doc="RMSProp: v is the decaying mean of squared gradients.  Tieleman & Hinton 2012.",
        usage="nd.rmsprop_step([2], [0], lr=0.1)[1] -> array([0.44721359], dtype=float64)",
    ),
    step(
        "adadelta_step", "g s x", (("rho", 0.95), ("eps", 1e-6)),
        {
            "s": "rho * s + (C(1) - rho) * g * g",
            "delta": "g * sqrt((x + eps) / (s + eps))",
            "x": "rho * x + (C(1) - rho) * delta * delta",
        },
        domain=STATE_DOMAIN, ulp=8.0,
        ref="(s := rho * s + (1 - rho) * g * g, d := g * np.sqrt((x + eps) / (s + eps)), rho * x + (1 - rho) * d * d)",
        doc="AdaDelta: s and x are decaying means of g**2 and delta**2.  Zeiler 2012, https://arxiv.org/abs/1212.5701.",
        usage="nd.adadelta_step([2], [0], [0])[1] -> array([0.00447212], dtype=float64)",
    ),
    step(
        "adam_step", "g m v", (LEARNING_RATE, *MOMENTS, *CORRECTIONS),
        {"m": MEAN_OF_G, "v": MEAN_OF_G2, "delta": "lr * (m / c1) / (sqrt(v / c2) + eps)"},
        domain=STATE_DOMAIN, ulp=8.0, ref=f"({REF_M}, {REF_V}, lr * (m / c1) / (np.sqrt(v / c2) + eps))",
        doc="Adam, algorithm 1 of Kingma & Ba 2015, https://arxiv.org/abs/1412.6980.",
        usage="nd.adam_step([2], [0], [0], lr=0.1, c1=0.1, c2=0.001)[2] -> array([0.1], dtype=float64)",
    ),
    step(
        "adamax_step", "g m u", (LEARNING_RATE, *MOMENTS, ("c1", None)),
        {"m": MEAN_OF_G, "u": "larger(b2 * u, absolute(g) + eps)", "delta": "lr * (m / c1) / u"},
        domain=STATE_DOMAIN, ref=f"({REF_M}, u := np.maximum(b2 * u, np.abs(g) + eps), lr * (m / c1) / u)",
        doc="AdaMax, algorithm 2 of Kingma & Ba 2015; eps keeps u above 0.",
        usage="nd.adamax_step([2], [0], [0], lr=0.1, c1=0.1)[2] -> array([0.1], dtype=float64)",
    ),
    step(
        "amsgrad_step", "g m v h", (LEARNING_RATE, *MOMENTS, *CORRECTIONS),
        {"m": MEAN_OF_G, "v": MEAN_OF_G2, "h": "larger(h, v)", "delta": "lr * (m / c1) / (sqrt(h / c2) + eps)"},
        domain=STATE_DOMAIN, ulp=8.0,
        ref=f"({REF_M}, {REF_V}, h := np.maximum(h, v), lr * (m / c1) / (np.sqrt(h / c2) + eps))",
        doc="AMSGrad: Adam with h, the largest v so far.  Reddi et al. 2018, https://arxiv.org/abs/1904.09237.",
        usage="nd.amsgrad_step([2], [0], [0], [0], lr=0.1, c1=0.1, c2=0.001)[3] -> array([0.1], dtype=float64)",
    ),
    step(
        "nadam_step", "g m v", (LEARNING_RATE, *MOMENTS, *CORRECTIONS, ("c1_next", None)),
        {
            "m": MEAN_OF_G,
            "v": MEAN_OF_G2,
            "delta": "lr * (b1 * m / c1_next + (C(1) - b1) * g / c1) / (sqrt(v / c2) + eps)",
        },
        domain=STATE_DOMAIN, ulp=8.0,
        ref=f"({REF_M}, {REF_V}, lr * (b1 * m / c1_next + (1 - b1) * g / c1) / (np.sqrt(v / c2) + eps))",
        doc="Nadam: Adam with Nesterov momentum, c1_next = 1 - b1**(t + 1).  Dozat 2016, ICLR workshop, algorithm 2.",
        usage="nd.nadam_step([2], [0], [0], lr=1, c1=1, c2=1, c1_next=1)[2] -> array([6.0083266], dtype=float64)",
    ),
    step(
        "adabelief_step", "g m s", (LEARNING_RATE, ("b1", 0.9), ("b2", 0.999), ("eps", 1e-14), *CORRECTIONS),
        {
            "m": MEAN_OF_G,
            "s": "b2 * s + (C(1) - b2) * squared(g - m) + eps",
            "delta": "lr * (m / c1) / (sqrt(s / c2) + eps)",
        },
        domain=STATE_DOMAIN, ulp=8.0,
        ref=f"({REF_M}, s := b2 * s + (1 - b2) * np.square(g - m) + eps, lr * (m / c1) / (np.sqrt(s / c2) + eps))",
        doc="AdaBelief: Adam with the variance of g about m.  Zhuang et al. 2020, https://arxiv.org/abs/2010.07468.",
        usage="nd.adabelief_step([2], [0], [0], lr=0.1, c1=0.1, c2=0.001)[2] -> array([0.11111111], dtype=float64)",
    ),
    step(
        "adamw_step", "g p m v", (LEARNING_RATE, *MOMENTS, *CORRECTIONS, ("weight_decay", 0.01)),
        {
            "m": MEAN_OF_G,
            "v": MEAN_OF_G2,
            "delta": "lr * (m / c1 / (sqrt(v / c2) + eps) + weight_decay * p)",
        },
        domain=STATE_DOMAIN, ulp=8.0,
        ref=f"({REF_M}, {REF_V}, lr * (m / c1 / (np.sqrt(v / c2) + eps) + weight_decay * p))",
        doc="AdamW: Adam with weight decay beside it.  Loshchilov & Hutter 2019, https://arxiv.org/abs/1711.05101.",
        usage="nd.adamw_step([2], [1], [0], [0], lr=0.1, c1=0.1, c2=0.001)[2] -> array([0.101], dtype=float64)",
    ),
    step(
        "lion_step", "g p m", (LEARNING_RATE, ("b1", 0.9), ("decay", 0.99), ("weight_decay", 0.0)),
        {
            "delta": "lr * (sign(b1 * m + (C(1) - b1) * g) + weight_decay * p)",
            "m": "decay * m + (C(1) - decay) * g",
        },
        domain=STATE_DOMAIN,
        ref="(lr * (np.sign(b1 * m + (1 - b1) * g) + weight_decay * p), decay * m + (1 - decay) * g)",
        doc="Lion: the sign of a mean of gradients, and weight decay.  Chen et al. 2023, arXiv:2302.06675.",
        usage="nd.lion_step([2], [1], [0], lr=0.1)[0] -> array([0.1], dtype=float64)",
    ),
)

REDUCTIONS = (
    reduce(
        "sum", "C(0)", "acc + x", "l + r", "g", types=ANY_TYPE, accumulate="wide", result="total",
        domain=(-1.0, 4.0), ulp=32.0, ufunc="add.reduce", ref="np.sum(x, axis=axis, keepdims=keepdims)",
        doc="Sum; integers and bool widen to 64 bits.",
        usage="nd.sum([[1, 2], [3, 4]], axis=0) -> array([4, 6], dtype=int64)",
    ),
    reduce(
        "prod", "C(1)", "acc * x", "l * r", "x == C(0) ? g * rest : g * y / x", types=ANY_TYPE, accumulate="wide",
        result="total", domain=(0.5, 1.5), ufunc="multiply.reduce", ulp=64.0,
        ref="np.prod(x, axis=axis, keepdims=keepdims)",
        doc="Product; integers and bool widen to 64 bits.  A 0 among finite elements makes it 0.",
        usage="nd.prod([[1, 2], [3, 4]], axis=1) -> array([ 2, 12], dtype=int64)",
    ),
    reduce(
        "mean", "C(0)", "acc + x", "l + r", "g / n", types=FLOATING, accumulate="wide", finish="per(acc, n)",
        domain=(-1.0, 4.0), ulp=32.0, ref="np.mean(x, axis=axis, keepdims=keepdims)",
        doc="Arithmetic mean; NaN of no elements.",
        usage="nd.mean([[1, 2], [3, 4]]) -> array(2.5, dtype=float64)",
    ),
    reduce(
        "max", "lowest<C>()", "larger(acc, x)", "larger(l, r)", "x == y ? g / ties : C(0)", identity=False,
        aliases=("amax",), ufunc="maximum.reduce", is_composed=True, ref="np.max(x, axis=axis, keepdims=keepdims)",
        doc="Maximum, NaN if any element is; equal elements share the gradient.",
        usage="nd.max([[1, 5], [3, 4]], axis=1) -> array([5, 4], dtype=int64)",
    ),
    reduce(
        "min", "highest<C>()", "smaller(acc, x)", "smaller(l, r)", "x == y ? g / ties : C(0)", identity=False,
        aliases=("amin",), ufunc="minimum.reduce", is_composed=True, ref="np.min(x, axis=axis, keepdims=keepdims)",
        doc="Minimum, NaN if any element is; equal elements share the gradient.",
        usage="nd.min([[1, 5], [3, 4]], axis=1) -> array([1, 3], dtype=int64)",
    ),
    reduce(
        "any", "C(0)", "x != C(0) ? C(1) : acc", "either(l, r)", types=ANY_TYPE, result="bool",
        final="acc != C(0)", finish="acc != C(0)", ufunc="logical_or.reduce",
        ref="np.any(x, axis=axis, keepdims=keepdims)",
        doc="Whether some element is not 0.",
        usage="nd.any([[False, True], [False, False]], axis=1) -> array([ True, False], dtype=bool)",
    ),
    reduce(
        "all", "C(1)", "x == C(0) ? C(0) : acc", "both(l, r)", types=ANY_TYPE, result="bool",
        final="acc == C(0)", finish="acc != C(0)", ufunc="logical_and.reduce",
        ref="np.all(x, axis=axis, keepdims=keepdims)",
        doc="Whether no element is 0.",
        usage="nd.all([[True, True], [True, False]], axis=1) -> array([ True, False], dtype=bool)",
    ),
    reduce(
        "sum_of_squares", "C(0)", "acc + x * x", "l + r", "C(2) * g * x", accumulate="wide", result="total",
        ulp=32.0, ref="np.sum(x * x, axis=axis, keepdims=keepdims)",
        doc="Sum of x**2, the squared Euclidean norm.",
        usage="nd.sum_of_squares([1.0, 2.0, 3.0]) -> array(14., dtype=float64)",
    ),
    reduce(
        "sum_of_absolutes", "C(0)", "acc + absolute(x)", "l + r", "g * sign(x)", accumulate="wide", result="total",
        ulp=32.0, same_as={"unsigned integer": "sum"},
        ref="np.sum(np.abs(x), axis=axis, keepdims=keepdims)", doc="Sum of |x|, the L1 norm.",
        usage="nd.sum_of_absolutes([1.0, -2.0, 3.0]) -> array(6., dtype=float64)",
    ),
    reduce(
        "max_of_absolutes", "C(0)", "larger(acc, absolute(x))", "larger(l, r)",
        "absolute(x) == y ? g * sign(x) / peaks : C(0)", same_as={"unsigned integer": "max"},
        ref="np.max(np.abs(x), axis=axis, keepdims=keepdims, initial=0)", doc="Maximum of |x|, 0 of no elements.",
        usage="nd.max_of_absolutes([1.0, -5.0, 3.0]) -> array(5., dtype=float64)",
    ),
    reduce(
        "count_nonzero", "C(0)", "acc + (x != C(0) ? C(1) : C(0))", "l + r", types=ANY_TYPE, accumulate="wide",
        result="index", ref="np.count_nonzero(x, axis=axis, keepdims=keepdims)", doc="How many elements are not 0.",
        usage="nd.count_nonzero([[0, 1], [2, 3]], axis=1) -> array([1, 2], dtype=int64)",
    ),
    argreduce(
        "argmax", "x > best", is_composed=True, ref="np.argmax(x, axis=axis, keepdims=keepdims)",
        doc="Index of the first maximum, or of the first NaN.",
        usage="nd.argmax([3, 9, 2]) -> array(1, dtype=int64)",
    ),
    argreduce(
        "argmin", "x < best", is_composed=True, ref="np.argmin(x, axis=axis, keepdims=keepdims)",
        doc="Index of the first minimum, or of the first NaN.",
        usage="nd.argmin([[3, 9], [8, 2]], axis=1) -> array([0, 1], dtype=int64)",
    ),
)

SCANS = (
    scan(
        "cumulative_sum", "-C(0)", "acc + x", ("g", "g"), "l + r", types=ANY_TYPE, accumulate="wide", result="total",
        domain=(-1.0, 4.0), ulp=32.0, ufunc="add.accumulate", ref="np.cumsum(x, axis=axis)",
        doc="Running sum; integers and bool widen to 64 bits.",
        usage="nd.cumulative_sum([1, 2, 3]) -> array([1, 3, 6], dtype=int64)",
    ),
    scan(
        "cumulative_prod", "C(1)", "acc * x", ("g * x", "g * acc"), types=ANY_TYPE, accumulate="wide", result="total",
        domain=(0.5, 1.5), ulp=64.0, ufunc="multiply.accumulate",
        ref="np.cumprod(x, axis=axis)",
        doc="Running product; integers and bool widen to 64 bits.",
        usage="nd.cumulative_prod([1, 2, 3, 4]) -> array([ 1,  2,  6, 24], dtype=int64)",
    ),
    scan(
        "cumulative_max", "lowest<C>()", "larger(acc, x)",
        ("(y == acc) | (acc != acc) ? g : C(0)", "(y == acc) | (acc != acc) ? C(0) : g"), "larger(l, r)",
        ref="np.maximum.accumulate(x, axis=axis)",
        doc="Running maximum, NaN from the first NaN on; the first of equal elements receives the gradient.",
        usage="nd.cumulative_max([1, 3, 2, 5]) -> array([1, 3, 3, 5], dtype=int64)",
    ),
    scan(
        "cumulative_min", "highest<C>()", "smaller(acc, x)",
        ("(y == acc) | (acc != acc) ? g : C(0)", "(y == acc) | (acc != acc) ? C(0) : g"), "smaller(l, r)",
        ref="np.minimum.accumulate(x, axis=axis)",
        doc="Running minimum, NaN from the first NaN on; the first of equal elements receives the gradient.",
        usage="nd.cumulative_min([4, 6, 2, 3]) -> array([4, 4, 2, 2], dtype=int64)",
    ),
    scan(
        "log_cumulative_sum_exp", "lowest<C>()", "log_add_exp(acc, x)",
        ("acc == y ? g : g * exp(acc - y)", "x == y ? g : g * exp(x - y)"), types=FLOAT, accumulate="wide",
        ulp=64.0, ref="np.logaddexp.accumulate(x, axis=axis)",
        doc="Running log(sum(exp(x))), computed without overflow.",
        usage="nd.log_cumulative_sum_exp([0.0, 0.0]) -> array([0.        , 0.69314718], dtype=float64)",
    ),
)

# Functions that NumPy, SciPy or PyTorch users expect beside the standard's.
EXTRAS = (
    unary(
        "exp2", "exp2(x)", "C(0.6931471805599453) * g * y", is_composed=True, ref="np.exp2(x)",
        doc="2 to the power of x.",
        usage="nd.exp2([0, 3]) -> array([1., 8.], dtype=float64)",
    ),
    unary(
        "logit", "logit(x)", "g / (x * (C(1) - x))", domain=(0.55, 0.95), ulp=16.0,
        ref="np.log(x / (1 - x))", doc="log(x / (1 - x)), the inverse of sigmoid, accurate near 0.5.",
        usage="nd.logit([0.5, 0.9]) -> array([0.        , 2.19722458], dtype=float64)",
    ),
    unary(
        "frac", "x - round_to_zero(x)", "g", ref="x - np.trunc(x)", doc="x - trunc(x), with the sign of x.",
        usage="nd.frac([1.75, -1.25]) -> array([ 0.75, -0.25], dtype=float64)",
    ),
    unary(
        "sinc", "sinc(x)", "g * sinc_slope(x)", domain=(-0.75, 0.75), ulp=8.0,
        is_composed=True, ref="np.where((x == np.rint(x)) & np.isfinite(x), x == 0, np.sinc(x))",
        doc="sin(pi * x) / (pi * x), 1 at 0 and exactly 0 at other whole numbers.",
        usage="nd.sinc([0.0, 0.5]) -> array([1.        , 0.63661977], dtype=float64)",
    ),
    unary(
        "deg2rad", "C(0.017453292519943295) * x", "C(0.017453292519943295) * g", aliases=("radians",),
        ref="np.deg2rad(x)", doc="Degrees to radians, pi / 180 * x.",
        usage="nd.deg2rad([180.0, 90.0]) -> array([3.14159265, 1.57079633], dtype=float64)",
    ),
    unary(
        "rad2deg", "C(57.29577951308232) * x", "C(57.29577951308232) * g", aliases=("degrees",),
        ref="np.rad2deg(x)", doc="Radians to degrees, 180 / pi * x.",
        usage="nd.rad2deg([nd.pi, nd.pi / 2]) -> array([180.,  90.], dtype=float64)",
    ),
    unary(
        "replace_nonfinite", "x != x ? nan : x == highest<C>() ? posinf : x == lowest<C>() ? neginf : x",
        "x - x == C(0) ? g : C(0)", params=(("nan", 0.0), ("posinf", 0.0), ("neginf", 0.0)),
        ref="np.nan_to_num(x, nan=nan, posinf=posinf, neginf=neginf)",
        doc="x with a number in place of NaN, of inf and of -inf.",
        usage="nd.replace_nonfinite([1.0, nd.nan, nd.inf], posinf=9.0) -> array([1., 0., 9.], dtype=float64)",
    ),
    binary(
        "heaviside", "x1 == C(0) ? x2 : x1 != x1 ? x1 : C(x1 > C(0))", ("", "x1 == C(0) ? g : C(0)"), types=FLOAT,
        ref="np.heaviside(x1, x2)", doc="0 where x1 is negative, x2 where it is 0, 1 where it is positive.",
        usage="nd.heaviside([-1.0, 0.0, 2.0], 0.5) -> array([0. , 0.5, 1. ], dtype=float64)",
    ),
    Op(
        "lerp", "map", ("x1", "x2", "t"), FLOAT, "interpolated(x1, x2, t)",
        vjp=("g * (C(1) - t)", "g * t", "g * (x2 - x1)"), domain=((1.0, 2.0), (2.0, 4.0), (0.0, 0.4)),
        ref="x1 + (x2 - x1) * t", doc="The point t of the way from x1 to x2; an end itself at t = 0 and t = 1.",
        usage="nd.lerp([0.0, 10.0], [10.0, 20.0], 0.25) -> array([ 2.5, 12.5], dtype=float64)",
    ),
    compare(
        "isclose",
        "((absolute(x1 - x2) <= atol + rtol * absolute(x2)) & (x2 - x2 == C(0))) | (x1 == x2)"
        " | ((equal_nan != C(0)) & (x1 != x1) & (x2 != x2))",
        types=FLOAT, params=(("rtol", 1e-5), ("atol", 1e-8), ("equal_nan", False)), is_wrapped=True,
        ref="np.isclose(x1, x2, rtol=rtol, atol=atol, equal_nan=equal_nan)",
        doc="Whether |x1 - x2| <= atol + rtol * |x2|; infinities are close to themselves, NaN only if equal_nan.",
    ),
    predicate(
        "isposinf", "x == highest<C>()", types=FLOAT, ref="np.isposinf(x)", doc="Whether x is inf.",
        usage="nd.isposinf([nd.inf, -nd.inf]) -> array([ True, False], dtype=bool)",
    ),
    predicate(
        "isneginf", "x == lowest<C>()", types=FLOAT, ref="np.isneginf(x)", doc="Whether x is -inf.",
        usage="nd.isneginf([nd.inf, -nd.inf]) -> array([False,  True], dtype=bool)",
    ),
    reduce(
        "mean_of_squares", "C(0)", "acc + x * x", "l + r", "C(2) * g * x / n", types=FLOAT, accumulate="wide",
        finish="acc / n", ulp=32.0, ref="np.mean(x * x, axis=axis, keepdims=keepdims)",
        doc="Mean of x**2; NaN of no elements.",
        usage="nd.mean_of_squares([3.0, 4.0]) -> array(12.5, dtype=float64)",
    ),
    reduce(
        "nansum", "C(0)", "acc + (x == x ? x : C(0))", "l + r", "x == x ? g : C(0)", types=ANY_TYPE,
        accumulate="wide", result="total", domain=(-1.0, 4.0), ulp=32.0, same_as=dict.fromkeys(WHOLE_KINDS, "sum"),
        ref="np.nansum(x, axis=axis, keepdims=keepdims)",
        doc="Sum of the elements that are not NaN; integers and bool widen to 64 bits.",
        usage="nd.nansum([1.0, nd.nan, 2.0]) -> array(3., dtype=float64)",
    ),
    reduce(
        "nanprod", "C(1)", "acc * (x == x ? x : C(1))", "l * r",
        "x == C(0) ? g * rest : x == x ? g * y / x : C(0)", types=ANY_TYPE, accumulate="wide", result="total",
        domain=(0.5, 1.5), ulp=64.0, same_as=dict.fromkeys(WHOLE_KINDS, "prod"),
        ref="np.nanprod(x, axis=axis, keepdims=keepdims)",
        doc="Product of the elements that are not NaN; integers and bool widen to 64 bits.",
        usage="nd.nanprod([2.0, nd.nan, 3.0]) -> array(6., dtype=float64)",
    ),
    reduce(
        "nanmax", "before_all<C>()", "larger_number(acc, x)", "larger_number(l, r)", "x == y ? g / ties : C(0)",
        identity=False, same_as=dict.fromkeys(WHOLE_KINDS, "max"),
        is_composed=True, ref="np.nanmax(x, axis=axis, keepdims=keepdims)",
        doc="Maximum of the elements that are not NaN, NaN if all are; equal elements share the gradient.",
        usage="nd.nanmax([1.0, nd.nan, 2.0]) -> array(2., dtype=float64)",
    ),
    reduce(
        "nanmin", "after_all<C>()", "smaller_number(acc, x)", "smaller_number(l, r)", "x == y ? g / ties : C(0)",
        identity=False, same_as=dict.fromkeys(WHOLE_KINDS, "min"),
        is_composed=True, ref="np.nanmin(x, axis=axis, keepdims=keepdims)",
        doc="Minimum of the elements that are not NaN, NaN if all are; equal elements share the gradient.",
        usage="nd.nanmin([1.0, nd.nan, 2.0]) -> array(1., dtype=float64)",
    ),
)

# Why a custom row has no CUDA kernels.
COUNTED = "counts are differences of positions in sorted lines, which have kernels"
COMPOSED = "it is made of matmul or sum over moved axes, which have kernels"
FACTORIZED = "factorizations of matrices are those of a library, through CuPy"
OF_SORTED = "it is made of sorted lines, which have kernels"
PAIRED = "it is made of matmul and softmax, which have kernels"
STEPWISE = "its steps are made of matmul and elementwise operations, which have kernels"

WINDOWS = "np.lib.stride_tricks.sliding_window_view"

IRREGULAR = (
    custom(
        "matmul", "x1 x2", types=ANY_TYPE, kernels="matmul",
        operator="matmul", ref="np.matmul(x1, x2)", doc="Matrix product of the last two axes.",
    ),
    custom(
        "conv2d", "x w", types=FLOAT, kernels="conv2d",
        ref=f"np.einsum('bchwij,fcij->bfhw', {WINDOWS}(x, w.shape[2:], (2, 3)), w)",
        doc="Cross-correlation of images (batch, channels, height, width) with w (filters, channels, height, width).",
    ),
    custom(
        "max_pool2d", "x", types=FLOAT, params=(("kernel", (2, 2)),), kernels="pool2d",
        ref=f"{WINDOWS}(x, kernel, (2, 3))[:, :, ::kernel[0], ::kernel[1]].max((4, 5))",
        doc="Maximum of each window of images (batch, channels, height, width).",
    ),
    custom(
        "avg_pool2d", "x", types=FLOAT, params=(("kernel", (2, 2)),), kernels="pool2d",
        ref=f"{WINDOWS}(x, kernel, (2, 3))[:, :, ::kernel[0], ::kernel[1]].mean((4, 5))",
        doc="Mean of each window of images (batch, channels, height, width).",
    ),
    custom(
        "lstm", "x w rw", types=FLOAT, cuda=STEPWISE, domain=(-1.0, 1.0), ulp=4096.0,
        examples=(
            "numbers(2, 5, 3), numbers(3, 16), numbers(4, 16)", "numbers(3, 4, 2), numbers(2, 68), numbers(17, 68)",
        ),
        ref="(h := (c := np.zeros((len(x), len(rw)))), np.stack([h := ((a := np.split(z + h @ rw, 4, 1)), "
        "(s := lambda x: 1 / (1 + np.exp(-x))), (c := s(a[1]) * c + s(a[0]) * np.tanh(a[2])), "
        "s(a[3]) * np.tanh(c))[-1] for z in np.moveaxis(x @ w, 1, 0)], 1))[1]",
        doc="Long short-term memory over sequences (batch, length, size).",
    ),
    custom(
        "gru", "x w rw", types=FLOAT, cuda=STEPWISE, domain=(-1.0, 1.0), ulp=4096.0,
        examples=(
            "numbers(2, 5, 3), numbers(3, 12), numbers(4, 12)", "numbers(3, 4, 2), numbers(2, 51), numbers(17, 51)",
        ),
        ref="(h := np.zeros((len(x), len(rw))), np.stack([h := ((a := np.split(z, 3, 1)), "
        "(b := np.split(h @ rw, 3, 1)), (s := lambda x: 1 / (1 + np.exp(-x))), (u := s(a[1] + b[1])), "
        "u * h + (1 - u) * np.tanh(a[2] + s(a[0] + b[0]) * b[2]))[-1] for z in np.moveaxis(x @ w, 1, 0)], 1))[1]",
        doc="Gated recurrent units over sequences (batch, length, size).",
    ),
    custom(
        "simple_rnn", "x w rw", types=FLOAT, params=(("activation", "tanh"),), cuda=STEPWISE, domain=(-1.0, 1.0),
        ulp=4096.0, examples=("numbers(2, 5, 3), numbers(3, 4), numbers(4, 4)",),
        ref="(h := np.zeros((len(x), len(rw))), "
        "np.stack([h := np.tanh(z + h @ rw) for z in np.moveaxis(x @ w, 1, 0)], 1))[1]",
        doc="Simple recurrence over sequences (batch, length, size).",
    ),
    custom(
        "dot_product_attention", "q k v", types=FLOAT, params=(("causal", False),), cuda=PAIRED, ulp=4096.0,
        domain=(-1.0, 1.0), examples=("numbers(2, 3, 5, 4), numbers(2, 3, 7, 4), numbers(2, 3, 7, 6)",),
        ref="(s := np.exp(q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]))) / s.sum(-1, keepdims=True) @ v",
        doc="Mean of the values v for each query q, weighted by how well its key k fits the query.",
    ),
    custom(
        "take", "x indices", types=ANY_TYPE, params=(("axis", None),), kernels="gather",
        examples=("numbers(3, 4), np.asarray([3, 1, -2]), axis=1", "numbers(5), np.asarray([[4, 0], [1, 1]]), axis=0"),
        ref="np.take(x, indices, axis=axis)", doc="The slices of x along an axis at the integer `indices`.",
    ),
    custom(
        "take_along_axis", "x indices", types=ANY_TYPE, params=(("axis", -1),), kernels="gather",
        examples=("numbers(3, 4), np.asarray([[3, 1], [2, 0], [0, 1]]), axis=1",),
        ref="np.take_along_axis(x, indices, axis=axis)",
        doc="From each line of x along an axis, the elements at the indices in the same line of `indices`.",
    ),
    custom(
        "index_add", "x indices values", types=NUMERIC, params=(("axis", 0),), kernels="add_at",
        ref="x + np.moveaxis(np.tensordot(np.eye(x.shape[axis])[indices], values, ((0,), (axis,))), 0, axis)",
        doc="x with `values` added to the slices along an axis at `indices`; repeated indices add up.",
    ),
    custom(
        "nonzero", "x", types=ANY_TYPE, result="index", kernels="mask", ref="np.nonzero(x)",
        examples=("numbers(3, 4)", "numbers(9) * np.asarray([0, 1, 0] * 3, bool)"),
        doc="The indices of the elements that are not 0, an array for each axis.",
    ),
    custom(
        "argwhere", "x", types=ANY_TYPE, result="index", kernels="mask", ref="np.argwhere(x)",
        examples=("numbers(3, 4)",), doc="The indices of the elements that are not 0, a row for each.",
    ),
    custom(
        "flatnonzero", "x", types=ANY_TYPE, result="index", kernels="mask", ref="np.flatnonzero(x)",
        examples=("numbers(3, 4)",),
        doc="The positions in C order of the elements that are not 0.",
    ),
    custom(
        "bincount", "x", cuda=COUNTED, types=INTEGER, ref="np.bincount(x)",
        doc="How often each of the numbers 0, 1, ... occurs in x, or the sum of its weights.",
    ),
    custom(
        "histogram", "x", cuda=COUNTED, types=INTEGER + FLOAT, params=(("bins", 10),), ref="np.histogram(x, bins)",
        doc="How many elements lie in each bin, and the edges of the bins.",
    ),
    custom(
        "vecdot", "x1 x2", cuda=COMPOSED, types=ANY_TYPE, params=(("axis", -1),), ref="np.vecdot(x1, x2, axis=axis)",
        doc="Sum of conj(x1) * x2 along an axis.",
    ),
    custom(
        "tensordot", "x1 x2", cuda=COMPOSED, types=ANY_TYPE, params=(("axes", 2),),
        ref="np.tensordot(x1, x2, axes=axes)",
        doc="Sum of products over several axes of two arrays.",
    ),
    custom(
        "einsum", "x1 x2", cuda=COMPOSED, types=ANY_TYPE, params=(("subscripts", "ij,jk->ik"),),
        ref="np.einsum(subscripts, x1, x2)",
        doc="Sum of products of any number of operands in Einstein's notation.",
    ),
    custom(
        "cholesky", "x", cuda=FACTORIZED, types=FLOATING, ref="np.linalg.cholesky(x)",
        doc="linalg: lower triangular L with x = L @ conj(L.mT), of symmetric or Hermitian positive definite matrices.",
    ),
    custom(
        "det", "x", cuda=FACTORIZED, types=FLOATING, ref="np.linalg.det(x)",
        doc="linalg: determinants of square matrices.",
    ),
    custom(
        "slogdet", "x", cuda=FACTORIZED, types=FLOATING, ref="np.linalg.slogdet(x)",
        doc="linalg: sign and logarithm of the absolute value of determinants.",
    ),
    custom(
        "inv", "x", cuda=FACTORIZED, types=FLOATING, ref="np.linalg.inv(x)", doc="linalg: inverses of square matrices.",
    ),
    custom(
        "solve", "x1 x2", cuda=FACTORIZED, types=FLOATING, ref="np.linalg.solve(x1, x2)",
        doc="linalg: x with x1 @ x = x2, for one right side (n,) or several (..., n, k).",
    ),
    custom(
        "lstsq", "a b", cuda=FACTORIZED, types=FLOATING, ref="np.linalg.lstsq(a, b)",
        doc="linalg: the shortest x that minimizes the Euclidean norm of b - a @ x.",
    ),
    custom(
        "pinv", "x", cuda=FACTORIZED, types=FLOATING, ref="np.linalg.pinv(x)",
        doc="linalg: pseudoinverses, by singular values.",
    ),
    custom(
        "matrix_rank", "x", cuda=FACTORIZED, types=FLOATING, result="index", ref="np.linalg.matrix_rank(x)",
        doc="linalg: how many singular values are not small beside the largest one.",
    ),
    custom(
        "qr", "x", cuda=FACTORIZED, types=FLOATING, ref="np.linalg.qr(x)",
        doc="linalg: x = Q @ R, Q with orthonormal columns, R upper triangular.",
    ),
    custom(
        "svd", "x", cuda=FACTORIZED, types=FLOATING, ref="np.linalg.svd(x)",
        doc="linalg: x = (U * S) @ Vh, the singular value decomposition.",
    ),
    custom(
        "svdvals", "x", cuda=FACTORIZED, types=FLOATING, result="real", ref="np.linalg.svdvals(x)",
        doc="linalg: singular values.",
    ),
    custom(
        "eigh", "x", cuda=FACTORIZED, types=FLOATING, ref="np.linalg.eigh(x)",
        doc="linalg: eigenvalues and eigenvectors of symmetric or Hermitian matrices.",
    ),
    custom(
        "eigvalsh", "x", cuda=FACTORIZED, types=FLOATING, result="real", ref="np.linalg.eigvalsh(x)",
        doc="linalg: eigenvalues of symmetric or Hermitian matrices.",
    ),
    custom(
        "eig", "x", cuda=FACTORIZED, types=FLOATING, ref="np.linalg.eig(x)",
        doc="linalg: eigenvalues and eigenvectors of square matrices, complex; without a gradient.",
    ),
    custom(
        "eigvals", "x", cuda=FACTORIZED, types=FLOATING, ref="np.linalg.eigvals(x)",
        doc="linalg: eigenvalues of square matrices, complex; without a gradient.",
    ),
    custom(
        "sort", "x", types=ORDERED, params=(("axis", -1),), domain=(-99.0, 99.0),
        kernels=Kernels("sort.cu", "SortArguments", ("sort_runs", "sort_merge")),
        examples=("numbers(3, 4), axis=0", "numbers(2, 100)"), ref="np.sort(x, axis=axis, kind='stable')",
        doc="The elements of each line in ascending or descending order, NaN last; stable.",
    ),
    custom(
        "argsort", "x", types=ORDERED, params=(("axis", -1),), result="index", domain=(-99.0, 99.0), kernels="sort",
        examples=("numbers(3, 4), axis=0", "numbers(2, 100)"),
        ref="np.argsort(x, axis=axis, kind='stable')", doc="The indices that sort each line.",
    ),
    custom(
        "topk", "x", types=ORDERED, params=(("k", None), ("axis", -1)), kernels="sort",
        examples=("numbers(3, 4), 2", "numbers(9, 2), 3, axis=0"),
        ref="np.flip(np.sort(x, axis=axis), axis).take(range(k), axis)",
        doc="The k largest or smallest elements of each line, and their indices.",
    ),
    custom(
        "searchsorted", "x1 x2", types=ORDERED, params=(("side", "left"),), result="index",
        kernels=Kernels("sort.cu", "SearchArguments", ("search",)),
        examples=("np.sort(numbers(9)), numbers(3, 4)", "np.sort(numbers(40)), numbers(7), side='right'"),
        ref="np.searchsorted(x1, x2, side=side)", doc="The indices where x2 is inserted into the sorted x1.",
    ),
    custom(
        "unique_values", "x", cuda=OF_SORTED, types=ANY_TYPE, ref="np.unique_values(x)",
        doc="The unique elements; also with their first indices, their counts and the inverse indices.",
    ),
)

OPS = (
    *ARITHMETIC, *PARTS, *ROUNDING, *EXPONENTIAL, *TRIGONOMETRIC, *LOGIC,
    *ACTIVATIONS, *LOSSES, *UPDATERS, *REDUCTIONS, *SCANS, *EXTRAS, *IRREGULAR,
)
# fmt: on


# What the gradient of a reduction may read besides, for every result: how many elements equal it, how many do so in
# absolute value, and the product of the others where just one is 0 (0 where several are).
ASIDE = ("ties", "peaks", "rest")


def vjp_arguments(op: Op, i: int) -> tuple[str, ...]:
    """What the gradient for operand `i` reads of g, the operands, y and ASIDE, in call order; () if there is none."""
    expr = op.vjp[i] if i < len(op.vjp) and op.family != "scan" else ""
    if not expr:
        return ()
    named = words(expr)
    return tuple([name for name in ("g", *op.args, "y", *ASIDE) if name in named])


@functools.cache
def words(expr: str) -> frozenset[str]:
    """The names in an expression."""
    return frozenset(re.findall(r"\b[A-Za-z_]\w*", expr))


def vjp_name(op: Op, i: int) -> str:
    """The row that computes the gradient for operand `i`; "" where there is none and where g passes unchanged."""
    return "" if not vjp_arguments(op, i) or op.vjp[i] == "g" else f"{op.name}_vjp_{op.args[i]}"


def vjp_rows(op: Op) -> Iterator[Op]:
    """The backward pass of `op`: one map row per operand whose gradient is not g itself."""
    params = (("n", None),) if op.family == "reduce" else op.params
    types = tuple(name for name in op.types if name in FLOAT)
    for i, arg in enumerate(op.args):
        if name := vjp_name(op, i):
            doc = f"Gradient of {op.name} for {arg}."
            yield Op(name, "map", vjp_arguments(op, i), types, op.vjp[i], params=params, doc=doc)


# Rows with loops first, so that an irregular row can be added without compiling them again.
LOOPS = tuple(op for op in OPS if op.family != "custom")
LOOPS += tuple(row for op in LOOPS if op.family != "scan" for row in vjp_rows(op))
ALL = LOOPS + IRREGULAR
BY_NAME = {op.name: op for op in ALL}
