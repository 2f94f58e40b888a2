from nd4py._core.array.array_base cimport ArrayBase
from nd4py._core.observing.observers cimport Operation

cdef int panic_kinds                     # what is searched for: a bit for NaN, one for infinity; 0 for nothing

cdef bint is_searching() noexcept
cdef object error_of(str name, str line, tuple read, tuple written, bint makes_all)
