"""The values that x[key] = value writes, converted and checked before anything is written."""

from libc.string cimport memcpy
from nd4py._core.array.array cimport NDArray, new_array, new_view
from nd4py._core.array.array_base cimport mark_written
from nd4py._core.graphs.launch_recording cimport is_recording, n_captures, record_values
from nd4py._core.layout.shape cimport intern
from nd4py._core.upcalls cimport upcalls
from nd4py._exec.copying cimport check_writable, convert, shares, write, write_element
from nd4py._core.element_sizes cimport copy_element
from nd4py._exec.device.device_operations cimport rules_for
from nd4py._exec.dispatch.row_table cimport compute
from nd4py._exec.dispatch.promotion cimport (
    REAL, WHOLE, as_kind_of, check_scalar, is_scalar, plain_scalar, ranks, scalar_number, store_plain_scalar,
    store_scalar,
)
from nd4py._mem.workspace.scopes cimport current_workspace, make_current

from ..._spec.dtypes import NUMBER
from ..conversion import broadcast_to
from ..dispatch.promotion import check_kind

cdef int BOOL = NUMBER["bool"]
cdef object EXACT = 2 ** 53              # ints up to it are float64 numbers


def assign(NDArray target, NDArray view, value: Operand) -> None:
    """Write a scalar or an array into a view of `target`.  Raises as `assigned` does, ValueError for other shapes."""
    if view.info.ndim == 0 and target.node is None and not n_captures:
        check_writable("assignment", target)
        if store_directly(value, target.number, view.data):
            mark_written(target)
            return
    cdef double element[2]
    if type(value) is not NDArray and is_scalar(value):
        check_assigned(target, value)
        store_element(as_kind_of(value, target.number), target.number, <char*>element)
        write_element(view, <char*>element)
        return
    write(view, without_unit_axes(assigned(target, value), view.info.ndim))


cdef bint store_directly(object value, int number, char* to) except -1:
    """Write a scalar, or an array of that dtype without dimensions, as an element; false where something must be
    checked or converted first."""
    cdef NDArray x
    if type(value) is NDArray:
        x = <NDArray>value
        if x.info.ndim or x.number != number or x.node is not None:
            return False
        copy_element(x.data, to, x.info.itemsize)
        return True
    if not is_scalar(value):
        value = plain_scalar(value)
        if number == BOOL and type(value) is not bool:
            return False
        if type(value) is int and ranks[number] == REAL and not -EXACT <= value <= EXACT:
            return False                 # it would be rounded twice
    if number == BOOL:
        if value is not True and value is not False and (type(value) is not int or not 0 <= value <= 1):
            return False
        to[0] = value == 1
        return True
    if type(value) is bool:
        value = 1 if value else 0
    return holds_plain_scalars(number) and store_plain_scalar(value, number, to)


cdef bint holds_plain_scalars(int number) noexcept:
    """Whether Python's numbers are written to elements of a dtype without being converted: not of halves, say."""
    return compute[number] == number and (ranks[number] == WHOLE or ranks[number] == REAL)


cdef int check_assigned(NDArray target, object value) except -1:
    if target.node is not None or (type(value) is NDArray and (<NDArray>value).node is not None):
        raise ValueError("assignment: gradients do not flow through x[...] = value; use where or concat instead")
    return check_writable("assignment", target)


def assigned(NDArray target, value: Operand) -> NDArray:
    """`value` as an array that may be written to `target`.

    Raises TypeError as `values_for` does, ValueError if `target` is read-only or either is being differentiated.
    """
    check_assigned(target, value)
    return values_for("assignment", target, value, True)


def values_for(str name, NDArray target, value: Operand, bint is_converted = False) -> NDArray:
    """A scalar or array as an array whose elements `target` takes.

    is_converted: whether they are converted to the dtype of `target`, as an assignment does
    Raises TypeError for a kind that it does not take, OverflowError and ValueError for a scalar out of range.
    """
    cdef NDArray values
    if type(value) is not NDArray and is_scalar(value):
        if is_converted:
            value = as_kind_of(value, target.number)
        check_kind(name, scalar_number(value), target.number, is_converted)
        return scalar_array(value, target.number)
    if type(value) is not NDArray:
        refuse_batch(name, target, value)
    values = value if type(value) is NDArray else converted(value, target, is_converted)
    check_kind(name, values.number, target.number, is_converted)
    return values


cdef object converted(value, NDArray target, bint is_converted):
    """What is no array as one; texts and None are read for the dtype of `target` if `is_converted`."""
    try:
        return upcalls.asarray(value)
    except TypeError:
        if not is_converted:
            raise
    return upcalls.asarray([None] if value is None else value, target.dtype)


cdef int refuse_batch(str name, object target, object value) except -1:
    """Raises NoBatchRule for an array of a batch: an array from outside cannot take the values of all examples."""
    rules = rules_for((value,))
    if rules is not None:
        raise rules.refusal_to_write(name, target)
    return 0


def may_share(x: Any, y: Any) -> bool | None:
    """Whether two arrays of the host may have a byte in common; where they may not, they have none.  None of others."""
    return shares(x, y) if type(x) is NDArray and type(y) is NDArray else None


def apart(NDArray values, NDArray target) -> NDArray:
    """`values` itself, or a copy when it may share memory with `target`, which is written in another order."""
    return convert(values, values.number) if shares(values, target) else values


cdef NDArray scalar_array(object value, int number):
    """A scalar as an array without dimensions, beside any workspace.  Raises as `store_element` does."""
    cdef double element[2]
    cdef NDArray x
    store_element(value, number, <char*>element)
    current = current_workspace()
    make_current(None)
    try:
        x = new_array(number, 0, NULL)
    finally:
        make_current(current)
    memcpy(x.data, element, x.info.itemsize)
    if n_captures and is_recording():
        record_values(x)
    return x


cdef int store_element(object value, int number, char* to) except -1:
    """Write a scalar as an element.  Raises TypeError for a higher kind, OverflowError out of range."""
    check_scalar(-1, value, number)
    return store_scalar(value, number, to)


cdef NDArray without_unit_axes(NDArray values, int ndim):
    """The values without leading axes of size 1 that are more than `ndim`."""
    cdef int extra = 0
    while values.info.ndim - extra > ndim and values.info.shape[extra] == 1:
        extra += 1
    if extra == 0:
        return values
    return new_view(values, values.data, intern(values.info.itemsize, values.info.ndim - extra,
                                                values.info.shape + extra, values.info.strides + extra))


def fitted(NDArray values, shape: Shape) -> NDArray:
    """`values` repeated to `shape`, without leading axes of size 1 that are too many.  Raises ValueError."""
    return broadcast_to(without_unit_axes(values, len(shape)), shape)
