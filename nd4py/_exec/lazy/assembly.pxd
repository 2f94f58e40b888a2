from nd4py._core.lazy.chain cimport MAX_LEAVES, MAX_OUTPUTS, MAX_VALUES, Chain
from nd4py.cpu.program.program cimport Program

# What one pass over a chain does: which leaves it reads, which values it writes and where they lie meanwhile.
cdef struct Assembly:
    int n_leaves
    short leaves[MAX_LEAVES]             # those that are read, in order
    int n_outputs
    short outputs[MAX_OUTPUTS]           # those of the chain that are written
    bint is_needed[MAX_VALUES]
    short last_use[MAX_VALUES]           # the last link that reads it, -1 for none
    short slot[MAX_VALUES]               # of the program's operands
    int n_links                          # that run
    double nanoseconds                   # of one element on one thread
    Py_ssize_t unit_bytes                # of one element of all leaves, outputs and registers
    Program program

cdef void assemble(Chain chain, Assembly* work, int final_value) noexcept
cdef bint is_fused(int op, int number) noexcept
cdef bint needs_rows(Chain chain, const Assembly* work) noexcept
cdef Py_ssize_t bytes_one_by_one(Chain chain, const Assembly* work) noexcept
cdef Py_ssize_t bytes_of_pass(Chain chain, const Assembly* work) noexcept
