from nd4py._core.chains.backend cimport Backend

cdef Backend host
