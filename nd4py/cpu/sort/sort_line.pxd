from libc.stddef cimport ptrdiff_t
from nd4py._core.array.array cimport NDArray
from nd4py.cpu.sort.sort_loops cimport ItemLoops, KeyRange, SortLine, SortLoops

cdef enum:
    PIECE_ELEMENTS = 65536               # elements of one task
    SPREAD_FROM_ITEMS = 131072           # items from which on buckets, and several threads, pay

cdef struct Work:
    SortLine line
    const SortLoops* loops
    const ItemLoops* item_loops          # for the items at hand
    const char* x
    Py_ssize_t itemsize
    bint descending
    int direction                        # of the keys: 1 if they ascend, -1 if they strictly descend, else 0
    Py_ssize_t n_pieces
    KeyRange* ranges                     # of every piece
    ptrdiff_t* counts                    # [piece][bucket]: items, then where the next one goes
    char* y                              # where values or positions are written; NULL: the items are the answer
    bint is_out_of_memory


cdef class Line:
    cdef Work work
    cdef list memory

    cdef void* allocate(self, Py_ssize_t n_bytes) except NULL
    cdef int encode(self) except -1
    cdef int pack(self, bint with_positions) except -1
    cdef int sort(self, char* sorted, char* y) except -1
    cdef int spread(self) except -1


cdef const SortLoops* sort_loops_of(NDArray x) except NULL
cdef Py_ssize_t start_of(const Work* work, Py_ssize_t piece) noexcept nogil
