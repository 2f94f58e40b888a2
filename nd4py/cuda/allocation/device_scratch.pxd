from nd4py.cuda.allocation.allocator cimport Block


cdef class Scratch:
    cdef Block* block
    cdef readonly int device
