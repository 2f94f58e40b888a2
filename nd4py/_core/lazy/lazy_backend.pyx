"""Backend: what the lazy engine asks of the host and of a family of devices; when it runs chains; whether it is on.

Design: rules differ between the host and devices where their memory does, and only there; each reason is a number or a
method here, so that the engine never asks which of the two it serves.  A backend lives as long as the process.

A chain must run when its memory is about to be read, written or freed.  An error belongs to the arrays whose values it
prevents.  Reading such an array raises it.  A flush, a scope or a closed array that makes the chain run does not raise
it: what could not run stays deferred, and may run later.  Only an array whose operands are freed fails for good.
Writing to an operand is refused instead, because then nothing is lost.
"""

import os

from cpython.object cimport PyObject, PyTypeObject
from cpython.pythread cimport PyThread_get_thread_ident
from nd4py._core.array.array_base cimport ArrayBase
from nd4py._core.lazy.chain cimport DONE, Chain, Home, drop_output, first_chain, leaves_of, n_live, sources_of
from nd4py._core.layout.shape cimport ShapeInfo

from ..array.released import type_name

cdef extern from "Python.h":
    PyTypeObject* Py_TYPE(object x)

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


# What chains keep, and where they belong.


cdef size_t most_kept_bytes(Backend backend, int device) except? 0:
    """Bytes that deferred operations may keep from being freed: an eighth of what arrays may take, 8 GiB at most."""
    cdef size_t limit = backend.limit_bytes(device)
    return min(MAX_KEPT_BYTES, limit // 8) if limit else MAX_KEPT_BYTES


cdef bint is_at_home(Chain chain) noexcept:
    """Whether new results of this thread belong where a chain's do."""
    cdef Home home = backend_of(chain).home_on(chain.home.device)
    return chain.home.holder == home.holder and chain.home.generation == home.generation


# When chains run.


cdef int run(ArrayBase x) except -1:
    """Give a deferred array its values.  Raises the error that prevents it: after MemoryError it is still
    deferred."""
    cdef object item = <object><PyObject*>x
    cdef Chain chain
    cdef Backend backend = backend_of(<Chain>x.chain)
    while x.is_deferred:
        chain = <Chain>x.chain
        error = backend.run(chain, x.output)
        if error is not None and x.is_deferred:
            raise backend.told(<Chain>x.chain, x.output, error)
        if x.is_deferred and x.chain is chain and chain.state == DONE:
            raise RuntimeError("an array was deferred to operations that had run already: please report this")
    if Py_TYPE(item) != backend.kind:
        type_name(item)       # it failed: raises why
    return 0


cdef void forget(PyObject* array) noexcept:
    """The last reference to a deferred array is gone: its value need not be written."""
    drop_output(<Chain>(<ArrayBase>array).chain, (<ArrayBase>array).output)    # no reference: it is going


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
            error = backend_of(chain).run(chain, output_of(chain, leaves_of(chain, owner)))
            output = output_of(chain, leaves_of(chain, owner))
            if error is not None and output >= 0:
                raise backend_of(chain).told(chain, output, error)
    return 0


cdef int finish_readers_quietly(PyObject* owner) except -1:
    """The same; what cannot run stays deferred."""
    cdef Chain chain
    for item in open_chains():
        chain = <Chain>item
        if leaves_of(chain, owner):
            backend_of(chain).run(chain, ANY)
    return 0


cdef int output_of(Chain chain, int leaves) noexcept:
    """An output that is made of some leaves, a bit for each, or ANY where there is none."""
    cdef int i
    for i in range(chain.n_outputs):
        if chain.outputs[i].array != NULL and sources_of(chain, chain.outputs[i].value) & leaves:
            return i
    return ANY


cdef int flush(bint every_thread, bint raises, Backend backend) except -1:
    """Run what this thread has deferred, or every thread; what cannot run stays deferred, and raises only if asked to.

    backend: whose chains; None for all.  What could not run in its own scope, on the host, waits for that.
    """
    cdef unsigned long thread = PyThread_get_thread_ident()
    cdef Chain chain
    if first_chain == NULL:
        return 0
    for item in open_chains():
        chain = <Chain>item
        if backend is not None and backend_of(chain) is not backend:
            continue
        if every_thread or (chain.thread == thread and (not backend_of(chain).waits_for_home or is_at_home(chain))):
            error = backend_of(chain).run(chain, ANY)
            if error is not None and raises:
                raise error
    return 0


cdef Py_ssize_t n_deferred(int device) noexcept:
    """The number of deferred arrays on a device that are still referenced."""
    cdef PyObject* chain = first_chain
    cdef Py_ssize_t n_arrays = 0
    while chain != NULL:
        if device == (<Chain>chain).home.device:
            n_arrays += n_live(<Chain>chain)
        chain = (<Chain>chain).next
    return n_arrays


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
