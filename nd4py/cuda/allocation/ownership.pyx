"""Ownership of device arrays' memory: sharing, overlap, waiting, and the tape."""

from nd4py._core.array.array_base cimport owner_of
from nd4py._core.element_sizes cimport itemsizes
from nd4py._core.layout.overlap cimport disturbs, share_bytes
from nd4py._core.layout.shape cimport intern_contiguous
from nd4py.cuda.array.device_array cimport DeviceArray, block_of, materialize, new_device_array, new_device_view, use_on


cdef bint is_private(DeviceArray x) except -1:
    """Whether only this library can write the memory of an array."""
    return block_of(x) != NULL and owner_of(x).n_shares == 0


cdef DeviceArray new_of_shape(int number, DeviceArray x):
    """An uninitialised array with memory of its own, of the shape of `x` and on its device."""
    return new_device_array(number, intern_contiguous(itemsizes[number], x.info.ndim, x.info.shape), x.device_number)


cdef DeviceArray without_node(DeviceArray x):
    """An array without its record on the tape; what is deferred stays so."""
    if x.node is None:
        return x
    return <DeviceArray>x.base if x.is_deferred else new_device_view(x, x.data_address, x.info)


def with_node(DeviceArray x, node) -> DeviceArray:
    """A view of `x` that carries a node of the tape, or none; of one that is deferred an array that stands for it."""
    cdef DeviceArray plain = without_node(x), view
    if node is None:
        return plain
    if not plain.is_deferred:
        view = new_device_view(plain, plain.data_address, plain.info)
    else:
        view = DeviceArray.__new__(DeviceArray)
        view.info, view.number, view.device_number = plain.info, plain.number, plain.device_number
        view.base, view.is_view, view.is_deferred = plain, True, True
    view.node = node
    return view


def is_deferred(DeviceArray x) -> bool:
    """Whether an array has no values yet."""
    return without_node(x).is_deferred if x.is_deferred else False


def prepare_to_write(DeviceArray x) -> None:
    """Whatever is going to read the memory of an array reads it now, before it is written."""
    prepare_write(x)


def used_on_stream(DeviceArray x, size_t stream) -> None:
    """Say that work given to `stream` needs the memory of an array."""
    use_on(x, stream)


cpdef bint overlaps(DeviceArray x, DeviceArray y) except -1:
    """Whether writing `y` element by element may change what is still to be read of `x`."""
    materialize(x)
    materialize(y)
    return x.device_number == y.device_number and disturbs(y.data_address, y.info, x.data_address, x.info)


cpdef bint shares(DeviceArray x, DeviceArray y) except -1:
    """Whether two arrays may have a byte in common."""
    materialize(x)
    materialize(y)
    return x.device_number == y.device_number and share_bytes(x.data_address, x.info, y.data_address, y.info)
