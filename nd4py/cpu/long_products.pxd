from nd4py.cpu.product_loops cimport ProductLoop, StridedMatrix

# c (m, n), without gaps, = a (m, k) @ b (k, n), where k is cut into runs.
cdef struct LongProduct:
    const ProductLoop* loop
    Py_ssize_t m, n, k, itemsize
    StridedMatrix a, b
    char* c
    Py_ssize_t n_runs, run               # how many, and how long they are
    size_t scratch_bytes                 # of the loop, for one run

cdef Py_ssize_t count_runs(Py_ssize_t m, Py_ssize_t n, Py_ssize_t k, Py_ssize_t itemsize) noexcept nogil
cdef bint run_long_product(LongProduct* p) noexcept nogil
