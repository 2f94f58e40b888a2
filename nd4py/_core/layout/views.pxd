from nd4py._core.layout.shape cimport ShapeInfo

cdef enum:
    NO_ELEMENT = 0x4000000000000000      # no offset

cdef ShapeInfo index_info(ShapeInfo info, object key, Py_ssize_t* offset)
cdef Py_ssize_t element_offset(ShapeInfo info, object key) except? -1
cdef bint names_element(object key) noexcept
cdef bint is_index(object item) except -1
cdef ShapeInfo reshape_info(ShapeInfo info, object shape)
cdef ShapeInfo transpose_info(ShapeInfo info)
cdef ShapeInfo permute_info(ShapeInfo info, object axes)
cdef ShapeInfo diagonal_info(ShapeInfo info, int axis1, int axis2, Py_ssize_t diagonal, Py_ssize_t* start)
cdef ShapeInfo broadcast_info(ShapeInfo info, int ndim, const Py_ssize_t* shape)
