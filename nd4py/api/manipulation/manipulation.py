"""Reshaping and joining.

Functions that return views say so; the others copy."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any, SupportsIndex, overload

from ..._core.annotations import Attributes, Axes, DTypeLike, Gradients, Operand, Shape, Sizes
from ..._core.array.array import NDArray
from ..._core.layout.shape import normalize_axis
from ..._core.whole_numbers import is_whole, items, named, named_order, whole
from ..._exec.autodiff.tape import cast_gradient, differentiable
from ..._exec.concat import any_array, as_array, as_arrays, is_any_tracked, join
from ..._exec.device.creation_by_device import empty
from ..._exec.indexing.subarrays_by_backend import n_subarrays, subarray
from ..arguments import IN_WORDS, into, rename, tells_its_name
from ..creation.data_types import can_cast

__all__ = [
    "ascontiguous",
    "astype",
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "broadcast_arrays",
    "broadcast_shapes",
    "broadcast_to",
    "concat",
    "concatenate",
    "expand_dims",
    "flip",
    "hstack",
    "matrix_transpose",
    "moveaxis",
    "permute_dims",
    "ravel",
    "reshape",
    "squeeze",
    "stack",
    "swapaxes",
    "tensor_along_dimension",
    "tensors_along_dimension",
    "transpose",
    "vstack",
]

ALL = slice(None)
REVERSED = slice(None, None, -1)


def astype(x: Operand, dtype: DTypeLike, /, *, copy: bool = True, device: str | None = None) -> NDArray:
    """`x` with its elements converted to `dtype`; copy=False returns `x` itself when it has that dtype.

    Floats outside an integer's range saturate, NaN becomes 0.
    Raises TypeError for complex to real, ValueError for a device this build cannot reach.
    Returns an array of the shape of x.

    >>> nd.astype([1.7, 2.2], "int64")
    array([1, 2], dtype=int64)
    """
    x = any_array(x)
    return (x if device is None else x.to_device(device)).astype(dtype, copy=copy)


def ascontiguous(x: Operand, /) -> NDArray:
    """`x` itself when its elements lie in C order without gaps, else a copy in which they do.

    Returns an array of the same shape, dtype and values.  Raises TypeError for an argument that cannot become an array.

    >>> nd.ascontiguous(nd.ones((2, 3)).T).is_contiguous
    True
    """
    x = as_array(x)
    return x if x.is_contiguous else x.copy()


def reshape(x: Operand, /, shape: Sizes, order: str = "C", *, copy: bool | None = None) -> NDArray:
    """The elements of `x` in another shape, one size of which may be -1; a view where the layout allows.

    order: "C" reads and writes them with the last axis running fastest, "F" with the first, "A" with the one that runs
    fastest in memory.
    copy: True always copies; False raises ValueError instead of copying.
    Raises ValueError when the sizes do not multiply to those of `x`, or for another order.

    >>> nd.reshape([1, 2, 3, 4], (2, 2))
    array([[1, 2],
           [3, 4]], dtype=int64)
    """
    x = any_array(x)
    if order != "C" and runs_first_axis_fastest(x, order):
        sizes = (shape,) if is_whole(shape) else items("reshape: shape", shape)
        return transpose(transpose(x).reshape(sizes[::-1], copy=copy))
    return x.reshape(shape) if copy is None else x.reshape(shape, copy=copy)


def runs_first_axis_fastest(x: NDArray, order: str) -> bool:
    """Whether an order is Fortran's: "F", or that of the elements of `x` in memory ("A", "K").  Raises ValueError."""
    if order == "C":
        return False
    order = named_order("order", order, ("C", "F", "A", "K"))
    return order == "F" or (not x.is_contiguous and transpose(x).is_contiguous)


def ravel(x: Operand, /, order: str = "C") -> NDArray:
    """The elements of `x` along one axis; a view where the layout allows.

    order: "C" for the last axis running fastest, "F" for the first, "A" and "K" for "F" where they lie so in memory.
    Raises TypeError for an argument that cannot become an array, ValueError for another order.

    >>> nd.ravel([[1, 2], [3, 4]])
    array([1, 2, 3, 4], dtype=int64)
    """
    x = any_array(x)
    return (transpose(x) if runs_first_axis_fastest(x, order) else x).reshape(-1)


def axes_of(axis: Sizes, ndim: int) -> list[int]:
    """The axes that an int or a sequence names, counted from the front.  Raises ValueError for one named twice."""
    given = axis if isinstance(axis, Sequence) else (axis,)
    axes = [normalize_axis(item, ndim) for item in given]
    if len(set(axes)) < len(axes):
        raise ValueError(f"axis names one axis twice, given {axis}")
    return axes


def permute_dims(x: Operand, /, axes: Sequence[SupportsIndex] | None = None) -> NDArray:
    """The view of `x` with its axes in the order `axes`, or in reverse (None), as `transpose` gives it.

    Raises ValueError unless they name each axis once.

    >>> nd.permute_dims(nd.ones((2, 3, 4)), (2, 0, 1)).shape
    (4, 2, 3)
    """
    return transpose(x, axes) if axes is None else any_array(x).permute_dims(axes)


def transpose(x: Operand, /, axes: Sequence[SupportsIndex] | None = None) -> NDArray:
    """The view of `x` with its axes in the order `axes`, or in reverse (None).

    Raises ValueError unless `axes` names each axis once, TypeError for anything but a sequence of whole numbers.

    >>> nd.transpose([[1, 2], [3, 4]])
    array([[1, 3],
           [2, 4]], dtype=int64)
    """
    x = any_array(x)
    try:
        return x.permute_dims(tuple(range(x.ndim))[::-1] if axes is None else axes)
    except IN_WORDS as error:
        rename(error, "transpose")
        raise


def matrix_transpose(x: Operand, /) -> NDArray:
    """The view of `x` with its last two axes swapped.  Raises ValueError below two axes.

    >>> nd.matrix_transpose([[1, 2], [3, 4]])
    array([[1, 3],
           [2, 4]], dtype=int64)
    """
    return any_array(x).mT


def swapaxes(x: Operand, /, axis1: int, axis2: int) -> NDArray:
    """The view of `x` with two axes swapped.

    axis1, axis2: axes; negative ones count from the end.
    Raises ValueError for an axis that is out of range, TypeError for one that is no whole number.

    >>> nd.swapaxes(nd.ones((2, 3, 4)), 0, 2).shape
    (4, 3, 2)
    """
    x = any_array(x)
    order = list(range(x.ndim))
    i, j = normalize_axis(axis1, x.ndim), normalize_axis(axis2, x.ndim)
    order[i], order[j] = j, i
    return x.permute_dims(tuple(order))


def moveaxis(x: Operand, /, source: int | Shape, destination: int | Shape) -> NDArray:
    """The view of `x` with the axes `source` moved to the positions `destination`; the others keep their order.

    Raises ValueError when the two differ in length, or name an axis twice.

    >>> nd.moveaxis(nd.ones((2, 3, 4)), 0, -1).shape
    (3, 4, 2)
    """
    x = any_array(x)
    sources, targets = axes_of(source, x.ndim), axes_of(destination, x.ndim)
    if len(sources) != len(targets):
        raise ValueError(f"moveaxis: {len(sources)} axes cannot move to {len(targets)} positions")
    order = [i for i in range(x.ndim) if i not in sources]
    for target, moved in sorted(zip(targets, sources, strict=True)):
        order.insert(target, moved)
    return x.permute_dims(tuple(order))


def tensor_along_dimension(x: Operand, index: int, /, *dimensions: int) -> NDArray:
    """Sub-array number `index` of `x` over `dimensions`, a view; the others are counted in C order.

    Returns an array over the memory of `x`.
    Raises ValueError for an index or dimension out of range, no dimensions, or an empty array, TypeError for a
    number that is not whole.

    >>> nd.tensor_along_dimension(nd.asarray([[1, 2], [3, 4]]), 1, 0)  # the second column
    array([2, 4], dtype=int64)
    """
    return subarray(as_array(x), index, dimensions)


@tells_its_name
def tensors_along_dimension(x: Operand, /, *dimensions: int) -> int:
    """How many sub-arrays `x` has over `dimensions`.  Raises ValueError for no dimensions, or an empty array.

    >>> nd.tensors_along_dimension(nd.ones((2, 3, 4)), 1, 2)
    2
    """
    return n_subarrays(as_array(x), dimensions)


def broadcast_to(x: Operand, /, shape: Sizes, subok: bool = False) -> NDArray:
    """The read-only view of `x` repeated to a larger shape.

    subok: of the class of `x`, where a program derived one.  Raises ValueError when sizes other than 1 differ.

    >>> nd.broadcast_to([1, 2], (2, 2))
    array([[1, 2],
           [1, 2]], dtype=int64)
    """
    return (any_array if subok else as_array)(x).broadcast_to(shape)


def broadcast_shapes(*shapes: Sizes) -> Shape:
    """The shape that all `shapes` broadcast to.  Raises ValueError where sizes other than 1 differ.

    >>> nd.broadcast_shapes((2, 1), (3,))
    (2, 3)
    """
    given = [(shape,) if is_whole(shape) else items("broadcast_shapes: a shape", shape) for shape in shapes]
    result = []
    for i in range(-max(map(len, given), default=0), 0):
        sizes = {whole("broadcast_shapes: a size", shape[i]) for shape in given if len(shape) >= -i} - {1}
        if len(sizes) > 1 or min(sizes, default=1) < 0:
            raise ValueError(f"shapes {' and '.join(map(str, given))} do not broadcast")
        result.append(sizes.pop() if sizes else 1)
    return tuple(result)


def broadcast_arrays(*arrays: Operand, subok: bool = False) -> tuple[NDArray, ...]:
    """The arrays as read-only views of their common shape; subok changes nothing.  Raises ValueError without one.

    >>> [x.shape for x in nd.broadcast_arrays(nd.ones((2, 1)), nd.ones(3))]
    [(2, 3), (2, 3)]
    """
    given = as_arrays(arrays)
    shape = broadcast_shapes(*(x.shape for x in given))
    return tuple(x.broadcast_to(shape) for x in given)


def expand_dims(x: Operand, /, axis: int | Shape) -> NDArray:
    """The view of `x` with new axes of size 1 at the position, or positions, `axis` of the result.

    Raises ValueError for a position out of range or named twice.

    >>> nd.expand_dims([1, 2], axis=0).shape
    (1, 2)
    """
    x = any_array(x)
    ndim = x.ndim + (len(axis) if isinstance(axis, tuple | list) else 1)
    added = axes_of(axis, ndim)
    return x[tuple(None if i in added else ALL for i in range(ndim))]


def squeeze(x: Operand, /, axis: Axes = None) -> NDArray:
    """The view of `x` without the axes of size 1 that `axis` names, or without all of them (None).

    Raises ValueError if a named axis has another size.

    >>> nd.squeeze(nd.ones((1, 3, 1))).shape
    (3,)
    """
    x = any_array(x)
    if axis is None and x.is_contiguous:
        return x.reshape(tuple([size for size in x.shape if size != 1]))
    axes = [i for i, size in enumerate(x.shape) if size == 1] if axis is None else axes_of(axis, x.ndim)
    for i in axes:
        if x.shape[i] != 1:
            raise ValueError(f"squeeze: axis {i} has size {x.shape[i]}, not 1; shape {x.shape}")
    return x[(..., *(0 if i in axes else ALL for i in range(x.ndim)))]


def atleast(n: int, x: NDArray) -> NDArray:
    """The view of `x` with axes of size 1 added: new ones in front, but a third one at the end."""
    key = {0: (None,) * n, 1: (None,) * (n > 1) + (ALL,) + (None,) * (n > 2), 2: (ALL, ALL) + (None,) * (n > 2)}
    return x[key[x.ndim]] if x.ndim < n else x


@overload
def atleast_1d(x: Operand, /) -> NDArray: ...
@overload
def atleast_1d(*arrays: Operand) -> tuple[NDArray, ...]: ...
def atleast_1d(*arrays: Operand) -> NDArray | tuple[NDArray, ...]:
    """Views of the arrays with one axis or more; a tuple unless there is exactly one array.

    Raises TypeError for an argument that cannot become an array.

    >>> nd.atleast_1d(3)
    array([3], dtype=int64)
    """
    views = tuple(atleast(1, any_array(x)) for x in arrays)
    return views[0] if len(views) == 1 else views


@overload
def atleast_2d(x: Operand, /) -> NDArray: ...
@overload
def atleast_2d(*arrays: Operand) -> tuple[NDArray, ...]: ...
def atleast_2d(*arrays: Operand) -> NDArray | tuple[NDArray, ...]:
    """Views of the arrays with two axes or more: shape (n,) becomes (1, n); a tuple unless there is one array.

    Raises TypeError for an argument that cannot become an array.

    >>> nd.atleast_2d([1, 2])
    array([[1, 2]], dtype=int64)
    """
    views = tuple(atleast(2, any_array(x)) for x in arrays)
    return views[0] if len(views) == 1 else views


@overload
def atleast_3d(x: Operand, /) -> NDArray: ...
@overload
def atleast_3d(*arrays: Operand) -> tuple[NDArray, ...]: ...
def atleast_3d(*arrays: Operand) -> NDArray | tuple[NDArray, ...]:
    """Views of the arrays with three axes or more: (n,) becomes (1, n, 1), (m, n) becomes (m, n, 1).

    Raises TypeError for an argument that cannot become an array.

    >>> nd.atleast_3d([1, 2]).shape
    (1, 2, 1)
    """
    views = tuple(atleast(3, any_array(x)) for x in arrays)
    return views[0] if len(views) == 1 else views


def flip(x: Operand, /, axis: Axes = None) -> NDArray:
    """The view of `x` reversed along `axis`, several axes, or all (None).

    Raises ValueError for an axis that is out of range, TypeError for one that is no whole number.

    >>> nd.flip([1, 2, 3])
    array([3, 2, 1], dtype=int64)
    """
    x = any_array(x)
    if axis is None and x.ndim == 1:
        return x[REVERSED]
    axes = range(x.ndim) if axis is None else axes_of(axis, x.ndim)
    return x[tuple(REVERSED if i in axes else ALL for i in range(x.ndim))]


def concat_vjp(g: NDArray, inputs: tuple[NDArray, ...], output: NDArray, attributes: Attributes) -> Gradients:
    """Gradient of concat: the pieces of g."""
    axis, start, pieces = normalize_axis(attributes["axis"], g.ndim), 0, []
    for x in inputs:
        end = start + x.shape[axis]
        pieces.append(cast_gradient(g[(ALL,) * axis + (slice(start, end),)], x.dtype))
        start = end
    return pieces


@differentiable(concat_vjp, keeps_output=False)
def tracked_join(*arrays: NDArray, axis: int) -> NDArray:
    """`join` with its gradient."""
    return join(list(arrays), axis)


def in_dtype(name: str, arrays: list[NDArray], dtype: DTypeLike | None, casting: str) -> list[NDArray]:
    """The arrays in a dtype, or as they are.  Raises TypeError for what `casting` forbids."""
    named(f"{name}: casting", casting, ("no", "equiv", "safe", "same_kind", "unsafe"))
    try:
        return arrays if dtype is None else [x.astype(dtype, casting=casting, copy=False) for x in arrays]
    except IN_WORDS as error:
        rename(error, name)
        raise


def converted_and_joined(given: list[NDArray], axis: int, dtype: DTypeLike, casting: str) -> tuple[NDArray, ...]:
    """The arrays joined in a dtype, in one pass over memory; nothing where their shapes differ, or gradients flow."""
    shapes = [list(x.shape) for x in given]
    if not given or is_any_tracked(given) or not all(can_cast(x.dtype, dtype, "same_kind") for x in given):
        return ()
    axis, borders = normalize_axis(axis, len(shapes[0])), [0]
    for shape in shapes:
        if len(shape) != len(shapes[0]):
            return ()
        borders.append(borders[-1] + shape[axis])
        shape[axis] = 0
    if any(shape != shapes[0] for shape in shapes) or not all(can_cast(x.dtype, dtype, casting) for x in given):
        return ()
    shapes[0][axis] = borders[-1]
    result = empty(tuple(shapes[0]), dtype, device=given[0].device)
    for x, (start, end) in zip(given, pairwise(borders), strict=True):
        result[(*(ALL,) * axis, slice(start, end))] = x
    return (result,)


def check_axis_alone(name: str, axis: Any) -> None:
    """Raises TypeError where further arrays stand in the place of the axis."""
    if isinstance(axis, list | tuple) or getattr(axis, "ndim", None):
        raise TypeError(f"{name}: the arrays are one argument, a list or tuple, {name}([x, y]); axis is an int")


def concat(
    arrays: Iterable[Operand],
    /,
    axis: int | None = 0,
    out: NDArray | None = None,
    *,
    dtype: DTypeLike | None = None,
    casting: str = "same_kind",
) -> NDArray:
    """The arrays one after the other along `axis`, or all flattened (None), in their common dtype; a copy.

    out: takes the result; dtype: what they are converted to, as far as `casting` allows, see `can_cast`.
    Raises ValueError for no arrays, or shapes that differ outside the axis, TypeError without a common dtype.

    >>> nd.concat([[1, 2], [3]])
    array([1, 2, 3], dtype=int64)
    """
    if axis is not None and type(axis) is not int:
        check_axis_alone("concat", axis)
    given = as_arrays(arrays)
    if dtype is not None and axis is not None and (joined := converted_and_joined(given, axis, dtype, casting)):
        return into("concat", joined[0], out)
    if out is not None or dtype is not None:
        return into("concat", concat(in_dtype("concat", given, dtype, casting), axis), out)
    if axis is None:
        given, axis = [x.reshape(-1) for x in given], 0
    return tracked_join(*given, axis=axis) if is_any_tracked(given) else join(given, axis)


concatenate = concat  # NumPy's name


def stack(
    arrays: Iterable[Operand],
    /,
    axis: int = 0,
    out: NDArray | None = None,
    *,
    dtype: DTypeLike | None = None,
    casting: str = "same_kind",
) -> NDArray:
    """Arrays of one shape along a new axis, in their common dtype.

    out: takes the result; dtype: what they are converted to, as far as `casting` allows, see `can_cast`.
    Raises ValueError for no arrays or differing shapes.

    >>> nd.stack([[1, 2], [3, 4]], axis=1)
    array([[1, 3],
           [2, 4]], dtype=int64)
    """
    if type(axis) is not int:
        check_axis_alone("stack", axis)
    given = as_arrays(arrays)
    if out is not None or dtype is not None:
        return into("stack", stack(in_dtype("stack", given, dtype, casting), axis), out)
    return concat([expand_dims(x, axis) for x in given], axis) if is_any_tracked(given) else join(given, axis, True)


@tells_its_name
def hstack(tup: Iterable[Operand], *, dtype: DTypeLike | None = None, casting: str = "same_kind") -> NDArray:
    """The arrays side by side: joined along the second axis, or the first when they have one axis only.

    dtype: what they are converted to, as far as `casting` allows, see `can_cast`.
    Raises ValueError for no arrays, or shapes that differ outside the axis, TypeError without a common dtype.

    >>> nd.hstack([[1, 2], [3]])
    array([1, 2, 3], dtype=int64)
    """
    given = [atleast(1, x) for x in in_dtype("hstack", as_arrays(tup), dtype, casting)]
    return concat(given, 0 if given and given[0].ndim == 1 else 1)


@tells_its_name
def vstack(tup: Iterable[Operand], *, dtype: DTypeLike | None = None, casting: str = "same_kind") -> NDArray:
    """The arrays one below the other: joined along the first axis, where shape (n,) counts as a row (1, n).

    dtype: what they are converted to, as far as `casting` allows, see `can_cast`.
    Raises ValueError for no arrays, or shapes that differ outside the axis, TypeError without a common dtype.

    >>> nd.vstack([[1, 2], [3, 4]])
    array([[1, 2],
           [3, 4]], dtype=int64)
    """
    return concat([atleast(2, x) for x in in_dtype("vstack", as_arrays(tup), dtype, casting)], 0)
