from nd4py._core.lazy.chain cimport Chain
from nd4py._exec.lazy.program_steps cimport Assembly

cdef bint can_sweep_again(Chain chain, int value) noexcept
cdef void add_sweeps(Chain chain, Assembly* work) noexcept
