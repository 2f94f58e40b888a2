from nd4py._core.array.array cimport NDArray
from nd4py._core.layout.plan cimport Plan

cdef NDArray convert(NDArray x, int number)
cdef NDArray convert_in_order(NDArray x, int number)
cdef NDArray new_like(NDArray x, int number)
cdef bint is_scattered(NDArray x) noexcept
cdef NDArray gathered(NDArray x)
cdef NDArray new_result(tuple operands, int number, int ndim, const Py_ssize_t* shape)
cdef int run_conversion(Plan* plan, int source, int target) except -1
cdef int write(NDArray target, object value) except -1
cdef int write_element(NDArray target, char* element) except -1
cdef int check_writable(str name, NDArray array) except -1
cdef bint overlaps(NDArray x, NDArray y) noexcept
cdef bint shares(NDArray x, NDArray y) noexcept
