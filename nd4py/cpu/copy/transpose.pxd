from nd4py.cpu.matmul.product_loops cimport StridedMatrix

cdef void transpose_rows(const StridedMatrix* x, Py_ssize_t n_rows, Py_ssize_t n_columns, Py_ssize_t itemsize,
                         char* to) noexcept nogil
