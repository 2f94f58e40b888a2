"""When deferred operations run on the host, and which those are, as data that can be printed or drawn.

The rules for both, and for devices, are in `nd4py._core.lazy.lazy_backend`.
"""

from cpython.object cimport PyObject
from cpython.ref cimport Py_DECREF, Py_INCREF
from nd4py._core.array.array cimport ArrayBase, NDArray, new_view, owner_of
from nd4py._core.lazy.chain cimport Chain, Section, clear, enter, first_chain, kept_bytes, leaves_of, n_live
from nd4py._core.lazy.deferred cimport is_deferred, unrecorded
from nd4py._core.lazy.deferred_program cimport described
from nd4py._core.lazy.lazy_backend cimport ANY, flush, n_deferred, open_chains, output_of
from nd4py._exec.lazy.assembly cimport assemble
from nd4py._exec.lazy.host_backend cimport host, with_memory_of
from nd4py._exec.lazy.outputs cimport fail_all, fail_readers
from nd4py._exec.lazy.program_steps cimport Assembly
from nd4py._exec.lazy.run_chain cimport launch
from nd4py._mem.workspace.scopes cimport set_release_upcall, set_scope_upcall
from nd4py._mem.workspace.workspace_memory cimport WorkspaceMemory

import os

from ..._mem.diagnostics.memory_wants import deferred_reports
from ..._mem.errors import WorkspaceError


def flush_chains(bint every_thread=False, bint raises=False) -> None:
    """Run the operations on the host that this thread has deferred, or every thread; what cannot run stays deferred,
    and raises only if asked to."""
    flush(every_thread, raises, host)


def combine_counts() -> tuple[int, int, int, int, int, int, int]:
    """(queued, launched, combined, passes saved, bytes saved, bytes that deferred operations keep, read at the call)
    since the start."""
    return (host.counts.queued, host.counts.launched, host.counts.combined, host.counts.passes_saved,
            host.counts.bytes_saved, kept_bytes[0], host.counts.read_at_call)


def deferred_counts() -> tuple[int, int]:
    """(bytes that deferred operations will read, deferred arrays that are still referenced), of all threads."""
    return kept_bytes[0], n_deferred(-1)


cdef int flush_own() except -1:
    return flush(False, False, None)


# Operands that go.


def leave_to_readers(NDArray owner, bint is_alone) -> None:
    """Before an array is closed: the chains that read its memory run if they can.

    A chain that runs writes a result over that memory, or frees it; one that cannot keeps it until it can.
    is_alone: whether no other thread can be about to read the array, which otherwise keeps its memory to its end
    """
    cdef Section section
    enter(&section)
    cdef list chains = [item for item in open_chains() if leaves_of(<Chain>item, <PyObject*>owner)]
    cdef NDArray leaf = with_memory_of(owner) if is_alone else new_view(owner, owner.data, owner.info)
    for item in chains:
        replace_leaf(<Chain>item, owner, leaf)
    leaf = None                          # the chains alone have it now
    for item in chains:
        if not (<Chain>item).runner:     # one that runs has what it reads
            launch(<Chain>item, ANY)


cdef void replace_leaf(Chain chain, NDArray before, NDArray leaf) noexcept:
    cdef ArrayBase owner = owner_of(leaf)
    cdef int i
    for i in range(chain.n_leaves):
        if chain.leaves[i] == <PyObject*>before:
            chain.leaves[i] = <PyObject*>leaf
            Py_INCREF(leaf)
            owner.n_readers += 1
            before.n_readers -= 1
            Py_DECREF(before)


cdef int release_readers(PyObject* workspace, long generation) except -1:
    """The arrays of a workspace's generation, and of those before, are about to go: chains that read them run first.

    What cannot run fails, and so do arrays whose memory would have been there.
    """
    cdef Section section
    enter(&section)
    cdef Chain chain
    cdef int leaves
    if first_chain == NULL:
        return 0
    for item in open_chains():
        chain = <Chain>item
        if chain.home.device >= 0:
            continue
        if chain.home.holder == <size_t>workspace and chain.home.generation <= generation:
            fail_all(chain, WorkspaceError(
                f"there was no room for it in workspace {(<WorkspaceMemory>workspace).id!r}, generation "
                f"{chain.home.generation}, when that scope ended"
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
        if (leaf.attachment != NULL and leaf.attachment.workspace == workspace
                and leaf.attachment.generation <= generation):
            leaves |= 1 << i
    return leaves


set_scope_upcall(flush_own)
set_release_upcall(release_readers)
if hasattr(os, "register_at_fork"):       # not on Windows, which has no fork
    os.register_at_fork(before=lambda: flush(True, False, host))
deferred_reports[:] = [deferred_counts]


def deferred_program(x: NDArray) -> dict[str, Any] | None:
    """What will run when a value of `x` is read, as `nd4py._core.lazy.deferred_program` describes it; None when `x`
    has its values.

    tile: elements of a tile    registers: tiles beside the operands
    """
    cdef Section section
    enter(&section)
    if is_deferred(x):
        x = unrecorded(x)
    if not is_deferred(x):
        return None
    cdef Chain chain = <Chain>(<NDArray><PyObject*>x).chain
    cdef Assembly work
    cdef int i
    work.n_outputs = 0
    for i in range(chain.n_outputs):
        if chain.outputs[i].array != NULL:
            work.outputs[work.n_outputs] = i
            work.n_outputs += 1
    assemble(chain, &work, -1)
    return described(chain, {"tile": work.program.tile, "registers": work.program.n_registers})
