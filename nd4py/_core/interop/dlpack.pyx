"""DLPack capsules: tensors given to other libraries, and taken from them, whatever device their memory is on."""

from cpython.object cimport PyObject
from cpython.pycapsule cimport (
    PyCapsule_CheckExact, PyCapsule_GetPointer, PyCapsule_IsValid, PyCapsule_New, PyCapsule_SetName,
)
from cpython.ref cimport Py_DECREF, Py_INCREF
from libc.stdint cimport int64_t
from nd4py._core.interop.foreign_memory cimport UNKNOWN, Claim, checked
from nd4py._core.layout.shape cimport MAX_NDIM, ShapeInfo
from nd4py._mem.pool.pool cimport pool_allocate, pool_release

from ..._mem.diagnostics.memory_wants import out_of_memory
from ..._spec.dtypes import DTYPES

cdef dict CODES = {row.dlpack: number for number, row in enumerate(DTYPES)}

cdef enum:
    READ_ONLY = 1                        # bits of DLManagedTensorVersioned.flags
    IS_COPIED = 2
    KNOWN_MAJOR = 1

cdef struct Export:                      # what a consumer holds; the tensors point into it
    DLManagedTensor plain
    DLManagedTensorVersioned versioned
    int64_t numbers[2 * MAX_NDIM]
    PyObject* owner
    EndExport end


# Giving.


cdef object give_capsule(const Given* given, ShapeInfo info, bint is_versioned):
    """A capsule that keeps the owner of the memory alive until its consumer is done.  Raises MemoryError."""
    cdef Export* export = <Export*>pool_allocate(sizeof(Export))
    if export == NULL:
        raise out_of_memory(sizeof(Export), "a DLPack tensor")
    export.owner, export.end = given.owner, given.end
    Py_INCREF(<object>given.owner)
    if is_versioned:
        fill_tensor(&export.versioned.dl_tensor, export.numbers, given, info)
        export.versioned.major, export.versioned.minor = KNOWN_MAJOR, 0
        export.versioned.flags = (READ_ONLY if given.readonly else 0) | (IS_COPIED if given.is_copied else 0)
        export.versioned.manager_ctx = export
        export.versioned.deleter = delete_versioned
        return PyCapsule_New(&export.versioned, "dltensor_versioned", delete_capsule)
    fill_tensor(&export.plain.dl_tensor, export.numbers, given, info)
    export.plain.manager_ctx = export
    export.plain.deleter = delete_plain
    return PyCapsule_New(&export.plain, "dltensor", delete_capsule)


cdef bint must_copy(ShapeInfo info, object copy) except -1:
    """Whether a copy is exported: one that is asked for, and one of elements in reverse, which end PyTorch's process.

    Raises BufferError where none is allowed.
    """
    cdef int i
    for i in range(info.ndim):
        if info.strides[i] < 0 and info.shape[i] > 1:
            if copy is not None and not copy:
                raise BufferError("DLPack: elements in reverse order are only exported as a copy; pass copy=None")
            return True
    return bool(copy)


cdef int fill_tensor(DLTensor* tensor, int64_t* numbers, const Given* given, ShapeInfo info) except -1:
    cdef int i
    code, bits = DTYPES[given.number].dlpack
    tensor.data = given.data
    tensor.device.device_type, tensor.device.device_id = given.device_type, given.device_id
    tensor.ndim = info.ndim
    tensor.dtype.code, tensor.dtype.bits, tensor.dtype.lanes = code, bits, 1
    tensor.shape, tensor.strides = numbers, numbers + MAX_NDIM
    tensor.byte_offset = 0
    for i in range(info.ndim):
        tensor.shape[i] = info.shape[i]
        tensor.strides[i] = info.strides[i] // info.itemsize
    return 0


cdef void end_export(Export* export) noexcept:
    if export.end != NULL:
        export.end(export.owner)
    Py_DECREF(<object>export.owner)
    pool_release(export, sizeof(Export))


cdef void delete_plain(DLManagedTensor* tensor) noexcept with gil:
    end_export(<Export*>tensor.manager_ctx)


cdef void delete_versioned(DLManagedTensorVersioned* tensor) noexcept with gil:
    end_export(<Export*>tensor.manager_ctx)


cdef void delete_capsule(object capsule) noexcept:
    """A capsule that was not consumed still owns its tensor."""
    cdef DLManagedTensor* plain
    cdef DLManagedTensorVersioned* versioned
    if PyCapsule_IsValid(capsule, "dltensor"):
        plain = <DLManagedTensor*>PyCapsule_GetPointer(capsule, "dltensor")
        plain.deleter(plain)
    elif PyCapsule_IsValid(capsule, "dltensor_versioned"):
        versioned = <DLManagedTensorVersioned*>PyCapsule_GetPointer(capsule, "dltensor_versioned")
        versioned.deleter(versioned)


# Taking.


cdef class Imported:
    """Owns a consumed DLPack tensor until the last array over it is gone."""

    def __dealloc__(self):
        if self.plain != NULL and self.plain.deleter != NULL:
            self.plain.deleter(self.plain)
        if self.versioned != NULL and self.versioned.deleter != NULL:
            self.versioned.deleter(self.versioned)


cdef Imported take_capsule(object capsule):
    """The tensor of a capsule, which it is no more the owner of.

    Raises TypeError for anything but a capsule, ValueError for one of something else or that was consumed, BufferError
    for a version of DLPack that did not exist when this was written.
    """
    cdef Imported taken = Imported()
    if not PyCapsule_CheckExact(capsule):
        raise TypeError(f"__dlpack__ must return a DLPack capsule, given {type(capsule).__name__}")
    if PyCapsule_IsValid(capsule, "dltensor_versioned"):
        taken.versioned = <DLManagedTensorVersioned*>PyCapsule_GetPointer(capsule, "dltensor_versioned")
        PyCapsule_SetName(capsule, "used_dltensor_versioned")
        if taken.versioned.major != KNOWN_MAJOR:         # the fields behind the deleter may be others
            raise BufferError(
                f"the tensor is of DLPack {taken.versioned.major}.{taken.versioned.minor}; {KNOWN_MAJOR}.x is read; "
                "ask its owner for max_version=(1, 0), or pass a copy"
            )
        taken.tensor = &taken.versioned.dl_tensor
        taken.readonly = taken.versioned.flags & READ_ONLY
    elif PyCapsule_IsValid(capsule, "dltensor"):
        taken.plain = <DLManagedTensor*>PyCapsule_GetPointer(capsule, "dltensor")
        taken.tensor = &taken.plain.dl_tensor
        PyCapsule_SetName(capsule, "used_dltensor")
    else:
        raise ValueError("not a DLPack capsule, or one that was consumed already")
    return taken


cdef ShapeInfo read_claim(const DLTensor* tensor, Claim* claim):
    """What a tensor says of its memory, checked.

    Raises TypeError for a dtype nd4py lacks, ValueError for too many dimensions, BufferError for what cannot be.
    """
    code, bits = tensor.dtype.code, tensor.dtype.bits
    number = CODES.get((code, bits))
    if number is None or tensor.dtype.lanes != 1:
        raise TypeError(f"no dtype for DLPack type code {code} with {bits} bits and {tensor.dtype.lanes} lanes")
    cdef size_t address = <size_t>tensor.data
    if address > ~<size_t>0 - tensor.byte_offset:
        raise BufferError(f"DLPack: byte offset {tensor.byte_offset} leads out of all memory; pass a copy")
    claim[0] = Claim(
        address + tensor.byte_offset if address else 0, number, tensor.ndim, tensor.shape, tensor.strides,
        DTYPES[number].itemsize, UNKNOWN, UNKNOWN,
    )
    return checked(claim)
