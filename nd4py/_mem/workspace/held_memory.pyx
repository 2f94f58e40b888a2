"""Holds: records of the memory that running kernels use.

A function that gives up the GIL to compute says first what it reads and writes: `hold.add(holds, x.data, y.data)`,
where `hold` is a local `Hold`, which ends when the function returns.  A caller that is about to reuse memory, with the
GIL, asks `is_held`: the scope of a workspace that ends in another thread gives such a block away, `close` refuses.

Design: a list of records on the stacks of the computing functions, so that a call pays for a few stores (2 ns) and only
one that gives up the GIL.  One address stands for an operand, for all of an array lies in the memory of its owner.  A
thread never meets a record of its own: it holds the GIL, so it computes nothing.  Rejected: counters in the arrays,
for which every driver would need the arrays beside their addresses; locks of blocks, for which a scope would wait.
"""

from nd4py._mem.free_threads cimport spin, unspin

import os

cdef extern from *:
    """
    #include <time.h>
    static HoldList all_holds;
    static void rest_a_moment(void) {
      struct timespec moment = {0, 100000};
      nanosleep(&moment, NULL);
    }
    """
    HoldList all_holds
    void rest_a_moment() nogil

cdef HoldList* holds = &all_holds


cdef bint is_held(const char* low, const char* high) noexcept:
    """Whether a kernel that runs now reads or writes memory from `low` up to `high`."""
    cdef Hold* hold
    spin(&all_holds.lock)
    hold = all_holds.first
    while hold != NULL and not hold.touches(low, high):
        hold = hold.following()
    unspin(&all_holds.lock)
    return hold != NULL


cdef void wait_until_free(const char* low, const char* high) noexcept:
    """Wait for the kernels that run on this memory."""
    while is_held(low, high):
        with nogil:
            rest_a_moment()


def count_running() -> int:
    """How many kernels run without the GIL."""
    cdef Hold* hold
    cdef int n = 0
    spin(&all_holds.lock)
    hold = all_holds.first
    while hold != NULL:
        n += 1
        hold = hold.following()
    unspin(&all_holds.lock)
    return n


def forget_threads() -> None:
    """In a forked process, the other threads are gone, and what they computed on is not held any more."""
    all_holds.first = NULL
    all_holds.lock = 0


if hasattr(os, "register_at_fork"):       # not on Windows, which has no fork
    os.register_at_fork(after_in_child=forget_threads)
