"""When chains run: somebody looks, or what they read is about to change or to go.

Design: an error belongs to the arrays that wait for it.  Looking at one raises its own; whoever else makes a chain run,
by a flush, a scope or a closed array, hears nothing of it: what could not run stays pending and may be looked at later.
Only what cannot wait, because its operands go, fails for good.  Writing to an operand is refused instead, as nothing is
lost so.
"""

from cpython.object cimport PyObject
from cpython.pythread cimport PyThread_get_thread_ident
from cpython.ref cimport Py_DECREF, Py_INCREF
from nd4py._core.array cimport NDArray
from nd4py._core.hooks cimport hooks, methods
from nd4py._core.pending cimport fields, is_pending
from nd4py._exec.chain cimport (
    Chain, clear, drop_output, first_chain, is_at_home, leaves_of, n_live, pending_bytes,
    sources_of,
)
from nd4py._exec.failures cimport fail_all, fail_readers, told
from nd4py._exec.launching cimport ANY, counts, launch
from nd4py._mem.scopes cimport set_release_hook, set_scope_hook
from nd4py._mem.workspace_memory cimport WorkspaceMemory

import os

from .._core.hooks import install
from .._mem.errors import WorkspaceError


cdef int settle(PyObject* array) except -1:
    """Give a pending array its values.  Raises the error for which it has none: after MemoryError it is pending."""
    cdef object item = <object>array
    cdef Chain chain
    while is_pending(item):
        chain = <Chain>fields(item).chain
        error = launch(chain, fields(item).output)
        if error is not None and is_pending(item):
            raise told(<Chain>fields(item).chain, fields(item).output, error)
    if type(item) is not NDArray:
        methods["type_name"](item)
    return 0


cdef void forget(PyObject* array) noexcept:
    """Nobody holds a pending array any more: its value need not be written."""
    drop_output(<Chain>(<NDArray>array).chain, (<NDArray>array).output)   # no reference: it is going


cdef list open_chains():
    """All chains, of any thread; while one runs others may go."""
    cdef PyObject* chain = first_chain
    cdef list chains = []
    while chain != NULL:
        chains.append(<object>chain)
        chain = (<Chain>chain).next
    return chains


cdef int finish_readers(PyObject* owner) except -1:
    """Run all chains, of any thread, that are going to read the memory of `owner`.  Raises the error of what cannot."""
    cdef Chain chain
    cdef int output
    for item in open_chains():
        chain = <Chain>item
        if leaves_of(chain, owner):
            error = launch(chain, output_of(chain, leaves_of(chain, owner)))
            output = output_of(chain, leaves_of(chain, owner))
            if error is not None and output >= 0:
                raise told(chain, output, error)
    return 0


cdef int output_of(Chain chain, int leaves) noexcept:
    """An output that is made of some leaves, a bit for each, or ANY where there is none."""
    cdef int i
    for i in range(chain.n_outputs):
        if chain.outputs[i].array != NULL and sources_of(chain, chain.outputs[i].value) & leaves:
            return i
    return ANY


cdef int flush(bint every_thread) except -1:
    """Run what this thread has put off, or every thread; what cannot run stays pending.

    Where there was no memory when another scope was entered, it waits for its own.
    """
    cdef unsigned long thread = PyThread_get_thread_ident()
    cdef Chain chain
    if first_chain != NULL:
        for item in open_chains():
            chain = <Chain>item
            if every_thread or chain.thread == thread and is_at_home(chain):
                launch(chain, ANY)
    return 0


def flush_chains(bint every_thread=False):
    """Run the operations that this thread has put off, or every thread; what cannot run stays pending."""
    flush(every_thread)


def combine_counts():
    """(queued, launched, combined, passes saved, bytes saved, bytes that pending operations keep) since the start."""
    return counts.queued, counts.launched, counts.combined, counts.passes_saved, counts.bytes_saved, pending_bytes


cdef int flush_own() except -1:
    flush(False)
    methods["flush_elsewhere"]()
    return 0


# Operands that go.


def finish_quietly(NDArray owner):
    """Run the chains that read the memory of an array; what cannot run stays pending."""
    cdef Chain chain
    for item in open_chains():
        chain = <Chain>item
        if leaves_of(chain, <PyObject*>owner):
            launch(chain, ANY)


def leave_to_readers(NDArray owner):
    """An array is being closed: its memory goes to the chains that read it, which run if they can.

    One that runs writes a result over that memory, or gives it back; one that cannot has it until it can.
    """
    cdef NDArray leaf = NDArray.__new__(NDArray)
    cdef list chains = [item for item in open_chains() if leaves_of(<Chain>item, <PyObject*>owner)]
    leaf.info, leaf.number = owner.info, owner.number
    leaf.data, leaf.block, leaf.block_bytes = owner.data, owner.block, owner.block_bytes
    owner.data = NULL
    owner.block = NULL
    for item in chains:
        replace_leaf(<Chain>item, owner, leaf)
    leaf = None                          # the chains alone have it now
    for item in chains:
        if not (<Chain>item).runner:     # one that runs has what it reads
            launch(<Chain>item, ANY)


cdef void replace_leaf(Chain chain, NDArray before, NDArray leaf) noexcept:
    cdef int i
    for i in range(chain.n_leaves):
        if chain.leaves[i] == <PyObject*>before:
            chain.leaves[i] = <PyObject*>leaf
            Py_INCREF(leaf)
            leaf.n_readers += 1
            before.n_readers -= 1
            Py_DECREF(before)


cdef int release_readers(PyObject* workspace, long generation) except -1:
    """The arrays of a workspace's generation, and of those before, are about to go: chains that read them run first.

    What cannot run fails, and so does what would have had its memory there.
    """
    cdef Chain chain
    cdef int leaves
    if first_chain == NULL:
        return 0
    for item in open_chains():
        chain = <Chain>item
        if chain.home == workspace and chain.generation <= generation:
            fail_all(chain, WorkspaceError(
                f"there was no room for it in workspace {(<WorkspaceMemory>workspace).id!r}, generation "
                f"{chain.generation}, when that scope ended"
            ))
        elif leaves_in(chain, workspace, generation):
            error = launch(chain, output_of(chain, leaves_in(chain, workspace, generation)))
            leaves = leaves_in(chain, workspace, generation)
            if error is not None and leaves:
                fail_readers(chain, leaves, error)
        if n_live(chain) == 0 and not chain.runner:
            clear(chain)
    return 0


cdef int leaves_in(Chain chain, PyObject* workspace, long generation) noexcept:
    """The leaves of a chain that lie in a workspace's generation, or those before, a bit for each."""
    cdef int i, leaves = 0
    cdef NDArray leaf
    for i in range(chain.n_leaves):
        leaf = <NDArray>chain.leaves[i]
        if leaf.tenancy != NULL and leaf.tenancy.workspace == workspace and leaf.tenancy.generation <= generation:
            leaves |= 1 << i
    return leaves


hooks.settle = settle
hooks.forget = forget
hooks.finish_readers = finish_readers
install(finish_quietly=finish_quietly, leave_to_readers=leave_to_readers)
set_scope_hook(flush_own)
set_release_hook(release_readers)
os.register_at_fork(before=lambda: flush(True))
