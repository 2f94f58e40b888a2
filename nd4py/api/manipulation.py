"""Rearranging arrays."""

import operator
from collections.abc import Iterable

from .._core.annotations import Attributes, Axes, DTypeLike, Gradients, Shape, Sizes
from .._core.array import NDArray
from .._core.shape import normalize_axis
from .._exec.conversion import copy, empty
from .._exec.tape import differentiable
from .data_types import result_type

__all__ = [
    "ascontiguous",
    "astype",
    "broadcast_arrays",
    "broadcast_shapes",
    "broadcast_to",
    "concat",
    "expand_dims",
    "flip",
    "matrix_transpose",
    "permute_dims",
    "reshape",
    "squeeze",
    "stack",
    "tensor_along_dimension",
]


def astype(x: NDArray, dtype: DTypeLike, /, *, copy: bool = True) -> NDArray:
    """`x` with its elements converted to `dtype`; copy=False returns `x` itself when it has that dtype."""
    return x.astype(dtype, copy=copy)


def ascontiguous(x: NDArray, /) -> NDArray:
    """`x` itself when its elements lie in C order without gaps, else a copy in which they do."""
    return x if x.is_contiguous else copy(x)


def reshape(x: NDArray, /, shape: Sizes, *, copy: bool | None = None) -> NDArray:
    """The elements of `x` in another shape, one size of which may be -1; a view where the layout allows."""
    return x.reshape(shape, copy=copy)


def permute_dims(x: NDArray, /, axes: Shape) -> NDArray:
    """The view of `x` with its axes in the order `axes`."""
    return x.permute_dims(axes)


def matrix_transpose(x: NDArray, /) -> NDArray:
    """The view of `x` with its last two axes swapped."""
    return x.mT


def tensor_along_dimension(x: NDArray, index: int, /, *dimensions: int) -> NDArray:
    """Sub-array number `index` of `x` over `dimensions`, a view; the others are counted in C order."""
    return x.tensor_along_dimension(index, *dimensions)


def broadcast_to(x: NDArray, /, shape: Shape) -> NDArray:
    """The read-only view of `x` repeated to a larger shape."""
    return x.broadcast_to(shape)


def broadcast_shapes(*shapes: Shape) -> Shape:
    """The shape that all `shapes` broadcast to.  Raises ValueError where sizes other than 1 differ."""
    result = []
    for i in range(-max(map(len, shapes), default=0), 0):
        sizes = {shape[i] for shape in shapes if len(shape) >= -i} - {1}
        if len(sizes) > 1:
            raise ValueError(f"shapes {' and '.join(map(str, shapes))} do not broadcast")
        result.append(sizes.pop() if sizes else 1)
    return tuple(result)


def broadcast_arrays(*arrays: NDArray) -> list[NDArray]:
    """The arrays as views of their common shape."""
    shape = broadcast_shapes(*(x.shape for x in arrays))
    return [x.broadcast_to(shape) for x in arrays]


def expand_dims(x: NDArray, /, axis: int = 0) -> NDArray:
    """`x` with a new axis of size 1 at position `axis` of the result."""
    position = operator.index(axis)
    if not -x.ndim - 1 <= position <= x.ndim:
        raise ValueError(f"expand_dims: axis {axis} is out of range for a result of {x.ndim + 1} dimensions")
    position %= x.ndim + 1
    return x[(slice(None),) * position + (None,)]


def squeeze(x: NDArray, /, axis: int | Shape) -> NDArray:
    """`x` without the axes of size 1 that `axis` names.  Raises ValueError if one has another size."""
    axes = {normalize_axis(i, x.ndim) for i in (axis if isinstance(axis, tuple) else (axis,))}
    for i in axes:
        if x.shape[i] != 1:
            raise ValueError(f"squeeze: axis {i} has size {x.shape[i]}, not 1; shape {x.shape}")
    return x[tuple(0 if i in axes else slice(None) for i in range(x.ndim))]


def flip(x: NDArray, /, *, axis: Axes = None) -> NDArray:
    """The view of `x` reversed along `axis`, several axes, or all (None)."""
    given = range(x.ndim) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    axes = {normalize_axis(i, x.ndim) for i in given}
    return x[tuple(slice(None, None, -1) if i in axes else slice(None) for i in range(x.ndim))]


def concat_vjp(g: NDArray, inputs: tuple[NDArray, ...], output: NDArray, attributes: Attributes) -> Gradients:
    """Gradient of concat: the pieces of g."""
    axis, start, pieces = attributes.get("axis", 0), 0, []
    for x in inputs:
        end = start + x.shape[axis]
        pieces.append(
            g[(slice(None),) * normalize_axis(axis, g.ndim) + (slice(start, end),)].astype(x.dtype, copy=False)
        )
        start = end
    return pieces


@differentiable(concat_vjp)
def join(*arrays: NDArray, axis: int = 0) -> NDArray:
    """The arrays one after the other along `axis`."""
    first = arrays[0]
    axis = normalize_axis(axis, first.ndim)
    for x in arrays:
        if x.ndim != first.ndim or x.shape[:axis] + x.shape[axis + 1 :] != first.shape[:axis] + first.shape[axis + 1 :]:
            raise ValueError(f"concat: shapes {first.shape} and {x.shape} differ outside axis {axis}")
    dtype = result_type(*arrays)
    sizes = [x.shape[axis] for x in arrays]
    result = empty((*first.shape[:axis], sum(sizes), *first.shape[axis + 1 :]), dtype)
    start = 0
    for x, size in zip(arrays, sizes, strict=True):
        result[(slice(None),) * axis + (slice(start, start + size),)] = x
        start += size
    return result


def concat(arrays: Iterable[NDArray], /, *, axis: int | None = 0) -> NDArray:
    """The arrays one after the other along `axis`, or all flattened (None), in their common dtype.

    Raises ValueError for no arrays, or shapes that differ outside the axis.
    """
    arrays = list(arrays)
    if not arrays or not all(isinstance(x, NDArray) for x in arrays):
        raise ValueError(f"concat: needs one array or more, given {[type(x).__name__ for x in arrays]}")
    if axis is None:
        return join(*(x.reshape(-1) for x in arrays), axis=0)
    return join(*arrays, axis=axis)


def stack(arrays: Iterable[NDArray], /, *, axis: int = 0) -> NDArray:
    """Arrays of one shape along a new axis.  Raises ValueError for no arrays or differing shapes."""
    arrays = list(arrays)
    for x in arrays:
        if x.shape != arrays[0].shape:
            raise ValueError(f"stack: shapes {arrays[0].shape} and {x.shape} differ")
    return concat([expand_dims(x, axis) for x in arrays], axis=axis)
