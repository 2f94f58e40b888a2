"""Ranks, pseudoinverses and least squares, for matrices that need not have full rank.

Source of the pseudoinverse's gradient: Golub & Pereyra 1973, "The differentiation of pseudo-inverses and nonlinear
least squares problems whose variables separate", equation 4.12.
"""

from typing import Any, NamedTuple

from ..._core.annotations import Attributes, Gradients
from ..._core.array import NDArray
from ..._exec.tape import differentiable
from ...cpu import spectra as cpu
from ..creation import asarray, zeros
from ..data_types import finfo
from ..elementwise import reciprocal, where
from ..linear import conjugate, product
from ..manipulation import ascontiguous
from ..reductions import sum
from .factorizations import singular_vectors, svdvals
from .matrices import by_lapack, check, floating, in_one_dtype, matrices, real_name, refuse_gradient, results


class LstsqResult(NamedTuple):
    """The solution of least squares, and what was found on the way."""

    x: NDArray
    residuals: NDArray
    rank: NDArray
    singular_values: NDArray


def significant(s: NDArray, shape: tuple[int, ...], rtol: Any) -> NDArray:
    """Which singular values (..., k), descending, of matrices of `shape` count: those above rtol times the first."""
    if rtol is None:
        rtol = max(shape[-2:]) * finfo(s.dtype).eps
    relative = asarray(rtol, dtype=s.dtype)
    return s > relative[..., None] * s[..., :1]


@by_lapack
def matrix_rank(x: NDArray, /, *, rtol: float | NDArray | None = None) -> NDArray:
    """How many singular values exceed rtol times the largest one.

    x: (..., m, n).  rtol: a number, or one for each matrix; None is max(m, n) times the dtype's eps.
    Returns (...), int64.  Raises as svd does.
    """
    x = matrices("matrix_rank", x)
    if 0 in x.shape[-2:]:
        return zeros(x.shape[:-2], dtype="int64")
    return sum(significant(svdvals(x), x.shape, rtol), axis=-1)


def pinv_vjp(g: NDArray, inputs: tuple[NDArray], output: NDArray, attributes: Attributes) -> Gradients:
    """Gradient of the pseudoinverse p of x of constant rank."""
    [x], p = inputs, output
    g_p, p_g = product(g.mT, p), product(p, g.mT)
    left = product(g_p, p.mT)  # (m, n) again
    right = product(p.mT, p_g)
    both = product(p.mT, product(g, p.mT))
    return [left - product(product(x, p), left) + right - product(product(right, p), x) - both]


@differentiable(pinv_vjp)
def pseudoinverse(x: NDArray, *, rtol: Any) -> NDArray:
    """The pseudoinverses of matrices with elements."""
    u, s, vh = singular_vectors(x, is_full=False)
    counts = significant(s, x.shape, rtol)
    factors = where(counts, reciprocal(where(counts, s, 1.0)), 0.0)
    return product(conjugate(vh).mT * factors[..., None, :], conjugate(u).mT)


@by_lapack
def pinv(x: NDArray, /, rtol: float | NDArray | None = None) -> NDArray:
    """The pseudoinverses (..., n, m) of x (..., m, n), by its singular values above rtol times the largest one.

    rtol: a number, or one for each matrix; None is max(m, n) times the dtype's eps.  Gradients need a constant rank.
    Raises as svd does.
    """
    x = matrices("pinv", x)
    if 0 in x.shape[-2:]:
        return zeros(x.mT.shape, dtype=x.dtype)
    return pseudoinverse(x, rtol=rtol)


@by_lapack
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
    result = least_squares(*in_one_dtype(a, b if b.ndim == 2 else b[:, None]), rcond)
    return result if b.ndim == 2 else result._replace(x=result.x[:, 0])


def least_squares(a: NDArray, b: NDArray, rcond: float | None) -> LstsqResult:
    """lstsq of checked matrices of one dtype."""
    (m, n), k = a.shape, b.shape[1]
    if k == 0:  # LAPACK needs a right side to find the rank
        result = least_squares(a, zeros((m, 1), dtype=b.dtype), rcond)
        return result._replace(x=result.x[:, :0], residuals=result.residuals[:0])
    x, s = zeros((max(m, n), k), dtype=a.dtype), results(a, min(m, n), dtype=real_name(a))
    x[:m] = b
    rank = zeros((), dtype="int64")
    if min(m, n):
        tolerance = asarray(max(m, n) * finfo(a.dtype).eps if rcond is None else rcond, dtype=s.dtype)
        failure = cpu.least_squares(ascontiguous(a), ascontiguous(b), tolerance, x, s, rank, 1)
        check("lstsq", failure, (), "did not converge")
    elif n:
        x[...] = 0
    rest = x[n:] if int(rank) == n < m else x[:0, :0]
    return LstsqResult(x[:n], sum(abs(rest) ** 2.0, axis=0), rank, s)
