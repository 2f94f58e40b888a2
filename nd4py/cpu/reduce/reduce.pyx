"""Reductions over axes.

Axes are split into kept and reduced ones, and the work into tasks with borders fixed by the shape.

Design: where the reduced axes hold the shortest stride, each result is one line, and a strip of such lines makes one
call (`along`); otherwise whole rows are added into a strip of accumulators (`across`), so that memory is always read in
order.  Long reductions are cut in pieces whose accumulators are merged in order: results do not depend on the number of
threads.  Elements of a dtype without a loop of its own are converted tile by tile in front of it.
"""

from nd4py._core.array.array cimport NDArray
from nd4py._core.element_sizes cimport itemsizes
from nd4py._core.graphs.launch_recording cimport Launch, is_recording, n_captures, new_launch, note_operand
from nd4py._core.threads.threads cimport raise_if_stopped
from nd4py._core.layout.plan cimport (
    Plan, Walk, add_line, finish_plan, next_line, plan_line, start_plan, start_walk,
)
from nd4py._core.layout.shape cimport MAX_NDIM
from nd4py._mem.workspace.held_memory cimport Hold, holds
from nd4py._mem.pool.pool cimport pool_allocate, pool_release
from nd4py.cpu.isa.isa cimport ArgReduceLoops, CastLoop, ReduceLoops, loops
from nd4py.cpu.program.recorded_calls cimport add_call, add_plan
from nd4py.cpu.program.produce cimport Source, can_reduce_produced, produce, reduce_produced
from nd4py.cpu.parallel.tasks cimport share_by_time, share_evenly

from ..._mem.diagnostics.memory_wants import out_of_memory

cdef double BYTE_NS = 0.008              # nanoseconds in which one thread adds up a byte of elements in L2
cdef double LINE_NS = 3                  # nanoseconds that a line of elements takes beside these
cdef enum:
    STRIP_RESULTS = 2048                 # results whose accumulators stay in L1
    GROUP_ELEMENTS = 32768               # elements whose results make one task
    MOST_TASKS = 64                      # tasks above which a reduction is not cut in pieces
    ROWS_OF_PIECE = 256                  # rows of a piece, at least: merging its accumulators costs as much as three
    SCRATCH_DOUBLES = 8192               # doubles: STRIP_RESULTS accumulators of up to 32 bytes
    TILE_ELEMENTS = 4096                 # elements converted at once: a SEGMENT of reduce_loops.inc
    PRODUCED_DOUBLES = 8192              # of elements that a source computes at once: TILE_ELEMENTS of the widest dtype
    PRODUCED_ROWS = 16                   # of these, across; the loops take 8 or 16 at once
    NARROW_ELEMENTS = 64                 # elements of a line
    SMALL_ELEMENTS = 4096                # elements below which giving up the GIL costs more than it saves

cdef struct Reduction:
    const ReduceLoops* loops             # exactly one of the two is set
    const ArgReduceLoops* arg_loops
    CastLoop cast                        # into the dtype of the loops, or NULL
    const Source* source                 # what computes the elements, which then have no memory, or NULL
    bint is_in_registers                 # what it computes is reduced before it leaves them
    Py_ssize_t itemsize                  # of that dtype
    Plan kept                            # operand 0: x, 1: y
    Plan reduced                         # operand 0: x, as an offset
    Py_ssize_t count                     # elements behind one result
    bint is_across
    Py_ssize_t strip                     # results of one call
    Py_ssize_t n_strips                  # strips in a line of kept elements
    Py_ssize_t n_pieces
    Py_ssize_t piece                     # elements of the reduced axes in one piece
    Py_ssize_t n_groups                  # tasks over results
    Py_ssize_t group                     # strips in a task
    Py_ssize_t total                     # strips in all
    Py_ssize_t acc_size
    char* partial                        # accumulators of all pieces, or NULL when there is one
    Py_ssize_t size                      # elements of all


cdef int run_reduce(const ReduceLoops* reduce_loops, NDArray x, int number, const bint* is_reduced,
                    NDArray y) except -1:
    """Reduce `x`, as dtype `number`, along the marked axes into `y`, dense and with the shape of the others."""
    cdef Reduction work
    work.loops = reduce_loops
    work.arg_loops = NULL
    work.acc_size = reduce_loops.acc_size
    work.source = NULL
    return run(&work, x, number, is_reduced, y)


cdef bint can_reduce_source(NDArray virtual, const bint* is_reduced) noexcept:
    """Whether elements that are computed on the way give the same bits as those in memory: not those of rows so
    narrow that many of them are reduced as one, nor of lines that take longer to find than to read, nor of lines
    across the order in which elements are computed."""
    cdef Reduction work
    if virtual.info.size == 0:
        return False
    split_axes(&work, virtual, is_reduced, virtual)
    choose_strips(&work)
    cdef const Plan* lines = &work.kept if work.is_across else &work.reduced
    return (lines.shape[lines.ndim - 1] >= NARROW_ELEMENTS
            and lines.strides[0][lines.ndim - 1] == virtual.info.itemsize)


cdef bint can_convert_before(NDArray x, const bint* is_reduced) noexcept:
    """Whether elements that have been converted come to the same bits as those that `run_reduce` converts: it adds up
    the rows of a tile before those of the next one."""
    cdef Reduction work
    if x.info.size == 0:
        return False
    split_axes(&work, x, is_reduced, x)
    choose_strips(&work)
    cdef Py_ssize_t rows = max(<Py_ssize_t>TILE_ELEMENTS // work.strip, <Py_ssize_t>1)
    return not work.is_across or rows % PRODUCED_ROWS == 0 or rows >= work.reduced.shape[work.reduced.ndim - 1]


cdef void cut_rows(Py_ssize_t n_blocks, Py_ssize_t n, Py_ssize_t inner, Py_ssize_t* strip,
                   Py_ssize_t* piece) noexcept:
    """How `run_reduce` cuts rows of `n` elements that lie `inner` apart, `inner` of them in each of some dense blocks
    of more than GROUP_ELEMENTS / 2 elements: into strips of so many rows, and into pieces of so many elements."""
    cdef Reduction work
    start_plan(&work.kept, 0, NULL)
    start_plan(&work.reduced, 0, NULL)
    add_axis(&work.kept, n_blocks, n * inner)
    add_axis(&work.reduced, n, inner)
    add_axis(&work.kept, inner, 1)
    work.kept.strides[1][0], work.kept.strides[1][1] = inner, 1
    work.kept.n_operands, work.reduced.n_operands = 2, 1
    work.kept.data[0] = work.kept.data[1] = work.reduced.data[0] = NULL
    finish_plan(&work.kept, GROUP_ELEMENTS)
    finish_plan(&work.reduced, PIECE_ELEMENTS)
    work.count = work.reduced.size
    work.cast = NULL
    choose_strips(&work)
    choose_tasks(&work)
    strip[0], piece[0] = work.strip, work.piece


cdef int run_source(const ReduceLoops* reduce_loops, const Source* source, NDArray virtual, const bint* is_reduced,
                    NDArray y) except -1:
    """As `run_reduce`, of elements of the loops' dtype that a source computes; `virtual` has their shape."""
    cdef Reduction work
    work.loops = reduce_loops
    work.arg_loops = NULL
    work.acc_size = reduce_loops.acc_size
    work.source = source
    work.is_in_registers = can_reduce_produced(source, reduce_loops)
    return run(&work, virtual, virtual.number, is_reduced, y)


cdef int run_argreduce(int row, NDArray x, int number, int axis, NDArray y) except -1:
    """The index of the best element of each line along `axis`."""
    cdef Reduction work
    cdef bint is_reduced[MAX_NDIM]
    cdef int i
    for i in range(x.info.ndim):
        is_reduced[i] = i == axis
    work.loops = NULL
    work.arg_loops = <const ArgReduceLoops*>loops.rows[row][number]
    work.acc_size = work.arg_loops.acc_size
    work.source = NULL
    return run(&work, x, number, is_reduced, y)


cdef int run(Reduction* work, NDArray x, int number, const bint* is_reduced, NDArray y) except -1:
    work.cast = NULL
    if number != x.number:
        work.cast = loops.cast[x.number][number]
    work.itemsize = itemsizes[number]
    split_axes(work, x, is_reduced, y)
    choose_strips(work)
    choose_tasks(work)
    work.size = x.info.size
    if n_captures and is_recording():
        if work.source == NULL:
            note_operand(x)
        record(work)
    return execute(work)


cdef void split_axes(Reduction* work, NDArray x, const bint* is_reduced, NDArray y) noexcept:
    cdef Plan* kept = &work.kept
    cdef Plan* reduced = &work.reduced
    cdef Py_ssize_t step = y.info.itemsize
    cdef bint is_in_order = not y.info.is_contiguous  # as x is: where there is no result yet, x stands for it
    cdef int i
    if x.info.is_contiguous and x.info.size > 1 and are_all(is_reduced, x.info.ndim):
        plan_line(kept, 1, GROUP_ELEMENTS)
        add_line(kept, x.data, 0)
        add_line(kept, y.data, 0)
        plan_line(reduced, x.info.size, PIECE_ELEMENTS)
        add_line(reduced, NULL, x.info.itemsize)
        work.count = reduced.size
        return
    start_plan(kept, 0, NULL)
    start_plan(reduced, 0, NULL)
    for i in range(x.info.ndim):
        if is_reduced[i]:
            add_axis(reduced, x.info.shape[i], x.info.strides[i])
        else:
            add_axis(kept, x.info.shape[i], x.info.strides[i])
    for i in range(kept.ndim - 1, -1, -1):
        kept.strides[1][i] = step if not is_in_order else kept.strides[0][i] if y is x else y.info.strides[i]
        step *= kept.shape[i]
    kept.n_operands = 2
    kept.data[0] = x.data
    kept.data[1] = y.data
    reduced.n_operands = 1
    reduced.data[0] = NULL
    finish_plan(kept, GROUP_ELEMENTS)
    finish_plan(reduced, PIECE_ELEMENTS)
    work.count = reduced.size


cdef bint are_all(const bint* is_reduced, int ndim) noexcept:
    cdef int i
    for i in range(ndim):
        if not is_reduced[i]:
            return False
    return True


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
    cdef Py_ssize_t length = work.reduced.shape[work.reduced.ndim - 1]
    work.is_across = line > 1 and 0 < kept_stride < reduced_stride
    work.strip = max(min(line, <Py_ssize_t>STRIP_RESULTS), <Py_ssize_t>1)
    if not work.is_across:
        work.strip = max(min(work.strip, (GROUP_ELEMENTS if work.cast == NULL else TILE_ELEMENTS) // max(length, 1)), 1)
    work.n_strips = (line + work.strip - 1) // work.strip
    work.total = work.kept.size // line * work.n_strips if work.kept.size else 0


cdef void choose_tasks(Reduction* work) noexcept:
    cdef Py_ssize_t elements = work.count * work.strip
    work.n_pieces = work.group = 1
    if 0 < work.total < MOST_TASKS:
        work.n_pieces = min((elements + PIECE_ELEMENTS - 1) // PIECE_ELEMENTS, MOST_TASKS // work.total)
        if work.strip > 1:
            work.n_pieces = min(work.n_pieces, work.count // ROWS_OF_PIECE)
        work.n_pieces = max(work.n_pieces, 1)
    work.piece = (work.count + work.n_pieces - 1) // work.n_pieces
    if work.n_pieces > 1:
        work.n_pieces = (work.count + work.piece - 1) // work.piece
    else:
        work.group = max(GROUP_ELEMENTS // max(elements, 1), 1)
    work.n_groups = (work.total + work.group - 1) // work.group


cdef int execute(Reduction* work) except -1:
    cdef size_t missing
    cdef Hold hold
    if work.size <= SMALL_ELEMENTS:
        missing = reduce_all(work)
    else:
        hold.add_all(holds, work.kept.data, 2)
        if work.source != NULL:
            hold.add_all(holds, work.source.plan.data, work.source.plan.n_operands)
        with nogil:
            missing = reduce_all(work)
    if missing:
        raise out_of_memory(missing, "the partial results of a reduction")
    return raise_if_stopped()


cdef size_t reduce_all(void* reduction) noexcept nogil:
    """All pieces, by as many threads as are worth while.  Returns the bytes that there were not, or 0."""
    cdef Reduction* work = <Reduction*>reduction
    cdef size_t partial_bytes = work.total * work.n_pieces * work.strip * work.acc_size
    cdef Py_ssize_t n_tasks = work.n_groups * work.n_pieces
    cdef Py_ssize_t i
    work.partial = NULL
    if work.n_pieces > 1:
        work.partial = <char*>pool_allocate(partial_bytes)
        if work.partial == NULL:
            return partial_bytes
    if work.size <= SMALL_ELEMENTS:
        share_evenly(run_task, work, n_tasks, 1)
    else:
        share_by_time(run_task, work, n_tasks, work.size * element_cost(work) + lines_cost(work))
    if work.partial != NULL:
        for i in range(work.total):
            merge_pieces(work, i)
        pool_release(work.partial, partial_bytes)
    return 0


cdef int record(const Reduction* work) except -1:
    """Describe the reduction for the graph that is captured."""
    cdef Launch launch = new_launch("reduction", reduce_all)
    launch.add(work, sizeof(Reduction))
    launch.operand(&work.kept.data[0], False)
    launch.operand(&work.kept.data[1], True)
    if work.source != NULL:
        launch.add(work.source, sizeof(Source))
        launch.link(&work.source)
        add_call(launch, work.source.call)
        launch.link(&work.source.call)
        add_plan(launch, work.source.plan, work.source.call.n_in)
        launch.link(&work.source.plan)
    return launch.submit()


cdef double element_cost(const Reduction* work) noexcept nogil:
    """Nanoseconds of one element on one thread."""
    return work.itemsize * BYTE_NS + (0 if work.source == NULL else work.source.call.nanoseconds)


cdef double lines_cost(const Reduction* work) noexcept nogil:
    """Nanoseconds of all lines on one thread, beside those of their elements."""
    return 0 if work.is_across else work.kept.size * LINE_NS


cdef void run_task(void* reduction, Py_ssize_t task) noexcept nogil:
    """One piece of one strip, or a group of whole strips."""
    cdef const Reduction* work = <const Reduction*>reduction
    cdef double scratch[SCRATCH_DOUBLES]
    cdef Py_ssize_t strip
    if work.n_pieces > 1:
        accumulate(work, task // work.n_pieces, task % work.n_pieces, work.partial + task * work.strip * work.acc_size)
        return
    for strip in range(task * work.group, min((task + 1) * work.group, work.total)):
        accumulate(work, strip, 0, <char*>scratch)
        store(work, strip, <char*>scratch)


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
    cdef Py_ssize_t result_step = work.kept.strides[0][work.kept.ndim - 1]
    if work.loops != NULL:
        work.loops.init(acc, n)
    else:
        work.arg_loops.init(acc, n)
    if work.count == 0:
        return
    start_walk(&work.reduced, first, min(work.piece, work.count - first), &walk)
    while walk.left > 0:
        if work.source != NULL:
            feed_produced(work, <Py_ssize_t>x + <Py_ssize_t>walk.data[0], result_step, n, step, walk.line, acc)
        elif work.cast == NULL:
            feed(work, x + <Py_ssize_t>walk.data[0], result_step, n, step, walk.line, done, acc)
        else:
            feed_converted(work, x + <Py_ssize_t>walk.data[0], result_step, n, step, walk.line, done, acc)
        done += walk.line
        next_line(&work.reduced, &walk)


cdef void feed(const Reduction* work, const char* x, Py_ssize_t result_step, Py_ssize_t n, Py_ssize_t step,
               Py_ssize_t length, Py_ssize_t done, char* acc) noexcept nogil:
    """`length` elements for each of `n` results, the first of them being number `done`."""
    if work.loops == NULL:
        if work.is_across:
            work.arg_loops.across(x, step, length, result_step, n, done, acc)
        else:
            work.arg_loops.along(x, result_step, n, step, length, done, acc)
    elif work.is_across:
        work.loops.across(x, step, length, result_step, n, acc)
    else:
        work.loops.along(x, result_step, n, step, length, acc)


cdef void feed_converted(const Reduction* work, const char* x, Py_ssize_t result_step, Py_ssize_t n, Py_ssize_t step,
                         Py_ssize_t length, Py_ssize_t done, char* acc) noexcept nogil:
    """The same, tile by tile, through the conversion."""
    cdef double tile[TILE_ELEMENTS * 2]
    cdef Py_ssize_t size = work.itemsize, part = max(<Py_ssize_t>TILE_ELEMENTS // n, <Py_ssize_t>1), at = 0, i
    while at < length:
        part = min(part, length - at)
        if work.is_across:
            for i in range(part):
                work.cast(x + (at + i) * step, result_step, <char*>tile + i * n * size, size, n)
            feed(work, <char*>tile, size, n, n * size, part, done + at, acc)
        else:
            for i in range(n):
                work.cast(x + i * result_step + at * step, step, <char*>tile + i * part * size, size, part)
            feed(work, <char*>tile, part * size, n, size, part, done + at, acc)
        at += part


cdef void feed_produced(const Reduction* work, Py_ssize_t x, Py_ssize_t result_step, Py_ssize_t n, Py_ssize_t step,
                        Py_ssize_t length, char* acc) noexcept nogil:
    """The same for elements that a source computes; `x` is where the first would be if the array lay at 0."""
    cdef Py_ssize_t size = work.itemsize, i = 0
    if work.is_across:
        feed_columns(work, x, result_step, n, step, length, acc)
    elif length > TILE_ELEMENTS:
        for i in range(n):
            feed_long_line(work, (x + i * result_step) // size, length, acc + i * work.acc_size)
    else:
        while i < n:
            feed_lines(work, x + i * result_step, result_step, min(TILE_ELEMENTS // length, n - i), length,
                       acc + i * work.acc_size)
            i += TILE_ELEMENTS // length


cdef void feed_columns(const Reduction* work, Py_ssize_t x, Py_ssize_t result_step, Py_ssize_t n, Py_ssize_t step,
                       Py_ssize_t length, char* acc) noexcept nogil:
    """Rows of `n` columns, some of each at a time.

    They lie so far from each other that narrow ones are not reduced as one, because in memory they have gaps: they are
    the last columns of longer rows (`can_reduce_source`).
    """
    cdef double tile[PRODUCED_DOUBLES]
    cdef Py_ssize_t size = work.itemsize, i, j = 0, k, rows, columns
    cdef Py_ssize_t width = min(max(n, work.loops.wide), <Py_ssize_t>(sizeof(tile) // size // PRODUCED_ROWS))
    while j < n:
        columns = min(width, n - j)
        i = 0
        while i < length:
            rows = min(<Py_ssize_t>PRODUCED_ROWS, length - i)
            for k in range(rows):
                produce(work.source, (x + j * result_step + (i + k) * step) // size, columns,
                        <char*>tile + k * width * size)
            work.loops.across(<char*>tile, width * size, rows, size, columns, acc + j * work.acc_size)
            i += rows
        j += columns


cdef void feed_long_line(const Reduction* work, Py_ssize_t first, Py_ssize_t length, char* acc) noexcept nogil:
    """A line from its element number `first` on, segment by segment."""
    cdef double tile[PRODUCED_DOUBLES]
    cdef Py_ssize_t part, j = 0
    if work.is_in_registers:
        reduce_produced(work.source, work.loops, first, length, acc)
        return
    while j < length:
        part = min(<Py_ssize_t>TILE_ELEMENTS, length - j)
        produce(work.source, first + j, part, <char*>tile)
        work.loops.along(<char*>tile, 0, 1, work.itemsize, part, acc)
        j += part


cdef void feed_lines(const Reduction* work, Py_ssize_t x, Py_ssize_t result_step, Py_ssize_t n, Py_ssize_t length,
                     char* acc) noexcept nogil:
    """A group of short lines at once."""
    cdef double tile[PRODUCED_DOUBLES]
    cdef Py_ssize_t size = work.itemsize, k
    if result_step == length * size:
        produce(work.source, x // size, n * length, <char*>tile)
    else:
        for k in range(n):
            produce(work.source, (x + k * result_step) // size, length, <char*>tile + k * length * size)
    work.loops.along(<char*>tile, length * size, n, size, length, acc)


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
    cdef char* x
    cdef char* y
    cdef Py_ssize_t n = locate(work, strip, &x, &y)
    cdef Py_ssize_t width = work.strip * work.acc_size
    cdef char* acc = work.partial + strip * work.n_pieces * width
    cdef Py_ssize_t i
    for i in range(1, work.n_pieces):
        if work.loops != NULL:
            work.loops.merge(acc, acc + i * width, n)
        else:
            work.arg_loops.merge(acc, acc + i * width, n)
    store(work, strip, acc)
