"""Programs: a sequence of loops over one tile after another, with intermediate values in the caches.

Design: the loops are those of the table, ready-made for every row and dtype; a program is only the order in which they
run and where their operands lie: in an operand of the plan, in a scalar, or in a register, which is a piece of room as
large as a tile.  Cheap steps in a row run as one, block by block, with what lies between them in the processor's own
registers (fusing.pyx).  Rows that are short lie several in a tile, and loops know where each begins
(short_row_runs.inc).  Nothing is compiled when a chain is met for the first time.
"""

from nd4py.cpu.isa.isa cimport (
    FUSED_FETCH, FUSED_STORE, FUSED_STREAM, FUSED_VALUE, FUSED_VECTORS, REDUCED_SEGMENT, REDUCED_SHORT, FusedBlocks,
    FusedStep, ReduceLoops, ShortRows, StridedCopyLoop, loops,
)

cdef extern from *:
    void prefetch "__builtin_prefetch"(const void* address) noexcept nogil

cdef enum:
    LINE_BYTES = 64                      # bytes of a cache line
    PIECE_ELEMENTS = 2048                # elements between two looks at the next tile


cdef void start_tile(const Program* program, char** p, Py_ssize_t* s, Py_ssize_t n, char* room,
                     Tile* tile) noexcept nogil:
    """A tile of `n` elements whose operands will lie at `p` with strides `s`, and nothing beside the steps."""
    cdef int k
    tile.program, tile.p, tile.s, tile.n, tile.room = program, p, s, n, room
    tile.row_values = room + program.n_registers * program.register_bytes
    tile.row_value_bytes, tile.first_row = program.row_value_bytes, 0
    tile.rows = Rows(1, n, 1)
    tile.n_fetched = 0
    tile.short_rows = tile.rest = NULL
    for k in range(program.n_operands):
        tile.is_streamed[k] = False


cdef void fetch_next(Tile* tile, const char* data, Py_ssize_t n_bytes) noexcept nogil:
    """Prefetch the next tile of an operand while this one is computed."""
    tile.fetched[tile.n_fetched] = data
    tile.fetched_bytes[tile.n_fetched] = n_bytes
    tile.n_fetched += 1


cdef void run_steps(Tile* tile) noexcept nogil:
    """Run all steps over one tile."""
    run_range(tile, 0, tile.program.n_steps)


cdef void run_element_steps(Tile* tile, const Sweep* sweep) noexcept nogil:
    """Run what a sweep does to the elements of one tile."""
    run_range(tile, sweep.first_step, sweep.first_reduction)


cdef bint run_element_rows(Tile* tile, const Sweep* sweep, Py_ssize_t n_rows, const Py_ssize_t* operand_steps,
                           Py_ssize_t room_step) noexcept nogil:
    """The same for rows that lie alike, of which `tile` is the first, where one run of whole blocks does it: the run is
    prepared once.  False where nothing was done.

    operand_steps, room_step: bytes from one row of an operand, and of a register, to the next.
    """
    cdef const Program* program = tile.program
    cdef const FusedRun* run = run_from(program, sweep.first_step)
    cdef FusedStep parts[MAX_PARTS]
    cdef Py_ssize_t steps[MAX_PARTS]
    cdef Py_ssize_t n_blocks
    cdef FusedBlocks run_blocks
    cdef int n_parts, i, k, slot
    if run == NULL or run.is_reduced or run.n_steps != sweep.first_reduction - sweep.first_step:
        return False
    for k in range(program.n_operands):
        if tile.is_streamed[k]:
            return False
    n_blocks = tile.n // block_of(program, run)
    if n_blocks * block_of(program, run) != tile.n:
        return False
    n_parts = locate_parts(tile, run, run.n_parts, 0, parts)
    if n_parts < 0:
        return False
    for i in range(n_parts):
        slot = program.parts[run.first_part + i].slot
        steps[i] = -n_blocks * parts[i].stride
        if 0 <= slot < program.n_operands:
            steps[i] += operand_steps[slot]
        elif is_register(program, slot):
            steps[i] += room_step
    run_blocks = loops.reductions.blocks[program.steps[run.first_step].fused_type]
    run_blocks(parts, n_parts, -1, NULL)
    for _ in range(n_rows):
        run_blocks(parts, n_parts, n_blocks, NULL)
        for i in range(n_parts):
            parts[i].at += steps[i]
    return True


cdef inline const FusedRun* run_from(const Program* program, int first_step) noexcept nogil:
    """The run that begins with a step, or NULL."""
    cdef int i
    for i in range(program.n_runs):
        if program.runs[i].first_step == first_step:
            return &program.runs[i]
    return NULL


cdef void run_row_steps(Tile* tile, const Sweep* sweep) noexcept nogil:
    """Run what a sweep does to the values of some rows."""
    cdef int i
    for i in range(sweep.first_of_rows, sweep.end):
        run_step(tile, &tile.program.steps[i], 0, 0)


cdef inline void run_range(Tile* tile, int i, int end) noexcept nogil:
    """Run steps `i` to `end` over one tile."""
    cdef const Program* program = tile.program
    cdef int run = 0, n_fetched = tile.n_fetched, number = 0
    cdef bint is_fetching
    while run < program.n_runs and program.runs[run].first_step < i:
        run += 1
    while i < end:
        is_fetching = n_fetched > 0 and program.is_fetching[i]
        tile.n_fetched = n_fetched if is_fetching else 0
        if run < program.n_runs and program.runs[run].first_step == i:
            run_fused(tile, &program.runs[run], number)
            i += program.runs[run].n_steps
            run += 1
        elif is_fetching:
            run_fetching(tile, &program.steps[i], number)
            i += 1
        else:
            run_step(tile, &program.steps[i], 0, tile.n)
            i += 1
        number += is_fetching
    tile.n_fetched = n_fetched


cdef inline void run_fetching(const Tile* tile, const Step* step, int number) noexcept nogil:
    """Run pass `number` piece by piece, and ask for some of the next tile in between."""
    cdef Py_ssize_t n_pieces = (tile.n + PIECE_ELEMENTS - 1) // PIECE_ELEMENTS, piece, at, to
    cdef FusedStep part
    cdef int k
    for piece in range(n_pieces):
        for k in range(tile.n_fetched):
            locate_fetch(tile, k, number, n_pieces, &part)
            at, to = piece * part.stride, (piece + 1) * part.stride
            while at < to:
                prefetch(part.at + at)
                at += LINE_BYTES
        run_step(tile, step, piece * PIECE_ELEMENTS, min((piece + 1) * PIECE_ELEMENTS, tile.n))


cdef inline void run_step(const Tile* tile, const Step* step, Py_ssize_t first, Py_ssize_t last) noexcept nogil:
    """Run one step over elements `first` to `last` of a tile."""
    cdef char* at[MAX_STEP_OPERANDS]
    cdef Py_ssize_t strides[MAX_STEP_OPERANDS]
    cdef Py_ssize_t n = tile.rows.n_blocks * tile.rows.inner if step.is_of_row else last - first
    cdef int k
    for k in range(step.n_operands):
        locate(tile, step.slot[k], step.stride[k], &at[k], &strides[k])
        at[k] += first * strides[k]
    if step.reduction != NULL:
        reduce_rows(tile, step.reduction, at[0], strides[0], at[1], strides[1])
    elif step.spread != NULL:
        spread(step.spread, &tile.rows, at[0], strides[1], at[1])
    elif step.loop != NULL:
        step.loop(at, strides, n, step.params)
    else:
        step.cast(at[0], strides[0], at[1], strides[1], n)


cdef inline void run_fused(Tile* tile, const FusedRun* run, int number) noexcept nogil:
    """Run the steps of a run as one, pass `number`, over all whole blocks of a tile, and one after the other over
    the rest."""
    cdef FusedStep parts[MAX_PARTS]
    cdef Py_ssize_t block = block_of(tile.program, run), n_blocks = tile.n // block
    cdef int n_parts
    if run.is_of_rows:
        run_short_rows(tile, run, number)
        return
    if run.is_reduced:
        run_reduced(tile, run, number)
        return
    if n_blocks > 0:
        n_parts = locate_parts(tile, run, run.n_parts, number, parts)
        if n_parts > 0:
            loops.reductions.fused[tile.program.steps[run.first_step].fused_type](parts, n_parts, n_blocks)
        else:
            n_blocks = 0
    run_rest(tile, run, n_blocks * block)


cdef inline Py_ssize_t block_of(const Program* program, const FusedRun* run) noexcept nogil:
    """Elements of a block of a run."""
    return loops.reductions.block_bytes // size_in(program, run)


cdef inline void run_rest(Tile* tile, const FusedRun* run, Py_ssize_t done) noexcept nogil:
    """Run the steps of a run but its reduction, one after the other, over the elements of a tile from `done` on."""
    cdef char* room = tile.room
    cdef int i
    if done == tile.n or run_masked_rest(tile, run, done):
        return
    if tile.program.is_one_run:          # however long the tile is, its registers hold no more than this
        tile.room -= done * size_in(tile.program, run)
    for i in range(run.first_step, run.first_step + run.n_steps - run.is_reduced):
        run_step(tile, &tile.program.steps[i], done, tile.n)
    tile.room = room


cdef inline void run_reduced(Tile* tile, const FusedRun* run, int number) noexcept nogil:
    """The same for a run that ends in what a row comes to."""
    cdef const Step* last = &tile.program.steps[run.first_step + run.n_steps - 1]
    cdef double acc[4]
    cdef char* y
    cdef Py_ssize_t stride
    last.reduction.init(<char*>acc, 1)
    reduce_blocks(tile, run, run.n_parts, number, last.reduction, last.slot[0], <char*>acc)
    locate(tile, last.slot[1], 0, &y, &stride)
    last.reduction.finish(<char*>acc, 1, tile.n, y, stride)


cdef void reduce_blocks(Tile* tile, const FusedRun* run, int n_parts, int number, const ReduceLoops* reduction,
                        int slot, char* acc) noexcept nogil:
    """Reduce what the first parts of a run come to, which belongs to `slot`: from registers but for the last elements,
    and those of a segment that is too short for it."""
    cdef FusedStep parts[MAX_PARTS]
    cdef Py_ssize_t n = whole_segments(tile.n), size = size_in(tile.program, run), done = 0, stride
    cdef char* x
    locate(tile, slot, size, &x, &stride)
    if n > 0:
        n_parts = locate_parts(tile, run, n_parts, number, parts)
        if n_parts > 0 and stride == size:
            done = n - n % block_of(tile.program, run)
        else:
            n = 0
    run_rest(tile, run, done)
    if n > 0:
        parts[n_parts].code, parts[n_parts].at, parts[n_parts].stride = reduction.join, <char*>NULL, 0
        reduction.fused(loops.reductions.blocks[size == 8], parts, n_parts + 1, x + done * size, n, acc)
    if n < tile.n:
        reduction.along(x + n * stride, 0, 1, stride, tile.n - n, acc)


cdef inline Py_ssize_t whole_segments(Py_ssize_t n) noexcept nogil:
    """So many of `n` elements that the last segment is not a short one."""
    cdef Py_ssize_t rest = n % REDUCED_SEGMENT
    return n - rest if rest < REDUCED_SHORT else n


cdef bint can_reduce_run(const Program* program, const ReduceLoops* reduction) noexcept nogil:
    """Whether a program is one run that leaves its last operand, which nothing else reads, for a reduction."""
    cdef FusedPart last
    if not program.is_one_run or reduction.fused == NULL:
        return False
    last = program.parts[program.runs[0].first_part + program.runs[0].n_parts - 1]
    return last.code == FUSED_STORE and last.slot == program.n_operands - 1 and program.is_streamable[last.slot]


cdef void reduce_run(Tile* tile, const ReduceLoops* reduction, char* acc) noexcept nogil:
    """Reduce the last operand of such a program, which has no memory, over a tile of any length without gaps."""
    cdef double rest[REDUCED_SHORT]
    cdef const FusedRun* run = &tile.program.runs[0]
    cdef Py_ssize_t n = whole_segments(tile.n), last = tile.program.n_operands - 1
    tile.p[last] = <char*>rest - (n - n % block_of(tile.program, run)) * size_in(tile.program, run)
    reduce_blocks(tile, run, run.n_parts - 1, 0, reduction, last, acc)


cdef inline int locate_parts(const Tile* tile, const FusedRun* run, int n_parts, int number,
                             FusedStep* parts) noexcept nogil:
    """Where the operands of the first parts of a run lie, and what pass `number` fetches; how many parts that are, or
    -1 if some operands lie with gaps."""
    cdef FusedPart part
    cdef FusedStep* step
    cdef Py_ssize_t stride, itemsize = size_in(tile.program, run), n_blocks = tile.n // block_of(tile.program, run)
    cdef int i, k
    for k in range(tile.n_fetched):
        locate_fetch(tile, k, number, n_blocks, &parts[k])
    for i in range(n_parts):
        part, step = tile.program.parts[run.first_part + i], &parts[tile.n_fetched + i]
        step.code, step.at, step.stride = part.code, <char*>NULL, 0
        if part.slot == NOWHERE:
            continue
        locate(tile, part.slot, 0 if is_value(tile.program, part.slot) else itemsize, &step.at, &stride)
        if tile.program.is_one_run and is_register(tile.program, part.slot):
            step.stride = 0              # each block stores there what it reads
        elif stride == 0 and part.code != FUSED_STORE:
            step.code += FUSED_VALUE
        elif stride != itemsize:
            return -1
        else:
            step.stride = loops.reductions.block_bytes
        if part.code == FUSED_STORE and part.slot < tile.program.n_operands and tile.is_streamed[part.slot]:
            step.code = FUSED_STREAM if <size_t>step.at % LINE_BYTES == 0 else FUSED_STORE
    return tile.n_fetched + n_parts


cdef inline void reduce_rows(const Tile* tile, const ReduceLoops* reduction, const char* x, Py_ssize_t stride, char* y,
                             Py_ssize_t y_stride) noexcept nogil:
    """Reduce the rows of a tile: each in the order in which it is reduced alone."""
    cdef const Rows* rows = &tile.rows
    cdef Py_ssize_t n = rows.n_blocks * rows.inner, block = rows.n * rows.inner * stride, i
    cdef double one[4]
    cdef char* acc = tile.row_values + tile.program.n_row_values * tile.row_value_bytes
    if n == 1:
        acc = <char*>one
    reduction.init(acc, n)
    if rows.inner == 1:
        reduction.along(x, block, n, stride, rows.n, acc)
    else:
        for i in range(rows.n_blocks):
            reduction.across(x + i * block, rows.inner * stride, rows.n, stride, rows.inner,
                             acc + i * rows.inner * reduction.acc_size)
    reduction.finish(acc, n, rows.n, y, y_stride)


cdef inline void spread(StridedCopyLoop repeat, const Rows* rows, const char* x, Py_ssize_t size,
                        char* y) noexcept nogil:
    """Repeat each value of a row along the row."""
    cdef Py_ssize_t i
    if rows.inner == 1:
        repeat(x, size, 0, y, rows.n * size, size, rows.n_blocks, rows.n)
        return
    for i in range(rows.n_blocks):
        repeat(x + i * rows.inner * size, 0, size, y + i * rows.n * rows.inner * size, rows.inner * size, size, rows.n,
               rows.inner)


# Where operands lie.


cdef inline Py_ssize_t size_in(const Program* program, const FusedRun* run) noexcept nogil:
    return 8 if program.steps[run.first_step].fused_type else 4


cdef inline bint is_scalar(const Program* program, int slot) noexcept nogil:
    return 0 <= slot - program.n_operands < program.n_scalars


cdef inline bint is_register(const Program* program, int slot) noexcept nogil:
    return 0 <= slot - program.n_operands - program.n_scalars < program.n_registers


cdef inline bint is_value(const Program* program, int slot) noexcept nogil:
    """Whether an operand that is none of the plan is one value throughout a tile: a scalar, or what a row comes to."""
    cdef int first_register = program.n_operands + program.n_scalars
    if slot >= first_register + program.n_registers:
        return not program.has_row_vectors
    return slot < first_register


cdef void locate(const Tile* tile, int slot, Py_ssize_t own_stride, char** at, Py_ssize_t* stride) noexcept nogil:
    """Where an operand lies, and its bytes from one element to the next: `own_stride` of what is none of the plan."""
    cdef const Program* program = tile.program
    cdef int first_register = program.n_operands + program.n_scalars
    cdef int first_row_value = first_register + program.n_registers
    if slot < program.n_operands:
        at[0], stride[0] = tile.p[slot], tile.s[slot]
        return
    stride[0] = own_stride
    if slot < first_register:
        at[0] = <char*>program.scalars[slot - program.n_operands]
    elif slot < first_row_value:
        at[0] = tile.room + (slot - first_register) * program.register_bytes
    else:
        at[0] = tile.row_values + (slot - first_row_value) * tile.row_value_bytes + tile.first_row * own_stride


cdef void locate_fetch(const Tile* tile, int k, int number, Py_ssize_t n_blocks, FusedStep* part) noexcept nogil:
    """Which bytes of the next tile's operand k pass `number` asks for, in so many blocks."""
    cdef Py_ssize_t share = tile.fetched_bytes[k] // tile.program.n_fetching
    share = (share + LINE_BYTES - 1) // LINE_BYTES * LINE_BYTES
    part.code, part.at = FUSED_FETCH, <char*>tile.fetched[k] + number * share
    part.stride = ((share + n_blocks - 1) // n_blocks + LINE_BYTES - 1) // LINE_BYTES * LINE_BYTES


# Short rows.


cdef void run_short_rows(Tile* tile, const FusedRun* run, int number) noexcept nogil:
    """Run the steps of a run as one, pass `number`, over all rows of a tile, with the values of these as they are."""
    cdef FusedStep parts[MAX_PARTS]
    cdef const Program* program = tile.program
    cdef const Step* last = &program.steps[run.first_step + run.n_steps - 1]
    cdef const ReduceLoops* reduction = last.reduction
    cdef int number_of_type = program.steps[run.first_step].fused_type
    cdef const ShortRows* rows = &tile.short_rows[number_of_type]
    cdef int n_parts = tile.n_fetched + run.n_parts, k
    cdef char* acc = tile.row_values + program.n_row_values * tile.row_value_bytes
    cdef char* y
    cdef Py_ssize_t n_rows = tile.rows.n_blocks, stride
    for k in range(tile.n_fetched):
        locate_fetch(tile, k, number, (n_rows * rows.per_row + FUSED_VECTORS - 1) // FUSED_VECTORS, &parts[k])
    locate_parts_of_rows(tile, run, rows, 0, &parts[tile.n_fetched])
    if run.is_reduced:
        parts[n_parts].code, parts[n_parts].at, parts[n_parts].stride = reduction.join, <char*>NULL, 0
        n_parts += 1
        reduction.init(acc, n_rows)
    loops.reductions.row_runs[number_of_type].run(parts, n_parts, rows, n_rows, reduction, acc)
    if run.is_reduced:
        locate(tile, last.slot[1], last.stride[1], &y, &stride)
        reduction.finish(acc, n_rows, tile.rows.n, y, stride)


cdef bint run_masked_rest(Tile* tile, const FusedRun* run, Py_ssize_t done) noexcept nogil:
    """Run the steps of a run but its reduction over the elements of a tile from `done` on in one pass over masked
    vectors, as one short row; False where the tile has no such rest."""
    cdef FusedStep parts[MAX_PARTS]
    cdef int number_of_type = tile.program.steps[run.first_step].fused_type, n_parts = run.n_parts
    cdef Py_ssize_t size = size_in(tile.program, run), stride
    cdef const ShortRows* rest
    if tile.rest == NULL or tile.rest[number_of_type].line_bytes != (tile.n - done) * size:
        return False
    rest = &tile.rest[number_of_type]
    locate_parts_of_rows(tile, run, rest, done * size, parts)
    if run.is_reduced:                   # which takes the last elements from memory
        parts[n_parts].code, parts[n_parts].stride = FUSED_STORE, 0
        locate(tile, tile.program.steps[run.first_step + run.n_steps - 1].slot[0], size, &parts[n_parts].at, &stride)
        parts[n_parts].at += done * size
        n_parts += 1
    loops.reductions.row_runs[number_of_type].run(parts, n_parts, rest, 1, NULL, NULL)
    return True


cdef inline void locate_parts_of_rows(const Tile* tile, const FusedRun* run, const ShortRows* rows,
                                      Py_ssize_t first_byte, FusedStep* parts) noexcept nogil:
    """Where the operands of a run over short rows lie, whose elements begin so far into the tile."""
    cdef const Program* program = tile.program
    cdef Py_ssize_t stride
    cdef FusedPart part
    cdef FusedStep* step
    cdef int i
    for i in range(run.n_parts):
        part, step = program.parts[run.first_part + i], &parts[i]
        step.code, step.at, step.stride = part.code, <char*>NULL, 0
        if part.slot == NOWHERE:
            continue
        locate(tile, part.slot, size_in(program, run), &step.at, &stride)
        if is_of_rows(program, part.slot):
            step.code += FUSED_VALUE
            step.stride = stride
            continue
        if stride == 0 or is_scalar(program, part.slot):
            step.code += FUSED_VALUE
            continue
        step.at += first_byte
        if part.code == FUSED_STORE and part.slot < program.n_operands and tile.is_streamed[part.slot]:
            if <size_t>step.at % LINE_BYTES == 0 and rows.line_bytes % LINE_BYTES == 0:
                step.code = FUSED_STREAM
