cdef int leave_tape(object node) except -1
