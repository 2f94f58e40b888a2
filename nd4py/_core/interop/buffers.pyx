"""Sharing memory with other libraries: the buffer protocol and DLPack, both ways, without copies."""

from cpython.buffer cimport PyBUF_FULL_RO, PyBUF_SIMPLE, PyObject_CheckBuffer, PyObject_GetBuffer
from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.object cimport PyObject
from libc.stdint cimport int64_t
from nd4py._core.array.array cimport NDArray, lean_on
from nd4py._core.array.array_base cimport end_share, prepare_write, share
from nd4py._core.interop.dlpack cimport (
    CPU_DEVICE, DLTensor, Given, Imported, give_capsule, must_copy, read_claim, take_capsule,
)
from nd4py._core.array.exits cimport leave_tape
from nd4py._core.interop.exported cimport Exported
from nd4py._core.interop.foreign_memory cimport UNKNOWN, Claim, checked, checked_description
from nd4py._core.layout.shape cimport ShapeInfo, intern
from nd4py._mem.free_threads cimport count

import numpy

from ..._spec.dtypes import NUMBER
from .foreign_types import buffer_type, described


cdef NDArray array_over(const Claim* claim, bint readonly, object owner):
    """An array over memory that `owner` keeps alive.  Raises BufferError or ValueError for what cannot be."""
    return foreign(<char*>claim.address, claim.number, checked(claim), readonly, owner)


cdef NDArray foreign(char* data, int number, ShapeInfo info, bint readonly, object owner):
    """An array over memory that `owner` keeps alive, without checks of the address."""
    cdef NDArray array = NDArray.__new__(NDArray)
    array.info = info
    array.data = data
    array.number = number
    array.readonly = readonly
    if isinstance(owner, NDArray):
        leave_tape((<NDArray>owner).node)
        lean_on(array, <NDArray>owner)
    else:
        array.base = owner
    return array


cdef NDArray in_native_order(NDArray x, bint is_swapped, object copy):
    """`x`, or a copy of elements whose bytes are in the other order.  Raises ValueError where `copy` is false."""
    if not is_swapped:
        return x
    if copy is False:
        raise ValueError("elements in another byte order need a copy; pass copy=None")
    return from_buffer(numpy.asarray(memoryview(x)).byteswap())


def from_buffer(exporter, copy: bool | None = None) -> NDArray:
    """An array over the memory of an object with the buffer protocol; over a copy where its bytes must be swapped.

    Raises TypeError for an element format nd4py has no dtype for, BufferError for elements out of alignment and for an
    exporter that contradicts itself, ValueError where `copy` is false and a copy is needed.
    """
    cdef Exported owner = Exported()
    cdef Py_buffer* view = &owner.view
    cdef Py_ssize_t n
    PyObject_GetBuffer(exporter, view, PyBUF_FULL_RO)
    format = (view.format if view.format != NULL else b"B").decode("latin-1")
    number, is_swapped = buffer_type(format, view.itemsize)
    cdef Claim claim = Claim(
        <size_t>view.buf, number, view.ndim, <const int64_t*>view.shape, <const int64_t*>view.strides, 1,
        UNKNOWN, UNKNOWN,
    )
    if view.shape == NULL and view.ndim == 1:
        n = view.len // view.itemsize
        claim.shape = <const int64_t*>&n
    cdef NDArray x = array_over(&claim, view.readonly, owner)
    if view.len != x.info.size * x.info.itemsize:
        raise BufferError(f"the exporter says {view.len} bytes for {x.dtype} of shape {x.shape}; pass a copy")
    for i in range(view.ndim if view.suboffsets != NULL else 0):
        if view.suboffsets[i] >= 0:
            raise BufferError("buffers with suboffsets are not supported; pass a copy")
    return in_native_order(x, is_swapped, copy)


def has_buffer(x) -> bool:
    """Whether an object has the buffer protocol, if perhaps with elements that no dtype is for."""
    return bool(PyObject_CheckBuffer(x))


def from_raw_bytes(exporter, dtype: DTypeLike) -> NDArray:
    """A 1-d array that reads the bytes of a contiguous buffer as elements of `dtype`.

    Raises ValueError when they are no whole number of elements, BufferError for bytes out of alignment, with gaps, or
    that are not there.
    """
    cdef Exported owner = Exported()
    cdef Py_buffer* view = &owner.view
    PyObject_GetBuffer(exporter, view, PyBUF_SIMPLE)
    cdef Py_ssize_t step = dtype.itemsize
    cdef Py_ssize_t n = view.len // step
    if view.len < 0:
        raise BufferError(f"frombuffer: the exporter says {view.len} bytes; pass a copy")
    if view.len % step:
        raise ValueError(f"frombuffer: {view.len} bytes are no whole number of {dtype} elements of {step} bytes")
    cdef Claim claim = Claim(<size_t>view.buf, dtype.number, 1, <const int64_t*>&n, NULL, 1, UNKNOWN, UNKNOWN)
    return array_over(&claim, view.readonly, owner)


def from_array_interface(x, copy: bool | None = None) -> NDArray:
    """An array over the memory that an object describes by `__array_interface__`; over a copy where bytes must be
    swapped.

    Raises TypeError for fields of another type than NumPy says and for dtypes that nd4py lacks, ValueError or
    BufferError for numbers that no memory has, ValueError where `copy` is false and a copy is needed.
    """
    found = described("asarray", "__array_interface__", x)
    cdef Exported owner
    cdef ShapeInfo info
    if found.buffer is None:
        info = checked_description(found, found.address, UNKNOWN, UNKNOWN)
        shared = foreign(<char*><size_t>found.address, found.number, info, found.is_readonly, x)
        return in_native_order(shared, found.is_swapped, copy)
    owner = Exported()
    PyObject_GetBuffer(found.buffer, &owner.view, PyBUF_SIMPLE)
    cdef Py_ssize_t offset = found.offset
    if not 0 <= offset <= owner.view.len:
        raise BufferError(f"__array_interface__: offset {offset} leads out of {owner.view.len} bytes")
    cdef char* data = <char*>owner.view.buf + offset
    info = checked_description(found, <size_t>data, offset, owner.view.len - offset)
    return in_native_order(foreign(data, found.number, info, owner.view.readonly, owner), found.is_swapped, copy)


def reinterpret(NDArray x, dtype: DTypeLike) -> NDArray:
    """A view of the same bytes as another dtype of the same item size."""
    return foreign(x.data, dtype.number, x.info, x.readonly, x)


def byte_view(NDArray x) -> NDArray:
    """The bytes of a contiguous array, as uint8 over the same memory."""
    cdef Py_ssize_t n = x.info.size * x.info.itemsize, step = 1
    return foreign(x.data, NUMBER["uint8"], intern(1, 1, &n, &step), x.readonly, x)


def held_still(NDArray x) -> NDArray:
    """`x`, over the same memory, as an array that nobody writes until the caller has all results it computes from it.

    So operations on it may be deferred and run as one pass, whoever else holds the memory.
    """
    cdef Exported owner = Exported()
    PyObject_GetBuffer(x, &owner.view, PyBUF_FULL_RO)
    owner.is_fixed = True
    return foreign(x.data, x.number, x.info, True, owner)


def to_bytes(NDArray x) -> bytes:
    """The elements of a contiguous array as bytes."""
    leave_tape(x.node)
    return PyBytes_FromStringAndSize(x.data, x.info.size * x.info.itemsize)


# DLPack: exporting.


def to_dlpack(
    NDArray x,
    stream: int | None,
    max_version: tuple[int, int] | None,
    dl_device: tuple[int, int] | None,
    copy: bool | None,
) -> Any:
    """A DLPack capsule.  Raises BufferError for what this memory cannot offer."""
    if stream is not None:
        raise BufferError(f"stream must be None for host memory, given {stream!r}")
    if dl_device is not None and tuple(dl_device) != (CPU_DEVICE, 0):
        raise BufferError(f"this array is on device (1, 0), given dl_device={dl_device}; copy it there first")
    is_versioned = max_version is not None and max_version[0] >= 1
    copy = must_copy(x.info, copy)
    if x.readonly and not is_versioned and not copy:
        raise BufferError("this array is read-only, which DLPack before 1.0 cannot say; export a copy")
    if copy:
        x = x.copy()
    prepare_write(x)                     # raises before anything is counted
    cdef Given given = Given(<PyObject*>x, x.data, CPU_DEVICE, 0, x.number, x.readonly, copy, end_export)
    capsule = give_capsule(&given, x.info, is_versioned)
    share(x)
    count(&x.n_exports, 1)
    return capsule


cdef void end_export(PyObject* array) noexcept:
    count(&(<NDArray>array).n_exports, -1)
    end_share(<NDArray>array)


# DLPack: importing.


def from_capsule(capsule) -> NDArray:
    """An array over a DLPack capsule's memory, which it takes over.

    Raises BufferError for another device and for what cannot be, TypeError for a dtype nd4py lacks.
    """
    cdef Imported taken = take_capsule(capsule)
    cdef DLTensor* tensor = taken.tensor
    cdef Claim claim
    if tensor.device.device_type != CPU_DEVICE:
        raise BufferError(f"the tensor is on DLPack device type {tensor.device.device_type}, not in host memory (1)")
    cdef ShapeInfo info = read_claim(tensor, &claim)
    return foreign(<char*>claim.address, claim.number, info, taken.readonly, taken)
