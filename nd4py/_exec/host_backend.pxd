from nd4py._core.array cimport NDArray
from nd4py._core.chains.backend cimport Backend

cdef Backend host

cdef NDArray with_memory_of(NDArray owner)
