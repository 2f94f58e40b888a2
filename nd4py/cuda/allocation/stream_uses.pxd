# Which streams worked on a block, and when they have passed.
from nd4py.cuda.allocation.blocks cimport Block

cdef int note_use(Block* block, int device, size_t stream, bint is_foreign=?) except -1
cdef int note_end(int device, size_t stream) except -1
cdef int record_uses(Block* block) except -1
cdef bint is_passed(Block* block, bint waits) except -1
cdef bint is_unknown(Block* block) noexcept
cdef void make_unknown(Block* block) noexcept
