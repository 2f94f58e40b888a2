"""Gradients of rows: maps and reductions.

Design: the gradient of a row is a row, compiled from the same column of the table.  Where it is to have a gradient
itself, the column is read as a formula instead, whose derivatives are formulas (`formula_nodes`).
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, NamedTuple

from ..._core.array.array import NDArray
from ..._core.layout.layouts import inverse_of
from ..._core.lazy_modules import LazyModule
from ..._spec.dtypes import BY_NAME
from ..._spec.ops import ALL, vjp_arguments, vjp_name
from ..dispatch.dispatch import call
from ..dispatch.row_table import row_number
from ..reductions import kept_shape, reduce
from .nodes import is_array, own_node, with_node, without_node
from .tape import Node, arrays_in, conjugate, is_floating, sum_to_shape

if TYPE_CHECKING:
    from ..._spec import formulas
    from .. import scans
    from . import complex_gradients, formula_nodes
else:
    formulas = LazyModule("nd4py._spec.formulas", globals())
    scans = LazyModule("nd4py._exec.scans", globals())
    formula_nodes = LazyModule("nd4py._exec.autodiff.formula_nodes", globals())
    complex_gradients = LazyModule("nd4py._exec.autodiff.complex_gradients", globals())

COUNT, MOST, PRODUCTS = row_number("count_nonzero"), row_number("max"), row_number("cumulative_prod")
EQUAL, ABS, WHERE = row_number("equal"), row_number("abs"), row_number("where")


def record_row(op, operands, params, outputs):
    """Track the result of a map row."""
    row = ALL[op]
    if isinstance(row.expr, dict):
        reason = "rows with multiple results have no gradient" if len(outputs) > 1 else "updaters have no gradient"
        raise NotImplementedError(f"{row.name}: {reason}; pass nd4py.stop_gradient(x)")
    result_kind = outputs[0].dtype.kind
    if result_kind not in "fc":
        return outputs[0]
    if result_kind == "c" or row.result == "real" and operands[0].dtype.kind == "c":
        return complex_gradients.record_complex_row(op, operands, params, outputs[0])
    parents = [own_node(x) for x in operands]
    rules, reads = row_rules(op, tuple([parent is not None for parent in parents]))
    given = (*operands, outputs[0])
    values = {name: without_node(x) if is_array(x := given[place]) else x for name, place in reads}
    kinds = [(x.shape, x.dtype) if rule else None for x, rule in zip(operands, rules, strict=True)]

    def pull(g):
        known = {**values, "g": g}
        return [rule and pull_row(rule, known, params, kind) for rule, kind in zip(rules, kinds, strict=True)]

    def again(g, node):
        known = {**tracked(values, dict(zip(row.args, parents, strict=True)), node), "g": g}
        return [
            rule and formula_gradient(op, i, rule, known, dict(zip(param_names(row), params, strict=True)), kind)
            for i, (rule, kind) in enumerate(zip(rules, kinds, strict=True))
        ]

    return with_node(outputs[0], Node(parents, pull, [x for x in values.values() if is_array(x)], again))


def param_names(row):
    """The names of a row's parameters."""
    return [name for name, _ in row.params]


def tracked(values, parents, node):
    """The arrays that a gradient reads, on the tape as they were: operands, and the result `y` of `node`."""
    nodes = {**parents, "y": node}
    return {
        name: with_node(x, nodes[name]) if is_array(x) and nodes.get(name) is not None else x
        for name, x in values.items()
    }


def formula_gradient(op, i, rule, values, params, kind):
    """The gradient of operand `i` on the tape, of the operand's own shape and dtype."""
    shape, dtype = kind
    g = values["g"]
    if rule.row is not None:
        tree = formulas.replaced(formulas.read(ALL[op].vjp[i]), {name: float(x) for name, x in params.items()})
        g = formula_nodes.applied(tree, {name: values[name] for name in rule.names})
    return sum_to_shape(g, shape).astype(dtype, copy=False)


class GradientRule(NamedTuple):
    """The gradient of one operand: a row (None where g passes unchanged) and what the row reads."""

    row: int | None
    names: tuple


@functools.cache
def gradient_rule(op, i):
    """The rule for operand `i` of row `op`, or None where no gradient flows."""
    names, row = vjp_arguments(ALL[op], i), vjp_name(ALL[op], i)
    return GradientRule(row_number(row) if row else None, names) if names else None


@functools.cache
def row_rules(op, are_tracked):
    """The rule for each operand of row `op` that is tracked; and what they read besides g, nothing else is kept alive:
    names, with the place among operands, and the result behind them."""
    rules = tuple(gradient_rule(op, i) if is_tracked else None for i, is_tracked in enumerate(are_tracked))
    places = {name: place for place, name in enumerate((*ALL[op].args, "y"))}
    return rules, tuple((name, places[name]) for name in names_read(rules))


def names_read(rules):
    """What rules read besides g, in order."""
    return sorted({name for rule in rules if rule for name in rule.names if name != "g"})


def needed(rules, values, asides=()):
    """Those of `values` that the rules read besides g, without their nodes; nothing else is kept alive.  What is
    computed aside reads all of them."""
    names = sorted(values) if asides else names_read(rules)
    return {name: without_node(x) if is_array(x := values[name]) else x for name in names}


def pull_row(rule, values, params, kind):
    """The gradient of one operand, of the operand's own shape and dtype."""
    shape, dtype = kind
    g = values["g"] if rule.row is None else call(rule.row, tuple([values[name] for name in rule.names]), params, None)
    g = sum_to_shape(g, shape)
    return g if g.dtype is dtype else g.astype(dtype, copy=False)


def record_reduction(op, x, axes, y):
    """Track the result of a reduction."""
    rule = gradient_rule(op, 0)
    if rule is None or not is_floating(y):
        return y
    is_complex = x.dtype.kind == "c"
    full, kept, dtype, count = x.shape, kept_shape(x.shape, axes), x.dtype, x.size // max(y.size, 1)
    asides = [name for name in rule.names if name in ASIDES]
    values = needed([rule], {"x": x, "y": with_shape(y, kept) if "y" in rule.names or asides else y}, asides)

    def pull(g):
        if is_complex and rule.row is not None:
            return by_formula(g, None, None)
        g = with_shape(g, kept)
        if rule.row is not None:
            seen = {**values, "g": g, **{name: ASIDES[name](op, values["x"], values["y"], axes) for name in asides}}
            g = call(rule.row, tuple(seen[name] for name in rule.names), (float(count),), None)
        return [(g if g.shape == full else g.broadcast_to(full)).astype(dtype, copy=False)]

    parent, y_shape = own_node(x), y.shape

    def again(g, node):
        return by_formula(g, parent, node)

    def by_formula(g, parent, node):
        g = conjugate(with_shape(g, kept))  # for complex numbers, see `complex_gradients`
        if "rest" in asides and has_many_zeros(values["x"], axes):
            others = products_of_others(tracked(values, {"x": parent}, None)["x"], axes)
            return [conjugate(g * others).astype(dtype, copy=False)]
        if rule.row is not None:
            known = tracked(values, {"x": parent}, None)
            if "y" in values and node is not None:
                known["y"] = with_shape(with_node(values["y"].reshape(y_shape), node), kept)
            seen = {**known, "g": g, **{name: ASIDES[name](op, known["x"], known["y"], axes) for name in asides}}
            g = formula_gradient(op, 0, rule, seen, {"n": count}, (g.shape if "x" not in rule.names else full, g.dtype))
        g = conjugate(g)
        return [(g if g.shape == full else g.broadcast_to(full)).astype(dtype, copy=False)]

    return with_node(y, Node([parent], pull, arrays_in(values.values()), again))


def ties(op, x, y, axes):
    """How many elements of `x` behind each result equal it, in a dtype that holds such a number."""
    n = reduce(COUNT, call(EQUAL, (x, y), (), None), axes, None, True)
    return n.astype(BY_NAME[x.dtype.name].compute)


def peaks(op, x, y, axes):
    """The same of their absolute values."""
    return ties(op, call(ABS, (x,), (), None), y, axes)


def rest(op, x, y, axes):
    """The product of all other elements where just one is 0, 0 elsewhere."""
    is_zero: NDArray = call(EQUAL, (x, 0), (), None)
    others = reduce(op, call(WHERE, (is_zero, 1.0, x), (), None), axes, None, True)
    is_single: NDArray = call(EQUAL, (reduce(COUNT, is_zero, axes, None, True), 1), (), None)
    return call(WHERE, (is_single, others, 0.0), (), None)


def has_many_zeros(x, axes):
    """Whether several factors of a product are 0: the derivative for two of them at once is the product of the others,
    which the formula for one leaves out."""
    zeros = reduce(COUNT, call(EQUAL, (x, 0), (), None), axes, None, True)
    return zeros.size > 0 and int(reduce(MOST, zeros, tuple(range(zeros.ndim)), None, False)) > 1


def products_of_others(x, axes):
    """The product of all other elements along `axes`, of those before each and of those behind it."""
    order = [*(i for i in range(x.ndim) if i not in axes), *axes]
    moved = x.permute_dims(tuple(order))
    lines = moved.reshape((*moved.shape[: x.ndim - len(axes)], -1))
    before, behind = (
        scans.scan(PRODUCTS, each, lines.ndim - 1, None, True)[..., :-1] for each in (lines, lines[..., ::-1])
    )
    others = (before * behind[..., ::-1]).reshape(moved.shape)
    return others.permute_dims(inverse_of(order))


ASIDES = {"ties": ties, "peaks": peaks, "rest": rest}


def with_shape(x, shape):
    """`x` in another shape; deferred as before if it has that shape."""
    return x if x.shape == shape else x.reshape(shape)
