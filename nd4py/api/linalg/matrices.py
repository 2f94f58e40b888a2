"""What the functions on matrices ask of their operands, and the words for matrices that have no result."""

from collections.abc import Callable
from math import prod
from typing import Any, TypeVar

from ..._core.annotations import DTypeLike, Shape
from ..._core.array import NDArray
from ..._exec.conversion import empty
from ..._exec.functions import on_host_only
from ..._spec.dtypes import DEFAULT_FLOAT
from ...cpu.spectra import NOT_FINITE
from ..data_types import float32, result_type
from ..linear import array_operands

Function = TypeVar("Function", bound=Callable[..., Any])

REAL = {"complex64": "float32", "complex128": "float64"}
COMPLEX = {real: name for name, real in REAL.items()}


def by_lapack(function: Function) -> Function:
    """A function whose factorizations are made in host memory: on arrays of a device it says so, or falls back."""
    return on_host_only(function)


class LinAlgError(ValueError):
    """A matrix without the result asked for: singular, not positive definite, not finite, or without convergence."""


def floating(who: str, *operands: Any) -> list[NDArray]:
    """The operands as arrays, integers and bools as float64.  Raises TypeError for halves, which LAPACK has not."""
    arrays = [x if x.dtype.kind in "fc" else x.astype(DEFAULT_FLOAT) for x in array_operands(who, *operands)]
    for x in arrays:
        if x.dtype.itemsize < float32.itemsize:
            raise TypeError(f"{who}: no {x.dtype} loop; convert first, x.astype('float32')")
    return arrays


def in_one_dtype(x1: NDArray, x2: NDArray) -> tuple[NDArray, NDArray]:
    """Two arrays in their common dtype."""
    if x1.dtype is x2.dtype:
        return x1, x2
    dtype = result_type(x1, x2)
    return x1.astype(dtype, copy=False), x2.astype(dtype, copy=False)


def matrices(who: str, x: Any) -> NDArray:
    """A stack of matrices.  Raises TypeError for a wrong dtype, ValueError below two axes."""
    [x] = floating(who, x)
    if x.ndim < 2:
        raise ValueError(f"{who}: needs a matrix or a stack of them, (..., m, n), given shape {x.shape}")
    return x


def square_matrices(who: str, x: Any) -> NDArray:
    """A stack of square matrices.  Raises TypeError for a wrong dtype, ValueError for other shapes."""
    return square(who, matrices(who, x))


def square(who: str, x: NDArray) -> NDArray:
    """`x`, a stack of square matrices.  Raises ValueError for other shapes."""
    if x.ndim < 2 or x.shape[-1] != x.shape[-2]:
        raise ValueError(f"{who}: needs square matrices, (..., n, n), given shape {x.shape}")
    return x


def results(x: NDArray, *sizes: int, dtype: DTypeLike | None = None) -> NDArray:
    """An uninitialised array of `sizes` for every matrix of the stack `x`, in its dtype or another."""
    return empty((*x.shape[:-2], *sizes), x.dtype if dtype is None else dtype)


def n_matrices(x: NDArray) -> int:
    """How many matrices a stack holds."""
    return prod(x.shape[:-2])


def real_name(x: NDArray) -> str:
    """The name of the real dtype of the width of `x`."""
    return REAL.get(x.dtype.name, x.dtype.name)


def complex_name(x: NDArray) -> str:
    """The name of the complex dtype of the width of `x`."""
    return COMPLEX.get(x.dtype.name, x.dtype.name)


def check(who: str, failure: tuple[int, int], stack: Shape, what: str) -> None:
    """Raises LinAlgError where a backend's function failed: which matrix of the stack, and `what` is wrong with it."""
    position, status = failure
    if position < 0:
        return
    reason = "holds NaN or infinity" if status == NOT_FINITE else what
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


def refuse_gradient(who: str, instead: str, *operands: NDArray) -> None:
    """Raises NotImplementedError where an operand is being differentiated."""
    if any(x.node is not None for x in operands):
        raise NotImplementedError(f"{who} has no gradient; {instead}")
