from nd4py.cuda.allocator cimport Block, note_use
from nd4py.cuda.array cimport DeviceArray, device_hooks, owner_of

cdef bint is_private(DeviceArray x)
cdef int prepare_write(DeviceArray x) except -1
cdef int share(DeviceArray x) except -1
cdef DeviceArray without_node(DeviceArray x)


cdef inline Block* block_of(DeviceArray x) noexcept:
    """The block that an array lies in, its own or that of an arena, or NULL over foreign memory."""
    if x.owned != NULL:
        return x.owned
    cdef DeviceArray owner = owner_of(x)
    return owner.owned if owner.owned != NULL or owner.tenancy == NULL else device_hooks.block(owner)


cdef inline int use_on(DeviceArray x, size_t stream) except -1:
    """Say that work given to `stream` needs the memory of an array."""
    cdef Block* block = block_of(x)
    if block != NULL and block.lane.stream != stream:
        owner_of(x).is_lent = True
        note_use(block, x.device_number, stream)
    return 0
