"""Whether operations are deferred: the setting of a thread, and that of the process."""

import os

cdef extern from *:
    """
    static __thread int nd_combining;    /* of a thread: 0 as the process does, 1 yes, -1 no */
    static int nd_get_combining(void) { return nd_combining; }
    static void nd_set_combining(int wanted) { nd_combining = wanted; }
    """
    int nd_get_combining() noexcept
    void nd_set_combining(int wanted) noexcept


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
