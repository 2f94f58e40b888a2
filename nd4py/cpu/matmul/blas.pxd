from nd4py.cpu.matmul.product_loops cimport StridedMatrix

cdef enum Letter:                        # LAPACK's s, d, c and z
    NO_LETTER = -1
    SINGLE = 0
    DOUBLE = 1
    SINGLE_COMPLEX = 2
    DOUBLE_COMPLEX = 3
    N_LETTERS = 4

cdef struct Matrix:
    char* data
    int stride                           # elements from row to row, or column to column when transposed
    bint is_transposed

cdef bint is_vector(Py_ssize_t stride, Py_ssize_t itemsize) noexcept nogil
cdef bint describe(const StridedMatrix* x, Py_ssize_t n_rows, Py_ssize_t n_columns, Py_ssize_t itemsize,
                   Matrix* out) noexcept nogil
cdef int letter_of(int number) noexcept nogil
cdef int load_blas() except -1
cdef void* blas_function(str name) except NULL
cdef void multiply_matrices(int letter, int m, int n, int k, const Matrix* a, const Matrix* b, char* c,
                            int c_stride) noexcept nogil
cdef void multiply_vector(int letter, int m, int k, const Matrix* a, const char* x, int x_stride, char* y,
                          int y_stride) noexcept nogil
cdef void multiply_vectors(int letter, int n, const char* x, int x_stride, const char* y, int y_stride,
                           double* out) noexcept nogil
