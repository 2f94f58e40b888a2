from nd4py._core.layout.plan cimport MAX_OPERANDS
from nd4py.cpu.isa.isa cimport ReduceLoops
from nd4py.cpu.elementwise.map cimport MapCall
from nd4py.cpu.program.block_programs cimport Layout
from nd4py.cpu.program.program cimport MAX_SWEEPS, Rows

cdef enum:
    NARROW_COLUMNS = 256                 # of rows that a tile has whole: values of rows are repeated for all of them

# Sweeps over some blocks of `rows.n` by `rows.inner` elements.  A unit is a strip of columns of one block; a piece is
# some rows of one.
cdef struct SweepWork:
    const MapCall* call
    int n_operands
    Layout layouts[MAX_OPERANDS]
    Py_ssize_t copies[MAX_OPERANDS]      # where in a room, or -1: inputs with gaps, results of rows
    bint is_read[MAX_SWEEPS][MAX_OPERANDS]
    bint is_streamed
    Rows rows
    Py_ssize_t strip, n_strips, n_units  # columns of a unit; units of a block, and of all blocks
    Py_ssize_t piece, n_pieces           # rows of a piece; pieces of a unit
    Py_ssize_t acc_bytes                 # of one piece
    Py_ssize_t room_bytes                # of one thread
    Py_ssize_t row_value_bytes           # of one value of the rows of a tile, in a room
    Py_ssize_t known_bytes               # of one value of all rows
    double nanoseconds                   # of all elements on one thread
    int n_threads
    char* known
    char* accs                           # of all pieces that are swept together
    char* rooms
    int sweep
    Py_ssize_t first_unit, end_unit      # that are swept together

cdef void cut_units(SweepWork* work) noexcept
cdef Py_ssize_t acc_bytes_of(const ReduceLoops* reduction, Py_ssize_t strip) noexcept nogil
cdef void run_piece(const SweepWork* work, int sweep, Py_ssize_t unit, Py_ssize_t number, char* acc,
                    char* room) noexcept nogil
cdef void finish_unit(const SweepWork* work, int sweep, Py_ssize_t unit, char* acc, char* room) noexcept nogil
