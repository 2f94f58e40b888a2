from cpython.object cimport PyObject, PyTypeObject
from nd4py._core.array.array_base cimport ArrayBase
from nd4py._core.lazy.chain cimport Chain, Home, Room
from nd4py._core.layout.shape cimport ShapeInfo

# Since the start of the process.
cdef struct Counts:
    long long queued                     # operations that were deferred
    long long launched                   # passes over memory that ran some
    long long combined                   # operations that shared a pass with others
    long long passes_saved
    long long bytes_saved                # that would have been read and written one by one
    long long read_at_call               # operations that ran at once, as others may write what they read


cdef class Backend:
    cdef Room room
    cdef PyTypeObject* kind              # of its arrays,
    cdef PyTypeObject* deferred_kind     # and of those without values, if it is another
    cdef bint waits_for_home             # what could not run in its own scope runs in no other, unless it is read
    cdef bint keeps_order                # results have their axes in memory as the operands do
    cdef Counts counts

    cdef Home home_on(self, int device) noexcept
    cdef size_t limit_bytes(self, int device) except? 0
    cdef bint is_private(self, ArrayBase x) except -1
    cdef bint is_unseen(self, ArrayBase x) noexcept
    cdef bint are_same(self, ArrayBase x, ArrayBase y) noexcept
    cdef int store(self, object item, int number, char* element) except -1
    cdef ArrayBase new_deferred(self, int number, ShapeInfo info, int device)
    cdef ArrayBase lent_memory(self, ArrayBase x)
    cdef object run(self, Chain chain, int first)
    cdef object told(self, Chain chain, int output, object error)


cdef enum:
    ANY = -1                             # of the outputs

cdef list open_chains()
cdef int finish_readers(PyObject* owner) except -1
cdef int finish_readers_quietly(PyObject* owner) except -1
cdef int output_of(Chain chain, int leaves) noexcept
cdef int flush(bint every_thread, bint raises, Backend backend) except -1
cdef Py_ssize_t n_deferred(int device) noexcept


cdef inline Backend backend_of(Chain chain):
    return <Backend>chain.backend


cdef inline bint is_at_home(Chain chain) noexcept:
    """Whether new results of this thread belong where a chain's do."""
    cdef Home home = backend_of(chain).home_on(chain.home.device)
    return chain.home.holder == home.holder and chain.home.generation == home.generation
