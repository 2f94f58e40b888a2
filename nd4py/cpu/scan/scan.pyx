"""Scans along one axis.  Lines are shared by the threads, and long ones cut into pieces.

Design: where another axis lies denser in memory, a strip of lines is scanned side by side (`across`), so that memory is
read in order; otherwise each line by itself (`along`).  A long line is cut into pieces with fixed borders: first the
threads find what every piece comes to, then these are added up in order, then the pieces are scanned from what lies
before them.  One thread does all three piece by piece, with the same numbers: results do not depend on the number of
threads.  Rows whose accumulators cannot be merged are never cut.

Sums of floats are therefore not rounded as by adding from left to right: runs of 16 elements start from the sum of the
runs before them, and float32 is carried in float64.  The error is that of n / 16 additions and not of n.  In return a
running sum of positive float64 numbers may step down by a rounding error from one run to the next.
"""

from libc.string cimport memcpy
from nd4py._core.array.array cimport NDArray
from nd4py._core.graphs.launch_recording cimport (
    Launch, is_recording, n_captures, new_launch, note_operand,
)
from nd4py._core.layout.plan cimport Plan, Walk, next_line, plan_lines, start_walk
from nd4py._core.threads.threads cimport acquire_threads_over, goes_on, raise_if_stopped, release_threads
from nd4py._mem.workspace.held_memory cimport Hold, holds
from nd4py._mem.pool.pool cimport pool_allocate, pool_release
from nd4py.cpu.isa.isa cimport ScanLoops
from nd4py.cpu.parallel.tasks cimport Task, share_evenly

from ..._mem.diagnostics.memory_wants import out_of_memory

cdef enum:
    PIECE_ELEMENTS = 16384               # elements of one piece of a long line, whole runs of scan_loops.inc
    GROUP_ELEMENTS = 32768               # elements whose lines make one task
    NARROW_LINES = 16                    # lines side by side from which `across` pays
    STRIP_LINES = 256                    # lines side by side at most, so that a wide array has a task for every thread
    PART_ELEMENTS = 262144               # elements of a strip between two questions whether to go on
    SMALL_ELEMENTS = 4096                # elements below which giving up the GIL costs more than it saves

cdef struct Scan:
    const ScanLoops* loops
    Plan lines                           # where lines begin; operand 0: x, 1: y
    Py_ssize_t n                         # elements of a line
    Py_ssize_t size                      # elements of all lines
    Py_ssize_t x_step
    Py_ssize_t y_step
    Py_ssize_t strip                     # lines scanned side by side, 1 when along
    Py_ssize_t n_strips                  # strips in a row of lines
    Py_ssize_t n_tasks
    Py_ssize_t group                     # lines of a task, when along
    Py_ssize_t n_pieces
    bint is_result_all                   # accumulators are not merged, and as wide as results
    char* before                         # one accumulator per piece of every line, or NULL


cdef int run_scan(const ScanLoops* loops, NDArray x, int axis, NDArray y) except -1:
    """Scan `x` along `axis` into `y` of the same shape."""
    cdef Scan work
    cdef size_t missing
    cdef Hold hold
    work.loops = loops
    work.n, work.size = x.info.shape[axis], x.info.size
    work.x_step, work.y_step = x.info.strides[axis], y.info.strides[axis]
    if x.info.size == 0:
        return 0
    work.is_result_all = loops.merge == NULL and loops.acc_size == y.info.itemsize
    plan_lines(&work.lines, x, axis, y, GROUP_ELEMENTS)
    choose_tasks(&work)
    if n_captures:
        note_operand(x)
        if is_recording():
            record(&work)
    if work.size <= SMALL_ELEMENTS:
        missing = scan_all(&work)
    else:
        hold.add_all(holds, work.lines.data, 2)
        with nogil:
            missing = scan_all(&work)
    if missing:
        raise out_of_memory(missing, "the pieces of a scan")
    return raise_if_stopped()


cdef size_t scan_all(void* scan) noexcept nogil:
    """All lines, by as many threads as are worth while.  Returns the bytes that there were not, or 0."""
    cdef Scan* work = <Scan*>scan
    if work.n_pieces > 1:
        return run_pieces(work)
    if work.size <= SMALL_ELEMENTS:
        share_evenly(run_task, work, work.n_tasks, 1)
    else:
        share_over(run_task, work, work.n_tasks, work.size)
    return 0


cdef int record(const Scan* work) except -1:
    """Describe the scan for the graph that is captured."""
    cdef Launch launch = new_launch("scan", scan_all)
    launch.add(work, sizeof(Scan))
    launch.operand(&work.lines.data[0], False)
    launch.operand(&work.lines.data[1], True)
    return launch.submit()


cdef void choose_tasks(Scan* work) noexcept:
    """How many lines side by side, how many pieces of a line, and how many tasks they make."""
    cdef int inner = work.lines.ndim - 1
    cdef Py_ssize_t width = work.lines.shape[inner]
    work.n_pieces = work.strip = work.n_strips = work.group = 1
    if width >= NARROW_LINES and abs(work.lines.strides[1][inner]) < abs(work.y_step):
        work.strip = max(<Py_ssize_t>NARROW_LINES, min(<Py_ssize_t>STRIP_LINES, (width + 1) // 2))
        work.n_strips = (width + work.strip - 1) // work.strip
        work.n_tasks = work.lines.size // width * work.n_strips
    elif work.n > PIECE_ELEMENTS and work.loops.merge != NULL and work.lines.size < 64:
        work.n_pieces = (work.n + PIECE_ELEMENTS - 1) // PIECE_ELEMENTS
        work.n_tasks = work.lines.size * work.n_pieces
    else:
        work.group = max(<Py_ssize_t>GROUP_ELEMENTS // work.n, 1)
        work.n_tasks = (work.lines.size + work.group - 1) // work.group


cdef void share_over(Task task, Scan* work, Py_ssize_t n_tasks, Py_ssize_t size) noexcept nogil:
    cdef int n_threads = acquire_threads_over(n_tasks, size)
    share_evenly(task, work, n_tasks, n_threads)
    release_threads(n_threads)


cdef void run_task(void* scan, Py_ssize_t task) noexcept nogil:
    """A strip of lines side by side, or a group of lines one by one."""
    cdef const Scan* work = <const Scan*>scan
    cdef int inner = work.lines.ndim - 1
    cdef Py_ssize_t first = task * work.group, i
    cdef Walk walk
    if work.strip > 1:
        run_strip(work, task)
        return
    start_walk(&work.lines, first, min(work.group, work.lines.size - first), &walk)
    while walk.left > 0:
        for i in range(walk.line):
            scan_line(work, walk.data[0] + i * work.lines.strides[0][inner],
                      walk.data[1] + i * work.lines.strides[1][inner])
        next_line(&work.lines, &walk)


cdef void run_strip(const Scan* work, Py_ssize_t task) noexcept nogil:
    """A strip of lines side by side, some rows at a time."""
    cdef int inner = work.lines.ndim - 1
    cdef Py_ssize_t width = work.lines.shape[inner], column = task % work.n_strips * work.strip
    cdef Py_ssize_t n_columns = min(work.strip, width - column), n_rows = PART_ELEMENTS // n_columns, row
    cdef double before[2 * STRIP_LINES]  # accumulators of at most 16 bytes
    cdef Walk walk
    start_walk(&work.lines, task // work.n_strips * width + column, 1, &walk)
    for row from 0 <= row < work.n by n_rows:
        if row > 0 and not goes_on():
            return
        work.loops.across(walk.data[0] + row * work.x_step, work.x_step, work.lines.strides[0][inner],
                          min(n_rows, work.n - row), n_columns, walk.data[1] + row * work.y_step, work.y_step,
                          work.lines.strides[1][inner], row == 0, <char*>before)


cdef void scan_line(const Scan* work, const char* x, char* y) noexcept nogil:
    """A line by itself: some elements at a time where the last result is all that the next ones need to know."""
    cdef Py_ssize_t first = 0, n = PIECE_ELEMENTS if work.is_result_all else work.n
    cdef double acc[2]
    cdef double total[2]
    work.loops.init(<char*>acc)
    while first < work.n and (first == 0 or goes_on()):
        work.loops.along(x + first * work.x_step, work.x_step, min(n, work.n - first), y + first * work.y_step,
                         work.y_step, <char*>acc, <char*>total)
        first += n
        if first < work.n:
            memcpy(acc, y + (first - 1) * work.y_step, work.loops.acc_size)


cdef size_t run_pieces(Scan* work) noexcept nogil:
    """Few long lines, cut into pieces.  Returns the bytes that there were not, or 0."""
    cdef size_t n_bytes = work.n_tasks * work.loops.acc_size
    cdef Py_ssize_t i
    cdef int n_threads
    work.before = <char*>pool_allocate(n_bytes)
    if work.before == NULL:
        return n_bytes
    n_threads = acquire_threads_over(work.n_tasks, work.size)
    if n_threads == 1:
        for i in range(work.lines.size):
            run_whole_line(work, i)
    else:
        share_evenly(sum_up_piece, work, work.n_tasks, n_threads)
        if goes_on():
            for i in range(work.lines.size):
                add_up_pieces(work, i)
        share_evenly(scan_piece, work, work.n_tasks, n_threads)
    release_threads(n_threads)
    pool_release(work.before, n_bytes)
    return 0


cdef void sum_up_piece(void* scan, Py_ssize_t task) noexcept nogil:
    """The total of a piece; that of the last piece of a line is not used."""
    cdef const Scan* work = <const Scan*>scan
    cdef Py_ssize_t piece = task % work.n_pieces
    cdef Walk walk
    if piece < work.n_pieces - 1:
        start_walk(&work.lines, task // work.n_pieces, 1, &walk)
        work.loops.sum_up(walk.data[0] + piece * PIECE_ELEMENTS * work.x_step, work.x_step, PIECE_ELEMENTS,
                          work.before + task * work.loops.acc_size)


cdef void scan_piece(void* scan, Py_ssize_t task) noexcept nogil:
    """The results of a piece, from what lies before it."""
    cdef const Scan* work = <const Scan*>scan
    cdef Py_ssize_t first = task % work.n_pieces * PIECE_ELEMENTS
    cdef double total[2]
    cdef Walk walk
    start_walk(&work.lines, task // work.n_pieces, 1, &walk)
    work.loops.along(walk.data[0] + first * work.x_step, work.x_step, min(<Py_ssize_t>PIECE_ELEMENTS, work.n - first),
                     walk.data[1] + first * work.y_step, work.y_step, work.before + task * work.loops.acc_size,
                     <char*>total)


cdef void add_up_pieces(const Scan* work, Py_ssize_t line) noexcept nogil:
    """Replace what each piece of a line comes to by what lies before it."""
    cdef Py_ssize_t size = work.loops.acc_size, i
    cdef char* totals = work.before + line * work.n_pieces * size
    cdef double acc[2]
    cdef double total[2]
    work.loops.init(<char*>acc)
    for i in range(work.n_pieces):
        memcpy(total, totals + i * size, size)
        memcpy(totals + i * size, acc, size)
        if i < work.n_pieces - 1:
            work.loops.merge(<char*>acc, <char*>total)


cdef void run_whole_line(const Scan* work, Py_ssize_t line) noexcept nogil:
    """All pieces of a line, one after the other."""
    cdef Py_ssize_t first = 0
    cdef double acc[2]
    cdef double total[2]
    cdef Walk walk
    start_walk(&work.lines, line, 1, &walk)
    work.loops.init(<char*>acc)
    while first < work.n and goes_on():
        work.loops.along(walk.data[0] + first * work.x_step, work.x_step,
                         min(<Py_ssize_t>PIECE_ELEMENTS, work.n - first), walk.data[1] + first * work.y_step,
                         work.y_step, <char*>acc, <char*>total)
        first += PIECE_ELEMENTS
        if first < work.n:
            work.loops.merge(<char*>acc, <char*>total)


# The gradient of a scan: lines of contiguous arrays.
cdef struct Pull:
    const ScanLoops* loops
    const char* g
    const char* x
    const char* y
    char* gradient
    Py_ssize_t n                         # elements of a line
    Py_ssize_t line                      # bytes of a line


cdef int run_pull(const ScanLoops* loops, NDArray g, NDArray x, NDArray y, NDArray gradient) except -1:
    """The gradient of a scan along the last axis; all are contiguous and of one shape."""
    cdef Py_ssize_t n = x.info.shape[x.info.ndim - 1]
    cdef Py_ssize_t n_lines = x.info.size // max(n, 1)
    cdef Pull work = Pull(loops, g.data, x.data, y.data, gradient.data, n, n * x.info.itemsize)
    cdef int n_threads
    cdef Hold hold
    hold.add(holds, g.data, x.data, y.data, gradient.data)
    with nogil:
        n_threads = acquire_threads_over(n_lines, x.info.size)
        share_evenly(pull_line, &work, n_lines, n_threads)
        release_threads(n_threads)
    return raise_if_stopped()


cdef void pull_line(void* pull, Py_ssize_t i) noexcept nogil:
    cdef const Pull* work = <const Pull*>pull
    cdef Py_ssize_t at = i * work.line
    work.loops.pull(work.g + at, work.x + at, work.y + at, work.n, work.gradient + at)
