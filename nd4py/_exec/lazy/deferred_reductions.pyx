"""Reductions of rows that are deferred, and those that run in the pass that computes what they reduce."""

from cpython.object cimport PyObject
from cpython.pythread cimport PyThread_get_thread_ident
from nd4py._core.array.array cimport NDArray, new_array, new_from_info
from nd4py._core.element_sizes cimport itemsizes
from nd4py._core.lazy.chain cimport OPEN, Chain, Section, can_reduce, converted, enter, has_room, reduced
from nd4py._core.lazy.deferred cimport fields, is_deferred, materialized
from nd4py._core.lazy.deferring cimport (
    begin_link, can_wait, chain_for, end_link, is_combining, is_of_row, smallest, stand_for, value_of,
)
from nd4py._core.layout.shape cimport MAX_NDIM, ShapeInfo, intern, intern_contiguous, result_layout, with_itemsize
from nd4py._exec.copying cimport is_scattered
from nd4py._exec.lazy.assembly cimport LARGEST_BLOCK_ELEMENTS, SHORTEST_ROW_ELEMENTS
from nd4py._exec.lazy.host_backend cimport HOST, fewest_bytes, host
from nd4py._exec.lazy.run_chain cimport launch_reduced, panic_kinds
from nd4py._exec.lazy.sweeps cimport can_sweep_again
from nd4py._exec.dispatch.row_table cimport result_numbers
from nd4py.cpu.isa.isa cimport ReduceLoops, loops
from nd4py.cpu.reduce.reduce cimport can_convert_before, can_reduce_source

from ..._spec.ops import ALL

cdef extern from *:
    Py_ssize_t references "Py_REFCNT"(PyObject* item)


cdef object defer_reduction(object x, int op, int number, int first, int end, const bint* is_reduced, int wanted,
                            bint keepdims):
    """A reduction of `x`, as elements of dtype `number`, along the axes from `first` to before `end`, deferred; or None
    where it runs now.

    wanted: the dtype of the result.  What does not lie in C order, as the elements of a program do, is reduced now.
    """
    cdef Section section
    enter(&section)
    cdef NDArray array = fields(x)
    cdef Chain chain
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef int ndim = array.info.ndim, n_kept = 0, i
    cdef tuple operands = (x,)
    cdef bint was_collecting
    if not is_combining() or not is_worth_while(x, first, end) or not can_wait(host, (x,)):
        return None
    if number != array.number and not can_convert_before(array, is_reduced):
        return None
    for i in range(ndim):
        if keepdims or not first <= i < end:
            shape[n_kept] = 1 if first <= i < end else array.info.shape[i]
            n_kept += 1
    while True:
        if is_deferred(x) and is_of_row(x):
            return None
        if is_deferred(x) and not can_join(array, first, end):
            materialized(x)
        chain = chain_for(host, operands, 1, 1, 0, with_itemsize(array.info, 1), HOST)
        if begin_link(host, chain, operands, 1, 1, 0, &was_collecting):
            break
    try:
        value = converted(chain, value_of(host, chain, x, number), number)
        value = reduced(chain, op, number, result_numbers[op][number], value, first, end)
        return stand_for(host, chain, value, wanted, intern_contiguous(1, n_kept, shape))
    finally:
        end_link(was_collecting)


cdef bint can_join(NDArray array, int first, int end) noexcept:
    """Whether the chain of a deferred array has room for a reduction of it, and for what is made of that."""
    cdef Chain chain = <Chain>array.chain
    if not can_reduce(chain, first, end):
        return False
    return (block_of(array, first) <= LARGEST_BLOCK_ELEMENTS
            or can_sweep_again(chain, chain.outputs[array.output].value))


cdef Py_ssize_t block_of(NDArray array, int first) noexcept:
    """The elements that the axes from `first` on span."""
    cdef Py_ssize_t block = 1
    cdef int i
    for i in range(first, array.info.ndim):
        block *= array.info.shape[i]
    return block


cdef bint is_worth_while(object x, int first, int end) noexcept:
    """Whether an array lies in C order, and has several rows to reduce."""
    cdef NDArray array = fields(x)
    cdef Py_ssize_t n = 1, block = block_of(array, first)
    cdef int i
    if not array.info.is_contiguous:
        return False
    for i in range(first, end):
        n *= array.info.shape[i]
    if n < 2 or block == 0 or array.info.size < max(smallest, 2 * n):
        return False
    if block <= LARGEST_BLOCK_ELEMENTS and array.info.size < 2 * block:
        return False
    if is_deferred(x) or block == n >= SHORTEST_ROW_ELEMENTS:
        return True
    return array.info.size * array.info.itemsize >= fewest_bytes


cdef object reduce_deferred(object x, int op, int number, const bint* is_reduced):
    """The reduction of a deferred array, as elements of dtype `number`, in the pass that computes it; or None.

    The array itself is not written, and stays deferred.
    """
    cdef Section section
    enter(&section)
    cdef NDArray array = fields(x), virtual, y
    cdef Chain chain
    cdef int i
    if not is_deferred(x):
        return None
    chain = <Chain>array.chain
    if chain.thread != PyThread_get_thread_ident() or chain.state != OPEN or chain.has_reductions:
        return None
    if panic_kinds or not has_room(chain, &host.room, None, 1, 1, 0):
        return None                      # the array is searched before it is reduced
    for i in range(chain.n_leaves):
        if is_scattered(<NDArray>chain.leaves[i]):
            return None                  # a pass over elements takes many short rows at once, a reduction each alone
    virtual = NDArray.__new__(NDArray)
    virtual.info = with_itemsize(array.info, itemsizes[number])
    virtual.number = number
    if not can_reduce_source(virtual, is_reduced):
        return None
    if number != array.number and not can_convert_before(array, is_reduced):
        return None
    y = new_result(result_numbers[op][number], array, is_reduced)
    is_reduced_now = launch_reduced(chain, array, virtual,
                                    <const ReduceLoops*>loops.rows[op][number], is_reduced, y, ALL[op].name)
    return y if is_reduced_now else None


cdef bint is_base_shared(object x) noexcept:
    """Whether a tracked array that is deferred stands for one that others refer to, too."""
    cdef Section section
    enter(&section)
    return is_deferred(x) and references(<PyObject*>(<NDArray><PyObject*>x).base) > 1


cdef bint gets_values(object x) except -1:
    """Whether there was memory for the values of a deferred array, which has them from now on.

    One that others refer to is written first, and read again by its reduction: a loop that does both takes longer.
    """
    try:
        materialized(x)
    except (MemoryError, RuntimeError):  # a full workspace's is one
        return False
    return True


cdef NDArray new_result(int number, NDArray x, const bint* is_reduced):
    """An array of the shape of the axes that are kept, in memory in the order of those of `x`, so that rows of both lie
    beside each other."""
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef Py_ssize_t strides[MAX_NDIM]
    cdef int ndim = 0, i
    for i in range(x.info.ndim):
        if not is_reduced[i]:
            shape[ndim], strides[ndim] = x.info.shape[i], x.info.strides[i]
            ndim += 1
    if ndim < 2 or x.info.is_contiguous:
        return new_array(number, ndim, shape)
    cdef ShapeInfo kept = intern(x.info.itemsize, ndim, shape, strides)
    cdef PyObject* layout = <PyObject*>kept
    return new_from_info(number, result_layout(itemsizes[number], ndim, shape, 1, &layout))
