from nd4py._core.array.array cimport NDArray
from nd4py._core.layout.plan cimport Plan

cdef NDArray convert(NDArray x, int number)
cdef int run_conversion(Plan* plan, int source, int target) except -1
cdef int write(NDArray target, object value) except -1
cdef int write_element(NDArray target, char* element) except -1
cdef int check_writable(str name, NDArray array) except -1
cdef bint overlaps(NDArray x, NDArray y) noexcept
cdef bint shares(NDArray x, NDArray y) noexcept
