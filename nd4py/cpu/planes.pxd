from nd4py._core.plan cimport Plan

cdef void run_copy(Plan* plan, Py_ssize_t itemsize, bint is_streamed) noexcept
cdef bint is_across(const Plan* plan) noexcept
