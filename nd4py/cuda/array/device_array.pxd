from cpython.object cimport PyObject
from nd4py._core.array.array_base cimport ArrayBase, owner_of
from nd4py._core.layout.shape cimport ShapeInfo
from nd4py.cuda.allocation.allocator cimport Block
from nd4py.cuda.allocation.stream_uses cimport note_use


cdef class DeviceArray(ArrayBase):
    cdef size_t data_address             # of the first element; 0 while it is deferred
    cdef Block* owned                    # block that this array owns, or NULL
    cdef readonly int device_number
    cdef bint is_lent                    # another stream than the arena's works on it; kept on the owner


# What arrays ask of those that defer operations (`device_defer`).
ctypedef object (*DeferFunction)(int op, DeviceArray a, DeviceArray b, int number, int result)

# What workspaces do (`device_arena`): whether a new array has its memory in one, which a view shares, and which ends;
# the block of the arena.
ctypedef bint (*AttachFunction)(DeviceArray x) except -1
ctypedef int (*ShareFunction)(DeviceArray view, DeviceArray source) except -1
ctypedef void (*EndFunction)(DeviceArray x) noexcept
ctypedef Block* (*BlockFunction)(DeviceArray x) noexcept

cdef struct ArrayUpcalls:
    AttachFunction attach
    ShareFunction share
    EndFunction end
    BlockFunction block
    DeferFunction defer                  # a row without scalars on one or two (or None) arrays of one shape and dtype

cdef ArrayUpcalls array_upcalls

cdef void end_as_array(PyObject* array) noexcept
cdef int materialize_deferred(DeviceArray x) except -1
cdef DeviceArray new_device_array(int number, ShapeInfo info, int device)
cdef DeviceArray new_device_view(DeviceArray source, size_t address, ShapeInfo info)
cdef DeviceArray shifted_view(DeviceArray source, size_t offset, ShapeInfo info)
cdef DeviceArray foreign_device_array(size_t address, int number, ShapeInfo info, int device, bint readonly,
                                      object owner)


cdef inline Block* block_of(DeviceArray x) noexcept:
    """The block that an array lies in, its own or that of an arena, or NULL over foreign memory."""
    if x.owned != NULL:
        return x.owned
    cdef DeviceArray owner = <DeviceArray>owner_of(x)
    return owner.owned if owner.owned != NULL or owner.attachment == NULL else array_upcalls.block(owner)


cdef inline int use_on(DeviceArray x, size_t stream) except -1:
    """Say that work given to `stream` needs the memory of an array."""
    cdef Block* block = block_of(x)
    if block != NULL and block.lane.stream != stream:
        (<DeviceArray>owner_of(x)).is_lent = True
        note_use(block, x.device_number, stream)
    return 0


cdef inline int materialize(DeviceArray x) except -1:
    """Materialize `x`.  To be called before `data_address` is read."""
    if x.is_deferred:
        return materialize_deferred(x)
    return 0
