from nd4py._core.shape cimport ShapeInfo
from nd4py._mem.tenants cimport Tenancy


cdef class NDArray:
    cdef char* data
    cdef ShapeInfo info
    cdef int number                      # of the dtype, in the order of _spec.dtypes
    cdef bint readonly
    cdef bint is_view                    # `base` is the array that owns the memory
    cdef void* block                     # pool block this array owns, or NULL
    cdef size_t block_bytes
    cdef object base                     # what keeps the memory alive otherwise
    cdef Tenancy* tenancy                # in the workspace that the memory belongs to, or NULL
    cdef int n_exports                   # buffers and DLPack tensors that others have of it
    cdef int n_views                     # arrays whose base this is
    cdef int n_shares                    # ways in which others can write the memory; kept on the owner, as the next two
    cdef int n_readers                   # pending chains that will read the memory
    cdef public object node              # the tape's record of how it was made, or None
    cdef Py_ssize_t version              # in-place writes so far
    cdef object __weakref__


cdef NDArray new_array(int number, int ndim, const Py_ssize_t* shape)
cdef NDArray new_from_info(int number, ShapeInfo info)
cdef NDArray new_view(NDArray source, char* data, ShapeInfo info)
cdef int lean_on(NDArray view, NDArray source) except -1
cdef NDArray recorded_view(NDArray source, NDArray view, str kind, object detail)
cdef NDArray owner_of(NDArray array)
cdef int take_memory(NDArray array) except -1
cdef int prepare_write(NDArray array) except -1
cdef int share(NDArray array) except -1
cdef void end_share(NDArray array) noexcept
