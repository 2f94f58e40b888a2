"""Whether operations are put off: what a thread asked for, and what the process was told."""

import os

cdef extern from *:
    """
    static __thread int nd_combining;    /* of a thread: 0 as the process does, 1 yes, -1 no */
    static int nd_get_combining(void) { return nd_combining; }
    static void nd_set_combining(int wanted) { nd_combining = wanted; }
    """
    int nd_get_combining() noexcept
    void nd_set_combining(int wanted) noexcept

# asv chains.TimeShortest: below, the calls of both ways cost more than the memory.
cdef Py_ssize_t smallest = int(os.environ.get("ND4PY_COMBINE_FROM", "16384"))
cdef bint process_combines = os.environ.get("ND4PY_COMBINE", "1") != "0"


cdef bint is_combining() noexcept:
    """Whether operations of this thread are put off."""
    cdef int own = nd_get_combining()
    return own > 0 if own else process_combines


def set_combining(wanted):
    """Whether operations of this thread are put off from now on: True, False, or None for as the process does.

    Returns what was set before.
    """
    before = nd_get_combining()
    nd_set_combining(0 if wanted is None else 1 if wanted else -1)
    return None if before == 0 else before > 0
