"""index_add: values added to slices at given indices."""

from __future__ import annotations

from typing import Any

from ..._core.annotations import Attributes, Gradients, Operand
from ..._core.array.array import NDArray
from ..._exec.autodiff.tape import cast_gradient, differentiable
from ..._exec.concat import as_array
from ..._exec.indexing.indexing import add_at, values_beside
from ..._spec.dtypes import BY_NAME
from ..manipulation.manipulation import ascontiguous
from .take import along, take

__all__ = ["index_add"]


def index_add_vjp(
    g: NDArray, inputs: tuple[NDArray, NDArray, NDArray], output: NDArray, attributes: Attributes
) -> Gradients:
    """Gradient of index_add: g itself, and the slices of g at the indices."""
    _, indices, values = inputs
    return g, None, cast_gradient(take(g, indices, axis=attributes["axis"]), values.dtype)


@differentiable(index_add_vjp, keeps_output=False)
def added(x: NDArray, indices: NDArray, values: NDArray, *, axis: int) -> NDArray:
    """A copy of `x` with `values` added to the slices at `indices`."""
    result = ascontiguous(x.astype(BY_NAME[x.dtype.name].compute))
    add_at(result, along("index_add", x, indices, axis), values.astype(result.dtype, copy=False))
    return result.astype(x.dtype, copy=False)


def index_add(x: Operand, indices: Any, values: Operand, /, axis: int = 0) -> NDArray:
    """A copy of `x` with `values` added to the slices along `axis` at `indices`; repeated indices add up.

    x: (..., n, ...)    indices: any shape, each in [-n, n)    values: what broadcasts to (..., *indices.shape, ...)
    Raises IndexError for indices out of range or not of an integer dtype, TypeError for bools, or values of a higher
    kind than the dtype of `x`, ValueError for shapes that do not fit.

    >>> nd.index_add([0.0, 0.0, 0.0], [0, 2, 2], [1.0, 2.0, 3.0])
    array([1., 0., 5.], dtype=float64)
    """
    x = as_array(x)
    layout = along("index_add", x, indices, axis)
    shape = (*x.shape[: layout.where], *layout.arrays[0].shape, *x.shape[layout.where + 1 :])
    given = values_beside("index_add", x, values)
    return added(x, layout.arrays[0], given.broadcast_to(shape), axis=layout.where)
