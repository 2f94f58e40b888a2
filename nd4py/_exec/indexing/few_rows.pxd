from nd4py._core.array.array cimport NDArray

cdef NDArray read_few_rows(object given, object key)
cdef bint write_few_rows(object given, object key, object value) except -1
