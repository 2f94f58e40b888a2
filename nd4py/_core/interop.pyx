"""Sharing memory with other libraries: the buffer protocol and DLPack, both ways, without copies."""

from cpython.buffer cimport PyBUF_FULL_RO, PyBuffer_Release, PyObject_GetBuffer
from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.memoryview cimport PyMemoryView_GET_BUFFER
from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_IsValid, PyCapsule_New, PyCapsule_SetName
from cpython.ref cimport Py_DECREF, Py_INCREF
from libc.stdint cimport int64_t
from nd4py._core.array cimport NDArray, end_share, lean_on, share
from nd4py._core.dlpack cimport (
    CPU_DEVICE, IS_COPIED, READ_ONLY, DLManagedTensor, DLManagedTensorVersioned, DLTensor, Export,
)
from nd4py._core.shape cimport MAX_NDIM, intern
from nd4py._mem.pool cimport pool_allocate, pool_release

from .._mem.statistics import out_of_memory
from .._spec.dtypes import BY_NAME, DTYPES, NUMBER
from .hooks import install

FORMATS = {row.buffer: number for number, row in enumerate(DTYPES) if row.buffer}
FORMATS.update({"l": NUMBER["int64"], "L": NUMBER["uint64"]})
cdef list ITEMSIZES = [row.itemsize for row in DTYPES]
cdef list ALIGNMENTS = [BY_NAME[row.real].itemsize for row in DTYPES]
DLPACK_CODES = {row.dlpack: number for number, row in enumerate(DTYPES)}

cdef NDArray foreign(char* data, int number, int ndim, const Py_ssize_t* shape, const Py_ssize_t* strides,
                     bint readonly, object owner):
    """An array over memory that `owner` keeps alive."""
    cdef NDArray array = NDArray.__new__(NDArray)
    cdef Py_ssize_t itemsize = ITEMSIZES[number], alignment = ALIGNMENTS[number]
    if <size_t>data % alignment:
        raise BufferError(f"the buffer's elements are not aligned to {alignment} bytes; pass a copy")
    array.data = data
    array.number = number
    array.info = intern(itemsize, ndim, shape, strides)
    array.readonly = readonly
    if isinstance(owner, NDArray):
        lean_on(array, <NDArray>owner)
    else:
        array.base = owner
    return array


cdef class Exported:
    """Holds a buffer of another object until the last array over it is gone."""

    cdef Py_buffer view

    def __dealloc__(self):
        PyBuffer_Release(&self.view)


def from_buffer(exporter):
    """An array over the memory of an object with the buffer protocol.

    Raises TypeError for an element format nd4py has no dtype for, BufferError for elements out of alignment.
    """
    cdef Exported owner = Exported()
    cdef Py_buffer* view = &owner.view
    PyObject_GetBuffer(exporter, view, PyBUF_FULL_RO)
    cdef str format = (view.format if view.format != NULL else b"B").decode().lstrip("@=<")
    number = FORMATS.get(format)
    if number is None or ITEMSIZES[number] != view.itemsize:
        raise TypeError(f"no dtype for buffer elements of format {format!r}; convert them to one that nd4py has")
    if view.ndim > MAX_NDIM:
        raise ValueError(f"an array has at most {MAX_NDIM} dimensions, given {view.ndim}")
    if view.suboffsets != NULL:
        raise BufferError("buffers with suboffsets are not supported; pass a copy")
    return foreign(<char*>view.buf, number, view.ndim, view.shape, view.strides, view.readonly, owner)


def from_raw_bytes(exporter, dtype):
    """A 1-d array that reads the bytes of a contiguous buffer as elements of `dtype`.

    Raises ValueError when they are no whole number of elements, BufferError for bytes out of alignment.
    """
    view = memoryview(exporter).cast("B")
    cdef Py_ssize_t step = dtype.itemsize
    cdef Py_ssize_t n = view.nbytes // step
    if view.nbytes % step:
        raise ValueError(f"frombuffer: {view.nbytes} bytes are no whole number of {dtype} elements of {step} bytes")
    cdef char* data = <char*>PyMemoryView_GET_BUFFER(view).buf
    return foreign(data, dtype.number, 1, &n, &step, view.readonly, view)


def reinterpret(NDArray x, dtype):
    """A view of the same bytes as another dtype of the same item size."""
    return foreign(x.data, dtype.number, x.info.ndim, x.info.shape, x.info.strides, x.readonly, x)


def byte_view(NDArray x):
    """The bytes of a contiguous array, as uint8 over the same memory."""
    cdef Py_ssize_t n = x.info.size * x.info.itemsize, step = 1
    return foreign(x.data, NUMBER["uint8"], 1, &n, &step, x.readonly, x)


def to_bytes(NDArray x):
    """The elements of a contiguous array as bytes."""
    return PyBytes_FromStringAndSize(x.data, x.info.size * x.info.itemsize)


# DLPack: exporting.


def to_dlpack(NDArray x, stream, max_version, dl_device, copy):
    """A DLPack capsule.  Raises BufferError for what this memory cannot offer."""
    if stream is not None:
        raise BufferError(f"stream must be None for host memory, given {stream!r}")
    if dl_device is not None and tuple(dl_device) != (CPU_DEVICE, 0):
        raise BufferError(f"this array is on device (1, 0), given dl_device={dl_device}; copy it there first")
    is_versioned = max_version is not None and max_version[0] >= 1
    if x.readonly and not is_versioned and not copy:
        raise BufferError("this array is read-only, which DLPack before 1.0 cannot say; export a copy")
    if copy:
        x = x.copy()
    cdef Export* export = <Export*>pool_allocate(sizeof(Export))
    if export == NULL:
        raise out_of_memory(sizeof(Export), "a DLPack tensor")
    share(x)
    Py_INCREF(x)
    x.n_exports += 1
    if is_versioned:
        fill_tensor(&export.versioned.dl_tensor, export.numbers, x)
        export.versioned.major, export.versioned.minor = 1, 0
        export.versioned.flags = (READ_ONLY if x.readonly else 0) | (IS_COPIED if copy else 0)
        export.versioned.manager_ctx = <void*>x
        export.versioned.deleter = delete_versioned
        return PyCapsule_New(&export.versioned, "dltensor_versioned", delete_capsule)
    fill_tensor(&export.plain.dl_tensor, export.numbers, x)
    export.plain.manager_ctx = <void*>x
    export.plain.deleter = delete_plain
    return PyCapsule_New(&export.plain, "dltensor", delete_capsule)


cdef int fill_tensor(DLTensor* tensor, int64_t* numbers, NDArray x) except -1:
    cdef int i
    code, bits = DTYPES[x.number].dlpack
    tensor.data = x.data
    tensor.device.device_type, tensor.device.device_id = CPU_DEVICE, 0
    tensor.ndim = x.info.ndim
    tensor.dtype.code, tensor.dtype.bits, tensor.dtype.lanes = code, bits, 1
    tensor.shape, tensor.strides = numbers, numbers + MAX_NDIM
    tensor.byte_offset = 0
    for i in range(x.info.ndim):
        tensor.shape[i] = x.info.shape[i]
        tensor.strides[i] = x.info.strides[i] // x.info.itemsize
    return 0


cdef void end_export(void* array) noexcept:
    (<NDArray>array).n_exports -= 1
    end_share(<NDArray>array)
    Py_DECREF(<object>array)


cdef void delete_plain(DLManagedTensor* tensor) noexcept with gil:
    end_export(tensor.manager_ctx)
    pool_release(<Export*>tensor, sizeof(Export))


cdef void delete_versioned(DLManagedTensorVersioned* tensor) noexcept with gil:
    end_export(tensor.manager_ctx)
    pool_release(<char*>tensor - offset_of_versioned(), sizeof(Export))


cdef size_t offset_of_versioned() noexcept:
    cdef Export* nowhere = NULL
    return <size_t>&nowhere.versioned


cdef void delete_capsule(object capsule) noexcept:
    """A capsule nobody consumed still owns its tensor."""
    cdef DLManagedTensor* plain
    cdef DLManagedTensorVersioned* versioned
    if PyCapsule_IsValid(capsule, "dltensor"):
        plain = <DLManagedTensor*>PyCapsule_GetPointer(capsule, "dltensor")
        plain.deleter(plain)
    elif PyCapsule_IsValid(capsule, "dltensor_versioned"):
        versioned = <DLManagedTensorVersioned*>PyCapsule_GetPointer(capsule, "dltensor_versioned")
        versioned.deleter(versioned)


# DLPack: importing.


cdef class Imported:
    """Owns a consumed DLPack tensor until the last array over it is gone."""

    cdef DLManagedTensor* plain
    cdef DLManagedTensorVersioned* versioned

    def __dealloc__(self):
        if self.plain != NULL and self.plain.deleter != NULL:
            self.plain.deleter(self.plain)
        if self.versioned != NULL and self.versioned.deleter != NULL:
            self.versioned.deleter(self.versioned)


def from_capsule(capsule):
    """An array over a DLPack capsule's memory, which it takes over.

    Raises BufferError for another device, TypeError for a dtype nd4py lacks.
    """
    cdef Imported owner = Imported()
    cdef DLTensor* tensor
    cdef bint readonly = False
    if PyCapsule_IsValid(capsule, "dltensor_versioned"):
        owner.versioned = <DLManagedTensorVersioned*>PyCapsule_GetPointer(capsule, "dltensor_versioned")
        tensor = &owner.versioned.dl_tensor
        readonly = owner.versioned.flags & READ_ONLY
        PyCapsule_SetName(capsule, "used_dltensor_versioned")
    elif PyCapsule_IsValid(capsule, "dltensor"):
        owner.plain = <DLManagedTensor*>PyCapsule_GetPointer(capsule, "dltensor")
        tensor = &owner.plain.dl_tensor
        PyCapsule_SetName(capsule, "used_dltensor")
    else:
        raise ValueError("not a DLPack capsule, or one that was consumed already")
    return from_tensor(tensor, readonly, owner)


cdef NDArray from_tensor(DLTensor* tensor, bint readonly, object owner):
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef Py_ssize_t strides[MAX_NDIM]
    cdef Py_ssize_t step
    cdef int i
    key = (tensor.dtype.code, tensor.dtype.bits)
    if tensor.device.device_type != CPU_DEVICE:
        raise BufferError(f"the tensor is on DLPack device type {tensor.device.device_type}, not in host memory (1)")
    if key not in DLPACK_CODES or tensor.dtype.lanes != 1:
        raise TypeError(f"no dtype for DLPack type code {key[0]} with {key[1]} bits and {tensor.dtype.lanes} lanes")
    if tensor.ndim > MAX_NDIM:
        raise ValueError(f"an array has at most {MAX_NDIM} dimensions, given {tensor.ndim}")
    step = DTYPES[DLPACK_CODES[key]].itemsize
    for i in range(tensor.ndim - 1, -1, -1):
        shape[i] = tensor.shape[i]
        strides[i] = step
        if tensor.strides != NULL:
            strides[i] = tensor.strides[i] * <Py_ssize_t>DTYPES[DLPACK_CODES[key]].itemsize
        step *= max(shape[i], 1)
    return foreign(<char*>tensor.data + tensor.byte_offset, DLPACK_CODES[key], tensor.ndim, shape, strides, readonly,
                   owner)


install(to_dlpack=to_dlpack, to_bytes=to_bytes)
