from nd4py._core.array.array cimport NDArray

cdef enum Normal:
    SOFTMAX
    LOG_SOFTMAX
    STANDARDIZE

cdef bint run_normalize(Normal kind, NDArray x, int axis, NDArray y, double epsilon, NDArray scale,
                        NDArray bias) except -1
