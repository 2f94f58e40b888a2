"""Functions that state their own gradient, or compute again what their gradient reads."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ..._core.array.array import NDArray
from ..._core.array.released import type_name
from ..._exec.autodiff.multiple_outputs import differentiable_results
from ..._exec.autodiff.nodes import is_array, node_of
from ..._exec.autodiff.tape import is_floating
from ..._exec.device.placement import filled_beside
from ..creation.creation import asarray
from ..random import get_state, set_state
from .derivatives import pulled_once
from .gradients import check_function
from .structures import leaves_of, with_leaves

__all__ = ["checkpoint", "custom_gradient"]


def custom_gradient(function: Callable[..., tuple[Any, Callable[..., Any]]], /) -> Callable[..., Any]:
    """A function whose gradient is the one that it states.

    function: takes arrays and structures of them, and returns a pair: the value, floating arrays or a structure of
    them, and a function that gets the gradient of the value, in its structure, and returns one gradient, or None, for
    each positional argument (a single one needs no tuple).  What is no array, and keywords, are constants.
    The stated gradient has a gradient itself if it is made of operations with gradients.
    Raises TypeError where `function` returns no such pair, or reads an array that is being differentiated and is no
    argument of it; ValueError for gradients of another number or shape than the arguments.

    >>> @nd.custom_gradient
    ... def clipped(x):  # the gradient of the identity, at most 1
    ...     return x, lambda g: nd.clip(g, -1.0, 1.0)
    >>> nd.grad(lambda x: nd.sum(clipped(x) * 5.0))(nd.asarray([3.0]))
    array([1.], dtype=float64)
    """
    check_function("custom_gradient", function)

    @functools.wraps(function)
    def evaluate(*args: Any, **keywords: Any) -> Any:
        kept: list[Any] = []

        def forward(*operands: Any) -> Any:
            value, pull = stated(function(*operands, **keywords))
            kept[:] = [leaves_of(list(operands)), value, pull]
            return value

        def gradients(operands: tuple[Any, ...], g: Callable[[Any], Any]) -> list[Any]:
            items = leaves_of(list(operands))
            if any(x is not y for x, y in zip(items, kept[0], strict=True)):  # on the tape, or in another batch
                forward(*operands)
            _, value, pull = kept
            return given_back(pull(g(value)), operands)

        return recorded_call("custom_gradient", forward, gradients, args)

    return evaluate


def checkpoint(function: Callable[..., Any], /) -> Callable[..., Any]:
    """`function`, whose gradient computes what it needs again and keeps only the arguments and the value in memory.

    function: takes arrays and structures of them, returns a floating array or a structure of them; it must give the
    same value when it is called again.  It may draw from `nd4py.random`, which then draws the same numbers again, and
    from no generator of the caller's.  What is no array, and keywords, are constants.
    It is evaluated once more for each gradient: about half more time for a chain whose blocks are checkpoints.
    Raises TypeError where it reads an array that is being differentiated and is no argument of it.

    >>> block = nd.checkpoint(lambda x: nd.sin(nd.sin(nd.sin(x))))
    >>> nd.grad(lambda x: nd.sum(block(x)))(nd.asarray([0.0]))
    array([1.], dtype=float64)
    """
    check_function("checkpoint", function)

    @functools.wraps(function)
    def evaluate(*args: Any, **keywords: Any) -> Any:
        drawn_from = get_state()

        def forward(*operands: Any) -> Any:
            return function(*operands, **keywords)

        def gradients(operands: tuple[Any, ...], g: Callable[[Any], Any]) -> list[Any]:
            chosen = [i for i, x in enumerate(leaves_of(list(operands))) if is_array(x) and is_floating(x)]
            items = leaves_of(list(operands))

            def of_chosen(*arrays: Any) -> Any:
                filled = list(items)
                for i, x in zip(chosen, arrays, strict=True):
                    filled[i] = x
                return forward(*with_leaves(list(operands), filled))

            now = get_state()
            set_state(drawn_from)
            try:
                pulled = pulled_once("checkpoint", of_chosen, [items[i] for i in chosen], g)
            finally:
                set_state(now)
            found = dict(zip(chosen, pulled, strict=True))
            return [found.get(i) for i in range(len(items))]

        return recorded_call("checkpoint", forward, gradients, args)

    return evaluate


def recorded_call(
    who: str,
    forward: Callable[..., Any],
    gradients: Callable[[tuple[Any, ...], Callable[[Any], Any]], list[Any]],
    args: tuple[Any, ...],
) -> Any:
    """The value of `forward` on the tape as one operation.

    gradients(operands, g): one gradient, or None, for each item of the operands; `g(value)` is the value's gradient
    """
    items = leaves_of(list(args))
    if not any(is_array(x) and node_of(x) is not None for x in items):
        return forward(*args)
    structure: list[Any] = []

    def run(*arrays: Any) -> tuple[NDArray, ...]:
        value = forward(*with_leaves(list(args), arrays))
        structure[:] = [value]
        results = tuple(leaves_of(value))
        for y in results:
            check_closed(who, y)
        return results

    def pull(pieces: list[Any], arrays: tuple[Any, ...], outputs: Any, attributes: Any) -> list[Any]:
        def g(value: Any) -> Any:
            pairs = zip(leaves_of(value), pieces, strict=True)
            return with_leaves(value, [filled_beside(y, y.shape, y.dtype, 0) if p is None else p for y, p in pairs])

        return gradients(tuple(with_leaves(list(args), arrays)), g)

    results = differentiable_results(pull)(run)(*items)
    return with_leaves(structure[0], results)


def check_closed(who: str, y: Any) -> None:
    """Raises TypeError unless a result is an array that depends on arguments alone."""
    if not is_array(y):
        raise TypeError(f"{who}: the function must return arrays and structures of them, given {type_name(y)}")
    if node_of(y) is not None:
        raise TypeError(
            f"{who}: the function reads an array that is being differentiated and is no argument of it, so that its "
            "gradient would be lost; pass it as an argument, or nd4py.stop_gradient(x)"
        )


def stated(result: Any) -> tuple[Any, Callable[..., Any]]:
    """What a function with a gradient of its own returned.  Raises TypeError where that is no such pair."""
    if not isinstance(result, tuple) or len(result) != 2 or not callable(result[1]):
        raise TypeError(
            "custom_gradient: the function must return a pair of its value and a function for the gradient, "
            f"given {type_name(result)}"
        )
    return result


def given_back(gradients: Any, operands: tuple[Any, ...]) -> list[Any]:
    """The stated gradients for all items of the arguments.  Raises ValueError where they do not fit."""
    each = (gradients,) if len(operands) == 1 and not isinstance(gradients, tuple) else gradients
    if not isinstance(each, tuple | list) or len(each) != len(operands):
        count = len(each) if isinstance(each, tuple | list) else 1
        raise ValueError(f"custom_gradient: given {count} gradients for {len(operands)} arguments; give one for each")
    found: list[Any] = []
    for g, x in zip(each, operands, strict=True):
        items = leaves_of(x)
        pieces = [None] * len(items) if g is None else leaves_of(g)
        if len(pieces) != len(items):
            raise ValueError(f"custom_gradient: a gradient has {len(pieces)} arrays, its argument {len(items)}")
        found += [fitting(piece, item) for piece, item in zip(pieces, items, strict=True)]
    return found


def fitting(piece: Any, x: Any) -> Any:
    """A stated gradient as an array like its argument; None where there is none."""
    if piece is None or not is_array(x):
        return None
    array = asarray(piece)
    if array.shape != x.shape:
        raise ValueError(f"custom_gradient: a gradient has shape {array.shape}, its argument {x.shape}")
    return array.astype(x.dtype, copy=False)
