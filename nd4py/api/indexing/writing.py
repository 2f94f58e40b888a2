"""NumPy's functions that write to an array: copyto, fill_diagonal, place, put and putmask.

All of them assign to `x[key]`: values are converted as there, and an array that is read-only or being differentiated
is refused.
"""

from __future__ import annotations

from typing import Any

from ..._core.annotations import Operand
from ..._core.array.array import NDArray
from ..._core.array.released import type_name
from ..._core.whole_numbers import named
from ..._exec.autodiff.nodes import is_array
from ..._exec.concat import as_array
from ..arguments import is_traced, tells_its_name
from ..creation.data_types import can_cast
from ..elementwise.elementwise import remainder
from ..elementwise.elementwise import where as choose
from ..manipulation.editing import resize
from ..operands import beside, numbers_beside
from .flat_positions import MODES, inside, unravel_index
from .nonzero import flatnonzero
from .take import integers, take

__all__ = ["copyto", "fill_diagonal", "place", "put", "putmask"]


def target(name: str, x: Any) -> NDArray:
    """An array to write to.  Raises TypeError for what is none."""
    if not is_array(x) and not hasattr(x, "is_attached"):
        raise TypeError(f"{name}: needs an array to write to, given {type_name(x)}")
    array: NDArray = x
    return array


def values_for(x: NDArray, values: Any) -> NDArray:
    """Values as a flat array beside `x`."""
    return beside(x, as_array(values)).reshape(-1)


def mask_for(name: str, x: NDArray, mask: Any) -> NDArray:
    """A mask as bools, one for each element of `x` in C order.  Raises ValueError for another number of them."""
    holds = beside(x, as_array(mask)).reshape(-1)
    if holds.size != x.size:
        raise ValueError(f"{name}: a mask of {holds.size} elements for an array of {x.size}")
    return holds if holds.dtype.kind == "b" else holds.astype("bool")


def write_at(x: NDArray, positions: NDArray, values: NDArray) -> None:
    """Write to the elements of `x` at positions in C order, whether they lie so or not."""
    if x.is_contiguous:
        x.reshape(-1)[positions] = values
    else:
        x[unravel_index(positions, x.shape)] = values


def put(a: NDArray, ind: Any, v: Any, mode: str = "raise") -> None:
    """Write values to the elements of `a` at positions in C order; too few values are repeated.

    ind: positions, integers; v: the values, flattened.
    mode: what to do with positions outside: "raise" an error, "wrap" around, or "clip" them.
    Raises IndexError for positions outside or that are no integers, ValueError for another mode or a read-only array,
    TypeError for complex values where elements are real.

    >>> x = nd.zeros(4)
    >>> nd.put(x, [0, -1], [5, 6])
    >>> x.tolist()
    [5.0, 0.0, 0.0, 6.0]
    """
    x = target("put", a)
    named("put: mode", mode, MODES)
    positions, values = beside(x, integers("put", ind)).reshape(-1), values_for(x, v)
    if not positions.size or not values.size:
        return
    if mode == "raise" and x.is_contiguous and x.size:
        x.reshape(-1)[positions] = values if values.size in (1, positions.size) else resize(values, positions.size)
        return
    if x.size == 0:
        raise IndexError("put: the array has no elements to write to")
    positions = positions if mode == "raise" else inside(positions.astype("int64"), x.size, mode, "put")
    if mode == "raise" and not x.is_contiguous:
        positions = beside(x, as_array(range(x.size)))[positions]  # counts from the end, and raises IndexError
    write_at(x, positions, values if values.size == 1 else resize(values, positions.size))


def place(arr: NDArray, mask: Any, vals: Any) -> None:
    """Write values one after the other to the elements of `arr` where the mask holds; too few are repeated.

    vals: the values, flattened.
    Raises ValueError for a mask of another number of elements, no values, or a read-only array, TypeError for
    complex values where elements are real.

    >>> x = nd.zeros(4)
    >>> nd.place(x, [True, False, True, True], [1, 2])
    >>> x.tolist()
    [1.0, 0.0, 2.0, 1.0]
    """
    x, values = target("place", arr), values_for(arr, vals)
    holds = mask_for("place", x, mask)
    if values.size == 1 and x.is_contiguous:
        x.reshape(-1)[holds] = values
        return
    positions = flatnonzero(holds)
    if not positions.size:
        return
    if not values.size:
        raise ValueError("place: no values to write")
    write_at(x, positions, values if values.size == 1 else resize(values, positions.size))


def putmask(a: NDArray, mask: Any, values: Any) -> None:
    """Write to the elements of `a` where the mask holds the values at their positions; too few values are repeated.

    Raises ValueError for a mask of another number of elements or a read-only array, TypeError for values of a higher
    kind.

    >>> x = nd.zeros(4)
    >>> nd.putmask(x, [True, False, True, True], [1, 2])
    >>> x.tolist()
    [1.0, 0.0, 1.0, 2.0]
    """
    x, given = target("putmask", a), values_for(a, values)
    holds = mask_for("putmask", x, mask)
    if not given.size:
        return
    if given.size == 1 and x.is_contiguous:
        x.reshape(-1)[holds] = given
        return
    if is_traced(holds):
        repeated = take(given.reshape(-1), numbers_beside(x, 0, x.size) % given.size)
        x[...] = choose(holds.reshape(x.shape), repeated.reshape(x.shape), x)
        return
    positions = flatnonzero(holds)
    if given.size > 1:
        given = take(given, positions if given.size >= x.size else remainder(positions, given.size))
    write_at(x, positions, given)


@tells_its_name
def copyto(dst: NDArray, src: Operand, casting: str = "same_kind", where: Any = True) -> None:
    """Write `src`, which broadcasts, to `dst`, or to those of its elements where a mask holds.

    casting: which conversions are allowed, as `can_cast` has it; "unsafe" allows those from a higher kind, such as
    floats to integers.
    Raises TypeError for a conversion that is not allowed, ValueError for shapes that do not broadcast or a read-only
    array.

    >>> x = nd.zeros(3)
    >>> nd.copyto(x, [1, 2, 3], where=[True, False, True])
    >>> x.tolist()
    [1.0, 0.0, 3.0]
    """
    x = target("copyto", dst)
    values: Any = src
    if not isinstance(src, int | float | complex) or casting != "same_kind":
        values = beside(x, as_array(src))
        if values.dtype is not x.dtype or casting != "same_kind":
            if not can_cast(values.dtype, x.dtype, casting):
                raise TypeError(f"copyto: {values.dtype} to {x.dtype} is no {casting} cast")
            values = values.astype(x.dtype, copy=False)
    if where is True:
        x[...] = values
        return
    mask = beside(x, as_array(where))
    if mask.dtype.kind != "b":
        raise TypeError(f"copyto: where must be a mask of bools, given {mask.dtype}")
    mask = mask.broadcast_to(x.shape)
    if is_traced(mask):
        x[...] = choose(mask, values, x)
        return
    x[mask] = values.broadcast_to(x.shape)[mask] if hasattr(values, "broadcast_to") and values.size > 1 else values


def fill_diagonal(a: NDArray, val: Any, wrap: bool = False) -> None:
    """Write values to the main diagonal of `a`, where all indices are equal; too few values are repeated.

    val: a number, or an array whose elements are taken in order.
    wrap: whether the diagonal of a tall matrix begins again below its end, after a row left out.
    Raises ValueError below two axes, for more than two of different sizes, and for a read-only array, TypeError for
    complex values where elements are real.

    >>> x = nd.zeros((2, 2))
    >>> nd.fill_diagonal(x, 3)
    >>> x.tolist()
    [[3.0, 0.0], [0.0, 3.0]]
    """
    x, values = target("fill_diagonal", a), values_for(a, val)
    if x.ndim < 2:
        raise ValueError(f"fill_diagonal: needs 2 dimensions or more, given shape {x.shape}")
    if x.ndim > 2 and len(set(x.shape)) > 1:
        raise ValueError(f"fill_diagonal: more than 2 dimensions must have one size, given shape {x.shape}")
    n_columns = x.shape[1]
    step = 1 + sum(x.shape[0] ** i for i in range(1, x.ndim)) if x.ndim > 2 else n_columns + 1
    end = x.size if wrap or x.ndim > 2 else min(x.size, n_columns * n_columns)
    n = -(-end // step)
    if n == 0:
        return
    if not values.size:
        raise ValueError("fill_diagonal: no values to write")
    values = values if values.size == 1 else resize(values, n)
    if x.is_contiguous:
        x.reshape(-1)[:end:step] = values
    else:
        write_at(x, beside(x, as_array(range(0, end, step))), values)
