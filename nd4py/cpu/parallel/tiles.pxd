from nd4py._core.layout.plan cimport MAX_OPERANDS, Plan
from nd4py.cpu.isa.isa cimport MapLoop
from nd4py.cpu.program.program cimport Program

cdef enum:
    TILE_BYTES = 16384                   # of one operand of a tile: three of them stay in L1 or nearly
    TILE_DOUBLES = 2048
    PIECES = 16                          # that a plan is cut into at least, so that threads get equal shares

# One map row, a conversion, or a program of several over a plan.
cdef struct MapCall:
    MapLoop loop                         # NULL: convert operand 0 into operand 1, unless there is a program
    const Program* program               # or NULL
    const double* params
    int n_params
    double nanoseconds                   # of one element on one thread
    int number[MAX_OPERANDS]             # dtype the operand is stored as
    int loop_number[MAX_OPERANDS]        # dtype the loop reads or writes
    int n_in

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
    bint is_across                       # the two inner axes are both the densest one of some operand

cdef bint is_beyond_caches(const Plan* plan, const MapCall* call) noexcept
cdef void choose_tiling(Plan* plan, const MapCall* call, Tiling* tiling) noexcept
cdef double tiling_cost(const Plan* plan, const MapCall* call, const Tiling* tiling) noexcept nogil
cdef void run_tiles(const Plan* plan, const MapCall* call, const Tiling* tiling, Py_ssize_t first,
                    Py_ssize_t last) noexcept nogil
cdef int bits_of(Py_ssize_t itemsize) noexcept nogil
