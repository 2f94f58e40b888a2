"""Factorizations of stacks of matrices, wherever they are: LAPACK's on the host, those of a device's library there.

Each returns its results and `Failure`: which matrix has none, -1 for no such matrix, and whether that one is finite.
Arrays are untracked and of one dtype; stacks of operands are equal, or one matrix for all in `solve`.
"""

from collections.abc import Callable
from math import prod
from typing import Any, TypeAlias, TypeVar

from ..._core.annotations import DTypeLike
from ..._core.array import NDArray
from ..._exec.conversion import empty
from ..._exec.functions import by_place
from ...cpu import factorizations, spectra
from ...cpu.spectra import NOT_FINITE
from ..manipulation import ascontiguous
from .matrices import complex_name, real_name

__all__: list[str] = []

Failure: TypeAlias = tuple[int, bool]
Function = TypeVar("Function", bound=Callable[..., Any])


def results(x: NDArray, *sizes: int, dtype: DTypeLike | None = None) -> NDArray:
    """An uninitialised array of `sizes` for every matrix of the stack `x`, in its dtype or another."""
    return empty((*x.shape[:-2], *sizes), x.dtype if dtype is None else dtype)


def n_matrices(x: NDArray) -> int:
    """How many matrices a stack holds."""
    return prod(x.shape[:-2])


def placed_driver(function: Function) -> Function:
    """The function on arrays of the host, what a device has under its name on arrays there."""
    return by_place(function.__name__, function)


def told(failure: tuple[int, int]) -> Failure:
    """What a function of `nd4py.cpu` says of the first matrix that failed, as `Failure`."""
    position, status = failure
    return position, status != NOT_FINITE


@placed_driver
def cholesky(x: NDArray, *, is_upper: bool) -> tuple[NDArray, Failure]:
    """The Cholesky factors of x (..., n, n)."""
    factor = results(x, *x.shape[-2:])
    return factor, told(factorizations.cholesky(ascontiguous(x), factor, is_upper, n_matrices(x)))


@placed_driver
def qr(x: NDArray, *, is_complete: bool) -> tuple[NDArray, NDArray]:
    """Q and R of x (..., m, n), which has elements."""
    m, n = x.shape[-2:]
    columns = m if is_complete else min(m, n)
    q, r = results(x, m, columns), results(x, columns, n)
    factorizations.qr(ascontiguous(x), q, r, n_matrices(x))
    return q, r


@placed_driver
def svd(x: NDArray, *, is_full: bool) -> tuple[NDArray, NDArray, NDArray, Failure]:
    """U, S and Vh of x (..., m, n), which has elements."""
    m, n = x.shape[-2:]
    k = min(m, n)
    u, vh = results(x, m, m if is_full else k), results(x, n if is_full else k, n)
    s = results(x, k, dtype=real_name(x))
    return u, s, vh, told(spectra.svd(ascontiguous(x), s, u, vh, n_matrices(x)))


@placed_driver
def svdvals(x: NDArray) -> tuple[NDArray, Failure]:
    """S of x (..., m, n), which has elements."""
    s = results(x, min(x.shape[-2:]), dtype=real_name(x))
    return s, told(spectra.svd(ascontiguous(x), s, None, None, n_matrices(x)))


@placed_driver
def eigh(x: NDArray) -> tuple[NDArray, NDArray, Failure]:
    """Eigenvalues and eigenvectors of the lower triangles of x (..., n, n), n > 0."""
    values, vectors = results(x, x.shape[-1], dtype=real_name(x)), results(x, *x.shape[-2:])
    return values, vectors, told(spectra.eigh(ascontiguous(x), values, vectors, n_matrices(x)))


@placed_driver
def eigvalsh(x: NDArray) -> tuple[NDArray, Failure]:
    """Eigenvalues of the lower triangles of x (..., n, n), n > 0."""
    values = results(x, x.shape[-1], dtype=real_name(x))
    return values, told(spectra.eigh(ascontiguous(x), values, None, n_matrices(x)))


@placed_driver
def eig(x: NDArray) -> tuple[NDArray, NDArray, Failure]:
    """Complex eigenvalues and eigenvectors of x (..., n, n), n > 0."""
    values, vectors = results(x, x.shape[-1], dtype=complex_name(x)), results(x, *x.shape[-2:], dtype=complex_name(x))
    return values, vectors, told(spectra.eig(ascontiguous(x), values, vectors, n_matrices(x)))


@placed_driver
def eigvals(x: NDArray) -> tuple[NDArray, Failure]:
    """Complex eigenvalues of x (..., n, n), n > 0."""
    values = results(x, x.shape[-1], dtype=complex_name(x))
    return values, told(spectra.eig(ascontiguous(x), values, None, n_matrices(x)))


@placed_driver
def solve(a: NDArray, b: NDArray) -> tuple[NDArray, Failure]:
    """x with a (..., n, n) @ x = b (..., n, k); a or b may be one matrix for all."""
    stack = max(a.shape[:-2], b.shape[:-2], key=len)
    x = empty((*stack, *b.shape[-2:]), b.dtype)
    return x, told(factorizations.solve(ascontiguous(a), ascontiguous(b), x, prod(stack)))


@placed_driver
def inverse(x: NDArray) -> tuple[NDArray, Failure]:
    """The inverses of x (..., n, n)."""
    y = results(x, *x.shape[-2:])
    return y, told(factorizations.solve(ascontiguous(x), None, y, n_matrices(x)))


@placed_driver
def determinants(x: NDArray) -> NDArray:
    """The determinants of x (..., n, n)."""
    y = results(x)
    factorizations.determinant(ascontiguous(x), y, None, n_matrices(x))
    return y


@placed_driver
def logarithms_of_determinants(x: NDArray) -> tuple[NDArray, NDArray]:
    """The signs of the determinants of x (..., n, n), and the logarithms of their absolute values."""
    signs, logarithms = results(x), results(x, dtype=real_name(x))
    factorizations.determinant(ascontiguous(x), signs, logarithms, n_matrices(x))
    return signs, logarithms
