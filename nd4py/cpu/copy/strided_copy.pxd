from nd4py._core.layout.plan cimport Plan

cdef int run_copy(Plan* plan, Py_ssize_t itemsize, bint is_streamed) except -1
cdef bint is_across(const Plan* plan) noexcept
