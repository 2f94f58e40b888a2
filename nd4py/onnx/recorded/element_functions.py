"""Functions of elements that expressions call, as nodes of ONNX.

Design: the methods of one class have the names that expressions use; a name that ONNX has for an operator of its own,
with a capital letter, needs no method.  A table of names would be a second list of operations.
"""

from __future__ import annotations

from collections.abc import Callable
from math import e, inf, isfinite, log, log2, log10, pi
from typing import Any, NamedTuple

import numpy
from onnx import defs

from .function_writer import OPSET, FunctionWriter, NoCounterpart


class Elements(NamedTuple):
    """A value of the graph.  is_truth: whether it is true or false, whatever the dtype of the operation"""

    name: str
    is_truth: bool


def as_number(writer: FunctionWriter, x: Any) -> Elements:
    """A value in the dtype of the operation."""
    if not isinstance(x, Elements):
        return Elements(writer.constant(clamped(writer.dtype, x)), False)
    return Elements(writer.cast(x.name, str(writer.dtype)), False) if x.is_truth and writer.dtype != bool else x


def clamped(dtype: Any, x: float) -> Any:
    """A number that a dtype of whole numbers holds."""
    if dtype.kind not in "iu":
        return x
    edges = numpy.iinfo(dtype)
    return int(min(max(x, edges.min), edges.max)) if isfinite(x) else edges.max if x > 0 else edges.min


def as_truth(writer: FunctionWriter, x: Any) -> Elements:
    """A value as true or false."""
    if not isinstance(x, Elements):
        return Elements(writer._held(numpy.asarray(bool(x)), "truth"), True)
    return x if x.is_truth or writer.dtype == bool else Elements(writer.cast(x.name, "bool"), True)


def joined_bits(writer: FunctionWriter, sign: str, left: Any, right: Any) -> Elements:
    """Truths, or whole numbers bit by bit, joined."""
    if writer.dtype == bool or any(
        isinstance(x, bool) or isinstance(x, Elements) and x.is_truth for x in (left, right)
    ):
        names = [as_truth(writer, x).name for x in (left, right)]
        return Elements(writer.node({"&": "And", "|": "Or", "^": "Xor"}[sign], *names), True)
    return Elements(
        writer.node({"&": "BitwiseAnd", "|": "BitwiseOr", "^": "BitwiseXor"}[sign], left.name, right.name), False
    )


def negated(writer: FunctionWriter, x: Any) -> Any:
    """-x"""
    return -x if isinstance(x, bool | float) else Elements(writer.node("Neg", as_number(writer, x).name), False)


class Nodes:
    """Nodes of numbers: each method takes names of values, or numbers, and returns the name of a value."""

    def __init__(self, writer: FunctionWriter) -> None:
        self.writer = writer

    def of(self, x: Any) -> str:
        return x if isinstance(x, str) else self.writer.constant(clamped(self.writer.dtype, x))

    def __getattr__(self, operator: str) -> Callable[..., str]:
        return lambda *operands, **attributes: self.writer.node(operator, *map(self.of, operands), **attributes)

    @property
    def is_whole(self) -> bool:
        """Whether the operation computes with whole numbers."""
        return self.writer.dtype.kind in "iub"


class ElementFunctions(Nodes):
    """A method for each function: of names, to the name of the result, or to elements that are true or false."""

    def absolute(self, x: str) -> str:
        return self.Abs(x)

    def atan2(self, y: str, x: str) -> str:
        """The angle by its tangent, in all four quarters; infinities are the largest numbers."""
        most = float(numpy.finfo(self.writer.dtype).max)
        y, x = self.Clip(y, -most, most), self.Clip(x, -most, most)
        angle = self.Where(self.And(self.Equal(x, 0.0), self.Equal(y, 0.0)), y, self.Atan(self.Div(y, x)))
        turn = self.Where(self.is_negative(y), -pi, pi)
        return self.Where(self.is_negative(x), self.Add(angle, turn), angle)

    def binary_cross_entropy(self, labels: str, p: str) -> str:
        return self.Sub(self.Mul(self.Sub(labels, 1.0), self.log1p(self.Neg(p))), self.Mul(labels, self.Log(p)))

    def binary_cross_entropy_slope(self, labels: str, p: str) -> str:
        return self.Div(self.Sub(p, labels), self.Mul(p, self.Sub(1.0, p)))

    def cbrt(self, x: str) -> str:
        return self.Mul(self.Sign(x), self.Pow(self.Abs(x), 1 / 3))

    def clipped(self, x: str, low: str, high: str) -> str:
        return self.Min(self.Max(x, low), high)

    def conj(self, x: str) -> str:
        return x

    def copysign(self, x: str, y: str) -> str:
        return self.Where(self.is_negative(y), self.Neg(self.Abs(x)), self.Abs(x))

    def cube(self, x: str) -> str:
        return self.Mul(self.Mul(x, x), x)

    def erfc(self, x: str) -> str:
        return self.Sub(1.0, self.Erf(x))

    def exp2(self, x: str) -> str:
        return self.Pow(2.0, x)

    def expm1(self, x: str) -> str:
        """tanh(x / 2) * (exp(x) + 1), which loses nothing near 0."""
        return self.Mul(self.Tanh(self.Mul(x, 0.5)), self.Add(self.Exp(x), 1.0))

    def floor_div(self, x: str, y: str) -> str:
        """The quotient of whole numbers is cut off towards zero by `Div`."""
        if not self.is_whole:
            is_plain = self.Or(self.Equal(y, 0.0), self.Or(self.IsInf(x), self.IsInf(y)))
            return self.Where(is_plain, self.Div(x, y), self.Round(self.Div(self.Sub(x, self.floor_mod(x, y)), y)))
        quotient = self.Div(x, y)
        if self.writer.dtype.kind == "u":
            return quotient
        is_cut = self.And(self.Not(self.Equal(self.Mul(quotient, y), x)), self.Xor(self.Less(x, 0), self.Less(y, 0)))
        return self.Where(is_cut, self.Sub(quotient, 1), quotient)

    def floor_mod(self, x: str, y: str) -> str:
        """Of floats by the truncated remainder, which `Mod` has for them."""
        if self.is_whole:
            return self.Mod(x, y)
        rest = self.Mod(x, y, fmod=1)
        is_apart = self.And(self.Not(self.Equal(rest, 0.0)), self.Xor(self.Less(rest, 0.0), self.Less(y, 0.0)))
        return self.Where(is_apart, self.Add(rest, y), rest)

    def gelu(self, x: str) -> str:
        return self.Mul(self.Mul(x, 0.5), self.Add(self.Erf(self.Mul(x, 0.5**0.5)), 1.0))

    def highest(self) -> float:
        return inf

    def hypot(self, x: str, y: str) -> str:
        """By the larger one, so that squares do not overflow."""
        one, other = self.Abs(x), self.Abs(y)
        most = self.Max(one, other)
        ratio = self.Div(self.Min(one, other), most)
        is_plain = self.Or(self.Equal(most, 0.0), self.IsInf(most))
        return self.Where(is_plain, most, self.Mul(most, self.Sqrt(self.Add(self.Mul(ratio, ratio), 1.0))))

    def if_positive(self, x: str, g: str) -> str:
        return self.Where(self.Greater(x, 0.0), g, 0.0)

    def imaginary_part(self, x: str) -> str:
        return self.Sub(x, x)

    def interpolated(self, x1: str, x2: str, t: str) -> str:
        """From the nearer end."""
        distance = self.Sub(x2, x1)
        first = self.Add(x1, self.Mul(distance, t))
        return self.Where(self.Less(t, 0.5), first, self.Sub(x2, self.Mul(distance, self.Sub(1.0, t))))

    def invert(self, x: str) -> str:
        return self.Not(x) if self.writer.dtype == bool else self.BitwiseNot(x)

    def is_finite(self, x: str) -> Elements:
        y = self.Equal(x, x) if self.is_whole else self.Not(self.Or(self.IsNaN(x), self.IsInf(x)))
        return Elements(y, True)

    def is_inf(self, x: str) -> Elements:
        return Elements(self.Not(self.Equal(x, x)) if self.is_whole else self.IsInf(x), True)

    def is_nan(self, x: str) -> Elements:
        return Elements(self.Not(self.Equal(x, x)) if self.is_whole else self.IsNaN(x), True)

    def is_negative(self, x: str) -> str:
        """Whether the sign is -, that of -0 too."""
        return self.Or(self.Less(x, 0.0), self.And(self.Equal(x, 0.0), self.Less(self.Reciprocal(x), 0.0)))

    def larger(self, x: str, y: str) -> str:
        return self.Max(x, y)

    def log10(self, x: str) -> str:
        return self.Mul(self.Log(x), log10(e))

    def log1p(self, x: str) -> str:
        """log(u) * x / (u - 1) with u = 1 + x, which loses nothing near 0."""
        near = self.Clip(x, -1.0, 1e6)
        u = self.Add(near, 1.0)
        is_zero = self.Equal(u, 1.0)
        lost = self.Div(near, self.Where(is_zero, 1.0, self.Sub(u, 1.0)))
        return self.Where(is_zero, x, self.Mul(self.Log(self.Add(x, 1.0)), lost))

    def log2(self, x: str) -> str:
        return self.Mul(self.Log(x), log2(e))

    def log_add(self, x: str, y: str, base: float) -> str:
        apart = self.Neg(self.Abs(self.Sub(x, y)))
        power = self.Exp(apart) if base == e else self.Pow(2.0, apart)
        more = self.Mul(self.log1p(power), 1 / log(base))
        return self.Where(self.Equal(x, y), self.Add(x, log(2) / log(base)), self.Add(self.Max(x, y), more))

    def log_add_exp(self, x: str, y: str) -> str:
        return self.log_add(x, y, e)

    def log_add_exp2(self, x: str, y: str) -> str:
        return self.log_add(x, y, 2.0)

    def logistic(self, x: str) -> str:
        return self.Sigmoid(x)

    def logit(self, x: str) -> str:
        distance = self.Sub(self.Add(x, x), 1.0)
        centre = self.Sub(self.log1p(distance), self.log1p(self.Neg(distance)))
        return self.Where(self.Less(self.Abs(distance), 0.5), centre, self.Log(self.Div(x, self.Sub(1.0, x))))

    def lowest(self) -> float:
        return -inf

    def mish(self, x: str) -> str:
        return self.Mul(x, self.mish_gate(x))

    def mish_gate(self, x: str) -> str:
        return self.Tanh(self.softplus(x))

    def mish_slope(self, x: str) -> str:
        gate = self.mish_gate(x)
        inner = self.Mul(self.Mul(x, self.Sub(1.0, self.Mul(gate, gate))), self.Sigmoid(x))
        return self.Add(gate, inner)

    def of_pi(self, x: str, operator: str) -> str:
        """sin or cos of pi * x, from the distance to the nearest whole number."""
        whole = self.Round(x)
        y = getattr(self, operator)(self.Mul(self.Sub(x, whole), pi))
        half = self.Mul(whole, 0.5)
        return self.Where(self.Equal(half, self.Floor(half)), y, self.Neg(y))

    def power(self, x: str, y: str) -> str:
        return self.Pow(x, y)

    def product_plus(self, x: str, y: str, z: str) -> str:
        return self.Add(self.Mul(x, y), z)

    def rational_parts(self, x: str) -> tuple[str, str]:
        a = self.Min(self.Mul(self.Abs(x), 2 / 3), 1e6)
        square = self.Mul(a, a)
        return a, self.Add(self.Add(a, square), self.Mul(self.Mul(square, square), 1.41645))

    def rational_tanh(self, x: str) -> str:
        _, p = self.rational_parts(x)
        return self.Mul(self.Mul(self.Sign(x), 1.7159), self.Div(p, self.Add(p, 1.0)))

    def rational_tanh_slope(self, x: str) -> str:
        a, p = self.rational_parts(x)
        slope = self.Add(self.Add(self.Mul(a, 2.0), 1.0), self.Mul(self.Mul(self.Mul(a, a), a), 4 * 1.41645))
        return self.Mul(self.Div(self.Div(slope, self.Add(p, 1.0)), self.Add(p, 1.0)), 1.7159 * 2 / 3)

    def real_part(self, x: str) -> str:
        return x

    def rectified(self, x: str) -> str:
        return self.Max(x, 0.0)

    def round_down(self, x: str) -> str:
        return x if self.is_whole else self.Floor(x)

    def round_to_even(self, x: str) -> str:
        return x if self.is_whole else self.Round(x)

    def round_to_zero(self, x: str) -> str:
        return x if self.is_whole else self.Mul(self.Sign(x), self.Floor(self.Abs(x)))

    def round_up(self, x: str) -> str:
        return x if self.is_whole else self.Ceil(x)

    def shift_left(self, x: str, y: str) -> str:
        return self.shifted(x, y, "LEFT")

    def shift_right(self, x: str, y: str) -> str:
        return self.shifted(x, y, "RIGHT")

    def shifted(self, x: str, y: str, direction: str) -> str:
        """Bits moved; of numbers with signs a product or a quotient that is rounded down: runtimes do not move them."""
        if self.writer.dtype.kind == "u":
            return self.BitShift(x, y, direction=direction)
        cast, own = self.writer.cast, str(self.writer.dtype)
        one = self.writer.number(1, "uint64")
        power = cast(self.BitShift(one, cast(y, "uint64"), direction="LEFT"), "int64")
        wide = cast(x, "int64")
        if direction == "LEFT":
            return cast(self.Mul(wide, power), own)
        return cast(self.Div(self.Sub(wide, self.Mod(wide, power)), power), own)

    def sinc(self, x: str) -> str:
        return self.Where(self.Equal(x, 0.0), 1.0, self.Div(self.of_pi(x, "Sin"), self.Mul(x, pi)))

    def sinc_slope(self, x: str) -> str:
        z = self.Mul(self.Mul(x, x), pi**2)
        series = self.Sub(1.0, self.Mul(z, self.Sub(1 / 10, self.Mul(z, 1 / 280))))
        outside = self.Div(self.Sub(self.of_pi(x, "Cos"), self.sinc(x)), x)
        return self.Where(self.Less(self.Abs(x), 0.05), self.Mul(self.Mul(x, series), -(pi**2) / 3), outside)

    def smaller(self, x: str, y: str) -> str:
        return self.Min(x, y)

    def softplus(self, x: str) -> str:
        return self.Add(self.Max(x, 0.0), self.log1p(self.Exp(self.Neg(self.Abs(x)))))

    def squared(self, x: str) -> str:
        return self.Mul(x, x)

    def times_power_of_two(self, x: str, exponent: str) -> str:
        """In two steps, none of which overflows where the result does not."""
        exponent = self.round_to_zero(exponent)
        half = self.Floor(self.Mul(exponent, 0.5))
        return self.Mul(self.Mul(x, self.Pow(2.0, half)), self.Pow(2.0, self.Sub(exponent, half)))

    def truncated_mod(self, x: str, y: str) -> str:
        return self.Mod(x, y, fmod=1)


def called(writer: FunctionWriter, name: str, operands: list[Any]) -> Any:
    """What a function gives: elements, or a number where it takes no operands.  Raises NoCounterpart for one without a
    counterpart."""
    nodes, names = ElementFunctions(writer), [as_number(writer, x).name for x in operands]
    if name in vars(ElementFunctions):
        y = getattr(nodes, name)(*names)
    elif defs.has(name.capitalize(), OPSET):
        y = writer.node(name.capitalize(), *names)
    else:
        raise NoCounterpart(f"ONNX has no function {name}")
    return Elements(y, False) if isinstance(y, str) else y
