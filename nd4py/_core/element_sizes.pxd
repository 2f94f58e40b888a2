# Of the elements of every dtype, by its number: bytes, and bytes of the parts of complex numbers, at multiples of which
# elements lie.  Made from nd4py/_spec/dtypes.py.
cdef extern from "element_sizes.gen.h" nogil:
    const Py_ssize_t itemsizes[]
    const Py_ssize_t alignments[]
