"""Benchmark and stress loops for workspaces, in native code.

Nothing else uses this.  A Python call costs more than a request, so an arena cannot be timed from Python.
"""

from cpython.object cimport PyObject
from libc.stdint cimport uint64_t
from libc.string cimport memset
from nd4py._mem.pool.pool cimport pool_release
from nd4py._mem.workspace.attached_arrays cimport Attachment
from nd4py._mem.workspace.workspace cimport Workspace, give_back

cdef extern from * nogil:
    """
    #include <time.h>
    static double arena_seconds_now(void) {
      struct timespec now;
      clock_gettime(CLOCK_MONOTONIC, &now);
      return now.tv_sec + 1e-9 * now.tv_nsec;
    }
    /* The compiler may not see that nobody uses an address. */
    static void keep_address(void* address) { __asm__ volatile("" : : "r"(address) : "memory"); }
    """
    double arena_seconds_now()
    void keep_address(void* address)

cdef enum:
    N_HELD = 64                          # ranges that the random requests hold at a time


cdef struct Held:
    # A range and what every byte of it should be.
    Attachment attachment
    char* data
    void* outside                        # the block of the pool, where the arena had no room
    size_t n_bytes
    unsigned char guard


def time_arena(Workspace workspace, size_t n_bytes, Py_ssize_t n) -> float:
    """Seconds for a range of `n_bytes` in the workspace, whose scope is open: the mean of `n`.

    Where it uses memory again each range is given back at once, otherwise the arena must have room for all of them.
    Raises ValueError when it had not, or the scope is closed.
    """
    cdef Held held
    cdef double start
    cdef char* data
    cdef bint is_reused = workspace.reuse is not None
    if not workspace.is_open:
        raise ValueError(f"workspace {workspace.id!r} must be open to be timed")
    prepare(&held, workspace)
    start = arena_seconds_now()
    for _ in range(n):
        data = workspace.allocate(n_bytes, &held.attachment, &held.outside)
        if held.outside != NULL:
            break
        keep_address(data)
        if is_reused:
            give_back(&held.attachment)
    start = arena_seconds_now() - start
    if held.outside != NULL:
        pool_release(held.outside, n_bytes)
        raise ValueError(f"workspace {workspace.id!r} has no room for {n} ranges of {n_bytes} bytes to be timed in")
    return start / n


def use_arena(Workspace workspace, uint64_t seed, Py_ssize_t n, size_t most_bytes, Py_ssize_t planted=-1) -> int:
    """Make `n` random requests in the workspace, whose scope is open; every range is filled, and looked at later.

    planted: the number of a request after which one byte of its range is changed: a fault, to be found
    Returns how many ranges were not as they had been left.
    """
    cdef Held slots[N_HELD]
    cdef Held* held
    cdef Py_ssize_t i
    cdef size_t n_faults = 0
    cdef uint64_t random = (seed + 1) * <uint64_t>0x9E3779B97F4A7C15
    if not workspace.is_open:
        raise ValueError(f"workspace {workspace.id!r} must be open to be used")
    for i in range(N_HELD):
        prepare(&slots[i], workspace)
    for i in range(n):
        random ^= random << 13
        random ^= random >> 7
        random ^= random << 17
        held = &slots[(random >> 33) % N_HELD]
        n_faults += let_go(held, workspace)
        held.n_bytes = 1 + (random >> 20) % (most_bytes >> ((random >> 8) % 8))
        held.guard = <unsigned char>(random >> 50)
        held.data = workspace.allocate(held.n_bytes, &held.attachment, &held.outside)
        memset(held.data, held.guard, held.n_bytes)
        if i == planted:
            held.data[held.n_bytes - 1] += 1
    for i in range(N_HELD):
        n_faults += let_go(&slots[i], workspace)
    return n_faults


cdef void prepare(Held* held, Workspace workspace) noexcept:
    memset(held, 0, sizeof(Held))
    held.attachment.workspace = <PyObject*>workspace
    held.attachment.generation = workspace.generation_id


cdef bint let_go(Held* held, Workspace workspace) noexcept:
    """Look at a range and give it back; whether it was changed."""
    cdef size_t i
    cdef bint is_changed = False
    if held.data == NULL:
        return False
    for i in range(held.n_bytes):
        is_changed |= <unsigned char>held.data[i] != held.guard
    if held.outside != NULL:
        pool_release(held.outside, held.n_bytes)
    if workspace.reuse is not None:
        give_back(&held.attachment)
    held.data = NULL
    held.outside = NULL
    return is_changed
