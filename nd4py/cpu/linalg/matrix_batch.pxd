from nd4py._core.array.array cimport NDArray

cdef enum:
    MAX_MATRICES = 6                     # operands of one function
    MAX_AREAS = 8
    NOT_FINITE = -1000                   # status of a matrix with NaN or infinity, which LAPACK is not given

cdef struct Batch:
    int letter
    bint is_complex
    bint is_double
    Py_ssize_t itemsize
    Py_ssize_t real_size                 # bytes of a real number of the same width
    Py_ssize_t n_matrices
    int m, n, k                          # sizes, as the function at hand means them
    char job
    int n_operands
    char* operand[MAX_MATRICES]
    Py_ssize_t operand_bytes[MAX_MATRICES]
    int n_areas
    Py_ssize_t area[MAX_AREAS]           # where the pieces of a task's scratch begin
    Py_ssize_t scratch_bytes
    bint is_large                        # matrices one after the other, each on all threads
    int work_size, n_reals, n_integers   # LAPACK's workspaces
    int* status

# What is done to matrix i; 0, NOT_FINITE or LAPACK's info.
ctypedef int (*OneMatrix)(const Batch* batch, Py_ssize_t i, char* scratch) noexcept nogil

cdef int start_batch(Batch* batch, NDArray x, Py_ssize_t n_matrices) except -1
cdef int add_operand(Batch* batch, NDArray x) except -1
cdef int add_area(Batch* batch, Py_ssize_t n_bytes) except -1
cdef int work_size(const Batch* batch, const void* answer) except -1
cdef tuple run_batch(Batch* batch, OneMatrix run, double work)
cdef char* matrix(const Batch* batch, int operand, Py_ssize_t i) noexcept nogil
cdef void to_columns(const Batch* batch, const char* x, char* y, Py_ssize_t rows, Py_ssize_t columns,
                     Py_ssize_t stride) noexcept nogil
cdef void from_columns(const Batch* batch, const char* x, Py_ssize_t stride, char* y, Py_ssize_t rows,
                       Py_ssize_t columns) noexcept nogil
cdef bint is_finite(const Batch* batch, const char* x, Py_ssize_t n) noexcept nogil
