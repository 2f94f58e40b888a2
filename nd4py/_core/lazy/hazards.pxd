from cpython.object cimport PyObject
from nd4py._core.array.array_base cimport ArrayBase
from nd4py._core.lazy.lazy_backend cimport Backend
from nd4py._core.lazy.chain cimport Chain

cdef enum:
    ANY = -1                             # of the outputs

cdef int run(ArrayBase x) except -1
cdef void forget(PyObject* array) noexcept
cdef list open_chains()
cdef int finish_readers(PyObject* owner) except -1
cdef int finish_readers_quietly(PyObject* owner) except -1
cdef int output_of(Chain chain, int leaves) noexcept
cdef int flush(bint every_thread, bint raises, Backend backend) except -1
cdef Py_ssize_t n_deferred(int device) noexcept
