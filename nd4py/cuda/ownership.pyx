"""Whose the memory of an array on a device is, who else reads or writes it, and what the tape notes of it."""

from cpython.object cimport PyObject
from nd4py._core.element_sizes cimport itemsizes
from nd4py._core.exits cimport leave_tape
from nd4py._core.chains.hazards cimport finish_readers
from nd4py._core.overlap cimport disturbs, share_bytes
from nd4py._core.shape cimport intern_contiguous
from nd4py.cuda.array cimport (
    DeviceArray, block_of, new_device_array, new_device_view,
    owner_of, settle, use_on,
)


cdef bint is_private(DeviceArray x) except -1:
    """Whether nobody but this library can write the memory of an array that has some."""
    return block_of(x) != NULL and owner_of(x).n_shares == 0


cdef DeviceArray new_of_shape(int number, DeviceArray x):
    """An uninitialised array with memory of its own, of the shape of `x` and on its device."""
    return new_device_array(number, intern_contiguous(itemsizes[number], x.info.ndim, x.info.shape), x.device_number)


cdef int prepare_write(DeviceArray x) except -1:
    """Whatever is going to read the memory of `x` reads it now, before it is written."""
    settle(x)
    cdef DeviceArray owner = owner_of(x)
    if owner.n_readers:
        finish_readers(<PyObject*>owner)
    return 0


cdef int share(DeviceArray x) except -1:
    """From now on others may read and write the memory of `x` at any time, so nothing waits that reads it."""
    leave_tape(x.node)
    prepare_write(x)
    cdef DeviceArray owner = owner_of(x)
    owner.n_shares += 1
    return 0


cdef DeviceArray without_node(DeviceArray x):
    """An array without its record on the tape; what is pending stays so."""
    if x.node is None:
        return x
    return <DeviceArray>x.base if x.is_deferred else new_device_view(x, x.place, x.info)


def with_node(DeviceArray x, node) -> DeviceArray:
    """A view of `x` that carries a node of the tape, or none; of one that is pending an array that stands for it."""
    cdef DeviceArray plain = without_node(x), view
    if node is None:
        return plain
    if not plain.is_deferred:
        view = new_device_view(plain, plain.place, plain.info)
    else:
        view = DeviceArray.__new__(DeviceArray)
        view.info, view.number, view.device_number = plain.info, plain.number, plain.device_number
        view.base, view.is_deferred = plain, True
    view.node = node
    return view


def is_pending(DeviceArray x) -> bool:
    """Whether an array has no values yet."""
    return without_node(x).is_deferred if x.is_deferred else False


def prepare_to_write(DeviceArray x) -> None:
    """Whatever is going to read the memory of an array reads it now, before it is written."""
    prepare_write(x)


def memory_of(DeviceArray x) -> Any:
    """What owns the memory of an array, None for an array that cannot be written."""
    return None if x.readonly else owner_of(x)


def version_of(DeviceArray x) -> int:
    """How often the memory of an array has been written in place."""
    return owner_of(x).version


def mark_written(DeviceArray x) -> None:
    """Count an in-place write, so that the tape can tell that a value it kept has changed."""
    cdef DeviceArray owner = owner_of(x)
    owner.version += 1


def used_on_stream(DeviceArray x, size_t stream) -> None:
    """Say that work given to `stream` needs the memory of an array."""
    use_on(x, stream)


cpdef bint overlaps(DeviceArray x, DeviceArray y) except -1:
    """Whether writing `y` element by element may change what is still to be read of `x`."""
    settle(x)
    settle(y)
    return x.device_number == y.device_number and disturbs(y.place, y.info, x.place, x.info)


cpdef bint shares(DeviceArray x, DeviceArray y) except -1:
    """Whether two arrays may have a byte in common."""
    settle(x)
    settle(y)
    return x.device_number == y.device_number and share_bytes(x.place, x.info, y.place, y.info)
