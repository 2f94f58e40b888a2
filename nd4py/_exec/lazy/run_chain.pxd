from nd4py._core.array.array cimport NDArray
from nd4py._core.lazy.chain cimport Chain
from nd4py._core.observing.panic cimport panic_kinds
from nd4py.cpu.isa.isa cimport ReduceLoops

cdef object launch(Chain chain, int first)
cdef bint launch_reduced(Chain chain, NDArray x, NDArray virtual, const ReduceLoops* reduce_loops,
                         const bint* is_reduced, NDArray y, str name) except -1
