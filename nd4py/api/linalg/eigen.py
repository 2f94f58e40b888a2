"""Eigenvalues and eigenvectors.  Source of the gradient: Giles 2008, 3.1, for symmetric matrices."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..._core.annotations import Attributes, Gradients, Operand
from ..._core.array.array import NDArray
from ..._exec.autodiff.multiple_outputs import differentiable_results
from ..._exec.autodiff.tape import conjugate
from ..._exec.device.placement import filled_beside
from ..._exec.drivers import factorization_drivers as drivers
from ..._exec.drivers.matmul import product
from .matrices import check, complex_name, identity_beside, real_name, refuse_gradient, square_matrices
from .matrix_gradients import gaps, without_diagonal

DIVERGED = "did not converge"


class EigResult(NamedTuple):
    """x @ eigenvectors = eigenvectors * eigenvalues."""

    eigenvalues: NDArray
    eigenvectors: NDArray


class EighResult(NamedTuple):
    """x @ eigenvectors = eigenvectors * eigenvalues."""

    eigenvalues: NDArray
    eigenvectors: NDArray


def eigh_vjp(pieces: Any, inputs: tuple[NDArray], outputs: EighResult, attributes: Attributes) -> Gradients:
    """Gradient of eigh with distinct eigenvalues, spread evenly over both triangles."""
    values, vectors = outputs
    g_values, g_vectors = pieces
    adjoint = conjugate(vectors).mT
    inner = identity_beside(values, values.shape[-1]) * (0.0 if g_values is None else g_values[..., None, :])
    if g_vectors is not None:
        inner = inner + without_diagonal(product(adjoint, g_vectors) / gaps(values))
    full = product(product(vectors, inner), adjoint)
    return [(full + conjugate(full).mT) * 0.5]


def no_values(x: NDArray, dtype: str) -> NDArray:
    """The eigenvalues of matrices without elements, where they are."""
    return filled_beside(x, x.shape[:-1], dtype, 0.0)


@differentiable_results(eigh_vjp)
def symmetric_pairs(x: NDArray) -> EighResult:
    """Eigenvalues and eigenvectors of the lower triangles of square matrices."""
    if x.shape[-1] == 0:
        return EighResult(no_values(x, real_name(x)), x)
    values, vectors, failure = drivers.eigh(x)
    check("eigh", failure, x.shape[:-2], DIVERGED)
    return EighResult(values, vectors)


def eigh(x: Operand, /, UPLO: str = "L") -> EighResult:  # noqa: N803 - NumPy's name
    """Eigenvalues, ascending, and orthonormal eigenvectors, in columns, of symmetric or Hermitian matrices.

    x: (..., n, n), of which the lower triangle is read, with UPLO="U" the upper one.
    eigenvalues: (..., n), real.  eigenvectors: (..., n, n).
    Gradients need distinct eigenvalues.
    Raises LinAlgError for NaN and infinity, ValueError for other shapes, TypeError for other than float32, float64,
    complex64 and complex128.
    Returns (eigenvalues, eigenvectors), a named tuple.

    >>> nd.linalg.eigh([[2.0, 0.0], [0.0, 1.0]]).eigenvalues
    array([1., 2.], dtype=float64)
    """
    return symmetric_pairs(lower("eigh", square_matrices("eigh", x), UPLO))


def lower(name: str, x: NDArray, uplo: str) -> NDArray:
    """Matrices whose lower triangle is that which is to be read.  Raises ValueError for another letter than L and U."""
    if not isinstance(uplo, str) or uplo.upper() not in ("L", "U"):
        raise ValueError(f"{name}: UPLO must be 'L' or 'U', given {uplo!r}")
    return x if uplo.upper() == "L" else conjugate(x).mT


def eigvalsh(x: Operand, /, UPLO: str = "L") -> NDArray:  # noqa: N803 - NumPy's name
    """The eigenvalues of symmetric or Hermitian matrices, ascending: (..., n), real.  UPLO and errors as for eigh: it
    raises what that raises.

    >>> nd.linalg.eigvalsh([[2.0, 0.0], [0.0, 1.0]])
    array([1., 2.], dtype=float64)
    """
    x = lower("eigvalsh", square_matrices("eigvalsh", x), UPLO)
    if x.node is not None:
        return symmetric_pairs(x).eigenvalues
    if x.shape[-1] == 0:
        return no_values(x, real_name(x))
    values, failure = drivers.eigvalsh(x)
    check("eigvalsh", failure, x.shape[:-2], DIVERGED)
    return values


def eig(x: Operand, /) -> EigResult:
    """Eigenvalues, in no order, and eigenvectors of length 1, in columns.

    x: (..., n, n)    eigenvalues: (..., n)    eigenvectors: (..., n, n).  Both are complex, of real matrices too.
    Raises LinAlgError for NaN and infinity, ValueError for other shapes, TypeError for other than float32, float64,
    complex64 and complex128, NotImplementedError for arrays that are being differentiated.
    Returns (eigenvalues, eigenvectors), a named tuple.

    >>> nd.linalg.eig([[1.0, 0.0], [0.0, 2.0]]).eigenvalues
    array([1.+0.j, 2.+0.j], dtype=complex128)
    """
    x = square_matrices("eig", x)
    refuse_gradient("eig", "symmetric matrices have one, see eigh", x)
    if x.shape[-1] == 0:
        return EigResult(no_values(x, complex_name(x)), x.astype(complex_name(x)))
    values, vectors, failure = drivers.eig(x)
    check("eig", failure, x.shape[:-2], DIVERGED)
    return EigResult(values, vectors)


def eigvals(x: Operand, /) -> NDArray:
    """The eigenvalues, in no order: (..., n), complex, of real matrices too.  Raises as eig does.

    >>> nd.linalg.eigvals([[1.0, 0.0], [0.0, 2.0]])
    array([1.+0.j, 2.+0.j], dtype=complex128)
    """
    x = square_matrices("eigvals", x)
    refuse_gradient("eigvals", "symmetric matrices have one, see eigvalsh", x)
    if x.shape[-1] == 0:
        return no_values(x, complex_name(x))
    values, failure = drivers.eigvals(x)
    check("eigvals", failure, x.shape[:-2], DIVERGED)
    return values
