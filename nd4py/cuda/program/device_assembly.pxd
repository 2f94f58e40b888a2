from nd4py._core.lazy.chain cimport CONVERSION, MAX_LINKS, MAX_VALUES, Chain, Link


cdef class Assembly:
    cdef Chain chain
    cdef readonly bytes key              # equal for equal kernels
    cdef readonly list leaves            # arrays that are read
    cdef readonly bytes words            # scalars as a kernel takes them
    cdef readonly int n_links            # that are needed
    cdef bint is_needed[MAX_LINKS]
    cdef short slot[MAX_VALUES]          # the number of a value in the kernel, or -1
    cdef tuple values                    # that are written, by their numbers in the chain

cdef Assembly assemble(Chain chain, tuple values)


cdef inline int computed_number(Chain chain, const Link* link) noexcept:
    """The dtype that a link computes in; of a conversion its operand's."""
    return chain.values[link.operands[0]].number if link.op == CONVERSION else link.loop_number
