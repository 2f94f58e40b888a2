"""Sharing the memory of devices with CuPy, PyTorch and others: DLPack and `__cuda_array_interface__`, both ways.

Nothing is copied.  Work of the other library goes to a stream of its own, so the stream it names waits for ours when
we give, and ours for the stream it names when we take.
"""

from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_IsValid, PyCapsule_New, PyCapsule_SetName
from cpython.ref cimport Py_DECREF, Py_INCREF
from libc.stdint cimport int64_t
from nd4py._core.dlpack cimport (
    CUDA_DEVICE, IS_COPIED, READ_ONLY, DLManagedTensor, DLManagedTensorVersioned, DLTensor, Export,
)
from nd4py._core.shape cimport MAX_NDIM, intern
from nd4py._mem.pool cimport pool_allocate, pool_release
from nd4py.cuda.array cimport DeviceArray, foreign_device_array, use_on
from nd4py.cuda.current cimport bind, current_device, current_stream

import sys

from .._core.hooks import install
from .._core.interop import DLPACK_CODES
from .._mem.statistics import out_of_memory
from .._spec.dtypes import DTYPES, letter
from .current import check_device_number
from .drivers import driver

cdef str NATIVE = "<" if sys.byteorder == "little" else ">"
cdef dict TYPES = {f"{letter(row.kind)}{row.itemsize}": number for number, row in enumerate(DTYPES) if row.buffer}

cdef enum:
    LEGACY = 1                           # streams as both protocols name them: the default one, and
    PER_THREAD = 2                       # that of each thread, which nd4py does not use


# Giving.


def to_dlpack(DeviceArray x, stream, max_version, dl_device, copy):
    """A DLPack capsule.  Raises BufferError for what this memory cannot offer."""
    if dl_device is not None and tuple(dl_device) == (1, 0):
        return x.to_device("cpu").__dlpack__(max_version=max_version, copy=None)
    if dl_device is not None and tuple(dl_device) != (CUDA_DEVICE, x.device_number):
        raise BufferError(f"this array is on device (2, {x.device_number}), given dl_device={dl_device}; copy it there")
    is_versioned = max_version is not None and max_version[0] >= 1
    if x.readonly and not is_versioned and not copy:
        raise BufferError("this array is read-only, which DLPack before 1.0 cannot say; export a copy")
    if copy:
        x = x.copy()
    if stream != -1:                     # a consumer that needs no order says -1
        hand_over(x, LEGACY if stream is None else stream)
    cdef Export* export = <Export*>pool_allocate(sizeof(Export))
    if export == NULL:
        raise out_of_memory(sizeof(Export), "a DLPack tensor")
    Py_INCREF(x)
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


cdef int hand_over(DeviceArray x, object stream) except -1:
    """Let a stream that another library named wait for the work that makes `x`.  Raises BufferError for a wrong one."""
    if isinstance(stream, bool) or not isinstance(stream, int) or stream < LEGACY:
        raise BufferError(f"stream: None, -1, 1 or a CUDA stream's address, given {stream!r}")
    if stream == PER_THREAD:
        raise BufferError("stream 2, the default stream of each thread, is not supported; give 1 or an address")
    order(x.device_number, current_stream(x.device_number), 0 if stream == LEGACY else stream)
    use_on(x, 0 if stream == LEGACY else stream)
    return 0


cdef int order(int device, size_t first, size_t then) except -1:
    """Let later work of stream `then` wait for what stream `first` was given so far."""
    if first == then:
        return 0
    bind(device)
    event = driver().event_create()
    try:
        driver().event_record(event, first)
        driver().event_wait(event, then)
    finally:
        driver().event_destroy(event)
    return 0


cdef int fill_tensor(DLTensor* tensor, int64_t* numbers, DeviceArray x) except -1:
    cdef int i
    code, bits = DTYPES[x.number].dlpack
    tensor.data = <void*>x.place
    tensor.device.device_type, tensor.device.device_id = CUDA_DEVICE, x.device_number
    tensor.ndim = x.info.ndim
    tensor.dtype.code, tensor.dtype.bits, tensor.dtype.lanes = code, bits, 1
    tensor.shape, tensor.strides = numbers, numbers + MAX_NDIM
    tensor.byte_offset = 0
    for i in range(x.info.ndim):
        tensor.shape[i] = x.info.shape[i]
        tensor.strides[i] = x.info.strides[i] // x.info.itemsize
    return 0


cdef void delete_plain(DLManagedTensor* tensor) noexcept with gil:
    Py_DECREF(<object>tensor.manager_ctx)
    pool_release(<Export*>tensor, sizeof(Export))


cdef void delete_versioned(DLManagedTensorVersioned* tensor) noexcept with gil:
    cdef Export* nowhere = NULL
    Py_DECREF(<object>tensor.manager_ctx)
    pool_release(<char*>tensor - <size_t>&nowhere.versioned, sizeof(Export))


cdef void delete_capsule(object capsule) noexcept:
    """Of a capsule that nobody consumed."""
    cdef DLManagedTensor* plain
    cdef DLManagedTensorVersioned* versioned
    if PyCapsule_IsValid(capsule, "dltensor"):
        plain = <DLManagedTensor*>PyCapsule_GetPointer(capsule, "dltensor")
        plain.deleter(plain)
    elif PyCapsule_IsValid(capsule, "dltensor_versioned"):
        versioned = <DLManagedTensorVersioned*>PyCapsule_GetPointer(capsule, "dltensor_versioned")
        versioned.deleter(versioned)


def cuda_array_interface(DeviceArray x):
    """`__cuda_array_interface__` of version 3.  Raises AttributeError for a dtype it has no name for."""
    row = DTYPES[x.number]
    if not row.buffer:
        raise AttributeError(f"__cuda_array_interface__ has no {row.name}; convert first, or use DLPack")
    stream = current_stream(x.device_number)
    use_on(x, stream)
    return {
        "version": 3,
        "shape": x.shape,
        "typestr": f"{'|' if row.itemsize == 1 else NATIVE}{letter(row.kind)}{row.itemsize}",
        "data": (x.place if x.info.size else 0, x.readonly),
        "strides": None if x.info.is_contiguous else x.strides,
        "stream": stream if stream else LEGACY,
    }


# Taking.


cdef class Imported:
    """Owns a consumed DLPack tensor until the last array over it is gone."""

    cdef DLManagedTensor* plain
    cdef DLManagedTensorVersioned* versioned

    def __dealloc__(self):
        if self.plain != NULL and self.plain.deleter != NULL:
            self.plain.deleter(self.plain)
        if self.versioned != NULL and self.versioned.deleter != NULL:
            self.versioned.deleter(self.versioned)


def from_dlpack(x, copy=None):
    """An array over the memory of an object with `__dlpack__` on a CUDA device.

    Raises BufferError where its owner cannot share it, TypeError for a dtype nd4py lacks, ValueError for a device that
    is banned or does not exist.
    """
    cdef int device = check_device_number(x.__dlpack_device__()[1])
    cdef size_t stream = current_stream(device)
    asked = {"stream": stream if stream else LEGACY, "max_version": (1, 0)}
    if copy is not None:
        asked["copy"] = copy
    try:
        return from_capsule(x.__dlpack__(**asked), device)
    except TypeError:                    # an exporter of before DLPack 1.0 has no such keywords
        shared = from_capsule(x.__dlpack__(stream=asked["stream"]), device)
    return shared.copy() if copy else shared


cdef DeviceArray from_capsule(object capsule, int device):
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
    return from_tensor(tensor, readonly, owner, device)


cdef DeviceArray from_tensor(DLTensor* tensor, bint readonly, object owner, int device):
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef Py_ssize_t strides[MAX_NDIM]
    cdef Py_ssize_t step, itemsize
    cdef int i
    key = (tensor.dtype.code, tensor.dtype.bits)
    if tensor.device.device_type != CUDA_DEVICE or tensor.device.device_id != device:
        raise BufferError(
            f"the tensor is on DLPack device ({tensor.device.device_type}, {tensor.device.device_id}), "
            f"not (2, {device})"
        )
    if key not in DLPACK_CODES or tensor.dtype.lanes != 1:
        raise TypeError(f"no dtype for DLPack type code {key[0]} with {key[1]} bits and {tensor.dtype.lanes} lanes")
    if tensor.ndim > MAX_NDIM:
        raise ValueError(f"an array has at most {MAX_NDIM} dimensions, given {tensor.ndim}")
    cdef int number = DLPACK_CODES[key]
    itemsize = step = DTYPES[number].itemsize
    for i in range(tensor.ndim - 1, -1, -1):
        shape[i] = tensor.shape[i]
        strides[i] = step if tensor.strides == NULL else tensor.strides[i] * itemsize
        step *= max(shape[i], 1)
    return foreign_device_array(<size_t>tensor.data + tensor.byte_offset, number,
                                intern(itemsize, tensor.ndim, shape, strides), device, readonly, owner)


def from_cuda_array(x, device=None):
    """An array over the memory of an object with `__cuda_array_interface__`, such as one of Numba's.

    device: its number; None for this thread's
    Raises TypeError for a dtype nd4py lacks or a masked array, ValueError for a device that does not exist.
    """
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef Py_ssize_t strides[MAX_NDIM]
    cdef Py_ssize_t step
    cdef int i, ndim
    found = x.__cuda_array_interface__
    if found.get("mask") is not None:
        raise TypeError("from_cuda_array: nd4py has no masks; give the elements without theirs")
    number = TYPES.get(found["typestr"][1:]) if found["typestr"][0] in (NATIVE, "|") else None
    if number is None:
        raise TypeError(f"from_cuda_array: no dtype for elements of type {found['typestr']!r}")
    cdef int place = current_device() if device is None else check_device_number(device)
    ndim = len(found["shape"])
    step = DTYPES[number].itemsize
    for i in range(ndim - 1, -1, -1):
        shape[i] = found["shape"][i]
        strides[i] = step if found.get("strides") is None else found["strides"][i]
        step *= max(shape[i], 1)
    stream = found.get("stream")
    if stream is not None:
        if stream == PER_THREAD or stream == 0:
            raise ValueError(f"from_cuda_array: stream {stream} cannot be waited for; make the array on another one")
        order(place, 0 if stream == LEGACY else stream, current_stream(place))
    address, readonly = found["data"]
    return foreign_device_array(address, number, intern(DTYPES[number].itemsize, ndim, shape, strides), place,
                                readonly, x)


install(device_to_dlpack=to_dlpack, cuda_array_interface=cuda_array_interface)
