from nd4py._core.layout.shape cimport ShapeInfo


cdef void extent(ShapeInfo info, Py_ssize_t* low, Py_ssize_t* high) noexcept
cdef bint share_bytes(size_t a, ShapeInfo a_info, size_t b, ShapeInfo b_info) noexcept
cdef bint disturbs(size_t written, ShapeInfo written_info, size_t read, ShapeInfo read_info) noexcept
