"""Least squares, for matrices that need not have full rank."""

from __future__ import annotations

from typing import NamedTuple

from ..._core.annotations import Attributes, Gradients, Operand
from ..._core.array.array import NDArray
from ..._exec.autodiff.nodes import constant
from ..._exec.autodiff.tape import conjugate, differentiable
from ..._exec.device.placement import filled_beside
from ..._exec.drivers import factorization_drivers
from ..._exec.drivers.matmul import product
from ..._spec.dtypes import DEFAULT_INT
from ..creation.data_types import finfo
from ..reductions.reductions import sum
from .factorizations import DIVERGED, svdvals
from .matrices import LinAlgError, check, floating, in_one_dtype, real_name, relative
from .ranks import pinv_vjp, pseudoinverse


class LstsqResult(NamedTuple):
    """The solution of least squares, the residuals, the rank and the singular values."""

    x: NDArray
    residuals: NDArray
    rank: NDArray
    singular_values: NDArray


def lstsq(a: Operand, /, b: Operand, rcond: float | None = None) -> LstsqResult:
    """The shortest x that minimizes the Euclidean norm of b - a @ x.

    a: (m, n)    b: (m,) or (m, k).  rcond: singular values up to rcond times the largest one count as 0; None is
    max(m, n) times the dtype's eps.
    Returns x (n,) or (n, k), the residuals sum(|b - a @ x|**2) of each column (k,), empty unless rank is n < m, the
    rank of a, and its singular values (min(m, n),).
    Raises LinAlgError for NaN and infinity, ValueError for shapes that do not fit, TypeError for other than float32,
    float64, complex64 and complex128.  Gradients need a constant rank.

    >>> solution, *_ = nd.linalg.lstsq([[0.0, 1.0], [1.0, 1.0], [2.0, 1.0]], [1.0, 3.0, 5.0])
    >>> nd.round(solution, 6)  # the line 2 * x + 1
    array([2., 1.], dtype=float64)
    """
    a, b = floating("lstsq", a, b)
    if a.ndim != 2 or b.ndim not in (1, 2) or a.shape[0] != b.shape[0]:
        raise LinAlgError(f"lstsq: needs a (m, n) and b (m,) or (m, k), given shapes {a.shape} and {b.shape}")
    rcond = None if rcond is None else relative("lstsq: rcond", rcond)
    columns = in_one_dtype(a, b if b.ndim == 2 else b[:, None])
    is_tracked = a.node is not None or b.node is not None
    result = tracked_least_squares(*columns, rcond) if is_tracked else least_squares(*columns, rcond)
    return result if b.ndim == 2 else result._replace(x=result.x[:, 0])


def shortest_vjp(g: NDArray, inputs: tuple[NDArray, NDArray], x: NDArray, attributes: Attributes) -> Gradients:
    """Gradients of x = pinv(a) @ b."""
    a, b = inputs
    inverse = pseudoinverse(a, rtol=attributes["tolerance"])
    [g_a] = pinv_vjp(product(g, conjugate(b).mT), (a,), inverse, {})
    return g_a, product(conjugate(inverse).mT, g)


@differentiable(shortest_vjp)
def shortest(a: NDArray, b: NDArray, *, tolerance: float) -> NDArray:
    """The solution alone."""
    return least_squares(a, b, tolerance).x


def tracked_least_squares(a: NDArray, b: NDArray, rcond: float | None) -> LstsqResult:
    """`least_squares` on the tape."""
    result = least_squares(constant(a), constant(b), rcond)
    if min(*a.shape, b.shape[1]) == 0:
        return result
    x = shortest(a, b, tolerance=max(a.shape) * finfo(a.dtype).eps if rcond is None else rcond)
    residuals = sum(abs(b - product(a, x)) ** 2.0, axis=0) if result.residuals.size else result.residuals
    return result._replace(x=x, residuals=residuals, singular_values=svdvals(a))


def least_squares(a: NDArray, b: NDArray, rcond: float | None) -> LstsqResult:
    """lstsq of checked matrices of one dtype."""
    (m, n), k = a.shape, b.shape[1]
    if k == 0:  # LAPACK needs a right side to find the rank
        result = least_squares(a, filled_beside(b, (m, 1), b.dtype, 0.0), rcond)
        return result._replace(x=result.x[:, :0], residuals=result.residuals[:0])
    if min(a.shape) == 0:
        rest = b if n == 0 < m else b[:0, :0]
        x, s = filled_beside(b, (n, k), b.dtype, 0.0), filled_beside(b, (0,), real_name(b), 0.0)
        return LstsqResult(x, sum(abs(rest) ** 2.0, axis=0), filled_beside(b, (), DEFAULT_INT, 0), s)
    tolerance = max(a.shape) * finfo(a.dtype).eps if rcond is None else rcond
    x, residuals, rank, s, failure = factorization_drivers.least_squares(a, b, tolerance)
    check("lstsq", failure, (), DIVERGED)
    return LstsqResult(x, residuals, rank, s)
