"""Scratch memory for kernels while they run.

Design: it comes from the arena of the current workspace where that uses memory again, for at most moments there is room
between what is alive, so that it costs nothing on top; otherwise from the pool.  What a thread of a team takes for
itself, without the GIL, stays the pool's.
"""

from nd4py._mem.free_threads cimport Section, enter
from nd4py._mem.pool.pool cimport pool_allocate, pool_release
from nd4py._mem.workspace.scopes cimport bypasses_all, get_current, n_open
from nd4py._mem.workspace.workspace cimport Workspace


cdef bint borrow_scratch(size_t n_bytes, Scratch* scratch) noexcept:
    """Whether there is memory, aligned to 64 bytes, for a call of this thread.  Call with the GIL."""
    scratch.n_bytes = n_bytes
    scratch.workspace = get_current() if n_open and not bypasses_all and n_bytes else NULL
    if scratch.workspace != NULL and is_lent(<Workspace>scratch.workspace, scratch):
        return True
    scratch.workspace = NULL
    scratch.data = <char*>pool_allocate(n_bytes)
    return scratch.data != NULL


cdef bint is_lent(Workspace workspace, Scratch* scratch) noexcept:
    scratch.data = NULL
    if workspace.reuse is None or not workspace.is_used:
        return False
    try:
        scratch.data = workspace.lend(scratch.n_bytes, &scratch.start)
    except MemoryError:
        pass                             # the arena cannot note its ranges: the pool may still have room
    return scratch.data != NULL


cdef void return_scratch(Scratch* scratch) noexcept:
    """Give it back, in the thread that borrowed it.  Call with the GIL."""
    if scratch.workspace == NULL:
        pool_release(scratch.data, scratch.n_bytes)
    else:
        return_to(<Workspace>scratch.workspace, scratch)


cdef void return_to(Workspace workspace, Scratch* scratch) noexcept:
    """The arena has its range again."""
    cdef Section section
    enter(&section)
    try:
        workspace.reuse.give_scratch(scratch.start, (scratch.n_bytes + 63) // 64 * 64)
    except MemoryError:
        pass                             # the gap stays unused until the scope ends
