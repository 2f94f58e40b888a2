"""Backend: what the lazy engine asks of the host and of a family of devices; and whether it is on.

Design: rules differ between the host and devices where their memory does, and only there; each reason is a number or a
method here, so that the engine never asks which of the two it serves.  A backend lives as long as the process.
"""

import os

from nd4py._core.array.array_base cimport ArrayBase
from nd4py._core.lazy.chain cimport Chain, Home
from nd4py._core.layout.shape cimport ShapeInfo

cdef extern from *:
    """
    static __thread int nd_combining;    /* of a thread: 0 as the process does, 1 yes, -1 no */
    static int nd_get_combining(void) { return nd_combining; }
    static void nd_set_combining(int wanted) { nd_combining = wanted; }
    """
    int nd_get_combining() noexcept
    void nd_set_combining(int wanted) noexcept

cdef size_t MAX_KEPT_BYTES = 1 << 33     # by deferred operations, where limits allow as much


cdef class Backend:
    """How chains over one kind of memory run, and what they may hold."""

    cdef Home home_on(self, int device) noexcept:
        """Where a new result of this thread belongs."""

    cdef size_t limit_bytes(self, int device) except? 0:
        """The most that arrays may take in this memory, or 0 where nothing limits them."""
        raise NotImplementedError

    cdef bint is_private(self, ArrayBase x) except -1:
        """Whether only this library can write the memory of an array."""
        raise NotImplementedError

    cdef bint is_unseen(self, ArrayBase x) noexcept:
        """Whether an array owns its memory where a new one would have it, and has no views."""
        return False

    cdef bint are_same(self, ArrayBase x, ArrayBase y) noexcept:
        """Whether arrays of one layout and dtype begin at one address."""
        return x is y

    cdef int store(self, object item, int number, char* element) except -1:
        """Write an operand that is no array as an element of a dtype."""
        raise NotImplementedError

    cdef ArrayBase new_deferred(self, int number, ShapeInfo info, int device):
        """An array without memory."""
        raise NotImplementedError

    cdef ArrayBase lent_memory(self, ArrayBase x):
        """An array that takes the memory of `x`, which has no other references and is deferred from now on."""
        raise NotImplementedError

    cdef object run(self, Chain chain, int first):
        """Write the outputs that are still referenced, output `first` before the others unless it is negative.

        Returns the error that kept one from being written, or None; such an output stays deferred.
        """
        raise NotImplementedError

    cdef object told(self, Chain chain, int output, object error):
        """The error that reading an output raises because it could not be computed."""
        return error


cdef size_t most_kept_bytes(Backend backend, int device) except? 0:
    """Bytes that deferred operations may keep from being freed: an eighth of what arrays may take, 8 GiB at most."""
    cdef size_t limit = backend.limit_bytes(device)
    return min(MAX_KEPT_BYTES, limit // 8) if limit else MAX_KEPT_BYTES


cdef bint is_at_home(Chain chain) noexcept:
    """Whether new results of this thread belong where a chain's do."""
    cdef Home home = backend_of(chain).home_on(chain.home.device)
    return chain.home.holder == home.holder and chain.home.generation == home.generation


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
