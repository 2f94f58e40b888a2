from nd4py._core.layout.plan cimport Plan
from nd4py.cpu.matmul.product_loops cimport StridedMatrix

cdef int run_copy(Plan* plan, Py_ssize_t itemsize, bint is_streamed) except -1
cdef bint is_across(const Plan* plan) noexcept
cdef void transpose_rows(const StridedMatrix* x, Py_ssize_t n_rows, Py_ssize_t n_columns, Py_ssize_t itemsize,
                         char* to) noexcept nogil
cdef void copy_transposed(const char* x, Py_ssize_t n_rows, Py_ssize_t n_columns, Py_ssize_t itemsize, char* to,
                          Py_ssize_t row_bytes) noexcept nogil
