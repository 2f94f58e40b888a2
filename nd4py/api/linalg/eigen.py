"""Eigenvalues and eigenvectors.  Source of the gradient: Giles 2008, 3.1, for symmetric matrices."""

from typing import Any, NamedTuple

from ..._core.annotations import Attributes, Gradients
from ..._core.array import NDArray
from ..._exec.several import differentiable_results
from ...cpu import spectra as cpu
from ..creation import eye
from ..linear import product
from ..manipulation import ascontiguous
from .gradients import gaps, without_diagonal
from .matrices import by_lapack, check, complex_name, n_matrices, real_name, refuse_gradient, results, square_matrices

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
    inner = eye(values.shape[-1], dtype=values.dtype) * (0.0 if g_values is None else g_values[..., None, :])
    if g_vectors is not None:
        inner = inner + without_diagonal(product(vectors.mT, g_vectors) / gaps(values))
    full = product(product(vectors, inner), vectors.mT)
    return [(full + full.mT) * 0.5]


@differentiable_results(eigh_vjp)
def symmetric_pairs(x: NDArray) -> EighResult:
    """Eigenvalues and eigenvectors of the lower triangles of square matrices."""
    result = EighResult(results(x, x.shape[-1], dtype=real_name(x)), results(x, *x.shape[-2:]))
    if x.shape[-1]:
        check("eigh", cpu.eigh(ascontiguous(x), *result, n_matrices(x)), x.shape[:-2], DIVERGED)
    return result


@by_lapack
def eigh(x: NDArray, /) -> EighResult:
    """Eigenvalues, ascending, and orthonormal eigenvectors, in columns, of symmetric or Hermitian matrices.

    x: (..., n, n), of which the lower triangle is read.  eigenvalues: (..., n), real.  eigenvectors: (..., n, n).
    Gradients need distinct eigenvalues.
    Raises LinAlgError for NaN and infinity, ValueError for other shapes, TypeError for other than float32, float64,
    complex64 and complex128.
    """
    return symmetric_pairs(square_matrices("eigh", x))


@by_lapack
def eigvalsh(x: NDArray, /) -> NDArray:
    """The eigenvalues of symmetric or Hermitian matrices, ascending: (..., n), real.  Raises as eigh does."""
    x = square_matrices("eigvalsh", x)
    if x.node is not None:
        return symmetric_pairs(x).eigenvalues
    values = results(x, x.shape[-1], dtype=real_name(x))
    if x.shape[-1]:
        check("eigvalsh", cpu.eigh(ascontiguous(x), values, None, n_matrices(x)), x.shape[:-2], DIVERGED)
    return values


@by_lapack
def eig(x: NDArray, /) -> EigResult:
    """Eigenvalues, in no order, and eigenvectors of length 1, in columns.

    x: (..., n, n)    eigenvalues: (..., n)    eigenvectors: (..., n, n).  Both are complex, of real matrices too.
    Raises LinAlgError for NaN and infinity, ValueError for other shapes, TypeError for other than float32, float64,
    complex64 and complex128, NotImplementedError for arrays that are being differentiated.
    """
    x = square_matrices("eig", x)
    refuse_gradient("eig", "symmetric matrices have one, see eigh", x)
    result = EigResult(results(x, x.shape[-1], dtype=complex_name(x)), results(x, *x.shape[-2:], dtype=complex_name(x)))
    if x.shape[-1]:
        check("eig", cpu.eig(ascontiguous(x), *result, n_matrices(x)), x.shape[:-2], DIVERGED)
    return result


@by_lapack
def eigvals(x: NDArray, /) -> NDArray:
    """The eigenvalues, in no order: (..., n), complex, of real matrices too.  Raises as eig does."""
    x = square_matrices("eigvals", x)
    refuse_gradient("eigvals", "symmetric matrices have one, see eigvalsh", x)
    values = results(x, x.shape[-1], dtype=complex_name(x))
    if x.shape[-1]:
        check("eigvals", cpu.eig(ascontiguous(x), values, None, n_matrices(x)), x.shape[:-2], DIVERGED)
    return values
