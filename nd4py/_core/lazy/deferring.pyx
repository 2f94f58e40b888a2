"""Deferring: whether operations of a thread are deferred, which chain one joins, and when its values are needed.

Design: a deferred result joins the chain of its operands.  A chain grows until one of its arrays is used in another
way: its values are read, an operation that cannot be deferred takes it, its workspace is closed, or another thread uses
it.  Memory that others may write is read at the call: such an operation runs at once, together with its deferred
operands.  An in-place operation on an array without other references gives its memory to a leaf, which gives it back
when the chain runs.

Operands are arrays of one backend without nodes of the tape, and scalars that it stores as elements.

A chain that runs, or has run, takes no more operations: their results would never get values.  Other threads and
finalizers can make a chain run whenever this thread allocates objects or lets others run.  So `begin_link` looks once
more whether the chain that was chosen can take the operation, and from there to `end_link` no such thing happens:
garbage is not collected, and nothing gives other threads a turn.
"""

import os

from cpython.object cimport PyObject
from cpython.pythread cimport PyThread_get_thread_ident
from libc.string cimport memcmp
from nd4py._core.array.array_base cimport ArrayBase
from nd4py._core.lazy.lazy_backend cimport Backend, backend_of, flush, is_at_home
from nd4py._core.lazy.chain cimport (
    DONE, MAX_VALUES, MAX_VALUES_OF_LINK, OPEN, Chain, Link, Value, add_output, can_reduce, converted, drop_output,
    has_layout, has_room, kept_bytes, linked, n_live, new_chain, new_leaf, scalar_value,
)
from nd4py._core.element_sizes cimport itemsizes
from nd4py._core.layout.shape cimport ShapeInfo, intern_contiguous, result_layout, with_itemsize
from nd4py._mem.free_threads cimport FREE_THREADS, Section, enter

from ..._spec.dtypes import NUMBER
from ..array.released import type_name

cdef extern from *:
    """
    static __thread int nd_combining;    /* of a thread: 0 as the process does, 1 yes, -1 no */
    static int nd_get_combining(void) { return nd_combining; }
    static void nd_set_combining(int wanted) { nd_combining = wanted; }
    """
    int nd_get_combining() noexcept
    void nd_set_combining(int wanted) noexcept

cdef extern from "Python.h":
    int PyGC_Enable() noexcept
    int PyGC_Disable() noexcept

cdef enum:
    MAX_LENGTH = 48                      # links of a chain

cdef size_t MAX_KEPT_BYTES = 1 << 33     # by deferred operations, where limits allow as much
cdef int BOOL = NUMBER["bool"]


# Whether operations are deferred.


cdef Py_ssize_t fewest_elements() except -1:
    """What ND4PY_COMBINE_FROM says, 16384 where it is empty.  Raises ValueError for other text than a whole number."""
    text = os.environ.get("ND4PY_COMBINE_FROM", "").strip()
    try:
        return min(max(int(text or "16384"), 0), 2**62)
    except ValueError:
        raise ValueError(f"ND4PY_COMBINE_FROM: a whole number of elements, given {text!r}") from None


# asv chains.TimeShortest: below, the calls of both ways cost more than the memory.
cdef Py_ssize_t smallest = fewest_elements()
cdef bint process_combines = os.environ.get("ND4PY_COMBINE", "1") != "0"


cdef bint is_combining() noexcept:
    """Whether operations of this thread are deferred."""
    cdef int own = nd_get_combining()
    return own > 0 if own else process_combines


def set_combining(wanted: bool | None) -> bool | None:
    """Whether operations of this thread are deferred from now on: True, False, or None for as the process does.

    Returns what was set before.
    """
    before = nd_get_combining()
    nd_set_combining(0 if wanted is None else 1 if wanted else -1)
    return None if before == 0 else before > 0


# Operands.


cdef bint is_any_deferred(Backend backend, tuple operands) noexcept:
    for item in operands:
        if is_deferred(backend, item):
            return True
    return False


cdef bint is_any_shared(Backend backend, tuple operands) except -1:
    """Whether others may write what an operation reads, which is counted."""
    for item in operands:
        if is_array(backend, item) and not fields(item).is_deferred and not backend.is_private(fields(item)):
            backend.counts.read_at_call += 1
            return True
    return False


cdef bint is_any_recorded(Backend backend, tuple operands) noexcept:
    """Whether an operation is about to be recorded on the tape."""
    for item in operands:
        if is_array(backend, item) and fields(item).node is not None:
            return True
    return False


cdef bint can_wait(Backend backend, tuple operands) except -1:
    """Whether an operation on arrays may be deferred: it is not about to be recorded, and all may be read later."""
    return not is_any_recorded(backend, operands) and not is_any_shared(backend, operands)


cdef bint is_of_row(object item) noexcept:
    """Whether a deferred array has one element for each row of its chain's shape."""
    cdef Chain chain = <Chain>fields(item).chain
    return chain.values[chain.outputs[fields(item).output].value].is_of_row


cdef bint are_all_rows(Backend backend, tuple operands) noexcept:
    """Whether all arrays among operands are results of reductions of the rows of one chain, or of chains that can be
    one."""
    cdef Chain chain = None, other
    for item in operands:
        if is_deferred(backend, item):
            other = <Chain>fields(item).chain
            if not is_of_row(item):
                return False
            if chain is None:
                chain = other
            elif other is not chain and not (has_layout(chain, other.layout) and can_absorb(chain, other)):
                return False
        elif is_array(backend, item):
            return False
    return chain is not None


cdef bint has_same_shape(ArrayBase x, int ndim, const Py_ssize_t* shape) noexcept:
    return x.info.ndim == ndim and memcmp(x.info.shape, shape, ndim * sizeof(Py_ssize_t)) == 0


# Chains.


cdef size_t most_kept_bytes(Backend backend, int device) except? 0:
    """Bytes that deferred operations may keep from being freed: an eighth of what arrays may take, 8 GiB at most."""
    cdef size_t limit = backend.limit_bytes(device)
    return min(MAX_KEPT_BYTES, limit // 8) if limit else MAX_KEPT_BYTES


cdef bint fits(Chain chain, object item, ShapeInfo layout, bint is_all_rows) noexcept:
    """Whether a deferred array can be an operand, in its chain, of an operation whose result has a layout."""
    if chain.thread != PyThread_get_thread_ident() or chain.state != OPEN or not is_at_home(chain):
        return False
    if is_all_rows:
        return has_same_shape(fields(item), layout.ndim, layout.shape)
    return has_layout(chain, layout) and (not is_of_row(item) or fields(item).info.ndim == layout.ndim
                                          or chain.first_reduced == 0)


cdef ShapeInfo layout_of(Backend backend, tuple operands, int ndim, const Py_ssize_t* shape):
    """The layout that results of operands have, for elements of one byte."""
    cdef PyObject* infos[MAX_VALUES_OF_LINK]
    cdef ArrayBase array = None
    cdef bint are_alike = True
    cdef int n = 0
    if not backend.keeps_order:
        return intern_contiguous(1, ndim, shape)
    for item in operands:
        if is_array(backend, item):
            array = fields(item)
            infos[n] = <PyObject*>array.info
            are_alike = are_alike and infos[n] == infos[0]
            n += 1
    if are_alike and array is not None and array.info.is_contiguous and array.info.itemsize > 1:
        return with_itemsize(array.info, 1)
    return result_layout(1, ndim, shape, n, infos)


cdef Chain chain_for(Backend backend, tuple operands, int n_in, int n_out, int n_params, ShapeInfo layout, int device):
    """The chain an operation joins, with room for it; operands of other chains are materialized."""
    cdef Chain chain = None, other
    cdef bint is_all_rows = are_all_rows(backend, operands)
    cdef bint is_full = kept_bytes[1 + device] > most_kept_bytes(backend, device)
    for item in operands:
        if not is_deferred(backend, item):
            continue
        other = <Chain>fields(item).chain
        if not fits(other, item, layout, is_all_rows):
            run(fields(item))
        elif chain is None:
            chain = other
        elif other is not chain:
            if can_absorb(chain, other) and has_room(chain, &backend.room, other, n_in, n_out, n_params):
                absorb(backend, chain, other)
            else:
                run(fields(item))
    if is_all_rows and not are_all_rows(backend, operands):
        for item in operands:            # one has run: the others' rows are elements beside its
            if is_deferred(backend, item):
                run(fields(item))
        chain = None
    if chain is not None and (
        is_full or chain.n_links >= MAX_LENGTH or not has_room(chain, &backend.room, None, n_in, n_out, n_params)
    ):
        for item in operands:
            if is_deferred(backend, item):
                run(fields(item))
        chain = None
    if chain is None and is_full:
        flush(False, False, backend)
    if chain is None:
        chain = new_chain(<PyObject*>backend, &backend.room, backend.home_on(device), layout)
    return chain


cdef bint begin_link(Backend backend, Chain chain, tuple operands, int n_in, int n_out, int n_params,
                     bint* was_collecting) noexcept:
    """Whether an operation can still be linked to a chain that was chosen for it; call `end_link` then."""
    was_collecting[0] = not FREE_THREADS and PyGC_Disable()          # which would be so for all threads
    if chain.state == OPEN and has_room(chain, &backend.room, None, n_in, n_out, n_params):
        for item in operands:
            if is_deferred(backend, item) and fields(item).chain is not chain:
                break
        else:
            return True
    end_link(was_collecting[0])
    return False


cdef void end_link(bint was_collecting) noexcept:
    """Let garbage be collected again, if it was before `begin_link`."""
    if was_collecting:
        PyGC_Enable()


cdef bint can_absorb(Chain chain, Chain other) noexcept:
    return not other.has_reductions or can_reduce(chain, other.first_reduced, other.end_reduced)


cdef int absorb(Backend backend, Chain chain, Chain other) except -1:
    """Take over all that another chain of the same shape holds; its arrays belong to this one from now on."""
    cdef int slot[MAX_VALUES]
    cdef int operands[MAX_VALUES_OF_LINK]
    cdef int i, k, first, n_links
    cdef Value* value
    cdef Link* link
    cdef PyObject* array
    for i in range(other.n_values):
        value = &other.values[i]
        if value.leaf >= 0:
            slot[i] = leaf_value(backend, chain, <ArrayBase>other.leaves[value.leaf])
        elif value.scalar >= 0:
            slot[i] = scalar_value(chain, other.scalars[value.scalar], value.number)
        elif other.links[value.link].result == i:
            link = &other.links[value.link]
            for k in range(link.n_in):
                operands[k] = slot[link.operands[k]]
            n_links = chain.n_links
            first = linked(chain, link.op, link.loop_number, value.number, link.n_in, operands, link.n_out,
                           &other.params[link.first_param], link.n_params)
            if link.is_reduction:
                chain.links[chain.values[first].link].is_reduction = True
                chain.values[first].is_of_row = True
                chain.has_reductions = True
                chain.first_reduced, chain.end_reduced = other.first_reduced, other.end_reduced
            if chain.n_links > n_links:  # it was called where the other chain says
                chain.links[n_links].code, link.code = link.code, chain.links[n_links].code
                chain.links[n_links].instruction = link.instruction
            for k in range(link.n_out):
                slot[i + k] = first + k
    for i in range(other.n_outputs):
        if other.outputs[i].array != NULL:
            array = other.outputs[i].array                           # no reference: it may be going
            (<ArrayBase>array).output = add_output(chain, array, slot[other.outputs[i].value])
            other.outputs[i].array = NULL
            (<ArrayBase>array).chain = chain
    return 0


# Values.


cdef int leaf_value(Backend backend, Chain chain, ArrayBase x) noexcept:
    """The value of an array in memory, which is read when the chain runs."""
    cdef PyObject* leaf
    cdef int i
    for i in range(chain.n_values):
        if chain.values[i].leaf >= 0:
            leaf = chain.leaves[chain.values[i].leaf]
            if leaf == <PyObject*>x:
                return i
            if (<ArrayBase>leaf).info is x.info and chain.values[i].number == x.number:
                if Py_TYPE(<object>leaf) == backend.kind and backend.are_same(<ArrayBase>leaf, x):
                    return i
    return new_leaf(chain, x)


cdef int value_of(Backend backend, Chain chain, object item, int number) except -1:
    """The value of an operand; of one that is no array as an element of a dtype."""
    cdef double element[2]
    if is_array(backend, item):
        if fields(item).is_deferred:
            return chain.outputs[fields(item).output].value
        return leaf_value(backend, chain, fields(item))
    element[0] = element[1] = 0
    backend.store(item, number, <char*>element)
    return scalar_value(chain, element, number)


cdef int linked_row(Backend backend, Chain chain, const Row* row, tuple operands) except -1:
    """The first result of a row, as it computes it; the others follow."""
    cdef int values[MAX_VALUES_OF_LINK]
    cdef int k
    for k in range(row.n_in):
        if k == row.condition:
            values[k] = converted(chain, value_of(backend, chain, operands[k], BOOL), BOOL)
        else:
            values[k] = converted(chain, value_of(backend, chain, operands[k], row.number), row.loop_number)
    return linked(chain, row.op, row.loop_number, row.made, row.n_in, values, row.n_out, row.params, row.n_params)


cdef ArrayBase stand_for(Backend backend, Chain chain, int value, int number, ShapeInfo layout):
    """A deferred array for a value, converted to a dtype."""
    value = converted(chain, value, number)
    cdef ArrayBase array = backend.new_deferred(number, with_itemsize(layout, itemsizes[number]), chain.home.device)
    wait_for(array, chain, value)
    backend.counts.queued += 1
    return array


cdef int wait_for(ArrayBase array, Chain chain, int value) except -1:
    """Let an array without memory be the one that a value is written to."""
    array.chain = chain
    array.output = add_output(chain, <PyObject*>array, value)
    array.is_deferred = True
    return 0


# Operations.


cdef object defer(Backend backend, const Row* row, tuple operands, int ndim, const Py_ssize_t* shape, int device):
    """The deferred result of a row, or a tuple of its results; None where it must run now."""
    cdef Section section
    enter(&section)
    cdef Chain chain
    cdef int value, k
    cdef bint was_collecting
    cdef bint is_urgent = is_any_shared(backend, operands)           # it may share a pass with its deferred operands
    if is_any_recorded(backend, operands):
        return None
    if is_urgent and not row.is_streamed and not is_any_deferred(backend, operands):
        return None
    cdef ShapeInfo layout = layout_of(backend, operands, ndim, shape)
    while True:
        chain = chain_for(backend, operands, row.n_in, row.n_out, row.n_params, layout, device)
        if is_urgent and not row.is_streamed and n_live(chain) == 0:
            return None
        if begin_link(backend, chain, operands, row.n_in, row.n_out, row.n_params, &was_collecting):
            break
    try:
        value = linked_row(backend, chain, row, operands)
        first = stand_for(backend, chain, value, row.wanted, layout)
        if row.n_out == 1:
            results = first
        else:
            others = [stand_for(backend, chain, value + k, row.wanted, layout) for k in range(1, row.n_out)]
            results = (first, *others)
    finally:
        end_link(was_collecting)
    if is_urgent:
        run(fields(first))
    return results


cdef object defer_in_place(Backend backend, const Row* row, tuple operands, object target, int ndim,
                           const Py_ssize_t* shape, int device):
    """`target`, the first operand, deferred, if it has no other references; or None where the row must run now."""
    cdef Section section
    enter(&section)
    cdef Chain chain
    cdef ArrayBase array = fields(target), leaf
    cdef int value
    cdef bint was_collecting
    if row.wanted != array.number or row.n_out != 1 or not has_same_shape(array, ndim, shape):
        return None
    if array.is_deferred and (array.chain is None or is_of_row(target)):
        return None
    if not can_wait(backend, operands):
        return None
    if not array.is_deferred and not backend.is_unseen(array):
        return None
    while True:
        chain = chain_for(backend, operands, row.n_in, 1, row.n_params, with_itemsize(array.info, 1), device)
        if begin_link(backend, chain, operands, row.n_in, 1, row.n_params, &was_collecting):
            break
    try:
        if array.is_deferred:
            value = converted(chain, linked_row(backend, chain, row, operands), row.wanted)
            chain.outputs[array.output].value = value
        else:
            if not backend.is_unseen(array):  # it was deferred when this began: its chain was full
                return None
            leaf = backend.lent_memory(array)
            operands = tuple([leaf if item is target else item for item in operands])
            value = converted(chain, linked_row(backend, chain, row, operands), row.wanted)
            wait_for(array, chain, value)
    finally:
        end_link(was_collecting)
    array.version += 1
    backend.counts.queued += 1
    return target


cdef object defer_conversion(Backend backend, object x, int number, int device):
    """`x` as another dtype, deferred; or None where it must be converted now."""
    cdef Section section
    enter(&section)
    cdef ArrayBase array = fields(x)
    cdef Chain chain
    if not can_wait(backend, (x,)):
        return None
    cdef ShapeInfo layout = layout_of(backend, (x,), array.info.ndim, array.info.shape)
    cdef tuple operands = (x,)
    cdef bint was_collecting
    while True:
        chain = chain_for(backend, operands, 1, 1, 0, layout, device)
        if begin_link(backend, chain, operands, 1, 1, 0, &was_collecting):
            break
    try:
        return stand_for(backend, chain, value_of(backend, chain, x, number), number, layout)
    finally:
        end_link(was_collecting)


# When the values of a deferred array are needed, and when they are not.


cdef int run(ArrayBase x) except -1:
    """Give a deferred array its values.  Raises the error that prevents it: after MemoryError it is still
    deferred."""
    cdef Section section
    enter(&section)
    cdef object item = <object><PyObject*>x
    cdef Chain chain
    cdef Backend backend = None
    while x.is_deferred:
        chain = <Chain>x.chain
        backend = backend_of(chain)
        error = backend.run(chain, x.output)
        if error is not None and x.is_deferred:
            raise backend.told(<Chain>x.chain, x.output, error)
        if x.is_deferred and x.chain is chain and chain.state == DONE:
            raise RuntimeError("an array was deferred to operations that had run already: please report this")
    if backend is not None and Py_TYPE(item) != backend.kind:
        type_name(item)       # it failed: raises why
    return 0


cdef void forget(PyObject* array) noexcept:
    """The last reference to a deferred array is gone: its value need not be written."""
    cdef Section section
    enter(&section)
    cdef Chain chain = <Chain>(<ArrayBase>array).chain
    cdef int output = (<ArrayBase>array).output
    if chain.outputs[output].array == array:         # no reference: it is going, and may have been dropped for that
        drop_output(chain, output)
