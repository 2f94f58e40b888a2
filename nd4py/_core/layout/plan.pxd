from nd4py._core.array.array cimport NDArray
from nd4py._core.layout.shape cimport MAX_NDIM

cdef enum:
    MAX_OPERANDS = 20

cdef struct Plan:
    int ndim                             # at least 1; the last axis is the line that loops run along
    int n_operands
    Py_ssize_t size                      # elements in all
    Py_ssize_t chunk                     # elements of one task
    Py_ssize_t n_chunks
    Py_ssize_t shape[MAX_NDIM]
    char* data[MAX_OPERANDS]
    Py_ssize_t strides[MAX_OPERANDS][MAX_NDIM]

cdef struct Walk:
    Py_ssize_t left                      # elements still to visit
    Py_ssize_t line                      # elements of the line at hand
    Py_ssize_t index[MAX_NDIM]
    char* data[MAX_OPERANDS]

cdef void start_plan(Plan* plan, int ndim, const Py_ssize_t* shape) noexcept
cdef int add_operand(Plan* plan, NDArray array) except -1
cdef void add_scalar(Plan* plan, void* value) noexcept
cdef void finish_plan(Plan* plan, Py_ssize_t chunk) noexcept
cdef void plan_lines(Plan* plan, NDArray x, int axis, NDArray y, Py_ssize_t chunk) noexcept
cdef void insert_axis(Plan* plan, int from_, int to) noexcept
cdef void locate_matrix(const Plan* plan, Py_ssize_t matrix, char** data) noexcept nogil
cdef void start_walk(const Plan* plan, Py_ssize_t first, Py_ssize_t n, Walk* walk) noexcept nogil
cdef void next_line(const Plan* plan, Walk* walk) noexcept nogil
