"""Run a reduction: split its axes into kept and reduced ones, and its work into tasks with borders fixed by the shape.

Design: where the reduced axes hold the shortest stride, each result is one long line (`along`); otherwise whole rows
are added into a row of accumulators (`across`), so that memory is always read in order.  Long reductions are cut in
pieces whose accumulators are merged in order: results do not depend on the number of threads.
"""

from cython.parallel cimport prange
from nd4py._core.array cimport NDArray
from nd4py._core.plan cimport Plan, Walk, finish_plan, next_line, start_plan, start_walk
from nd4py._core.shape cimport MAX_NDIM
from nd4py._core.threads cimport WORTH_WAKING, acquire_threads, current_core, leave_core, release_threads
from nd4py._mem.pool cimport pool_allocate, pool_release
from nd4py.cpu.isa cimport ArgReduceLoops, ReduceLoops, loops

cdef enum:
    STRIP = 2048                         # columns whose accumulators stay in L1
    PIECE = 262144                       # elements of one piece of a long reduction
    SCRATCH = 4096                       # doubles: STRIP accumulators of up to 16 bytes
    GROUP = 32768                        # elements whose results make one task
    SMALL = 4096                         # elements below which giving up the GIL costs more than it saves

cdef struct Reduction:
    const ReduceLoops* loops             # exactly one of the two is set
    const ArgReduceLoops* arg_loops
    Plan kept                            # operand 0: x, 1: y
    Plan reduced                         # operand 0: x, as an offset
    Py_ssize_t count                     # elements behind one result
    Py_ssize_t strip                     # results accumulated side by side; 1 when along
    Py_ssize_t n_strips                  # strips in a line of kept elements
    Py_ssize_t n_pieces
    Py_ssize_t piece                     # elements of the reduced axes in one piece
    Py_ssize_t n_groups                  # tasks over results
    Py_ssize_t group                     # strips in a task
    Py_ssize_t total                     # strips in all
    Py_ssize_t acc_size
    char* partial                        # accumulators of all pieces, or NULL when there is one


cdef int run_reduce(int row, NDArray x, const bint* is_reduced, NDArray y) except -1:
    """Reduce `x` along the marked axes into `y`, which is contiguous and has the shape of the other axes."""
    cdef Reduction work
    work.loops = <const ReduceLoops*>loops().rows[row][x.number]
    work.arg_loops = NULL
    work.acc_size = work.loops.acc_size
    split_axes(&work, x, is_reduced, y)
    choose_strips(&work)
    return execute(&work, x.info.size)


cdef int run_argreduce(int row, NDArray x, int axis, NDArray y) except -1:
    """Where the best element of each line along `axis` stands."""
    cdef Reduction work
    cdef bint is_reduced[MAX_NDIM]
    cdef int i
    for i in range(x.info.ndim):
        is_reduced[i] = i == axis
    work.loops = NULL
    work.arg_loops = <const ArgReduceLoops*>loops().rows[row][x.number]
    work.acc_size = work.arg_loops.acc_size
    split_axes(&work, x, is_reduced, y)
    choose_tasks(&work, 1)
    return execute(&work, x.info.size)


cdef void split_axes(Reduction* work, NDArray x, const bint* is_reduced, NDArray y) noexcept:
    cdef Plan* kept = &work.kept
    cdef Plan* reduced = &work.reduced
    cdef Py_ssize_t step = y.info.itemsize
    cdef int i
    start_plan(kept, 0, NULL)
    start_plan(reduced, 0, NULL)
    for i in range(x.info.ndim):
        if is_reduced[i]:
            add_axis(reduced, x.info.shape[i], x.info.strides[i])
        else:
            add_axis(kept, x.info.shape[i], x.info.strides[i])
    for i in range(kept.ndim - 1, -1, -1):
        kept.strides[1][i] = step
        step *= kept.shape[i]
    kept.n_operands = 2
    kept.data[0] = x.data
    kept.data[1] = y.data
    reduced.n_operands = 1
    reduced.data[0] = NULL
    finish_plan(kept, GROUP)
    finish_plan(reduced, PIECE)
    work.count = reduced.size


cdef void add_axis(Plan* plan, Py_ssize_t size, Py_ssize_t stride) noexcept:
    plan.shape[plan.ndim] = size
    plan.strides[0][plan.ndim] = stride
    plan.size *= size
    plan.ndim += 1


cdef void choose_strips(Reduction* work) noexcept:
    """`across` when a kept axis lies denser in memory than every reduced one."""
    cdef Py_ssize_t kept_stride = abs(work.kept.strides[0][work.kept.ndim - 1])
    cdef Py_ssize_t reduced_stride = abs(work.reduced.strides[0][work.reduced.ndim - 1])
    cdef Py_ssize_t line = work.kept.shape[work.kept.ndim - 1]
    choose_tasks(work, min(line, <Py_ssize_t>STRIP) if line > 1 and 0 < kept_stride < reduced_stride else 1)


cdef void choose_tasks(Reduction* work, Py_ssize_t strip) noexcept:
    cdef Py_ssize_t line = work.kept.shape[work.kept.ndim - 1]
    work.strip = strip
    work.n_strips = (line + strip - 1) // strip
    work.total = work.kept.size // line * work.n_strips if work.kept.size else 0
    work.piece = max(<Py_ssize_t>PIECE // strip, 1)
    work.n_pieces = 1
    if work.total < 64 and work.count > work.piece:
        work.n_pieces = (work.count + work.piece - 1) // work.piece
    else:
        work.piece = work.count
    work.group = 1
    if work.n_pieces == 1:
        work.group = max(<Py_ssize_t>GROUP // max(work.count * strip, 1), 1)
    work.n_groups = (work.total + work.group - 1) // work.group


cdef int execute(Reduction* work, Py_ssize_t size) except -1:
    cdef size_t partial_bytes = work.total * work.n_pieces * work.strip * work.acc_size
    cdef Py_ssize_t n_tasks = work.n_groups * work.n_pieces
    cdef Py_ssize_t i
    cdef int n_threads, home
    work.partial = NULL
    if work.n_pieces > 1:
        work.partial = <char*>pool_allocate(partial_bytes)
        if work.partial == NULL:
            raise MemoryError(f"cannot allocate {partial_bytes} bytes for the partial results of a reduction")
    if size <= SMALL:
        for i in range(n_tasks):
            run_task(work, i)
    else:
        with nogil:
            n_threads = acquire_threads(n_tasks if size >= WORTH_WAKING else 1)
            home = current_core()
            for i in prange(n_tasks, num_threads=n_threads, schedule="static"):
                leave_core(home)
                run_task(work, i)
            release_threads(n_threads)
    if work.partial != NULL:
        for i in range(work.total):
            merge_pieces(work, i)
        pool_release(work.partial, partial_bytes)
    return 0


cdef void run_task(const Reduction* work, Py_ssize_t task) noexcept nogil:
    """One piece of one strip, or a group of whole strips."""
    cdef double scratch[SCRATCH]
    cdef Py_ssize_t strip, last
    if work.n_pieces > 1:
        strip = task // work.n_pieces
        accumulate(work, strip, task % work.n_pieces,
                   work.partial + (strip * work.n_pieces + task % work.n_pieces) * work.strip * work.acc_size)
        return
    last = min((task + 1) * work.group, work.total)
    if work.loops != NULL and work.strip == 1 and work.kept.ndim == 1 and work.reduced.ndim == 1:
        run_lines(work, task * work.group, last)
        return
    for strip in range(task * work.group, last):
        accumulate(work, strip, 0, <char*>scratch)
        store(work, strip, <char*>scratch)


cdef void run_lines(const Reduction* work, Py_ssize_t first, Py_ssize_t last) noexcept nogil:
    """Whole results of one line each, evenly spaced: the rows of a matrix, without a walk for every one."""
    cdef double acc[2]
    cdef Py_ssize_t x_step = work.kept.strides[0][0], y_step = work.kept.strides[1][0], i
    for i in range(first, last):
        work.loops.init(<char*>acc, 1)
        work.loops.along(work.kept.data[0] + i * x_step, work.reduced.strides[0][0], work.count, <char*>acc)
        work.loops.finish(<char*>acc, 1, work.count, work.kept.data[1] + i * y_step, y_step)


cdef Py_ssize_t locate(const Reduction* work, Py_ssize_t strip, char** x, char** y) noexcept nogil:
    """Where a strip's elements and results begin, and how many results it has."""
    cdef Py_ssize_t line = work.kept.shape[work.kept.ndim - 1]
    cdef Py_ssize_t column = strip % work.n_strips * work.strip
    cdef Walk walk
    start_walk(&work.kept, strip // work.n_strips * line + column, 1, &walk)
    x[0] = walk.data[0]
    y[0] = walk.data[1]
    return min(work.strip, line - column)


cdef void accumulate(const Reduction* work, Py_ssize_t strip, Py_ssize_t piece, char* acc) noexcept nogil:
    cdef char* x
    cdef char* y
    cdef Walk walk
    cdef Py_ssize_t n = locate(work, strip, &x, &y)
    cdef Py_ssize_t first = piece * work.piece
    cdef Py_ssize_t done = first
    cdef Py_ssize_t step = work.reduced.strides[0][work.reduced.ndim - 1]
    cdef Py_ssize_t column_step = work.kept.strides[0][work.kept.ndim - 1]
    if work.loops != NULL:
        work.loops.init(acc, n)
    else:
        work.arg_loops.init(acc, n)
    if work.count == 0:
        return
    start_walk(&work.reduced, first, min(work.piece, work.count - first), &walk)
    while walk.left > 0:
        if work.loops == NULL:
            work.arg_loops.along(x + <Py_ssize_t>walk.data[0], step, walk.line, done, acc)
        elif work.strip == 1:
            work.loops.along(x + <Py_ssize_t>walk.data[0], step, walk.line, acc)
        else:
            work.loops.across(x + <Py_ssize_t>walk.data[0], step, walk.line, column_step, n, acc)
        done += walk.line
        next_line(&work.reduced, &walk)


cdef void store(const Reduction* work, Py_ssize_t strip, const char* acc) noexcept nogil:
    cdef char* x
    cdef char* y
    cdef Py_ssize_t n = locate(work, strip, &x, &y)
    cdef Py_ssize_t step = work.kept.strides[1][work.kept.ndim - 1]
    if work.loops != NULL:
        work.loops.finish(acc, n, work.count, y, step)
    else:
        work.arg_loops.finish(acc, n, y, step)


cdef void merge_pieces(const Reduction* work, Py_ssize_t strip) noexcept nogil:
    """Join a strip's pieces in order and write its results."""
    cdef Py_ssize_t width = work.strip * work.acc_size
    cdef char* acc = work.partial + strip * work.n_pieces * width
    cdef Py_ssize_t i
    for i in range(1, work.n_pieces):
        if work.loops != NULL:
            work.loops.merge(acc, acc + i * width, work.strip)
        else:
            work.arg_loops.merge(acc, acc + i * width, work.strip)
    store(work, strip, acc)
