from cpython.object cimport PyObject
from nd4py._core.shape cimport ShapeInfo
from nd4py._mem.tenants cimport Tenancy
from nd4py.cuda.allocator cimport Block
from nd4py.cuda.stream_uses cimport note_use


cdef enum:
    HAS_MEMORY = 0
    IS_STAND_IN = -1                     # carries a node of the tape, and stands for the pending array in `base`


cdef class DeviceArray:
    cdef size_t place                    # address of the first element; 0 while it waits
    cdef int waits                       # HAS_MEMORY, IS_STAND_IN, or 1 + the output of the chain in `base`
    cdef ShapeInfo info
    cdef readonly int number             # of the dtype, in the order of _spec.dtypes
    cdef readonly int device_number
    cdef bint readonly
    cdef Block* owned                    # block that this array owns, or NULL
    cdef object base                     # what keeps the memory alive otherwise
    cdef public object node              # the tape's record of how it was made, or None
    cdef Py_ssize_t version              # in-place writes so far, kept on the owner of the memory
    cdef Tenancy* tenancy                # in the arena of a workspace, or NULL
    cdef bint is_exported                # another library was told the address
    cdef bint is_lent                    # another stream than the arena's works on it
    cdef Py_ssize_t n_readers            # chains that are going to read it, counted there too
    cdef bint is_shared                  # others may write the memory at any time; there too
    cdef object __weakref__


# What the operators call.  `launch` puts its functions here, so that arrays know no arithmetic.
ctypedef object (*BinaryHook)(int op, object left, object right)
ctypedef object (*UnaryHook)(int op, object x)
ctypedef object (*InplaceHook)(int op, object left, object right)
ctypedef object (*PutOffHook)(int op, DeviceArray a, DeviceArray b, int number, int result)
ctypedef int (*ChainHook)(DeviceArray x) except -1
ctypedef void (*ForgetHook)(PyObject* x) noexcept

# What workspaces do (`arena`): whether a new array has its memory in one, which a view then shares, and which ends;
# the block of the arena.
ctypedef bint (*AttachHook)(DeviceArray x) except -1
ctypedef int (*ShareHook)(DeviceArray view, DeviceArray source) except -1
ctypedef void (*EndHook)(DeviceArray x) noexcept
ctypedef Block* (*BlockHook)(DeviceArray x) noexcept

cdef struct DeviceHooks:
    BinaryHook binary
    UnaryHook unary
    InplaceHook inplace
    AttachHook attach
    ShareHook share
    EndHook end
    BlockHook block
    PutOffHook put_off                   # a row without scalars on one or two (or None) arrays of one shape and dtype
    ChainHook settle                     # give a pending array its values
    ChainHook finish_readers             # run what is going to read the memory of an owner
    ForgetHook forget                    # nobody holds a pending array any more

cdef DeviceHooks device_hooks
cdef Py_ssize_t itemsizes[32]            # of elements, by the number of the dtype

cdef DeviceArray new_device_array(int number, ShapeInfo info, int device)
cdef DeviceArray new_device_view(DeviceArray source, size_t address, ShapeInfo info)
cdef DeviceArray shifted_view(DeviceArray source, size_t offset, ShapeInfo info)
cdef DeviceArray foreign_device_array(size_t address, int number, ShapeInfo info, int device, bint readonly,
                                      object owner)


cdef inline DeviceArray owner_of(DeviceArray x):
    """The array that owns the memory, or the outermost one over foreign memory."""
    return <DeviceArray>x.base if x.base is not None and isinstance(x.base, DeviceArray) else x


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


cdef inline int settle(DeviceArray x) except -1:
    """Let `x` have its values.  Whoever reads `place` asks for them first."""
    if x.waits != HAS_MEMORY:
        return device_hooks.settle(x)
    return 0
