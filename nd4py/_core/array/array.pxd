from nd4py._core.array.array_base cimport ArrayBase
from nd4py._core.layout.shape cimport ShapeInfo
from nd4py._mem.workspace.attached_arrays cimport Attachment


cdef class NDArray(ArrayBase):
    cdef char* data
    cdef void* block                     # pool block this array owns, or NULL
    cdef size_t block_bytes
    cdef Py_ssize_t n_views              # arrays whose base this is
    cdef double cell[2]                  # the block of an array without dimensions; no element is larger


cdef NDArray new_array(int number, int ndim, const Py_ssize_t* shape)
cdef NDArray new_from_info(int number, ShapeInfo info)
cdef NDArray new_view(NDArray source, char* data, ShapeInfo info)
cdef int lean_on(NDArray view, NDArray source) except -1
cdef int take_memory(NDArray array) except -1
cdef void take_over(NDArray array, NDArray other) noexcept
cdef void give_block(NDArray array) noexcept
