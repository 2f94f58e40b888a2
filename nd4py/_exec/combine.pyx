"""Which operations are put off, and when they run.

Design: a result large enough is pending, and joins the chain of its operands; so a chain grows until somebody looks at
one of its arrays: reads values, hands it to what cannot combine, closes a workspace, or is another thread.  Memory that
others may write is never read later than the call says: such an operation runs at once, together with what it waits
for.  An in-place operation on an array that nobody else sees gives its memory to a leaf, which gives it back when the
chain runs.
"""

from cpython.object cimport PyObject
from cpython.pythread cimport PyThread_get_thread_ident
from nd4py._core.array cimport NDArray, new_array, owner_of
from nd4py._core.pending cimport fields, is_pending, make_pending, new_pending, settled
from nd4py._core.shape cimport MAX_NDIM, intern_contiguous
from nd4py._exec.chain cimport (
    MAX_VALUES_OF_LINK, OPEN, Chain, absorb, add_output, can_absorb, converted, has_room, has_shape, is_at_home,
    leaf_value, linked, n_live, new_chain, pending_bytes, reduced, scalar_value,
)
from nd4py._exec.finishing cimport flush
from nd4py._exec.launching cimport counts, launch_reduced
from nd4py._exec.rows cimport compute, result_number, rows
from nd4py._mem.pool_system cimport limits
from nd4py._mem.workspace cimport would_hold
from nd4py.cpu.isa cimport ReduceLoops, loops
from nd4py.cpu.reduce cimport can_reduce_source

from .._spec.dtypes import DTYPES, NUMBER

cdef enum:
    MAX_LENGTH = 48                      # links of a chain
    SHORTEST_ROW = 256                   # elements of rows that stay in the cache until they are reduced
    LONGEST_ROW = 16384

cdef size_t MAX_PENDING_BYTES = 1 << 33  # that pending operations keep where the pool's limits allow as much
# Less than this passes through the second cache in the time that putting off takes (asv chains.TimeShortest).
cdef Py_ssize_t fewest_bytes = 150_000 if smallest > 0 else 0
cdef int BOOL = NUMBER["bool"]
cdef Py_ssize_t itemsizes[16]
for number, dtype in enumerate(DTYPES):
    itemsizes[number] = dtype.itemsize


cdef object settle_all(tuple operands):
    """The operands with their values."""
    for item in operands:
        if is_pending(item):
            settled(item)
    return operands


cdef bint is_any_pending(tuple operands) noexcept:
    for item in operands:
        if is_pending(item):
            return True
    return False


cdef bint is_private(NDArray x) noexcept:
    """Whether nobody but this library can write the memory of an array."""
    cdef NDArray owner = owner_of(x)
    return (owner.block != NULL or owner.tenancy != NULL) and owner.n_shares == 0


cdef bint can_join(tuple operands) noexcept:
    """Whether an operation on arrays may be put off, or share a pass with what it waits for: it is not about to be
    recorded on the tape, and some operand is pending or all may be read later."""
    for item in operands:
        if (type(item) is NDArray or is_pending(item)) and fields(item).node is not None:
            return False
    return is_any_pending(operands) or not is_any_shared(operands)


cdef bint is_any_shared(tuple operands) noexcept:
    for item in operands:
        if type(item) is NDArray and not is_private(<NDArray>item):
            return True
    return False


cdef bint is_of_row(Chain chain, object item) noexcept:
    """Whether a pending array has one element for each row of its chain's shape."""
    return chain.values[chain.outputs[fields(item).output].value].is_of_row


cdef bint fits(Chain chain, object item, int ndim, const Py_ssize_t* shape, bint is_all_rows) noexcept:
    """Whether a pending array can be an operand, in its chain, of an operation whose result has a shape."""
    if chain.thread != PyThread_get_thread_ident() or chain.state != OPEN or not is_at_home(chain):
        return False
    if is_all_rows:
        return has_same_shape(fields(item), ndim, shape)
    return has_shape(chain, ndim, shape) and (not is_of_row(chain, item) or fields(item).info.ndim == ndim)


cdef bint are_all_rows(tuple operands) noexcept:
    """Whether all arrays among operands are what rows of one chain come to."""
    cdef object chain = None
    for item in operands:
        if is_pending(item):
            if not is_of_row(<Chain>fields(item).chain, item) or chain not in (None, fields(item).chain):
                return False
            chain = fields(item).chain
        elif type(item) is NDArray:
            return False
    return chain is not None


cdef Chain chain_for(tuple operands, int n_out, int ndim, const Py_ssize_t* shape):
    """The chain an operation joins, with room for it; operands that are elsewhere have their values then."""
    cdef Chain chain = None, other
    cdef bint is_all_rows = are_all_rows(operands)
    for item in operands:
        if not is_pending(item):
            continue
        other = <Chain>fields(item).chain
        if not fits(other, item, ndim, shape, is_all_rows):
            settled(item)
        elif chain is None:
            chain = other
        elif other is not chain:
            if can_absorb(chain, other):
                absorb(chain, other)
            else:
                settled(item)
    if chain is not None and (chain.n_links >= MAX_LENGTH or pending_bytes > most_pending_bytes()
                              or not has_room(chain, len(operands), n_out)):
        settle_all(operands)
        chain = None
    if chain is None and pending_bytes > most_pending_bytes():
        flush(False)
    return new_chain(ndim, shape) if chain is None else chain


cdef size_t most_pending_bytes() noexcept:
    """Bytes that pending operations may keep from being freed: an eighth of what the pool may take now."""
    cdef size_t most = 8 * MAX_PENDING_BYTES
    if limits.maxbytes:
        most = min(most, limits.maxbytes)
    if limits.maxphysicalbytes:
        most = min(most, limits.maxphysicalbytes)
    return most // 8


cdef int value_of(Chain chain, object item, int number) except -1:
    """The value of an operand; of a scalar as a dtype."""
    if is_pending(item):
        return chain.outputs[fields(item).output].value
    return leaf_value(chain, <NDArray>item) if type(item) is NDArray else scalar_value(chain, item, number)


cdef int link_row(Chain chain, int op, tuple operands, const double* params, int n_params, int number) except -1:
    """The first result of a row, as the dtype that callers expect; the others follow."""
    cdef int values[MAX_VALUES_OF_LINK]
    cdef int k, loop_number = number if loops().rows[op][number] != NULL else compute[number]
    for k in range(rows[op].n_in):
        if k == rows[op].condition:
            values[k] = converted(chain, value_of(chain, operands[k], BOOL), BOOL)
        else:
            values[k] = converted(chain, value_of(chain, operands[k], number), loop_number)
    return linked(chain, op, loop_number, result_number(op, loop_number), rows[op].n_in, values, rows[op].n_out, params,
                  n_params)


cdef NDArray stand_for(Chain chain, int value, int number, int ndim, const Py_ssize_t* shape):
    """A pending array for a value, converted to a dtype."""
    value = converted(chain, value, number)
    cdef NDArray array = new_pending(number, intern_contiguous(itemsizes[number], ndim, shape), chain, 0)
    array.output = add_output(chain, <PyObject*>array, value)
    counts.queued += 1
    return array


cdef object put_off(int op, tuple operands, const double* params, int n_params, int number, int ndim,
                    const Py_ssize_t* shape):
    """The pending results of a row, or None where it must run now, its operands having their values."""
    cdef Chain chain
    cdef int value, k, wanted = result_number(op, number)
    if not can_join(operands):
        return None
    cdef bint is_urgent = is_any_shared(operands)
    chain = chain_for(operands, rows[op].n_out, ndim, shape)
    if is_urgent and n_live(chain) == 0:
        return None
    value = link_row(chain, op, operands, params, n_params, number)
    if rows[op].n_out == 1:
        result = stand_for(chain, value, wanted, ndim, shape)
        return settled(result) if is_urgent else result
    results = tuple([stand_for(chain, value + k, wanted, ndim, shape) for k in range(rows[op].n_out)])
    if is_urgent:
        settled(results[0])
    return results


cdef object put_off_in_place(int op, tuple operands, object target, int number, int ndim, const Py_ssize_t* shape):
    """`target`, pending, where it is not seen by anybody else; or None where the row must run now."""
    cdef Chain chain
    cdef NDArray array = fields(target), leaf
    cdef int value, wanted = result_number(op, number)
    if wanted != array.number or rows[op].n_out != 1 or not has_same_shape(array, ndim, shape):
        return None
    if is_pending(target) and is_of_row(<Chain>array.chain, target):
        return None
    if not can_join(operands) or is_any_shared(operands):
        return None
    if type(target) is NDArray and not is_unseen(array):
        return None
    chain = chain_for(operands, 1, ndim, shape)
    if is_pending(target):
        value = converted(chain, link_row(chain, op, operands, NULL, 0, number), wanted)
        chain.outputs[array.output].value = value
        array.version += 1
        counts.queued += 1
        return target
    if not is_unseen(array):             # the target was pending when this began: its chain is full
        return None
    leaf = without_memory(array)
    value = link_row(chain, op, tuple([leaf if item is target else item for item in operands]), NULL, 0, number)
    value = converted(chain, value, wanted)
    make_pending(array, chain, add_output(chain, <PyObject*>array, value))
    array.version += 1
    counts.queued += 1
    return target


cdef bint has_same_shape(NDArray x, int ndim, const Py_ssize_t* shape) noexcept:
    cdef int i
    if x.info.ndim != ndim:
        return False
    for i in range(ndim):
        if x.info.shape[i] != shape[i]:
            return False
    return True


cdef bint is_unseen(NDArray x) noexcept:
    """Whether an array owns its memory, in C order, where a new one would have it, and nothing else looks at it."""
    return (x.block != NULL and x.tenancy == NULL and would_hold(NULL) and not x.is_view and x.info.is_contiguous
            and x.n_views == 0 and x.n_exports == 0 and x.n_shares == 0 and x.n_readers == 0 and x.node is None
            and not x.readonly)


cdef NDArray without_memory(NDArray x):
    """An array that has the memory of `x`, which has none any more."""
    cdef NDArray leaf = NDArray.__new__(NDArray)
    leaf.info, leaf.number = x.info, x.number
    leaf.data, leaf.block, leaf.block_bytes = x.data, x.block, x.block_bytes
    x.data = NULL
    x.block = NULL
    return leaf


cdef object put_off_conversion(object x, int number):
    """`x` as another dtype, pending; or None where it must be converted now."""
    cdef NDArray array = fields(x)
    cdef Chain chain
    if not is_combining() or not can_join((x,)) or is_any_shared((x,)):
        return None
    if array.info.size < smallest or array.info.size * itemsizes[number] < fewest_bytes and not is_pending(x):
        return None
    chain = chain_for((x,), 1, array.info.ndim, array.info.shape)
    return stand_for(chain, value_of(chain, x, number), number, array.info.ndim, array.info.shape)


cdef object put_off_reduction(object x, int op, int number, int wanted, bint keepdims):
    """A reduction of `x`, as elements of dtype `number`, along its last axis, pending; or None where it runs now.

    wanted: the dtype of the result.  Rows that are so short that their steps are calls, or too long for the caches,
    run now, and so does what does not lie as `run_reduce` takes it line by line.
    """
    cdef NDArray array = fields(x)
    cdef Chain chain
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef int ndim = array.info.ndim, i
    cdef Py_ssize_t row = array.info.shape[ndim - 1]
    if not is_combining() or array.info.size < max(smallest, 2 * row) or row > LONGEST_ROW:
        return None
    if row < min(<Py_ssize_t>SHORTEST_ROW, max(smallest, <Py_ssize_t>2)) or not can_join((x,)) or is_any_shared((x,)):
        return None
    if not is_pending(x) and not array.info.is_contiguous:
        return None
    if is_pending(x) and is_of_row(<Chain>array.chain, x):
        return None
    chain = chain_for((x,), 1, ndim, array.info.shape)
    for i in range(ndim):
        shape[i] = array.info.shape[i] if i < ndim - 1 else 1
    value = converted(chain, value_of(chain, x, number), number)
    value = reduced(chain, op, number, result_number(op, number), value)
    return stand_for(chain, value, wanted, ndim if keepdims else ndim - 1, shape)


cdef object reduce_pending(object x, int op, int number, const bint* is_reduced, bint is_held):
    """The reduction of a pending array, as elements of dtype `number`, in the pass that computes it; or None.

    The array itself is written in that pass only when somebody else holds it.  If not, it stays pending.
    """
    cdef NDArray array = fields(x), virtual, y
    cdef Chain chain = <Chain>array.chain
    cdef int value
    if chain.thread != PyThread_get_thread_ident() or chain.state != OPEN or not has_room(chain, 1, 1):
        return None
    if chain.has_reductions:
        return None
    value = converted(chain, chain.outputs[array.output].value, number)
    virtual = NDArray.__new__(NDArray)
    virtual.info = intern_contiguous(itemsizes[number], array.info.ndim, array.info.shape)
    virtual.number = number
    if not can_reduce_source(virtual, is_reduced):
        return None
    y = new_result(result_number(op, number), array, is_reduced)
    launch_reduced(chain, value, is_held, virtual,
                   <const ReduceLoops*>loops().rows[op][number], is_reduced, y)
    return y


cdef NDArray new_result(int number, NDArray x, const bint* is_reduced):
    """An array of the shape of the axes that are kept."""
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef int ndim = 0, i
    for i in range(x.info.ndim):
        if not is_reduced[i]:
            shape[ndim] = x.info.shape[i]
            ndim += 1
    return new_array(number, ndim, shape)
