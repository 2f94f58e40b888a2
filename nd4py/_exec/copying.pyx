"""Copies between layouts and dtypes: conversions, fills, and operands that share memory."""

from cpython.object cimport PyObject
from libc.string cimport memcpy
from nd4py._core.array.array cimport NDArray, new_array, new_from_info
from nd4py._core.array.array_base cimport mark_written, prepare_write
from nd4py._core.element_sizes cimport itemsizes
from nd4py._core.array.exits cimport leave_tape
from nd4py._core.layout.overlap cimport disturbs, share_bytes
from nd4py._core.observing.observers cimport CONVERSION, MOVE, Operation, begun, n_observers
from nd4py._core.layout.shape cimport MAX_NDIM, result_layout
from nd4py._core.layout.plan cimport MAX_OPERANDS, Plan, add_operand, add_scalar, finish_plan, start_plan
from nd4py._exec.dispatch.promotion cimport as_kind_of, check_scalar, store_scalar
from nd4py.cpu.elementwise.map cimport CHUNK, MapCall, is_beyond_caches, run_map, turn_reversed_axes
from nd4py.cpu.copy.strided_copy cimport is_across, run_copy
from nd4py.cpu.isa.isa cimport loops
from nd4py._mem.workspace.scopes cimport current_workspace, make_current, n_captures

cdef double CONVERSION_NS = 0.02         # of one element
cdef enum:
    SMALL_ELEMENTS = 4096                # below which no plan is worth a thought
    SHORT_RUN = 64                       # elements below which finding a row takes longer than reducing it
    SMALL_ITEMSIZE = 4                   # bytes of elements of which a vector holds enough
    LONGEST_STEP = 4                     # elements between two that vectors take (strided_copy_loops.inc)


cdef NDArray convert(NDArray x, int number):
    """A C-ordered copy of `x` as dtype `number`."""
    cdef NDArray y
    cdef bint is_small = x.info.is_contiguous and 0 < x.info.size <= SMALL_ELEMENTS and not n_captures + n_observers
    if is_small and number == x.number:
        y = new_from_info(number, x.info)
        memcpy(y.data, x.data, x.info.size * x.info.itemsize)
        return y
    y = new_array(number, x.info.ndim, x.info.shape)
    if is_small:
        loops.cast[x.number][number](x.data, x.info.itemsize, y.data, y.info.itemsize, x.info.size)
    else:
        copy_elements(x, y)
    return y


cdef NDArray convert_in_order(NDArray x, int number):
    """A copy of `x` as dtype `number`, with the axes in memory as they are."""
    if x.info.is_contiguous:
        return convert(x, number)
    cdef NDArray y = new_like(x, number)
    copy_elements(x, y)
    return y


cdef NDArray new_like(NDArray x, int number):
    """An uninitialised array of the shape and memory order of `x`."""
    cdef PyObject* info = <PyObject*>x.info
    return new_from_info(number, result_layout(itemsizes[number], x.info.ndim, x.info.shape, 1, &info))


cdef NDArray new_result(tuple operands, int number, int ndim, const Py_ssize_t* shape):
    """An uninitialised array for the result of an elementwise operation, in the memory order of its operands."""
    cdef PyObject* infos[MAX_OPERANDS]
    cdef int n = 0
    for item in operands:
        if type(item) is NDArray:
            infos[n] = <PyObject*>(<NDArray>item).info
            n += 1
    return new_from_info(number, result_layout(itemsizes[number], ndim, shape, n, infos))


cdef bint is_scattered(NDArray x) noexcept:
    """Whether elements lie in short runs, or in short steps that vectors take at once: a loop over the rows of a copy
    is faster, with the copy, than one over such rows."""
    cdef int axes[MAX_NDIM]              # those that are walked, the longest steps first
    cdef int n = 0, i, k
    cdef Py_ssize_t step, size = x.info.itemsize, run
    if x.info.is_contiguous or x.info.size < SHORT_RUN:
        return False
    for i in range(x.info.ndim):
        if x.info.shape[i] <= 1:
            continue
        if x.info.strides[i] == 0:
            return False
        k = n
        while k > 0 and abs(x.info.strides[axes[k - 1]]) < abs(x.info.strides[i]):
            axes[k] = axes[k - 1]
            k -= 1
        axes[k] = i
        n += 1
    if n == 0:
        return False
    step, run = x.info.strides[axes[n - 1]], x.info.shape[axes[n - 1]]
    if step != size:
        if step == -size or (n > 1 and run < SHORT_RUN):
            return True
        return size <= SMALL_ITEMSIZE and abs(step) <= LONGEST_STEP * size
    i = n - 2
    while i >= 0 and x.info.strides[axes[i]] == run * size:
        run *= x.info.shape[axes[i]]
        i -= 1
    return i >= 0 and run < SHORT_RUN


cdef NDArray side_by_side(NDArray x):
    """The elements of `x` without gaps, its axes in memory as they are: in no workspace, and unseen by observers, for
    what is needed only on the way to a result.  Raises MemoryError."""
    cdef NDArray y
    cdef object current = current_workspace()
    make_current(None)
    try:
        y = new_like(x, x.number)
    finally:
        make_current(current)
    move_elements(x, y)
    return y


cdef NDArray gathered(NDArray x):
    """`x`, or a copy of it that is reduced faster, where there is memory for one."""
    if not is_scattered(x):
        return x
    try:
        return side_by_side(x)
    except MemoryError:
        return x


cdef int copy_elements(NDArray x, NDArray y) except -1:
    """Convert and broadcast the elements of `x` into `y`."""
    cdef Operation operation = None
    if n_observers:
        operation = begun(MOVE, "copy") if x.number == y.number else begun(CONVERSION, "conversion")
    move_elements(x, y)
    if operation is not None:
        operation.finish((x,), (y,))
    return 0


cdef int move_elements(NDArray x, NDArray y) except -1:
    """The same, unseen by observers."""
    cdef Plan plan
    start_plan(&plan, y.info.ndim, y.info.shape)
    add_operand(&plan, x)
    add_operand(&plan, y)
    run_conversion(&plan, x.number, y.number)
    return 0


cdef int run_conversion(Plan* plan, int source, int target) except -1:
    """Convert operand 0 of dtype `source` into operand 1 of dtype `target`; the plan is not finished yet."""
    cdef MapCall call
    finish_plan(plan, CHUNK)
    turn_reversed_axes(plan)
    call.loop = NULL
    call.program = NULL
    call.params = NULL
    call.n_params = 0
    call.n_in = 1
    call.nanoseconds = CONVERSION_NS
    call.number[0] = call.loop_number[0] = call.loop_number[1] = source
    call.number[1] = target
    cdef bint is_streamed = is_beyond_caches(plan, &call)
    if source == target and (is_across(plan) or not is_streamed):
        return run_copy(plan, itemsizes[source], is_streamed)
    return run_map(plan, &call)


cdef int write(NDArray target, object value) except -1:
    """Fill `target` with a scalar, or with an array that broadcasts to it."""
    cdef NDArray source
    cdef double element[2]
    check_writable("assignment", target)
    if type(value) is NDArray:
        source = <NDArray>value
        leave_tape(source.node)
        if overlaps(source, target):
            source = convert(source, source.number)
    else:
        value = as_kind_of(value, target.number)
        check_scalar(-1, value, target.number)
        store_scalar(value, target.number, <char*>element)
        return write_element(target, <char*>element)
    mark_written(target)                 # before: it may be interrupted
    copy_elements(source, target)
    return 0


cdef int write_element(NDArray target, char* element) except -1:
    """Fill `target` with one element of its dtype, which need not lie in an array: that would take room in an arena."""
    cdef Plan plan
    cdef Operation operation = begun(MOVE, "fill") if n_observers else None
    check_writable("assignment", target)
    start_plan(&plan, target.info.ndim, target.info.shape)
    add_scalar(&plan, element)
    add_operand(&plan, target)
    mark_written(target)                 # before: it may be interrupted
    run_conversion(&plan, target.number, target.number)
    if operation is not None:
        operation.finish((), (target,))
    return 0


cdef int check_writable(str name, NDArray array) except -1:
    if array.readonly:
        raise ValueError(f"{name}: this array is read-only; write to a copy, x.copy()")
    return prepare_write(array)


cdef bint overlaps(NDArray x, NDArray y) noexcept:
    """Whether writing `y` element by element may change what is still to be read of `x`."""
    return disturbs(<size_t>y.data, y.info, <size_t>x.data, x.info)


cdef bint shares(NDArray x, NDArray y) noexcept:
    """Whether two arrays may have a byte in common."""
    return share_bytes(<size_t>x.data, x.info, <size_t>y.data, y.info)
