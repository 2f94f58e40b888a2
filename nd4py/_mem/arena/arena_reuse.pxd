from nd4py._mem.arena.free_ranges cimport Ranges


cdef class ArenaReuse:
    # Where the arrays of a scope lie in an arena that uses memory again.
    cdef Ranges free
    cdef readonly size_t top             # everything from here on is free
    cdef readonly size_t highest         # end of the highest range taken in this scope
    cdef list plan                       # (size, start) of each array and scratch in turn, or None
    cdef readonly size_t planned_size    # bytes that the plan needs
    cdef list events                     # what is taken and given back, while a plan is to be made
    cdef public list record              # the same for `record_places`, or None
    cdef Py_ssize_t position             # in the plan
    cdef bint follows                    # the plan, so far in this scope
    cdef int n_strayed                   # scopes in a row that did not follow it

    cdef int begin(self) except -1
    cdef size_t take(self, size_t size) except? 1
    cdef bint take_scratch(self, size_t size, size_t* start) except -1
    cdef size_t find(self, size_t size) except? 1
    cdef bint has_planned(self, size_t size, size_t* start) except -1
    cdef int give(self, size_t start, size_t size) except -1
    cdef int give_scratch(self, size_t start, size_t size) except -1
    cdef bint end(self) except -1
