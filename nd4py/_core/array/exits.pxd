cdef int leave_tape(object node) except -1
cdef int leave_as_number(object x, object node, Py_ssize_t size, str kind) except -1
