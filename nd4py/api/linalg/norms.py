"""Norms of vectors and matrices, and condition numbers."""

from __future__ import annotations

from math import inf
from typing import Any, TypeAlias

from ..._core.annotations import Attributes, Axes, Gradients, Operand, Shape
from ..._core.array.array import NDArray
from ..._core.layout.shape import normalize_axis
from ..._exec.autodiff.nodes import constant, node_of
from ..._exec.autodiff.tape import differentiable
from ..arguments import tells_its_name
from ..elementwise.elementwise import divide, imag, not_equal, real, sqrt, where
from ..products.matmul import array_operands
from ..reductions.reductions import max_of_absolutes, min, sum, sum_of_absolutes, sum_of_squares
from .determinants import slogdet
from .factorizations import svdvals
from .matrices import LinAlgError, identity_beside, matrices
from .solving import inverse

MatrixOrd: TypeAlias = int | float | str | None
LAST_TWO = (-2, -1)


def lengths_vjp(g: NDArray, inputs: tuple[NDArray], output: NDArray, attributes: Attributes) -> Gradients:
    """Gradient of the Euclidean norm: x / norm, and 0, one of its subgradients, at 0."""
    return [inputs[0] * divide(g, where(output == 0, 1.0, output))]


@differentiable(lengths_vjp)
def lengths(x: NDArray, *, axis: Axes) -> NDArray:
    """Euclidean norms, with the axes kept as 1."""
    if x.dtype.kind == "c":
        squares = sum_of_squares(real(x), axis=axis, keepdims=True) + sum_of_squares(imag(x), axis=axis, keepdims=True)
    else:
        squares = sum_of_squares(x, axis=axis, keepdims=True)
    return sqrt(squares)


@tells_its_name
def vector_norm(x: Operand, /, *, axis: Axes = None, keepdims: bool = False, ord: float = 2) -> NDArray:
    """sum(|x|**ord) ** (1 / ord) over `axis`, several axes, or all (None).

    x: numbers; integers and bools are computed in float64.
    ord: a number; inf and -inf are the largest and the smallest |x|, 0 counts what is not 0.
    Returns the shape without those axes, or with size 1 for them (keepdims), in x's real dtype.
    Raises ValueError for an axis out of range, or -inf of no elements.

    >>> nd.linalg.vector_norm([3.0, 4.0])
    array(5., dtype=float64)
    """
    [x] = array_operands("vector_norm", x)
    if x.dtype.kind not in "fc":
        x = x.astype("float64")
    if x.node is None and x.dtype.kind == "f" and ord == 2 and axis is None and not keepdims:
        return sqrt(sum_of_squares(x))
    norm = norm_of_order(x, axis, ord)
    return norm if keepdims else without_axes(norm, axis)


def norm_of_order(x: NDArray, axis: Axes, ord: Any) -> NDArray:
    """The vector norm with its axes kept as 1.  Raises TypeError where `ord` is no number."""
    try:
        ord = float(ord)
    except (TypeError, ValueError, OverflowError):
        raise TypeError(f"norm: ord must be a number, given {ord!r}") from None
    if ord == 2:
        return lengths(x, axis=axis)
    x = abs(x)
    if ord == 1:
        return sum_of_absolutes(x, axis=axis, keepdims=True)
    if ord == inf:
        return max_of_absolutes(x, axis=axis, keepdims=True)
    if ord == -inf:
        return min(x, axis=axis, keepdims=True)
    if ord == 0:
        return sum(not_equal(x, 0).astype(x.dtype), axis=axis, keepdims=True)
    total = sum(x**ord, axis=axis, keepdims=True)
    if node_of(total) is not None and ord > 0:  # 0, one of its subgradients, at 0: the slope of the root is infinite
        total = where(constant(total) == 0, 0.0, total)
    return total ** (1 / ord)


def without_axes(x: NDArray, axis: Axes) -> NDArray:
    """`x` without axes of size 1."""
    given = range(x.ndim) if axis is None else axis if isinstance(axis, tuple | list) else (axis,)
    axes = {normalize_axis(i, x.ndim) for i in given}
    return x.reshape(tuple(size for i, size in enumerate(x.shape) if i not in axes))


def matrix_norm(x: Operand, /, *, keepdims: bool = False, ord: MatrixOrd = "fro") -> NDArray:
    """The norms of x (..., m, n).

    ord: "fro", the root of the sum of squares; "nuc", the sum of the singular values; 2 and -2, the largest and the
    smallest of them; 1 and -1, the largest and the smallest sum |x| of a column; inf and -inf, those of a row.
    Returns (...), or (..., 1, 1) (keepdims), in x's real dtype.
    Raises ValueError for another ord, a negative one of no elements, or below two axes, TypeError for other than
    float32, float64, complex64 and complex128, LinAlgError for NaN and infinity where singular values are needed.

    >>> nd.linalg.matrix_norm([[3.0, 0.0], [0.0, 4.0]])
    array(5., dtype=float64)
    """
    x = matrices("matrix_norm", x)
    if ord not in ("fro", "nuc", None, 1, -1, 2, -2, inf, -inf):
        raise ValueError(f"matrix_norm: ord must be 'fro', 'nuc', 1, -1, 2, -2, inf or -inf, given {ord!r}")
    if ord in ("fro", None):
        return vector_norm(x, axis=LAST_TWO, keepdims=keepdims)
    norm = norm_of_sums(x, ord)
    return norm[..., None, None] if keepdims else norm


def norm_of_sums(x: NDArray, ord: Any) -> NDArray:
    """Norms that are the largest or the smallest of singular values or sums, or the sum of singular values."""
    if ord in ("nuc", 2, -2):
        values = svdvals(x)
    else:
        values = sum_of_absolutes(abs(x), axis=-2 if ord in (1, -1) else -1)
    if ord == "nuc":
        return sum(values, axis=-1)
    return max_of_absolutes(values, axis=-1) if ord > 0 else min(values, axis=-1)


@tells_its_name
def norm(x: Operand, ord: Any = None, axis: Axes = None, keepdims: bool = False) -> NDArray:
    """NumPy's norm: of a vector where `axis` is one axis, of matrices where it is two.

    axis: None takes all elements as a vector (ord None), or x of one or two axes as a vector or a matrix.
    ord: see vector_norm and matrix_norm; None is the root of the sum of squares.  Raises as they do.
    Returns real numbers, without the axes.

    >>> nd.linalg.norm([3.0, 4.0])
    array(5., dtype=float64)
    """
    [x] = array_operands("norm", x)
    if axis is None and (ord is None or x.ndim == 1):
        return vector_norm(x, keepdims=keepdims, ord=2 if ord is None else ord)
    axes = tuple(range(x.ndim)) if axis is None else axis if isinstance(axis, tuple | list) else (axis,)
    if len(axes) == 1:
        return vector_norm(x, axis=axes[0], keepdims=keepdims, ord=2 if ord is None else ord)
    if len(axes) != 2:
        raise ValueError(f"norm: axis must name one axis or two, given {axis} for shape {x.shape}")
    return norm_along(x, (normalize_axis(axes[0], x.ndim), normalize_axis(axes[1], x.ndim)), ord, keepdims)


def norm_along(x: NDArray, axes: Shape, ord: MatrixOrd, keepdims: bool) -> NDArray:
    """The norms of the matrices along two axes."""
    if axes[0] == axes[1]:
        raise ValueError(f"norm: axis names one axis twice, given {axes}")
    others = [i for i in range(x.ndim) if i not in axes]
    y = matrix_norm(x.permute_dims((*others, *axes)), ord=ord)
    return y.reshape(tuple(1 if i in axes else size for i, size in enumerate(x.shape))) if keepdims else y


@tells_its_name
def cond(x: Operand, /, p: MatrixOrd = None) -> NDArray:
    """The condition numbers of x (..., m, n): norm(x) * norm(inverse of x), infinite of singular matrices.

    p: None and 2 divide the largest singular value by the smallest one, -2 the other way round; other orders of
    matrix_norm need square matrices.
    Returns (...), real.  Raises as matrix_norm does.

    >>> nd.linalg.cond([[2.0, 0.0], [0.0, 1.0]])
    array(2., dtype=float64)
    """
    x = matrices("cond", x)
    if 0 in x.shape[-2:]:
        raise LinAlgError(f"cond: a matrix without elements has no condition number, given shape {x.shape}")
    if p in (None, 2, -2):
        s = svdvals(x)
        return finite_ratio(s[..., -1], s[..., 0]) if p == -2 else finite_ratio(s[..., 0], s[..., -1])
    if x.shape[-1] != x.shape[-2]:
        raise LinAlgError(f"cond: p={p!r} needs square matrices, (..., n, n), given shape {x.shape}")
    singular = slogdet(x).sign == 0
    regular = where(singular[..., None, None], identity_beside(x, x.shape[-1]), x)
    return where(singular, inf, matrix_norm(x, ord=p) * matrix_norm(inverse(regular, who="cond"), ord=p))


def finite_ratio(large: NDArray, small: NDArray) -> NDArray:
    """large / small, infinite where `small` is 0."""
    is_zero = small == 0
    return where(is_zero, inf, divide(large, where(is_zero, 1.0, small)))
