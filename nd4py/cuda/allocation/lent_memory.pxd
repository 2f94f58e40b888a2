# Memory that other libraries lend.
from nd4py.cuda.allocation.allocator cimport Block, cache_of, give

cdef Block* foreign_block(size_t address, size_t n_bytes, object owner) except NULL
