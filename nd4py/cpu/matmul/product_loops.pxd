# Made from product_loops.h by the build (nd4py/_spec/render/loop_headers.py); change that.
from libc.stddef cimport ptrdiff_t

cdef extern from "strided_matrix.h" nogil:
    cdef struct StridedMatrix:
        char* data
        ptrdiff_t row_stride, column_stride

cdef extern from "product_loops.h" nogil:
    cdef struct ProductLoop:
        size_t (*scratch_bytes)(ptrdiff_t m, ptrdiff_t n, ptrdiff_t k) noexcept nogil
        void (*run)(ptrdiff_t m, ptrdiff_t n, ptrdiff_t k, const StridedMatrix* a, const StridedMatrix* b, char* c,
                    ptrdiff_t c_stride, char* scratch) noexcept nogil
        void (*run_past_caches)(ptrdiff_t m, ptrdiff_t n, ptrdiff_t k, const StridedMatrix* a, const StridedMatrix* b,
                                char* c, ptrdiff_t c_stride, char* scratch) noexcept nogil
        void (*add_column)(ptrdiff_t m, ptrdiff_t n, const char* column, char* c, ptrdiff_t c_stride) noexcept nogil
        void (*add)(ptrdiff_t n, const char* from_, char* c) noexcept nogil
