"""The methods of NumPy's universal functions: `nd.add.reduce` and its like, for the rows of the table.

Design: sums, products and extremes are the reductions and scans of the table.  Other functions that may be applied in
any order are applied to halves of the axis, or at growing distances along it: log2(n) calls.  What depends on the order
(powers, remainders) is a call for each slice of the axis, as few programs ask for it.
"""

from __future__ import annotations

from typing import Any

from ..._core.annotations import Axes, DTypeLike
from ..._core.array.array import NDArray
from ..._core.layout.shape import normalize_axis
from ..._exec.concat import as_array
from ..._exec.device.placement import filled_beside
from ..._exec.pairwise import by_halves, in_order, running
from ..._spec.ops import OPS
from ..creation.data_types import DType, iinfo, result_type
from ..manipulation.manipulation import concat
from ..operands import axes_of, without_axes
from ..reductions import reductions, scans
from .elementwise import not_equal
from .elementwise import where as choose
from .joined_bits import BITWISE, has_loop, joined_bits

__all__: list[str] = []

ROWS = {op.name: op for op in OPS if op.is_universal}
# The reductions and scans of the table that stand for a method of a function.
OF_TABLE = {op.ufunc: op.name for op in OPS if op.ufunc}
EXTREMES = {"fmax": "nanmax", "fmin": "nanmin"}
SCANS = {"maximum": "cumulative_max", "minimum": "cumulative_min", "logaddexp": "log_cumulative_sum_exp"}
EXTREMES_OF_COMPLEX = ("maximum", "minimum")
# What a function undoes, element by element: x1 - x2 - x3 is x1 - (x2 + x3).
INVERSES = {"subtract": ("sum", "cumulative_sum"), "divide": ("prod", "cumulative_prod")}
# The rows that join all elements as a function does, and take what it takes.
REDUCTIONS = {name: row for name in ROWS if (row := OF_TABLE.get(f"{name}.reduce") or EXTREMES.get(name))}
IN_ANY_ORDER = {name for name, op in ROWS.items() if op.neutral is not None} | {"fmax", "fmin", "lcm"}


def with_two_operands(function: Any, method: str) -> str:
    """The name of a function that joins two numbers.  Raises TypeError for one of a single operand."""
    name: str = function.__name__
    if function.nin != 2:
        raise TypeError(f"{name}.{method}: {name} takes one operand; {method} joins the elements by two")
    return name


def check_repeatable(name: str, method: str) -> None:
    """Raises TypeError for a comparison, whose result is no operand of it."""
    if ROWS[name].result == "bool" and not name.startswith("logical_"):
        raise TypeError(f"{name}.{method}: {name} makes bools of numbers, which it cannot compare with the next number")


def alone(function: Any, x: NDArray) -> NDArray:
    """What is joined with nothing else, in the dtype of the function's results."""
    none = x.reshape(-1)[:0]
    return x.astype(function(none, none).dtype)


def prepared(name: str, x: Any, dtype: DTypeLike | None) -> NDArray:
    """`x` as an array of a dtype; truth values for the functions of logic."""
    array = as_array(x) if dtype is None else as_array(x).astype(dtype)
    return not_equal(array, False) if name.startswith("logical_") and array.dtype != "bool" else array


def neutral_of(name: str, dtype: DType) -> Any:
    """What leaves every element of a dtype as it is, or None."""
    neutral = ROWS[name].neutral
    if neutral == -1 and dtype.kind in "bu":  # all bits
        return dtype.kind == "b" or iinfo(dtype).max
    return neutral


def stored(result: NDArray, out: NDArray | None) -> NDArray:
    """The result, in `out` where there is one.  Raises ValueError for one of another shape."""
    if out is None:
        return result
    if out.shape != result.shape:
        raise ValueError(f"out has shape {out.shape}, the result {result.shape}")
    out[...] = result
    return out


def reduce(
    function: Any,
    x: Any,
    /,
    axis: Axes = 0,
    dtype: DTypeLike | None = None,
    out: NDArray | None = None,
    keepdims: bool = False,
    initial: Any = None,
    where: Any = True,
) -> NDArray:
    """All elements along `axis` (an int, a tuple, or None for all axes) joined by a function, as NumPy's
    `add.reduce` does.

    initial: what they are joined with besides.    where: a mask of the elements to take.
    Raises TypeError for comparisons, ValueError for no elements where the function has no neutral one, for a mask
    without `initial` there, and for several axes where the order of the elements matters.
    """
    name = with_two_operands(function, "reduce")
    if dtype is None and out is None and initial is None and where is True:
        x = as_array(x)
        if name in REDUCTIONS and x.ndim:
            found: NDArray = getattr(reductions, REDUCTIONS[name])(x, axis=axis, keepdims=keepdims)
            return found
        if name in BITWISE and x.ndim == 1 and axis == 0 and has_loop(name, x, 0):
            return joined_bits(name, x, 0, False).reshape((1,) if keepdims else ())
    x = prepared(name, x, dtype)
    axes = () if x.ndim == 0 and axis in (0, -1) else axes_of(f"{name}.reduce", axis, x.ndim)
    if where is not True:
        filling = initial if (neutral := neutral_of(name, x.dtype)) is None else neutral
        if filling is None:
            raise ValueError(f"{name}.reduce: no number leaves the others as they are; where= needs initial=")
        x = choose(where, x, filling)
    if initial is None:
        result = joined(function, x, axes)
    elif ROWS[name].neutral is None and any(x.shape[i] == 0 for i in axes):
        shape = tuple(1 if i in axes else n for i, n in enumerate(x.shape))
        result = filled_beside(x, shape, result_type(x, initial), initial)
    else:
        result = function(initial, joined(function, x, axes))
    if not keepdims:
        result = result.reshape(without_axes(x.shape, axes, False))
    return stored(result, out)


def joined(function: Any, x: NDArray, axes: tuple[int, ...]) -> NDArray:
    """All elements along axes joined by a function; the axes stay, with size 1."""
    name = function.__name__
    row = REDUCTIONS.get(name)
    if row is not None:
        result: NDArray = getattr(reductions, row)(x, axis=axes, keepdims=True)
        return result
    if not axes and not (name in IN_ANY_ORDER and neutral_of(name, x.dtype) is not None):
        return x.copy()
    if name in INVERSES:
        if len(axes) != 1 or x.shape[axes[0]] == 0:
            raise ValueError(f"{name}.reduce: needs one axis with elements, given axes {axes} of shape {x.shape}")
        first, rest = (x[(slice(None),) * axes[0] + (part,)] for part in (slice(0, 1), slice(1, None)))
        undone = getattr(reductions, INVERSES[name][0])(rest, axis=axes[0], keepdims=True, dtype=x.dtype)
        return function(first, undone)
    if name not in IN_ANY_ORDER:
        check_repeatable(name, "reduce")
        if len(axes) != 1 or x.shape[axes[0]] == 0:
            raise ValueError(f"{name}.reduce: needs one axis with elements, given axes {axes} of shape {x.shape}")
        *_, last = in_order(function, x, axes[0])
        return last if x.shape[axes[0]] > 1 else alone(function, last)
    for i in axes:
        x = joined_bits(name, x, i, False) if has_loop(name, x, i) else halved(function, x, i)
    return x


def halved(function: Any, x: NDArray, axis: int) -> NDArray:
    """The elements along an axis joined by halves: n / 2 pairs, then the pairs of these."""
    neutral = neutral_of(function.__name__, x.dtype)
    if x.shape[axis] == 0:
        if neutral is None:
            raise ValueError(f"{function.__name__}.reduce: no elements along axis {axis} of shape {x.shape}")
        shape = (*x.shape[:axis], 1, *x.shape[axis + 1 :])
        return filled_beside(x, shape, function(x, x).dtype, neutral)
    if x.shape[axis] == 1 and neutral == 0 and x.dtype.kind != "b":  # of which a single element becomes its magnitude
        return function(x, neutral)
    found: NDArray = by_halves(function, x, axis, concat)
    return found


def accumulate(
    function: Any, x: Any, /, axis: int = 0, dtype: DTypeLike | None = None, out: NDArray | None = None
) -> NDArray:
    """The running results of a function along `axis`, as NumPy's `add.accumulate` gives them.

    Raises TypeError for comparisons, ValueError for a wrong axis.
    """
    name = with_two_operands(function, "accumulate")
    x = prepared(name, x, dtype)
    axis = normalize_axis(axis, x.ndim)
    scan = OF_TABLE.get(f"{name}.accumulate") or SCANS.get(name)
    if scan is not None and not (name in EXTREMES_OF_COMPLEX and x.dtype.kind == "c"):  # no loop knows their order
        return stored(getattr(scans, scan)(x, axis=axis), out)
    if name in INVERSES:
        first, rest = (x[(slice(None),) * axis + (part,)] for part in (slice(0, 1), slice(1, None)))
        undone = function(first, getattr(scans, INVERSES[name][1])(rest, axis=axis, dtype=x.dtype))
        return stored(concat([first, undone], axis), out)
    if name not in IN_ANY_ORDER:
        check_repeatable(name, "accumulate")
        if x.shape[axis] == 0:
            return stored(alone(function, x), out)
        first, *later = in_order(function, x, axis)
        return stored(concat([alone(function, first), *later], axis), out)
    if has_loop(name, x, axis):
        return stored(joined_bits(name, x, axis, True), out)
    return stored(running(function, x, axis, concat), out)


def outer(function: Any, x1: Any, x2: Any, /, **keywords: Any) -> NDArray:
    """A function of each element of `x1` with each of `x2`, of shape x1.shape + x2.shape, as NumPy's `add.outer`.

    Keywords are those of the function.  Raises TypeError for a function of one operand, and as the function does.
    """
    with_two_operands(function, "outer")
    x1, x2 = as_array(x1), as_array(x2)
    result: NDArray = function(x1.reshape(x1.shape + (1,) * x2.ndim), x2, **keywords)
    return result
