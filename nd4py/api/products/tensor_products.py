"""Products of vectors and tensors: dot, tensordot, outer, kron, cross, and of matrices with vectors."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from math import prod
from typing import TYPE_CHECKING, Any, TypeAlias

from ..._core.annotations import Operand, Shape
from ..._core.array.array import NDArray
from ..._core.layout.shape import normalize_axis
from ..._core.lazy_modules import LazyModule
from ..._core.whole_numbers import is_whole, items, whole
from ..._exec.autodiff.tape import conjugate
from ..arguments import IN_WORDS, into, rename, tells_its_name
from ..elementwise.elementwise import multiply, subtract
from ..manipulation.manipulation import broadcast_arrays, broadcast_shapes, concat, moveaxis, stack
from ..reductions.reductions import sum
from .contraction import SHORT_ROW
from .matmul import array_operands, matmul

if TYPE_CHECKING:
    from ..._exec.drivers import matmul as driver
else:
    driver = LazyModule("nd4py._exec.drivers.matmul", globals())

__all__ = ["cross", "dot", "inner", "kron", "matvec", "outer", "tensordot", "vdot", "vecdot", "vecmat"]

ContractedAxes: TypeAlias = int | tuple[int | Sequence[int], int | Sequence[int]]


FLOATS = ("float32", "float64")


def row_products(x1: NDArray, x2: NDArray) -> NDArray:
    """sum(x1 * x2, axis=-1) in the operands' common dtype; shapes (..., n), of which the first axes broadcast."""
    kinds = {x1.dtype.kind, x2.dtype.kind}
    if kinds <= {"i", "u"} or (x1.shape[-1] < SHORT_ROW and x1.dtype is x2.dtype and x1.dtype.name in FLOATS):
        products = multiply(x1, x2)
        return sum(products, axis=-1, dtype=products.dtype)
    return matmul(x1[..., None, :], x2[..., :, None])[..., 0, 0]


@tells_its_name
def vecdot(x1: Operand, x2: Operand, /, out: NDArray | None = None, *, axis: int = -1) -> NDArray:
    """sum(conj(x1) * x2) along `axis`, of one size in both; the other axes broadcast.

    x1: (..., n, ...)    x2: (..., n, ...)    axis: negative, or any where both have as many axes.
    Returns the broadcast shape without that axis, in the common dtype; `out`, where given, takes the result.
    Raises ValueError for an axis out of range or of two sizes, or shapes that do not broadcast.

    >>> nd.vecdot([[1, 2], [3, 4]], [1, 1])
    array([3, 7], dtype=int64)
    """
    if out is not None:
        return into("vecdot", vecdot(x1, x2, axis=axis), out)
    if axis == -1 and type(axis) is int:
        product = driver.vector_product(x1, x2)
        if product is not None:
            return product
    x1, x2 = array_operands("vecdot", x1, x2)
    axis = whole("vecdot: axis", axis)
    if axis >= 0 and x1.ndim != x2.ndim:
        raise ValueError(
            f"vecdot: axis must be negative where ranks differ, given {axis} for {x1.shape} and {x2.shape}"
        )
    first, second = normalize_axis(axis, x1.ndim), normalize_axis(axis, x2.ndim)
    if x1.shape[first] != x2.shape[second]:
        raise ValueError(f"vecdot: axis {axis} has two sizes, in shapes {x1.shape} and {x2.shape}")
    if x1.ndim == x2.ndim == 1:
        return matmul(conjugate(x1), x2)
    return row_products(conjugate(to_the_end(x1, first)), to_the_end(x2, second))


def to_the_end(x: NDArray, axis: int) -> NDArray:
    """The view of `x` with one axis moved behind the others."""
    return x if axis == x.ndim - 1 else x.permute_dims((*(i for i in range(x.ndim) if i != axis), axis))


def tensordot(x1: Operand, x2: Operand, /, axes: ContractedAxes = 2) -> NDArray:
    """Sum of products over several axes of two arrays.

    axes: how many axes, the last of x1 and the first of x2, or the axes of x1 and those of x2, in the same order.
    Returns the remaining axes of x1, then those of x2, in the common dtype, which is not widened.
    Raises ValueError for axes out of range, given twice, or of different sizes.

    >>> nd.tensordot(nd.ones((2, 3)), nd.ones((3, 4)), axes=1).shape
    (2, 4)
    """
    x1, x2 = array_operands("tensordot", x1, x2)
    first, second = contracted_axes(x1, x2, axes)
    rows = [i for i in range(x1.ndim) if i not in first]
    columns = [i for i in range(x2.ndim) if i not in second]
    n_terms = prod(x1.shape[i] for i in first)
    row_sizes, column_sizes = [x1.shape[i] for i in rows], [x2.shape[i] for i in columns]
    left = x1.permute_dims((*rows, *first)).reshape((prod(row_sizes), n_terms))
    right = x2.permute_dims((*second, *columns)).reshape((n_terms, prod(column_sizes)))
    return matmul(left, right).reshape((*row_sizes, *column_sizes))


def contracted_axes(x1: NDArray, x2: NDArray, axes: Any) -> tuple[Shape, Shape]:
    """The axes of each operand that tensordot sums over.  Raises ValueError unless they fit."""
    if is_whole(axes):
        n = whole("tensordot: axes", axes)
        if not 0 <= n <= min(x1.ndim, x2.ndim):
            raise ValueError(f"tensordot: cannot sum over {n} axes of shapes {x1.shape} and {x2.shape}")
        first, second = tuple(range(x1.ndim - n, x1.ndim)), tuple(range(n))
    else:
        given = [
            (side,) if is_whole(side) else items("tensordot: each of axes", side)
            for side in items("tensordot: axes", axes)
        ]
        if len(given) != 2 or len(given[0]) != len(given[1]):
            raise ValueError(f"tensordot: axes must be a number or two sequences of one length, given {axes}")
        first = tuple(normalize_axis(i, x1.ndim) for i in given[0])
        second = tuple(normalize_axis(i, x2.ndim) for i in given[1])
        if len(set(first)) < len(first) or len(set(second)) < len(second):
            raise ValueError(f"tensordot: axes names one axis twice, given {axes}")
    if [x1.shape[i] for i in first] != [x2.shape[i] for i in second]:
        raise ValueError(f"tensordot: axes {first} of {x1.shape} and {second} of {x2.shape} differ in size")
    return first, second


@tells_its_name
def inner(x1: Operand, x2: Operand, /) -> NDArray:
    """Sum of products over the last axes of both; the product where one has no axes.

    Raises ValueError unless the last axes have one size.

    >>> nd.inner([1, 2], [3, 4])
    array(11, dtype=int64)
    """
    x1, x2 = array_operands("inner", x1, x2)
    if not (x1.ndim and x2.ndim):
        return multiply(x1, x2)
    return matmul(x1, x2) if x2.ndim == 1 else tensordot(x1, x2, axes=(-1, -1))


def dot(x1: Operand, x2: Operand, /, out: NDArray | None = None) -> NDArray:
    """NumPy's dot: sum of products over the last axis of x1 and the last but one (or only) of x2.

    Returns the remaining axes of x1, then those of x2; `out`, where given, takes the result.
    Raises ValueError where the sizes differ.

    >>> nd.dot([1, 2], [3, 4])
    array(11, dtype=int64)
    """
    if out is not None:
        return into("dot", dot(x1, x2), out)
    product = driver.vector_product(x1, x2)
    if product is not None:
        return product
    x1, x2 = array_operands("dot", x1, x2)
    try:
        if not (x1.ndim and x2.ndim):
            return multiply(x1, x2)
        return matmul(x1, x2) if x2.ndim <= 2 else tensordot(x1, x2, axes=(-1, -2))
    except IN_WORDS as error:
        rename(error, "dot")
        raise


@tells_its_name
def matvec(x1: Operand, x2: Operand, /, out: NDArray | None = None) -> NDArray:
    """Matrices times vectors: the sums of x1[..., i, j] * x2[..., j] over j.

    x1: (..., m, n)    x2: (..., n).  The axes before these broadcast.
    Returns (..., m), in the common dtype; `out`, where given, takes the result.
    Raises ValueError for other shapes.

    >>> nd.matvec([[1, 2], [3, 4]], [[1, 0], [0, 1]])
    array([[1, 3],
           [2, 4]], dtype=int64)
    """
    x1, x2 = array_operands("matvec", x1, x2)
    if x1.ndim < 2 or x2.ndim < 1 or x1.shape[-1] != x2.shape[-1]:
        raise ValueError(f"matvec: needs (..., m, n) and (..., n), given shapes {x1.shape} and {x2.shape}")
    return into("matvec", matmul(x1, x2[..., None])[..., 0], out)


@tells_its_name
def vecmat(x1: Operand, x2: Operand, /, out: NDArray | None = None) -> NDArray:
    """Vectors times matrices: the sums of conj(x1[..., i]) * x2[..., i, j] over i.

    x1: (..., m)    x2: (..., m, n).  The axes before these broadcast.
    Returns (..., n), in the common dtype; `out`, where given, takes the result.
    Raises ValueError for other shapes.

    >>> nd.vecmat([1, 1], [[1, 2], [3, 4]])
    array([4, 6], dtype=int64)
    """
    x1, x2 = array_operands("vecmat", x1, x2)
    if x1.ndim < 1 or x2.ndim < 2 or x1.shape[-1] != x2.shape[-2]:
        raise ValueError(f"vecmat: needs (..., m) and (..., m, n), given shapes {x1.shape} and {x2.shape}")
    return into("vecmat", matmul(conjugate(x1)[..., None, :], x2)[..., 0, :], out)


@tells_its_name
def vdot(x1: Operand, x2: Operand, /) -> NDArray:
    """sum(conj(x1) * x2) of all elements in C order.  Raises ValueError unless both have as many.

    Returns an array without axes.

    >>> nd.vdot([1 + 1j], [1 + 1j])
    array(2.+0.j, dtype=complex128)
    """
    x1, x2 = array_operands("vdot", x1, x2)
    return vecdot(x1.reshape((x1.size,)), x2.reshape((x2.size,)))


def outer(x1: Operand, x2: Operand, /, out: NDArray | None = None) -> NDArray:
    """x1[i] * x2[j] for all elements in C order.

    Returns (x1.size, x2.size) in the common dtype; `out`, where given, takes the result.
    Raises TypeError for an argument that is not an array, and without a common dtype.

    >>> nd.outer([1, 2], [3, 4])
    array([[3, 4],
           [6, 8]], dtype=int64)
    """
    x1, x2 = array_operands("outer", x1, x2)
    return into("outer", multiply(x1.reshape((x1.size, 1)), x2.reshape((1, x2.size))), out)


def kron(x1: Operand, x2: Operand, /) -> NDArray:
    """The Kronecker product: blocks of x2, scaled by the elements of x1.

    x1: (a, ...)    x2: (b, ...), to whose shape axes of size 1 are prefixed where it has fewer, and vice versa.
    Returns (a * b, ...).
    Raises TypeError for an argument that is not an array, and without a common dtype.

    >>> nd.kron([1, 10], [1, 2])
    array([ 1,  2, 10, 20], dtype=int64)
    """
    x1, x2 = array_operands("kron", x1, x2)
    ndim = max(x1.ndim, x2.ndim)
    left = (1,) * (ndim - x1.ndim) + x1.shape
    right = (1,) * (ndim - x2.ndim) + x2.shape
    blocks = multiply(
        x1.reshape(tuple(chain.from_iterable((size, 1) for size in left))),
        x2.reshape(tuple(chain.from_iterable((1, size) for size in right))),
    )
    return blocks.reshape(tuple(a * b for a, b in zip(left, right, strict=True)))


@tells_its_name
def with_third(x: NDArray, axis: int) -> NDArray:
    """Vectors of 2 elements along an axis with 0 as their third one."""
    first = moveaxis(x, axis, 0)
    return moveaxis(concat([first, multiply(first[:1], 0)]), 0, axis)


@tells_its_name
def cross(
    x1: Operand, x2: Operand, /, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: int | None = None
) -> NDArray:
    """The cross product of vectors of 3 elements; the other axes broadcast.

    A vector of 2 elements has 0 as its third; of two such vectors the third element of the product is returned alone.
    axisa, axisb: the axes of x1 and x2 that the vectors lie along; axisc: that of the result.
    axis: all three of them.
    Raises ValueError unless both have 3 or 2 elements there, TypeError for bool.

    >>> nd.cross([1, 0, 0], [0, 1, 0])
    array([0, 0, 1], dtype=int64)
    """
    x1, x2 = array_operands("cross", x1, x2)
    for x in (x1, x2):
        if x.dtype.kind == "b":
            raise TypeError(f"cross: no {x.dtype} loop; convert first, x.astype('int8')")
    if axis is None and (axisa, axisb, axisc) != (-1, -1, -1):
        product = cross(moveaxis(x1, axisa, -1), moveaxis(x2, axisb, -1))
        return product if x1.shape[axisa] == x2.shape[axisb] == 2 else moveaxis(product, -1, axisc)
    axis = -1 if axis is None else axis
    sizes = [x.shape[normalize_axis(axis, x.ndim)] for x in (x1, x2)]
    if not set(sizes) <= {2, 3}:
        raise ValueError(f"cross: axis {axis} must have 3 or 2 elements in both, given {x1.shape} and {x2.shape}")
    if sizes == [2, 2]:
        first, second = (moveaxis(x, axis, 0) for x in (x1, x2))
        return subtract(first[0] * second[1], first[1] * second[0])
    x1, x2 = (x if size == 3 else with_third(x, axis) for x, size in zip((x1, x2), sizes, strict=True))
    axis = normalize_axis(axis, len(broadcast_shapes(x1.shape, x2.shape)))
    x1, x2 = broadcast_arrays(x1, x2)
    before = (slice(None),) * axis
    a, b = [x1[(*before, i)] for i in range(3)], [x2[(*before, i)] for i in range(3)]
    parts = [subtract(a[i - 2] * b[i - 1], a[i - 1] * b[i - 2]) for i in range(3)]
    return stack(parts, axis=axis)
