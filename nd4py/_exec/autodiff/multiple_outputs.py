"""Gradients of functions with multiple outputs.

Design: the function has one node on the tape, and each of its results a node above it, so that the tape stays a tree
of nodes with one gradient each.  What reaches the function's node is a `Pieces`: the gradients of those results that
the value depends on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from .nodes import is_array, own_node, with_node, without_node
from .tape import Node, arrays_in, is_floating, on_the_tape, watching

Function = TypeVar("Function", bound=Callable[..., Any])


class Pieces:
    """One gradient per result, None for those that have not arrived."""

    __slots__ = ("items",)

    def __init__(self, items):
        self.items = items

    def __add__(self, other):
        pairs = zip(self.items, other.items, strict=True)
        return Pieces([b if a is None else a if b is None else a + b for a, b in pairs])


def differentiable_results(vjp: Callable[..., Any]) -> Callable[[Function], Function]:
    """Give a function from arrays to a tuple of arrays, or a named one, its gradient.

    `vjp(pieces, inputs, outputs, attributes)` gets the gradients of the results, None where one has no influence, and
    returns one gradient, or None, per positional array.  Keywords arrive as `attributes`.  It is made of operations
    with gradients, as that of `differentiable`.
    """

    return watching(vjp, recorded)


def recorded(function, vjp, inputs, attributes):
    """The results of a function of arrays, each with its node."""
    plain = tuple(without_node(x) if is_array(x) else x for x in inputs)
    outputs = function(*plain, **attributes)

    def pull(g):
        return vjp(g.items, plain, outputs, attributes)

    def again(g, node):
        return vjp(g.items, on_the_tape(plain, node), with_result_nodes(node, outputs), attributes)

    parents = [own_node(x) for x in inputs]
    return with_result_nodes(Node(parents, pull, [*arrays_in(plain), *outputs], again), outputs)


def with_result_nodes(node, outputs):
    """The results, each with a node above the function's."""
    items = tuple(with_result_node(node, outputs, i) for i in range(len(outputs)))
    return outputs._make(items) if hasattr(outputs, "_make") else items


def with_result_node(node, outputs, i):
    """Result number `i` with a node above the function's."""
    if not is_floating(outputs[i]):
        return outputs[i]

    def pull(g):
        return [Pieces([g if j == i else None for j in range(len(outputs))])]

    return with_node(outputs[i], Node([node], pull, (), lambda g, node: pull(g)))
