# What others say of memory that is theirs.
from libc.stdint cimport int64_t
from nd4py._core.layout.shape cimport ShapeInfo

# Elements from `address` on; sizes and strides may be NULL, as in the protocols they come from.
cdef struct Claim:
    size_t address
    int number                           # of the dtype
    int ndim
    const int64_t* shape
    const int64_t* strides               # NULL: in C order
    Py_ssize_t unit                      # bytes that strides count
    Py_ssize_t before, behind            # bytes that are theirs around the address, or UNKNOWN

cdef enum:
    UNKNOWN = -1

cdef ShapeInfo checked(const Claim* claim)
cdef ShapeInfo checked_description(object found, size_t address, Py_ssize_t before, Py_ssize_t behind)
