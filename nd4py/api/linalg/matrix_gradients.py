"""Functions that the gradients of decompositions share."""

from __future__ import annotations

from ..._core.array.array import NDArray
from ..._exec.autodiff.tape import conjugate
from ..elementwise.elementwise import where
from ..operands import numbers_beside
from ..reductions.reductions import prod
from .matrices import identity_beside


def lower(x: NDArray) -> NDArray:
    """The lower triangles of matrices, zeros above."""
    rows, columns = x.shape[-2:]
    return where(numbers_beside(x, 0, rows)[:, None] >= numbers_beside(x, 0, columns), x, 0.0)


def diagonal_matrices(x: NDArray) -> NDArray:
    """The diagonals of matrices, zeros elsewhere."""
    return where(diagonal_mask(x), x, 0.0)


def without_diagonal(x: NDArray) -> NDArray:
    """The matrices with zeros on the diagonals."""
    return where(diagonal_mask(x), 0.0, x)


def diagonal_mask(x: NDArray) -> NDArray:
    """The mask of the diagonals of matrices."""
    return identity_beside(x, x.shape[-2], x.shape[-1], dtype="bool")


def skew(x: NDArray) -> NDArray:
    """x - x.mT, of the conjugate for complex numbers."""
    return x - conjugate(x).mT


def products_of_others(values: NDArray) -> NDArray:
    """The product of all values but one, for each."""
    return prod(where(identity_beside(values, values.shape[-1], dtype="bool"), 1.0, values[..., None, :]), axis=-1)


def gaps(values: NDArray) -> NDArray:
    """values[j] - values[i] at (i, j), 1 on the diagonal."""
    difference = values[..., None, :] - values[..., :, None]
    return where(identity_beside(values, values.shape[-1], dtype="bool"), 1.0, difference)
