"""Formulas: the expressions of the table as trees, and their derivatives, which are trees again.

Design: a row's derivative is written once, as C++.  Loops compile it; where derivatives of derivatives are asked, it is
read here, differentiated by the rules of the rows it calls, and evaluated in operations on arrays.  A choice between
two values is differentiated side by side, so that what is not chosen, an infinite slope, say, never reaches a result.

A tree is a name (str), a number (float), or a tuple: (operator, *trees), ("?", condition, then, otherwise) or
(function, *trees).
"""

from __future__ import annotations

import functools
import re
from typing import Any, TypeAlias

from .ops import OPS

Tree: TypeAlias = Any

# Functions of kernels/math that no row stands for: their operands, and what they compute.
HELPERS = {
    "squared": ("a", "a * a"),
    "if_positive": ("a b", "a > C(0) ? b : C(0)"),
    "product_plus": ("a b c", "a * b + c"),
    "binary_cross_entropy_slope": ("labels p", "(p - labels) / (p * (C(1) - p))"),
    "mish_slope": (
        "x",
        "tanh(softplus(x)) + x * (C(1) - tanh(softplus(x)) * tanh(softplus(x))) * logistic(x)",
    ),
    "rational_tanh_slope": ("x", "rational_tanh_slope_of(absolute(x) * C(0.6666666666666666))"),
    "rational_tanh_slope_of": (
        "a",
        "C(1.1439333333333332) * (C(1) + a * (C(2) + C(5.6658) * a * a))"
        " / ((C(1) + a + a * a + C(1.41645) * a * a * a * a) * (C(1) + a + a * a + C(1.41645) * a * a * a * a))",
    ),
    # The Taylor series where the quotient would cancel.
    "sinc_slope": (
        "x",
        "absolute(x) < C(0.05) ? x * (C(-3.289868133696453) + x * x * (C(3.2469697011334144) + x * x"
        " * (C(-1.1445083665564837) + x * x * (C(0.20918137650302297) + x * x * C(-0.023460810354558236)))))"
        " : (cos(C(3.141592653589793) * x) - sinc(x)) / x",
    ),
}
# The operators by how weakly they bind; those of a level from left to right.
LEVELS = (("|",), ("&",), ("==", "!="), ("<", ">", "<=", ">="), ("+", "-"), ("*", "/"))
TOKENS = re.compile(r"\s*(\d[\d.]*(?:e[+-]?\d+)?|\w+|[<>=!]=|[-+*/<>&|?:(),])")
COMPARISONS = ("==", "!=", "<", ">", "<=", ">=", "&", "|")


@functools.cache
def row_of(function: str) -> Any:
    """The row that computes just this function; None if there is none."""
    return next((op for op in OPS if op.function == function), None)


class Reader:
    """Reads an expression, token by token."""

    def __init__(self, text: str):
        self.tokens = TOKENS.findall(text)
        self.tokens.append("")

    def take(self, token: str) -> bool:
        """Whether `token` comes next, which is then read."""
        is_next: bool = self.tokens[0] == token
        if is_next:
            self.tokens.pop(0)
        return is_next

    def choice(self) -> Tree:
        """condition ? then : otherwise, or what has no such sign."""
        first = self.joined(0)
        if not self.take("?"):
            return first
        then = self.choice()
        self.take(":")
        return ("?", first, then, self.choice())

    def joined(self, level: int) -> Tree:
        """Terms joined by operators of a level, or of one that binds more strongly."""
        if level == len(LEVELS):
            return self.term()
        tree = self.joined(level + 1)
        while self.tokens[0] in LEVELS[level]:
            operator = self.tokens.pop(0)
            tree = joined(operator, tree, self.joined(level + 1))
        return tree

    def term(self) -> Tree:
        """A number, a name, a call, what stands in parentheses, or the negative of one of them."""
        token = self.tokens.pop(0)
        if token == "-":
            return joined("*", -1.0, self.term())
        if token == "(":
            tree = self.choice()
            self.take(")")
            return tree
        if token[0].isdigit():
            return float(token)
        if not self.take("("):
            return token
        operands = [self.choice()]
        while self.take(","):
            operands.append(self.choice())
        self.take(")")
        return called(token, *operands)


@functools.cache
def read(expression: str) -> Tree:
    """The tree of an expression."""
    return Reader(expression).choice()


def joined(operator: str, a: Tree, b: Tree) -> Tree:
    """a operator b, without what numbers make needless."""
    if isinstance(a, float) and isinstance(b, float) and operator in "+-*/":
        return {"+": a + b, "-": a - b, "*": a * b, "/": a / b if b else float("nan")}[operator]
    if operator == "*" and 0.0 in (a, b) or operator == "/" and a == 0.0:
        return 0.0
    if a == 1.0 and operator == "*" or a == 0.0 and operator == "+":
        return b
    if b == 1.0 and operator in "*/" or b == 0.0 and operator in "+-":
        return a
    return (operator, a, b)


def called(function: str, *operands: Tree) -> Tree:
    """A call, with helpers written out; C(...) of a comparison is 1 where it holds."""
    if function == "C":
        is_bool = isinstance(operands[0], tuple) and operands[0][0] in COMPARISONS
        return ("?", operands[0], 1.0, 0.0) if is_bool else operands[0]
    if function not in HELPERS:
        return (function, *operands)
    names, expression = HELPERS[function]
    return replaced(read(expression), dict(zip(names.split(), operands, strict=True)))


def rebuilt(tree: tuple[Any, ...]) -> Tree:
    """A tree made again of its head and branches."""
    return joined(*tree) if tree[0] in ("+", "-", "*", "/") else tree


def replaced(tree: Tree, values: dict[str, Tree]) -> Tree:
    """`tree` with trees in place of names."""
    if isinstance(tree, str):
        return values.get(tree, tree)
    if isinstance(tree, float):
        return tree
    return rebuilt((tree[0], *(replaced(branch, values) for branch in tree[1:])))


@functools.cache
def derivative(tree: Tree, name: str) -> Tree:
    """The derivative of `tree` for the operand `name`.  Raises NotImplementedError for a function without a row."""
    if isinstance(tree, str):
        return 1.0 if tree == name else 0.0
    if isinstance(tree, float) or tree[0] in COMPARISONS:
        return 0.0
    head, *branches = tree
    if head == "?":
        condition, then, otherwise = branches
        sides = derivative(then, name), derivative(otherwise, name)
        return sides[0] if sides[0] == sides[1] else ("?", condition, *sides)
    slopes = [derivative(branch, name) for branch in branches]
    if head in ("+", "-"):
        return joined(head, *slopes)
    a, b = branches[0], branches[-1]
    if head == "*":
        return joined("+", joined("*", slopes[0], b), joined("*", a, slopes[1]))
    if head == "/":
        return joined("-", joined("/", slopes[0], b), joined("/", joined("*", tree, slopes[1]), b))
    return chained(tree, slopes)


def chained(tree: Tree, slopes: list[Tree]) -> Tree:
    """The derivative of a call, by the row that it stands for, from those of its operands."""
    head, *branches = tree
    total: Tree = 0.0
    for i, slope in enumerate(slopes):
        if slope == 0.0:
            continue
        if (row := row_of(head)) is None:
            raise NotImplementedError(f"the derivative calls {head}, which has no derivative itself")
        expression = row.vjp[i] if i < len(row.vjp) else ""
        given = {**dict(zip(row.args, branches, strict=True)), "y": tree, "g": slope}
        total = joined("+", total, replaced(read(expression), given)) if expression else total
    return total


def names_in(tree: Tree) -> set[str]:
    """The operands that a tree reads."""
    if isinstance(tree, str):
        return {tree}
    return set() if isinstance(tree, float) else set().union(*map(names_in, tree[1:]))
