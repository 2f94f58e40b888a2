"""Fused runs over rows that are short: a tile has several, and loops know where each begins (short_row_runs.inc)."""

from nd4py.cpu.isa.isa cimport (
    FUSED_STORE, FUSED_STREAM, FUSED_VALUE, FUSED_VECTORS, FusedStep, ReduceLoops, ShortRows, loops,
)
from nd4py.cpu.program.program cimport MAX_PARTS, NOWHERE, FusedPart, Program, Step
from nd4py.cpu.program.slots cimport is_of_rows, is_scalar, locate, locate_fetch, size_in

cdef enum:
    LINE_BYTES = 64                      # bytes of a cache line


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
