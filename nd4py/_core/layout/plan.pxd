from nd4py._core.array.array cimport NDArray
from nd4py._core.graphs.launch_recording cimport n_captures, note_operand
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
cdef void move_to_matrix(const Plan* plan, Py_ssize_t matrix, char** data) noexcept nogil
cdef void start_walk(const Plan* plan, Py_ssize_t first, Py_ssize_t n, Walk* walk) noexcept nogil
cdef void next_line(const Plan* plan, Walk* walk) noexcept nogil


cdef inline void locate_matrix(const Plan* plan, Py_ssize_t matrix, char** data) noexcept nogil:
    """Where the operands of one matrix of the two inner axes begin."""
    cdef int k
    for k in range(plan.n_operands):
        data[k] = plan.data[k]
    if plan.ndim > 2:
        move_to_matrix(plan, matrix, data)


cdef inline void plan_line(Plan* plan, Py_ssize_t size, Py_ssize_t chunk) noexcept:
    """The whole plan of one axis; its operands are added by `add_line`."""
    plan.ndim, plan.n_operands = 1, 0
    plan.size = plan.shape[0] = size
    plan.chunk, plan.n_chunks = chunk, (size + chunk - 1) // chunk


cdef inline void add_line(Plan* plan, char* data, Py_ssize_t stride) noexcept:
    """Add an operand whose elements lie `stride` bytes apart."""
    plan.data[plan.n_operands] = data
    plan.strides[plan.n_operands][0] = stride
    plan.n_operands += 1


cdef inline int add_dense(Plan* plan, NDArray array) except -1:
    """Add an array whose elements lie dense, in the order of the others'."""
    if n_captures:
        note_operand(array)
    add_line(plan, array.data, array.info.itemsize)
    return 0
