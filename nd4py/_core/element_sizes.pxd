# Of the elements of every dtype, by its number: bytes, and bytes of the parts of complex numbers, at multiples of which
# elements lie.  Made from nd4py/_spec/dtypes.py.
from libc.string cimport memcpy

cdef extern from "element_sizes.gen.h" nogil:
    const Py_ssize_t itemsizes[]
    const Py_ssize_t alignments[]


cdef inline void copy_element(const char* source, char* target, Py_ssize_t n_bytes) noexcept nogil:
    """Copy one element; with a number that is known a copy is one instruction."""
    if n_bytes == 8:
        memcpy(target, source, 8)
    elif n_bytes == 4:
        memcpy(target, source, 4)
    elif n_bytes == 1:
        target[0] = source[0]
    else:
        memcpy(target, source, n_bytes)
