cdef int flush(bint every_thread) except -1
