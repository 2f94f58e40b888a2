"""Linear equations and inverses of tensors: the axes of a tensor in two groups are the rows and columns of a matrix."""

from __future__ import annotations

from math import prod
from typing import Any

from ..._core.annotations import Operand
from ..._core.array.array import NDArray
from ..._core.layout.shape import normalize_axis
from ..._core.whole_numbers import items, whole
from ..._exec.concat import as_array
from ..arguments import tells_its_name
from .matrices import LinAlgError
from .solving import inv, solve

__all__ = ["tensorinv", "tensorsolve"]


@tells_its_name
def tensorsolve(a: Operand, b: Operand, axes: Any = None) -> NDArray:
    """x with tensordot(a, x, x.ndim) = b.

    a: (*b.shape, *q), where q multiply to the size of b; axes: those to move to the end of `a` first.
    Returns an array of shape q.  Raises LinAlgError for other sizes or where `a` is singular, ValueError for axes out
    of range or named twice.

    >>> nd.linalg.tensorsolve(nd.eye(6).reshape(2, 3, 6) * 2, nd.ones((2, 3))).tolist()
    [0.5, 0.5, 0.5, 0.5, 0.5, 0.5]
    """
    x, y = as_array(a), as_array(b)
    if axes is not None:
        order = list(range(x.ndim))
        for axis in items("tensorsolve: axes", axes):
            moved = normalize_axis(axis, x.ndim)
            order.remove(moved)
            order.append(moved)
        x = x.permute_dims(tuple(order))
    shape = x.shape[y.ndim :] if x.ndim >= y.ndim else ()
    n = prod(shape)
    if x.size != n * n or n != y.size:
        raise LinAlgError(
            f"tensorsolve: shapes {x.shape} and {y.shape} do not fit; a needs {y.size} elements for each of b"
        )
    return solve(x.reshape((n, n)), y.reshape(-1)).reshape(shape)


@tells_its_name
def tensorinv(a: Operand, ind: int = 2) -> NDArray:
    """The tensor that takes `tensordot` with `a` back: its first `ind` axes are the rows of a square matrix.

    Returns an array of shape (*a.shape[ind:], *a.shape[:ind]).
    Raises LinAlgError where that matrix is singular or not square, ValueError for an `ind` below 1.

    >>> nd.linalg.tensorinv(nd.eye(6).reshape(6, 2, 3), ind=1).shape
    (2, 3, 6)
    """
    x, n_rows = as_array(a), whole("tensorinv: ind", ind)
    if n_rows < 1:
        raise ValueError(f"tensorinv: ind must be at least 1, given {n_rows}")
    before, after = x.shape[:n_rows], x.shape[n_rows:]
    if prod(before) != prod(after):
        raise LinAlgError(f"tensorinv: shapes {before} and {after} of {x.shape} do not make a square matrix")
    return inv(x.reshape((prod(before), prod(after)))).reshape((*after, *before))
