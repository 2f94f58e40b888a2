"""Indices of diagonals and triangles: diag_indices, tril_indices, triu_indices and mask_indices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..._core.array.array import NDArray
from ..._core.array.released import type_name
from ..._core.whole_numbers import count, whole
from ..._exec.concat import as_array
from ..arguments import tells_its_name
from ..creation.creation import arange, ones
from ..creation.grids import tri
from ..elementwise.elementwise import logical_not
from ..operands import beside
from .nonzero import nonzero

__all__ = [
    "diag_indices",
    "diag_indices_from",
    "mask_indices",
    "tril_indices",
    "tril_indices_from",
    "triu_indices",
    "triu_indices_from",
]


def diag_indices(n: int, ndim: int = 2) -> tuple[NDArray, ...]:
    """The indices of the main diagonal of an array of `ndim` axes of `n` elements each.

    Raises ValueError for negative numbers, TypeError for those that are not whole.

    >>> [x.tolist() for x in nd.diag_indices(3)]
    [[0, 1, 2], [0, 1, 2]]
    """
    indices = arange(count("diag_indices: n", n))
    n_axes = count("diag_indices: ndim", ndim)
    if n_axes > 32:
        raise ValueError(f"diag_indices: an array has at most 32 dimensions, given {n_axes}")
    return (indices,) * n_axes


def diag_indices_from(arr: NDArray) -> tuple[NDArray, ...]:
    """`diag_indices` for an array.  Raises ValueError below two axes and where their sizes differ.

    >>> nd.eye(2)[nd.diag_indices_from(nd.eye(2))].tolist()
    [1.0, 1.0]
    """
    x = as_array(arr)
    if x.ndim < 2 or len(set(x.shape)) > 1:
        raise ValueError(f"diag_indices_from: needs 2 dimensions or more of one size, given shape {x.shape}")
    return tuple(beside(x, indices) for indices in diag_indices(x.shape[0], x.ndim))


@tells_its_name
def tril_indices(n: int, k: int = 0, m: int | None = None) -> tuple[NDArray, NDArray]:
    """The indices, rows and columns, of the elements on diagonal `k` and below it in a matrix of n rows and m columns.

    Raises ValueError for negative numbers, TypeError for those that are not whole.

    >>> [x.tolist() for x in nd.tril_indices(2)]
    [[0, 1, 1], [0, 0, 1]]
    """
    rows, columns = nonzero(tri(n, m, k, dtype="bool"))
    return rows, columns


@tells_its_name
def triu_indices(n: int, k: int = 0, m: int | None = None) -> tuple[NDArray, NDArray]:
    """The indices, rows and columns, of the elements on diagonal `k` and above it in a matrix of n rows and m columns.

    Raises ValueError for negative numbers, TypeError for those that are not whole.

    >>> [x.tolist() for x in nd.triu_indices(2)]
    [[0, 0, 1], [0, 1, 1]]
    """
    rows, columns = nonzero(logical_not(tri(n, m, whole("triu_indices: k", k) - 1, dtype="bool")))
    return rows, columns


def matrix(name: str, arr: NDArray) -> tuple[NDArray, int, int]:
    """A matrix, its rows and its columns.  Raises ValueError unless it has two axes."""
    x = as_array(arr)
    if x.ndim != 2:
        raise ValueError(f"{name}: needs 2 dimensions, given shape {x.shape}")
    return x, x.shape[0], x.shape[1]


@tells_its_name
def tril_indices_from(arr: NDArray, k: int = 0) -> tuple[NDArray, NDArray]:
    """`tril_indices` for a matrix.  Returns rows and columns.  Raises ValueError unless `arr` has two axes.

    >>> nd.asarray([[1, 2], [3, 4]])[nd.tril_indices_from(nd.ones((2, 2)))].tolist()
    [1, 3, 4]
    """
    x, n_rows, n_columns = matrix("tril_indices_from", arr)
    rows, columns = tril_indices(n_rows, k, n_columns)
    return beside(x, rows), beside(x, columns)


@tells_its_name
def triu_indices_from(arr: NDArray, k: int = 0) -> tuple[NDArray, NDArray]:
    """`triu_indices` for a matrix.  Returns rows and columns.  Raises ValueError unless `arr` has two axes.

    >>> nd.asarray([[1, 2], [3, 4]])[nd.triu_indices_from(nd.ones((2, 2)))].tolist()
    [1, 2, 4]
    """
    x, n_rows, n_columns = matrix("triu_indices_from", arr)
    rows, columns = triu_indices(n_rows, k, n_columns)
    return beside(x, rows), beside(x, columns)


@tells_its_name
def mask_indices(n: int, mask_func: Callable[..., Any], k: Any = 0) -> tuple[NDArray, ...]:
    """The indices of the elements of an (n, n) matrix that a function such as `nd4py.triu` keeps: mask_func(ones, k).

    Raises TypeError for what cannot be called, ValueError for a negative n.

    >>> [x.tolist() for x in nd.mask_indices(2, nd.triu)]
    [[0, 0, 1], [0, 1, 1]]
    """
    if not callable(mask_func):
        raise TypeError(f"mask_indices: mask_func must be a function, given {type_name(mask_func)}")
    n = count("mask_indices: n", n)
    return nonzero(mask_func(ones((n, n), "int64"), k))
