# The type of cuLaunchKernel.
ctypedef int (*LaunchKernel)(
    void* function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
    unsigned block_z, unsigned shared_bytes, void* stream, void** parameters, void** extra
) noexcept nogil

cdef LaunchKernel native_launch() except? NULL
cdef object binary_on_device(int op, object left, object right)
cdef object unary_on_device(int op, object x)
cdef object inplace_on_device(int op, object left, object right)
