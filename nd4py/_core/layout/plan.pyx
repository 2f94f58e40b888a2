"""Plan: the order in which an operation walks several operands of one broadcast shape.

Axes are sorted so that the last operand (the result) is written in memory order, then joined wherever all operands
allow; what is left is a sequence of lines.  The work is cut into chunks whose borders depend on the shape only, never
on the thread count, so that results repeat bit for bit.
"""

from nd4py._core.array.array cimport NDArray
from nd4py._core.graphs.launch_recording cimport n_captures, note_operand

from ..array.released import type_name


cdef void start_plan(Plan* plan, int ndim, const Py_ssize_t* shape) noexcept:
    """Begin a plan over a broadcast shape."""
    cdef int i
    plan.ndim = ndim
    plan.n_operands = 0
    plan.size = 1
    for i in range(ndim):
        plan.shape[i] = shape[i]
        plan.size *= shape[i]


cdef int add_operand(Plan* plan, NDArray array) except -1:
    """Add an operand, broadcast to the plan's shape.  Raises ValueError when it does not fit, WorkspaceError."""
    cdef int k = plan.n_operands
    cdef int missing = plan.ndim - array.info.ndim
    cdef int i
    cdef Py_ssize_t size
    if missing < 0:
        raise ValueError(f"cannot broadcast shape {array.shape} to {shape_of(plan)}")
    for i in range(plan.ndim):
        size = array.info.shape[i - missing] if i >= missing else 1
        if size == plan.shape[i]:
            plan.strides[k][i] = array.info.strides[i - missing] if i >= missing else 0
        elif size == 1:
            plan.strides[k][i] = 0
        else:
            raise ValueError(f"cannot broadcast shape {array.shape} to {shape_of(plan)}")
    if type(array) is not NDArray:
        type_name(array)      # raises where another thread has taken the memory since the call began
    if n_captures:
        note_operand(array)
    plan.data[k] = array.data
    plan.n_operands = k + 1
    return 0


cdef tuple shape_of(Plan* plan):
    return tuple([plan.shape[i] for i in range(plan.ndim)])


cdef void add_scalar(Plan* plan, void* value) noexcept:
    """Add an operand whose one value is used for every element."""
    cdef int i
    for i in range(plan.ndim):
        plan.strides[plan.n_operands][i] = 0
    plan.data[plan.n_operands] = <char*>value
    plan.n_operands += 1


cdef void finish_plan(Plan* plan, Py_ssize_t chunk) noexcept:
    """Order and join the axes, and cut the work into tasks of `chunk` elements."""
    drop_unit_axes(plan)
    sort_axes(plan)
    join_axes(plan)
    if plan.ndim == 0:
        plan.ndim = 1
        plan.shape[0] = 1
        for k in range(plan.n_operands):
            plan.strides[k][0] = 0
    plan.chunk = chunk
    if plan.ndim > 1 and plan.shape[plan.ndim - 1] < chunk:
        # Tasks own whole lines, so that none is cut in two.
        plan.chunk = chunk // plan.shape[plan.ndim - 1] * plan.shape[plan.ndim - 1] if plan.size else chunk
    plan.n_chunks = (plan.size + plan.chunk - 1) // plan.chunk


cdef void plan_lines(Plan* plan, NDArray x, int axis, NDArray y, Py_ssize_t chunk) noexcept:
    """The whole plan over the lines along `axis` of two arrays of one shape: where each begins in `x`, and in `y`."""
    cdef int i
    start_plan(plan, 0, NULL)
    for i in range(x.info.ndim):
        if i != axis:
            plan.shape[plan.ndim] = x.info.shape[i]
            plan.strides[0][plan.ndim] = x.info.strides[i]
            plan.strides[1][plan.ndim] = y.info.strides[i]
            plan.size *= x.info.shape[i]
            plan.ndim += 1
    plan.n_operands = 2
    plan.data[0], plan.data[1] = x.data, y.data
    finish_plan(plan, chunk)


cdef void move_axis(Plan* plan, int from_, int to) noexcept:
    cdef int k
    plan.shape[to] = plan.shape[from_]
    for k in range(plan.n_operands):
        plan.strides[k][to] = plan.strides[k][from_]


cdef void insert_axis(Plan* plan, int from_, int to) noexcept:
    """Take the axis at `from_` out and put it in at `to`, further inside; those between move out by one."""
    cdef Plan before = plan[0]
    cdef int i, k
    for i in range(from_, to + 1):
        plan.shape[i] = before.shape[from_ if i == to else i + 1]
        for k in range(plan.n_operands):
            plan.strides[k][i] = before.strides[k][from_ if i == to else i + 1]


cdef void drop_unit_axes(Plan* plan) noexcept:
    cdef int i, kept = 0
    for i in range(plan.ndim):
        if plan.shape[i] != 1:
            move_axis(plan, i, kept)
            kept += 1
    plan.ndim = kept


cdef bint comes_before(const Plan* plan, int i, int j) noexcept:
    """Whether axis i has larger strides than axis j, asking the result first and then the operands."""
    cdef int k
    cdef Py_ssize_t a, b
    for k in range(plan.n_operands - 1, -1, -1):
        a, b = abs(plan.strides[k][i]), abs(plan.strides[k][j])
        if a != b and a != 0 and b != 0:
            return a > b
    return False


cdef void sort_axes(Plan* plan) noexcept:
    """Insertion sort: at most 32 axes, and nearly always in order already."""
    cdef int i, j, k
    for i in range(1, plan.ndim):
        j = i
        while j > 0 and comes_before(plan, j, j - 1):
            plan.shape[j], plan.shape[j - 1] = plan.shape[j - 1], plan.shape[j]
            for k in range(plan.n_operands):
                plan.strides[k][j], plan.strides[k][j - 1] = plan.strides[k][j - 1], plan.strides[k][j]
            j -= 1


cdef bint can_join(const Plan* plan, int outer, int inner) noexcept:
    cdef int k
    for k in range(plan.n_operands):
        if plan.strides[k][outer] != plan.strides[k][inner] * plan.shape[inner]:
            return False
    return True


cdef void join_axes(Plan* plan) noexcept:
    cdef int i, last = 0
    cdef Py_ssize_t size
    for i in range(1, plan.ndim):
        if can_join(plan, last, i):
            size = plan.shape[last] * plan.shape[i]
            move_axis(plan, i, last)
            plan.shape[last] = size
        else:
            last += 1
            move_axis(plan, i, last)
    if plan.ndim:
        plan.ndim = last + 1


cdef void move_to_matrix(const Plan* plan, Py_ssize_t matrix, char** data) noexcept nogil:
    """Move from the first matrix of the two inner axes to another one."""
    cdef int axis, k
    cdef Py_ssize_t position
    for axis in range(plan.ndim - 3, -1, -1):
        position = matrix % plan.shape[axis]
        matrix //= plan.shape[axis]
        for k in range(plan.n_operands):
            data[k] += position * plan.strides[k][axis]


cdef inline char* moved(char* data, Py_ssize_t n_bytes) noexcept nogil:
    """A pointer moved on; in numbers, since an operand may begin at NULL, for walks that only count bytes."""
    return <char*>(<Py_ssize_t>data + n_bytes)


cdef void start_walk(const Plan* plan, Py_ssize_t first, Py_ssize_t n, Walk* walk) noexcept nogil:
    """Stand on element `first`, to visit `n` elements line by line."""
    cdef int i, k
    cdef Py_ssize_t rest = first
    walk.left = n
    for k in range(plan.n_operands):
        walk.data[k] = plan.data[k]
    for i in range(plan.ndim - 1, -1, -1):
        walk.index[i] = rest % plan.shape[i]
        rest //= plan.shape[i]
        for k in range(plan.n_operands):
            walk.data[k] = moved(walk.data[k], walk.index[i] * plan.strides[k][i])
    walk.line = min(n, plan.shape[plan.ndim - 1] - walk.index[plan.ndim - 1])


cdef void next_line(const Plan* plan, Walk* walk) noexcept nogil:
    """Step over the line at hand to the beginning of the next one."""
    cdef int i = plan.ndim - 1, k
    cdef Py_ssize_t back = walk.index[i]
    walk.left -= walk.line
    if walk.left <= 0:
        return
    for k in range(plan.n_operands):
        walk.data[k] = moved(walk.data[k], -back * plan.strides[k][i])
    walk.index[i] = 0
    i -= 1
    while i >= 0:
        walk.index[i] += 1
        if walk.index[i] < plan.shape[i]:
            for k in range(plan.n_operands):
                walk.data[k] = moved(walk.data[k], plan.strides[k][i])
            break
        for k in range(plan.n_operands):
            walk.data[k] = moved(walk.data[k], (1 - plan.shape[i]) * plan.strides[k][i])
        walk.index[i] = 0
        i -= 1
    walk.line = min(walk.left, plan.shape[plan.ndim - 1])
