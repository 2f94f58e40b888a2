# What a graph's step copies from the host.
from nd4py.cuda.allocation.allocator cimport Block

cdef Block* upload_block(void* lane_address, size_t n_bytes) except NULL
