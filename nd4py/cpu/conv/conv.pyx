"""Drivers of convolution and its gradients.  All arrays are contiguous and of one dtype that has loops.

A helper is asked first where it computes in this dtype; what it declines runs on the loops built here.  Depthwise
convolutions and those with 1 x 1 kernels have loops of their own, and so have many with 3 x 3 kernels, which make tiles
of results with fewer multiplications (conv_winograd.inc).

Design: which loop it is follows from the shape of one image, so that no result depends on those beside it.  An image
whose results in tiles are not finite is computed again by the direct loop, and so is the gradient of weights: it alone
knows infinity from NaN.
"""

from libc.string cimport memcpy, memset
from nd4py._core.array.array cimport NDArray, new_array
from nd4py._core.graphs.launch_recording cimport Launch, is_recording, n_captures, new_launch, note_operand
from nd4py._core.threads.threads cimport acquire_threads_for, goes_on, raise_if_stopped, release_threads
from nd4py._mem.workspace.held_memory cimport Hold, holds
from nd4py._mem.pool.pool cimport pool_allocate, pool_release
from nd4py._mem.scratch cimport Scratch, borrow_scratch, return_scratch
from nd4py.cpu.conv.conv_loops cimport MOST_DEPTHWISE_FILTERS, ConvLoop, ConvPlan, ConvStep, WindowShape
from nd4py.cpu.onednn.onednn cimport FORWARD, INPUT_GRADIENT, WEIGHT_GRADIENT, helper_convolves
from nd4py.cpu.conv.pointwise cimport convolve_points, is_pointwise, spread_points
from nd4py.cpu.parallel.tasks cimport share_evenly
from nd4py.cpu.conv.window_sizes cimport Window, conv_loops, multiplications, new_images

from ..._mem.diagnostics.memory_wants import out_of_memory

__all__ = ["convolution", "convolution_input_gradient", "convolution_weight_gradient"]

cdef enum:
    LONG_WORK = 200000000                # multiplications of a thread after which it asks whether to go on
    PRODUCT_PIXELS = 256                 # from here on products of matrices, which pack the weights for each image
    SHARED_BYTES = 1 << 17               # of packed weights or partial sums that threads share the work on
    # Where tiles of 2 x 2 were faster, for single images too (asv_bench/compare_helpers.py):
    TILED_CHANNELS = 24                  # channels and filters from here on,
    TILED_PIXELS = 36                    # and so many results of a filter,
    MOST_TILED_WEIGHTS = 1 << 20         # if their weights, 16 for nine, come to no more than 64 MB,
    MOST_TILED_SUMS = 1 << 16            # or for the gradient of weights to 4 MB

cdef double BYTE_NS = 0.005              # nanoseconds of a multiplication, by bytes of the dtype that is computed in

cdef struct Direction:
    WindowShape shape
    const ConvLoop* loop
    const ConvLoop* exact                # for what `loop` has marked, or NULL if it marks nothing
    ConvStep step                        # before or after the tasks
    Py_ssize_t n_in_step
    ConvPlan plan
    char** operands                      # and one place behind them, for the marks
    int n_operands
    char* shared                         # made by `prepare`
    char* scratch                        # of all threads
    char* kept                           # `shared` of a graph that has made it already, or NULL
    char* marks                          # bytes that `loop` makes 1
    int n_threads
    Py_ssize_t n_at_a_time               # tasks
    Py_ssize_t multiplications
    double nanoseconds                   # for one thread


def convolution(NDArray x, NDArray w, NDArray bias: NDArray | None, Window window) -> NDArray:
    """y (images, filters, *out); `bias` (filters,) may be None.  Raises MemoryError."""
    cdef WindowShape* shape = &window.shape
    cdef NDArray y = new_images(x.number, window.y_shape)
    cdef char* operands[5]
    operands[0], operands[1], operands[2], operands[3] = x.data, w.data, <char*>NULL, y.data
    if bias is not None:
        operands[2] = bias.data
    note_operands([x, w, bias])
    if y.info.size and not helps(x, shape, FORWARD, [x, w, y, bias]):
        if is_depthwise(shape):
            run(&conv_loops(x).depthwise, NULL, shape, x.info.itemsize, operands, 4, 3, -1)
        elif is_tiled(shape, x.info.itemsize, FORWARD):
            run(&conv_loops(x).winograd, &conv_loops(x).forward, shape, x.info.itemsize, operands, 4, 3, 1)
        elif is_pointwise(shape) and shape.out_d * shape.out_h * shape.out_w >= PRODUCT_PIXELS:
            convolve_points(shape, x.number, x.info.itemsize, operands[0], operands[1], operands[2], operands[3])
        else:
            run(&conv_loops(x).forward, NULL, shape, x.info.itemsize, operands, 4, 3, 1)
    return y


def convolution_input_gradient(NDArray dy, NDArray w, Window window) -> NDArray:
    """dx, of the shape of x.  Raises MemoryError."""
    cdef WindowShape* shape = &window.shape
    cdef NDArray dx = new_images(dy.number, window.x_shape)
    cdef char* operands[4]
    operands[0], operands[1], operands[2] = dy.data, w.data, dx.data
    note_operands([dy, w])
    if dx.info.size == 0 or dy.info.size == 0:
        memset(dx.data, 0, dx.info.size * dx.info.itemsize)
    elif not helps(dy, shape, INPUT_GRADIENT, [dy, w, dx]):
        if is_depthwise(shape):
            run(&conv_loops(dy).depthwise_input_gradient, NULL, shape, dy.info.itemsize, operands, 3, 2, -1)
        elif is_tiled(shape, dy.info.itemsize, INPUT_GRADIENT):
            run(&conv_loops(dy).winograd_input_gradient, &conv_loops(dy).input_gradient, shape, dy.info.itemsize,
                operands, 3, 2, 1)
        elif is_pointwise(shape):
            spread_points(shape, dy.number, dy.info.itemsize, dy.data, w.data, dx.data)
        else:
            run(&conv_loops(dy).input_gradient, NULL, shape, dy.info.itemsize, operands, 3, 2, 1)
    return dx


def convolution_weight_gradient(NDArray x, NDArray dy, Window window) -> NDArray:
    """dw, of the shape of w, and dbias (filters,).  Raises MemoryError."""
    cdef WindowShape* shape = &window.shape
    cdef NDArray dw = new_images(x.number, window.w_shape)
    cdef Py_ssize_t filters = shape.groups * shape.filters
    cdef NDArray dbias = new_array(x.number, 1, &filters)
    cdef char* operands[5]
    operands[0], operands[1], operands[2], operands[3] = x.data, dy.data, dw.data, dbias.data
    note_operands([x, dy])
    if filters and not helps(x, shape, WEIGHT_GRADIENT, [x, dy, dw, dbias]):
        if is_depthwise(shape):
            run(&conv_loops(x).depthwise_weight_gradient, NULL, shape, x.info.itemsize, operands, 4, 2, -1)
        elif is_tiled(shape, x.info.itemsize, WEIGHT_GRADIENT):
            run(&conv_loops(x).winograd_weight_gradient, &conv_loops(x).weight_gradient, shape, x.info.itemsize,
                operands, 4, 2, -1)
        else:
            run(&conv_loops(x).weight_gradient, NULL, shape, x.info.itemsize, operands, 4, 2, -1)
    return dw, dbias


cdef bint is_depthwise(const WindowShape* shape) noexcept nogil:
    """Whether groups of images have one channel and so few filters that sums over taps beat a matrix product."""
    return shape.channels == 1 and shape.filters <= MOST_DEPTHWISE_FILTERS and shape.n_axes == 2


cdef bint is_tiled(const WindowShape* s, Py_ssize_t itemsize, int direction) noexcept nogil:
    """Whether tiles of 2 x 2 results, made with fewer multiplications, are faster."""
    cdef Py_ssize_t most = MOST_TILED_SUMS if direction == WEIGHT_GRADIENT else MOST_TILED_WEIGHTS
    return (itemsize == sizeof(float) and s.n_axes == 2 and s.groups == 1 and s.kernel_h == 3 and s.kernel_w == 3 and
            s.stride_h == 1 and s.stride_w == 1 and s.dilation_h == 1 and s.dilation_w == 1 and
            s.pad_top <= 2 and s.pad_left <= 2 and s.height >= 3 and s.width >= 3 and
            s.channels >= TILED_CHANNELS and s.filters >= TILED_CHANNELS and s.channels * s.filters <= most and
            s.out_h * s.out_w >= TILED_PIXELS)


cdef bint helps(NDArray x, const WindowShape* shape, int direction, list arrays) except -1:
    """Whether a helper did the work; the last array may be None."""
    cdef char* operands[4]
    cdef Py_ssize_t n = 0
    cdef NDArray array
    if x.info.itemsize != sizeof(float) or x.info.size == 0:
        return False
    for array in arrays:
        if array is not None:
            operands[n] = array.data
            n += 1
    return helper_convolves(shape, direction, operands, n == 4, is_tiled(shape, x.info.itemsize, direction))


cdef int note_operands(list arrays) except -1:
    """What a graph that is captured reads."""
    if n_captures:
        for array in arrays:
            if array is not None:
                note_operand(<NDArray>array)
    return 0


cdef int run(const ConvLoop* loop, const ConvLoop* exact, const WindowShape* shape, Py_ssize_t itemsize,
             char** operands, int n_operands, int n_in, int weights) except -1:
    """Plan one direction of the convolution, lend it memory, and share its tasks out.

    exact: what computes again what `loop` marks, or NULL.
    weights: the one operand that `prepare` reads, or -1.  Raises MemoryError.
    """
    cdef Direction work
    cdef Scratch scratch
    cdef bint has_memory
    cdef size_t missing = 0
    cdef const ConvPlan* plan = &work.plan
    cdef Hold hold
    hold.add_all(holds, operands, n_operands)
    loop.plan(shape, &work.plan)
    work.shape, work.loop, work.exact, work.multiplications = shape[0], loop, exact, multiplications(shape)
    work.operands, work.n_operands = operands, n_operands
    if exact != NULL:
        operands[n_operands] = NULL
    work.nanoseconds = work.multiplications * itemsize * BYTE_NS
    work.kept = NULL
    work.n_at_a_time = 1 + <Py_ssize_t>(plan.n_tasks * min(1.0, LONG_WORK / (1.0 + work.multiplications)))
    if n_captures and is_recording():
        record(&work, n_in, weights)
    work.n_threads = threads_for(&work)
    has_memory = borrow_scratch(memory_of(&work), &scratch)
    work.shared, work.marks = scratch.data, scratch.data + align(plan.shared_bytes)
    work.scratch = work.marks + mark_bytes(&work)
    with nogil:
        if has_memory:
            missing = share_all(&work)
        release_threads(work.n_threads)
    if not has_memory:
        raise out_of_memory(scratch.n_bytes, "conv2d to work in", "free arrays or convolve fewer images")
    return_scratch(&scratch)
    if missing:
        raise out_of_memory(missing, "conv2d to work in", "free arrays or convolve fewer images")
    return raise_if_stopped()


cdef int threads_for(const Direction* work) noexcept nogil:
    return acquire_threads_for(work.plan.n_tasks, work.nanoseconds)


cdef size_t memory_of(const Direction* work) noexcept nogil:
    """Bytes that all threads work in."""
    return align(work.plan.shared_bytes) + mark_bytes(work) + work.n_threads * align(work.plan.scratch_bytes)


cdef size_t mark_bytes(const Direction* work) noexcept nogil:
    """Bytes that loops mark images in."""
    return align(work.plan.n_marks)


cdef size_t share_all(Direction* work) noexcept nogil:
    """All tasks, and what comes before and after them.  Returns the bytes that there were not, or 0."""
    if work.exact != NULL:
        memset(work.marks, 0, work.plan.n_marks)
        work.operands[work.n_operands] = work.marks
    if work.kept == NULL:
        share_step(work, work.loop.prepare, work.plan.n_prepared)
    share_evenly(run_share, work, work.n_threads, work.n_threads)
    share_step(work, work.loop.finish, work.plan.n_finished)
    return 0 if work.exact == NULL else compute_marked(work)


cdef size_t compute_marked(const Direction* work) noexcept nogil:
    """Compute what is marked again, images each by themselves.  Returns the bytes that there were not, or 0."""
    cdef Py_ssize_t number
    cdef size_t missing = 0
    for number in range(work.plan.n_marks):
        if work.marks[number] and missing == 0 and goes_on():
            missing = compute_exactly(work, number)
    return missing


cdef size_t compute_exactly(const Direction* work, Py_ssize_t number) noexcept nogil:
    """An image, or the weights' gradient, by the loop without tiles.  Returns the bytes that there were not, or 0."""
    cdef Direction part = work[0]
    cdef char* operands[5]
    cdef int y = work.n_operands - 1
    cdef const WindowShape* s = &work.shape
    cdef Py_ssize_t x_bytes = s.channels * s.height * s.width * sizeof(float)
    cdef Py_ssize_t y_bytes = s.filters * s.out_h * s.out_w * sizeof(float)
    memcpy(operands, work.operands, work.n_operands * sizeof(char*))
    if work.n_operands == 3:             # dy, w and dx: of the input's gradient
        x_bytes, y_bytes = y_bytes, x_bytes
    operands[0] += number * x_bytes
    operands[y] += number * y_bytes
    part.shape.images = work.shape.images // work.plan.n_marks
    part.loop, part.exact, part.operands, part.kept = work.exact, <const ConvLoop*>NULL, operands, <char*>NULL
    part.loop.plan(&part.shape, &part.plan)
    return run_pooled(&part)


cdef size_t run_recorded(void* block) noexcept nogil:
    """A call of a graph.  Returns the bytes that there were not, or 0."""
    cdef Direction* work = <Direction*>block
    cdef size_t missing
    work.n_threads = threads_for(work)
    missing = run_pooled(work)
    release_threads(work.n_threads)
    return missing


cdef size_t run_pooled(Direction* work) noexcept nogil:
    """On the threads that there are, in memory of the pool.  Returns the bytes that there were not, or 0."""
    cdef size_t shared_bytes = align(work.plan.shared_bytes) if work.kept == NULL else 0
    cdef size_t missing, n_bytes = shared_bytes + mark_bytes(work) + work.n_threads * align(work.plan.scratch_bytes)
    cdef char* memory = <char*>pool_allocate(n_bytes)
    if memory == NULL:
        return n_bytes
    work.shared = memory if work.kept == NULL else work.kept
    work.marks = memory + shared_bytes
    work.scratch = work.marks + mark_bytes(work)
    missing = share_all(work)
    pool_release(memory, n_bytes)
    return missing


cdef size_t prepare_recorded(void* block) noexcept nogil:
    """Pack the weights, for all calls of a graph."""
    cdef Direction* work = <Direction*>block
    work.loop.prepare(&work.plan, work.operands, work.kept, 0, work.plan.n_prepared)
    return 0


cdef int record(const Direction* work, int n_in, int weights) except -1:
    """Describe the call for the graph that is captured."""
    cdef Launch launch = new_launch("convolution", run_recorded)
    cdef int k
    launch.add(work, sizeof(Direction))
    launch.value(&work.operands, (work.n_operands + (work.exact != NULL)) * sizeof(void*))
    for k in range(work.n_operands):
        launch.operand(&work.operands[k], k >= n_in)
    if weights >= 0:
        launch.keep(&work.kept, work.plan.shared_bytes, prepare_recorded)
        launch.made_of(&work.operands[weights])
    return launch.submit()


cdef void share_step(Direction* work, ConvStep step, Py_ssize_t n) noexcept nogil:
    """What comes before or after the tasks, `n` pieces of it, by all threads where its memory is worth a region."""
    work.step, work.n_in_step = step, n
    if n < work.n_threads or work.plan.shared_bytes < SHARED_BYTES:
        step(&work.plan, work.operands, work.shared, 0, n)
    else:
        share_evenly(run_step, work, work.n_threads, work.n_threads)


cdef void run_step(void* direction, Py_ssize_t worker) noexcept nogil:
    """One thread's pieces of the work before or after the tasks."""
    cdef const Direction* work = <const Direction*>direction
    cdef Py_ssize_t n = work.n_in_step, n_threads = work.n_threads
    work.step(&work.plan, work.operands, work.shared, n * worker // n_threads, n * (worker + 1) // n_threads)


cdef void run_share(void* direction, Py_ssize_t worker) noexcept nogil:
    """One thread's tasks, in its own scratch memory."""
    cdef const Direction* work = <const Direction*>direction
    cdef const ConvPlan* plan = &work.plan
    cdef Py_ssize_t n_threads = work.n_threads
    cdef char* scratch = work.scratch + worker * align(plan.scratch_bytes)
    cdef Py_ssize_t first = plan.n_tasks * worker // n_threads, end = plan.n_tasks * (worker + 1) // n_threads, number
    for number from first <= number < end by work.n_at_a_time:
        if number > first and not goes_on():
            return
        work.loop.run(plan, work.operands, work.shared, scratch, number, min(end, number + work.n_at_a_time))


cdef size_t align(size_t n_bytes) noexcept nogil:
    """Whole cache lines, so that neighbours share none."""
    return (n_bytes + 63) & ~<size_t>63
