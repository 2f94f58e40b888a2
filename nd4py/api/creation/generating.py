"""Arrays of what a function, an iterator or a text gives: fromfunction, fromiter and fromstring; diagflat."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from typing import Any

import numpy

from ..._core.annotations import DTypeLike, Shape
from ..._core.array.array import NDArray
from ..._core.array.released import type_name
from ..._core.dtype import dtype_of
from ..._core.whole_numbers import count as count_of
from ..._core.whole_numbers import items, whole
from ..._exec.concat import as_array
from ..arguments import tells_its_name
from ..manipulation.rearranging import diag
from .creation import asarray
from .grids import indices

__all__ = ["diagflat", "fromfunction", "fromiter", "fromstring"]


def fromfunction(function: Callable[..., Any], shape: Shape, *, dtype: DTypeLike = float, **kwargs: Any) -> Any:
    """What `function` makes of the index grids of a shape: function(rows, columns, ...), called once.

    dtype: that of the grids; kwargs: further arguments of the function.
    Returns what the function returns.  Raises TypeError for what cannot be called, ValueError for a negative size.

    >>> nd.fromfunction(lambda i, j: i + j, (2, 3), dtype=int).tolist()
    [[0, 1, 2], [1, 2, 3]]
    """
    if not callable(function):
        raise TypeError(f"fromfunction: needs a function, given {type_name(function)}")
    sizes = [count_of("fromfunction: a size", size) for size in items("fromfunction: shape", shape)]
    return function(*indices(sizes, dtype=dtype), **kwargs)


@tells_its_name
def fromiter(iter: Iterable[Any], dtype: DTypeLike, count: int = -1) -> NDArray:
    """An array of one axis of the numbers that an iterable gives: `count` of them, or all (-1).

    iter: anything to loop over.
    Raises ValueError where it gives fewer, TypeError for what is not iterable or gives other things than numbers.

    >>> nd.fromiter((i * i for i in range(4)), dtype="int64").tolist()
    [0, 1, 4, 9]
    """
    n = whole("fromiter: count", count)
    if not isinstance(iter, Iterable):
        raise TypeError(f"fromiter: needs something to loop over, given {type_name(iter)}")
    if n > 2**63 - 1:
        raise ValueError("fromiter: count must be below 2**63")
    target = dtype_of(dtype)
    values = list(iter if n < 0 else itertools.islice(iter, n))
    if 0 <= n != len(values):
        raise ValueError(f"fromiter: {n} numbers asked for, the iterable gave {len(values)}")
    x = asarray(values, target) if values else asarray([], target)
    if x.ndim != 1:
        raise ValueError(f"fromiter: the items must be numbers, given some of shape {x.shape[1:]}")
    return x


def fromstring(string: str, dtype: DTypeLike = float, count: int = -1, *, sep: str) -> NDArray:
    """An array of the numbers in a text, which `sep` separates: `count` of them, or all (-1).  NumPy reads them.

    string: the text.
    Raises ValueError for an empty `sep`, TypeError for what is no text and dtypes that NumPy lacks.

    >>> nd.fromstring("1 2 3", dtype=int, sep=" ").tolist()
    [1, 2, 3]
    """
    for what, text in (("string", string), ("sep", sep)):
        if not isinstance(text, str):
            raise TypeError(f"fromstring: {what} must be a text, given {type_name(text)}")
    if not sep or not string.isascii():
        raise ValueError("fromstring: needs a separator and a text of ASCII; for bytes see nd4py.frombuffer")
    n = whole("fromstring: count", count)
    if abs(n) >= 2**63:
        raise ValueError("fromstring: count must be below 2**63")
    target = dtype_of(dtype)
    return asarray(numpy.fromstring(string, target.__numpy_dtype__, n, sep=sep))


@tells_its_name
def diagflat(v: Any, k: int = 0) -> NDArray:
    """The matrix with the elements of `v`, in C order, on diagonal `k` and zeros elsewhere.

    Raises TypeError for an argument that cannot become an array, or a `k` that is not whole.

    >>> nd.diagflat([[1, 2], [3, 4]], 1).shape
    (5, 5)
    """
    return diag(as_array(v).reshape(-1), k)
