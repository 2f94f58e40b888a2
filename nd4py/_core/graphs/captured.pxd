from nd4py._core.graphs.replay cimport Replay
from nd4py._core.layout.shape cimport ShapeInfo


# How a result follows from a call.
cdef enum Source:
    NEW = 0                              # in new memory that launches write
    INPUT = 1                            # it is an input, or a view of one
    SAME = 2                             # an array from outside


cdef class Output:
    cdef Source source
    cdef Py_ssize_t slot                 # of the new memory, or the input
    cdef Py_ssize_t offset, n_bytes
    cdef bint is_whole                   # it is all of the new memory
    cdef ShapeInfo info
    cdef int number
    cdef object array


cdef class Captured:
    cdef readonly Replay replay
    cdef list infos                      # of the inputs that are arrays; others: None
    cdef list given                      # their dtype's number; the value of others
    cdef list outputs
    cdef list owners                     # the first output in each new memory
    cdef object skeleton
    cdef bint is_lone                    # the function returns one array
    cdef bytearray addresses             # of inputs, then of new memory, while a call is prepared
    cdef Py_ssize_t n_inputs, n_new
    cdef Py_ssize_t loop_choices         # when the function ran

    cdef bint takes(self, tuple inputs) except -1
    cdef object call(self, tuple inputs)
