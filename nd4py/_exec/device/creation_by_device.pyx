"""empty, zeros and ones on the device that is asked for, else on the default one.

On the host they cost what those of `nd4py._exec.creation` cost, which code of our own calls: it needs host memory.
"""

from nd4py._exec.creation cimport host_empty, host_ones, host_zeros
from nd4py._exec.device.device_operations cimport is_default_watched

from ..._core.dtype import dtype_of
from ..._core.interop.buffers import to_bytes
from ..._spec.dtypes import DEFAULT_FLOAT
from .placement import backend_of, default_device


cdef inline bint is_on_host(object device) except -1:
    if device is None:
        return not is_default_watched() or default_device() == "cpu"
    return device == "cpu"


cdef object made(object shape, object dtype, object device, bint is_filled, object element):
    """An array on another device, filled with the bytes of a host's array of one element where `is_filled`."""
    name = default_device() if device is None else device
    backend = backend_of(name)
    x = backend.empty(shape, dtype_of(DEFAULT_FLOAT if dtype is None else dtype).number, backend.device_number(name))
    if is_filled:
        backend.write(x, to_bytes(element))
    return x


def empty(shape: Sizes, dtype: DTypeLike | None = None, *, device: str | None = None) -> NDArray:
    """An array of uninitialised elements, float64 by default.  Raises ValueError for a bad shape, MemoryError."""
    return host_empty(shape, dtype) if is_on_host(device) else made(shape, dtype, device, False, None)


def zeros(shape: Sizes, dtype: DTypeLike | None = None, *, device: str | None = None) -> NDArray:
    """An array of zeros, float64 by default.  Raises ValueError for a bad shape, MemoryError."""
    if is_on_host(device):
        return host_zeros(shape, dtype)
    return made(shape, dtype, device, True, host_zeros((), dtype))


def ones(shape: Sizes, dtype: DTypeLike | None = None, *, device: str | None = None) -> NDArray:
    """An array of ones, float64 by default.  Raises ValueError for a bad shape, MemoryError."""
    if is_on_host(device):
        return host_ones(shape, dtype)
    return made(shape, dtype, device, True, host_ones((), dtype))
