"""Backend: what the lazy engine asks of the host and of a family of devices; and when it runs chains of any thread.

Design: rules differ between the host and devices where their memory does, and only there; each reason is a number or a
method here, so that the engine never asks which of the two it serves.  A backend lives as long as the process.

A chain must run when its memory is about to be read, written or freed.  An error belongs to the arrays whose values it
prevents.  Reading such an array raises it.  A flush, a scope or a closed array that makes the chain run does not raise
it: what could not run stays deferred, and may run later.  Only an array whose operands are freed fails for good.
Writing to an operand is refused instead, because then nothing is lost.
"""

from cpython.object cimport PyObject
from cpython.pythread cimport PyThread_get_thread_ident
from nd4py._core.array.array cimport as_new
from nd4py._core.array.array_base cimport ArrayBase
from nd4py._core.lazy.chain cimport Chain, Home, first_chain, leaves_of, n_live, sources_of
from nd4py._core.layout.shape cimport ShapeInfo
from nd4py._mem.free_threads cimport Section, enter, take

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


# When chains run.


cdef list open_chains():
    """All chains, of any thread, but those that are going; while one runs others may go."""
    cdef Section section
    enter(&section)
    cdef PyObject* chain = first_chain
    cdef list chains = []
    while chain != NULL:
        if take(chain):
            chains.append(as_new(chain))
        chain = (<Chain>chain).next
    return chains


cdef int finish_readers(PyObject* owner) except -1:
    """Run all chains, of any thread, that are going to read the memory of `owner`.  Raises the error of what cannot."""
    cdef Section section
    enter(&section)
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
    cdef Section section
    enter(&section)
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
    cdef Section section
    enter(&section)
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
    cdef Section section
    enter(&section)
    cdef PyObject* chain = first_chain
    cdef Py_ssize_t n_arrays = 0
    while chain != NULL:
        if device == (<Chain>chain).home.device:
            n_arrays += n_live(<Chain>chain)
        chain = (<Chain>chain).next
    return n_arrays
