"""Elements chosen from several arrays: choose, select and piecewise."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..._core.array.array import NDArray
from ..._core.array.released import type_name
from ..._core.dtype import DType
from ..._core.whole_numbers import items
from ..._exec.autodiff.nodes import is_array
from ..._exec.concat import any_array, as_array
from ..._exec.device.placement import filled_beside
from ..arguments import into, tells_its_name
from ..creation.data_types import result_type
from ..elementwise.elementwise import equal, logical_not, logical_or, where
from ..manipulation.manipulation import broadcast_shapes
from ..operands import beside
from .flat_positions import inside

__all__ = ["choose", "piecewise", "select"]

SCALARS = (bool, int, float, complex)


@tells_its_name
def choose(a: Any, choices: Sequence[Any], out: NDArray | None = None, mode: str = "raise") -> NDArray:
    """From the array number `a` of `choices` each element, all broadcast together.

    mode: what to do with numbers outside: "raise" an error, "wrap" around, or "clip" them.  out: takes the result.
    Raises ValueError for numbers outside, no choices, or shapes that do not broadcast, TypeError for numbers that are
    no integers.
    Returns an array of the common dtype of the choices.

    >>> nd.choose([0, 1, 0], [[1, 2, 3], [4, 5, 6]]).tolist()
    [1, 5, 3]
    """
    x = as_array(a)
    if x.dtype.kind not in "biu":
        raise TypeError(f"choose: needs integers, given {x.dtype}")
    listed = [item if isinstance(item, SCALARS) else as_array(item)
              for item in (choices if is_array(choices) else items("choose: choices", choices))]  # fmt: skip
    if not listed:
        raise ValueError("choose: needs one choice at least")
    dtype = result_type(*listed)
    given = [beside(x, as_array(item)).astype(dtype, copy=False) for item in listed]
    numbers = inside(x.astype("int64", copy=False), len(given), mode, "choose")
    result = given[0]
    for i, item in enumerate(given[1:], 1):
        result = where(equal(numbers, i), item, result)
    if len(given) == 1:
        result = result.broadcast_to(broadcast_shapes(numbers.shape, result.shape)).copy()
    return into("choose", result, out)


def select(condlist: Sequence[Any], choicelist: Sequence[Any], default: Any = 0) -> NDArray:
    """From the first of `choicelist` whose condition holds each element, `default` where none does.

    condlist: arrays of bools, as many as choices; all broadcast together.
    Raises ValueError for different numbers of them, or none, TypeError for conditions that are no bools.
    Returns an array of the common dtype of the choices and the default.

    >>> x = nd.arange(5)
    >>> nd.select([x < 2, x > 2], [x, x * 10], -1).tolist()
    [0, 1, -1, 30, 40]
    """
    conditions = [as_array(item) for item in items("select: condlist", condlist)]
    choices = [
        item if isinstance(item, SCALARS) else any_array(item) for item in items("select: choicelist", choicelist)
    ]
    if len(conditions) != len(choices) or not conditions:
        raise ValueError(f"select: {len(conditions)} conditions for {len(choices)} choices; give one for each")
    for condition in conditions:
        if condition.dtype.kind != "b":
            raise TypeError(f"select: conditions must be bools, given {condition.dtype}")
    last: Any = default if isinstance(default, SCALARS) else as_array(default)
    dtype = result_type(*choices, last)
    shape = broadcast_shapes(*(x.shape for x in (*conditions, *choices, last) if not isinstance(x, SCALARS)))
    result = scalar_beside(conditions[0], dtype, last) if isinstance(last, SCALARS) else last.astype(dtype)
    for condition, choice in reversed(list(zip(conditions, choices, strict=True))):
        item = scalar_beside(condition, dtype, choice) if isinstance(choice, SCALARS) else choice
        result = where(condition, item.astype(dtype, copy=False), result)
    return result if result.shape == shape else result.broadcast_to(shape).copy()


def scalar_beside(x: NDArray, dtype: DType, value: Any) -> NDArray:
    """A number as an array without axes where `x` is."""
    return filled_beside(x, (), dtype, value)


def piecewise(x: Any, condlist: Any, funclist: Sequence[Callable[..., Any] | Any], *args: Any, **kw: Any) -> NDArray:
    """A function that is put together of pieces: `funclist[i](x[condlist[i]], ...)` where condition i holds.

    funclist: functions or numbers, one for each condition, and one more for where none holds (else 0); of conditions
    that hold together the last counts.  args and kw go to the functions.
    Raises ValueError for another number of them, or a condition of another shape.
    Returns an array of the shape and dtype of `x`.

    >>> nd.piecewise(nd.asarray([-2.0, 3.0]), [[True, False], [False, True]], [lambda x: -x, 7]).tolist()
    [2.0, 7.0]
    """
    x = as_array(x)
    functions = items("piecewise: funclist", funclist)
    conditions = conditions_of(x, condlist)
    if len(functions) == len(conditions) + 1:
        covered = conditions[0] if conditions else filled_beside(x, x.shape, "bool", False)
        for condition in conditions[1:]:
            covered = logical_or(covered, condition)
        conditions.append(logical_not(covered))
    elif len(functions) != len(conditions):
        raise ValueError(
            f"piecewise: {len(functions)} functions for {len(conditions)} conditions; give as many, or one more"
        )
    result = filled_beside(x, x.shape, x.dtype, 0)
    for condition, function in zip(conditions, functions, strict=True):
        result = with_piece(result, x, condition, function, args, kw)
    return result


def conditions_of(x: NDArray, condlist: Any) -> list[NDArray]:
    """The conditions, each of the shape of `x`; one that is given alone counts as a list of one."""
    given = list(condlist) if is_array(condlist) and condlist.ndim else condlist
    given = [given] if isinstance(given, SCALARS) or is_array(given) else list(items("piecewise: condlist", given))
    is_single = bool(given) and not isinstance(given[0], list | tuple) and not getattr(given[0], "ndim", 0)
    if is_single and x.ndim:
        given = [given]
    conditions = [beside(x, as_array(item)).astype("bool", copy=False) for item in given]
    for condition in conditions:
        if condition.shape != x.shape:
            raise ValueError(f"piecewise: a condition has the shape {condition.shape}, x has {x.shape}")
    return conditions


def with_piece(
    result: NDArray, x: NDArray, condition: NDArray, function: Any, args: tuple[Any, ...], kw: dict[str, Any]
) -> NDArray:
    """`result` with one piece in it; written in place where no gradient is asked for."""
    if not callable(function):
        if isinstance(function, str | bytes | list | dict):
            raise TypeError(f"piecewise: needs functions or numbers, given {type_name(function)}")
        return where(condition, filled_beside(x, (), x.dtype, function), result)
    part = x[condition]
    if not part.size:
        return result
    values = as_array(function(part, *args, **kw)).astype(x.dtype, copy=False)
    if values.node is None and result.node is None:
        result[condition] = values
        return result
    positions = condition.reshape(-1).astype("int64").cumsum(0).reshape(x.shape) - 1
    spread = values.broadcast_to(part.shape)[where(condition, positions, filled_beside(x, (), "int64", 0))]
    return where(condition, spread, result)
