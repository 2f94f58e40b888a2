from cpython.object cimport PyObject

cdef enum:
    MAX_NDIM = 32


cdef class ShapeInfo:
    cdef int ndim
    cdef bint is_contiguous              # elements lie in C order without gaps
    cdef Py_ssize_t itemsize
    cdef Py_ssize_t size                 # elements
    cdef Py_ssize_t* shape               # ndim sizes
    cdef Py_ssize_t* strides             # ndim strides in bytes
    cdef Py_ssize_t numbers[2 * MAX_NDIM]
    cdef tuple sizes                     # the shape as Python sees it, made when first asked for
    cdef ShapeInfo bytewise              # the same layout of elements of one byte, once it was asked for, or None
    cdef PyObject* latest                # of that one: this layout of larger elements, the last that was asked for


cdef ShapeInfo intern(Py_ssize_t itemsize, int ndim, const Py_ssize_t* shape, const Py_ssize_t* strides)
cdef ShapeInfo intern_contiguous(Py_ssize_t itemsize, int ndim, const Py_ssize_t* shape)
cdef int parse_shape(object shape, Py_ssize_t* out) except -1
cpdef int normalize_axis(object axis, int ndim) except -1
cdef ShapeInfo result_layout(Py_ssize_t itemsize, int ndim, const Py_ssize_t* shape, int n, PyObject** operands)
cdef ShapeInfo other_itemsize(ShapeInfo info, Py_ssize_t itemsize)


cdef inline ShapeInfo with_itemsize(ShapeInfo info, Py_ssize_t itemsize):
    """The same layout, which has no gaps, of elements of another size."""
    if info.itemsize == itemsize:
        return info
    if itemsize == 1 and info.bytewise is not None:
        return info.bytewise
    if info.latest != NULL and (<ShapeInfo>info.latest).itemsize == itemsize:
        return <ShapeInfo>info.latest
    return other_itemsize(info, itemsize)
