"""Shapes: views, joins, frames, and arrays made from a shape."""

from __future__ import annotations

from math import ceil, prod
from typing import Any

from onnx import numpy_helper

from nd4py import api as nd

from ..element_types import DTYPES
from .host_values import one_number, own_axis, whole_numbers
from .operator_rows import Limits, Rows


def constant(**value: Any) -> Any:
    """The only attribute of the node, as an array."""
    ((name, found),) = value.items()
    dtype = {"value_float": nd.float32, "value_floats": nd.float32}.get(name, nd.int64)
    return found if name == "value" else nd.asarray(found, dtype=dtype)


def constant_of_shape(shape: Any, *, value: Any = None) -> Any:
    sizes = tuple(whole_numbers(shape))
    return nd.zeros(sizes, dtype=nd.float32) if value is None else nd.full(sizes, one_number(value), dtype=value.dtype)


def eye_like(x: Any, *, dtype: int | None = None, k: int = 0) -> Any:
    return nd.eye(x.shape[0], x.shape[1], k=k, dtype=x.dtype if dtype is None else DTYPES[dtype])


def number_range(start: Any, limit: Any, delta: Any, **stash: Any) -> Any:
    """start, start + delta, ... up to limit, which is left out."""
    dtype = start.dtype
    first, last, step = one_number(start), one_number(limit), one_number(delta)
    if step == 0:
        raise ValueError("Range: a delta of 0")
    n = max(ceil((last - first) / step), 0)
    if not nd.isdtype(dtype, "real floating"):
        return (nd.arange(n, dtype=nd.int64) * step + first).astype(dtype)
    return (nd.arange(n, dtype=nd.float64) * step + first).astype(dtype)


def identity(x: Any) -> Any:
    return x


def dropout_of_inference(x: Any, *, ratio: float = 0.5, n_outputs: int = 1) -> Any:
    return (x, nd.ones(x.shape, dtype=nd.bool)) if n_outputs > 1 else x


def dropout(x: Any, ratio: Any = None, training_mode: Any = None, *, n_outputs: int = 1, **unused: Any) -> Any:
    """x itself, and a mask of what is left: everything."""
    return dropout_of_inference(x, n_outputs=n_outputs)


def drops_elements(node: Any, schema: Any, attributes: Any, constants: Any) -> str | None:
    """Why a dropout is refused: in training it drops elements at random."""
    del attributes
    if schema.since_version < 12 or len(node.input) < 3 or not node.input[2]:
        return None
    mode = constants.get(node.input[2])
    return None if mode is not None and not numpy_helper.to_array(mode).any() else "in training"


def shape(x: Any, *, start: int = 0, end: int | None = None) -> Any:
    return nd.asarray(x.shape[slice(start, end)], dtype=nd.int64).reshape(-1)


def size(x: Any) -> Any:
    return nd.asarray(x.size, dtype=nd.int64)


def reshape(x: Any, shape: Any, *, allowzero: int = 0) -> Any:
    sizes = whole_numbers(shape)
    if not allowzero:
        sizes = [x.shape[i] if length == 0 else length for i, length in enumerate(sizes)]
    return x.reshape(tuple(sizes))


def flatten(x: Any, *, axis: int = 1) -> Any:
    axis = axis + x.ndim if axis < 0 else axis
    return x.reshape(prod(x.shape[:axis]), prod(x.shape[axis:]))


def transpose(x: Any, *, perm: Any = None) -> Any:
    return nd.permute_dims(x, tuple(perm) if perm is not None else tuple(reversed(range(x.ndim))))


def squeeze(x: Any, *, axes: Any = None) -> Any:
    dropped = tuple(axes) if axes is not None else tuple(i for i, length in enumerate(x.shape) if length == 1)
    return nd.squeeze(x, axis=dropped) if dropped else x


def squeeze_by_input(x: Any, axes: Any = None) -> Any:
    return squeeze(x, axes=whole_numbers(axes) if axes is not None else None)


def unsqueeze(x: Any, *, axes: Any) -> Any:
    n_axes = x.ndim + len(axes)
    added = {own_axis(axis, n_axes) for axis in axes}
    if len(added) < len(axes):
        raise ValueError(f"Unsqueeze: {list(axes)} names an axis twice")
    sizes = iter(x.shape)
    return x.reshape(tuple(1 if i in added else next(sizes) for i in range(n_axes)))


def unsqueeze_by_input(x: Any, axes: Any) -> Any:
    return unsqueeze(x, axes=whole_numbers(axes))


def concat(*parts: Any, axis: int = 1) -> Any:
    return nd.concat(parts, axis=axis)


def split(x: Any, *, axis: int = 0, split: Any = None, num_outputs: int | None = None, n_outputs: int) -> Any:
    """Parts of the sizes `split`, or of equal ones; the last is smaller where they do not divide the axis."""
    axis = own_axis(axis, x.ndim)
    length, n = x.shape[axis], num_outputs or n_outputs
    part = -(-length // n)
    sizes = list(split) if split is not None else [max(min(part, length - i * part), 0) for i in range(n)]
    if sum(sizes) != length or min(sizes, default=0) < 0:
        raise ValueError(f"Split: sizes {sizes} of an axis of {length}")
    starts = [sum(sizes[:i]) for i in range(len(sizes))]
    before = (slice(None),) * axis
    return tuple(x[(*before, slice(start, start + n))] for start, n in zip(starts, sizes, strict=True))


def split_by_input(x: Any, sizes: Any = None, *, n_outputs: int, **how: Any) -> Any:
    return split(x, split=whole_numbers(sizes) if sizes is not None else None, n_outputs=n_outputs, **how)


def expand(x: Any, shape: Any) -> Any:
    return nd.broadcast_to(x, nd.broadcast_shapes(x.shape, tuple(whole_numbers(shape))))


def tile(x: Any, repeats: Any) -> Any:
    return nd.tile(x, tuple(whole_numbers(repeats)))


def pad_by_attributes(x: Any, *, pads: Any, mode: str = "constant", value: float = 0.0) -> Any:
    return framed(x, pads, mode, value)


def pad(x: Any, pads: Any, value: Any = None, axes: Any = None, *, mode: str = "constant") -> Any:
    widths, fill = whole_numbers(pads), 0 if value is None else one_number(value)
    if axes is not None:
        places = [own_axis(axis, x.ndim) for axis in whole_numbers(axes)]
        given, widths = widths, [0] * (2 * x.ndim)
        for i, axis in enumerate(places):
            widths[axis], widths[x.ndim + axis] = given[i], given[len(places) + i]
    return framed(x, widths, mode, fill)


def framed(x: Any, widths: Any, mode: str, value: Any) -> Any:
    """x with a frame; negative widths cut.  widths: those before each axis, then those behind."""
    pairs = list(zip(widths[: x.ndim], widths[x.ndim :], strict=True))
    cuts = tuple(slice(max(-a, 0), n - max(-b, 0)) for (a, b), n in zip(pairs, x.shape, strict=True))
    frame = [(max(a, 0), max(b, 0)) for a, b in pairs]
    if mode == "constant":
        return nd.pad(x[cuts], frame, constant_values=value)
    return nd.pad(x[cuts], frame, mode={"edge": "edge", "reflect": "reflect", "wrap": "wrap"}[mode])


def depth_to_space(x: Any, *, blocksize: int, mode: str = "DCR") -> Any:
    n, channels, height, width = x.shape
    depth = channels // blocksize**2
    if mode == "DCR":
        parts = x.reshape(n, blocksize, blocksize, depth, height, width)
        parts = nd.permute_dims(parts, (0, 3, 4, 1, 5, 2))
    else:
        parts = x.reshape(n, depth, blocksize, blocksize, height, width)
        parts = nd.permute_dims(parts, (0, 1, 4, 2, 5, 3))
    return parts.reshape(n, depth, height * blocksize, width * blocksize)


def space_to_depth(x: Any, *, blocksize: int, **mode: Any) -> Any:
    n, depth, height, width = x.shape
    parts = x.reshape(n, depth, height // blocksize, blocksize, width // blocksize, blocksize)
    if mode.get("mode", "DCR") == "DCR":
        parts = nd.permute_dims(parts, (0, 3, 5, 1, 2, 4))
    else:
        parts = nd.permute_dims(parts, (0, 1, 3, 5, 2, 4))
    return parts.reshape(n, depth * blocksize**2, height // blocksize, width // blocksize)


def triangle(x: Any, k: Any = None, *, upper: int = 1) -> Any:
    offset = 0 if k is None else one_number(k)
    rows, columns = nd.arange(x.shape[-2])[:, None], nd.arange(x.shape[-1])
    is_kept = columns - rows >= offset if upper else columns - rows <= offset
    return nd.where(is_kept, x, nd.zeros((), dtype=x.dtype))


OPERATORS: Rows = {
    "Concat": [(4, 13, concat)],
    "Constant": [(1, 25, constant)],
    "ConstantOfShape": [(9, 25, constant_of_shape)],
    "DepthToSpace": [(1, 28, depth_to_space)],
    "Dropout": [(7, 10, dropout_of_inference), (12, 22, dropout)],
    "Expand": [(8, 13, expand)],
    "EyeLike": [(9, 22, eye_like)],
    "Flatten": [(1, 25, flatten)],
    "Identity": [(1, 25, identity)],
    "Pad": [(2, 2, pad_by_attributes), (11, 25, pad)],
    "Range": [(11, 27, number_range)],
    "Reshape": [(5, 25, reshape)],
    "Shape": [(1, 25, shape)],
    "Size": [(1, 25, size)],
    "SpaceToDepth": [(1, 28, space_to_depth)],
    "Split": [(2, 11, split), (13, 18, split_by_input)],
    "Squeeze": [(1, 11, squeeze), (13, 25, squeeze_by_input)],
    "Tile": [(6, 13, tile)],
    "Transpose": [(1, 25, transpose)],
    "Trilu": [(14, 14, triangle)],
    "Unsqueeze": [(1, 11, unsqueeze), (13, 25, unsqueeze_by_input)],
}
LIMITS: Limits = {"Dropout": drops_elements}
