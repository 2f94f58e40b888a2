"""Matrix products."""

from typing import Any

import numpy

from .._core.annotations import Attributes, Gradients, Shape
from .._core.array import NDArray
from .._core.dtype import DType
from .._core.hooks import install, install_for_devices, type_name
from .._exec.device_functions import is_elsewhere, matmul_elsewhere
from .._exec.nodes import is_array
from .._exec.tape import differentiable, sum_to_shape
from ..cpu import matmul as cpu
from .creation import asarray
from .data_types import result_type
from .elementwise import conj
from .manipulation import ascontiguous

__all__ = ["matmul"]


def matmul_vjp(g: NDArray, inputs: tuple[NDArray, NDArray], output: NDArray, attributes: Attributes) -> Gradients:
    """Gradients of matmul: g @ x2.mT and x1.mT @ g, added up over broadcast stacks."""
    x1, x2 = inputs
    rows = x1[None, :] if x1.ndim == 1 else x1
    columns = x2[:, None] if x2.ndim == 1 else x2
    if x2.ndim == 1:
        g = g[..., None]
    if x1.ndim == 1:
        g = g[..., None, :]
    wants_x1, wants_x2 = attributes["wants"]
    return (
        sum_to_shape(product(g, columns.mT), rows.shape).reshape(x1.shape) if wants_x1 else None,
        right_gradient(rows, g, columns.shape).reshape(x2.shape) if wants_x2 else None,
    )


def right_gradient(rows: NDArray, g: NDArray, shape: Shape) -> NDArray:
    """rows.mT @ g for a right operand of `shape`; one product of tall matrices where it had no stack."""
    if len(shape) == 2 and rows.ndim > 2 and rows.shape[:-1] == g.shape[:-1]:
        return product(rows.reshape((-1, rows.shape[-1])).mT, g.reshape((-1, g.shape[-1])))
    return sum_to_shape(product(rows.mT, g), shape)


@differentiable(matmul_vjp)
def differentiable_product(x1: NDArray, x2: NDArray, /, *, wants: tuple[bool, bool]) -> NDArray:
    """The product; `wants` says which operands are differentiated."""
    return product(x1, x2)


def product(x1: NDArray, x2: NDArray) -> NDArray:
    """The product of untracked arrays, computed where they are."""
    if is_ready(x1) and is_ready(x2) and x1.ndim <= 2 and x1.dtype is x2.dtype:
        return cpu.matmul(x1, x2)
    if is_elsewhere(x1, x2):
        return matmul_elsewhere(x1, x2)
    dtype = x1.dtype if x1.dtype is x2.dtype else result_type(x1, x2)
    x1, x2 = readable(x1, dtype), readable(x2, dtype)
    if x2.ndim == 2 and x1.ndim > 2 and x1.is_contiguous and x1.size:
        tall = cpu.matmul(x1.reshape((-1, x1.shape[-1])), x2)
        return tall.reshape((*x1.shape[:-1], x2.shape[-1]))
    return cpu.matmul(x1, x2)


def is_ready(x: NDArray) -> bool:
    """Whether the product can read `x` as it is: an array of the host that is not pending, in a layout for it."""
    return type(x) is NDArray and not cpu.needs_copy(x)


def readable(x: NDArray, dtype: DType) -> NDArray:
    """`x` in a dtype and layout that the product can read."""
    if x.dtype is not dtype:
        x = x.astype(dtype)
    x = x.block()
    return ascontiguous(x) if cpu.needs_copy(x) else x


def matmul(x1: NDArray, x2: NDArray, /) -> NDArray:
    """Matrix product of the last two axes; the axes before them are stacks and broadcast.

    x1: (..., m, k) or (k,)    x2: (..., k, n) or (k,)
    Returns (..., m, n), without m or n where x1 or x2 has one dimension.  Integers wrap; bool is any(x1 and x2);
    half types are added up in float32 and rounded once.
    Raises ValueError for an array without dimensions, inner sizes that differ or stacks that do not broadcast,
    TypeError for other objects or dtypes without a common one.
    """
    if type(x1) is NDArray and type(x2) is NDArray:
        return tracked_product(x1, x2)
    return tracked_product(*array_operands("matmul", x1, x2))


def tracked_product(x1: NDArray, x2: NDArray) -> NDArray:
    """The product, on the tape where an operand is."""
    if x1.node is None and x2.node is None:
        return product(x1, x2)
    return differentiable_product(x1, x2, wants=(x1.node is not None, x2.node is not None))


def array_operands(who: str, *operands: Any) -> list[NDArray]:
    """The operands as arrays.  Raises TypeError unless they are arrays of ours or of NumPy."""
    arrays = list(operands)
    for i, x in enumerate(operands):
        if is_array(x):
            continue
        if not isinstance(x, numpy.ndarray):
            given = " and ".join(type_name(x) for x in operands)
            needed = "an array" if len(operands) == 1 else "two arrays" if len(operands) == 2 else "arrays"
            raise TypeError(f"{who}: needs {needed}, given {given}; convert first with asarray")
        arrays[i] = asarray(x)
    return arrays


def conjugate(x: NDArray) -> NDArray:
    """The complex conjugate; real arrays as they are."""
    return conj(x) if x.dtype.kind == "c" else x


def operator_matmul(x1: Any, x2: Any) -> Any:
    """x1 @ x2, left to the other operand's type where it is none of ours."""
    if isinstance(x1, NDArray) and isinstance(x2, NDArray):
        return tracked_product(x1, x2)
    if isinstance(x1, numpy.ndarray) or isinstance(x2, numpy.ndarray):
        return tracked_product(*array_operands("matmul", x1, x2))
    return NotImplemented


def inplace_matmul(x1: NDArray, x2: Any) -> Any:
    """x1 @= x2.

    Raises ValueError where the product has another shape than x1, TypeError where it is of a higher kind.
    """
    y = operator_matmul(x1, x2)
    if y is NotImplemented:
        return y
    if y.shape != x1.shape:
        raise ValueError(f"matmul in place: the product has shape {y.shape}, x1 has {x1.shape}; write x1 = x1 @ x2")
    x1[...] = y
    return x1


install(matmul=operator_matmul, imatmul=inplace_matmul)
install_for_devices(matmul=matmul)
