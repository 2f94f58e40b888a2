from nd4py._core.lazy.chain cimport Chain
from nd4py._core.observing.panic cimport panic_kinds
from nd4py._exec.lazy.program_steps cimport Assembly

cdef object failed_link(Chain chain, const Assembly* work)
