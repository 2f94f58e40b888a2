"""Matrix factorizations by LAPACK on the host, by the device's library on devices.

Each returns its results and `Failure`: which matrix has none, -1 for no such matrix, and whether that one is finite.
Arrays are untracked and of one dtype; stacks of operands are equal, or one matrix for all in `solve`.
"""

from __future__ import annotations

from math import prod
from typing import TypeAlias

from ..._core.annotations import DTypeLike
from ..._core.array.array import NDArray
from ..._core.layout.layouts import dense
from ..._spec.dtypes import BY_NAME, COMPLEX_OF, DEFAULT_INT
from ...cpu.linalg import eigen_svd, factorizations
from ...cpu.linalg.eigen_svd import NOT_FINITE
from ..conversion import empty, filled
from ..device.device_functions import matmul_elsewhere
from ..dispatch.by_backend import by_backend, driver
from ..dispatch.row_functions import row_function

Failure: TypeAlias = tuple[int, bool]
conj, reciprocal, where = row_function("conj"), row_function("reciprocal"), row_function("where")


def real_name(x: NDArray) -> str:
    """The name of the real dtype of the width of `x`."""
    return BY_NAME[x.dtype.name].real


def complex_name(x: NDArray) -> str:
    """The name of the complex dtype of the width of `x`."""
    return COMPLEX_OF.get(x.dtype.name, x.dtype.name)


def results(x: NDArray, *sizes: int, dtype: DTypeLike | None = None) -> NDArray:
    """An uninitialised array of `sizes` for every matrix of the stack `x`, in its dtype or another."""
    return empty((*x.shape[:-2], *sizes), x.dtype if dtype is None else dtype)


def n_matrices(x: NDArray) -> int:
    """How many matrices a stack holds."""
    return prod(x.shape[:-2])


def told(failure: tuple[int, int]) -> Failure:
    """What a function of `nd4py.cpu` says of the first matrix that failed, as `Failure`."""
    position, status = failure
    return position, status != NOT_FINITE


@driver
def cholesky(x: NDArray, *, is_upper: bool) -> tuple[NDArray, Failure]:
    """The Cholesky factors of x (..., n, n)."""
    factor = results(x, *x.shape[-2:])
    return factor, told(factorizations.cholesky(dense(x), factor, is_upper, n_matrices(x)))


@driver
def qr(x: NDArray, *, is_complete: bool) -> tuple[NDArray, NDArray]:
    """Q and R of x (..., m, n), which has elements."""
    m, n = x.shape[-2:]
    columns = m if is_complete else min(m, n)
    q, r = results(x, m, columns), results(x, columns, n)
    factorizations.qr(dense(x), q, r, n_matrices(x))
    return q, r


@driver
def svd(x: NDArray, *, is_full: bool) -> tuple[NDArray, NDArray, NDArray, Failure]:
    """U, S and Vh of x (..., m, n), which has elements."""
    m, n = x.shape[-2:]
    k = min(m, n)
    u, vh = results(x, m, m if is_full else k), results(x, n if is_full else k, n)
    s = results(x, k, dtype=real_name(x))
    return u, s, vh, told(eigen_svd.svd(dense(x), s, u, vh, n_matrices(x)))


@driver
def svdvals(x: NDArray) -> tuple[NDArray, Failure]:
    """S of x (..., m, n), which has elements."""
    s = results(x, min(x.shape[-2:]), dtype=real_name(x))
    return s, told(eigen_svd.svd(dense(x), s, None, None, n_matrices(x)))


@driver
def eigh(x: NDArray) -> tuple[NDArray, NDArray, Failure]:
    """Eigenvalues and eigenvectors of the lower triangles of x (..., n, n), n > 0."""
    values, vectors = results(x, x.shape[-1], dtype=real_name(x)), results(x, *x.shape[-2:])
    return values, vectors, told(eigen_svd.eigh(dense(x), values, vectors, n_matrices(x)))


@driver
def eigvalsh(x: NDArray) -> tuple[NDArray, Failure]:
    """Eigenvalues of the lower triangles of x (..., n, n), n > 0."""
    values = results(x, x.shape[-1], dtype=real_name(x))
    return values, told(eigen_svd.eigh(dense(x), values, None, n_matrices(x)))


@driver
def eig(x: NDArray) -> tuple[NDArray, NDArray, Failure]:
    """Complex eigenvalues and eigenvectors of x (..., n, n), n > 0."""
    values, vectors = results(x, x.shape[-1], dtype=complex_name(x)), results(x, *x.shape[-2:], dtype=complex_name(x))
    return values, vectors, told(eigen_svd.eig(dense(x), values, vectors, n_matrices(x)))


@driver
def eigvals(x: NDArray) -> tuple[NDArray, Failure]:
    """Complex eigenvalues of x (..., n, n), n > 0."""
    values = results(x, x.shape[-1], dtype=complex_name(x))
    return values, told(eigen_svd.eig(dense(x), values, None, n_matrices(x)))


@driver
def solve(a: NDArray, b: NDArray) -> tuple[NDArray, Failure]:
    """x with a (..., n, n) @ x = b (..., n, k); a or b may be one matrix for all."""
    stack = max(a.shape[:-2], b.shape[:-2], key=len)
    x = empty((*stack, *b.shape[-2:]), b.dtype)
    return x, told(factorizations.solve(dense(a), dense(b), x, prod(stack)))


@driver
def inverse(x: NDArray) -> tuple[NDArray, Failure]:
    """The inverses of x (..., n, n)."""
    y = results(x, *x.shape[-2:])
    return y, told(factorizations.solve(dense(x), None, y, n_matrices(x)))


@driver
def determinants(x: NDArray) -> NDArray:
    """The determinants of x (..., n, n)."""
    y = results(x)
    factorizations.determinant(dense(x), y, None, n_matrices(x))
    return y


@driver
def logarithms_of_determinants(x: NDArray) -> tuple[NDArray, NDArray]:
    """The signs of the determinants of x (..., n, n), and the logarithms of their absolute values."""
    signs, logarithms = results(x), results(x, dtype=real_name(x))
    factorizations.determinant(dense(x), signs, logarithms, n_matrices(x))
    return signs, logarithms


def least_squares_on_host(a: NDArray, b: NDArray, rcond: float) -> tuple[NDArray, NDArray, NDArray, NDArray, Failure]:
    """The solution, the residuals, the rank and the singular values of matrices with elements, by LAPACK."""
    (m, n), k = a.shape, b.shape[1]
    x, s = filled((max(m, n), k), a.dtype, 0.0), results(a, min(m, n), dtype=real_name(a))
    x[:m] = b
    rank, tolerance = filled((), DEFAULT_INT, 0), filled((), s.dtype, rcond)
    failure = told(eigen_svd.least_squares(dense(a), dense(b), tolerance, x, s, rank, 1))
    rest = x[n:] if int(rank) == n < m else x[:0, :0]
    return x[:n], (abs(rest) ** 2.0).sum(axis=0), rank, s, failure


def least_squares_by_svd(a: NDArray, b: NDArray, rcond: float) -> tuple[NDArray, NDArray, NDArray, NDArray, Failure]:
    """The same from singular vectors."""
    m, n = a.shape
    u, s, vh, failure = svd(a, is_full=False)
    counts = s > rcond * s[:1]
    rank = counts.astype(DEFAULT_INT).sum()
    shares = where(counts, reciprocal(where(counts, s, 1.0)), 0.0)[:, None] * matmul_elsewhere(adjoint(u), b)
    x = matmul_elsewhere(adjoint(vh), shares)
    rest = b - matmul_elsewhere(a, x) if int(rank) == n < m else b[:0, :0]
    return x, (abs(rest) ** 2.0).sum(axis=0), rank, s, failure


def adjoint(x: NDArray) -> NDArray:
    """The conjugate of the transposed matrix."""
    return (conj(x) if x.dtype.kind == "c" else x).mT


least_squares = by_backend("least_squares", least_squares_on_host, least_squares_by_svd)
