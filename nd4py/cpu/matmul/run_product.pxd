from libc.stddef cimport ptrdiff_t
from nd4py._core.layout.shape cimport MAX_NDIM
from nd4py.cpu.matmul.blas cimport Matrix
from nd4py.cpu.matmul.product_loops cimport ProductLoop, StridedMatrix

cdef extern from "integer_matmul.h" nogil:
    ctypedef void (*IntegerMatmul)(ptrdiff_t m, ptrdiff_t n, ptrdiff_t k, const StridedMatrix* a,
                                   const StridedMatrix* b, char* c, ptrdiff_t c_stride) noexcept nogil

cdef extern from "small_products.h" nogil:
    ctypedef void (*SmallProduct)(ptrdiff_t m, const char* a, ptrdiff_t a_row, ptrdiff_t a_column, const char* b,
                                  ptrdiff_t b_row, ptrdiff_t b_column, char* c) noexcept nogil

cdef enum:
    SERIAL_WORK = 2000000                # multiplications that pay for a thread, which may have to be woken

# One operand: its matrix at stack position 0, as BLAS sees it, and the strides in bytes of the stack's axes.
cdef struct Operand:
    StridedMatrix matrix
    Matrix described
    Py_ssize_t strides[MAX_NDIM]

cdef struct Product:
    Py_ssize_t m, n, k, itemsize
    int letter                           # of the BLAS functions
    IntegerMatmul integers               # these three are NULL where BLAS does the work
    SmallProduct small
    const ProductLoop* loop
    size_t scratch_bytes                 # of the loop, for one panel
    bint transposes                      # rows of `a` are copied first, each to neighbours
    bint may_mirror                      # it pays to compute half of the product where it is symmetric
    bint is_symmetric                    # panels end at the diagonal, the rest is copied
    bint is_narrow                       # the loop has few columns to compute
    double byte_ns                       # nanoseconds of a multiplication, by bytes of its dtype; 0: it takes long
    int n_axes                           # of the stack
    Py_ssize_t shape[MAX_NDIM]
    Py_ssize_t n_stacked
    Operand a, b
    char* c
    bint streams                         # the result goes past the caches
    bint cuts_rows                       # panels are rows of c, else columns
    Py_ssize_t panel, n_panels
    Py_ssize_t first_row, n_rows         # that panels of columns are worked on for
    Py_ssize_t n_chunks                  # of the panels of all matrices, that threads take
    bint has_memory
    bint has_short_dots
    double cost                          # of one product, in multiplications, those past the last column too

cdef bint is_by_itself(const Product* p) noexcept nogil
cdef int run_product(Product* p) except -1
