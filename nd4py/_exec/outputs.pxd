from nd4py._exec.assembly cimport Assembly
from nd4py._exec.chain cimport Chain


cdef void choose_outputs(Chain chain, Assembly* work, int without_value) noexcept
cdef list held_arrays(Chain chain, const Assembly* work)
cdef list memory_for(Chain chain, Assembly* work, list arrays)
