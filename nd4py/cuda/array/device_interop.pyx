"""Exchange of device memory with CuPy, PyTorch and others: DLPack and `__cuda_array_interface__`, both ways.

Nothing is copied.  Work of the other library goes to a stream of its own, so the stream it names waits for ours when
we give, and ours for the stream it names when we take.
"""

from cpython.object cimport PyObject
from nd4py._core.array.array_base cimport owner_of, share
from nd4py._core.interop.dlpack cimport (
    CUDA_DEVICE, DLTensor, Given, Imported, give_capsule, must_copy, read_claim, take_capsule,
)
from nd4py._core.interop.foreign_memory cimport UNKNOWN, Claim, checked_description
from nd4py._core.layout.shape cimport ShapeInfo
from nd4py.cuda.array.device_array cimport DeviceArray, block_of, foreign_device_array, use_on
from nd4py.cuda.launch.current_stream cimport current_device, current_stream, order_streams
from nd4py.cuda.allocation.stream_uses cimport note_use

from ..._core.interop.foreign_types import NATIVE, described
from ..._spec.dtypes import DTYPES, letter
from ..launch.current_stream import check_device_number, whole_number
from ..driver.driver_choice import driver

cdef enum:
    LEGACY = 1                           # streams as both protocols name them: the default one, and
    PER_THREAD = 2                       # that of each thread, which CUDA names so too


# Giving.


def to_dlpack(DeviceArray x, stream, max_version, dl_device, copy: bool | None) -> Any:
    """A DLPack capsule.  Raises BufferError for what this memory cannot offer."""
    if dl_device is not None and tuple(dl_device) == (1, 0):
        return x.to_device("cpu").__dlpack__(max_version=max_version, copy=None)
    if dl_device is not None and tuple(dl_device) != (CUDA_DEVICE, x.device_number):
        raise BufferError(f"this array is on device (2, {x.device_number}), given dl_device={dl_device}; copy it there")
    is_versioned = max_version is not None and max_version[0] >= 1
    copy = must_copy(x.info, copy)
    if x.readonly and not is_versioned and not copy:
        raise BufferError("this array is read-only, which DLPack before 1.0 cannot say; export a copy")
    if copy:
        x = x.copy()
    share(x)
    if stream is None or stream != -1:   # a consumer that needs no order says -1
        hand_over(x, LEGACY if stream is None else stream)
    x.n_exports += 1
    cdef Given given = Given(
        <PyObject*>x, <void*>x.data_address, CUDA_DEVICE, x.device_number, x.number, x.readonly, copy, NULL
    )
    return give_capsule(&given, x.info, is_versioned)


cdef int hand_over(DeviceArray x, object stream) except -1:
    """Let a stream that another library named wait for the work that makes `x`.  Raises BufferError for a wrong one."""
    number = whole_number(stream)
    if number is None or number < LEGACY:
        raise BufferError(f"stream: None, -1, 1, 2 or a CUDA stream's address, given {stream!r}")
    order(x.device_number, current_stream(x.device_number), 0 if number == LEGACY else number)
    if number == LEGACY:
        use_on(x, 0)
    elif block_of(x) != NULL:            # its owner may destroy it before the memory comes back
        (<DeviceArray>owner_of(x)).is_lent = True
        note_use(block_of(x), x.device_number, number, True)
    return 0


cdef int order(int device, size_t first, size_t then) except -1:
    """Let later work of stream `then` wait for what stream `first` of the same device was given so far."""
    return 0 if first == then else order_streams(device, first, device, then)


def cuda_array_interface(DeviceArray x) -> dict[str, Any]:
    """`__cuda_array_interface__` of version 3.  Raises AttributeError for a dtype it has no name for."""
    row = DTYPES[x.number]
    if not row.buffer:
        raise AttributeError(f"__cuda_array_interface__ has no {row.name}; convert first, or use DLPack")
    share(x)
    stream = current_stream(x.device_number)
    use_on(x, stream)
    x.n_exports += 1
    return {
        "version": 3,
        "shape": x.shape,
        "typestr": f"{'|' if row.itemsize == 1 else NATIVE}{letter(row.kind)}{row.itemsize}",
        "data": (x.data_address if x.info.size else 0, x.readonly),
        "strides": None if x.info.is_contiguous else x.strides,
        "stream": stream if stream else LEGACY,
    }


# Taking.


def from_dlpack(x, copy: bool | None = None) -> DeviceArray:
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
    cdef Claim claim
    if tensor.device.device_type != CUDA_DEVICE or tensor.device.device_id != device:
        raise BufferError(
            f"the tensor is on DLPack device ({tensor.device.device_type}, {tensor.device.device_id}), "
            f"not (2, {device})"
        )
    cdef ShapeInfo info = read_claim(tensor, &claim)
    return foreign_device_array(claim.address, claim.number, info, device, taken.readonly, taken)


def from_cuda_array(x, device: int | None = None) -> DeviceArray:
    """An array over the memory of an object with `__cuda_array_interface__`, such as one of Numba's.

    device: its number; None for the one that the memory is on
    Raises TypeError for a dtype nd4py lacks, a masked array or fields that are none, BufferError or ValueError for
    numbers that no memory has, ValueError for a device that does not exist or is not that of the memory, DeviceError
    for memory of no device.
    """
    found = described("from_cuda_array", "__cuda_array_interface__", x)
    if found.is_swapped:
        raise TypeError("from_cuda_array: no dtype for elements in another byte order; convert them first")
    if found.address is None:
        raise TypeError("from_cuda_array: __cuda_array_interface__: data must be (address, is_readonly)")
    cdef ShapeInfo info = checked_description(found, found.address, UNKNOWN, UNKNOWN)
    cdef int device_number = device_of_memory(found.address, device)
    wait_for(x.__cuda_array_interface__.get("stream"), device_number)
    return foreign_device_array(found.address, found.number, info, device_number, found.is_readonly, x)


cdef int wait_for(object stream, int device) except -1:
    """Let our work wait for a stream as `__cuda_array_interface__` names it; None needs no order."""
    if stream is None:
        return 0
    number = whole_number(stream)
    if number is None:
        raise TypeError(f"from_cuda_array: stream must be None, 1, 2 or a CUDA stream's address, given {stream!r}")
    if number < LEGACY or number >= 2**63:
        raise ValueError(f"from_cuda_array: stream {stream!r} cannot be waited for; 1, 2 or an address")
    return order(device, 0 if number == LEGACY else number, current_stream(device))


cdef int device_of_memory(size_t address, object device) except -1:
    """The device that memory is on, which is `device` where that is given."""
    cdef int number
    if address == 0:                     # there are no elements
        return current_device() if device is None else check_device_number(device)
    number = check_device_number(driver().device_of_memory(address))
    if device is not None and check_device_number(device) != number:
        raise ValueError(f"from_cuda_array: the memory is on cuda:{number}, given device={device}; leave device out")
    return number
