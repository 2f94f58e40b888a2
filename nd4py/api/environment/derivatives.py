"""Derivatives of functions with many results: products with vectors, and matrices of partial derivatives.

Design: a product with a vector from the left (`vjp`) is the tape's way back.  One from the right (`jvp`) is the way
back of the way back: v @ J is linear in v, and its gradient in direction t is J @ t.  So no operation needs a second
rule.  Rejected: a forward rule for each operation, which would be faster, but twice the table.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ..._core.array.array import NDArray
from ..._core.array.released import type_name
from ..._exec.autodiff.nodes import alone, depth, is_array, node_of, own_node
from ..._exec.autodiff.tape import Node, between, end, is_floating, leading_from, leaf, pulled_back, set_apart
from ..._exec.batching.open_batches import NoBatchRule
from ..._exec.device.placement import filled_beside
from ..creation.creation import asarray, eye
from .batched_functions import vmap
from .gradients import apart, check_function, check_positions, grad, tracked, with_aux
from .structures import are_alike, leaves_of, rebuilt, with_leaves

__all__ = ["hessian", "hvp", "jacobian", "jvp", "vjp"]


def vjp(function: Callable[..., Any], /, *primals: Any, has_aux: bool = False) -> Any:
    """The value of `function`, and a function that multiplies vectors by its matrix of derivatives from the left.

    function: takes floating arrays and structures of them, returns a floating array or a structure of them.
    primals: the arguments.
    has_aux: whether the function returns a pair of the value and something else, which is not differentiated.
    Returns (value, pull), with has_aux (value, pull, aux).  `pull(cotangent)` takes what has the structure and shapes
    of the value, and returns a tuple with one gradient per argument: the sum over the value's elements of cotangent
    times derivative.  It may be called more than once, and keeps in memory what the derivatives read as long as it is
    there.
    One pull takes about the time of two evaluations of the function.
    Raises TypeError for arguments or values that are no floating arrays, ValueError for a cotangent of another shape.

    >>> value, pull = nd.vjp(lambda x: x**2, nd.asarray([1.0, 2.0]))
    >>> pull(nd.asarray([1.0, 10.0]))
    (array([ 2., 40.], dtype=float64),)
    """
    record = Record("vjp", function, primals, range(len(primals)), has_aux)

    def pull(cotangent: Any, /) -> tuple[Any, ...]:
        seeds = vectors("vjp: the cotangent", cotangent, record.value)
        is_recorded = record.is_recorded or any(node_of(x) is not None for x in seeds)
        found = record.pulled(seeds, is_recorded)
        found = found if is_recorded else without_sharing(found, seeds)
        return tuple(with_leaves(list(record.operands), record.filled(found)))

    return (record.result, pull, record.aux) if has_aux else (record.result, pull)


def jvp(function: Callable[..., Any], primals: Any, tangents: Any, has_aux: bool = False) -> Any:
    """The value of `function`, and its derivative in a direction: its matrix of derivatives times `tangents`.

    function: as in `vjp`.
    primals: a tuple or list of the arguments.
    tangents: a tuple or list of the direction in each argument, of its structure and shapes.
    has_aux: whether the function returns a pair of the value and something else, which is not differentiated.
    Returns (value, derivative), with has_aux (value, derivative, aux).
    The derivative is computed as the gradient of a gradient, so it takes up to twice the time of a gradient, four
    times that of the function, however many arguments there are.
    Raises TypeError and ValueError as `vjp` does.

    >>> nd.jvp(nd.sin, (nd.asarray([0.0]),), (nd.asarray([2.0]),))
    (array([0.], dtype=float64), array([2.], dtype=float64))
    """
    check_pair("jvp", primals, tangents)
    record = Record("jvp", function, tuple(primals), range(len(primals)), has_aux)
    directions = vectors("jvp: the tangents", list(tangents), list(record.operands))
    weights = [leaf(filled_beside(y, y.shape, y.dtype, 0))[0] for y in record.results]
    slopes = record.pulled(weights, is_recorded=True)
    seeds = [
        (n, t) for g, t in zip(slopes, directions, strict=True) if g is not None and (n := own_node(g)) is not None
    ]
    nodes = [weight.node for weight in weights]
    found: list[NDArray | None] = [None for _ in nodes]
    if seeds and nodes:
        is_recorded = record.is_recorded or any(node_of(t) is not None for t in directions)
        through = leading_from(nodes, between([node for node, _ in seeds], nodes)[0])
        found = pulled_back(seeds, nodes, through, is_recorded)
        found = found if is_recorded else without_sharing(found, directions)
    derivative = with_leaves(record.value, zeros_for_none(found, record.results))
    return (record.result, derivative, record.aux) if has_aux else (record.result, derivative)


def jacobian(
    function: Callable[..., Any], argnums: int | tuple[int, ...] = 0, has_aux: bool = False
) -> Callable[..., Any]:
    """A function that returns all derivatives of the results of `function` for the elements of its arguments.

    function: as in `vjp`.
    argnums: the positions of the arguments to differentiate, an int or a tuple of ints.
    has_aux: whether the function returns a pair of the value and something else; the result is then (jacobian, aux).
    The result has the shape of the value followed by that of the argument; structures lie in structures, those of the
    value outside.  All rows are computed at once, by `vmap`: the memory of a gradient for each element of the value.
    Raises as `vjp` does.

    >>> nd.jacobian(lambda x: x**2)(nd.asarray([1.0, 2.0]))
    array([[2., 0.],
           [0., 4.]], dtype=float64)
    """
    check_function("jacobian", function)
    return derivatives_of("jacobian", function, argnums, has_aux)


def derivatives_of(
    who: str, function: Callable[..., Any], argnums: int | tuple[int, ...], has_aux: bool
) -> Callable[..., Any]:
    """`jacobian` for a function that is called `who`."""
    positions = argnums if isinstance(argnums, tuple) else (argnums,)

    @functools.wraps(function)
    def evaluate(*args: Any, **keywords: Any) -> Any:
        record = Record(who, functools.partial(function, **keywords), args, positions, has_aux)
        if any(x.dtype.kind == "c" for x in (*record.leaves, *record.results)):
            raise TypeError(f"{who}: needs real arrays, given complex ones; take real and imaginary parts, or vjp")
        parts = [record.rows(i) for i in range(len(record.results))]
        chosen = [record.operands[position] for position in positions]
        trees = [tuple(with_leaves(chosen, rows)) if isinstance(argnums, tuple) else with_leaves(chosen, rows)[0]
                 for rows in parts]  # fmt: skip
        found = with_leaves(record.value, trees)
        return (found, record.aux) if has_aux else found

    return evaluate


def hessian(
    function: Callable[..., Any], argnums: int | tuple[int, ...] = 0, has_aux: bool = False
) -> Callable[..., Any]:
    """A function that returns the second derivatives of `function`, whose value is one number.

    function, argnums, has_aux: as in `jacobian`.
    The result is the jacobian of the gradient: for an array its shape twice.  `hvp` multiplies by it without making it.
    Raises as `grad` does.

    >>> nd.hessian(lambda x: x[0] ** 2 * x[1])(nd.asarray([1.0, 3.0]))
    array([[6., 2.],
           [2., 0.]], dtype=float64)
    """
    check_function("hessian", function)
    return derivatives_of("hessian", grad(function, argnums, has_aux), argnums, has_aux)


def hvp(function: Callable[..., Any], primals: Any, tangents: Any) -> tuple[Any, ...]:
    """The matrix of second derivatives of `function`, whose value is one number, times `tangents`.

    function: takes floating arrays and structures of them, returns a floating array without dimensions.
    primals: a tuple or list of the arguments.
    tangents: a tuple or list of the direction in each argument, of its structure and shapes.
    Returns a tuple with one product per argument.  It takes four to six times the time of a gradient; the matrix is
    not made.
    Raises TypeError and ValueError as `vjp` does.

    >>> nd.hvp(lambda x: nd.sum(x**3), (nd.asarray([1.0, 2.0]),), (nd.asarray([1.0, 1.0]),))
    (array([ 6., 12.], dtype=float64),)
    """
    check_function("hvp", function)
    check_pair("hvp", primals, tangents)
    slope = grad(function, tuple(range(len(primals))))
    value, pull = vjp(slope, *primals)
    directions = vectors("hvp: the tangents", list(tangents), list(value))
    products: tuple[Any, ...] = pull(with_leaves(value, directions))
    return products


class Record:
    """One evaluation of a function on the tape, which can be pulled back more than once.

    operands: the arguments, those at `positions` tracked; leaves: the arrays among them
    value: what the function returned; results: the arrays among it; aux: what came with it
    result: the value for the caller: constants, unless it is being differentiated outside (`is_recorded`)
    """

    def __init__(
        self, who: str, function: Callable[..., Any], primals: tuple[Any, ...], positions: Any, has_aux: bool
    ) -> None:
        check_function(who, function)
        self.leaves: list[NDArray] = []
        operands = list(primals)
        check_positions(who, positions, len(operands))
        for position in positions:
            operands[position] = tracked(operands[position], self.leaves, who)
        self.operands = tuple(operands)
        self.value, aux = with_aux(who, function(*operands), has_aux)
        self.aux = apart(aux, self.leaves)
        self.results = leaves_of(self.value)
        for y in self.results:
            check_result(who, y)
        self.nodes = [x.node for x in self.leaves]
        last = [node for y in self.results if (node := own_node(y)) is not None]
        self.between: set[Node] = set()
        self.is_recorded = bool(last)
        if last and self.nodes:
            self.between, self.is_recorded = between(last, self.nodes)
            self.between = leading_from(self.nodes, self.between)
            self.is_recorded = self.is_recorded or any(node.is_twofold for node in self.between)
        end(self.nodes)
        self.result = self.value if self.is_recorded else rebuilt(self.value, alone)

    def pulled(self, seeds: list[NDArray], is_recorded: bool, *, keeps: bool = True) -> list[NDArray | None]:
        """The gradients for the leaves of results whose gradients are `seeds`; None for those without influence."""
        if is_recorded and depth() > max(node.depth for node in self.nodes):
            raise NoBatchRule("a gradient with a gradient, for each example of a batch")
        pairs = [(n, g) for y, g in zip(self.results, seeds, strict=True) if (n := own_node(y)) is not None]
        return pulled_back(pairs, self.nodes, self.between, is_recorded, keeps=keeps)

    def filled(self, found: list[NDArray | None]) -> list[NDArray]:
        """Gradients, zeros for those without influence."""
        return zeros_for_none(found, self.leaves)

    def rows(self, i: int) -> list[NDArray]:
        """The derivatives of result number `i` for all leaves, its elements along the first axes."""
        y = self.results[i]
        shapes = [(*y.shape, *x.shape) for x in self.leaves]
        if not y.size or own_node(y) is None:
            return [filled_beside(x, shape, x.dtype, 0) for x, shape in zip(self.leaves, shapes, strict=True)]

        def pull(seed: NDArray) -> list[NDArray]:
            seeds = [filled_beside(x, x.shape, x.dtype, 0) for x in self.results]
            return self.filled(self.pulled([*seeds[:i], seed, *seeds[i + 1 :]], self.is_recorded))

        basis = eye(y.size, dtype=y.dtype, device=y.device).reshape((y.size, *y.shape))
        return [g.reshape(shape) for g, shape in zip(vmap(pull)(basis), shapes, strict=True)]


def pulled_once(
    who: str, function: Callable[..., Any], primals: list[NDArray], cotangent: Callable[[Any], Any]
) -> list[NDArray]:
    """The gradients of `vjp` for arrays; what they read is let go on the way.  `cotangent(value)` gives the value's."""
    record = Record(who, function, tuple(primals), range(len(primals)), False)
    seeds = leaves_of(cotangent(record.result))
    is_recorded = record.is_recorded or any(node_of(x) is not None for x in seeds)
    return record.filled(record.pulled(seeds, is_recorded, keeps=False))


def check_result(who: str, y: Any) -> None:
    """Raises TypeError unless `y` is a floating array."""
    if not is_array(y) or not is_floating(y):
        given = y.dtype if is_array(y) else type_name(y)
        raise TypeError(
            f"{who}: the function must return floating arrays and structures of them, given {given}; "
            "return what has no derivative beside the value, with has_aux=True"
        )


def check_pair(who: str, primals: Any, tangents: Any) -> None:
    """Raises unless primals and tangents are tuples or lists of equal length."""
    for name, given in (("primals", primals), ("tangents", tangents)):
        if not isinstance(given, tuple | list):
            raise TypeError(f"{who}: {name} must be a tuple of arguments, given {type_name(given)}; write (x,) for one")
    if len(primals) != len(tangents):
        raise ValueError(f"{who}: given {len(primals)} primals and {len(tangents)} tangents; give one for each")


def vectors(who: str, given: Any, like: Any) -> list[NDArray]:
    """The arrays of a structure that is to have the structure and shapes of another, in the dtypes of that."""
    if not are_alike(given, like):
        raise ValueError(f"{who} must have the structure of {described(like)}, given {described(given)}")
    found = []
    for v, x in zip(leaves_of(given), leaves_of(like), strict=True):
        array = asarray(v)
        if array.shape != x.shape:
            raise ValueError(f"{who} must have shape {x.shape}, given {array.shape}")
        if array.dtype.kind == "c" and x.dtype.kind != "c":
            raise TypeError(f"{who} must be real, given {array.dtype}")
        found.append(array.astype(x.dtype, copy=False))
    return found


def described(tree: Any) -> Any:
    """A structure with the names of types in place of its items, for messages."""
    return rebuilt(tree, type_name)


def zeros_for_none(found: list[NDArray | None], like: list[NDArray]) -> list[NDArray]:
    """Arrays, zeros of the shape of the others for those that are missing."""
    pairs = zip(found, like, strict=True)
    return [filled_beside(x, x.shape, x.dtype, 0) if g is None else g for g, x in pairs]


def without_sharing(found: list[NDArray | None], given: list[NDArray]) -> list[NDArray | None]:
    """Results whose memory is neither that of one another nor of what the caller gave."""
    return set_apart([*given, *found])[len(given) :]
