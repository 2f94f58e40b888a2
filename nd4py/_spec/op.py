"""Columns of the table of operations."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias

from .dtypes import LOOP_TYPES, names

Names: TypeAlias = tuple[str, ...]
Params: TypeAlias = tuple[tuple[str, Any], ...]

FLOAT = names("real floating")
COMPLEX = names("complex floating")
FLOATING = FLOAT + COMPLEX
INTEGER = names("signed integer", "unsigned integer")
REAL = INTEGER + FLOAT
NUMERIC = REAL + COMPLEX
BOOLEAN = ("bool",)
ORDERED = BOOLEAN + REAL
ALL = LOOP_TYPES
HALVES = ("float16", "bfloat16")
WHOLE_KINDS = ("bool", "signed integer", "unsigned integer")
# Functions that take no longer than moving an element.
# fmt: off
CHEAP_FUNCTIONS = {
    "larger", "smaller", "clipped", "rectified", "if_positive", "absolute", "sign", "squared", "reciprocal", "copysign",
    "sqrt", "round_down", "round_up", "round_to_zero", "round_to_even", "highest", "lowest", "is_nan", "is_inf",
    "is_finite", "real_part", "imaginary_part", "conj", "invert", "shift_left", "shift_right",
}
# What a row may call if its halves have a loop of their own: arithmetic, and the functions of
# nd4py/cpu/elementwise/half_functions.h.  Beside any other function, converting tiles of halves costs next to nothing.
HALF_FUNCTIONS = CHEAP_FUNCTIONS | {
    "exp", "exp2", "expm1", "log", "log1p", "log2", "log10", "logistic", "tanh", "rational_tanh", "softplus",
    "sin", "cos", "tan", "erf", "erfc", "gelu", "hypot", "atan2", "power",
}
# What takes whole vectors of floats as it takes one (nd4py/cpu/elementwise/vector_functions.inc).
VECTOR_FUNCTIONS = {
    "larger", "smaller", "rectified", "if_positive", "absolute", "sqrt", "exp", "expm1", "log", "log1p", "tanh", "erf",
    "logistic",
}
# fmt: on
# Functions of a whole register at a time, and the dtypes they pay for (nd4py/cpu/elementwise/whole_register.inc).
LANE_FUNCTIONS = {"logistic": ("float32",), "gelu": ("float32",)}
WIDE_LANE_FUNCTIONS = {"exp": FLOAT}
# Functions of sixteen halves at a time (nd4py/cpu/elementwise/half_vectors.inc).
HALF_VECTOR_FUNCTIONS = {
    "exp",
    "exp2",
    "expm1",
    "logistic",
    "log",
    "log1p",
    "log2",
    "log10",
    "power",
    "gelu",
    "hypot",
    "atan2",
    "tan",
}
ANGLE_FUNCTIONS = ("sin", "cos", "tan")
QUOTIENT_FUNCTIONS = ("floor_div", "floor_mod")
POWERS = ("power(x1, x2)", "x2 == C(0) ? C(0) : g * x2 * power(x1, x2 - C(1))")
LOSS_ARGUMENTS = ("x", "labels")
# Where float32 cannot stand in for halves: these take their own bits (kernels/math/types.h).
BIT_FUNCTIONS = {"nextafter"}


KERNEL_THREADS = 256  # of a block, where kernels do not say otherwise


class Kernels(NamedTuple):
    """Kernels of an irregular operation: templates `name` over the dtype, in a file of kernels/cuda."""

    file: str
    arguments: str  # the struct that they take
    templates: Names  # their names, by which they are launched
    threads: int = KERNEL_THREADS


class Op(NamedTuple):
    """One operation.

    Expressions are C++ that g++, nvcc and NVRTC all accept.  In them `C` is the compute type, every name in `args`
    and `params` is a value of type C (one called `condition` is the byte of a bool), and literals are written `C(0.5)`.
    """

    name: str  # operation = function = test id = benchmark id
    family: str  # "map" | "reduce" | "argreduce" | "scan" | "custom"
    args: Names  # operand names, in call order
    types: Names = ()  # dtypes with a loop of their own; halves are computed in float32 wherever it has one
    # map: expression, or {output: expression} evaluated in order; reduce, scan: step(acc, x)
    expr: str | dict[str, str] = ""
    params: Params = ()  # keyword scalars, ("name", default) with default None where required
    # map, reduce: one expression per arg in args, params, y (result), g (its gradient), n and ASIDE; "" = none
    vjp: Names = ()
    # scan: two, for acc and for x
    result: str = "same"  # "same" | "bool" | "total", "real" (those columns of the dtype row) | "index"
    init: str = ""  # reduce, scan: first accumulator; as an element it changes nothing; argreduce: none
    merge: str = ""  # reduce, scan: accumulators l and r joined
    finish: str = "acc"  # reduce: result from acc and n (the number of elements, of the accumulator's type)
    accumulate: str = "same"  # reduce, scan: "same" | "wide" (the dtype row's `accumulate`)
    final: str = ""  # reduce: whether no further element changes acc
    same_as: Mapping[str, str] = {}  # map, reduce: kinds of dtypes for which it equals another row
    identity: bool = True  # reduce: an empty reduction has a value
    ref: str = ""  # NumPy expression in args, params, axis, keepdims
    domain: tuple[Any, ...] = (-4.0, 4.0)  # test inputs: (low, high), or one such pair per arg
    ulp: float = 4.0  # worst distance from `ref` in units in the last place, float32 and float64
    operator: str = ""  # Python operator method without underscores, such as "add"
    # map of two operands: {Python scalar: the row that it equals, for the dtypes of that one, where it is the second}
    when_scalar: Mapping[int, str] = {}
    # map: the row of two operands that it is for bools alone, where it has no loop for them; one operand is given twice
    when_bool: str = ""
    # of complex numbers, for which it has no loop, it is made of other rows (nd4py/api/elementwise/complex_rows.py)
    is_composed: bool = False
    neutral: float | None = None  # map of two operands: what leaves the other one as it is; NumPy's identity
    aliases: Names = ()  # NumPy's names for it, where they differ
    ufunc: str = ""  # the method of a NumPy ufunc that it stands for, such as "add.reduce"
    doc: str = ""
    usage: str = ""  # an example for the documentation: "nd.f(x) -> what Python prints for it"
    is_wrapped: bool = False  # the function users call is written by hand in `api`, around this one
    is_ordered: bool = False  # loss: x is a probability or a rate, never whole numbers beside real labels
    cuda: str = ""  # why there are no CUDA kernels; "" where there are
    # custom: its own kernels, or the row, or function of render/cuda_functors.py, whose kernels do its work
    kernels: Kernels | str = ""
    # custom: arguments of calls that tests make; `numbers(3, 4)` is an array of numbers within the domain
    examples: Names = ()

    @property
    def outputs(self) -> Names:
        """Names of the results; an output named like an arg may be written over it."""
        return tuple(self.expr) if isinstance(self.expr, dict) else ("y",)

    @property
    def dtypes(self) -> Names:
        """Every dtype the row takes: those it has a loop for, and the halves where float32 stands in for them."""
        return self.types + (HALVES if "float32" in self.types else ())

    @property
    def is_universal(self) -> bool:
        """Whether it is what NumPy calls a universal function: of one or two operands and nothing else, one result."""
        return self.family == "map" and self.args in (("x",), ("x1", "x2")) and not self.params + self.outputs[1:]

    @property
    def called(self) -> set[str]:
        """The functions its expressions call."""
        expressions = self.expr.values() if isinstance(self.expr, dict) else (self.expr,)
        return set(re.findall(r"(\w+)(?:<C>)?\(", " ".join(expressions))) - {"C"}

    @property
    def function(self) -> str:
        """The one function that a map computes of its operands, in their order; "" where there is more to it."""
        name, _, operands = str(self.expr).partition("(")
        return name if self.family == "map" and operands == f"{', '.join(self.args)})" else ""

    @property
    def loop(self) -> str:
        """Which loop a map of real floats has besides the plain one, as nd4py/cpu/elementwise names them; "" for none.

        Those that look at operands first look at the last one, or at the last two.
        """
        if self.family != "map" or not isinstance(self.expr, str):
            return ""
        for loop, functions, n_operands in (("ANGLE", ANGLE_FUNCTIONS, 1), ("QUOTIENT", QUOTIENT_FUNCTIONS, 2)):
            operands = re.findall(rf"\b(?:{'|'.join(functions)})\(([^()]*)\)", self.expr)
            if self.called & set(functions) and set(operands) == {", ".join(self.args[-n_operands:])}:
                return loop
        if self.function in LANE_FUNCTIONS:
            return "LANE"
        if self.function in WIDE_LANE_FUNCTIONS:
            return "WIDE_LANE"
        return "POWER" if self.expr in POWERS else ""

    @property
    def is_costly(self) -> bool:
        """Whether a map's element costs more than moving it, or multiple results are seldom laid out with gaps."""
        return len(self.outputs) > 1 or not self.called <= CHEAP_FUNCTIONS

    @property
    def has_half_loop(self) -> bool:
        """Whether float16 and bfloat16 have loops of their own, on processors that convert them."""
        is_called = self.family == "map" and isinstance(self.expr, str) and "float32" in self.types
        return is_called and not self.selects and self.called <= HALF_FUNCTIONS

    @property
    def takes_vectors(self) -> bool:
        """Whether its expression is valid for vectors of floats: it names operands and functions of vectors alone."""
        is_plain = self.family == "map" and isinstance(self.expr, str) and not self.params
        return (
            is_plain
            and self.result in ("same", "real")
            and "float32" in self.types
            and len(self.args) <= 2
            and self.called <= VECTOR_FUNCTIONS
            and not re.search(r"[<>=?]|\bC\b", str(self.expr))
        )

    @property
    def takes_bits(self) -> bool:
        """Whether float16 and bfloat16 are computed on their own bits, on every processor."""
        return bool(self.called & BIT_FUNCTIONS)

    @property
    def is_product(self) -> bool:
        """Whether elements are multiplied, in parts, of which one may overflow while another is 0."""
        return self.family == "reduce" and self.merge == "l * r"

    @property
    def selects(self) -> bool:
        """Whether the result is one of the operands as it is, so that elements can be taken as words."""
        return self.expr == "condition ? x1 : x2"


def unary(name: str, expr: str, vjp: str = "", types: Names = FLOAT, **columns: Any) -> Op:
    """A map row with one operand, `x`."""
    return Op(name, "map", ("x",), types, expr, vjp=(vjp,) if vjp else (), **columns)


def binary(name: str, expr: str, vjp: Names = (), types: Names = NUMERIC, **columns: Any) -> Op:
    """A map row with the operands `x1` and `x2`."""
    return Op(name, "map", ("x1", "x2"), types, expr, vjp=vjp, **columns)


def compare(name: str, expr: str, types: Names = ORDERED, **columns: Any) -> Op:
    """A map row with two operands and a bool result."""
    return Op(name, "map", ("x1", "x2"), types, expr, result="bool", **columns)


def predicate(name: str, expr: str, types: Names = ALL, **columns: Any) -> Op:
    """A map row with one operand and a bool result."""
    return Op(name, "map", ("x",), types, expr, result="bool", **columns)


def loss(name: str, expr: str, vjp: str, vjp_of_labels: str, **columns: Any) -> Op:
    """A map row over `x` (the output activations) and `labels`: the score of one element."""
    return Op(name, "map", LOSS_ARGUMENTS, FLOAT, expr, vjp=(vjp, vjp_of_labels), **columns)


def step(name: str, args: str, params: Params, outputs: dict[str, str], **columns: Any) -> Op:
    """An updater: `outputs` are evaluated in order, and later ones see the new values."""
    return Op(name, "map", tuple(args.split()), FLOAT, outputs, params=params, **columns)


def reduce(name: str, init: str, expr: str, merge: str, vjp: str = "", types: Names = REAL, **columns: Any) -> Op:
    """A reduction of `x` along axes."""
    return Op(name, "reduce", ("x",), types, expr, vjp=(vjp,) if vjp else (), init=init, merge=merge, **columns)


def argreduce(name: str, better: str, types: Names = REAL, **columns: Any) -> Op:
    """The index of the element for which `better(x, best)` held last; the first one wins ties, NaN wins over all."""
    return Op(name, "argreduce", ("x",), types, better, result="index", **columns)


def scan(name: str, init: str, expr: str, vjp: Names, merge: str = "", types: Names = REAL, **columns: Any) -> Op:
    """Running results along an axis: y[i] is the step from acc = y[i - 1] and x[i], beginning with `init`.

    init: the step from it gives x itself.
    vjp: what acc and x receive of g, the gradient of one step's result y.
    merge: accumulators l and r joined.  Left out where joining is no substitute for stepping (a product of many
    elements may overflow though 0 stands before them) or costs as much: such lines run from end to end on one thread.
    """
    return Op(name, "scan", ("x",), types, expr, vjp=vjp, init=init, merge=merge, **columns)


def custom(name: str, args: str, **columns: Any) -> Op:
    """An irregular operation: the row names and documents it, `api` has its function and `_exec` its gradient."""
    return Op(name, "custom", tuple(args.split()), **columns)
