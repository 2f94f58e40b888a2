"""Indexing along one axis on devices.

Design: a backend takes slices along one axis, writes or adds to them, and selects by a mask (`by_backend`).  Where an
index may be out of range, it waits for the device before it writes, and raises IndexError late where it only reads.
"""

from __future__ import annotations

from math import prod
from typing import Any

from ..._core.annotations import Operand, Shape
from ..._core.array.array import NDArray
from ..._core.layout.layouts import dense
from ..._core.lazy_modules import LazyFunction
from ..._spec.dtypes import BY_NAME, DEFAULT_INT
from ..concat import join
from ..device.device_functions import apart_elsewhere, common_device, inverse_of, sizes_around, taken
from ..device.device_operations import broadcast_shapes, filled_beside, values_elsewhere, without_unit_axes
from ..device.placement import numbers_beside, to_device
from ..dispatch.by_backend import by_backend
from ..dispatch.dispatch import call
from ..dispatch.row_table import row_number
from .driver_table import argsort, take_along_last

WHERE = row_number("where")
FEW_INDICES = 1024  # that may be compared with each other before they are written by


def host_has_its_own(*_: object) -> Any:
    """In place of the host's function where only devices are asked."""
    raise AssertionError("only arrays on devices come here")


flat_positions = by_backend("flat_positions", host_has_its_own)
put_slices = by_backend("put_slices", host_has_its_own)
add_slices = by_backend("add_slices", host_has_its_own)
add_at = by_backend("add_at", host_has_its_own)
selected_by_mask = by_backend("selected", host_has_its_own)
write_selected = by_backend("write_selected", host_has_its_own)


def flat_nonzero_elsewhere(x: NDArray) -> NDArray:
    """The positions, in C order, of the elements of an array on a device that are not 0."""
    return flat_positions(dense(x if x.dtype.kind == "b" else x != 0).reshape(-1))


def nonzero_elsewhere(x: NDArray) -> tuple[NDArray, ...]:
    """The indices of the elements of an array on a device that are not 0, one for each axis, one for none."""
    return coordinates_of(flat_nonzero_elsewhere(x), x.shape)


flat_nonzero = by_backend("flat_nonzero", LazyFunction("nd4py.cpu.index.masks", "flat_nonzero"), flat_nonzero_elsewhere)
nonzero = by_backend("nonzero", LazyFunction("nd4py.cpu.index.masks", "nonzero"), nonzero_elsewhere)


def coordinates_of(flat: NDArray, shape: Shape) -> tuple[NDArray, ...]:
    """Positions in C order as one index for each axis."""
    if len(shape) <= 1:
        return (flat,)
    indices, step = [], prod(shape)
    for size in shape:
        step //= max(size, 1)
        indices.append(flat // max(step, 1) % max(size, 1))
    return tuple(indices)


# Numbers and values.


def numbers_from_front(index: NDArray, size: int, axis: int) -> NDArray:
    """int64 indices of an axis without negative numbers.  Raises IndexError for one out of range."""
    is_outside = (index < -size) | (index >= size)
    if is_outside.any():
        wrong = selected_by_mask(dense(index), is_outside)[0].item()
        raise IndexError(f"index {wrong} is out of range for axis {axis} of size {size}")
    return call(WHERE, (index < 0, index + size, index), (), None)


def index_beside(x: Any, index: Any) -> Any:
    """int64 indices where `x` is; those of the host are copied there.  Raises ValueError for another device."""
    given = to_device(index, x.device, None) if isinstance(index, NDArray) else index
    common_device("indexing", x, given)
    return given.astype(DEFAULT_INT, copy=False)


# Reading and writing slices.


def write_slices(target: NDArray, index: NDArray, values: NDArray, sizes: tuple[int, int, int]) -> None:
    """Write dense `values` (outer, indices, inner) to the slices of dense `target` (outer, n, inner) that numbers from
    the front name; of equal ones the last stays."""
    if index.size <= FEW_INDICES:
        put_slices(target, index, values, sizes, False)
        return
    kept = last_of_equal(index)
    outer, _, inner = sizes
    slices = taken(values.reshape((outer, index.size, inner)), kept, axis=1)
    put_slices(target, taken(index, kept, axis=0), dense(slices), sizes, True)


def last_of_equal(index: NDArray) -> NDArray:
    """The positions of the numbers that no later one equals."""
    order = argsort(index, False)  # keeps the order of equal numbers
    ordered = taken(index, order, axis=0)
    is_last = join([ordered[1:] != ordered[:-1], filled_beside(index, (1,), "bool", True)], 0)
    return selected_by_mask(order, is_last)


def lines_of(name: str, x: NDArray, indices: NDArray, axis: int) -> tuple[NDArray, NDArray, Shape]:
    """(the lines of `x` along `axis`, those of `indices` as numbers from the front, the axes' order for both)."""
    if indices.ndim != x.ndim:
        raise ValueError(f"{name}: indices of shape {indices.shape} do not fit an array of shape {x.shape}")
    order = (*(i for i in range(x.ndim) if i != axis), axis)
    lines, index_lines = x.permute_dims(order), indices.astype(DEFAULT_INT, copy=False).permute_dims(order)
    try:
        others = broadcast_shapes(name, [lines.shape[:-1], index_lines.shape[:-1]])
    except ValueError:
        raise ValueError(
            f"{name}: indices of shape {indices.shape} do not fit an array of shape {x.shape} along axis {axis}"
        ) from None
    numbers = numbers_from_front(index_lines, x.shape[axis], axis)
    return (
        dense(lines.broadcast_to((*others, lines.shape[-1]))),
        dense(numbers.broadcast_to((*others, index_lines.shape[-1]))),
        order,
    )


def take_along(x: NDArray, indices: NDArray, axis: int) -> NDArray:
    """Element i of each line of `x` along `axis`, for every i of the same line of `indices`."""
    lines, numbers, order = lines_of("take_along_axis", x, indices, axis)
    y = take_along_last(lines, numbers)
    return dense(y.permute_dims(inverse_of(order)))


def put_along(x: NDArray, indices: NDArray, axis: int, value: Operand) -> None:
    """Write where `take_along` would read; of several values for one element the last stays."""
    lines, numbers, order = lines_of("put_along_axis", x, indices, axis)
    seen = x.permute_dims(order)
    if lines.shape != seen.shape:
        raise ValueError(f"put_along_axis: indices of shape {indices.shape} do not fit an array of shape {x.shape}")
    back = inverse_of(order)
    shape = tuple(numbers.shape[i] for i in back)
    given = without_unit_axes(values_elsewhere("put_along_axis", x, value, True), x.ndim)
    values = given.broadcast_to(shape).permute_dims(order)
    target = apart_elsewhere(lines, x)
    write_slices(target, flat_numbers(numbers, lines.shape[-1]), dense(values), (1, lines.size, 1))
    seen[...] = target


def flat_numbers(indices: NDArray, n: int) -> NDArray:
    """Indices in lines (..., k) as numbers of the elements of all lines of n elements, one after the other."""
    n_lines, k = prod(indices.shape[:-1]), indices.shape[-1]
    starts = numbers_beside(indices, 0, n_lines) * n
    return (indices.reshape((n_lines, k)) + starts.reshape((n_lines, 1))).reshape(-1)


def added_along(x: NDArray, indices: NDArray, values: NDArray, axis: int) -> NDArray:
    """Zeros of the shape that `x` was repeated to, in the dtype of its sums, with `values` added where `take_along`
    reads."""
    lines, numbers, order = lines_of("take_along_axis", x, indices, axis)
    sums = filled_beside(x, (lines.size,), BY_NAME[x.dtype.name].compute, 0)
    values = values.astype(sums.dtype, copy=False)
    if values.size:
        flat = dense(values.permute_dims(order)).reshape(-1)
        add_at(sums, flat_numbers(numbers, lines.shape[-1]), flat, (1, lines.size, 1))
    return sums.reshape(lines.shape).permute_dims(inverse_of(order))


def put_along_last(values: NDArray, indices: NDArray, n: int) -> NDArray:
    """Lines of n zeros (..., n), with `values` (..., k) at indices of which no two are equal."""
    y = filled_beside(values, (*values.shape[:-1], n), values.dtype, 0)
    if values.size:
        put_slices(y, flat_numbers(indices, n), dense(values), (1, y.size, 1), True)
    return y


def add_to_slices(x: NDArray, indices: NDArray, values: NDArray, axis: int) -> None:
    """Add `values` to the slices of dense `x` along `axis` that indices name; what is named twice gets both."""
    flat = dense(indices.astype(DEFAULT_INT, copy=False)).reshape(-1)
    add_slices(x, flat, dense(values), sizes_around(x.shape, axis))
