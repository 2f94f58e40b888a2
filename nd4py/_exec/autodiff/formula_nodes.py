"""Formulas of operands on the tape: derivatives that have derivatives.

Design: `applied` evaluates a tree of nd4py._spec.formulas by rows and records it as one node, whose gradients are the
derivatives of the tree, so of any order.  Operands of halves are computed in float32, as rows compute them.
"""

from __future__ import annotations

from typing import Any, cast

from ..._core.array.array import NDArray
from ..._spec.dtypes import BY_NAME, COMPLEX_OF
from ..._spec.formulas import Tree, derivative, joined, names_in, row_of
from ..device.device_operations import filled_beside, rules_for
from ..dispatch.dispatch import call
from ..dispatch.row_table import row_number
from .nodes import is_array, own_node, with_node, without_node
from .tape import Node, cast_gradient, conjugate, real_part, sum_to_shape

OPERATORS = {
    "+": "add", "-": "subtract", "*": "multiply", "/": "divide", "?": "where", "&": "logical_and", "|": "logical_or",
    "==": "equal", "!=": "not_equal", "<": "less", ">": "greater", "<=": "less_equal", ">=": "greater_equal",
}  # fmt: skip

ORDERED = ("<", ">", "<=", ">=")  # complex numbers have no order: their real parts are compared


def evaluated(tree: Tree, values: dict[str, NDArray]) -> NDArray:
    """The value of a tree, not recorded; what it holds twice is computed once."""
    known: dict[Tree, Any] = {}
    dtype = next(iter(values.values())).dtype

    def value(part: Tree) -> Any:
        if isinstance(part, float):
            return part
        if isinstance(part, str):
            return values[part]
        if part not in known:
            operands = [value(branch) for branch in part[1:]]
            if part[0] in ORDERED:
                operands = [real_part(x) if is_array(x) else x for x in operands]
            if not any(map(is_array, operands)) or part[0] == "?" and not any(map(is_array, operands[1:])):
                beside = next(iter(values.values()))
                operands[-1] = filled_beside(beside, (), dtype, operands[-1])
            name = OPERATORS.get(part[0]) or row_of(part[0]).name
            known[part] = call(row_number(name), tuple(operands), (), None)
        return known[part]

    return value(tree)


def ready(x: Any, beside: NDArray) -> NDArray:
    """An operand as an array of the type that its row computes in."""
    if isinstance(x, complex):
        compute = BY_NAME[beside.dtype.name].compute
        dtype = COMPLEX_OF.get(compute, compute)
        return filled_beside(beside, (), dtype, cast("Any", x))
    if not is_array(x):
        return filled_beside(beside, (), BY_NAME[beside.dtype.name].compute, float(x))
    return x.astype(BY_NAME[x.dtype.name].compute, copy=False)


def applied(tree: Tree, given: dict[str, Any]) -> NDArray:
    """The value of a tree of operands, on the tape where one is."""
    used = names_in(tree)
    beside = next(x for x in given.values() if is_array(x))
    values = {name: ready(x, beside) for name, x in given.items() if name in used}
    if (rules := rules_for(values.values())) is not None:
        values = dict(zip(values, rules.on_one_tape(values.values()), strict=True))
    plain = {name: without_node(x) for name, x in values.items()}
    y = evaluated(tree, plain)
    parents = {name: node for name, x in values.items() if (node := own_node(x)) is not None}
    if not parents:
        return y
    seed = "g" + "_" * (1 + max(name.count("_") for name in used))  # a name that no operand has
    slopes = [joined("*", seed, derivative(tree, name)) for name in parents]

    def pull(g: NDArray) -> list[NDArray | None]:
        return pulled(g, plain)

    def again(g: NDArray, node: Any) -> list[NDArray | None]:
        return pulled(g, {name: with_node(x, parents[name]) if name in parents else x for name, x in plain.items()})

    def pulled(g: NDArray, operands: dict[str, NDArray]) -> list[NDArray | None]:
        # For complex numbers see `complex_gradients`.
        found = [None if s == 0.0 else conjugate(applied(s, {seed: conjugate(g), **operands})) for s in slopes]
        return [
            None if piece is None else cast_gradient(sum_to_shape(piece, plain[name].shape), plain[name].dtype)
            for name, piece in zip(parents, found, strict=True)
        ]

    return with_node(y, Node(list(parents.values()), pull, list(plain.values()), again))
