from nd4py._core.layout.shape cimport MAX_NDIM, ShapeInfo


cdef class TADPack:
    cdef readonly ShapeInfo info         # of each sub-array
    cdef readonly Py_ssize_t count       # sub-arrays
    cdef int n_outer
    cdef Py_ssize_t sizes[MAX_NDIM]      # of the axes that count them
    cdef Py_ssize_t steps[MAX_NDIM]

    cdef Py_ssize_t offset(self, Py_ssize_t index) except? -1


cdef TADPack tad_pack(ShapeInfo info, tuple dimensions)
