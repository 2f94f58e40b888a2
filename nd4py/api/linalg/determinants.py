"""Determinants.

Source of the gradients: Giles 2008, 2.2.4; for singular matrices the determinant's gradient is the matrix of cofactors,
here from the singular value decomposition.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ..._core.annotations import Attributes, Gradients, Operand
from ..._core.array.array import NDArray
from ..._exec.autodiff.multiple_outputs import differentiable_results
from ..._exec.autodiff.nodes import node_of
from ..._exec.autodiff.tape import conjugate, differentiable
from ..._exec.drivers import factorization_drivers as drivers
from ..._exec.drivers.matmul import product
from ..elementwise.elementwise import imag
from .factorizations import singular_vectors
from .matrices import square_matrices
from .matrix_gradients import products_of_others
from .solving import inverse


class SlogdetResult(NamedTuple):
    """det(x) = sign * exp(logabsdet)."""

    sign: NDArray
    logabsdet: NDArray


def determinant_vjp(g: NDArray, inputs: tuple[NDArray], output: NDArray, attributes: Attributes) -> Gradients:
    """Gradient of the determinant: the cofactors, (U * products of the other singular values) @ Vh, with its sign."""
    [x] = inputs
    if node_of(x) is not None:  # second derivatives by singular vectors need singular values that differ
        return [conjugate(inverse(x, who="det: second derivative")).mT * (g * conjugate(output))[..., None, None]]
    u, s, vh = singular_vectors(x, is_full=False)
    sign = conjugate(determinants(u) * determinants(vh))
    return [product(u * products_of_others(s)[..., None, :], vh) * (g * sign)[..., None, None]]


@differentiable(determinant_vjp)
def determinants(x: NDArray) -> NDArray:
    """The determinants of square matrices."""
    return drivers.determinants(x)


def det(x: Operand, /) -> NDArray:
    """The determinants of x (..., n, n): (...), 1 of matrices without elements.

    Raises ValueError for other shapes, TypeError for other than float32, float64, complex64 and complex128.

    >>> nd.round(nd.linalg.det([[1.0, 2.0], [3.0, 4.0]]), 6)
    array(-2., dtype=float64)
    """
    return determinants(square_matrices("det", x))


def slogdet_vjp(pieces: Any, inputs: tuple[NDArray], outputs: SlogdetResult, attributes: Attributes) -> Gradients:
    """Gradient of log|det|: the transposed inverse.  That of the sign is zero."""
    [x], (g_sign, g) = inputs, pieces
    if x.dtype.kind == "c" and g_sign is not None:  # y = sign is turned by the imaginary part of what logarithms gain
        turned = imag(conjugate(outputs.sign) * g_sign) * 1j
        g = turned if g is None else g + turned
    if g is None:
        return [None]
    return [conjugate(inverse(x, who="slogdet: gradient")).mT * g[..., None, None]]


@differentiable_results(slogdet_vjp)
def signs_and_logarithms(x: NDArray) -> SlogdetResult:
    """The signs and log|det| of square matrices."""
    return SlogdetResult(*drivers.logarithms_of_determinants(x))


def slogdet(x: Operand, /) -> SlogdetResult:
    """The sign, a number of absolute value 1, and the logarithm of the absolute value of the determinants.

    x: (..., n, n)    sign: (...), of x's dtype    logabsdet: (...), real.  Singular matrices have sign 0 and -inf.
    Raises ValueError for other shapes, TypeError for other than float32, float64, complex64 and complex128.

    >>> sign, logarithm = nd.linalg.slogdet([[0.0, 1.0], [1.0, 0.0]])
    >>> sign, logarithm
    (array(-1., dtype=float64), array(0., dtype=float64))
    """
    return signs_and_logarithms(square_matrices("slogdet", x))
