"""Gradients of rows of complex numbers.

The gradient of a real value for z = a + b i is d/da + d/db i: the direction in which the value grows fastest, as in
PyTorch and TensorFlow.  So for y = f(z) with a complex derivative, what reaches z is g * conj(f'(z)); the column `vjp`
of a row is linear in g, so that this is conj(vjp(conj(g))).  Functions without a complex derivative have rules here.
Source: Kreutz-Delgado 2009, "The complex gradient operator and the CR-calculus", https://arxiv.org/abs/0906.4835.
"""

from ..._core.array.array import NDArray
from ..._spec.formulas import read, replaced
from ..._spec.ops import ALL
from ..dispatch.dispatch import call
from ..dispatch.row_table import row_number
from .formula_nodes import applied
from .nodes import is_array, own_node, with_node, without_node
from .tape import Node, arrays_in, cast_gradient, conjugate, is_floating, on_the_tape, real_part, sum_to_shape

ABS, WHERE = row_number("abs"), row_number("where")


def of_abs(g, x, y):
    """In the direction of x; 0 at 0."""
    return g * (x / call(WHERE, (y == 0, 1.0, y), (), None))


def of_sign(g, x, y):
    """What is left of g across the direction of x, over |x|; 0 at 0."""
    size: NDArray = call(ABS, (x,), (), None)
    across = g - y * real_part(conjugate(y) * g)
    return call(WHERE, (size == 0, 0.0, across / call(WHERE, (size == 0, 1.0, size), (), None)), (), None)


RULES = {
    "abs": of_abs,
    "conj": lambda g, x, y: conjugate(g),
    "imag": lambda g, x, y: g * 1j,
    "real": lambda g, x, y: g,
    "sign": of_sign,
}


def record_complex_row(op, operands, params, y):
    """Track the result of a map row with complex operands."""
    if not is_floating(y):
        return y
    row, plain = ALL[op], tuple(without_node(x) if is_array(x) else x for x in operands)
    settings = {name: float(value) for (name, _), value in zip(row.params, params, strict=True)}
    parents = [own_node(x) for x in operands]

    def slopes(g, given, result):
        values = {**dict(zip(row.args, given, strict=True)), "y": result}
        return [None if parent is None else slope(g, values, i, given[i]) for i, parent in enumerate(parents)]

    def slope(g, values, i, x):
        if row.name in RULES:
            piece = RULES[row.name](g, x, values["y"])
        elif i >= len(row.vjp) or not row.vjp[i]:
            return None
        else:
            tree = replaced(read(row.vjp[i]), settings)
            piece = conjugate(applied(tree, {**values, "g": conjugate(g)}))
        return cast_gradient(sum_to_shape(piece, x.shape), x.dtype)

    def pull(g):
        return slopes(g, plain, y)

    def again(g, node):
        return slopes(g, on_the_tape(plain, node), with_node(y, node))

    return with_node(y, Node(parents, pull, [*arrays_in(plain), y], again))
