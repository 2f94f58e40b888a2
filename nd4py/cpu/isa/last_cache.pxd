cdef Py_ssize_t LAST_CACHE_BYTES         # of the last cache that the first core shares, at least 8 MiB
