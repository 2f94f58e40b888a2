cdef Py_ssize_t LAST_CACHE_BYTES         # of the last cache that a process counts on, at least 8 MiB
