"""Least squares, for matrices that need not have full rank."""

from typing import NamedTuple

from ..._core.array import NDArray
from ..._exec.devices import filled_beside
from ..._exec.functions import by_place
from ...cpu import spectra as cpu
from ..data_types import finfo
from ..linear import conjugate, product
from ..manipulation import ascontiguous
from ..reductions import sum
from .drivers import results, told
from .factorizations import DIVERGED, singular_vectors
from .matrices import check, floating, in_one_dtype, real_name, refuse_gradient, relative
from .ranks import reciprocals, significant


class LstsqResult(NamedTuple):
    """The solution of least squares, and what was found on the way."""

    x: NDArray
    residuals: NDArray
    rank: NDArray
    singular_values: NDArray


def lstsq(a: NDArray, b: NDArray, /, rcond: float | None = None) -> LstsqResult:
    """The shortest x that minimizes the Euclidean norm of b - a @ x.

    a: (m, n)    b: (m,) or (m, k).  rcond: singular values up to rcond times the largest one count as 0; None is
    max(m, n) times the dtype's eps.
    Returns x (n,) or (n, k), the residuals sum(|b - a @ x|**2) of each column (k,), empty unless rank is n < m, the
    rank of a, and its singular values (min(m, n),).
    Raises LinAlgError for NaN and infinity, ValueError for shapes that do not fit, TypeError for other than float32,
    float64, complex64 and complex128, NotImplementedError for arrays that are being differentiated.
    """
    a, b = floating("lstsq", a, b)
    if a.ndim != 2 or b.ndim not in (1, 2) or a.shape[0] != b.shape[0]:
        raise ValueError(f"lstsq: needs a (m, n) and b (m,) or (m, k), given shapes {a.shape} and {b.shape}")
    refuse_gradient("lstsq", "use pinv(a) @ b", a, b)
    rcond = None if rcond is None else relative("lstsq: rcond", rcond)
    result = least_squares(*in_one_dtype(a, b if b.ndim == 2 else b[:, None]), rcond)
    return result if b.ndim == 2 else result._replace(x=result.x[:, 0])


def least_squares(a: NDArray, b: NDArray, rcond: float | None) -> LstsqResult:
    """lstsq of checked matrices of one dtype."""
    (m, _), k = a.shape, b.shape[1]
    if k == 0:  # LAPACK needs a right side to find the rank
        result = least_squares(a, filled_beside(b, (m, 1), b.dtype, 0.0), rcond)
        return result._replace(x=result.x[:, :0], residuals=result.residuals[:0])
    found = solution_and_values(a, b, max(a.shape) * finfo(a.dtype).eps if rcond is None else rcond)
    return LstsqResult(*found)


def host_least_squares(a: NDArray, b: NDArray, rcond: float) -> tuple[NDArray, NDArray, NDArray, NDArray]:
    """The solution, the residuals, the rank and the singular values, by LAPACK."""
    (m, n), k = a.shape, b.shape[1]
    x, s = filled_beside(a, (max(m, n), k), a.dtype, 0.0), results(a, min(m, n), dtype=real_name(a))
    x[:m] = b
    rank = filled_beside(a, (), "int64", 0)
    if min(m, n):
        tolerance = filled_beside(a, (), s.dtype, rcond)
        failure = cpu.least_squares(ascontiguous(a), ascontiguous(b), tolerance, x, s, rank, 1)
        check("lstsq", told(failure), (), DIVERGED)
    elif n:
        x[...] = 0
    rest = x[n:] if int(rank) == n < m else x[:0, :0]
    return x[:n], sum(abs(rest) ** 2.0, axis=0), rank, s


def least_squares_by_svd(a: NDArray, b: NDArray, rcond: float) -> tuple[NDArray, NDArray, NDArray, NDArray]:
    """The same from singular vectors, for devices."""
    m, n = a.shape
    u, s, vh = singular_vectors(a, is_full=False)
    counts = significant(s, a.shape, rcond) if min(m, n) else s > 0
    rank = sum(counts.astype("int64"))
    x = product(conjugate(vh).mT, reciprocals(s, counts)[:, None] * product(conjugate(u).mT, b))
    rest = b - product(a, x) if int(rank) == n < m else b[:0, :0]
    return x, sum(abs(rest) ** 2.0, axis=0), rank, s


solution_and_values = by_place("least_squares", host_least_squares, least_squares_by_svd)
