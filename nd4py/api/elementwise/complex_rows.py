"""Rows without a loop for complex numbers, made of others: order, and what follows from it, as NumPy has it.

Design: complex numbers are ordered by their real parts, then by their imaginary parts.  Arrays of them are seldom
compared, so the order is made of comparisons of their parts, which gradients and chains know.  Rejected: loops of their
own, for five sets of instructions and for CUDA.
"""

from __future__ import annotations

import math
from typing import Any

from ..._core.annotations import Shape
from ..._core.array.array import NDArray
from ..._exec.autodiff.nodes import constant
from ..arguments import IN_WORDS, rename
from ..indexing.take_along_axis import take_along_axis
from ..manipulation.manipulation import permute_dims
from ..operands import count_along
from ..reductions.reductions import any, argmax, max
from .elementwise import (
    divide,
    equal,
    exp,
    exp2,
    fmax,
    fmin,
    greater,
    greater_equal,
    imag,
    isnan,
    less,
    less_equal,
    logical_and,
    logical_not,
    logical_or,
    maximum,
    minimum,
    multiply,
    real,
    sin,
    sinc,
    where,
)

__all__: list[str] = []

# Functions that choose an operand, and how the first one of two stands to the second where it is chosen.
WAYS = {function.__name__: greater_equal for function in (maximum, fmax)}
WAYS |= {function.__name__: less_equal for function in (minimum, fmin)}
PASSING_NAN_ON = (maximum.__name__, minimum.__name__)
INF, PI, LOG_OF_2 = math.inf, math.pi, 0.6931471805599453


def row_of_complex(name: str, left: Any, right: Any) -> tuple[str, tuple[Any, ...]]:
    """The row that computes what `name` is of complex numbers, and its operands.

    left, right: arrays or Python's numbers; of a row with one operand, that one twice.
    Raises ValueError for shapes that do not broadcast.
    """
    try:
        return composed(name, left, right)
    except IN_WORDS as error:
        rename(error, name)
        raise


def composed(name: str, left: Any, right: Any) -> tuple[str, tuple[Any, ...]]:
    """The same, with errors that begin with the names of other rows."""
    if name == sinc.__name__:
        angle = multiply(left, PI)
        is_zero = equal(left, 0)
        return where.__name__, (is_zero, 1.0, divide(sin(angle), where(is_zero, 1.0, angle)))
    if name == exp2.__name__:
        return exp.__name__, (multiply(left, LOG_OF_2),)
    if name not in WAYS:
        return logical_or.__name__, in_order(name, left, right)
    is_first = logical_or(*in_order(WAYS[name].__name__, left, right))
    missing = is_missing(left if name in PASSING_NAN_ON else right)
    return where.__name__, (logical_or(is_first, missing), left, right)


def parts_of(x: Any) -> tuple[Any, Any]:
    """The real and the imaginary part of an array or a number."""
    if isinstance(x, complex | float | int):
        return x.real, x.imag
    return real(constant(x)), imag(constant(x)) if x.dtype.kind == "c" else 0.0


def is_missing(x: Any) -> Any:
    """Whether a part of numbers is NaN."""
    if isinstance(x, complex | float | int):
        return bool(x != x)
    return isnan(constant(x))


def in_order(name: str, left: Any, right: Any) -> tuple[NDArray, NDArray]:
    """Where the real parts alone say that a comparison holds, and where the imaginary parts do.

    Real parts decide nothing where an imaginary part is NaN.
    """
    (a, b), (c, d) = parts_of(left), parts_of(right)
    compare = less if name in (less.__name__, less_equal.__name__) else greater
    of_imaginary = compare(b, d)
    if name.endswith("_equal"):
        of_imaginary = logical_or(of_imaginary, equal(b, d))
    known = logical_and(equal(b, b), equal(d, d))
    return logical_and(compare(a, c), known), logical_and(equal(a, c), of_imaginary)


def lines_of(x: NDArray, axes: Shape) -> NDArray:
    """`x` with `axes`, in their order, as one axis behind the others."""
    others = [i for i in range(x.ndim) if i not in axes]
    lines = permute_dims(x, (*others, *axes)) if others or list(axes) != sorted(axes) else x
    return lines.reshape((*(x.shape[i] for i in others), count_along(x.shape, axes)))


def first_index(name: str, lines: NDArray) -> NDArray:
    """Where the largest or the smallest complex number of each line stands first, or its first NaN."""
    sign = -1.0 if name.endswith("min") else 1.0
    missing = isnan(lines)
    known = logical_not(missing)
    first = where(known, multiply(real(lines), sign), -INF)
    is_best = logical_and(known, equal(first, max(first, axis=-1, keepdims=True)))
    second = where(is_best, multiply(imag(lines), sign), -INF)
    is_best = logical_and(is_best, equal(second, max(second, axis=-1, keepdims=True)))
    if not name.startswith("nan"):
        is_best = where(any(missing, axis=-1, keepdims=True), missing, is_best)
    return argmax(is_best, axis=-1)


def reduce_complex(name: str, x: NDArray, axes: Shape) -> NDArray:
    """The largest or the smallest of complex numbers along axes, NaN if one is, for `nanmax` and `nanmin` if all are.

    name: the row.  Returns an array without these axes.
    """
    lines = lines_of(x, axes)
    at = first_index(name, constant(lines))
    return take_along_axis(lines, at.reshape((*at.shape, 1)), -1).reshape(at.shape)


def argreduce_complex(name: str, x: NDArray, axes: Shape) -> NDArray:
    """Where complex numbers are largest or smallest along axes, the first such place, or the place of the first NaN.

    name: the row.  Returns int64 numbers without these axes.
    """
    return first_index(name, lines_of(constant(x), axes))
