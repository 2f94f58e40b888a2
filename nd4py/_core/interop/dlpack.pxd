# The structures of DLPack, and tensors given and taken, whatever device their memory is on.
from cpython.object cimport PyObject
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from nd4py._core.interop.foreign_memory cimport Claim
from nd4py._core.layout.shape cimport ShapeInfo

cdef extern from * nogil:
    """
    #include <stdint.h>
    // The structures of DLPack 1.0 (dmlc/dlpack, dlpack.h).
    typedef struct { int32_t device_type; int32_t device_id; } DLDevice;
    typedef struct { uint8_t code; uint8_t bits; uint16_t lanes; } DLDataType;
    typedef struct { void* data; DLDevice device; int32_t ndim; DLDataType dtype; int64_t* shape; int64_t* strides;
                     uint64_t byte_offset; } DLTensor;
    typedef struct DLManagedTensor { DLTensor dl_tensor; void* manager_ctx;
                                     void (*deleter)(struct DLManagedTensor*); } DLManagedTensor;
    typedef struct DLManagedTensorVersioned { uint32_t major; uint32_t minor; void* manager_ctx;
                     void (*deleter)(struct DLManagedTensorVersioned*); uint64_t flags; DLTensor dl_tensor;
                     } DLManagedTensorVersioned;
    """
    ctypedef struct DLDevice:
        int32_t device_type
        int32_t device_id
    ctypedef struct DLDataType:
        uint8_t code
        uint8_t bits
        uint16_t lanes
    ctypedef struct DLTensor:
        void* data
        DLDevice device
        int32_t ndim
        DLDataType dtype
        int64_t* shape
        int64_t* strides
        uint64_t byte_offset
    ctypedef struct DLManagedTensor:
        DLTensor dl_tensor
        void* manager_ctx
        void (*deleter)(DLManagedTensor*) noexcept
    ctypedef struct DLManagedTensorVersioned:
        uint32_t major
        uint32_t minor
        void* manager_ctx
        void (*deleter)(DLManagedTensorVersioned*) noexcept
        uint64_t flags
        DLTensor dl_tensor

cdef enum:
    CPU_DEVICE = 1
    CUDA_DEVICE = 2

# Called when the consumer of a tensor is done with it.
ctypedef void (*EndExport)(PyObject* owner) noexcept

# The memory of an array, for others.
cdef struct Given:
    PyObject* owner                      # borrowed
    void* data
    int32_t device_type, device_id
    int number                           # of the dtype
    bint readonly
    bint is_copied                       # it has no other users
    EndExport end                        # or NULL


cdef class Imported:
    cdef DLManagedTensor* plain
    cdef DLManagedTensorVersioned* versioned
    cdef DLTensor* tensor
    cdef bint readonly

cdef object give_capsule(const Given* given, ShapeInfo info, bint is_versioned)
cdef bint must_copy(ShapeInfo info, object copy) except -1
cdef Imported take_capsule(object capsule)
cdef ShapeInfo read_claim(const DLTensor* tensor, Claim* claim)
