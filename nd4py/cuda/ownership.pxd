from nd4py.cuda.array cimport DeviceArray

cdef bint is_private(DeviceArray x) except -1
cdef int prepare_write(DeviceArray x) except -1
cdef int share(DeviceArray x) except -1
cdef DeviceArray without_node(DeviceArray x)
