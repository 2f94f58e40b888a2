"""The tape: reverse-mode differentiation.

Design: an array carries its node; untracked arrays carry None, so that computing without gradients costs one
comparison.  A node keeps plain views of what its derivative reads, never the tracked array itself, so no reference
cycles arise and memory goes as soon as the last result does; where the way back is on the tape too, the views get the
nodes again that they had.  Gradients of rows are rows; irregular functions name theirs with `differentiable`.

The way back is computed once and its nodes are spent, by the compiled gradients; it is recorded on the tape itself, and
nodes stay, only where a gradient around it depends on it too.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar, cast

from ..._core.annotations import Gradients, Shape
from ..._core.array.array import NDArray
from ..._core.lazy_modules import LazyModule
from ..._core.observing.panic import is_on, place
from ..._core.observing.panic_error import PanicError
from ..conversion import with_values
from ..device.device_operations import filled_beside, rules_for
from ..dispatch.dispatch import call
from ..dispatch.row_table import row_number
from ..reductions import reduce
from .nodes import (
    depth,
    is_array,
    is_watched_outside,
    memory_of,
    node_of,
    own_node,
    version_of,
    with_node,
    without_node,
)  # fmt: skip

if TYPE_CHECKING:
    import heapq
else:
    heapq = LazyModule("heapq", globals())

SUM, CONJ, REAL = row_number("sum"), row_number("conj"), row_number("real")
order = itertools.count()
Function = TypeVar("Function", bound=Callable[..., NDArray])


class Node:
    """How one tracked array was made.

    parents: the nodes its operands carried (None for constants); pull(g) gives one gradient, or None, per parent.
    again(g, node): the same on the tape, so that gradients have gradients.
    depth: how many batches the gradient is taken inside of (`nd4py._exec.batching`).
    least: the same of the outermost of the gradients that it is a part of.
    is_twofold: whether its gradient reads what a tape outside of these batches watches too.
    place: the part of a network that it was made in, where NaN is searched for, else None.
    """

    __slots__ = ("again", "depth", "is_twofold", "least", "number", "parents", "place", "pull", "saved", "versions")

    def __init__(self, parents, pull, saved, again):
        self.number = next(order)
        self.parents = parents
        self.pull = pull
        self.again = again
        self.saved = saved
        depth = 0
        for parent in parents:
            if parent is not None and parent.depth > depth:
                depth = parent.depth
        self.depth = self.least = depth
        self.is_twofold = False
        if depth:
            self.least = min(parent.least for parent in parents if parent is not None)
            self.is_twofold = any(map(is_watched_outside, saved))
        self.versions = [version_of(array) for array in saved]
        self.place = place()

    def gradients(self, g, is_recorded=False):
        """Gradients for the parents, on the tape if they are to have gradients themselves.

        Raises ValueError if an operand was overwritten since.
        """
        if self.versions != [version_of(array) for array in self.saved]:
            raise ValueError("an array needed for a gradient was written in place after its use; use x = x + 1 instead")
        if is_on():
            return self.searched(g, is_recorded)
        return self.again(g, self) if is_recorded else self.pull(g)

    def searched(self, g, is_recorded):
        """The gradients with their values, and a note at the error where one of them is what is searched for."""
        try:
            pieces = self.again(g, self) if is_recorded else self.pull(g)
            return [piece if piece is None else with_values(piece) for piece in pieces]
        except PanicError as error:
            error.add_note(f"in the backward pass{self.place or ''}")
            raise

    def spend(self):
        """Let go of what the gradients needed: memory is free for the rest of the way back."""
        self.pull, self.again, self.saved, self.parents = spent, spent, (), ()


def spent(g, node=None):
    """In place of a `pull` that has been used."""
    raise NotImplementedError("a gradient was taken through this array already; compute it again")


def ended(g, node=None):
    """The `pull` of a leaf whose gradient is known: to whatever is outside it is a constant."""
    return ()


def is_floating(array: NDArray) -> bool:
    """Whether gradients can flow through an array: through integers and bools they do not."""
    return array.dtype.kind in "fc"


def conjugate(x: NDArray) -> NDArray:
    """`x` with its imaginary part negated; real numbers as they are."""
    return call(CONJ, (x,), (), None) if x.dtype.kind == "c" else x


def real_part(x: NDArray) -> NDArray:
    """The real part of complex numbers; real numbers as they are."""
    return call(REAL, (x,), (), None) if x.dtype.kind == "c" else x


def cast_gradient(g: NDArray, dtype: Any) -> NDArray:
    """A gradient in the dtype of its array: of complex numbers the real parts, where that is real."""
    return (real_part(g) if dtype.kind == "f" else g).astype(dtype, copy=False)


def arrays_in(operands):
    """The arrays among operands, without their nodes."""
    return [without_node(operand) for operand in operands if is_array(operand)]


def sum_to_shape(g: NDArray, shape: Shape) -> NDArray:
    """Add up `g` over the axes along which `shape` was broadcast to it."""
    if g.shape == shape:
        return g
    extra = len(g.shape) - len(shape)
    axes = [*range(extra), *(i + extra for i, size in enumerate(shape) if size == 1 and g.shape[i + extra] != 1)]
    return reduce(SUM, g, tuple(axes)).reshape(shape)


def materialized(inputs):
    """Arguments, the arrays among them with their values: irregular functions are not deferred."""
    return tuple(map(with_values, inputs))


def differentiable(vjp: Callable[..., Gradients], *, keeps_output: bool = True) -> Callable[[Function], Function]:
    """Give a function of arrays its gradient: `vjp(g, inputs, output, attributes)` returns one gradient, or None, per
    positional array.  Inside the function arrays are untracked; keywords arrive as `attributes`.

    The vjp is made of operations with gradients, so that it has one itself: where that is asked for, it gets arrays
    on the tape.
    keeps_output: whether the vjp reads the output; where it does not it gets None, and the tape keeps no memory for it
    """

    return watching(vjp, recorded if keeps_output else recorded_without_output)


def watching(vjp: Callable[..., Gradients], record: Callable[..., object]) -> Callable[[Function], Function]:
    """The decorator for functions with a gradient, which `record` calls where an input is on the tape."""

    def decorate(function: Function) -> Function:
        @functools.wraps(function)
        def tracked(*inputs, **attributes):
            inputs = materialized(inputs)
            if (rules := rules_for(inputs)) is not None:
                return rules.differentiated(
                    function, vjp, inputs, attributes, record, lambda f, v: watching(v, record)(f)
                )
            for x in inputs:
                if node_of(x) is not None:
                    return record(function, vjp, inputs, attributes)
            return function(*inputs, **attributes)

        return cast(Function, tracked)

    return decorate


def recorded_without_output(function, vjp, inputs, attributes):
    """As `recorded`, for a gradient that does not read the result."""
    return recorded(function, vjp, inputs, attributes, keeps_output=False)


def recorded(function, vjp, inputs, attributes, keeps_output=True):
    """The result of a function of arrays, with its node."""
    plain = tuple(without_node(x) if is_array(x) else x for x in inputs)
    output = with_values(function(*plain, **attributes))
    if not is_floating(output):
        return output

    kept = output if keeps_output else None

    def pull(g):
        return vjp(with_values(g), plain, kept, attributes)

    def again(g, node):
        on_tape = with_node(kept, node) if keeps_output else None
        return vjp(with_values(g), on_the_tape(plain, node), on_tape, attributes)

    saved = arrays_in(plain if kept is None else (*plain, kept))
    return with_node(output, Node([own_node(x) for x in inputs], pull, saved, again))


def on_the_tape(plain, node):
    """The operands of a node, as they were on the tape."""
    pairs = zip(plain, node.parents, strict=True)
    return tuple(x if parent is None else with_node(x, parent) for x, parent in pairs)


def linear(x: NDArray, function: Callable[[NDArray], NDArray], adjoint: Callable[[NDArray], NDArray]) -> NDArray:
    """A linear function of an array, on the tape where `x` is; `adjoint` is its gradient, and the reverse."""
    if rules_for((x,)) is not None:  # an array of a batch, which may be on a tape outside of it too
        return watching(lambda g, *_: (linear(g, adjoint, function),), recorded)(function)(x)
    y = function(without_node(x))
    if node_of(x) is None:
        return y

    def pull(g):
        return [linear(g, adjoint, function)]

    return with_node(y, Node([node_of(x)], pull, (), lambda g, node: pull(g)))


def backward(result: NDArray, leaves: list[Node]) -> tuple[list[NDArray | None], bool]:
    """The gradients of a tracked 0-d `result` for leaf nodes, in order; None for a leaf it does not depend on; and
    whether they are on the tape.

    They are where `result` depends on anything else that is being differentiated.
    """
    nodes, is_recorded = between([result.node], leaves)
    is_twofold = not is_recorded and any(node.is_twofold for node in nodes)
    found = pulled_back(
        [(result.node, filled_beside(result, result.shape, result.dtype, 1))], leaves, nodes, is_recorded or is_twofold
    )
    end(leaves)
    if is_twofold:  # on the tape outside alone
        return [g if g is None else without_node(g) for g in found], False
    return (found if is_recorded else set_apart(found)), is_recorded


def end(leaves: list[Node]) -> None:
    """Note that leaves are constants to whatever is outside."""
    for leaf in leaves:
        if leaf.pull is None:
            leaf.pull = leaf.again = ended


def pulled_back(
    seeds: list[tuple[Node, NDArray]], leaves: list[Node], nodes: set[Node], is_recorded: bool, *, keeps: bool = False
) -> list[NDArray | None]:
    """The gradients for leaf nodes of results whose gradients are `seeds`, through `nodes` alone.

    keeps: whether the nodes can be used again; otherwise what they needed is let go on the way.
    """
    gradients: dict[Node, NDArray] = {}
    leaf_gradients = {}
    waiting: list[tuple[int, Node]] = []

    def add(node: Node, piece: NDArray) -> None:
        if node in gradients:
            gradients[node] = gradients[node] + piece
        else:
            gradients[node] = piece
            heapq.heappush(waiting, (-node.number, node))

    for node, seed in seeds:
        if node in nodes:
            add(node, seed)
    while waiting:
        _, node = heapq.heappop(waiting)
        g = gradients.pop(node)
        if node in leaves:
            leaf_gradients[node] = g
            continue
        parents, pieces = node.parents, node.gradients(g, is_recorded)
        if not is_recorded and not keeps:
            node.spend()
        for parent, piece in zip(parents, pieces, strict=True):
            if parent in nodes and piece is not None:
                add(parent, piece)
    return [leaf_gradients.get(leaf) for leaf in leaves]


def between(last: list[Node], leaves: list[Node]) -> tuple[set[Node], bool]:
    """The nodes from the leaves to the last ones, and whether any other leaf, or one behind these, leads there too."""
    first, seen, ahead = min(leaf.number for leaf in leaves), set(last), list(last)
    is_recorded = False
    while ahead:
        node = ahead.pop()
        if node.number < first or node.pull is None and node not in leaves:
            is_recorded = True
            continue
        if node in leaves:
            is_recorded = is_recorded or bool(node.parents)
            continue
        if node.pull is spent:
            spent(None)
        for parent in node.parents:
            if parent is not None and parent not in seen:
                seen.add(parent)
                ahead.append(parent)
    return (leading_from(leaves, seen), True) if is_recorded else (seen, False)


def leading_from(leaves: list[Node], seen: set[Node]) -> set[Node]:
    """The leaves, and those of the nodes seen that depend on them."""
    first, nodes = min(leaf.number for leaf in leaves), set(leaves)
    for node in sorted(seen, key=lambda node: node.number):
        if node.number > first and any(parent in nodes for parent in node.parents):
            nodes.add(node)
    return nodes


def set_apart(gradients: list[NDArray | None]) -> list[NDArray | None]:
    """Gradients for a caller, who may write into each without changing another: where operands got one array, or views
    of it, all but the first are copied, and so is what repeats elements."""
    owners: dict[int, object] = {}
    apart: list[NDArray | None] = []
    for g in gradients:
        owner = None if g is None else memory_of(g)
        is_own = owner is not None and id(owner) not in owners
        owners[id(owner)] = owner  # alive, so that nothing else gets its number
        apart.append(g if g is None or is_own else g.copy())
    return apart


def leaf(array: NDArray) -> tuple[NDArray, Node]:
    """`array` with a node of its own, and that node; behind it what `array` itself depends on."""
    parent = own_node(array)
    if parent is None:
        node = Node((), None, (), None)
        node.least = depth()
    else:
        node = Node((parent,), lambda g: [g], (), lambda g, node: [g])
    node.depth = depth()
    return with_node(array, node), node
