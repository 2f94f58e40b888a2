"""vmap: a function of one example as a function of many, which are computed at once."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy

from ..._core.array.array import NDArray
from ..._core.array.released import type_name
from ..._core.layout.shape import normalize_axis
from ..._core.whole_numbers import is_whole
from ..._exec.autodiff.nodes import depth, enter_batch, is_array, leave_batch, memory_of
from ..._exec.batching import batch_backend
from ..._exec.batching.batched_array import BatchedArray, batched
from ..._exec.batching.open_batches import Batch, NoBatchRule
from ..creation.creation import asarray
from ..manipulation.manipulation import moveaxis, stack
from .gradients import check_function
from .structures import parts_of, rebuilt, with_parts

__all__ = ["vmap"]

Place = Callable[[Any, Any], Any]
FAMILY = batch_backend.family


def vmap(function: Callable[..., Any], in_axes: Any = 0, out_axes: Any = 0) -> Callable[..., Any]:
    """A function that computes `function` for many examples at once.

    function: takes arrays of one example, also in nested tuples, lists, dicts and dataclasses, and returns such.
    in_axes: where the examples lie in each argument: an axis for all, or a tuple with an axis, None (the argument is
    the same for all), or a structure of these for each.  Arguments given by name have them along their first axis.
    out_axes: the axis of the results along which they are to lie, or a structure of axes; None for a result that is
    the same for all.
    The result is that of calling `function` for each example and stacking, as far as rounding goes; operations run once
    for all.  Where one has no rule for that, `function` is called for each example, which takes longer; so it must not
    count its calls.  vmap may be used inside vmap, inside `grad` and around it.
    Inside, values cannot be looked at: `if x > 0`, `float(x)` and the like raise TypeError, use `where`.
    Raises ValueError where arguments have different numbers of examples or results differ in shape, TypeError for an
    argument that has no axis.
    """
    check_function("vmap", function)

    @functools.wraps(function)
    def evaluate(*args: Any, **keywords: Any) -> Any:
        operands = Operands(in_axes, args, keywords)
        try:
            with opened(operands.size) as batch:
                operands.batch = batch
                result = function(*operands.of_batch(), **operands.named_of_batch())
                return shaped(result, out_axes, lambda y, axis: result_of(y, axis, batch, operands.owners()))
        except (NoBatchRule, TypeError) as error:
            if isinstance(error, TypeError) and BatchedArray.__name__ not in str(error):
                raise
        return example_by_example(function, operands, out_axes)

    return evaluate


class Operands:
    """The arguments of one call, the examples of each along its first axis."""

    def __init__(self, in_axes: Any, args: tuple[Any, ...], keywords: dict[str, Any]) -> None:
        axes = in_axes if isinstance(in_axes, tuple | list) else (in_axes,) * len(args)
        if len(axes) != len(args):
            raise ValueError(f"vmap: in_axes has {len(axes)} entries, the function was given {len(args)} arguments")
        self.sizes: list[int] = []
        self.batch: Batch | None = None
        self.args = [shaped(x, axis, self.examples) for x, axis in zip(args, axes, strict=True)]
        self.keywords = {name: shaped(x, 0, self.examples) for name, x in keywords.items()}
        if not self.sizes:
            raise ValueError("vmap: no argument has examples; one entry of in_axes must be an axis")
        self.size = self.sizes[0]
        if any(size != self.size for size in self.sizes):
            raise ValueError(f"vmap: the arguments have {' and '.join(map(str, dict.fromkeys(self.sizes)))} examples")

    def examples(self, x: Any, axis: Any) -> Any:
        """An argument, or the examples that lie along an axis of it."""
        if axis is None or x is None:
            return x
        if not is_whole(axis):
            raise ValueError(f"vmap: an axis must be an int or None, given {axis!r}")
        if not is_array(x) and not isinstance(x, numpy.ndarray | NDArray):
            raise TypeError(f"vmap: {type_name(x)} has no axis of examples; pass None for it in in_axes")
        array = asarray(x)
        if array.ndim == 0:
            raise ValueError("vmap: an array without dimensions has no axis of examples; pass None for it in in_axes")
        lying = moveaxis(array, normalize_axis(axis, array.ndim), 0)
        self.sizes.append(lying.shape[0])
        return Examples(lying)

    def of_batch(self) -> list[Any]:
        """The arguments as arrays of the batch."""
        return [rebuilt(x, self.in_batch) for x in self.args]

    def named_of_batch(self) -> dict[str, Any]:
        """Those given by name."""
        return {name: rebuilt(x, self.in_batch) for name, x in self.keywords.items()}

    def in_batch(self, x: Any) -> Any:
        """An argument as an array of the batch."""
        return batched(x.values, self.batch) if isinstance(x, Examples) else x

    def of_example(self, i: int) -> tuple[list[Any], dict[str, Any]]:
        """The arguments, and those given by name, of one example."""

        def chosen(x: Any) -> Any:
            return x.values[i] if isinstance(x, Examples) else x

        return [rebuilt(x, chosen) for x in self.args], {name: rebuilt(x, chosen) for name, x in self.keywords.items()}

    def owners(self) -> list[Any]:
        """What owns the memory of the arguments, which results must not lie in."""
        found: list[Any] = []

        def noted(x: Any) -> Any:
            values = x.values if isinstance(x, Examples) else x
            if is_array(values):
                found.append(owner_of(values))
            return x

        for x in (*self.args, *self.keywords.values()):
            rebuilt(x, noted)
        return found


class Examples:
    """All examples of an argument, along the first axis."""

    __slots__ = ("values",)

    def __init__(self, values: Any) -> None:
        self.values = values


def owner_of(x: Any) -> Any:
    """What owns the memory of an array; None for one that cannot be written."""
    while type(x) is BatchedArray:
        x = x.value
    return memory_of(x)


@contextmanager
def opened(size: int) -> Iterator[Batch]:
    """A batch that this thread is inside of."""
    token = enter_batch()
    batch = Batch(size, depth())
    try:
        yield batch
    finally:
        leave_batch(token)
        batch.is_open = False


def result_of(y: Any, axis: Any, batch: Batch, owners: list[Any]) -> Any:
    """A result with its examples along an axis; memory of its own."""
    if y is None:
        return None
    if axis is not None and not is_whole(axis):
        raise ValueError(f"vmap: an axis must be an int or None, given {axis!r}")
    mine = type(y) is BatchedArray and y.batch is batch
    if axis is None:
        if mine:
            raise ValueError("vmap: out_axes is None for a result that differs from example to example; give an axis")
        return y
    values = y.value if mine else repeated(y, batch.size)
    owner = owner_of(values)
    if owner is None or any(owner is other for other in owners):
        values = values.copy()
    return moveaxis(values, 0, normalize_axis(axis, values.ndim))


def repeated(y: Any, size: int) -> Any:
    """A result that is the same for all examples, once for each."""
    if not is_array(y) and not isinstance(y, int | float | complex | numpy.ndarray | numpy.generic):
        raise TypeError(f"vmap: the function must return arrays and structures of them, given {type_name(y)}")
    array = asarray(y)
    return array.broadcast_to((size, *array.shape))


def example_by_example(function: Callable[..., Any], operands: Operands, out_axes: Any) -> Any:
    """The results for each example, stacked.  Raises ValueError where they differ in shape or structure."""
    found = []
    for i in range(operands.size):
        args, keywords = operands.of_example(i)
        found.append(function(*args, **keywords))
    if not found:
        raise ValueError("vmap: without examples, an operation that has no rule for a batch has no result")
    return stacked(found, out_axes)


def stacked(found: list[Any], axes: Any) -> Any:
    """Results of all examples, of one structure, as one."""
    leaves: list[list[Any]] = [[] for _ in found]
    for items, result in zip(leaves, found, strict=True):
        rebuilt(result, lambda y, items=items: items.append(y))  # type: ignore[misc]
    if any(len(items) != len(leaves[0]) for items in leaves):
        raise ValueError("vmap: the function returned different structures for different examples")
    columns = zip(*leaves, strict=True)

    def column(y: Any, axis: Any) -> Any:
        items = next(columns)
        if y is None:
            return None
        arrays = [asarray(item) for item in items]
        if any(x.shape != arrays[0].shape for x in arrays):
            raise ValueError(f"vmap: results have shapes {arrays[0].shape} and others, by example; they must be alike")
        return arrays[0] if axis is None else stack(arrays, axis)

    return shaped(found[0], axes, column)


def shaped(tree: Any, axes: Any, place: Place) -> Any:
    """A structure with every item changed by `place(item, its axis)`; one axis holds for all that lies below it.

    Raises ValueError where the structure of axes is another one.
    """
    parts = parts_of(tree)
    if parts is None:
        if axes is not None and not is_whole(axes):
            raise ValueError(f"vmap: one axis is needed for {type_name(tree)}, given {axes!r}")
        return place(tree, axes)
    if axes is None or is_whole(axes):
        below = dict.fromkeys(parts, axes)
    else:
        below = parts_of(axes) or {}
        if below.keys() != parts.keys():
            raise ValueError(
                f"vmap: the axes {axes!r} do not have the structure of a {type(tree).__name__} with {list(parts)}"
            )
    return with_parts(tree, {key: shaped(x, below[key], place) for key, x in parts.items()})
