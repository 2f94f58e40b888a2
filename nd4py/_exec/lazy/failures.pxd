from nd4py._core.lazy.chain cimport Chain

cdef object same_error(object error, str words)
cdef object told(Chain chain, int output, object error)
cdef int fail_lost(Chain chain) except -1
cdef int fail_spoiled(Chain chain, list memory) except -1
cdef int fail_readers(Chain chain, int leaves, object error) except -1
cdef int fail_all(Chain chain, object error) except -1
