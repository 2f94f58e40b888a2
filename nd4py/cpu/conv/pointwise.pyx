"""Convolution with 1 x 1 kernels, as matrix products.

There is one product per image and group, y = w @ x + bias, and for the input's gradient dx = w.T @ dy.  The bands of
conv_bands.inc would copy each image to no purpose.
"""

from nd4py._core.graphs.launch_recording cimport Launch, is_recording, n_captures, new_launch
from nd4py._core.threads.threads cimport acquire_threads_for, goes_on, raise_if_stopped, release_threads
from nd4py._mem.workspace.held_memory cimport Hold, holds
from nd4py._mem.pool.pool cimport pool_allocate, pool_release
from nd4py.cpu.conv.conv_loops cimport WindowShape
from nd4py.cpu.isa.isa cimport loops
from nd4py.cpu.matmul.product_loops cimport ProductLoop, StridedMatrix
from nd4py.cpu.parallel.tasks cimport share_evenly

from ..._mem.diagnostics.memory_wants import out_of_memory
from ..._spec.dtypes import DTYPES, NUMBER

cdef enum:
    LEAST_CHANNELS = 32                  # below, packing shows
    ENOUGH_TASKS = 8
    LEAST_ROWS = 96                      # of one task

cdef double BYTE_NS = 0.005              # nanoseconds of a multiplication, by bytes of the dtype that is computed in

# The index of each dtype in the table of loops.
cdef int loop_indices[32]
for index, row in enumerate([row for row in DTYPES if row.kind == "real floating"]):
    loop_indices[NUMBER[row.name]] = index

# y (rows, pixels) = w (rows, inner) @ x (inner, pixels) for each group of each image.
cdef struct Points:
    const ProductLoop* loop
    Py_ssize_t rows, inner, pixels, groups, itemsize
    Py_ssize_t w_row, w_column           # strides in bytes
    Py_ssize_t n_parts                   # that the rows of a group are cut into
    Py_ssize_t n_tasks
    Py_ssize_t work                      # multiplications
    int n_threads
    size_t scratch_bytes
    bint has_memory
    const char* x
    const char* w
    const char* bias                     # or NULL
    char* y


cdef bint is_pointwise(const WindowShape* s) noexcept nogil:
    """Whether the convolution is a matrix product that is worth one."""
    return (s.kernel_d == 1 and s.kernel_h == 1 and s.kernel_w == 1 and
            s.stride_d == 1 and s.stride_h == 1 and s.stride_w == 1 and
            s.out_d == s.depth and s.out_h == s.height and s.out_w == s.width and
            s.pad_front == 0 and s.pad_top == 0 and s.pad_left == 0 and s.channels >= LEAST_CHANNELS)


cdef int convolve_points(const WindowShape* s, int number, Py_ssize_t itemsize, const char* x, const char* w,
                         const char* bias, char* y) except -1:
    """y from x, w, and bias unless it is NULL.  Raises MemoryError."""
    cdef Points p
    p.rows, p.inner, p.w_row, p.w_column = s.filters, s.channels, s.channels * itemsize, itemsize
    p.x, p.w, p.bias, p.y = x, w, bias, y
    return run_points(&p, s, number, itemsize)


cdef int spread_points(const WindowShape* s, int number, Py_ssize_t itemsize, const char* dy, const char* w,
                       char* dx) except -1:
    """dx from dy and w.  Raises MemoryError."""
    cdef Points p
    p.rows, p.inner, p.w_row, p.w_column = s.channels, s.filters, itemsize, s.channels * itemsize
    p.x, p.w, p.bias, p.y = dy, w, <const char*>NULL, dx
    return run_points(&p, s, number, itemsize)


cdef int run_points(Points* p, const WindowShape* s, int number, Py_ssize_t itemsize) except -1:
    """Share the products out."""
    cdef Py_ssize_t n_products = s.images * s.groups
    cdef Hold hold
    hold.add(holds, p.x, p.w, p.bias, p.y)
    p.loop = loops.products + loop_indices[number]
    p.pixels, p.groups, p.itemsize = s.out_d * s.out_h * s.out_w, s.groups, itemsize
    p.n_parts = max(1, min(p.rows // LEAST_ROWS, ENOUGH_TASKS // max(1, n_products)))
    p.n_tasks = n_products * p.n_parts
    p.scratch_bytes = p.loop.scratch_bytes(p.rows // p.n_parts + 1, p.pixels, p.inner)
    p.work = n_products * p.rows * p.pixels * p.inner
    if n_captures and is_recording():
        record(p)
    with nogil:
        share_products(p)
    if not p.has_memory:
        raise out_of_memory(p.scratch_bytes, "conv2d to work in", "free arrays or convolve fewer images")
    return raise_if_stopped()


cdef size_t share_products(void* points) noexcept nogil:
    """All products, by as many threads as are worth while.  Returns the bytes that there were not, or 0."""
    cdef Points* p = <Points*>points
    p.has_memory = True
    p.n_threads = acquire_threads_for(p.n_tasks, p.work * max(p.itemsize, <Py_ssize_t>sizeof(float)) * BYTE_NS)
    share_evenly(run_share, p, p.n_threads, p.n_threads)
    release_threads(p.n_threads)
    return 0 if p.has_memory else p.scratch_bytes


cdef int record(const Points* p) except -1:
    """Describe the call for the graph that is captured."""
    cdef Launch launch = new_launch("convolution", share_products)
    launch.add(p, sizeof(Points))
    launch.operand(&p.x, False)
    launch.operand(&p.w, False)
    launch.operand(&p.bias, False)
    launch.operand(&p.y, True)
    return launch.submit()


cdef void run_share(void* points, Py_ssize_t worker) noexcept nogil:
    """One thread's tasks, in memory of its own."""
    cdef Points* p = <Points*>points
    cdef char* scratch = <char*>pool_allocate(p.scratch_bytes)
    cdef Py_ssize_t task
    if scratch == NULL:
        p.has_memory = False
        return
    for task in range(p.n_tasks * worker // p.n_threads, p.n_tasks * (worker + 1) // p.n_threads):
        if not goes_on():
            break
        run_task(p, task, scratch)
    pool_release(scratch, p.scratch_bytes)


cdef void run_task(const Points* p, Py_ssize_t task, char* scratch) noexcept nogil:
    """Some rows of one group of one image."""
    cdef Py_ssize_t image = task // p.n_parts, part = task % p.n_parts, group = image % p.groups
    cdef Py_ssize_t first = p.rows * part // p.n_parts, n_rows = p.rows * (part + 1) // p.n_parts - first
    cdef Py_ssize_t pixel_bytes = p.pixels * p.itemsize
    cdef StridedMatrix w, x
    cdef char* y = p.y + (image * p.rows + first) * pixel_bytes
    w = StridedMatrix(<char*>p.w + group * p.rows * p.inner * p.itemsize + first * p.w_row, p.w_row, p.w_column)
    x = StridedMatrix(<char*>p.x + image * p.inner * pixel_bytes, pixel_bytes, p.itemsize)
    p.loop.run(n_rows, p.pixels, p.inner, &w, &x, y, pixel_bytes, scratch)
    if p.bias != NULL:
        p.loop.add_column(n_rows, p.pixels, p.bias + (group * p.rows + first) * p.itemsize, y, pixel_bytes)
