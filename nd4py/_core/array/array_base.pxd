from cpython.object cimport PyObject
from nd4py._core.layout.shape cimport ShapeInfo
from nd4py._core.upcalls cimport MemoryUpcalls
from nd4py._mem.workspace.attached_arrays cimport Attachment


cdef class ArrayBase:
    cdef ShapeInfo info
    cdef object base                     # what keeps the memory alive that this array does not own
    cdef object chain                    # the deferred operations that will give it its values, or None
    cdef public object node              # the tape's record of how it was made, or None
    cdef Attachment* attachment          # in the workspace that the memory belongs to, or NULL
    cdef Py_ssize_t version              # in-place writes so far; kept on the owner of the memory, as the next two
    cdef int n_readers                   # chains that will read the memory
    cdef int n_shares                    # ways in which others can write the memory
    cdef int n_shared                    # how often others were let write the memory
    cdef int n_exports                   # ways in which others know the address
    cdef int number                      # of the dtype, in the order of _spec.dtypes
    cdef int output                      # of the chain
    cdef bint is_deferred                # no values yet: it waits for its chain, or stands for `base`, which does
    cdef bint readonly
    cdef bint is_view                    # `base` is the array that owns the memory
    cdef object __weakref__

    # What each kind of array knows about its memory.
    cdef int materialize(self) except -1
    cdef ArrayBase view(self, Py_ssize_t offset, ShapeInfo info)
    cdef ArrayBase element(self, Py_ssize_t offset, ShapeInfo info)
    cdef bint store(self, Py_ssize_t offset, object value) except -1
    cdef ArrayBase on_host(self)
    cdef MemoryUpcalls own_upcalls(self)


cdef ArrayBase recorded_view(ArrayBase source, ArrayBase view, str kind, object detail)
cdef int prepare_write(ArrayBase x) except -1
cdef int share(ArrayBase x) except -1
cdef void end_share(ArrayBase x) noexcept
cdef int check_casting(int number, object dtype, object casting) except -1
cpdef void mark_written(object array) noexcept


cdef inline ArrayBase owner_of(ArrayBase x):
    """The array that owns the memory `x` looks at, or itself over foreign memory."""
    return <ArrayBase><PyObject*>x.base if x.is_view else x
