from nd4py.cpu.isa.isa cimport ReduceLoops
from nd4py.cpu.program.program_structs cimport (
    ACCUMULATOR_BYTES, MAX_FUSED, MAX_PARTS, MAX_ROW_VALUES, MAX_RUNS, MAX_SCALARS, MAX_STEPS, MAX_STEP_OPERANDS,
    MAX_SWEEPS, NOT_FUSED, NOWHERE, ROOM_DOUBLES, VALUE_BYTES, FusedPart, FusedRun, Program, Rows, Step, Sweep, Tile,
)

cdef void start_tile(const Program* program, char** p, Py_ssize_t* s, Py_ssize_t n, char* room,
                     Tile* tile) noexcept nogil
cdef void fetch_next(Tile* tile, const char* data, Py_ssize_t n_bytes) noexcept nogil
cdef void run_steps(Tile* tile) noexcept nogil
cdef void run_element_steps(Tile* tile, const Sweep* sweep) noexcept nogil
cdef void run_row_steps(Tile* tile, const Sweep* sweep) noexcept nogil
cdef bint can_reduce_run(const Program* program, const ReduceLoops* reduction) noexcept nogil
cdef void reduce_run(Tile* tile, const ReduceLoops* reduction, char* acc) noexcept nogil
