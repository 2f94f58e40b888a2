"""DeviceArray: typed elements in device memory, with the same ShapeInfo as arrays on the host.

Design: an ArrayBase, and no kind of NDArray.  Code written for the host follows an NDArray's pointer; a device's
address in its place would be read, and crash.  So the host's fast paths ask for NDArray alone and pay nothing for
devices, and whatever meets a DeviceArray unprepared says so in a TypeError.
Memory goes back when the last array over it goes, in the order of its stream: work that was launched before is done
first, and no thread waits.

A deferred array has no memory: `is_deferred` says so, and code that reads `data_address` calls `materialize` first.
Rejected: a type of its own, as deferred arrays of the host have, which keeps functions that know nothing of them from
an array without memory; here few files read `data_address`, and all others ask for `address`.
"""

from cpython.object cimport PyObject
from cython cimport no_gc_clear
from nd4py._core.array.array cimport Objects, Type, as_new, become, end_object, fresh_object, keep_objects
from nd4py._core.array.array_base cimport ArrayBase, owner_of
from nd4py._core.array.exits cimport leave_tape
from nd4py._core.lazy.deferring cimport forget, run
from nd4py._core.layout.shape cimport MAX_NDIM, ShapeInfo, intern_contiguous, parse_shape
from nd4py._core.upcalls cimport MemoryUpcalls, device_upcalls, upcalls
from nd4py._mem.workspace.scopes cimport n_open
from nd4py.cuda.launch.current_stream cimport current_stream
from nd4py.cuda.allocation.lent_memory cimport cache_of, foreign_block, give

cdef extern from "element_sizes.gen.h" nogil:
    const Py_ssize_t itemsizes[]

cdef ArrayUpcalls array_upcalls
cdef Objects objects


cdef PyObject* make(Type* wanted, PyObject* arguments, PyObject* keywords) noexcept:
    return fresh_object(&objects) if wanted == objects.type else objects.first_new(wanted, arguments, keywords)


cdef void end(PyObject* array) noexcept:
    end_object(&objects, array)


cdef void end_as_array(PyObject* array) noexcept:
    """End an object that changed its type, as what it once was."""
    become(array, DeviceArray)
    end(array)


cdef DeviceArray new_device_array(int number, ShapeInfo info, int device):
    """An uninitialised array of a contiguous ShapeInfo.  Raises DeviceOutOfMemory."""
    cdef DeviceArray array = <DeviceArray>as_new(fresh_object(&objects))
    array.info = info
    array.number = number
    array.device_number = device
    if n_open == 0 or not array_upcalls.attach(array):
        array.owned = cache_of(device).take(info.size * info.itemsize, current_stream(device))
        array.data_address = array.owned.address
    return array


cdef DeviceArray new_device_view(DeviceArray source, size_t address, ShapeInfo info):
    """An array over memory that `source` keeps alive."""
    cdef DeviceArray array = <DeviceArray>as_new(fresh_object(&objects))
    array.data_address = address
    array.info = info
    array.number = source.number
    array.device_number = source.device_number
    array.readonly = source.readonly
    array.base = owner_of(source)
    array.is_view = True
    if source.attachment != NULL:
        array_upcalls.share(array, source)
    return array


cdef DeviceArray foreign_device_array(size_t address, int number, ShapeInfo info, int device, bint readonly,
                                      object owner):
    """An array over memory of a device that `owner` keeps alive."""
    cdef DeviceArray array = <DeviceArray>as_new(fresh_object(&objects))
    array.data_address = address
    array.info = info
    array.number = number
    array.device_number = device
    array.readonly = readonly
    array.base, array.is_view = owner, isinstance(owner, DeviceArray)
    array.n_shares = 1                   # others may write it at any time
    array.owned = foreign_block(address, info.size * info.itemsize, owner)
    return array


cdef DeviceArray shifted_view(DeviceArray source, size_t offset, ShapeInfo info):
    """An array over the memory of `source`, from so many bytes behind its first element."""
    materialize(source)
    return new_device_view(source, source.data_address + offset, info)


cdef int materialize_deferred(DeviceArray x) except -1:
    """Give a deferred array its values."""
    cdef DeviceArray source
    if x.chain is not None:
        return run(x)
    source = <DeviceArray>x.base         # which it stands for
    materialize(source)
    x.data_address, x.readonly = source.data_address, source.readonly
    x.is_deferred = False
    x.base, x.is_view = owner_of(source), True
    if source.attachment != NULL:
        array_upcalls.share(x, source)
    return 0


def empty_on_device(shape: Shape, int number, int device) -> DeviceArray:
    """An array of uninitialised elements on a device.  Raises DeviceOutOfMemory, ValueError for a bad shape."""
    cdef Py_ssize_t sizes[MAX_NDIM]
    cdef int ndim = parse_shape(shape, sizes)
    return new_device_array(number, intern_contiguous(itemsizes[number], ndim, sizes), device)


def reinterpreted(DeviceArray x, int number) -> DeviceArray:
    """The view of the same bytes as another dtype of the same item size."""
    cdef DeviceArray view = shifted_view(x, 0, x.info)
    view.number = number
    return view


cdef void release(PyObject* array) noexcept:
    """Give back the memory of an array that ends, or let its chain know."""
    if (<DeviceArray>array).attachment != NULL:
        array_upcalls.end(<DeviceArray>array)
    if (<DeviceArray>array).owned != NULL:
        give((<DeviceArray>array).owned)         # at once, or when streams have passed: we look again later
    elif (<DeviceArray>array).chain is not None:
        forget(array)


@no_gc_clear
cdef class DeviceArray(ArrayBase):
    """An n-dimensional array of one dtype in the memory of a device.

    Made by `x.to_device("cuda:0")` and by the functions of the namespace with `device="cuda:0"`.
    Raises TypeError when it is called.
    """

    __array_ufunc__ = None               # NumPy's functions are not for devices: x.to_device("cpu") first

    def __init__(self):
        raise TypeError("make arrays on a device with nd4py.asarray(..., device='cuda:0') and its like")

    cdef int materialize(self) except -1:
        return materialize(self)

    cdef ArrayBase view(self, Py_ssize_t offset, ShapeInfo info):
        return shifted_view(self, offset, info)

    cdef ArrayBase element(self, Py_ssize_t offset, ShapeInfo info):
        return device_upcalls.copy(shifted_view(self, offset, info))

    cdef ArrayBase on_host(self):
        return device_upcalls.to_host(self)

    cdef MemoryUpcalls own_upcalls(self):
        return device_upcalls

    @property
    def device(self) -> str:
        """Where the elements lie, such as "cuda:0"."""
        return f"cuda:{self.device_number}"

    @property
    def address(self) -> int:
        """The address of the first element in the memory of the device."""
        materialize(self)
        return self.data_address

    def block(self) -> Self:
        """The array itself, once the device has computed it.  Raises DeviceOutOfMemory, and errors of the device."""
        materialize(self)
        device_upcalls.wait(self)
        return self

    def __repr__(self):
        shown = upcalls.represent(self.on_host())
        return f"{shown.removesuffix(')')}, device={self.device!r})"

    def __reduce_ex__(self, protocol):
        leave_tape(self.node)
        return revive, (self.on_host(), self.device)

    # Interchange.

    def __array__(self, dtype=None, copy: bool | None = None) -> Any:
        raise TypeError(
            f"this array is on {self.device}, and NumPy's are on the host; copy it there first, x.to_device('cpu')"
        )

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """Version 3 of the description that CuPy, Numba and PyTorch read.  Raises AttributeError for bfloat16."""
        return device_upcalls.cuda_array_interface(self)

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy: bool | None = None) -> Any:
        """A DLPack capsule over this array's memory.  Raises BufferError for a device or layout it cannot offer."""
        return device_upcalls.to_dlpack(self, stream, max_version, dl_device, copy)

    def __dlpack_device__(self) -> tuple[int, int]:
        """(2, number): DLPack's name for the memory of a CUDA device."""
        return (2, self.device_number)


def revive(x, device: str) -> DeviceArray:
    """An unpickled array, back on its device."""
    return upcalls.to_device(x, device, None)


keep_objects(&objects, DeviceArray, DeviceArray.__new__(DeviceArray), release, make, end)
