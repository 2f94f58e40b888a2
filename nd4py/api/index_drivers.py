"""Elements named by indices along one axis on devices: a few drivers of the backend, and what is made of them.

Design: a backend takes slices along one axis, writes or adds to them, and selects by a mask (`by_place`); it waits for
the device where an index may be out of range.
"""

from math import prod
from typing import Any

from .._core.annotations import Operand, Shape
from .._core.array import NDArray
from .._exec.device_functions import apart_elsewhere, inverse_of, place, sizes_around, take_elsewhere
from .._exec.devices import filled_beside
from .._exec.functions import by_place
from .._exec.placement import is_array, to_device
from .._spec.dtypes import BY_NAME, DEFAULT_INT
from ..cpu.masks import PackedMask, coordinates
from . import creation
from .elementwise import add, floor_divide, greater_equal, less, logical_or, not_equal, remainder, where
from .manipulation import ascontiguous, broadcast_shapes, broadcast_to, concat
from .reductions import any

__all__: list[str] = []

FEW = 1024  # indices that may be compared with each other before they are written by


def places_on_host(x: NDArray) -> NDArray:
    """The positions, in C order, of the elements that are not 0."""
    return coordinates(PackedMask(x.reshape(-1)))[0]


def host_has_its_own(*_: object) -> Any:
    """In place of the host's function where only devices are asked."""
    raise AssertionError("only arrays on devices come here")


flat_places = by_place("flat_places", places_on_host)
take_along_lines = by_place("take_along_lines", host_has_its_own)
put_slices = by_place("put_slices", host_has_its_own)
add_slices = by_place("add_slices", host_has_its_own)
add_at = by_place("add_at", host_has_its_own)
selected = by_place("selected", host_has_its_own)
write_selected = by_place("write_selected", host_has_its_own)
argsort_lines = by_place("positions_in_order", host_has_its_own)


def as_mask(x: NDArray) -> NDArray:
    """Which elements are not 0, without gaps."""
    return ascontiguous(x if x.dtype.kind == "b" else not_equal(x, 0))


def flat_nonzero(x: NDArray) -> NDArray:
    """The positions, in C order, of the elements of an array on a device that are not 0."""
    return flat_places(as_mask(x).reshape(-1))


def coordinates_of(flat: NDArray, shape: Shape) -> tuple[NDArray, ...]:
    """Positions in C order as one index for each axis."""
    if len(shape) == 1:
        return (flat,)
    indices, step = [], prod(shape)
    for size in shape:
        step //= max(size, 1)
        indices.append(remainder(floor_divide(flat, max(step, 1)), max(size, 1)))
    return tuple(indices)


def nonzero(x: NDArray) -> tuple[NDArray, ...]:
    """The indices of the elements of an array on a device that are not 0, one int64 array for each axis."""
    return coordinates_of(flat_nonzero(x), x.shape)


# Numbers and values.


def numbers_from_front(index: NDArray, size: int, axis: int) -> NDArray:
    """int64 indices of an axis without negative numbers.  Raises IndexError for one out of range."""
    is_outside = logical_or(less(index, -size), greater_equal(index, size))
    if any(is_outside):
        wrong = selected(ascontiguous(index), is_outside)[0].item()
        raise IndexError(f"index {wrong} is out of range for axis {axis} of size {size}")
    return where(less(index, 0), add(index, size), index)


def index_beside(x: Any, index: Any) -> Any:
    """int64 indices where `x` is; those of the host are copied there."""
    given = index if type(index) is type(x) else to_device(index, x.device, None)
    return given.astype(DEFAULT_INT, copy=False)


RANKS = {"b": 0, "i": 1, "u": 1, "f": 2, "c": 3}


def beside(name: str, x: Any, value: Any) -> Any:
    """`value` as an array where `x` is, and of its dtype.

    Raises TypeError for values of a higher kind, ValueError for an array on another device.
    """
    if not is_array(value):
        scalar = filled_beside(x, (), x.dtype, 0)
        if isinstance(value, list | tuple):
            return beside(name, x, to_device(creation.asarray(value), x.device, None))
        scalar[...] = value
        return scalar
    place(name, x, value)
    if RANKS[value.dtype.kind] > RANKS[x.dtype.kind]:
        raise TypeError(f"{name}: {value.dtype} values do not fit {x.dtype}; convert first, values.astype('{x.dtype}')")
    return value.astype(x.dtype, copy=False)


def without_unit_axes(x: Any, ndim: int) -> Any:
    """`x` without leading axes of size 1 that are more than `ndim`."""
    extra = 0
    while x.ndim - extra > ndim and x.shape[extra] == 1:
        extra += 1
    return x.reshape(x.shape[extra:]) if extra else x


# Reading and writing slices.


def write_slices(target: NDArray, index: NDArray, values: NDArray, sizes: tuple[int, int, int]) -> None:
    """Write dense `values` (outer, indices, inner) to the slices of dense `target` (outer, n, inner) that numbers from
    the front name; of equal ones the last stays."""
    if index.size <= FEW:
        put_slices(target, index, values, sizes, False)
        return
    kept = last_of_equal(index)
    outer, _, inner = sizes
    slices = take_elsewhere(values.reshape((outer, index.size, inner)), kept, 1)
    put_slices(target, take_elsewhere(index, kept, 0), ascontiguous(slices), sizes, True)


def last_of_equal(index: NDArray) -> NDArray:
    """The positions of the numbers that no later one equals."""
    order = argsort_lines(index, False)  # keeps the order of equal numbers
    ordered = take_elsewhere(index, order, 0)
    is_last = concat([not_equal(ordered[1:], ordered[:-1]), filled_beside(index, (1,), "bool", True)])
    return selected(order, is_last)


def lines_of(name: str, x: NDArray, indices: NDArray, axis: int) -> tuple[NDArray, NDArray, Shape]:
    """(the lines of `x` along `axis`, those of `indices` as numbers from the front, the axes' order for both)."""
    if indices.ndim != x.ndim:
        raise ValueError(f"{name}: indices of shape {indices.shape} do not fit an array of shape {x.shape}")
    order = (*(i for i in range(x.ndim) if i != axis), axis)
    lines, places = x.permute_dims(order), indices.astype(DEFAULT_INT, copy=False).permute_dims(order)
    try:
        others = broadcast_shapes(lines.shape[:-1], places.shape[:-1])
    except ValueError:
        raise ValueError(
            f"{name}: indices of shape {indices.shape} do not fit an array of shape {x.shape} along axis {axis}"
        ) from None
    numbers = numbers_from_front(places, x.shape[axis], axis)
    return (
        ascontiguous(broadcast_to(lines, (*others, lines.shape[-1]))),
        ascontiguous(broadcast_to(numbers, (*others, places.shape[-1]))),
        order,
    )


def take_along(x: NDArray, indices: NDArray, axis: int) -> NDArray:
    """Element i of each line of `x` along `axis`, for every i of the same line of `indices`."""
    lines, places, order = lines_of("take_along_axis", x, indices, axis)
    y = take_along_lines(lines, places)
    return ascontiguous(y.permute_dims(inverse_of(order)))


def put_along(x: NDArray, indices: NDArray, axis: int, value: Operand) -> None:
    """Write where `take_along` would read; of several values for one element the last stays."""
    lines, places, order = lines_of("put_along_axis", x, indices, axis)
    seen = x.permute_dims(order)
    if lines.shape != seen.shape:
        raise ValueError(f"put_along_axis: indices of shape {indices.shape} do not fit an array of shape {x.shape}")
    back = inverse_of(order)
    shape = tuple(places.shape[i] for i in back)
    values = without_unit_axes(beside("put_along_axis", x, value), x.ndim).broadcast_to(shape).permute_dims(order)
    target = apart_elsewhere(lines, x)
    write_slices(target, flat_numbers(places, lines.shape[-1]), ascontiguous(values), (1, lines.size, 1))
    seen[...] = target


def flat_numbers(places: NDArray, n: int) -> NDArray:
    """Places in lines (..., k) as numbers of the elements of all lines of n elements, one after the other."""
    n_lines, k = prod(places.shape[:-1]), places.shape[-1]
    starts = to_device(creation.arange(0, n_lines * n, max(n, 1)), places.device, None).reshape((n_lines, 1))
    return add(places.reshape((n_lines, k)), starts).reshape(-1)


def added_along(x: NDArray, indices: NDArray, values: NDArray, axis: int) -> NDArray:
    """Zeros of the shape that `x` was repeated to, in the dtype of its sums, with `values` added where `take_along`
    reads."""
    lines, places, order = lines_of("take_along_axis", x, indices, axis)
    sums = filled_beside(x, (lines.size,), BY_NAME[x.dtype.name].compute, 0)
    values = values.astype(sums.dtype, copy=False)
    if values.size:
        flat = ascontiguous(values.permute_dims(order)).reshape(-1)
        add_at(sums, flat_numbers(places, lines.shape[-1]), flat, (1, lines.size, 1))
    return sums.reshape(lines.shape).permute_dims(inverse_of(order))


def put_along_lines(values: NDArray, places: NDArray, n: int) -> NDArray:
    """Lines of n zeros (..., n), with `values` (..., k) at places of which no two are equal."""
    y = filled_beside(values, (*values.shape[:-1], n), values.dtype, 0)
    if values.size:
        put_slices(y, flat_numbers(places, n), ascontiguous(values), (1, y.size, 1), True)
    return y


def add_to_slices(x: NDArray, indices: NDArray, values: NDArray, axis: int) -> None:
    """Add `values` to the slices of dense `x` along `axis` that indices name; what is named twice gets both."""
    flat = ascontiguous(indices.astype(DEFAULT_INT, copy=False)).reshape(-1)
    add_slices(x, flat, ascontiguous(values), sizes_around(x.shape, axis))
