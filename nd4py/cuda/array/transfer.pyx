"""Copies between host and device, and from device to device.

Small uploads go through pinned memory, so that the caller goes on at once; large ones, and every download, wait for the
stream, since the host's memory must stay as it is until then.
"""

from libc.string cimport memcpy
from nd4py._core.array.array cimport NDArray, new_array, new_view
from nd4py._core.layout.shape cimport ShapeInfo, intern_contiguous
from nd4py._core.upcalls cimport device_upcalls, upcalls
from nd4py._mem.workspace.held_memory cimport Hold, holds
from nd4py.cuda.allocation.allocator cimport PINNED, Block, cache_of, give
from nd4py.cuda.array.device_array cimport DeviceArray, block_of, materialize, new_device_array, note_use, use_on
from nd4py.cuda.launch.current_stream cimport bind_anew, check_not_capturing, current_stream, graph_lane, order_streams
from nd4py.cuda.allocation.graph_memory cimport upload_block
from nd4py.cuda.allocation.ownership cimport extent, overlaps, prepare_write

from ..._spec.dtypes import NUMBER
from ..driver.driver_choice import driver
from ..launch.faults import look, unseen

cdef int BYTE = NUMBER["uint8"]
cdef enum:
    STAGED_BYTES = 1 << 20               # bytes up to which a copy into pinned memory beats waiting for the device


cdef DeviceArray upload(NDArray x, int device):
    """A C-ordered copy on a device."""
    cdef Hold hold
    hold.add(holds, x.data)              # the driver gives up the GIL
    cdef NDArray source = x if x.info.is_contiguous else upcalls.copy(x)
    cdef ShapeInfo info = intern_contiguous(x.info.itemsize, x.info.ndim, x.info.shape)
    cdef DeviceArray y = new_device_array(x.number, info, device)
    write_bytes(y.data_address, source.data, x.info.size * x.info.itemsize, device)
    return y


cdef int write_bytes(size_t address, const char* source, size_t n_bytes, int device) except -1:
    """Copy bytes of the host to a device; the host's may change as soon as this returns."""
    cdef size_t stream = current_stream(device)
    cdef Block* pinned
    if n_bytes == 0:
        return 0
    if graph_lane() != NULL:             # what a graph copies from must stay as it is, and be there
        pinned = upload_block(graph_lane(), n_bytes)
        memcpy(<char*>pinned.address, source, n_bytes)
        bind_anew(device)
        driver().memcpy_h2d_async(address, pinned.address, n_bytes, stream)
        return 0
    if n_bytes > STAGED_BYTES:
        bind_anew(device)
        driver().memcpy_h2d_async(address, <size_t>source, n_bytes, stream)
        driver().stream_synchronize(stream)
        return 0
    pinned = cache_of(PINNED).take(n_bytes, <size_t>-1)
    try:
        memcpy(<char*>pinned.address, source, n_bytes)
        bind_anew(device)                # after `take`, which may have asked for events of another device
        driver().memcpy_h2d_async(address, pinned.address, n_bytes, stream)
        note_use(pinned, device, stream)
    finally:
        give(pinned)
    return 0


cdef NDArray download(DeviceArray x):
    """A C-ordered copy on the host, once the stream has come that far."""
    cdef NDArray y, memory
    cdef Py_ssize_t low, high, n_bytes
    if x.info.is_contiguous:
        y = new_array(x.number, x.info.ndim, x.info.shape)
        read_bytes(x, x.data_address, y.data, x.info.size * x.info.itemsize)
        return y
    # Views with gaps come as the memory they span, which the host then reads through the same strides.
    extent(x.info, &low, &high)
    n_bytes = high - low
    memory = new_array(BYTE, 1, &n_bytes)
    read_bytes(x, x.data_address + low, memory.data, n_bytes)
    y = new_view(memory, memory.data - low, x.info)
    y.number = x.number
    return upcalls.copy(y)


cdef int read_bytes(DeviceArray x, size_t address, char* target, size_t n_bytes) except -1:
    cdef size_t stream = current_stream(x.device_number)
    cdef Hold hold
    hold.add(holds, target)
    if n_bytes:
        check_not_capturing("elements would be copied to the host")
        if unseen:
            look(x.device_number, stream)
        bind_anew(x.device_number)
        driver().memcpy_d2h_async(<size_t>target, address, n_bytes, stream)
        use_on(x, stream)
        driver().stream_synchronize(stream)
    return 0


def from_host(NDArray x, int device) -> DeviceArray:
    """A copy of a host's array on a device, for this thread's stream there.  Raises DeviceOutOfMemory."""
    return upload(x, device)


def to_host(DeviceArray x) -> NDArray:
    """A copy on the host.  Waits for the stream; errors of work launched before arrive here."""
    materialize(x)
    return download(x)


def to_peer(DeviceArray x, int device) -> DeviceArray:
    """A C-ordered copy on another device, after what was given to this thread's stream on the array's device.

    The host does not wait: the streams do.
    """
    materialize(x)
    cdef DeviceArray source = x if x.info.is_contiguous else device_upcalls.copy(x)
    cdef ShapeInfo info = intern_contiguous(x.info.itemsize, x.info.ndim, x.info.shape)
    cdef DeviceArray y = new_device_array(x.number, info, device)
    copy_across(source, y)
    return y


def copy_to_peer(DeviceArray source, DeviceArray target) -> None:
    """Copy the elements of a contiguous array into one of the same layout and dtype on any device.

    Raises ValueError where the two differ in more than their device.
    """
    if source.info is not target.info or source.number != target.number or not source.info.is_contiguous:
        raise ValueError(
            f"copy_to_peer: {source.dtype} {source.shape} to {target.dtype} {target.shape}; both must be contiguous "
            "and alike"
        )
    materialize(source)
    prepare_write(target)
    copy_across(device_upcalls.copy(source) if overlaps(source, target) else source, target)


cdef int copy_across(DeviceArray source, DeviceArray target) except -1:
    cdef int device = source.device_number, other = target.device_number
    cdef size_t stream = current_stream(device), other_stream = current_stream(other)
    cdef size_t n_bytes = source.info.size * source.info.itemsize
    if n_bytes == 0:
        return 0
    if device == other:
        copy_bytes(source, target)
        return 0
    order_streams(device, stream, other, other_stream)
    bind_anew(other)
    driver().memcpy_peer_async(target.data_address, other, source.data_address, device, n_bytes, other_stream)
    if block_of(source) != NULL:
        note_use(block_of(source), other, other_stream)
    use_on(target, other_stream)
    order_streams(other, other_stream, device, stream)
    return 0


def copy_bytes(DeviceArray source, DeviceArray target) -> None:
    """Copy the bytes of a contiguous array into one of as many on the same device, on this thread's stream."""
    materialize(source)
    cdef size_t stream = current_stream(source.device_number)
    bind_anew(source.device_number)
    driver().memcpy_d2d_async(target.data_address, source.data_address, source.info.size * source.info.itemsize, stream)
    use_on(source, stream)
    use_on(target, stream)


def fill_bytes(DeviceArray target, int byte) -> None:
    """Set every byte of a contiguous array, on this thread's stream."""
    cdef size_t stream = current_stream(target.device_number)
    bind_anew(target.device_number)
    driver().memset_async(target.data_address, byte, target.info.size * target.info.itemsize, stream)
    use_on(target, stream)


def wait_for(DeviceArray x) -> None:
    """Wait for the work that this thread's stream on the array's device was given."""
    check_not_capturing("an array would be waited for")
    bind_anew(x.device_number)
    driver().stream_synchronize(current_stream(x.device_number))
    look(x.device_number, current_stream(x.device_number))


def wait_for_device(int device) -> None:
    """Wait for all work that a device was given.  Raises errors of that work, IndexError for an index out of range."""
    bind_anew(device)
    driver().synchronize()
    look(device)
