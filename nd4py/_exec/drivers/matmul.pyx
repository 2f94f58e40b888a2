"""Matrix products, in place too, and their gradients."""

import numpy

from nd4py._core.array.array cimport NDArray
from nd4py._core.lazy.deferred cimport fields, is_array
from nd4py._core.observing.observers cimport PRODUCT, Operation, begun, n_observers
from nd4py._core.upcalls cimport upcalls
from nd4py._exec.device.device_operations cimport device_upcalls, is_elsewhere
from nd4py._exec.dispatch.row_table cimport promoted
from nd4py._exec.dispatch.promotion cimport PAIR, ranks
from nd4py.cpu.matmul cimport matmul as cpu

from ..._spec.dtypes import DTYPES
from ..device.device_functions import matmul_elsewhere
from ..concat import any_array
from ..autodiff.tape import conjugate, differentiable, cast_gradient, sum_to_shape


cdef tuple CONVERTED = (numpy.ndarray, list, tuple, range)


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
        cast_gradient(sum_to_shape(product(g, conjugate(columns).mT), rows.shape), x1.dtype).reshape(x1.shape)
        if wants_x1 else None,
        cast_gradient(right_gradient(conjugate(rows), g, columns.shape), x2.dtype).reshape(x2.shape)
        if wants_x2 else None,
    )


cdef object right_gradient(object rows, object g, tuple shape):
    """rows.mT @ g for a right operand of `shape`; one product of tall matrices where it had no stack."""
    cdef Py_ssize_t last = rows.ndim - 1
    if len(shape) == 2 and last > 1 and rows.shape[:last] == g.shape[:last]:
        return product(rows.reshape((-1, rows.shape[last])).mT, g.reshape((-1, g.shape[last])))
    return sum_to_shape(product(rows.mT, g), shape)


@differentiable(matmul_vjp, keeps_output=False)
def differentiable_product(x1: NDArray, x2: NDArray, /, *, wants: tuple[bool, bool]) -> NDArray:
    """The product; `wants` says which operands are differentiated."""
    return untracked_product(x1, x2)


cpdef object untracked_product(object x1: NDArray, object x2: NDArray):
    """The product of untracked arrays, computed where they are."""
    if is_ready(x1) and is_ready(x2) and (<NDArray>x1).info.ndim <= 2 and (<NDArray>x1).number == (<NDArray>x2).number:
        return host_product(<NDArray>x1, <NDArray>x2)
    cdef int number = promoted[fields(x1).number][fields(x2).number]
    if number < 0:
        raise TypeError(f"{x1.dtype} and {x2.dtype} have no common dtype; convert one of them with astype")
    if is_elsewhere(x1) or is_elsewhere(x2):
        name = DTYPES[number].name
        return matmul_elsewhere(x1.astype(name, copy=False), x2.astype(name, copy=False))
    cdef NDArray a = readable(x1, number), b = readable(x2, number)
    cdef int last = a.info.ndim - 1
    if b.info.ndim == 2 and last > 1 and a.info.is_contiguous and a.info.size:
        tall = host_product(a.reshape((-1, a.info.shape[last])), b)
        return tall.reshape((*a.shape[:last], b.info.shape[1]))
    return host_product(a, b)


cdef inline object host_product(NDArray a, NDArray b):
    """The product of operands that the driver can read."""
    cdef Operation operation = begun(PRODUCT, "matmul") if n_observers else None
    y = cpu.matmul(a, b)
    if operation is not None:
        operation.finish((a, b), (y,))
    return y


def vector_product(x1, x2, /) -> NDArray | None:
    """The product of two vectors of one size and real dtype, which are on the host and not recorded; None of others."""
    if type(x1) is not NDArray or type(x2) is not NDArray:
        return None
    cdef NDArray a = <NDArray>x1, b = <NDArray>x2
    if a.info.ndim != 1 or b.info.ndim != 1 or a.info.size != b.info.size or a.number != b.number:
        return None
    if a.node is not None or b.node is not None or ranks[a.number] == PAIR:
        return None
    return untracked_product(a, b)


cdef inline bint is_ready(object x) noexcept:
    """Whether the product can read `x` as it is: an array of the host that is not deferred, in a layout for it."""
    return type(x) is NDArray and not cpu.needs_copy(<NDArray>x)


cdef NDArray readable(object x, int number):
    """`x` in a dtype and layout that the product can read."""
    if fields(x).number != number:
        x = x.astype(DTYPES[number].name)
    cdef NDArray y = x.block()
    return y.copy() if cpu.needs_copy(y) and not y.info.is_contiguous else y


cpdef object product(object x1: NDArray, object x2: NDArray):
    """The product, on the tape where an operand is."""
    if type(x1) is NDArray and type(x2) is NDArray and (<NDArray>x1).node is None and (<NDArray>x2).node is None:
        return untracked_product(x1, x2)
    if x1.node is None and x2.node is None:
        return untracked_product(x1, x2)
    return differentiable_product(x1, x2, wants=(x1.node is not None, x2.node is not None))


cdef object matmul(object x1, object x2):
    """x1 @ x2, left to the other operand's type where it is none of ours."""
    if is_array(x1) and is_array(x2):
        return product(x1, x2)
    if is_elsewhere(x1) or is_elsewhere(x2):
        return device_upcalls.matmul(x1, x2)
    if isinstance(x1, CONVERTED) or isinstance(x2, CONVERTED):
        return product(any_array(x1), any_array(x2))
    return NotImplemented


cdef object inplace_matmul(object x1, object x2):
    """x1 @= x2.

    Raises ValueError where the product has another shape than x1, TypeError where it is of a higher kind.
    """
    y = matmul(x1, x2)
    if y is NotImplemented:
        return y
    if y.shape != x1.shape:
        raise ValueError(f"matmul in place: the product has shape {y.shape}, x1 has {x1.shape}; write x1 = x1 @ x2")
    x1[...] = y
    return x1


upcalls.matmul, upcalls.inplace_matmul = matmul, inplace_matmul
