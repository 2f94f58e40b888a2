"""Ranks and pseudoinverses, for matrices that need not have full rank.

Source of the pseudoinverse's gradient: Golub & Pereyra 1973, "The differentiation of pseudo-inverses and nonlinear
least squares problems whose variables separate", equation 4.12.
"""

from __future__ import annotations

from typing import Any

from ..._core.annotations import Attributes, Gradients, Operand
from ..._core.array.array import NDArray
from ..._exec.autodiff.tape import conjugate, differentiable
from ..._exec.concat import as_array
from ..._exec.device.placement import beside, filled_beside
from ..._exec.drivers.matmul import product
from ..arguments import tells_its_name
from ..creation.data_types import finfo
from ..elementwise.elementwise import reciprocal, where
from ..products.matmul import array_operands
from ..reductions.reductions import any, sum
from .factorizations import singular_vectors, svdvals
from .matrices import matrices


def significant(s: NDArray, shape: tuple[int, ...], rtol: Any) -> NDArray:
    """Which singular values (..., k), descending, of matrices of `shape` count: those above rtol times the first."""
    if rtol is None:
        rtol = max(shape[-2:]) * finfo(s.dtype).eps
    relative = beside(s, as_array(rtol)).astype(s.dtype, copy=False)
    return s > relative[..., None] * s[..., :1]


def reciprocals(s: NDArray, counts: NDArray) -> NDArray:
    """1 / s of the singular values that count, 0 of the others."""
    return where(counts, reciprocal(where(counts, s, 1.0)), 0.0)


@tells_its_name
def matrix_rank(
    x: Operand,
    /,
    tol: float | NDArray | None = None,
    hermitian: bool = False,
    *,
    rtol: float | NDArray | None = None,
) -> NDArray:
    """How many singular values exceed rtol times the largest one, or `tol`, which is NumPy's older argument.

    x: (..., m, n); of a vector or a number it is 1 unless all elements are 0.
    rtol: a number, or one for each matrix; None is max(m, n) times the dtype's eps.
    hermitian: accepted, all matrices are treated alike.
    Returns (...), int64.  Raises as svd does, ValueError for both.

    >>> nd.linalg.matrix_rank([[1.0, 2.0], [2.0, 4.0]])
    array(1, dtype=int64)
    """
    x = array_operands("matrix_rank", x)[0]
    if x.ndim < 2:
        return any(x != 0).astype("int64")
    x = matrices("matrix_rank", x)
    if 0 in x.shape[-2:]:
        return filled_beside(x, x.shape[:-2], "int64", 0)
    if tol is not None and rtol is not None:
        raise ValueError("matrix_rank: give tol or rtol, not both")
    s = svdvals(x)
    if tol is not None:
        return sum(s > beside(s, as_array(tol)).astype(s.dtype, copy=False)[..., None], axis=-1)
    return sum(significant(s, x.shape, rtol), axis=-1)


def pinv_vjp(g: NDArray, inputs: tuple[NDArray], output: NDArray, attributes: Attributes) -> Gradients:
    """Gradient of the pseudoinverse p of x of constant rank."""
    [x], p = inputs, output
    adjoint, g_adjoint = conjugate(p).mT, conjugate(g).mT
    left = product(product(g_adjoint, p), adjoint)  # (m, n) again
    right = product(adjoint, product(p, g_adjoint))
    both = product(adjoint, product(g, adjoint))
    return [left - product(product(x, p), left) + right - product(product(right, p), x) - both]


@differentiable(pinv_vjp)
def pseudoinverse(x: NDArray, *, rtol: Any) -> NDArray:
    """The pseudoinverses of matrices with elements."""
    u, s, vh = singular_vectors(x, is_full=False)
    factors = reciprocals(s, significant(s, x.shape, rtol))
    return product(conjugate(vh).mT * factors[..., None, :], conjugate(u).mT)


@tells_its_name
def pinv(
    x: Operand,
    /,
    rcond: float | NDArray | None = None,
    hermitian: bool = False,
    *,
    rtol: float | NDArray | None = None,
) -> NDArray:
    """The pseudoinverses (..., n, m) of x (..., m, n), by its singular values above rtol times the largest one.

    rtol: a number, or one for each matrix; None is max(m, n) times the dtype's eps.  Gradients need a constant rank.
    rcond: NumPy's older name for rtol; hermitian: accepted, all matrices are treated alike.
    Raises as svd does, ValueError for both.

    >>> nd.linalg.pinv([[2.0, 0.0], [0.0, 0.0]])
    array([[0.5, 0. ],
           [0. , 0. ]], dtype=float64)
    """
    if rcond is not None and rtol is not None:
        raise ValueError("pinv: give rcond or rtol, not both")
    rtol = rcond if rtol is None else rtol
    x = matrices("pinv", x)
    if 0 in x.shape[-2:]:
        return filled_beside(x, x.mT.shape, x.dtype, 0.0)
    return pseudoinverse(x, rtol=rtol)
