from nd4py._core.lazy.chain cimport Chain
from nd4py._exec.lazy.program_steps cimport BLOCKS, ELEMENTS, ROWS, SWEEPS, Assembly
from nd4py.cpu.program.program cimport Rows

cdef enum:
    SHORTEST_ROW_ELEMENTS = 256          # of rows along the last axis that are taken one at a time
    LARGEST_BLOCK_ELEMENTS = 16384       # whose copies stay in the second cache

cdef void assemble(Chain chain, Assembly* work, int final_value) noexcept
cdef Rows rows_of(Chain chain) noexcept
cdef Py_ssize_t bytes_one_by_one(Chain chain, const Assembly* work) noexcept
cdef Py_ssize_t bytes_of_pass(Chain chain, const Assembly* work) noexcept
