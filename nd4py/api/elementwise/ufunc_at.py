"""`nd.add.at` and its like: functions applied in place at indices, as often as each occurs."""

from __future__ import annotations

from functools import cache
from typing import Any

from ..._core.array.array import NDArray
from ..._core.dtype import ALL_DTYPES
from ..._exec.concat import as_array
from ..._exec.dispatch.row_table import row_number
from ..._exec.indexing.indexing import join_to_elements
from ..._spec.ops import OPS
from ..creation.data_types import can_cast, result_type
from ..indexing.index_add import index_add
from ..manipulation.manipulation import concat
from ..operands import numbers_beside
from ..reductions import reductions, scans
from ..sorting.sorting import argsort
from .elementwise import negative, subtract
from .elementwise import where as choose

__all__: list[str] = []

ROWS = {op.name: op for op in OPS if op.is_universal}
WRAPPING = ("add", "subtract", "multiply")  # which give the same numbers where the values are converted first


def at(function: Any, x: NDArray, indices: Any, values: Any = None, /) -> None:
    """Write function(x, values) to `x` at indices; one that is repeated takes part each time, as in NumPy's `add.at`.

    Functions with a loop for the dtype of `x` take one pass.  Others sort the indices, and take as many passes as the
    most frequent one occurs.
    Raises TypeError without values for a function of two operands, IndexError and ValueError as assignments do.
    """
    name: str = function.__name__
    if not isinstance(x, NDArray):
        raise TypeError(f"{name}.at: needs an nd4py array to write to, given {x!r}")
    if (values is None) != (function.nin == 1):
        raise TypeError(f"{name}.at: {name} takes {function.nin} operands, values {'' if values is None else 'too'}")
    given = None if values is None else as_array(values)
    row = joining_row(name, x.dtype.number)
    if given is not None and row is not None and fits(name, given, values, x):
        join_to_elements(row, x, indices, given if given.dtype is x.dtype else given.astype(x.dtype))
        return
    flat = numbers_beside(x, 0, x.size).reshape(x.shape)[indices]
    given = None if given is None else given.broadcast_to(flat.shape).reshape(-1)
    order = argsort(flat.reshape(-1))
    where = flat.reshape(-1)[order]
    if where.size == 0:
        return
    ordered = None if given is None else given[order]
    turns = occurrences(where)
    if ordered is not None and name in ("add", "subtract"):
        add_groups(function, x, where, turns == 0, ordered)
        return
    for turn in range(int(reductions.max(turns)) + 1):
        is_next = turns == turn
        place = coordinates(where[is_next], x.shape)
        x[place] = function(x[place]) if ordered is None else function(x[place], ordered[is_next])


@cache
def joining_row(name: str, number: int) -> int | None:
    """The row of a function that has a loop for the dtype of a number, with results of that dtype; None without."""
    row, dtype = ROWS[name], ALL_DTYPES[number].name
    is_for_it = not row.is_wrapped and dtype in row.types and row.result == ("bool" if dtype == "bool" else "same")
    return row_number(name) if is_for_it else None


def fits(name: str, given: NDArray, values: Any, x: NDArray) -> bool:
    """Whether `values`, as an array `given`, may be converted to the dtype of `x` before they are joined to it."""
    if given.dtype is x.dtype:
        return True
    if name in WRAPPING:
        return can_cast(given.dtype, x.dtype, "same_kind")
    return bool(result_type(x, values if isinstance(values, int | float) else given) == x.dtype)


def add_groups(function: Any, x: NDArray, where: NDArray, is_first: NDArray, values: NDArray) -> None:
    """Add to `x`, or subtract, the values at ascending places, of which `is_first` says where another one begins."""
    place = coordinates(where[is_first], x.shape)
    groups = subtract(scans.cumulative_sum(is_first, axis=0), 1)
    values = values.astype(x.dtype) if can_cast(values.dtype, x.dtype, "same_kind") else values
    x[place] = index_add(x[place], groups, values if function.__name__ == "add" else negative(values))


def occurrences(ascending: NDArray) -> NDArray:
    """How many equal elements stand before each in an ascending row."""
    positions = numbers_beside(ascending, 0, ascending.size)
    is_first = concat([positions[:1] == 0, ascending[1:] != ascending[:-1]])
    return subtract(positions, scans.cumulative_max(choose(is_first, positions, 0), axis=0))


def coordinates(flat: NDArray, shape: tuple[int, ...]) -> tuple[NDArray, ...]:
    """The index along each axis of elements that are numbered in C order."""
    found: list[NDArray] = []
    for n in reversed(shape):
        found.append(flat % n)
        flat = flat // n
    return tuple(reversed(found)) if found else (Ellipsis,)  # type: ignore[return-value]
