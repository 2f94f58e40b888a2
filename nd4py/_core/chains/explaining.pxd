from nd4py._core.chains.chain cimport Chain

cdef dict described(Chain chain, dict own)
