"""Concatenation and stacking."""

from nd4py._core.array.array cimport NDArray, new_array
from nd4py._core.lazy.deferred cimport is_array
from nd4py._core.layout.plan cimport Plan, add_operand, start_plan
from nd4py._core.observing.observers cimport MOVE, Operation, begun, n_observers
from nd4py._core.layout.shape cimport MAX_NDIM, normalize_axis
from nd4py._core.upcalls cimport upcalls
from nd4py._exec.copying cimport run_conversion
from nd4py._exec.device.device_operations cimport is_any_elsewhere, is_elsewhere, join_elsewhere
from nd4py._exec.dispatch.promotion cimport is_subclassed
from nd4py._exec.dispatch.row_table cimport promoted

from .._core.whole_numbers import items
from .._spec.dtypes import DTYPES


def as_array(x) -> NDArray:
    """`x` itself when it is an array, also one on a device, else an array made of it."""
    return x if type(x) is NDArray or is_elsewhere(x) else upcalls.asarray(x)


def any_array(x) -> NDArray:
    """The same, without computing what is deferred, and with its class where a program derived one: for what asks for
    shape and dtype, or calls methods."""
    return x if is_array(x) or is_elsewhere(x) or is_subclassed(x) else upcalls.asarray(x)


def as_arrays(given: Iterable[Any]) -> list[NDArray]:
    """The items as arrays.  Raises TypeError for what has none."""
    return [as_array(x) for x in (given if type(given) is list or type(given) is tuple else items("arrays", given))]


def is_any_tracked(list arrays: list[NDArray]) -> bool:
    """Whether one of the arrays is being differentiated."""
    for x in arrays:
        if x.node is not None:
            return True
    return False


def join(list arrays: list[NDArray], axis: int, bint is_new_axis=False) -> NDArray:
    """The arrays one after the other along `axis`, an old one or a new one, in their common dtype.

    Raises ValueError for no arrays, or shapes that differ (outside an old axis), TypeError without a common dtype.
    """
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef NDArray first, piece, y
    cdef Plan plan
    cdef char* target
    cdef int i, along, ndim, number
    if not arrays:
        raise ValueError(f"{name_of(is_new_axis)}: needs one array at least, given none")
    if is_any_elsewhere(tuple(arrays), None):
        return join_elsewhere(name_of(is_new_axis), arrays, axis, is_new_axis)
    first = <NDArray>arrays[0]
    ndim = first.info.ndim + is_new_axis
    if ndim > MAX_NDIM:
        raise ValueError(f"{name_of(is_new_axis)}: an array has at most {MAX_NDIM} dimensions, given {ndim}")
    along = normalize_axis(axis, ndim)
    number = first.number
    for i in range(ndim):
        shape[i] = 0 if i == along else first.info.shape[i - (is_new_axis and i > along)]
    for item in arrays:
        piece = <NDArray>item
        check_shape(first, piece, along, is_new_axis)
        number = common_number(number, piece.number, is_new_axis)
        shape[along] += 1 if is_new_axis else piece.info.shape[along]
    cdef Operation operation = begun(MOVE, name_of(is_new_axis)) if n_observers else None
    y = new_array(number, ndim, shape)
    target = y.data
    for item in arrays:
        piece = <NDArray>item
        start_plan(&plan, piece.info.ndim, piece.info.shape)
        add_operand(&plan, piece)
        for i in range(piece.info.ndim):
            plan.strides[1][i] = y.info.strides[i + (is_new_axis and i >= along)]
        plan.data[1] = target
        plan.n_operands = 2
        run_conversion(&plan, piece.number, number)
        target += y.info.strides[along] * (1 if is_new_axis else piece.info.shape[along])
    if operation is not None:
        operation.finish(tuple(arrays), (y,))
    return y


cdef int check_shape(NDArray first, NDArray piece, int along, bint is_new_axis) except -1:
    """Raises ValueError unless the two differ at most along an old axis."""
    cdef int i
    cdef bint is_equal = piece.info.ndim == first.info.ndim
    if piece.info is first.info:
        return 0
    for i in range(first.info.ndim):
        is_equal = is_equal and (piece.info.shape[i] == first.info.shape[i] or (i == along and not is_new_axis))
    if not is_equal:
        where = "" if is_new_axis else f" outside axis {along}"
        raise ValueError(f"{name_of(is_new_axis)}: shapes {first.shape} and {piece.shape} differ{where}")
    return 0


cdef int common_number(int left, int right, bint is_new_axis) except -1:
    """The dtype two pieces promote to.  Raises TypeError where there is none."""
    if promoted[left][right] < 0:
        raise TypeError(
            f"{name_of(is_new_axis)}: {DTYPES[left].name} and {DTYPES[right].name} have no common dtype; "
            "convert one of them with astype"
        )
    return promoted[left][right]


cdef str name_of(bint is_new_axis):
    return "stack" if is_new_axis else "concat"
