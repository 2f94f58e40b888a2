cdef enum:
    LARGE_ROWS = 512                     # rows from which one matrix is worth several threads
    FEW_MATRICES = 8                     # so many matrices of a stack are worked on one after the other

cdef int load_large() except -1
cdef int large_getrf(int letter, int n, char* a, int* pivots) noexcept nogil
cdef void large_getrs(int letter, int n, int k, const char* a, const int* pivots, char* b) noexcept nogil
cdef int large_potrf(int letter, int n, char* a) noexcept nogil
