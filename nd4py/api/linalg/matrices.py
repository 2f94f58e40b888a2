"""Checks of matrix operands, and LinAlgError."""

from __future__ import annotations

from typing import Any

from ..._core.annotations import DTypeLike, Shape
from ..._core.array.array import NDArray
from ..._core.whole_numbers import real
from ..._exec.drivers.factorization_drivers import complex_name as complex_name
from ..._exec.drivers.factorization_drivers import real_name as real_name
from ..._spec.dtypes import DEFAULT_FLOAT
from ..creation.basic_creation import eye
from ..creation.data_types import float32, result_type
from ..operands import beside
from ..products.matmul import array_operands


class LinAlgError(ValueError):
    """A matrix without the result asked for: of another shape, singular, not positive definite, not finite, or without
    convergence.

    >>> try:
    ...     nd.linalg.inv([[1.0, 1.0], [1.0, 1.0]])
    ... except nd.linalg.LinAlgError:
    ...     print("singular")
    singular
    """


def floating(who: str, *operands: Any) -> list[NDArray]:
    """The operands as arrays, integers and bools as float64.  Raises TypeError for halves, which LAPACK lacks."""
    arrays = [x if x.dtype.kind in "fc" else x.astype(DEFAULT_FLOAT) for x in array_operands(who, *operands)]
    for x in arrays:
        if x.dtype.itemsize < float32.itemsize:
            raise TypeError(f"{who}: no {x.dtype} loop; convert first, x.astype('float32')")
    return arrays


def relative(what: str, tolerance: Any) -> float:
    """A tolerance as a float.  Raises TypeError unless it is a number."""
    return real(what, tolerance)


def in_one_dtype(x1: NDArray, x2: NDArray) -> tuple[NDArray, NDArray]:
    """Two arrays in their common dtype."""
    if x1.dtype is x2.dtype:
        return x1, x2
    dtype = result_type(x1, x2)
    return x1.astype(dtype, copy=False), x2.astype(dtype, copy=False)


def matrices(who: str, x: Any) -> NDArray:
    """A stack of matrices.  Raises TypeError for a wrong dtype, LinAlgError below two axes."""
    [x] = floating(who, x)
    if x.ndim < 2:
        raise LinAlgError(f"{who}: needs a matrix or a stack of them, (..., m, n), given shape {x.shape}")
    return x


def square_matrices(who: str, x: Any) -> NDArray:
    """A stack of square matrices.  Raises TypeError for a wrong dtype, LinAlgError for other shapes."""
    return square(who, matrices(who, x))


def square(who: str, x: NDArray) -> NDArray:
    """`x`, a stack of square matrices.  Raises LinAlgError for other shapes."""
    if x.ndim < 2 or x.shape[-1] != x.shape[-2]:
        raise LinAlgError(f"{who}: needs square matrices, (..., n, n), given shape {x.shape}")
    return x


def identity_beside(x: NDArray, rows: int, columns: int | None = None, dtype: DTypeLike | None = None) -> NDArray:
    """Ones on the diagonal, zeros elsewhere, where `x` is; in its dtype or another."""
    return beside(x, eye(rows, columns, dtype=x.dtype if dtype is None else dtype))


def check(who: str, failure: tuple[int, bool], stack: Shape, what: str) -> None:
    """Raises LinAlgError where a driver failed: which matrix of the stack, and `what` is wrong with it."""
    position, is_finite = failure
    if position < 0:
        return
    reason = what if is_finite else "holds NaN or infinity"
    raise LinAlgError(f"{who}: {matrix_name(position, stack)} {reason}")


def matrix_name(position: int, stack: Shape) -> str:
    """The matrix at a position of the stack, in words."""
    if not stack:
        return "the matrix"
    index = []
    for size in reversed(stack):
        position, i = divmod(position, size)
        index.append(i)
    return f"matrix {index[0] if len(index) == 1 else tuple(reversed(index))} of the stack"


def refuse_complex_gradient(who: str, instead: str, x: NDArray) -> None:
    """Raises NotImplementedError for complex matrices."""
    if x.dtype.kind == "c":
        raise NotImplementedError(f"{who} of complex matrices have no gradient; {instead}")


def refuse_gradient(who: str, instead: str, *operands: NDArray) -> None:
    """Raises NotImplementedError where an operand is being differentiated."""
    if any(x.node is not None for x in operands):
        raise NotImplementedError(f"{who} has no gradient; {instead}")
