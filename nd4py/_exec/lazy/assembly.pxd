from nd4py._core.lazy.chain cimport MAX_LEAVES, MAX_OUTPUTS, MAX_VALUES, Chain
from nd4py.cpu.program.program cimport Program, Rows

cdef enum:
    SHORTEST_ROW_ELEMENTS = 256          # of rows along the last axis that are taken one at a time

# What the tiles of a pass are.
cdef enum Kind:
    ELEMENTS = 0                         # any elements
    ROWS = 1                             # one long row along the last axis
    BLOCKS = 2                           # all rows of some blocks (nd4py.cpu.program.block_programs)

# What one pass over a chain does: which leaves it reads, which values it writes and where they lie meanwhile.
cdef struct Assembly:
    Kind kind
    int n_leaves
    short leaves[MAX_LEAVES]             # those that are read, in order
    int n_outputs
    short outputs[MAX_OUTPUTS]           # those of the chain that are written
    bint is_needed[MAX_VALUES]
    short last_use[MAX_VALUES]           # the last link that reads it, -1 for none
    short slot[MAX_VALUES]               # of the program's operands
    short last_spread[MAX_VALUES]        # of a value of rows: the last link that reads it beside elements, or -1,
    short spread[MAX_VALUES]             # and where it is repeated for these
    int n_links                          # that run
    double nanoseconds                   # of one element on one thread
    Py_ssize_t unit_bytes                # of one element of all leaves, outputs and registers
    Program program

cdef void assemble(Chain chain, Assembly* work, int final_value) noexcept
cdef bint is_fused(int op, int number) noexcept
cdef Rows rows_of(Chain chain) noexcept
cdef Py_ssize_t bytes_one_by_one(Chain chain, const Assembly* work) noexcept
cdef Py_ssize_t bytes_of_pass(Chain chain, const Assembly* work) noexcept
