"""The tape: reverse-mode differentiation.

Design: an array carries its node; untracked arrays carry None, so that computing without gradients costs one
comparison.  A node keeps plain views of what its derivative reads, never the tracked array itself, so no reference
cycles arise and memory goes as soon as the last result does.  Gradients of rows are rows; irregular functions name
theirs with `differentiable`.
"""

import functools
import itertools
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, TypeVar, cast

from ..._core.annotations import Gradients, Shape
from ..._core.array.array import NDArray
from ..._core.layout.layouts import inverse_of
from ..._core.lazy_modules import LazyModule
from ..._spec.dtypes import BY_NAME
from ..._spec.ops import ALL, vjp_arguments, vjp_name
from ..conversion import with_values
from ..device.device_operations import filled_beside, rules_for
from ..dispatch.dispatch import call
from ..dispatch.row_table import row_number
from ..reductions import kept_shape, reduce
from .nodes import constant, depth, is_array, memory_of, node_of, version_of, with_node, without_node

if TYPE_CHECKING:
    import heapq
else:
    heapq = LazyModule("heapq", globals())

SUM, COUNT = row_number("sum"), row_number("count_nonzero")
EQUAL, ABS, WHERE = row_number("equal"), row_number("abs"), row_number("where")
order = itertools.count()
Function = TypeVar("Function", bound=Callable[..., NDArray])


class Node:
    """How one tracked array was made.

    parents: the nodes its operands carried (None for constants); pull(g) gives one gradient, or None, per parent.
    depth: how many batches the gradient is taken inside of (`nd4py._exec.batching`).
    """

    __slots__ = ("depth", "number", "parents", "pull", "saved", "versions")

    def __init__(self, parents, pull, saved=()):
        self.number = next(order)
        self.parents = parents
        self.pull = pull
        self.saved = saved
        self.depth = max([parent.depth for parent in parents if parent is not None], default=0)
        self.versions = [version_of(array) for array in saved]

    def gradients(self, g):
        """Gradients for the parents.  Raises ValueError if an operand was overwritten since."""
        if self.versions != [version_of(array) for array in self.saved]:
            raise ValueError("an array needed for a gradient was written in place after its use; use x = x + 1 instead")
        return self.pull(g)

    def spend(self):
        """Let go of what the gradients needed: memory is free for the rest of the way back."""
        self.pull, self.saved, self.parents = spent, (), ()


def spent(g):
    """In place of a `pull` that has been used."""
    raise NotImplementedError("a gradient was taken through this array already; compute it again")


def is_floating(array: NDArray) -> bool:
    """Whether gradients can flow through an array: through integers and bools they do not.

    Raises NotImplementedError for complex numbers, whose derivatives are not built yet.
    """
    if array.dtype.kind == "c":
        raise NotImplementedError("gradients of complex arrays are not built yet; differentiate their real parts")
    return array.dtype.kind == "f"


def arrays_in(operands):
    """The arrays among operands, without their nodes."""
    return [without_node(operand) for operand in operands if is_array(operand)]


def record_row(op, operands, params, outputs):
    """Track the result of a map row."""
    row = ALL[op]
    if isinstance(row.expr, dict):
        reason = "rows with multiple results have no gradient" if len(outputs) > 1 else "updaters have no gradient"
        raise NotImplementedError(f"{row.name}: {reason}; pass nd4py.stop_gradient(x)")
    if not is_floating(outputs[0]):
        return outputs[0]
    parents = [node_of(x) for x in operands]
    rules = [None if parent is None else gradient_rule(op, i) for i, parent in enumerate(parents)]
    values = needed(rules, {**dict(zip(row.args, operands, strict=True)), "y": outputs[0]})
    kinds = [(x.shape, x.dtype) if is_array(x) else None for x in operands]

    def pull(g):
        return [
            rule and pull_row(rule, {**values, "g": g}, params, kind) for rule, kind in zip(rules, kinds, strict=True)
        ]

    return with_node(outputs[0], Node(parents, pull, arrays_in(values.values())))


class GradientRule(NamedTuple):
    """The gradient of one operand: a row (None where g passes unchanged) and what the row reads."""

    row: int | None
    names: tuple


@functools.cache
def gradient_rule(op, i):
    """The rule for operand `i` of row `op`, or None where no gradient flows."""
    names, row = vjp_arguments(ALL[op], i), vjp_name(ALL[op], i)
    return GradientRule(row_number(row) if row else None, names) if names else None


def needed(rules, values, asides=()):
    """Those of `values` that the rules read besides g, without their nodes; nothing else is kept alive.  What is
    computed aside reads all of them."""
    names = set(values) if asides else {name for rule in rules if rule for name in rule.names if name != "g"}
    return {name: without_node(x) if is_array(x := values[name]) else x for name in sorted(names)}


def pull_row(rule, values, params, kind):
    """The gradient of one operand, of the operand's own shape and dtype."""
    shape, dtype = kind
    g = values["g"] if rule.row is None else call(rule.row, tuple(values[name] for name in rule.names), params, None)
    return sum_to_shape(g, shape).astype(dtype, copy=False)


def record_reduction(op, x, axes, y):
    """Track the result of a reduction."""
    rule = gradient_rule(op, 0)
    if rule is None or not is_floating(y):
        return y
    full, kept, dtype, count = x.shape, kept_shape(x.shape, axes), x.dtype, x.size // max(y.size, 1)
    asides = [name for name in rule.names if name in ASIDES]
    values = needed([rule], {"x": x, "y": with_shape(y, kept) if "y" in rule.names or asides else y}, asides)

    def pull(g):
        g = with_shape(g, kept)
        if rule.row is not None:
            seen = {**values, "g": g, **{name: ASIDES[name](op, values["x"], values["y"], axes) for name in asides}}
            g = call(rule.row, tuple(seen[name] for name in rule.names), (float(count),), None)
        return [(g if g.shape == full else g.broadcast_to(full)).astype(dtype, copy=False)]

    return with_node(y, Node([node_of(x)], pull, arrays_in(values.values())))


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


ASIDES = {"ties": ties, "peaks": peaks, "rest": rest}


def with_shape(x, shape):
    """`x` in another shape; deferred as before if it has that shape."""
    return x if x.shape == shape else x.reshape(shape)


def record_view(source, view, kind, detail):
    """Track a view: its gradient is spread back over the source's shape."""
    pull = functools.partial(VIEW_GRADIENTS[kind], source.shape, source.dtype, detail)
    return with_node(view, Node([source.node], lambda g: [pull(g)]))


def record_cast(x, y):
    """Track a conversion between floating dtypes."""
    if not is_floating(y):
        return y
    dtype = x.dtype
    return with_node(y, Node([node_of(x)], lambda g: [g.astype(dtype, copy=False)]))


def record_move(x, y):
    """Track a copy on another device: the gradient goes back to where `x` is."""
    origin = x.device
    return with_node(y, Node([node_of(x)], lambda g: [g.to_device(origin)]))


def pull_reshape(shape, dtype, detail, g):
    """Gradient of a reshape."""
    return g.reshape(shape)


def pull_permute(shape, dtype, axes, g):
    """Gradient of a permutation: the inverse permutation."""
    return g.permute_dims(inverse_of([axis % len(shape) for axis in axes]))


def pull_broadcast(shape, dtype, detail, g):
    """Gradient of a broadcast: the sum over what was repeated."""
    return sum_to_shape(g, shape)


def pull_getitem(shape, dtype, key, g):
    """Gradient of basic indexing: zero outside the selection."""
    full = filled_beside(g, shape, dtype, 0)
    full[key] = g
    return full


def pull_tad(shape, dtype, detail, g):
    """Gradient of tensor_along_dimension: zero outside the sub-array."""
    full = filled_beside(g, shape, dtype, 0)
    index, dimensions = detail
    full.tensor_along_dimension(index, *dimensions)[...] = g
    return full


VIEW_GRADIENTS = {
    "reshape": pull_reshape,
    "permute_dims": pull_permute,
    "broadcast_to": pull_broadcast,
    "getitem": pull_getitem,
    "tensor_along_dimension": pull_tad,
}


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


def differentiable(vjp: Callable[..., Gradients]) -> Callable[[Function], Function]:
    """Give a function of arrays its gradient: `vjp(g, inputs, output, attributes)` returns one gradient, or None, per
    positional array.  Inside the function and its vjp arrays are untracked; keywords arrive as `attributes`."""

    return watching(vjp, recorded)


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
            if all(node_of(x) is None for x in inputs):
                return function(*inputs, **attributes)
            return record(function, vjp, inputs, attributes)

        return cast(Function, tracked)

    return decorate


def recorded(function, vjp, inputs, attributes):
    """The result of a function of arrays, with its node."""
    plain = tuple(constant(x) if is_array(x) else x for x in inputs)
    output = with_values(function(*plain, **attributes))
    if not is_floating(output):
        return output
    saved = [*arrays_in(plain), output]
    node = Node([node_of(x) for x in inputs], lambda g: vjp(with_values(g), plain, output, attributes), saved)
    return with_node(output, node)


def backward(result: NDArray, leaves: list[Node]) -> list[NDArray | None]:
    """The gradients of a tracked 0-d `result` for leaf nodes, in order; None for a leaf it does not depend on."""
    gradients = {result.node: filled_beside(result, result.shape, result.dtype, 1)}
    leaf_gradients = {}
    waiting = [(-result.node.number, result.node)]
    while waiting:
        _, node = heapq.heappop(waiting)
        g = gradients.pop(node)
        if node.pull is None:
            leaf_gradients[node] = g
            continue
        parents, pieces = node.parents, node.gradients(g)
        node.spend()
        for parent, piece in zip(parents, pieces, strict=True):
            if parent is None or piece is None:
                continue
            if parent in gradients:
                gradients[parent] = gradients[parent] + piece
            else:
                gradients[parent] = piece
                heapq.heappush(waiting, (-parent.number, parent))
    if leaf_gradients.keys() - set(leaves):
        raise NotImplementedError("grad inside grad: second derivatives are not built yet")
    return set_apart([leaf_gradients.get(leaf) for leaf in leaves])


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
    """`array` with a node of its own, and that node."""
    if array.node is not None:
        raise NotImplementedError("grad inside grad: second derivatives are not built yet")
    node = Node((), None)
    node.depth = depth()
    return with_node(array, node), node
