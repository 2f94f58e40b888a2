from nd4py.cuda.allocator cimport Block


cdef class Scratch:
    cdef Block* block
    cdef readonly int device
