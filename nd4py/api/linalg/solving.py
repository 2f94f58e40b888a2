"""Systems of linear equations, and inverses.

Source of the gradients: Giles 2008, "An extended collection of matrix derivative results for forward and reverse mode
algorithmic differentiation", 2.2.3 and 2.3.1.
"""

from __future__ import annotations

from math import prod

from ..._core.annotations import Attributes, Gradients, Operand
from ..._core.array.array import NDArray
from ..._exec.autodiff.tape import conjugate, differentiable, sum_to_shape
from ..._exec.drivers import factorization_drivers as drivers
from ..._exec.drivers.matmul import product
from ..elementwise.elementwise import negative
from ..manipulation.manipulation import broadcast_shapes, broadcast_to
from .matrices import check, floating, in_one_dtype, square_matrices

SINGULAR = "is singular"


def solve_vjp(g: NDArray, inputs: tuple[NDArray, NDArray], output: NDArray, attributes: Attributes) -> Gradients:
    """Gradients of solve: b's is a.mT^-1 @ g, a's is -b's @ x.mT, of conjugates for complex numbers."""
    a, b = inputs
    g_b = solution(conjugate(a).mT, g, who=attributes["who"])
    return sum_to_shape(negative(product(g_b, conjugate(output).mT)), a.shape), sum_to_shape(g_b, b.shape)


@differentiable(solve_vjp)
def solution(a: NDArray, b: NDArray, *, who: str) -> NDArray:
    """x with a (..., n, n) @ x = b (..., n, k), of one dtype; stacks broadcast."""
    if a.ndim == 2 and b.ndim > 2:
        return solution_of_one(a, b, who)
    stack = broadcast_shapes(a.shape[:-2], b.shape[:-2])
    if a.ndim > 2:
        a = broadcast_to(a, (*stack, *a.shape[-2:]))
    if b.ndim > 2:
        b = broadcast_to(b, (*stack, *b.shape[-2:]))
    x, failure = drivers.solve(a, b)
    check(who, failure, stack, SINGULAR)
    return x


def solution_of_one(a: NDArray, b: NDArray, who: str) -> NDArray:
    """One matrix with a stack of right sides: they become columns of one right side, so that it is factorized once."""
    last = b.ndim - 2
    columns = b.permute_dims((last, *range(last), last + 1))
    x = solution(a, columns.reshape((b.shape[-2], prod(b.shape[:-2]) * b.shape[-1])), who=who)
    return x.reshape(columns.shape).permute_dims((*range(1, last + 1), 0, last + 1))


def solve(x1: Operand, x2: Operand, /) -> NDArray:
    """x with x1 @ x = x2.

    x1: (..., n, n)    x2: (n,), or (..., n, k), whose stack broadcasts with that of x1.
    Returns (..., n) or (..., n, k) in the common dtype.
    Raises LinAlgError where x1 is singular, ValueError for shapes that do not fit, TypeError for other than float32,
    float64, complex64 and complex128.

    >>> nd.linalg.solve([[2.0, 0.0], [0.0, 4.0]], [2.0, 2.0])
    array([1. , 0.5], dtype=float64)
    """
    [x2] = floating("solve", x2)
    x1 = square_matrices("solve", x1)
    size = x2.shape[0 if x2.ndim == 1 else -2] if x2.ndim else -1
    if size != x1.shape[-1]:
        raise ValueError(f"solve: x2 must be (n,) or (..., n, k) with n = {x1.shape[-1]}, given shape {x2.shape}")
    x1, x2 = in_one_dtype(x1, x2)
    if x2.ndim == 1:
        return solution(x1, x2[:, None], who="solve")[..., 0]
    return solution(x1, x2, who="solve")


def inverse_vjp(g: NDArray, inputs: tuple[NDArray], output: NDArray, attributes: Attributes) -> Gradients:
    """Gradient of the inverse y: -y.mT @ g @ y.mT, of conjugates for complex numbers."""
    transposed = conjugate(output).mT
    return [negative(product(product(transposed, g), transposed))]


@differentiable(inverse_vjp)
def inverse(a: NDArray, *, who: str) -> NDArray:
    """The inverses of a (..., n, n)."""
    y, failure = drivers.inverse(a)
    check(who, failure, a.shape[:-2], SINGULAR)
    return y


def inv(x: Operand, /) -> NDArray:
    """The inverses of x (..., n, n).

    Raises LinAlgError where x is singular, ValueError for other shapes, TypeError for other than float32, float64,
    complex64 and complex128.

    >>> nd.linalg.inv([[2.0, 0.0], [0.0, 4.0]])
    array([[0.5 , 0.  ],
           [0.  , 0.25]], dtype=float64)
    """
    return inverse(square_matrices("inv", x), who="inv")
