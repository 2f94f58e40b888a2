"""Sharing the memory of devices with CuPy, PyTorch and others: DLPack and `__cuda_array_interface__`, both ways.

Nothing is copied.  Work of the other library goes to a stream of its own, so the stream it names waits for ours when
we give, and ours for the stream it names when we take.
"""

from cpython.object cimport PyObject
from nd4py._core.dlpack cimport CUDA_DEVICE, DLTensor, Given, Imported, give_capsule, read_layout, take_capsule
from nd4py._core.shape cimport MAX_NDIM, intern
from nd4py.cuda.array cimport DeviceArray, foreign_device_array, use_on
from nd4py.cuda.current cimport current_device, current_stream, order_streams
from nd4py.cuda.ownership cimport share

import sys

from .._core.hooks import install
from .._spec.dtypes import DTYPES, letter
from .current import check_device_number

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
    share(x)
    if stream != -1:                     # a consumer that needs no order says -1
        hand_over(x, LEGACY if stream is None else stream)
    x.is_exported = True
    cdef Given given = Given(
        <PyObject*>x, <void*>x.place, CUDA_DEVICE, x.device_number, x.number, x.readonly, bool(copy), NULL
    )
    return give_capsule(&given, x.info, is_versioned)


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
    """Let later work of stream `then` wait for what stream `first` of the same device was given so far."""
    return 0 if first == then else order_streams(device, first, then)


def cuda_array_interface(DeviceArray x):
    """`__cuda_array_interface__` of version 3.  Raises AttributeError for a dtype it has no name for."""
    row = DTYPES[x.number]
    if not row.buffer:
        raise AttributeError(f"__cuda_array_interface__ has no {row.name}; convert first, or use DLPack")
    share(x)
    stream = current_stream(x.device_number)
    use_on(x, stream)
    x.is_exported = True
    return {
        "version": 3,
        "shape": x.shape,
        "typestr": f"{'|' if row.itemsize == 1 else NATIVE}{letter(row.kind)}{row.itemsize}",
        "data": (x.place if x.info.size else 0, x.readonly),
        "strides": None if x.info.is_contiguous else x.strides,
        "stream": stream if stream else LEGACY,
    }


# Taking.


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
    cdef Imported taken = take_capsule(capsule)
    cdef DLTensor* tensor = taken.tensor
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef Py_ssize_t strides[MAX_NDIM]
    cdef int number
    if tensor.device.device_type != CUDA_DEVICE or tensor.device.device_id != device:
        raise BufferError(
            f"the tensor is on DLPack device ({tensor.device.device_type}, {tensor.device.device_id}), "
            f"not (2, {device})"
        )
    number = read_layout(tensor, shape, strides)
    return foreign_device_array(<size_t>tensor.data + tensor.byte_offset, number,
                                intern(DTYPES[number].itemsize, tensor.ndim, shape, strides), device, taken.readonly,
                                taken)


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
