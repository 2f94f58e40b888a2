from nd4py._core.array.array cimport NDArray
from nd4py._core.lazy.lazy_backend cimport Backend

cdef Backend host

cdef NDArray with_memory_of(NDArray owner)
