from nd4py.cuda.chain cimport MAX_LINKS, MAX_VALUES, Chain


cdef class Assembly:
    cdef Chain chain
    cdef readonly bytes key              # equal for equal kernels
    cdef readonly list leaves            # arrays that are read
    cdef readonly bytes words            # scalars as a kernel takes them
    cdef readonly int n_links            # that are needed
    cdef bint is_needed[MAX_LINKS]
    cdef short place[MAX_VALUES]         # the number of a value in the kernel, or -1
    cdef tuple values                    # that are written, by their numbers in the chain

cdef Assembly assemble(Chain chain, tuple values)
