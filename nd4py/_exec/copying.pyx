"""Elements from one place in memory to another: conversions, fills, and operands that share bytes."""

from libc.string cimport memcpy
from nd4py._core.array cimport NDArray, new_array, new_from_info, prepare_write
from nd4py._core.plan cimport Plan, add_operand, finish_plan, start_plan
from nd4py._core.shape cimport ShapeInfo
from nd4py._exec.nodes cimport mark_written
from nd4py._exec.scalars cimport check_scalar, store_scalar
from nd4py.cpu.map cimport CHUNK, run_map
from nd4py.cpu.planes cimport is_across, run_copy
from nd4py.cpu.tiles cimport MapCall, is_beyond_caches

from .._spec.dtypes import DTYPES, NUMBER

cdef double CONVERSION = 0.02            # nanoseconds of one element
cdef enum:
    SMALL = 4096                         # elements below which no plan is worth a thought

cdef int BOOL = NUMBER["bool"]
cdef Py_ssize_t itemsizes[16]
for number, dtype in enumerate(DTYPES):
    itemsizes[number] = dtype.itemsize


cdef NDArray convert(NDArray x, int number):
    """A C-ordered copy of `x` as dtype `number`."""
    cdef NDArray y
    if number == x.number and x.info.is_contiguous and x.info.size <= SMALL:
        y = new_from_info(number, x.info)
        memcpy(y.data, x.data, x.info.size * x.info.itemsize)
        return y
    y = new_array(number, x.info.ndim, x.info.shape)
    copy_elements(x, y)
    return y


cdef int copy_elements(NDArray x, NDArray y) except -1:
    """Convert and broadcast the elements of `x` into `y`."""
    cdef Plan plan
    start_plan(&plan, y.info.ndim, y.info.shape)
    add_operand(&plan, x)
    add_operand(&plan, y)
    run_conversion(&plan, x.number, y.number)
    return 0


cdef void run_conversion(Plan* plan, int source, int target) noexcept:
    """Convert operand 0 of dtype `source` into operand 1 of dtype `target`; the plan is not finished yet."""
    cdef MapCall call
    finish_plan(plan, CHUNK)
    call.loop = NULL
    call.program = NULL
    call.n_in = 1
    call.nanoseconds = CONVERSION
    call.number[0] = call.loop_number[0] = call.loop_number[1] = source
    call.number[1] = target
    cdef bint is_streamed = is_beyond_caches(plan, &call)
    if source == target and (is_across(plan) or not is_streamed):
        run_copy(plan, itemsizes[source], is_streamed)
    else:
        run_map(plan, &call)


cdef int write(NDArray target, object value) except -1:
    """Fill `target` with a scalar, or with an array that broadcasts to it."""
    cdef NDArray source
    check_writable("assignment", target)
    if type(value) is NDArray:
        source = <NDArray>value
        if overlaps(source, target):
            source = convert(source, source.number)
    else:
        if target.number == BOOL and value in (0, 1):
            value = bool(value)
        check_scalar(-1, value, target.number)
        source = new_array(target.number, 0, NULL)
        store_scalar(value, target.number, source.data)
    copy_elements(source, target)
    mark_written(target)
    return 0


cdef int check_writable(str name, NDArray array) except -1:
    if array.readonly:
        raise ValueError(f"{name}: this array is read-only; write to a copy, x.copy()")
    return prepare_write(array)


cdef bint overlaps(NDArray x, NDArray y) noexcept:
    """Whether the two may share bytes without being the same elements in the same order."""
    cdef char* x_low = x.data
    cdef char* x_high = x.data + x.info.itemsize
    cdef char* y_low = y.data
    cdef char* y_high = y.data + y.info.itemsize
    if x.data == y.data and x.info is y.info:
        return False
    extent(x.info, &x_low, &x_high)
    extent(y.info, &y_low, &y_high)
    return x_low < y_high and y_low < x_high


cdef void extent(ShapeInfo info, char** low, char** high) noexcept:
    """Widen [low, high) from the first element to all elements."""
    cdef int i
    for i in range(info.ndim):
        if info.strides[i] < 0:
            low[0] += (info.shape[i] - 1) * info.strides[i]
        else:
            high[0] += (info.shape[i] - 1) * info.strides[i]
