# The structs of programs: steps, runs of them, and tiles.
from nd4py._core.layout.plan cimport MAX_OPERANDS
from nd4py.cpu.isa.isa cimport CastLoop, MapLoop, ReduceLoops, ShortRows, StridedCopyLoop

cdef enum:
    MAX_STEPS = 240                      # of the links of a chain, what repeats their values or them, and copies
    MAX_STEP_OPERANDS = 8
    MAX_SCALARS = 32
    MAX_RUNS = 32
    MAX_SWEEPS = 4
    MAX_ROW_VALUES = 128
    MAX_FUSED = 160                      # parts of fused runs
    MAX_PARTS = 160 + MAX_OPERANDS + 2   # of one, with what it fetches, the join of a reduction, and one behind it
    NOT_FUSED = -1
    NOWHERE = -1
    VALUE_BYTES = 16                     # of the widest element
    ACCUMULATOR_BYTES = 32               # of the widest one
    ROOM_DOUBLES = 16384                 # of the registers of one tile

# One loop over a tile: a row of the table, a conversion, a reduction of whole rows of an array, or the repetition of
# values of rows along these.
cdef struct Step:
    MapLoop loop                         # NULL: convert operand 0 into operand 1
    const ReduceLoops* reduction         # or reduce it into operand 1, unless NULL
    StridedCopyLoop spread                     # or repeat values of rows along these, unless NULL
    bint is_of_row                       # operands have one element for each row: reductions of rows
    CastLoop cast
    const double* params
    short n_params
    int n_operands                       # inputs, then results
    int n_in
    short fused_row                      # the row's number in fused runs, or NOT_FUSED
    short fused_type                     # of its elements: 0 float32, 1 float64
    short slot[MAX_STEP_OPERANDS]        # an operand of the plan, then scalars, registers, values of a row
    short stride[MAX_STEP_OPERANDS]      # in bytes, of slots that are not operands of the plan

# A part of a fused run: what is done to its accumulator, and with which operand.
cdef struct FusedPart:
    short code
    short slot                           # or NOWHERE

# Steps that follow each other and run as one, with what lies between them in registers.
cdef struct FusedRun:
    short first_step, n_steps
    short first_part, n_parts
    bint is_reduced                      # the last step reduces the result of the others
    bint is_of_rows                      # it does so, or reads values of rows, where rows are short

# The steps that one walk over a block takes: on its elements, its reductions, and on what these come to.
cdef struct Sweep:
    short first_step, first_reduction, first_of_rows, end

# What is done to every tile of a plan, one loop after the other.
cdef struct Program:
    int n_steps
    int n_operands                       # of the plan
    int n_scalars
    int n_registers
    int n_row_values
    Py_ssize_t row_value_bytes
    short row_value_sizes[MAX_ROW_VALUES]  # bytes of one
    Py_ssize_t register_bytes
    Py_ssize_t tile                      # elements of a tile, at most
    Step steps[MAX_STEPS]
    int n_runs
    FusedRun runs[MAX_RUNS]              # in the order of their steps
    FusedPart parts[MAX_FUSED]
    bint is_one_run                      # all steps are one run, whose registers hold one block
    bint is_streamable[MAX_OPERANDS]     # a result that a run stores, and that no step reads
    bint is_of_row[MAX_OPERANDS]         # a result with one element for each row
    int n_fetching                       # passes over the elements of a tile that ask for the next one
    bint is_fetching[MAX_STEPS]          # of the pass that begins with a step
    double scalars[MAX_SCALARS][2]
    int n_sweeps                         # of a program of sweeps (nd4py.cpu.program.sweep_programs)
    Sweep sweeps[MAX_SWEEPS]
    short row_value_sweeps[MAX_ROW_VALUES]  # after which each value of rows is known
    short operand_sweeps[MAX_OPERANDS]   # after which results are known that have one element for each row
    Py_ssize_t columns                   # of a tile, at most
    Py_ssize_t element_bytes             # of a register
    bint has_row_vectors                 # values of rows lie beside the elements of a tile
    bint has_short_rows                  # runs take whole rows, and values of these as they are

# Rows that a tile has whole: `n_blocks` times `inner` of them, each of `n` elements, which lie `inner` apart.
cdef struct Rows:
    Py_ssize_t n_blocks, n, inner

# The elements of a tile, and what goes on beside the steps.
cdef struct Tile:
    const Program* program
    char** p                             # operands, and bytes from one of their elements to the next
    const Py_ssize_t* s
    Py_ssize_t n
    char* room                           # of registers
    char* row_values                     # behind the registers, and before accumulators, if not elsewhere
    Py_ssize_t row_value_bytes
    Py_ssize_t first_row                 # of these values
    Rows rows
    const ShortRows* short_rows          # how the vectors of float32 and float64 lie, if the program has such rows
    const ShortRows* rest                # the same of a tile's last elements, which fill no block; NULL: step by step
    bint is_streamed[MAX_OPERANDS]       # results whose whole blocks go past the caches
    int n_fetched                        # operands of which the next tile is asked for meanwhile
    const char* fetched[MAX_OPERANDS]
    Py_ssize_t fetched_bytes[MAX_OPERANDS]

cdef void start_tile(const Program* program, char** p, Py_ssize_t* s, Py_ssize_t n, char* room,
                     Tile* tile) noexcept nogil
cdef void fetch_next(Tile* tile, const char* data, Py_ssize_t n_bytes) noexcept nogil
cdef void run_steps(Tile* tile) noexcept nogil
cdef void run_element_steps(Tile* tile, const Sweep* sweep) noexcept nogil
cdef bint run_element_rows(Tile* tile, const Sweep* sweep, Py_ssize_t n_rows, const Py_ssize_t* operand_steps,
                           Py_ssize_t room_step) noexcept nogil
cdef void run_row_steps(Tile* tile, const Sweep* sweep) noexcept nogil
cdef void locate(const Tile* tile, int slot, Py_ssize_t own_stride, char** at, Py_ssize_t* stride) noexcept nogil
cdef bint can_reduce_run(const Program* program, const ReduceLoops* reduction) noexcept nogil
cdef void reduce_run(Tile* tile, const ReduceLoops* reduction, char* acc) noexcept nogil


cdef inline bint is_of_rows(const Program* program, int slot) noexcept nogil:
    """Whether an operand has one element for each row."""
    if slot < program.n_operands:
        return slot >= 0 and program.is_of_row[slot]
    return slot >= program.n_operands + program.n_scalars + program.n_registers
