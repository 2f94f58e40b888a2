"""Where the operands of a step lie: in an operand of the plan, a scalar, a register, or among the values of rows."""

from nd4py.cpu.isa.isa cimport FUSED_FETCH

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
