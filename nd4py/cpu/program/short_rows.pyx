"""Where the operands of steps lie, and fused runs over rows that are short: a tile has several of these, and loops know
where each begins (short_row_runs.inc)."""

from nd4py.cpu.isa.isa cimport (
    FUSED_FETCH, FUSED_STORE, FUSED_STREAM, FUSED_VALUE, FUSED_VECTORS, FusedStep, ReduceLoops, ShortRows, loops,
)
from nd4py.cpu.program.program_structs cimport MAX_PARTS, NOWHERE, FusedPart, Program, Step

cdef enum:
    LINE_BYTES = 64                      # bytes of a cache line


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
    loops().reductions.row_runs[number_of_type].run(parts, n_parts, rows, n_rows, reduction, acc)
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
    loops().reductions.row_runs[number_of_type].run(parts, n_parts, rest, 1, NULL, NULL)
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
