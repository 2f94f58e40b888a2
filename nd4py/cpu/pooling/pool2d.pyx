"""Drivers of pooling and its gradients.  All arrays are contiguous and of one dtype that has loops."""

from nd4py._core.array.array cimport NDArray
from nd4py._core.graphs.launch_recording cimport Launch, is_recording, n_captures, new_launch, note_operand
from nd4py._core.threads.threads cimport acquire_threads_for, goes_on, raise_if_stopped, release_threads
from nd4py._mem.workspace.held_memory cimport Hold, holds
from nd4py.cpu.conv.conv_loops cimport PoolLoop, WindowShape
from nd4py.cpu.parallel.tasks cimport share_evenly
from nd4py.cpu.conv.window_sizes cimport Window, conv_loops, new_images

__all__ = ["average_pooling", "average_pooling_gradient", "maximum_pooling", "maximum_pooling_gradient"]

cdef enum:
    PLANES = 64                          # after which a thread asks whether to go on

cdef double ELEMENT_NS = 0.2             # nanoseconds of an element of a window

cdef struct Pooling:
    PoolLoop loop
    const WindowShape* shape
    char** operands
    Py_ssize_t n_planes
    int n_threads


def maximum_pooling(NDArray x, Window window) -> NDArray:
    """y (images, channels, out_h, out_w).  Raises MemoryError."""
    return pooled(conv_loops(x).max_pool, x, window)


def average_pooling(NDArray x, Window window) -> NDArray:
    """y (images, channels, out_h, out_w).  Raises MemoryError."""
    return pooled(conv_loops(x).average_pool, x, window)


def maximum_pooling_gradient(NDArray x, NDArray dy, Window window) -> NDArray:
    """dx, of the shape of x: each dy goes to the first maximum of its window.  Raises MemoryError."""
    return spread(conv_loops(x).max_pool_gradient, x, dy, window)


def average_pooling_gradient(NDArray x, NDArray dy, Window window) -> NDArray:
    """dx, of the shape of x: each dy is shared evenly among its window.  Raises MemoryError."""
    return spread(conv_loops(x).average_pool_gradient, x, dy, window)


cdef NDArray pooled(PoolLoop loop, NDArray x, Window window):
    cdef WindowShape* shape = &window.shape
    cdef NDArray y = new_images(x.number, window.y_shape)
    cdef char* operands[2]
    operands[0], operands[1] = x.data, y.data
    if n_captures:
        note_operand(x)
    run(loop, shape, operands, 2)
    return y


cdef NDArray spread(PoolLoop loop, NDArray x, NDArray dy, Window window):
    cdef WindowShape* shape = &window.shape
    cdef NDArray dx = new_images(x.number, window.x_shape)
    cdef char* operands[3]
    operands[0], operands[1], operands[2] = x.data, dy.data, dx.data
    if n_captures:
        note_operand(x)
        note_operand(dy)
    run(loop, shape, operands, 3)
    return dx


cdef int run(PoolLoop loop, const WindowShape* shape, char** operands, int n_operands) except -1:
    """Share the planes out."""
    cdef Pooling pooling = Pooling(loop, shape, operands, shape.images * shape.channels, 1)
    cdef Hold hold
    hold.add_all(holds, operands, n_operands)
    if n_captures and is_recording():
        record(&pooling, n_operands)
    with nogil:
        share_planes(&pooling)
    return raise_if_stopped()


cdef size_t share_planes(void* work) noexcept nogil:
    """All planes, by as many threads as are worth while."""
    cdef Pooling* p = <Pooling*>work
    cdef Py_ssize_t n_elements = p.n_planes * p.shape.out_h * p.shape.out_w * p.shape.kernel_h * p.shape.kernel_w
    p.n_threads = acquire_threads_for(p.n_planes, n_elements * ELEMENT_NS)
    share_evenly(run_share, p, p.n_threads, p.n_threads)
    release_threads(p.n_threads)
    return 0


cdef int record(const Pooling* pooling, int n_operands) except -1:
    """Describe the call for the graph that is captured."""
    cdef Launch launch = new_launch("pooling", share_planes)
    cdef int k
    launch.add(pooling, sizeof(Pooling))
    launch.value(&pooling.shape, sizeof(WindowShape))
    launch.value(&pooling.operands, n_operands * sizeof(void*))
    for k in range(n_operands):
        launch.operand(&pooling.operands[k], k == n_operands - 1)
    return launch.submit()


cdef void run_share(void* work, Py_ssize_t worker) noexcept nogil:
    cdef const Pooling* p = <const Pooling*>work
    cdef Py_ssize_t first = p.n_planes * worker // p.n_threads, end = p.n_planes * (worker + 1) // p.n_threads, plane
    for plane from first <= plane < end by PLANES:
        if plane > first and not goes_on():
            return
        p.loop(p.shape, p.operands, plane, min(end, plane + PLANES))
