from nd4py.cpu.conv.conv_loops cimport WindowShape

cdef bint is_pointwise(const WindowShape* shape) noexcept nogil
cdef int convolve_points(const WindowShape* shape, int number, Py_ssize_t itemsize, const char* x, const char* w,
                         const char* bias, char* y) except -1
cdef int spread_points(const WindowShape* shape, int number, Py_ssize_t itemsize, const char* dy, const char* w,
                       char* dx) except -1
