from libc.stddef cimport ptrdiff_t
from nd4py._core.array.array cimport NDArray
from nd4py.cpu.matmul.product_loops cimport ProductLoop, StridedMatrix

cdef extern from "small_products.h" nogil:
    cdef struct DotOperand:
        const char* data
        ptrdiff_t step
        ptrdiff_t stride
    void short_dots(const DotOperand& a, const DotOperand& b, char* c, ptrdiff_t n, ptrdiff_t k, bint is_double,
                    bint is_complex)

cdef enum:
    SHORT_DOT = 24                       # elements below which a dot product is not worth a call of BLAS
    LEAST_SYMMETRIC_BYTES = 384          # of a row of a symmetric result, of which it pays to compute half

# c (m, n), without gaps, = a (m, k) @ b (k, n), where k is cut into runs.
cdef struct LongProduct:
    const ProductLoop* loop
    Py_ssize_t m, n, k, itemsize
    StridedMatrix a, b
    char* c
    bint is_symmetric                    # c is, and no more than half of it is computed
    Py_ssize_t n_runs, run               # how many, and how long they are
    Py_ssize_t step                      # how much of a run is done between two questions whether to go on
    size_t loop_bytes                    # scratch of the loop, for one step
    size_t scratch_bytes                 # the same, and room for the result of one step
    int n_threads
    char* memory                         # scratch of every thread, then the result of every run

# The sum of products of two rows of `k` elements, `a_step` and `b_step` bytes apart, of a dtype that BLAS has.
cdef struct Dot:
    int letter
    Py_ssize_t k, itemsize
    const char* a
    Py_ssize_t a_step
    const char* b
    Py_ssize_t b_step

cdef Py_ssize_t count_runs(Py_ssize_t m, Py_ssize_t n, Py_ssize_t k, Py_ssize_t itemsize) noexcept nogil
cdef bint run_long_product(LongProduct* p) noexcept nogil
cdef bint is_long_dot(Py_ssize_t k) noexcept nogil
cdef void run_dot(const Dot* dot, char* c) noexcept nogil
cdef void run_long_dot(const Dot* dot, char* c) noexcept nogil
cdef bint is_short_dot(NDArray a) noexcept
cdef NDArray short_dot(NDArray a, NDArray b)
