"""Elementwise loops over a plan, tile by tile, the tiles shared among threads.

Loops see dense elements or one value, whatever the operands' layout and dtype.

Design: a tile is a piece of the two inner axes whose operands fit into L1.  An operand that lies dense, or is one value
throughout, is read where it is; any other is copied together, transposed or converted into a buffer first, and results
go the same way back.  Where operands lie across each other, the loop runs row by row, so that only those that lie
across the result are copied.  Results too large for the caches are computed in a buffer and written past them, which
saves reading what they overwrite, or written past them from the registers of a run (fused_runs.inc), whose tiles may
have any length where it is all there is to do.  Where there is a buffer, the inputs of the next tile are fetched
meanwhile, or memory would rest.  So no layout has a slow loop, and none makes a copy of a whole operand.
"""

from libc.stdlib cimport llabs
from nd4py._core.element_sizes cimport itemsizes
from nd4py._core.graphs.launch_recording cimport Launch, is_recording, n_captures, new_launch
from nd4py._core.layout.plan cimport insert_axis, locate_matrix
from nd4py._core.threads.threads cimport acquire_threads_for, goes_on, raise_if_stopped, release_threads
from nd4py._mem.workspace.held_memory cimport Hold, holds
from nd4py.cpu.isa.isa cimport loops
from nd4py.cpu.isa.last_cache cimport LAST_CACHE_BYTES
from nd4py.cpu.parallel.tasks cimport share_evenly
from nd4py.cpu.program.program cimport ROOM_DOUBLES, Tile, run_steps, start_tile
from nd4py.cpu.program.recorded_calls cimport add_call, add_plan

cdef extern from *:
    void prefetch "__builtin_prefetch"(const void* address) noexcept nogil

cdef enum:
    LINE_BYTES = 64                      # bytes of a cache line
    TILE_BYTES = 8 * TILE_DOUBLES
    PIECES = 16                          # that a plan is cut into at least, so that threads get equal shares
    LONG_LINE_ELEMENTS = 512             # elements: shorter lines are taken several at a time
    STEPPED_LINE_ELEMENTS = 128          # the same where loops step over gaps
    NEAR_STEPS = 4                       # elements, in which inputs are gathered by vectors (strided_copy_loops.inc)
    SQUARE_ROWS = 32                     # rows of a tile whose operands lie across each other; 16 and 64 were slower
    BUFFERED_ELEMENTS = 1024             # elements of a tile with a buffer; 256 and 4096 were slower
    STREAMED_BYTES = 2048                # of one operand, where results go past the caches; twice or half were slower
    PROGRAM_BYTES = 4096                 # the same of a program, whose steps are found anew for every tile
    SHORT_PIECE_ELEMENTS = 4096          # elements of a tile of which nothing is buffered: at least these, and a
    LONG_PIECE_ELEMENTS = 32768          # sixteenth of all, up to these
    LONGEST_PIECE_ELEMENTS = 1 << 20     # elements at a time where tiles in a row are one piece, for signals

cdef double GATHER_NS = 0.3, SELECT_NS = 0.07, STEP_NS = 0.15, CONVERSION_NS = 0.05  # of one element of one operand
cdef double MOVED_BYTE_NS = 0.0081       # nanoseconds for a byte of rows that cost no more than moving it
cdef double COMPUTED_BYTE_NS = 0.02      # nanoseconds for a byte, from which on a loop is no longer bound to memory

# How an operand of a tile is reached.
cdef enum Access:
    DIRECT = 0                           # it lies dense in memory, or is one value
    CAST = 1                             # the same, but of another dtype than the loop's
    GATHERED = 2                         # rows with gaps, repeated or transposed elements: copied together first
    STREAM = 3                           # a result that is written past the caches

# The walk over a plan in tiles of `rows` by `columns` elements of its two inner axes.
cdef struct Tiling:
    Py_ssize_t rows, columns
    Py_ssize_t row_tiles, column_tiles   # in one matrix of the two inner axes
    Py_ssize_t n_tiles
    Access access[MAX_OPERANDS]
    bint is_streamed
    bint is_direct                       # one line, of which no loop needs a buffer: tiles in a row are one piece
    bint is_stepped                      # the loop steps over operands with gaps where they lie
    bint is_across                       # the two inner axes are both the densest one of some operand

# A call, cut into tiles.
cdef struct Map:
    const Plan* plan
    const MapCall* call
    Tiling tiling
    int n_threads


cdef int run_map(Plan* plan, const MapCall* call) except -1:
    """Visit every element of the plan.  The GIL is given up for more than one chunk's eighth of work."""
    cdef Map work
    cdef Hold hold
    turn_reversed_axes(plan)
    choose_tiling(plan, call, &work.tiling)
    work.plan, work.call, work.n_threads = plan, call, 1
    if n_captures and is_recording():
        record(&work)
    if plan.size * 8 <= CHUNK:
        run_share(&work, 0)
        return 0
    hold.add_all(holds, plan.data, plan.n_operands)
    with nogil:
        share_tiles(&work)
    return raise_if_stopped()


cdef void turn_reversed_axes(Plan* plan) noexcept:
    """Walk axes that all operands have in reverse from their other end, where loops find dense lines."""
    cdef int i, k
    cdef bint is_reversed, has_steps
    for i in range(plan.ndim):
        is_reversed, has_steps = plan.size > 0, False
        for k in range(plan.n_operands):
            is_reversed &= plan.strides[k][i] <= 0
            has_steps |= plan.strides[k][i] < 0
        if is_reversed and has_steps:
            for k in range(plan.n_operands):
                plan.data[k] += (plan.shape[i] - 1) * plan.strides[k][i]
                plan.strides[k][i] = -plan.strides[k][i]


cdef void share_tiles(Map* work) noexcept nogil:
    """All tiles, by as many threads as are worth while."""
    cdef double nanoseconds = work.plan.size * tiling_cost(work.plan, work.call, &work.tiling)
    work.n_threads = acquire_threads_for(work.tiling.n_tiles, nanoseconds)
    share_evenly(run_share, work, work.n_threads, work.n_threads)
    release_threads(work.n_threads)


cdef size_t run_recorded(void* block) noexcept nogil:
    cdef Map* work = <Map*>block
    if work.plan.size * 8 <= CHUNK:
        run_share(work, 0)
    else:
        share_tiles(work)
    return 0


cdef int record(const Map* work) except -1:
    """Describe the call for the graph that is captured."""
    cdef Launch launch = new_launch("elementwise", run_recorded)
    launch.add(work, sizeof(Map))
    add_call(launch, work.call)
    add_plan(launch, work.plan, work.call.n_in)
    launch.link(&work.call)
    launch.link(&work.plan)
    return launch.submit()


cdef void run_share(void* map, Py_ssize_t worker) noexcept nogil:
    """One thread's tiles."""
    cdef const Map* work = <const Map*>map
    cdef Py_ssize_t n_tiles = work.tiling.n_tiles, n_threads = work.n_threads
    run_tiles(work.plan, work.call, &work.tiling, n_tiles * worker // n_threads, n_tiles * (worker + 1) // n_threads)


# Which tiles.


cdef void choose_tiling(Plan* plan, const MapCall* call, Tiling* tiling) noexcept:
    """Decide the tiles of a finished plan, and how each operand is reached.  May turn the plan's outer axes round."""
    cdef int inner = plan.ndim - 1, k
    cdef Py_ssize_t widest = 1
    cdef bint is_conversion = not has_loop(call), is_simple = True
    tiling.is_across = bring_dense_axis_inside(plan)
    tiling.is_streamed = is_beyond_caches(plan, call)
    tiling.n_tiles, tiling.is_direct = 0, False
    if plan.size == 0:
        return
    for k in range(plan.n_operands):
        widest = max(widest, itemsizes[call.number[k]], itemsizes[call.loop_number[k]])
        is_simple &= is_dense_line(plan, k, call) and (is_conversion or call.number[k] == call.loop_number[k])
    cdef Py_ssize_t tile = min(<Py_ssize_t>BUFFERED_ELEMENTS, TILE_BYTES // widest), line = plan.shape[inner]
    if call.program != NULL:
        tile = min(call.program.tile, TILE_BYTES // widest)
    cdef Py_ssize_t rows = plan.shape[inner - 1] if inner else 1
    tiling.is_stepped = not tiling.is_across and is_worth_stepping(plan, call, widest)
    cdef Py_ssize_t longest = STEPPED_LINE_ELEMENTS if tiling.is_stepped else LONG_LINE_ELEMENTS
    if tiling.is_across:
        if call.program == NULL:
            tile = TILE_BYTES // widest
        tiling.rows = min(rows, <Py_ssize_t>SQUARE_ROWS)
        tiling.columns = min(line, tile // tiling.rows)
    elif inner and line < longest and line <= tile:  # the registers of a program hold no more
        tiling.rows, tiling.columns = min(rows, tile // line), line
    else:
        tiling.rows = 1
        if is_simple and tiling.is_streamed and not is_conversion:
            tile = min(tile, (STREAMED_BYTES if call.program == NULL else PROGRAM_BYTES) // widest)
        elif is_simple and call.program == NULL and not tiling.is_streamed:
            tile = max(plan.size // PIECES // LINE_BYTES * LINE_BYTES, <Py_ssize_t>SHORT_PIECE_ELEMENTS)
            tile = min(tile, <Py_ssize_t>LONG_PIECE_ELEMENTS)
        tiling.columns = min(line, tile)
    tiling.row_tiles = (rows + tiling.rows - 1) // tiling.rows
    tiling.column_tiles = (line + tiling.columns - 1) // tiling.columns
    tiling.n_tiles = plan.size // (rows * line) * tiling.row_tiles * tiling.column_tiles
    tiling.is_direct = plan.ndim == 1 and (call.program == NULL or call.program.is_one_run)
    for k in range(plan.n_operands):
        tiling.access[k] = access_of(plan, call, tiling, k)
        tiling.is_direct &= (tiling.access[k] == DIRECT or (tiling.access[k] == CAST and is_conversion)
                             or is_stored_by_run(call, tiling, k))


cdef bint is_worth_stepping(const Plan* plan, const MapCall* call, Py_ssize_t widest) noexcept:
    """Whether a cheap row steps over gaps in less time than it takes to copy operands together and results apart.

    Long elements fill a register with few of them.  Of bytes, vectors make up for one operand that is moved by steps.
    """
    cdef int k, n_slow = 0
    cdef Py_ssize_t size, stride
    if call.program != NULL or call.loop == NULL or call.nanoseconds > MOVED_BYTE_NS * plan.n_operands * widest:
        return False
    for k in range(plan.n_operands):
        if call.number[k] != call.loop_number[k]:
            return False
        size, stride = itemsizes[call.number[k]], plan.strides[k][plan.ndim - 1]
        if stride != 0 and stride != size:
            n_slow += k >= call.n_in or size >= 8 or llabs(stride) > NEAR_STEPS * size
    return n_slow > (widest <= 2)


cdef double tiling_cost(const Plan* plan, const MapCall* call, const Tiling* tiling) noexcept nogil:
    """Nanoseconds of one element on one thread, with what it takes to bring operands together."""
    cdef double total = call.nanoseconds
    cdef Py_ssize_t stride
    cdef int k
    for k in range(plan.n_operands):
        stride = llabs(plan.strides[k][plan.ndim - 1]) // itemsizes[call.number[k]]
        if tiling.access[k] == GATHERED:
            total += SELECT_NS if stride <= NEAR_STEPS and k < call.n_in else GATHER_NS
        elif tiling.is_stepped and stride > 1:
            total += STEP_NS
        total += CONVERSION_NS * (call.number[k] != call.loop_number[k])
    return total


cdef bint bring_dense_axis_inside(Plan* plan) noexcept:
    """Where an input lies dense along another axis than the last, move that axis next to it."""
    cdef int last = plan.ndim - 1, i, k
    cdef Py_ssize_t stride
    for k in range(plan.n_operands - 1):
        for i in range(last):
            stride = abs(plan.strides[k][i])
            if 0 < stride < abs(plan.strides[k][last]) and plan.shape[last] > 1:
                if i < last - 1:
                    insert_axis(plan, i, last - 1)
                return True
    return False


cdef bint is_beyond_caches(const Plan* plan, const MapCall* call) noexcept:
    """Whether a result is best written past the caches: the operands together exceed them, and it lies over no input.

    From there on stores past them win where they come from the registers of a program (benchmarks: chains).  A loop's
    come from a buffer, which pays less: half as much again still leaves enough in the caches (elementwise.TimeMap at
    10^7; a negative of bfloat16 took 1.4 times as long past them), and what computes for longer than memory needs waits
    for the buffer in vain (tanh of float64: 1.3 times as long), as do three inputs.  Bytes were slower in any case.
    """
    cdef Py_ssize_t n_bytes, element_bytes = 0
    cdef int k, j, inner = plan.ndim - 1
    for k in range(plan.n_operands):
        if plan.strides[k][inner] != 0:
            element_bytes += itemsizes[call.number[k]]
    n_bytes = plan.size * element_bytes
    if n_bytes <= LAST_CACHE_BYTES or itemsizes[call.number[plan.n_operands - 1]] == 1:
        return False
    if call.program == NULL and (n_bytes <= LAST_CACHE_BYTES + LAST_CACHE_BYTES // 2 or call.n_in > 2
                                 or call.nanoseconds > COMPUTED_BYTE_NS * element_bytes):
        return False
    for k in range(call.n_in, plan.n_operands):
        for j in range(call.n_in):
            if plan.data[j] == plan.data[k]:
                return False
    return True


cdef bint is_dense_line(const Plan* plan, int k, const MapCall* call) noexcept:
    cdef Py_ssize_t stride = plan.strides[k][plan.ndim - 1]
    return stride == itemsizes[call.number[k]] or (stride == 0 and k < call.n_in and has_loop(call))


cdef Access access_of(const Plan* plan, const MapCall* call, const Tiling* tiling, int k) noexcept:
    cdef int inner = plan.ndim - 1
    cdef Py_ssize_t size = itemsizes[call.number[k]], stride = plan.strides[k][inner]
    cdef Py_ssize_t row = plan.strides[k][inner - 1] if inner else 0
    cdef bint is_one_row = tiling.rows == 1 or is_by_row(call, tiling)
    cdef bint is_dense = stride == size and (is_one_row or (row == tiling.columns * size
                                                            and tiling.columns == plan.shape[inner]))
    cdef bint is_constant = stride == 0 and (is_one_row or row == 0) and k < call.n_in and has_loop(call)
    if k >= call.n_in and tiling.is_streamed and stride == size:
        return STREAM
    if not is_dense and not is_constant and is_one_row and tiling.is_stepped:
        return DIRECT
    if not is_dense and not is_constant or (is_by_row(call, tiling) and call.number[k] != call.loop_number[k]):
        return GATHERED
    return CAST if call.number[k] != call.loop_number[k] else DIRECT


cdef inline bint is_stored_by_run(const MapCall* call, const Tiling* tiling, int k) noexcept nogil:
    """Whether a result goes past the caches from the registers of a run, and not from a buffer."""
    return (tiling.access[k] == STREAM and tiling.rows == 1 and not tiling.is_across and call.program != NULL
            and call.program.is_streamable[k])


cdef inline bint is_by_row(const MapCall* call, const Tiling* tiling) noexcept nogil:
    """Whether the loop runs over one row of a tile at a time."""
    return tiling.is_across and has_loop(call)


cdef inline bint has_loop(const MapCall* call) noexcept nogil:
    return call.loop != NULL or call.program != NULL


# One tile after the other.


cdef void run_tiles(const Plan* plan, const MapCall* call, const Tiling* tiling, Py_ssize_t first,
                    Py_ssize_t last) noexcept nogil:
    """Run tiles first to last."""
    cdef char* data[MAX_OPERANDS]
    cdef Py_ssize_t number, rows, columns
    cdef Py_ssize_t n_tiles = max(<Py_ssize_t>1, LONGEST_PIECE_ELEMENTS // max(tiling.columns, <Py_ssize_t>1)), end
    if tiling.is_direct:
        for number from first <= number < last by n_tiles:
            if number > first and not goes_on():
                break
            end = min(last, number + n_tiles)
            find_tile(plan, tiling, number, data, &rows, &columns)
            run_tile(plan, call, tiling, data, 1, min((end - number) * tiling.columns,
                                                      plan.size - number * tiling.columns))
        if tiling.is_streamed:
            loops.finish_streams()
        return
    for number in range(first, last):
        if number > first and not goes_on():
            break
        if tiling.is_streamed and call.program == NULL and number + 1 < last:  # a program's were slower for it
            find_tile(plan, tiling, number + 1, data, &rows, &columns)
            fetch_inputs(plan, call, data, rows, columns)
        find_tile(plan, tiling, number, data, &rows, &columns)
        run_tile(plan, call, tiling, data, rows, columns)
    if tiling.is_streamed:
        loops.finish_streams()


cdef inline void find_tile(const Plan* plan, const Tiling* tiling, Py_ssize_t number, char** data, Py_ssize_t* rows,
                           Py_ssize_t* columns) noexcept nogil:
    """Where the operands of a tile begin, and how large it is."""
    cdef Py_ssize_t column = number % tiling.column_tiles * tiling.columns, rest = number // tiling.column_tiles
    cdef Py_ssize_t row = rest % tiling.row_tiles * tiling.rows
    cdef int inner = plan.ndim - 1, k
    locate_matrix(plan, rest // tiling.row_tiles, data)
    for k in range(plan.n_operands):
        data[k] += column * plan.strides[k][inner]
        if inner:
            data[k] += row * plan.strides[k][inner - 1]
    rows[0] = min(tiling.rows, plan.shape[inner - 1] - row) if inner else 1
    columns[0] = min(tiling.columns, plan.shape[inner] - column)


cdef inline void fetch_inputs(const Plan* plan, const MapCall* call, char** data, Py_ssize_t rows,
                              Py_ssize_t columns) noexcept nogil:
    """Ask for the cache lines of a tile of two axes."""
    cdef int inner = plan.ndim - 1, k
    cdef Py_ssize_t row, column
    for k in range(call.n_in):
        row = plan.strides[k][inner - 1] if inner else plan.size * LINE_BYTES
        column = plan.strides[k][inner]
        if llabs(column) <= llabs(row):
            fetch_lines(data[k], row, rows, column, columns)
        else:
            fetch_lines(data[k], column, columns, row, rows)


cdef inline void fetch_lines(const char* data, Py_ssize_t line, Py_ssize_t n_lines, Py_ssize_t step,
                             Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t i, j, stride = n if step == 0 else max(LINE_BYTES // llabs(step), <Py_ssize_t>1)
    for i in range(n_lines):
        j = 0
        while j < n:
            prefetch(data + i * line + j * step)
            j += stride


cdef void run_tile(const Plan* plan, const MapCall* call, const Tiling* tiling, char** data, Py_ssize_t rows,
                   Py_ssize_t columns) noexcept nogil:
    """Gather the inputs, run the loop, and scatter the results."""
    cdef double buffer[MAX_OPERANDS][TILE_DOUBLES]
    cdef char* p[MAX_OPERANDS]
    cdef Py_ssize_t s[MAX_OPERANDS]
    cdef int k
    for k in range(call.n_in):
        load(plan, call, tiling, k, data[k], rows, columns, <char*>buffer[k], &p[k], &s[k])
    for k in range(call.n_in, plan.n_operands):
        s[k] = itemsizes[call.loop_number[k]]
        if tiling.access[k] == DIRECT:
            s[k] = plan.strides[k][plan.ndim - 1]
        p[k] = data[k] if tiling.access[k] == DIRECT or is_stored_by_run(call, tiling, k) else <char*>buffer[k]
    if call.program != NULL:
        run_program(plan, call, tiling, p, s, rows, columns)
    elif is_by_row(call, tiling):
        run_rows(plan, call, tiling, p, s, rows, columns)
    elif call.loop != NULL:
        call.loop(p, s, rows * columns, call.params)
    else:
        p[1] = p[0]
    for k in range(call.n_in, plan.n_operands):
        store(plan, call, tiling, k, p[k], data[k], rows, columns)


cdef inline void run_rows(const Plan* plan, const MapCall* call, const Tiling* tiling, char** p, Py_ssize_t* s,
                          Py_ssize_t rows, Py_ssize_t columns) noexcept nogil:
    """Run the loop row by row: over operands where they lie, and over tiles in buffers."""
    cdef char* at[MAX_OPERANDS]
    cdef Py_ssize_t i
    for i in range(rows):
        find_row(plan, tiling, p, s, i, columns, at)
        call.loop(at, s, columns, call.params)


cdef inline void find_row(const Plan* plan, const Tiling* tiling, char** p, const Py_ssize_t* s, Py_ssize_t i,
                          Py_ssize_t columns, char** at) noexcept nogil:
    """Where the operands of row `i` of a tile lie."""
    cdef Py_ssize_t step
    cdef int k
    for k in range(plan.n_operands):
        step = plan.strides[k][plan.ndim - 2] if tiling.access[k] == DIRECT else columns * s[k]
        at[k] = p[k] + i * step


cdef void run_program(const Plan* plan, const MapCall* call, const Tiling* tiling, char** p, Py_ssize_t* s,
                      Py_ssize_t rows, Py_ssize_t columns) noexcept nogil:
    """Run a program over a tile, row by row where its operands lie across each other."""
    cdef double room[ROOM_DOUBLES]
    cdef char* at[MAX_OPERANDS]
    cdef Py_ssize_t i
    cdef Tile tile
    cdef int k
    if not is_by_row(call, tiling):
        start_tile(call.program, p, s, rows * columns, <char*>room, &tile)
        for k in range(call.n_in, plan.n_operands):
            tile.is_streamed[k] = is_stored_by_run(call, tiling, k)
        run_steps(&tile)
        return
    start_tile(call.program, at, s, columns, <char*>room, &tile)
    for i in range(rows):
        find_row(plan, tiling, p, s, i, columns, at)
        run_steps(&tile)


cdef inline void load(const Plan* plan, const MapCall* call, const Tiling* tiling, int k, char* data, Py_ssize_t rows,
                      Py_ssize_t columns, char* buffer, char** p, Py_ssize_t* s) noexcept nogil:
    """Point the loop at input k: where it lies, or at the buffer it was copied or converted into."""
    cdef double packed[TILE_DOUBLES]
    cdef int number = call.number[k], target = call.loop_number[k], inner = plan.ndim - 1
    cdef Py_ssize_t size = itemsizes[number], n = rows * columns
    p[0] = data
    s[0] = plan.strides[k][inner]
    if tiling.access[k] == GATHERED:
        p[0] = buffer if number == target else <char*>packed
        s[0] = size
        loops.strided_copies[bits_of(size)](data, plan.strides[k][inner - 1] if inner else 0,
                                            plan.strides[k][inner], p[0], columns * size, size, rows, columns)
    if number != target:
        loops.cast[number][target](p[0], s[0], buffer, itemsizes[target] if s[0] else 0, n if s[0] else 1)
        p[0] = buffer
        s[0] = itemsizes[target] if s[0] else 0


cdef inline void store(const Plan* plan, const MapCall* call, const Tiling* tiling, int k, char* p, char* data,
                       Py_ssize_t rows, Py_ssize_t columns) noexcept nogil:
    """Copy result k from where the loop wrote it to its operand."""
    cdef double packed[TILE_DOUBLES]
    cdef int number = call.number[k], source = call.loop_number[k], inner = plan.ndim - 1
    cdef Py_ssize_t size = itemsizes[number], n = rows * columns, i
    cdef Py_ssize_t row = plan.strides[k][inner - 1] if inner else 0
    if (tiling.access[k] == DIRECT or tiling.access[k] == STREAM) and p == data:
        return
    if number != source:
        loops.cast[source][number](p, itemsizes[source], <char*>packed if tiling.access[k] != CAST else data, size, n)
        if tiling.access[k] == CAST:
            return
        p = <char*>packed
    if tiling.access[k] == STREAM:
        if rows == 1 or row == columns * size:
            loops.stream(p, data, n * size)
        else:
            for i in range(rows):
                loops.stream(p + i * columns * size, data + i * row, columns * size)
    else:
        loops.strided_copies[bits_of(size)](p, columns * size, size, data, row, plan.strides[k][inner], rows, columns)


cdef int bits_of(Py_ssize_t itemsize) noexcept nogil:
    """Which of the strided copies moves elements of this size."""
    cdef int bits = 0
    while itemsize >> bits > 1:
        bits += 1
    return bits
