"""Expressions of the table of operations, read as nodes of ONNX.

Design: a row says what it computes in an expression that loops and kernels are made of; here the same text becomes
nodes, so that a new row can be exported on the day it is written.  Numbers alone are computed while it is read.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from .element_functions import Elements, as_number, as_truth, called, joined_bits, negated
from .function_writer import FunctionWriter

TOKEN = re.compile(r"\s*(\d+\.?\d*(?:[eE][+-]?\d+)?|[A-Za-z_]\w*(?:<C>)?|[<>=!]=|[-+*/<>&|^?:(),])")
COMPARISONS = {"<": "Less", "<=": "LessOrEqual", ">": "Greater", ">=": "GreaterOrEqual", "==": "Equal", "!=": "Equal"}
OF_NUMBERS: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne,
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv,
}  # fmt: skip
ARITHMETIC = {"+": "Add", "-": "Sub", "*": "Mul", "/": "Div"}
# From those that bind least to those that bind most.
LEVELS = (("|",), ("^",), ("&",), ("==", "!="), ("<", "<=", ">", ">="), ("+", "-"), ("*", "/"))


class Reader(NamedTuple):
    """An expression that is being read.  tokens: what is left of it, the next one last"""

    writer: FunctionWriter
    tokens: list[str]
    names: Mapping[str, Any]

    def next_is(self, *texts: str) -> bool:
        return bool(self.tokens) and self.tokens[-1] in texts

    def choice(self) -> Any:
        """`condition ? a : b`, or what is simpler."""
        condition = self.level(0)
        if not self.next_is("?"):
            return condition
        self.tokens.pop()
        first = self.choice()
        self.tokens.pop()
        second = self.choice()
        if isinstance(condition, bool | float):
            return first if condition else second
        names = (as_truth(self.writer, condition).name, *(as_number(self.writer, x).name for x in (first, second)))
        return Elements(self.writer.node("Where", *names), False)

    def level(self, i: int) -> Any:
        """Operands of the operators of one level."""
        if i == len(LEVELS):
            return self.single()
        left = self.level(i + 1)
        while self.next_is(*LEVELS[i]):
            sign = self.tokens.pop()
            left = joined(self.writer, sign, left, self.level(i + 1))
        return left

    def single(self) -> Any:
        """A number, a name, a call, or what is in parentheses."""
        token = self.tokens.pop()
        if token == "-":
            return negated(self.writer, self.single())
        if token == "(":
            inside = self.choice()
            self.tokens.pop()
            return inside
        if token[0].isdigit():
            return float(token)
        if not self.next_is("("):
            return self.names[token]
        self.tokens.pop()
        arguments = []
        while not self.next_is(")"):
            arguments.append(self.choice())
            if self.next_is(","):
                self.tokens.pop()
        self.tokens.pop()
        return applied(self.writer, token.removesuffix("<C>"), arguments)


def written_expression(writer: FunctionWriter, text: str, names: Mapping[str, Any]) -> Any:
    """What an expression computes of operands and numbers by their names.

    Raises NoCounterpart for a function without one.
    """
    return Reader(writer, TOKEN.findall(text)[::-1], names).choice()


def joined(writer: FunctionWriter, sign: str, left: Any, right: Any) -> Any:
    """The result of an operator."""
    if isinstance(left, bool | float) and isinstance(right, bool | float):
        if sign in "&|^":
            return {"&": operator.and_, "|": operator.or_, "^": operator.xor}[sign](bool(left), bool(right))
        return OF_NUMBERS[sign](left, right)
    if sign in "&|^":
        return joined_bits(writer, sign, left, right)
    if sign in COMPARISONS:
        return compared(writer, sign, left, right)
    names = [as_number(writer, x).name for x in (left, right)]
    return Elements(writer.node(ARITHMETIC[sign], *names), False)


def compared(writer: FunctionWriter, sign: str, left: Any, right: Any) -> Elements:
    """Where a comparison holds; that with 0 of what is true or false is itself."""
    if sign in ("==", "!=") and is_truth(writer, left) and right in (0, 1, False, True):
        return left if bool(right) == (sign == "==") else Elements(writer.node("Not", left.name), True)
    if sign == "!=" and is_truth(writer, left) and is_truth(writer, right):
        return Elements(writer.node("Xor", left.name, right.name), True)
    names = [as_number(writer, x).name for x in (left, right)]
    found = writer.node(COMPARISONS[sign], *names)
    return Elements(writer.node("Not", found) if sign == "!=" else found, True)


def is_truth(writer: FunctionWriter, x: Any) -> bool:
    """Whether elements are true or false."""
    return isinstance(x, Elements) and (x.is_truth or writer.dtype == bool)


def applied(writer: FunctionWriter, name: str, operands: list[Any]) -> Any:
    """The result of a function; C(x) is x as a number.  Raises NoCounterpart for one without a counterpart."""
    if name == "C":
        (x,) = operands
        return x if isinstance(x, float) or not is_truth(writer, x) else as_number(writer, x)
    return called(writer, name, operands)
