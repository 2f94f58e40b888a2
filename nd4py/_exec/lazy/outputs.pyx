"""The arrays that a chain writes, and their memory; and those that can never have values.

A leaf that only the chain still holds, and that no link reads later, lends its memory to an output: `x = x + 1` needs
none.  It has to lie where new arrays get theirs, so that results made in a workspace belong to it.

Design: an array whose operands are gone leaves its chain and becomes a released one with an error of its own.  Every
use of it raises that error.  The chain's other arrays, and the call that made the chain run, do not.
"""

from cpython.object cimport PyObject
from nd4py._core.array.array cimport NDArray, has_weak_references, new_from_info
from nd4py._core.lazy.lazy_backend cimport Counts, backend_of, is_at_home
from nd4py._core.array.released cimport fail_array
from nd4py._core.lazy.chain cimport Chain, drop_output, held_output, origin_of, sources_of
from nd4py._core.lazy.deferred cimport fulfil
from nd4py._exec.lazy.assembly cimport bytes_of_pass, bytes_one_by_one
from nd4py._exec.lazy.program_steps cimport SWEEPS, Assembly
from nd4py._mem.free_threads cimport references
from nd4py._mem.workspace.scopes cimport get_current, make_current
from nd4py._mem.workspace.workspace cimport would_hold

from ..._core.array.released import type_name
from ..._core.observing.panic_error import PanicError
from ..._mem.errors import WorkspaceError

cdef enum:
    LOCAL_REFERENCES = 1                 # that the functions here hold of a leaf while they look at it


cdef list choose_outputs(Chain chain, Assembly* work, int without_value, int first):
    """The outputs still referenced, but for the arrays of one value; output `first` leads, unless it is negative.

    Returns references to their arrays, so that these live until they are written.
    """
    cdef list arrays = []
    cdef int i
    work.n_outputs = 0
    if first >= 0:
        choose_output(chain, work, without_value, first, arrays)
    for i in range(chain.n_outputs):
        if i != first:
            choose_output(chain, work, without_value, i, arrays)
    return arrays


cdef int choose_output(Chain chain, Assembly* work, int without_value, int i, list arrays) except -1:
    if chain.outputs[i].value == without_value:
        return 0
    cdef object array = held_output(chain, i)
    if array is not None:
        arrays.append(array)
        work.outputs[work.n_outputs] = i
        work.n_outputs += 1
    return 0


cdef object add_memory(Chain chain, Assembly* work, list arrays, list memory):
    """For each output an array whose memory it will have: a new one, or a leaf that is not needed any more.

    Outputs for which there is none are left out; the error of the first of them is returned, or None.
    Results of another thread, or of a scope that was left while they had to wait, lie in no workspace: that of this
    thread would take them along when its scope ends.
    """
    cdef PyObject* current = get_current()
    cdef bint is_away = not is_at_home(chain)
    cdef int i
    error = None
    if is_away:
        make_current(None)
    try:
        for i in range(work.n_outputs):
            memory.append(donor_for(chain, work, i, <NDArray><PyObject*>arrays[i]))
            if memory[i] is None:
                failure = find_memory(arrays, memory, i)
                error = failure if error is None else error
        if error is not None:
            take_leaves_back(chain, work, arrays, memory)
            leave_out(work, arrays, memory)
    finally:
        if is_away:
            make_current(None if current == NULL else <object>current)
    return error


cdef object find_memory(list arrays, list memory, int i):
    """New memory for an output, or None and the error that says why there is none."""
    cdef NDArray array = <NDArray><PyObject*>arrays[i]
    memory[i] = None
    try:
        memory[i] = new_from_info(array.number, array.info)
    except (MemoryError, WorkspaceError, OSError) as error:
        return same_error(error, str(error))
    return None


cdef int take_leaves_back(Chain chain, const Assembly* work, list arrays, list memory) except -1:
    """What outputs without memory are made of is still needed: outputs that were to write over it get other memory."""
    cdef int i, leaf, needed = 0
    cdef bint is_done = False
    while not is_done:
        is_done = True
        for i in range(work.n_outputs):
            if memory[i] is None:
                needed |= sources_of(chain, chain.outputs[work.outputs[i]].value)
        for i in range(work.n_outputs):
            for leaf in range(chain.n_leaves):
                if needed >> leaf & 1 and <PyObject*>memory[i] == chain.leaves[leaf]:
                    find_memory(arrays, memory, i)
                    is_done = False
    return 0


cdef void leave_out(Assembly* work, list arrays, list memory) noexcept:
    """Take the outputs without memory from a pass."""
    cdef int i, n = 0
    for i in range(work.n_outputs):
        if memory[i] is not None:
            work.outputs[n], arrays[n], memory[n] = work.outputs[i], arrays[i], memory[i]
            n += 1
    work.n_outputs = n
    del arrays[n:]
    del memory[n:]


cdef object donor_for(Chain chain, const Assembly* work, int i, NDArray array):
    """A leaf of the layout of output i that only the chain holds and that no link reads once that output is written.

    None of a pass of several sweeps, which read it several times.
    """
    cdef int k, value = chain.outputs[work.outputs[i]].value
    cdef NDArray leaf
    if work.kind == SWEEPS:
        return None
    for k in range(work.n_leaves):
        leaf = <NDArray>chain.leaves[chain.values[work.leaves[k]].leaf]
        if (leaf.info is array.info and leaf.number == array.number and is_free(leaf)
                and work.last_use[work.leaves[k]] <= chain.values[value].link
                and work.slot[value] == work.n_leaves + i):
            return leaf
    return None


cdef bint is_free(NDArray leaf) noexcept:
    """Whether a chain alone holds an array and its memory, and that lies where a new array's would."""
    if has_weak_references(<PyObject*>leaf):
        return False                     # which become others when another thread has its turn
    return (references(<PyObject*>leaf) == 1 + LOCAL_REFERENCES and (leaf.block != NULL or leaf.attachment != NULL)
            and would_hold(leaf.attachment) and not leaf.is_view and leaf.n_views == 0 and leaf.n_exports == 0
            and leaf.n_shares == 0 and leaf.n_readers == 1 and not leaf.readonly)


cdef int finish(Chain chain, const Assembly* work, list arrays, list memory, int n_reductions) except -1:
    """The outputs have their values: give them the memory, and count."""
    cdef Counts* counts = &backend_of(chain).counts
    cdef int i
    for i in range(work.n_outputs):
        drop_output(chain, work.outputs[i])
        fulfil(<NDArray><PyObject*>arrays[i], <NDArray>memory[i])
    counts.launched += 1
    counts.combined += work.n_links + n_reductions if work.n_links + n_reductions > 1 else 0
    counts.passes_saved += work.n_links + n_reductions - 1
    counts.bytes_saved += chain.size * (bytes_one_by_one(chain, work) - bytes_of_pass(chain, work))
    return 0


cdef object same_error(object error, str words):
    """An error of the same type with another text and no traceback, so that it keeps nothing alive."""
    for kind in (WorkspaceError, MemoryError, OSError, ValueError):
        if isinstance(error, kind):
            return kind(words)
    return RuntimeError(words)


cdef int fail_readers(Chain chain, int leaves, object error) except -1:
    """The arrays that are made of some leaves, a bit for each, fail with an error."""
    cdef int i
    for i in range(chain.n_outputs):
        if chain.outputs[i].array != NULL and sources_of(chain, chain.outputs[i].value) & leaves:
            fail(chain, i, error)
    return 0


cdef int fail_all(Chain chain, object error) except -1:
    """All arrays of a chain fail with an error."""
    cdef int i
    for i in range(chain.n_outputs):
        if chain.outputs[i].array != NULL:
            fail(chain, i, error)
    return 0


cdef int fail(Chain chain, int output, object error) except -1:
    """An array fails with an error, which names the operation then."""
    cdef object array = held_output(chain, output)
    if array is None:
        return 0
    error = told(chain, output, error)
    drop_output(chain, output)
    return fail_array(<PyObject*>array, error)


cdef object told(Chain chain, int output, object error):
    """The error that kept an output from its values; it says where the operation was called."""
    cdef int link = chain.values[chain.outputs[output].value].link
    if isinstance(error, PanicError):
        return error                     # which names an operation, perhaps an earlier one
    return same_error(error, f"{error}; the operation was {origin_of(&chain.links[link])}" if link >= 0 else str(error))


cdef int fail_lost(Chain chain) except -1:
    """The arrays fail that are made of what was released meanwhile."""
    cdef int i
    for i in range(chain.n_leaves):
        leaf = <object>chain.leaves[i]
        if type(leaf) is not NDArray:
            try:
                type_name(leaf)
            except Exception as error:
                fail_readers(chain, 1 << i, error)
    return 0


cdef int fail_spoiled(Chain chain, list memory) except -1:
    """A pass was broken off: the arrays fail that are made of leaves whose memory it had begun to write."""
    cdef int i, leaves = 0
    for i in range(chain.n_leaves):
        for array in memory:
            if <PyObject*>array == chain.leaves[i]:
                leaves |= 1 << i
    if leaves:
        fail_readers(chain, leaves, RuntimeError("its operation was interrupted while it wrote over an operand"))
    return 0
