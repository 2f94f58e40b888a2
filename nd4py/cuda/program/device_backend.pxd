from nd4py._core.lazy.lazy_backend cimport Backend

cdef Backend devices
