"""Cholesky, QR and singular value decompositions.

Sources of the gradients:
Murray 2016, "Differentiation of the Cholesky decomposition", https://arxiv.org/abs/1602.07527
Walter & Lehmann 2010, "Algorithmic differentiation of linear algebra functions", https://arxiv.org/abs/1001.1654
Roberts & Roberts 2020, "QR and LQ decomposition matrix backpropagation", https://arxiv.org/abs/2009.10071
Townsend 2016, "Differentiating the singular value decomposition"
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, overload

from ..._core.annotations import Attributes, Gradients, Operand
from ..._core.array.array import NDArray
from ..._core.whole_numbers import named
from ..._exec.autodiff.multiple_outputs import differentiable_results
from ..._exec.autodiff.tape import cast_gradient, conjugate, differentiable
from ..._exec.device.placement import filled_beside
from ..._exec.drivers import factorization_drivers as drivers
from ..._exec.drivers.matmul import product
from ..elementwise.elementwise import real
from ..manipulation.manipulation import broadcast_to, concat
from .matrices import (
    check,
    identity_beside,
    matrices,
    real_name,
    refuse_complex_gradient,
    refuse_gradient,
    square_matrices,
)
from .matrix_gradients import diagonal_matrices, gaps, lower, skew, without_diagonal
from .solving import inverse

DIVERGED = "did not converge"


class QRResult(NamedTuple):
    """x = Q @ R."""

    Q: NDArray
    R: NDArray


class SVDResult(NamedTuple):
    """x = (U * S) @ Vh."""

    U: NDArray
    S: NDArray
    Vh: NDArray


def cholesky_vjp(g: NDArray, inputs: tuple[NDArray], output: NDArray, attributes: Attributes) -> Gradients:
    """Gradient of the Cholesky factor, spread evenly over both triangles (Murray 2016)."""
    factor, g = (conjugate(output).mT, conjugate(g).mT) if attributes["is_upper"] else (output, g)
    inner = product(conjugate(factor).mT, lower(g))
    # The diagonal of the factor is real.
    below = lower(inner) - diagonal_matrices(inner - cast_gradient(real(inner), inner.dtype) * 0.5)
    inverse_factor = inverse(factor, who="cholesky: gradient")
    half = product(product(conjugate(inverse_factor).mT, below), inverse_factor)
    return [(half + conjugate(half).mT) * 0.5]


@differentiable(cholesky_vjp)
def cholesky_factor(x: NDArray, *, is_upper: bool) -> NDArray:
    """The Cholesky factors of square matrices."""
    factor, failure = drivers.cholesky(x, is_upper=is_upper)
    check("cholesky", failure, x.shape[:-2], "is not positive definite")
    return factor


def cholesky(x: Operand, /, *, upper: bool = False) -> NDArray:
    """Lower triangular L with x = L @ conj(L.mT), or upper triangular U with x = conj(U.mT) @ U.

    x: (..., n, n), symmetric or Hermitian; only the triangle of the result is read.
    Raises LinAlgError where x is not positive definite, ValueError for other shapes, TypeError for other than float32,
    float64, complex64 and complex128.
    Returns an array of the shape of x.

    >>> nd.linalg.cholesky([[4.0, 2.0], [2.0, 2.0]])
    array([[2., 0.],
           [1., 1.]], dtype=float64)
    """
    return cholesky_factor(square_matrices("cholesky", x), is_upper=bool(upper))


def qr_vjp(pieces: Any, inputs: tuple[NDArray], outputs: QRResult, attributes: Attributes) -> Gradients:
    """Gradient of QR: Walter & Lehmann 2010 for m >= n, Roberts & Roberts 2020 for m < n."""
    [x], (q, r) = inputs, outputs
    refuse_complex_gradient("qr", "factorize its real and imaginary parts as one real matrix", x)
    g_q, g_r = (g if g is not None else y * 0 for g, y in zip(pieces, outputs, strict=True))
    m, n = x.shape[-2:]
    if m >= n:
        return [qr_gradient(q, r, g_q, g_r)]
    left, right = x[..., :m], x[..., m:]
    g_left = qr_gradient(q, r[..., :m], g_q + product(right, g_r[..., m:].mT), g_r[..., :m])
    return [concat([g_left, product(q, g_r[..., m:])], axis=left.ndim - 1)]


def qr_gradient(q: NDArray, r: NDArray, g_q: NDArray, g_r: NDArray) -> NDArray:
    """The gradient for a matrix of full column rank."""
    inner = product(r, g_r.mT) - product(g_q.mT, q)
    triangle = lower(inner)
    symmetric = triangle + without_diagonal(triangle).mT
    return product(g_q + product(q, symmetric), inverse(r, who="qr: gradient").mT)


@differentiable_results(qr_vjp)
def qr_factors(x: NDArray, *, is_complete: bool) -> QRResult:
    """The factors of matrices (..., m, n)."""
    m, n = x.shape[-2:]
    if min(m, n):
        return QRResult(*drivers.qr(x, is_complete=is_complete))
    columns = m if is_complete else 0
    return QRResult(stacked_identity(x, m, columns), stacked_identity(x, columns, n))


@overload
def qr(x: Operand, /, mode: Literal["r"]) -> NDArray: ...
@overload
def qr(x: Operand, /, mode: Literal["reduced", "complete"] = "reduced") -> QRResult: ...
def qr(x: Operand, /, mode: str = "reduced") -> QRResult | NDArray:
    """x = Q @ R, where Q has orthonormal columns and R is upper triangular.

    x: (..., m, n).  mode: "reduced" gives Q (..., m, k) and R (..., k, n), k = min(m, n); "complete" (..., m, m) and
    (..., m, n); "r" the R of "reduced" alone.
    Raises ValueError for another mode or shape, TypeError for other than float32, float64, complex64 and complex128.
    Returns (Q, R), a named tuple; of mode "r" an array.

    >>> q, r = nd.linalg.qr([[3.0, 1.0], [4.0, 2.0]])
    >>> nd.allclose(q @ r, [[3.0, 1.0], [4.0, 2.0]])
    array(True, dtype=bool)
    """
    named("qr: mode", mode, ("reduced", "complete", "r"))
    x = matrices("qr", x)
    is_complete = mode == "complete"
    if is_complete and x.shape[-2] > x.shape[-1]:
        refuse_gradient("qr of mode 'complete'", "use mode='reduced'", x)
    factors = qr_factors(x, is_complete=is_complete)
    return factors.R if mode == "r" else factors


def svd_vjp(pieces: Any, inputs: tuple[NDArray], outputs: SVDResult, attributes: Attributes) -> Gradients:
    """Gradient of the reduced SVD with distinct singular values (Townsend 2016)."""
    u, s, vh = outputs
    k = s.shape[-1]
    g_u, g_s, g_vh = pieces
    u, vh = u[..., :k], vh[..., :k, :]
    if g_u is None and g_vh is None:
        return [product(u * g_s[..., None, :], vh)]
    uh, v, row, column = conjugate(u).mT, conjugate(vh).mT, s[..., None, :], s[..., :, None]
    g_u = u * 0 if g_u is None else g_u
    g_v = v * 0 if g_vh is None else conjugate(g_vh).mT
    distance = gaps(s * s)
    of_u, of_v = (skew(product(left, g)) for left, g in ((uh, g_u), (vh, g_v)))
    inner = without_diagonal(of_u) / distance * row + column * (without_diagonal(of_v) / distance)
    if u.dtype.kind == "c":  # of a value that does not depend on the phases of the vectors
        inner = inner + diagonal_matrices(of_u) * 0.5 / row
    if g_s is not None:
        inner = inner + identity_beside(s, k) * g_s[..., None, :]
    outside_u = (g_u - product(u, product(uh, g_u))) / row
    outside_v = (g_v - product(v, product(vh, g_v))) / row
    return [product(product(u, inner) + outside_u, vh) + product(u, conjugate(outside_v).mT)]


@differentiable_results(svd_vjp)
def singular_vectors(x: NDArray, *, is_full: bool) -> SVDResult:
    """The decomposition of matrices (..., m, n)."""
    m, n = x.shape[-2:]
    if min(m, n):
        u, s, vh, failure = drivers.svd(x, is_full=is_full)
        check("svd", failure, x.shape[:-2], DIVERGED)
        return SVDResult(u, s, vh)
    u, vh = stacked_identity(x, m, m if is_full else 0), stacked_identity(x, n if is_full else 0, n)
    return SVDResult(u, no_values(x), vh)


def stacked_identity(x: NDArray, rows: int, columns: int) -> NDArray:
    """An identity for every matrix of the stack `x`."""
    return broadcast_to(identity_beside(x, rows, columns), (*x.shape[:-2], rows, columns)).copy()


def no_values(x: NDArray) -> NDArray:
    """The singular values of matrices without elements."""
    return filled_beside(x, (*x.shape[:-2], 0), real_name(x), 0.0)


def svd(x: Operand, /, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False) -> Any:
    """x = (U * S) @ Vh: U and Vh have orthonormal columns and rows, S descends and is not negative.

    x: (..., m, n)    S: (..., k), k = min(m, n), real    U: (..., m, m)    Vh: (..., n, n), or (..., m, k) and
    (..., k, n) where `full_matrices` is false.  compute_uv=False gives S alone.
    hermitian: accepted, all matrices are treated alike.
    Gradients need distinct singular values, and full_matrices=False unless m = n.
    Raises LinAlgError for NaN and infinity, ValueError below two axes, TypeError for other than float32, float64,
    complex64 and complex128.
    Returns (U, S, Vh), a named tuple, or S.

    >>> u, s, vh = nd.linalg.svd([[3.0, 0.0], [0.0, 2.0]])
    >>> s
    array([3., 2.], dtype=float64)
    """
    if not compute_uv:
        return svdvals(x)
    x = matrices("svd", x)
    if full_matrices and x.shape[-2] != x.shape[-1]:
        refuse_gradient("svd with full_matrices=True", "use full_matrices=False", x)
    return singular_vectors(x, is_full=bool(full_matrices))


def svdvals(x: Operand, /) -> NDArray:
    """The singular values of x (..., m, n), descending: (..., min(m, n)), real.  Raises as svd does.

    >>> nd.linalg.svdvals([[3.0, 0.0], [0.0, 2.0]])
    array([3., 2.], dtype=float64)
    """
    x = matrices("svdvals", x)
    if x.node is not None:
        return singular_vectors(x, is_full=False).S
    if min(x.shape[-2:]) == 0:
        return no_values(x)
    s, failure = drivers.svdvals(x)
    check("svdvals", failure, x.shape[:-2], DIVERGED)
    return s
