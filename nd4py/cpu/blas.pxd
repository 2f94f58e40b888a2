cdef struct Matrix:
    char* data
    int stride                           # elements from row to row, or column to column when transposed
    bint is_transposed

cdef int load_blas() except -1
cdef void multiply_matrices(bint is_double, int m, int n, int k, const Matrix* a, const Matrix* b, char* c,
                            int c_stride) noexcept nogil
cdef void multiply_vector(bint is_double, int m, int k, const Matrix* a, const char* x, int x_stride, char* y,
                          int y_stride) noexcept nogil
cdef double multiply_vectors(bint is_double, int n, const char* x, int x_stride, const char* y,
                             int y_stride) noexcept nogil
