from nd4py._core.lazy.chain cimport MAX_LEAVES, MAX_OUTPUTS, MAX_VALUES, Chain, Link
from nd4py.cpu.program.program cimport MAX_STEPS, NOT_FUSED, Program, Step

cdef enum:
    NOWHERE = -1
    ROW_VALUE = 1024                     # slots from here on are moved behind the registers in the end

# What the tiles of a pass are.
cdef enum Kind:
    ELEMENTS = 0                         # any elements
    ROWS = 1                             # one long row along the last axis
    BLOCKS = 2                           # all rows of some blocks (nd4py.cpu.program.block_programs)
    SWEEPS = 3                           # a piece of a block too large for that (nd4py.cpu.program.sweep_programs)

# What one pass over a chain does: which leaves it reads, which values it writes and where they lie meanwhile.
cdef struct Assembly:
    Kind kind
    bint has_short_rows                  # of blocks: runs take their values as they are
    bint has_one_row                     # a tile is a part of one row: of its values each is one throughout
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

# Registers: which are free, and how many there are.
cdef struct Registers:
    int first                            # their slots
    int n
    int n_free
    short free[MAX_STEPS]
    Py_ssize_t widest                    # bytes of an element

cdef bint is_spread(Chain chain, const Assembly* work, const Link* link, int k) noexcept
cdef void give_operands(Chain chain, Assembly* work, int i, bint is_before, Registers* registers) noexcept
cdef void take_slot(Chain chain, Assembly* work, int value, Registers* registers) noexcept
cdef void take_row_slot(Chain chain, Assembly* work, int value) noexcept
cdef void give_register(Registers* registers, int slot) noexcept
cdef void add_spread(Chain chain, Assembly* work, int value, Registers* registers) noexcept
cdef Step* add_step(Chain chain, Assembly* work, const Link* link) noexcept
cdef void add_copy(Chain chain, Assembly* work, int value, int slot) noexcept
