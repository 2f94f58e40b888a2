"""Gradients of functions of arrays."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy

from ..._core.annotations import Operand
from ..._core.array.array import NDArray
from ..._core.array.array_type import is_subclassed
from ..._core.array.released import type_name
from ..._core.whole_numbers import is_whole
from ..._exec.autodiff.nodes import alone, constant, is_array, own_node
from ..._exec.autodiff.tape import Node, backward, between, is_floating, leaf
from ..._exec.concat import as_array
from ..._exec.device.placement import filled_beside
from ..creation.creation import asarray
from .structures import place_of, rebuilt, with_leaves

__all__ = ["grad", "stop_gradient", "value_and_grad"]


def stop_gradient(x: Operand, /) -> NDArray:
    """`x` as a constant: gradients do not flow through it.  Raises TypeError for an argument that cannot become an
    array.

    >>> nd.grad(lambda x: nd.sum(x * nd.stop_gradient(x)))(nd.asarray([3.0]))
    array([3.], dtype=float64)
    """
    return constant(as_array(x))


def value_and_grad(
    function: Callable[..., Any], argnums: int | tuple[int, ...] = 0, has_aux: bool = False
) -> Callable[..., tuple[Any, Any]]:
    """A function that returns the value of `function` and its gradient.

    function: takes arrays, ours or NumPy's, floats, or nested tuples, lists, dicts and dataclasses of them, and
    returns a floating array without dimensions.
    argnums: the positions of the arguments to differentiate, an int or a tuple of ints.
    has_aux: whether the function returns a pair of the value and something else, which is not differentiated; the
    result is then ((value, aux), gradient).
    The gradient has the structure of the argument (a tuple of them for a tuple of positions); where the value does not
    depend on an array its gradient is zero.
    Inside, conversions that would lose the gradient raise TypeError: `float(x)`, `x.item()`, `numpy.asarray(x)`,
    pickling and the like.  `print(x)`, comparisons and `if x > 0` work; `stop_gradient` gives the values as a constant.
    Where a function has a kink the gradient is a subgradient: equal elements share that of max and min, and that of
    abs, relu and norms is 0 at 0.
    Gradients have gradients: `grad(grad(f))`, of any order.
    The gradient for a complex number a + b i is d/da + d/db i, the direction in which the value grows fastest, as in
    PyTorch; JAX gives its conjugate.
    Raises TypeError when the value is no floating array, ValueError when it has dimensions, or where an argument is not
    there.

    >>> nd.value_and_grad(lambda x: nd.sum(x**2))(nd.asarray([3.0]))
    (array(9., dtype=float64), array([6.], dtype=float64))
    """
    check_function("grad", function)
    positions = argnums if isinstance(argnums, tuple) else (argnums,)

    @functools.wraps(function)
    def evaluate(*args: Any, **keywords: Any) -> tuple[Any, Any]:
        leaves: list[NDArray] = []
        operands = list(args)
        check_positions("grad", positions, len(operands))
        for position in positions:
            operands[position] = tracked(operands[position], leaves)
        value, aux = with_aux("grad", function(*operands, **keywords), has_aux)
        check_value(value)
        aux = apart(aux, leaves)
        found, is_recorded = gradients_of(value, leaves)
        results = with_leaves([operands[position] for position in positions], found)
        value = value if is_recorded else alone(value)
        return (value, aux) if has_aux else value, tuple(results) if isinstance(argnums, tuple) else results[0]

    return evaluate


def grad(function: Callable[..., Any], argnums: int | tuple[int, ...] = 0, has_aux: bool = False) -> Callable[..., Any]:
    """A function that returns the gradient of `function`; see `value_and_grad`.  Raises as `value_and_grad` does.

    has_aux: whether the function returns a pair of the value and something else; the result is then (gradient, aux).

    >>> nd.grad(lambda x: nd.sum(x**2))(nd.asarray([1.0, 2.0]))
    array([2., 4.], dtype=float64)
    """
    evaluate = value_and_grad(function, argnums, has_aux)

    @functools.wraps(function)
    def gradient(*args: Any, **keywords: Any) -> Any:
        value, found = evaluate(*args, **keywords)
        return (found, value[1]) if has_aux else found

    return gradient


def with_aux(who: str, result: Any, has_aux: bool) -> tuple[Any, Any]:
    """What a function returned, as its value and what came with it.  Raises TypeError where that is no pair."""
    if not has_aux:
        return result, None
    if not isinstance(result, tuple) or len(result) != 2:
        raise TypeError(f"{who}: with has_aux the function must return a pair (value, aux), given {type_name(result)}")
    return result


def apart(aux: Any, leaves: list[NDArray]) -> Any:
    """What came with a value, its arrays as constants unless they are being differentiated outside."""
    nodes = [array.node for array in leaves]

    def kept(x: Any) -> Any:
        if not is_array(x) or own_node(x) is None or is_outside([x], nodes):
            return x
        return alone(x)

    return rebuilt(aux, kept)


def is_outside(results: list[NDArray], leaves: list[Node]) -> bool:
    """Whether tracked results depend on more than these leaves."""
    return not leaves or between([node for x in results if (node := own_node(x)) is not None], leaves)[1]


def check_positions(who: str, positions: tuple[Any, ...], n_arguments: int) -> None:
    """Raises TypeError unless the `argnums` are whole numbers, ValueError unless each is that of an argument."""
    for position in positions:
        if not is_whole(position):
            raise TypeError(f"{who}: argnums must be a whole number or a tuple of them, given {position!r}")
        if not -n_arguments <= position < n_arguments:
            raise ValueError(
                f"{who}: argnums is {position}, and the function was called with {n_arguments} arguments by position; "
                "those by name are constants"
            )


def check_function(who: str, function: Any) -> None:
    """Raises TypeError for what cannot be called."""
    if not callable(function):
        raise TypeError(f"{who}: needs a function, given {type_name(function)}")


def check_value(value: Any) -> None:
    """Raises unless `value` is a floating array without dimensions."""
    if not is_array(value) or not is_floating(value):
        given = value.dtype if is_array(value) else type_name(value)
        advice = "; nd4py.asarray makes one of it" if is_subclassed(value) else ""
        if isinstance(value, tuple):
            advice = "; what comes beside the value needs has_aux=True: f returns (value, aux)"
        raise TypeError(f"the function must return a floating array, given {given}{advice}")
    if value.dtype.kind == "c":
        raise TypeError(
            f"the function must return a real number, given {value.dtype}; end it with nd4py.real or nd4py.abs"
        )
    if value.ndim:
        raise ValueError(f"the function must return one number, given shape {value.shape}; end it with nd4py.sum")


def gradients_of(value: NDArray, leaves: list[NDArray]) -> tuple[list[NDArray], bool]:
    """The gradient for every leaf array, zeros where the value does not depend on it; and whether they, and the value,
    are being differentiated outside."""
    nodes = [array.node for array in leaves]
    found: list[NDArray | None] = [None for _ in nodes]
    is_recorded = False
    if own_node(value) is not None and nodes:
        found, is_recorded = backward(value, nodes)
    pairs = zip(leaves, found, strict=True)
    return [filled_beside(x, x.shape, x.dtype, 0) if g is None else g for x, g in pairs], is_recorded


def tracked(tree: Any, leaves: list[NDArray], who: str = "grad") -> Any:
    """`tree` with every array replaced by a tracked one, which are appended to `leaves`."""

    def track(x: Any) -> NDArray:
        if isinstance(x, float | complex | numpy.ndarray):
            x = asarray(x)
        if not is_array(x) or not is_floating(x):
            given = x.dtype if is_array(x) else type_name(x)
            where = place_of(tree, x)
            what_to_do = "; settings beside parameters go into another argument, or a keyword: a constant"
            raise TypeError(
                f"{who}: can differentiate floating arrays and structures of them, given {given}"
                f"{f' at {where}' if where else ''}{help_with(x)}{what_to_do if where else ''}"
            )
        leaves.append(leaf(x)[0])
        return leaves[-1]

    return rebuilt(tree, track)


def help_with(x: Any) -> str:
    """What to do with an argument that is a whole number, or an array of another library."""
    if isinstance(x, int) or is_array(x):
        return "; integers have no gradient, give floats"
    return "; nd.asarray makes an array of it" if hasattr(x, "__array__") else ""
