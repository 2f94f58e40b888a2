from nd4py._core.array.array_base cimport prepare_write
from nd4py._core.layout.overlap cimport extent
from nd4py.cuda.array.device_array cimport DeviceArray

cdef bint is_private(DeviceArray x) except -1
cpdef bint overlaps(DeviceArray x, DeviceArray y) except -1
cpdef bint shares(DeviceArray x, DeviceArray y) except -1
cdef DeviceArray new_of_shape(int number, DeviceArray x)
cdef DeviceArray without_node(DeviceArray x)
