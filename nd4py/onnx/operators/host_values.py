"""Small arrays that say how to compute, as Python's numbers: shapes, axes, sizes."""

from __future__ import annotations

from typing import Any


def whole_numbers(x: Any) -> list[int]:
    """The elements of an array of integers, in C order."""
    return [int(value) for value in x.reshape(-1).tolist()]


def one_number(x: Any) -> Any:
    """The only element of an array."""
    return x.reshape(()).item()


def own_axis(axis: int, n_axes: int) -> int:
    """`axis` counted from the front.  Raises ValueError where there is no such axis."""
    if not -n_axes <= axis < max(n_axes, 1):
        raise ValueError(f"axis {axis} of an array with {n_axes} axes")
    return axis + n_axes if axis < 0 else axis
