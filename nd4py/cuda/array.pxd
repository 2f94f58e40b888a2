from nd4py._core.shape cimport ShapeInfo
from nd4py._mem.tenants cimport Tenancy
from nd4py.cuda.allocator cimport Block


cdef class DeviceArray:
    cdef size_t place                    # address of the first element
    cdef ShapeInfo info
    cdef readonly int number             # of the dtype, in the order of _spec.dtypes
    cdef readonly int device_number
    cdef bint readonly
    cdef Block* block                    # that this array owns, or NULL
    cdef object base                     # what keeps the memory alive otherwise
    cdef public object node              # the tape's record of how it was made, or None
    cdef Py_ssize_t version              # in-place writes so far, kept on the owner of the memory
    cdef Tenancy* tenancy                # in the arena of a workspace, or NULL
    cdef bint is_exported                # another library was told the address
    cdef bint is_lent                    # another stream than the arena's works on it
    cdef object __weakref__


# What the operators call.  `launch` puts its functions here, so that arrays know no arithmetic.
ctypedef object (*BinaryHook)(int op, object left, object right)
ctypedef object (*UnaryHook)(int op, object x)
ctypedef object (*InplaceHook)(int op, object left, object right)

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

cdef DeviceHooks device_hooks

cdef DeviceArray new_device_array(int number, ShapeInfo info, int device)
cdef DeviceArray new_device_view(DeviceArray source, size_t address, ShapeInfo info)
cdef DeviceArray foreign_device_array(size_t address, int number, ShapeInfo info, int device, bint readonly,
                                      object owner)
cdef Block* block_of(DeviceArray x) noexcept
cdef int use_on(DeviceArray x, size_t stream) except -1
