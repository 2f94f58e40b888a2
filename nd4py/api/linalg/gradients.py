"""Pieces that the gradients of decompositions share.  All arrays are untracked."""

from ..._core.array import NDArray
from ..creation import arange, eye
from ..elementwise import where
from ..reductions import prod


def lower(x: NDArray) -> NDArray:
    """The lower triangles of matrices, zeros above."""
    rows, columns = x.shape[-2:]
    return where(arange(rows)[:, None] >= arange(columns), x, 0.0)


def diagonal_matrices(x: NDArray) -> NDArray:
    """The diagonals of matrices, zeros elsewhere."""
    return where(eye(*x.shape[-2:], dtype="bool"), x, 0.0)


def without_diagonal(x: NDArray) -> NDArray:
    """The matrices with zeros on the diagonals."""
    return where(eye(*x.shape[-2:], dtype="bool"), 0.0, x)


def skew(x: NDArray) -> NDArray:
    """x - x.mT."""
    return x - x.mT


def products_of_others(values: NDArray) -> NDArray:
    """The product of all values but one, for each."""
    return prod(where(eye(values.shape[-1], dtype="bool"), 1.0, values[..., None, :]), axis=-1)


def gaps(values: NDArray) -> NDArray:
    """values[j] - values[i] at (i, j), 1 on the diagonal."""
    difference = values[..., None, :] - values[..., :, None]
    return where(eye(values.shape[-1], dtype="bool"), 1.0, difference)
