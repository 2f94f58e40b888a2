from nd4py._core.array cimport NDArray

cdef int run_reduce(int row, NDArray x, const bint* is_reduced, NDArray y) except -1
cdef int run_argreduce(int row, NDArray x, int axis, NDArray y) except -1
