from nd4py.cpu.isa.isa cimport FusedStep
from nd4py.cpu.program.program_structs cimport FusedRun, Program, Tile


cdef inline Py_ssize_t size_in(const Program* program, const FusedRun* run) noexcept nogil:
    return 8 if program.steps[run.first_step].fused_type else 4


cdef inline bint is_of_rows(const Program* program, int slot) noexcept nogil:
    """Whether an operand has one element for each row."""
    if slot < program.n_operands:
        return slot >= 0 and program.is_of_row[slot]
    return slot >= program.n_operands + program.n_scalars + program.n_registers


cdef inline bint is_scalar(const Program* program, int slot) noexcept nogil:
    return 0 <= slot - program.n_operands < program.n_scalars


cdef inline bint is_value(const Program* program, int slot) noexcept nogil:
    """Whether an operand that is none of the plan is one value throughout a tile: a scalar, or what a row comes to."""
    cdef int first_register = program.n_operands + program.n_scalars
    if slot >= first_register + program.n_registers:
        return not program.has_row_vectors
    return slot < first_register


cdef void locate(const Tile* tile, int slot, Py_ssize_t own_stride, char** at, Py_ssize_t* stride) noexcept nogil
cdef void locate_fetch(const Tile* tile, int k, int number, Py_ssize_t n_blocks, FusedStep* part) noexcept nogil
cdef void run_short_rows(Tile* tile, const FusedRun* run, int number) noexcept nogil
cdef bint run_masked_rest(Tile* tile, const FusedRun* run, Py_ssize_t done) noexcept nogil
