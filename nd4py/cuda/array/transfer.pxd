from nd4py._core.array.array cimport NDArray
from nd4py.cuda.array.device_array cimport DeviceArray

cdef DeviceArray upload(NDArray x, int device)
cdef NDArray download(DeviceArray x)
cdef int write_bytes(size_t address, const char* source, size_t n_bytes, int device) except -1
