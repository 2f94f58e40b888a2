"""Programs over blocks too large for the caches: several sweeps, each of which ends with reductions.

Design: a sweep goes through memory in its order.  Strips of columns so narrow that they stay in the second cache, as
nd4py.cpu.reduce.normalize copies them together, read memory once, in short pieces: of 4,096 x 4,096 float32 a layer
norm takes as long that way, a softmax three quarters of the time, and of (3,000, 2,000) both take a third more.  Blocks
are cut as `run_reduce` cuts them, so that bits are the same.  Where that leaves
units of one piece, a thread takes all sweeps over one after the other, so that short ones stay in its cache; else all
threads share the pieces of one sweep before the next one begins.
"""

from nd4py._core.element_sizes cimport itemsizes
from nd4py._core.graphs.launch_recording cimport Launch, is_recording, n_captures, new_launch
from nd4py._core.threads.threads cimport acquire_threads_for, goes_on, raise_if_stopped, release_threads
from nd4py._mem.pool.pool cimport pool_allocate, pool_release
from nd4py._mem.workspace.held_memory cimport Hold, holds
from nd4py.cpu.isa.isa cimport REDUCED_SEGMENT
from nd4py.cpu.isa.last_cache cimport LAST_CACHE_BYTES
from nd4py.cpu.parallel.tasks cimport share_evenly
from nd4py.cpu.elementwise.map cimport is_beyond_caches
from nd4py.cpu.program.block_programs cimport find_layout, is_dense, is_value
from nd4py.cpu.program.program cimport VALUE_BYTES
from nd4py.cpu.program.recorded_calls cimport add_call
from nd4py.cpu.program.sweep_pieces cimport (
    NARROW_COLUMNS, SweepWork, acc_bytes_of, cut_units, finish_unit, run_piece,
)

from ..._mem.diagnostics.memory_wants import out_of_memory

cdef enum:
    LINE_BYTES = 64                      # bytes of a cache line
    PAGE_BYTES = 4096                    # loads wait for stores before them that lie as far into a page
    GROUPED_ROWS = 16                    # that a reduction adds up in registers (reduce_loops.inc), or half as many
    NARROW_ELEMENTS = 4096               # of a narrow tile, at least
    WIDE_COLUMNS = 2048                  # of a wide tile, at most
    REGISTERS_BYTES = 524288             # of all registers of a wide tile, which stay in the second cache
    PIECES_TOGETHER = 16                 # that are swept together, at least, so that threads get equal shares


cdef void choose_sweep_tile(Program* program, const Rows* rows) noexcept:
    """How many elements a tile has, in how many columns; registers have `register_bytes` for each element so far."""
    cdef Py_ssize_t n_rows = GROUPED_ROWS
    program.element_bytes = program.register_bytes
    if rows.inner == 1:
        program.columns, n_rows = 1, REDUCED_SEGMENT
    elif rows.inner <= NARROW_COLUMNS:
        program.columns, n_rows = rows.inner, n_rows * common_fold(program, rows.inner)
        n_rows *= max(NARROW_ELEMENTS // (n_rows * rows.inner), <Py_ssize_t>1)
    else:
        program.columns = min(rows.inner, <Py_ssize_t>WIDE_COLUMNS)
        while program.n_registers * n_rows * program.columns * program.element_bytes > REGISTERS_BYTES:
            program.columns = (program.columns // 2 + LINE_BYTES - 1) // LINE_BYTES * LINE_BYTES
            if program.columns <= NARROW_COLUMNS:
                break
    program.tile = n_rows * program.columns
    program.register_bytes = align(program.element_bytes * program.tile)
    program.row_value_bytes = VALUE_BYTES


cdef Py_ssize_t common_fold(const Program* program, Py_ssize_t inner) noexcept:
    """A multiple of all numbers of rows that its reductions take as one."""
    cdef Py_ssize_t common = 1, fold, other, rest
    cdef int i
    for i in range(program.n_steps):
        if program.steps[i].reduction != NULL:
            fold = max(program.steps[i].reduction.wide // inner, <Py_ssize_t>1)
            other, rest = common, fold
            while rest:
                other, rest = rest, other % rest
            common *= fold // other
    return common


cdef inline Py_ssize_t align(Py_ssize_t n_bytes) noexcept nogil:
    return (n_bytes + LINE_BYTES - 1) // LINE_BYTES * LINE_BYTES


cdef int run_sweep_program(Plan* plan, const MapCall* call, int first_reduced, int end_reduced) except -1:
    """Visit the blocks of a plan that is not finished.  Raises MemoryError."""
    cdef SweepWork work
    cdef Hold hold
    cdef size_t missing
    cdef int i, k
    work.call, work.n_operands = call, plan.n_operands
    work.rows = Rows(1, 1, 1)
    for i in range(plan.ndim):
        if i < first_reduced:
            work.rows.n_blocks *= plan.shape[i]
        elif i < end_reduced:
            work.rows.n *= plan.shape[i]
        else:
            work.rows.inner *= plan.shape[i]
    work.is_streamed, work.nanoseconds = is_beyond_caches(plan, call), plan.size * call.nanoseconds
    for k in range(plan.n_operands):
        find_layout(plan, k, itemsizes[call.number[k]], &work.layouts[k])
    cut_units(&work)
    find_rooms(&work)
    find_reads(&work)
    if n_captures and is_recording():
        record(&work)
    hold.add_all(holds, plan.data, plan.n_operands)
    with nogil:
        missing = run_sweeps(&work)
    if missing:
        raise out_of_memory(missing, "sweeps of deferred operations")
    return raise_if_stopped()


cdef void find_rooms(SweepWork* work) noexcept:
    """Behind the registers lie the values of rows, and the copies of operands."""
    cdef const Program* program = work.call.program
    cdef Py_ssize_t n_bytes, longest = max(program.tile, work.strip)
    cdef int i, k
    work.row_value_bytes = align(longest * VALUE_BYTES)
    work.known_bytes = align(work.rows.n_blocks * work.rows.inner * VALUE_BYTES)
    work.room_bytes = program.n_registers * program.register_bytes + program.n_row_values * work.row_value_bytes
    for k in range(work.n_operands):
        work.copies[k] = -1
        if program.is_of_row[k] or (k < work.call.n_in and not is_dense(&work.layouts[k])
                                    and not is_value(&work.layouts[k])):
            work.copies[k] = work.room_bytes
            work.room_bytes += align(longest * work.layouts[k].itemsize)
    work.room_bytes = (work.room_bytes + PAGE_BYTES - 1) // PAGE_BYTES * PAGE_BYTES
    work.acc_bytes = LINE_BYTES
    for k in range(program.n_sweeps):
        n_bytes = 0
        for i in range(program.sweeps[k].first_reduction, program.sweeps[k].first_of_rows):
            n_bytes += acc_bytes_of(program.steps[i].reduction, work.strip)
        work.acc_bytes = max(work.acc_bytes, n_bytes)


cdef void find_reads(SweepWork* work) noexcept:
    """Which operands each sweep reads."""
    cdef const Program* program = work.call.program
    cdef int sweep, i, k
    for sweep in range(program.n_sweeps):
        for k in range(work.n_operands):
            work.is_read[sweep][k] = False
        for i in range(program.sweeps[sweep].first_step, program.sweeps[sweep].first_of_rows):
            for k in range(program.steps[i].n_in):
                if program.steps[i].slot[k] < work.n_operands:
                    work.is_read[sweep][program.steps[i].slot[k]] = True


cdef int record(const SweepWork* work) except -1:
    """Describe the call for the graph that is captured."""
    cdef Launch launch = new_launch("sweeps", run_sweeps)
    cdef int k
    launch.add(work, sizeof(SweepWork))
    add_call(launch, work.call)
    launch.link(&work.call)
    for k in range(work.n_operands):
        launch.operand(&work.layouts[k].data, k >= work.call.n_in)
    return launch.submit()


cdef size_t run_sweeps(void* sweeps) noexcept nogil:
    """All blocks, by as many threads as are worth while.  Returns the bytes that there were not, or 0."""
    cdef SweepWork* work = <SweepWork*>sweeps
    cdef Py_ssize_t n_known = work.call.program.n_row_values * work.known_bytes, n_accs, together
    cdef size_t n_bytes
    cdef char* memory
    work.n_threads = acquire_threads_for(work.n_units * work.n_pieces, work.nanoseconds)
    together = units_together(work)
    n_accs = work.n_threads if work.n_pieces == 1 else together * work.n_pieces
    n_bytes = work.n_threads * work.room_bytes + n_known + n_accs * work.acc_bytes + PAGE_BYTES
    memory = <char*>pool_allocate(n_bytes)
    if memory != NULL:
        work.rooms = memory + (PAGE_BYTES - <size_t>memory % PAGE_BYTES) % PAGE_BYTES
        work.known = work.rooms + work.n_threads * work.room_bytes
        work.accs = work.known + n_known
        if work.n_pieces == 1:
            share_evenly(run_units, work, work.n_threads, work.n_threads)
        else:
            sweep_together(work, together)
        pool_release(memory, n_bytes)
    release_threads(work.n_threads)
    return 0 if memory != NULL else n_bytes


cdef Py_ssize_t units_together(const SweepWork* work) noexcept nogil:
    """Units that all threads sweep over together: as many as stay in the last cache, and give each thread its share."""
    cdef Py_ssize_t n_bytes = work.rows.n * work.strip, k, size = 0
    for k in range(work.n_operands):
        size += work.layouts[k].itemsize
    n_bytes = max(LAST_CACHE_BYTES // (2 * n_bytes * size), (PIECES_TOGETHER + work.n_pieces - 1) // work.n_pieces)
    return min(n_bytes, work.n_units)


cdef void sweep_together(SweepWork* work, Py_ssize_t together) noexcept nogil:
    """All sweeps over some units, then over the next ones: all threads share the pieces of each."""
    cdef Py_ssize_t unit
    work.first_unit = 0
    while work.first_unit < work.n_units:
        work.end_unit = min(work.first_unit + together, work.n_units)
        for work.sweep in range(work.call.program.n_sweeps):
            share_evenly(run_pieces, work, work.n_threads, work.n_threads)
            for unit in range(work.first_unit, work.end_unit):
                finish_unit(work, work.sweep, unit, accs_of(work, unit - work.first_unit), work.rooms)
        work.first_unit = work.end_unit


cdef inline char* accs_of(const SweepWork* work, Py_ssize_t unit) noexcept nogil:
    return work.accs + unit * work.n_pieces * work.acc_bytes


cdef void run_pieces(void* sweeps, Py_ssize_t worker) noexcept nogil:
    """One thread's pieces of the sweep at hand, in a room of its own."""
    cdef const SweepWork* work = <const SweepWork*>sweeps
    cdef Py_ssize_t n = (work.end_unit - work.first_unit) * work.n_pieces, i
    for i in range(n * worker // work.n_threads, n * (worker + 1) // work.n_threads):
        if not goes_on():
            return
        run_piece(work, work.sweep, work.first_unit + i // work.n_pieces, i % work.n_pieces,
                  work.accs + i * work.acc_bytes, work.rooms + worker * work.room_bytes)


cdef void run_units(void* sweeps, Py_ssize_t worker) noexcept nogil:
    """All sweeps over each of one thread's units, which are of one piece."""
    cdef const SweepWork* work = <const SweepWork*>sweeps
    cdef char* room = work.rooms + worker * work.room_bytes
    cdef Py_ssize_t unit
    cdef int sweep
    for unit in range(work.n_units * worker // work.n_threads, work.n_units * (worker + 1) // work.n_threads):
        for sweep in range(work.call.program.n_sweeps):
            if not goes_on():
                return
            run_piece(work, sweep, unit, 0, accs_of(work, worker), room)
            finish_unit(work, sweep, unit, accs_of(work, worker), room)
