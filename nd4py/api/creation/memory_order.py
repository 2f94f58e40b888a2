"""Arrays in an order in memory, C or Fortran: asfortranarray, ascontiguousarray, copy, require and their like."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..._core.annotations import DTypeLike
from ..._core.array.array import NDArray
from ..._core.array.array_type import as_class_of, is_subclassed
from ..._core.array.released import type_name
from ..._core.dtype import dtype_of
from ..._core.whole_numbers import items, named, named_order
from ..._exec.autodiff.nodes import is_array
from ..elementwise.elementwise import isfinite
from ..operands import is_inexact
from ..reductions.reductions import all
from .creation import asarray, in_order

__all__ = ["asanyarray", "asarray_chkfinite", "ascontiguousarray", "asfortranarray", "copy", "isfortran", "require"]

# NumPy's names for what an array can be required to be, and ours.
FLAGS = {
    "C": "C",
    "C_CONTIGUOUS": "C",
    "CONTIGUOUS": "C",
    "F": "F",
    "F_CONTIGUOUS": "F",
    "FORTRAN": "F",
    "A": "A",
    "ALIGNED": "A",
    "E": "A",
    "ENSUREARRAY": "A",
    "W": "W",
    "WRITEABLE": "W",
    "O": "O",
    "OWNDATA": "O",
}


def asanyarray(
    a: Any,
    /,
    dtype: DTypeLike | None = None,
    order: str | None = None,
    *,
    device: str | None = None,
    copy: bool | None = None,
) -> NDArray:
    """`asarray` that keeps the class of `a`, where a program derived one from NDArray.  Returns and raises as `asarray`
    does.

    >>> nd.asanyarray([1, 2]).tolist()
    [1, 2]
    """
    x = asarray(a, dtype, order, device=device, copy=copy)
    return as_class_of(a, x) if is_subclassed(a) else x


def ascontiguousarray(a: Any, dtype: DTypeLike | None = None) -> NDArray:
    """`a` as an array of one axis or more whose elements lie in C order; a copy only where that is needed.

    Raises as `asarray` does.

    >>> nd.ascontiguousarray(nd.ones((2, 3)).T).strides
    (16, 8)
    """
    if dtype is None and is_array(a) and a.is_contiguous and a.ndim:
        return a
    x = in_order(asarray(a, dtype), "C")
    return x.reshape(1) if x.ndim == 0 else x


def asfortranarray(a: Any, dtype: DTypeLike | None = None) -> NDArray:
    """`a` as an array of one axis or more whose elements lie in Fortran order, the first axis running fastest.

    Returns a copy only where that is needed.  Raises as `asarray` does.

    >>> nd.asfortranarray(nd.ones((2, 3))).strides
    (8, 16)
    """
    x = in_order(asarray(a, dtype), "F")
    return x.reshape(1) if x.ndim == 0 else x


def asarray_chkfinite(a: Any, dtype: DTypeLike | None = None, order: str | None = None) -> NDArray:
    """`a` as an array without NaN and infinity.  Raises ValueError where it has one, and as `asarray` does.

    >>> nd.asarray_chkfinite([1, 2]).tolist()
    [1, 2]
    """
    x = in_order(asarray(a, dtype), order)
    if is_inexact(x) and not all(isfinite(x)).item():
        raise ValueError("asarray_chkfinite: an element is NaN or infinite")
    return x


def copy(a: Any, order: str | None = "K", subok: bool = False) -> NDArray:
    """A copy of `a`, with its axes in memory in the same order ("K"), in C order or in Fortran's ("F").

    subok: of the class of `a`, where a program derived one.
    Raises ValueError for another order, TypeError for what is no array.

    >>> nd.copy([1, 2]).tolist()
    [1, 2]
    """
    x = asarray(a)
    order = named_order("copy: order", order, ("C", "F", "A", "K", None))
    copied = in_order(x.__copy__() if order in ("K", "A", None) else x.copy(), order)
    return as_class_of(a, copied) if subok and is_subclassed(a) else copied


def isfortran(a: Any) -> bool:
    """Whether the elements of an array lie in Fortran order, and not in C order.  Raises TypeError for other things.

    >>> nd.isfortran(nd.ones((2, 3)).T), nd.isfortran(nd.ones((2, 3)))
    (True, False)
    """
    if not is_array(a):
        raise TypeError(f"isfortran: needs an array, given {type_name(a)}")
    found: bool = a.flags.fnc
    return found


def require(a: Any, dtype: DTypeLike | None = None, requirements: str | Sequence[str] | None = None) -> NDArray:
    """`a` as an array that is as `requirements` say: "C" or "F" order, "W" writable, "O" with memory of its own.

    Returns a copy where that is needed.  Raises ValueError for other requirements, or both orders, TypeError for
    what is no sequence of texts.

    >>> nd.require(nd.broadcast_to(nd.ones(2), (3, 2)), requirements="W").is_writable
    True
    """
    given = requirements if isinstance(requirements, str) else items("require: requirements", requirements or ())
    wanted = [flag_of(name) for name in given]
    if "C" in wanted and "F" in wanted:
        raise ValueError("require: an array cannot be in C and in Fortran order by demand")
    x = a if is_array(a) and (dtype is None or dtype_of(dtype) is a.dtype) else asarray(a, dtype)
    if ("W" in wanted and not x.is_writable) or ("O" in wanted and x.base is not None):
        x = x.copy()
    if "C" in wanted:
        return x if x.is_contiguous else x.copy()
    return in_order(x, "F") if "F" in wanted else x


def flag_of(name: Any) -> str:
    """Our name for what an array can be required to be.  Raises ValueError for what it cannot."""
    if isinstance(name, str):
        if name in FLAGS:
            return FLAGS[name]
        name = name.upper()
    return FLAGS[named("require: a requirement", name, FLAGS)]
