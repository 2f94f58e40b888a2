# The structures of DLPack, and what a consumer of one of our tensors holds.
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from nd4py._core.shape cimport MAX_NDIM

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
    READ_ONLY = 1                        # bits of DLManagedTensorVersioned.flags
    IS_COPIED = 2

cdef struct Export:                      # what a DLPack consumer holds; the tensors point into it
    DLManagedTensor plain
    DLManagedTensorVersioned versioned
    int64_t numbers[2 * MAX_NDIM]
