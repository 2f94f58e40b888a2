"""One piece of a sweep: some rows of a strip of columns, tile by tile.

Design: elements are reduced in the order in which `run_reduce` takes them, so tiles have whole groups of the rows that
its loops add up in registers.  A narrow tile has whole rows, one after the other, and is one line; of a wide one each
row is.  Values of rows lie beside the elements: repeated for all rows of a narrow tile.
"""

from nd4py._core.layout.plan cimport MAX_OPERANDS
from nd4py.cpu.isa.isa cimport ReduceLoops, loops
from nd4py.cpu.elementwise.map cimport bits_of
from nd4py.cpu.program.block_programs cimport gather, is_value
from nd4py.cpu.program.program cimport (
    Program, Rows, Step, Sweep, Tile, locate, run_element_rows, run_element_steps, run_row_steps, start_tile,
)
from nd4py.cpu.reduce.reduce cimport cut_rows

cdef enum:
    LINE_BYTES = 64                      # bytes of a cache line

cdef struct Piece:
    const SweepWork* work
    const Program* program
    const Sweep* sweep
    int number                           # of the sweep
    Py_ssize_t block, column, n_columns  # of the unit
    Py_ssize_t first, n_rows
    char* acc
    char* room

# Some rows of some columns of a piece, counted from its beginning.
cdef struct Part:
    Py_ssize_t row, n_rows, column, n_columns


cdef void cut_units(SweepWork* work) noexcept:
    """Units and pieces as those of `run_reduce`."""
    cut_rows(work.rows.n_blocks, work.rows.n, work.rows.inner, &work.strip, &work.piece)
    work.n_strips = (work.rows.inner + work.strip - 1) // work.strip
    work.n_units = work.rows.n_blocks * work.n_strips
    work.n_pieces = (work.rows.n + work.piece - 1) // work.piece


cdef Py_ssize_t acc_bytes_of(const ReduceLoops* reduction, Py_ssize_t strip) noexcept nogil:
    """Bytes of the accumulators of a strip, and of those of several rows that are reduced as one."""
    cdef Py_ssize_t n = strip + (reduction.wide if 2 * strip <= reduction.wide else 0)
    return (n * reduction.acc_size + LINE_BYTES - 1) // LINE_BYTES * LINE_BYTES


cdef void start_piece(const SweepWork* work, int sweep, Py_ssize_t unit, char* room, Piece* piece) noexcept nogil:
    """All rows of a unit."""
    piece.work, piece.program = work, work.call.program
    piece.sweep = &piece.program.sweeps[sweep]
    piece.number, piece.room = sweep, room
    piece.block, piece.column = unit // work.n_strips, unit % work.n_strips * work.strip
    piece.n_columns = min(work.strip, work.rows.inner - piece.column)
    piece.first, piece.n_rows = 0, work.rows.n


cdef void run_piece(const SweepWork* work, int sweep, Py_ssize_t unit, Py_ssize_t number, char* acc,
                    char* room) noexcept nogil:
    """Piece `number` of a unit, whose reductions are put into `acc`."""
    cdef Piece piece
    cdef Part part
    cdef Py_ssize_t rows, columns
    start_piece(work, sweep, unit, room, &piece)
    piece.first, piece.acc = number * work.piece, acc
    piece.n_rows = min(work.piece, work.rows.n - piece.first)
    rows, columns = piece.program.tile // piece.program.columns, piece.program.columns
    fetch_row_values(&piece)
    init_accumulators(&piece)
    part.row = 0
    while part.row < piece.n_rows:
        part.n_rows = min(rows, piece.n_rows - part.row)
        part.column = 0
        while part.column < piece.n_columns:
            part.n_columns = min(columns, piece.n_columns - part.column)
            run_part(&piece, &part)
            part.column += columns
        part.row += rows
    if work.is_streamed:
        loops.finish_streams()


cdef inline bint is_narrow(const SweepWork* work) noexcept nogil:
    return work.rows.inner <= NARROW_COLUMNS


cdef void fetch_row_values(const Piece* piece) noexcept nogil:
    """Copy the values of rows that earlier sweeps have made beside the elements of a tile."""
    cdef const SweepWork* work = piece.work
    cdef Py_ssize_t first = piece.block * work.rows.inner + piece.column, size
    cdef char* to = piece.room + piece.program.n_registers * piece.program.register_bytes
    cdef int k
    for k in range(piece.program.n_row_values):
        size = piece.program.row_value_sizes[k]
        if piece.program.row_value_sweeps[k] < piece.number:
            repeat(piece, work.known + k * work.known_bytes + first * size, size, to + k * work.row_value_bytes)
    for k in range(work.n_operands):
        size = work.layouts[k].itemsize
        if piece.program.is_of_row[k] and piece.program.operand_sweeps[k] < piece.number:
            repeat(piece, work.layouts[k].data + first * size, size, piece.room + work.copies[k])


cdef inline void repeat(const Piece* piece, const char* x, Py_ssize_t size, char* to) noexcept nogil:
    cdef Py_ssize_t columns = piece.n_columns
    cdef Py_ssize_t n = piece.program.tile // columns if is_narrow(piece.work) and columns > 1 else 1
    loops.strided_copies[bits_of(size)](x, 0, size, to, columns * size, size, n, columns)


cdef inline void run_part(const Piece* piece, const Part* part) noexcept nogil:
    """One tile: its elements, then the reductions of these."""
    cdef char* p[MAX_OPERANDS]
    cdef Py_ssize_t s[MAX_OPERANDS]
    cdef const Sweep* sweep = piece.sweep
    cdef bint has_reductions = sweep.first_reduction < sweep.first_of_rows
    cdef Py_ssize_t row_bytes = piece.program.columns * piece.program.element_bytes if has_reductions else 0, i
    cdef Tile tile
    cdef int k
    start_tile(piece.program, p, s, part.n_columns, piece.room, &tile)
    tile.row_value_bytes, tile.first_row = piece.work.row_value_bytes, part.column
    for k in range(piece.work.call.n_in, piece.work.n_operands):
        tile.is_streamed[k] = piece.work.is_streamed and piece.program.is_streamable[k]
    if is_narrow(piece.work):
        tile.n = part.n_rows * part.n_columns
        place(piece, part, 0, tile.n, True, p, s)
        run_element_steps(&tile, sweep)
    elif not run_rows_alike(piece, part, &tile, row_bytes):
        for i in range(part.n_rows):
            place(piece, part, i, part.n_columns, True, p, s)
            tile.room = piece.room + i * row_bytes
            run_element_steps(&tile, sweep)
    if has_reductions:
        tile.room = piece.room
        place(piece, part, 0, part.n_columns, False, p, s)
        accumulate(piece, part, &tile)


cdef inline bint run_rows_alike(const Piece* piece, const Part* part, Tile* tile, Py_ssize_t row_bytes) noexcept nogil:
    """Run the element steps of all rows of a wide tile together, if its operands lie where they are read; or False."""
    cdef const SweepWork* work = piece.work
    cdef Py_ssize_t steps[MAX_OPERANDS]
    cdef int k
    for k in range(work.n_operands):
        steps[k] = work.rows.inner * work.layouts[k].itemsize
        if piece.program.is_of_row[k] or (k < work.call.n_in and is_value(&work.layouts[k])):
            steps[k] = 0
        elif work.copies[k] >= 0 and work.is_read[piece.number][k]:
            return False
    if piece.sweep.first_step == piece.sweep.first_reduction:
        return True
    place(piece, part, 0, part.n_columns, False, tile.p, <Py_ssize_t*>tile.s)
    return run_element_rows(tile, piece.sweep, part.n_rows, steps, row_bytes)


cdef inline void place(const Piece* piece, const Part* part, Py_ssize_t row, Py_ssize_t n, bint is_copied, char** p,
                       Py_ssize_t* s) noexcept nogil:
    """Where the operands lie of `n` elements from a row of a part on, which are copied together first if that is
    asked for."""
    cdef const SweepWork* work = piece.work
    cdef const Rows* rows = &work.rows
    cdef Py_ssize_t number = piece.block * rows.n + piece.first + part.row + row
    cdef int k
    number = number * rows.inner + piece.column + part.column
    for k in range(work.n_operands):
        s[k] = work.layouts[k].itemsize
        if piece.program.is_of_row[k]:
            p[k] = piece.room + work.copies[k] + part.column * s[k]
            s[k] = s[k] if rows.inner > 1 else 0
        elif work.copies[k] >= 0:
            p[k] = piece.room + work.copies[k] + row * piece.program.columns * s[k]
            if is_copied and work.is_read[piece.number][k]:
                gather(&work.layouts[k], number, n, p[k])
        elif k < work.call.n_in and is_value(&work.layouts[k]):
            p[k], s[k] = work.layouts[k].data, 0
        else:
            p[k] = work.layouts[k].data + number * s[k]


# Reductions.


cdef inline Py_ssize_t fold_of(const Piece* piece, const ReduceLoops* reduction) noexcept nogil:
    """How many rows of a piece its loop reduces as one."""
    cdef Py_ssize_t inner = piece.work.rows.inner
    if inner > 1 and 2 * inner <= reduction.wide and piece.n_rows >= 2 * reduction.wide // inner:
        return reduction.wide // inner
    return 1


cdef void init_accumulators(const Piece* piece) noexcept nogil:
    cdef const ReduceLoops* reduction
    cdef char* acc = piece.acc
    cdef int i
    for i in range(piece.sweep.first_reduction, piece.sweep.first_of_rows):
        reduction = piece.program.steps[i].reduction
        reduction.init(acc, piece.n_columns)
        if 2 * piece.work.strip <= reduction.wide:
            reduction.init(acc + piece.work.strip * reduction.acc_size, reduction.wide)
        acc += acc_bytes_of(reduction, piece.work.strip)


cdef inline void accumulate(const Piece* piece, const Part* part, const Tile* tile) noexcept nogil:
    """Reduce the elements of a part, which lie where those of its first row do, and behind them."""
    cdef const Step* step
    cdef const ReduceLoops* reduction
    cdef char* acc = piece.acc
    cdef char* x
    cdef Py_ssize_t size
    cdef int i
    for i in range(piece.sweep.first_reduction, piece.sweep.first_of_rows):
        step = &piece.program.steps[i]
        reduction = step.reduction
        locate(tile, step.slot[0], step.stride[0], &x, &size)
        if piece.work.rows.inner == 1:
            reduction.along(x, 0, 1, size, part.n_rows, acc)
        elif fold_of(piece, reduction) > 1:
            reduce_folded(piece, part, reduction, x, size, acc)
        else:
            reduction.across(x, row_bytes_of(piece, step.slot[0], size), part.n_rows, size, part.n_columns,
                             acc + part.column * reduction.acc_size)
        acc += acc_bytes_of(reduction, piece.work.strip)


cdef inline Py_ssize_t row_bytes_of(const Piece* piece, int slot, Py_ssize_t size) noexcept nogil:
    """Bytes from one row of a tile's operand or register to the next."""
    if is_narrow(piece.work):
        return piece.n_columns * size
    if slot >= piece.work.n_operands:
        return piece.program.columns * piece.program.element_bytes
    return (piece.work.rows.inner if piece.work.copies[slot] < 0 else piece.program.columns) * size


cdef inline void reduce_folded(const Piece* piece, const Part* part, const ReduceLoops* reduction, const char* x,
                               Py_ssize_t size, char* acc) noexcept nogil:
    """Reduce several narrow rows as one, as `across` does with all rows of a piece."""
    cdef Py_ssize_t fold = fold_of(piece, reduction), n = part.n_rows // fold, columns = piece.n_columns, i
    cdef char* wide = acc + piece.work.strip * reduction.acc_size
    reduction.across(x, fold * columns * size, n, size, fold * columns, wide)
    if part.row + part.n_rows < piece.n_rows:
        return
    for i in range(fold):
        reduction.merge(acc, wide + i * columns * reduction.acc_size, columns)
    reduction.across(x + n * fold * columns * size, columns * size, part.n_rows - n * fold, size, columns, acc)


cdef void finish_unit(const SweepWork* work, int sweep, Py_ssize_t unit, char* acc, char* room) noexcept nogil:
    """Join the pieces of a unit in order, which lie at `acc`, and compute the values of its rows."""
    cdef char* p[MAX_OPERANDS]
    cdef Py_ssize_t s[MAX_OPERANDS]
    cdef Piece unit_rows
    cdef const Step* step
    cdef Tile tile
    cdef Py_ssize_t first, i
    cdef char* y
    cdef Py_ssize_t stride
    cdef int k
    start_piece(work, sweep, unit, room, &unit_rows)
    first = unit_rows.block * work.rows.inner + unit_rows.column
    start_tile(unit_rows.program, p, s, unit_rows.n_columns, room, &tile)
    tile.row_values, tile.row_value_bytes, tile.first_row = work.known, work.known_bytes, first
    tile.rows = Rows(1, work.rows.n, unit_rows.n_columns)
    for k in range(work.n_operands):
        s[k] = work.layouts[k].itemsize
        p[k] = work.layouts[k].data + first * s[k]
    for k in range(unit_rows.sweep.first_reduction, unit_rows.sweep.first_of_rows):
        step = &unit_rows.program.steps[k]
        for i in range(1, work.n_pieces):
            step.reduction.merge(acc, acc + i * work.acc_bytes, unit_rows.n_columns)
        locate(&tile, step.slot[1], step.stride[1], &y, &stride)
        step.reduction.finish(acc, unit_rows.n_columns, work.rows.n, y, stride)
        acc += acc_bytes_of(step.reduction, work.strip)
    run_row_steps(&tile, unit_rows.sweep)
