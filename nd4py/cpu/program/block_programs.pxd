from nd4py._core.layout.plan cimport Plan
from nd4py._core.layout.shape cimport MAX_NDIM
from nd4py.cpu.elementwise.map cimport MapCall

# How the elements of an operand lie, in C order of the plan's shape, in as few axes as possible.
cdef struct Layout:
    char* data
    Py_ssize_t itemsize
    int ndim
    Py_ssize_t shape[MAX_NDIM]
    Py_ssize_t strides[MAX_NDIM]

cdef int run_block_program(Plan* plan, const MapCall* call, int first_reduced, int end_reduced) except -1
cdef void find_layout(const Plan* plan, int k, Py_ssize_t itemsize, Layout* layout) noexcept
cdef bint is_dense(const Layout* layout) noexcept nogil
cdef bint is_value(const Layout* layout) noexcept nogil
cdef void gather(const Layout* layout, Py_ssize_t first, Py_ssize_t n, char* to) noexcept nogil
