from nd4py._core.lazy.chain cimport Chain

cdef dict described(Chain chain, dict own)
