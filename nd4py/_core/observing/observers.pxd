from cpython.object cimport PyObject

cdef int n_observers                     # profiles that are open, and the search for NaN: 0 means that nobody looks

# What an operation does with values.
cdef enum Sort:
    ELEMENTWISE = 0
    CHAIN = 1                            # several operations in one pass
    REDUCTION = 2
    SCAN = 3
    PRODUCT = 4
    DRIVER = 5                           # one with code of its own: convolutions, sorting, factorizations ...
    CONVERSION = 6
    MOVE = 7                             # copies, joins, selects or fills: makes no values
    GRAPH = 8


cdef class Operation:
    cdef readonly str name
    cdef Sort sort
    cdef readonly tuple parts            # (name, line in words) of each of the operations of a pass
    cdef readonly tuple read, written    # (number of the dtype, ShapeInfo) of each array
    cdef readonly long long start_ns, end_ns, inner_ns
    cdef readonly int n_threads, depth
    cdef readonly object thread          # its number
    cdef PyObject* code                  # of the program that called it
    cdef int instruction
    cdef PyObject* outer                 # the operation of this thread that it is a part of, or NULL
    cdef bint is_open
    cdef int n_threads_before

    cdef int finish(self, tuple read, tuple written) except -1


cdef class Observer:
    cdef int accept(self, Operation operation, tuple read, tuple written) except -1

cdef Operation begun(Sort sort, str name)
cdef int suspend() noexcept
cdef void resume(int before) noexcept
cpdef object begin_observing(Observer observer)
cpdef object end_observing(Observer observer)
