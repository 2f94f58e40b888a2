"""Hazards: when a chain must run because its memory is about to be read, written or freed.

Design: an error belongs to the arrays whose values it prevents.  Reading such an array raises it.  A flush, a scope or
a closed array that makes the chain run does not raise it: what could not run stays deferred, and may run later.  Only
an array whose operands are freed fails for good.  Writing to an operand is refused instead, because then nothing is
lost.
"""

from cpython.object cimport PyObject, PyTypeObject
from cpython.pythread cimport PyThread_get_thread_ident
from nd4py._core.array.array_base cimport ArrayBase
from nd4py._core.lazy.lazy_backend cimport Backend, backend_of, is_at_home
from nd4py._core.lazy.chain cimport DONE, Chain, drop_output, first_chain, leaves_of, n_live, sources_of

from ..array.released import type_name

cdef extern from "Python.h":
    PyTypeObject* Py_TYPE(object x)


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
