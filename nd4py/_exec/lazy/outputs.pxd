from nd4py._exec.lazy.program_steps cimport Assembly
from nd4py._core.lazy.chain cimport Chain

cdef list choose_outputs(Chain chain, Assembly* work, int without_value, int first)
cdef object add_memory(Chain chain, Assembly* work, list arrays, list memory)
cdef int finish(Chain chain, const Assembly* work, list arrays, list memory, int n_reductions) except -1
cdef object told(Chain chain, int output, object error)
cdef int fail_lost(Chain chain) except -1
cdef int fail_spoiled(Chain chain, list memory) except -1
cdef int fail_readers(Chain chain, int leaves, object error) except -1
cdef int fail_all(Chain chain, object error) except -1
