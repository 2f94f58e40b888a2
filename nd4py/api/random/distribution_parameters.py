"""Parameters of distributions: shapes, numbers and arrays of numbers, checked and converted."""

from __future__ import annotations

import functools
import math
import operator
from typing import Any, TypeAlias

from ..._core.annotations import DTypeLike, Shape, Sizes
from ..._core.array.array import NDArray
from ..._core.dtype import ALL_DTYPES, DType, dtype_of
from ..._core.whole_numbers import count, is_whole, real
from ..._exec.device.placement import is_array, on_requested_device
from ..._exec.random_source import drawing_device
from ..._spec.dtypes import DEFAULT_FLOAT
from ..._spec.op import FLOAT
from ..creation.basic_creation import asarray
from ..creation.data_types import finfo
from ..manipulation.manipulation import ascontiguous, broadcast_shapes
from ..reductions.reductions import max, min

Parameter: TypeAlias = Any  # a Python number, an array, or whatever asarray takes
Drawn: TypeAlias = float | NDArray  # one number for all elements, or float64 values for the elements in C order
Range: TypeAlias = tuple[str, float, float]  # in words, the smallest, the largest

WORD = 2**64
LARGEST = 1.7976931348623157e308
FINITE = ("finite", -LARGEST, LARGEST)
POSITIVE = ("finite and > 0", 5e-324, LARGEST)
NOT_NEGATIVE = ("finite and >= 0", 0.0, LARGEST)
PROBABILITY = ("a probability, from 0 to 1", 0.0, 1.0)
COUNTABLE = ("from 0 to 2**52", 0.0, 2.0**52)
ANY = ("a number", -math.inf, math.inf)


def check_range(what: str, value: Drawn, allowed: Range) -> None:
    """Raises ValueError unless all of `value` lies in a range; NaN never does.  Waits for values on a device."""
    if isinstance(value, float):
        least = most = value
    elif value.size == 0:
        return
    else:
        least, most = float(min(value)), float(max(value))
    text, low, high = allowed
    if not (low <= least and most <= high):
        given = f"{least}" if least == most or least != least else f"values from {least} to {most}"
        raise ValueError(f"{what} must be {text}, given {given}")


def drawn(what: str, value: Parameter, allowed: Range, device: str) -> Drawn:
    """A parameter as a float or a float64 array on a device.

    Raises TypeError for anything but a number, ValueError outside the range, NotImplementedError for an array that is
    being differentiated.
    """
    if isinstance(value, int | float) and not isinstance(value, bool):
        number: Drawn = real(what, value)
    else:
        number = array_of(what, value, device)
    check_range(what, number, allowed)
    return number


def array_of(what: str, value: Any, device: str) -> Drawn:
    """An array of numbers in float64, or the number of an array without dimensions; new arrays are made on `device`."""
    try:
        x = value if is_array(value) else on_requested_device(asarray(value), device)
    except TypeError:
        raise TypeError(f"{what} must be a number or an array of numbers, given {value!r}") from None
    if x.dtype.kind not in "iuf":
        raise TypeError(f"{what} must be of a real dtype, given {x.dtype}; convert first, x.astype('{DEFAULT_FLOAT}')")
    if x.node is not None:
        raise NotImplementedError(
            f"{what}: gradients do not flow through a draw; draw with fixed parameters and scale the result"
        )
    x = x.astype(DEFAULT_FLOAT, copy=False)
    return x if x.ndim else float(x)


def one_of(name: str, size: Sizes | None, shape: Sizes | None) -> Sizes | None:
    """How many numbers to draw: `size`, or `shape`, its other name.  Raises TypeError for both."""
    if size is not None and shape is not None:
        raise TypeError(f"{name}: size {size!r} and shape {shape!r} are two names of one argument; pass one of them")
    return shape if size is None else size


def into_drawn(
    name: str, out: Any, size: Sizes | None, dtype: DTypeLike | None
) -> tuple[Sizes | None, DTypeLike | None]:
    """The size and the dtype of a draw that is written into `out`, where that is given: those of `out`.

    Raises ValueError for another size, TypeError for another dtype and for an `out` that is no array.
    """
    if out is None:
        return size, dtype
    if not hasattr(out, "dtype") or not hasattr(out, "shape"):
        raise TypeError(f"{name}: out must be an array, given {type(out).__name__}")
    given = tuple(out.shape)
    if size is not None and sizes_of(size) != given:
        raise ValueError(f"{name}: size {size!r} and out of shape {given} differ; leave size away")
    if dtype is not None and dtype_of(dtype) != dtype_of(out.dtype):
        raise TypeError(f"{name}: draws {dtype_of(dtype)}, out is {out.dtype}; leave dtype away")
    return given, out.dtype


def check_order(name: str, first: str, value: Any) -> None:
    """Raises TypeError for a tuple as the first parameter: a shape, which was the first argument once."""
    if isinstance(value, tuple):
        raise TypeError(
            f"{name}: {first} must be a number or an array, given the tuple {value!r}; for that many numbers pass "
            f"{name}(size={value!r}), for parameters {name}(nd4py.asarray({value!r}))"
        )


def spread(name: str, size: Sizes | None, *parameters: Drawn) -> tuple[Shape, list[Drawn]]:
    """The shape to draw, by default that of the parameters, and the parameters in that shape, in C order.

    Raises ValueError where they do not broadcast to it.
    """
    shapes = [x.shape for x in parameters if not isinstance(x, float)]
    sizes = broadcast_shapes(*shapes) if size is None else sizes_of(size)
    if not shapes:
        return sizes, list(parameters)
    try:
        views = [x if isinstance(x, float) else x.broadcast_to(sizes) for x in parameters]
    except ValueError:
        raise ValueError(f"{name}: parameters of shapes {shapes} do not broadcast to shape {sizes}") from None
    return sizes, [x if isinstance(x, float) else ascontiguous(x) for x in views]


def sizes_of(size: Any) -> Shape:
    """A size as a tuple, None as one number.  Raises TypeError for other values, such as a parameter given by
    mistake."""
    if size is None:
        return ()
    if type(size) is int:
        return (size,)
    if isinstance(size, tuple | list):
        return tuple(size)
    if getattr(size, "ndim", 0) == 1 and size.dtype.kind in "iu":
        return tuple(size.tolist())
    if isinstance(size, bool) or not is_whole(size):
        raise TypeError(f"size must be an int or a sequence of ints, given {size!r}; pass parameters by keyword")
    return (operator.index(size),)


def is_number(x: Any) -> bool:
    """Whether `x` says how many there are, rather than which."""
    return is_whole(x) and not getattr(x, "shape", ())


def elements_of(name: str, x: Any, device: str | None) -> NDArray:
    """What is shuffled or chosen from.  Raises TypeError for anything but an array with an axis, ValueError for an
    array on another device."""
    device = drawing_device(name, device, x)
    array = x if is_array(x) else on_requested_device(asarray(x), device)
    if array.ndim == 0:
        raise TypeError(f"{name}: needs a whole number or an array with an axis, given {x!r}")
    return array


def check_whole(what: str, value: Any) -> int:
    """`value` as an int.  Raises TypeError unless it is a whole number."""
    if isinstance(value, bool) or not is_whole(value):
        raise TypeError(f"{what} must be a whole number, given {value!r}")
    return operator.index(value)


def check_count(what: str, value: Any) -> int:
    """How many there are.  Raises TypeError unless it is a whole number, ValueError below 0 and from 2**63 on."""
    return count(what, check_whole(what, value))


def check_word(what: str, value: Any) -> int:
    """`value` as an int of 64 bits.  Raises TypeError or ValueError."""
    word = check_whole(f"random {what}", value)
    if not 0 <= word < WORD:
        raise ValueError(f"random {what} must be in [0, 2**64), given {word}")
    return word


def float_number(name: str, dtype: DTypeLike | None) -> int:
    """The number of the dtype to draw.  Raises TypeError unless it is float32 or float64."""
    dtype = dtype_of(DEFAULT_FLOAT if dtype is None else dtype)
    if dtype.name not in FLOAT:
        raise TypeError(f"{name}: draws {' and '.join(FLOAT)}, given {dtype}; convert after, x.astype('{dtype}')")
    return dtype.number


@functools.cache
def largest_of(number: int) -> float:
    """The largest number of a floating dtype."""
    return finfo(ALL_DTYPES[number]).max


def integer_limits(dtype: DType) -> tuple[int, int]:
    """The smallest and the largest value of an integer dtype.  Raises TypeError for other dtypes."""
    bits = 8 * dtype.itemsize
    if dtype.kind == "i":
        return -(2 ** (bits - 1)), 2 ** (bits - 1) - 1
    if dtype.kind == "u":
        return 0, 2**bits - 1
    raise TypeError(f"integers: draws integer dtypes, given {dtype}; convert after, x.astype('{dtype}')")
