"""Sharing memory with other libraries: the buffer protocol and DLPack, both ways, without copies."""

from cpython.buffer cimport PyBUF_FULL_RO, PyBuffer_Release, PyObject_GetBuffer
from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.memoryview cimport PyMemoryView_GET_BUFFER
from cpython.object cimport PyObject
from nd4py._core.array cimport NDArray, end_share, lean_on, prepare_write, share
from nd4py._core.dlpack cimport CPU_DEVICE, DLTensor, Given, Imported, give_capsule, read_layout, take_capsule
from nd4py._core.shape cimport MAX_NDIM, intern

from .._spec.dtypes import BY_NAME, DTYPES, NUMBER
from .hooks import install

FORMATS = {row.buffer: number for number, row in enumerate(DTYPES) if row.buffer}
FORMATS.update({"l": NUMBER["int64"], "L": NUMBER["uint64"]})
cdef list ITEMSIZES = [row.itemsize for row in DTYPES]
cdef list ALIGNMENTS = [BY_NAME[row.real].itemsize for row in DTYPES]

cdef NDArray foreign(char* data, int number, int ndim, const Py_ssize_t* shape, const Py_ssize_t* strides,
                     bint readonly, object owner):
    """An array over memory that `owner` keeps alive."""
    cdef NDArray array = NDArray.__new__(NDArray)
    cdef Py_ssize_t itemsize = ITEMSIZES[number], alignment = ALIGNMENTS[number]
    array.info = intern(itemsize, ndim, shape, strides)
    if <size_t>data % alignment and array.info.size > 0:  # an empty bytearray begins anywhere
        raise BufferError(f"the buffer's elements are not aligned to {alignment} bytes; pass a copy")
    array.data = data
    array.number = number
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
    prepare_write(x)                     # raises before anything is counted
    cdef Given given = Given(<PyObject*>x, x.data, CPU_DEVICE, 0, x.number, x.readonly, bool(copy), end_export)
    capsule = give_capsule(&given, x.info, is_versioned)
    share(x)
    x.n_exports += 1
    return capsule


cdef void end_export(PyObject* array) noexcept:
    (<NDArray>array).n_exports -= 1
    end_share(<NDArray>array)


# DLPack: importing.


def from_capsule(capsule):
    """An array over a DLPack capsule's memory, which it takes over.

    Raises BufferError for another device, TypeError for a dtype nd4py lacks.
    """
    cdef Imported taken = take_capsule(capsule)
    cdef DLTensor* tensor = taken.tensor
    cdef Py_ssize_t shape[MAX_NDIM]
    cdef Py_ssize_t strides[MAX_NDIM]
    if tensor.device.device_type != CPU_DEVICE:
        raise BufferError(f"the tensor is on DLPack device type {tensor.device.device_type}, not in host memory (1)")
    number = read_layout(tensor, shape, strides)
    return foreign(<char*>tensor.data + tensor.byte_offset, number, tensor.ndim, shape, strides, taken.readonly, taken)


install(to_dlpack=to_dlpack, to_bytes=to_bytes)
