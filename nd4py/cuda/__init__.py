"""Devices that run CUDA kernels.  Importable everywhere; CuPy is imported when a device is first asked for.

>>> import nd4py as nd
>>> nd.cuda.is_available() == nd.cuda.status().available
True

The files, as the build lists them:

- allocation/: Device memory: the caching allocator, arenas, and the use of blocks by streams.
- array/: DeviceArray: arrays in the memory of a device, and copies to and from them.
- backend.py: The CUDA backend, as dispatch sees it.
- compile/: Compilation of kernels: their source, the compiler, and the caches of both.
- conv/: Convolution and pooling of images on devices.
- copy/: Copies and conversions on devices.
- device_averaging.py: The mean of arrays on several devices, written to all of them.
- device_families.py: Scans and indexing on a device.
- driver/: The driver: CuPy or another library that compiles, launches and copies; and the devices there are.
- elementwise/: Elementwise operations on devices.
- fallback.py: The policy for operations without a kernel: an error, or the host instead.
- function_table.py: Table of device functions, by the names of `nd4py._exec.dispatch.by_backend`.
- hosting.py: Functions without kernels, run on the host with copies of device arrays.
- index/: Indexing by index arrays and boolean masks on devices.
- launch/: Kernel launches: arguments, geometry, streams and graphs.
- linalg/: Products and factorizations on devices, by the libraries that CuPy brings.
- memory.py: Statistics and limits of the caches of device memory and pinned host memory.
- program/: The lazy engine on devices: several operations as one kernel.
- random/: Random numbers on devices.
- reduce/: Reductions and normalization on devices.
- scan/: The gradient of scans on devices.
- sort/: Sorting on devices.
- upcalls.pyx: Upcalls: functions of this layer that arrays on devices call.
"""

from __future__ import annotations

from .._core.devices import UnsupportedOnDevice, register
from .._core.public_types import name_types
from . import memory
from .array.device_array import DeviceArray
from .array.device_interop import from_cuda_array
from .backend import backend
from .conv.cudnn_convolution import use_cudnn
from .device_averaging import average
from .driver.driver import DeviceError, DeviceLost, DeviceOutOfMemory
from .driver.driver_choice import device_count, use_driver, use_for_cupy
from .driver.peer_access import allow_cross_device_access
from .driver.status import CudaStatus, CudaUnavailable, status
from .fallback import HostFallbackWarning, fallback, fallbacks
from .hosting import on_host
from .launch.current_stream import allow_multi_gpu, attach, attached_device, ban_device, banned_devices
from .launch.device_statistics import CudaStatistics, statistics
from .launch.graphs import Graph
from .launch.launch_configuration import config
from .launch.streams import Event, Stream, current_stream, synchronize
from .upcalls import fill_in

__all__ = [
    "CudaStatistics",
    "CudaStatus",
    "CudaUnavailable",
    "DeviceArray",
    "DeviceError",
    "DeviceLost",
    "DeviceOutOfMemory",
    "Event",
    "Graph",
    "HostFallbackWarning",
    "Stream",
    "UnsupportedOnDevice",
    "allow_cross_device_access",
    "allow_multi_gpu",
    "attach",
    "attached_device",
    "average",
    "ban_device",
    "banned_devices",
    "config",
    "current_stream",
    "device_count",
    "fallback",
    "fallbacks",
    "from_cuda_array",
    "is_available",
    "memory",
    "on_host",
    "statistics",
    "status",
    "synchronize",
    "use_cudnn",
    "use_driver",
    "use_for_cupy",
]


def is_available() -> bool:
    """Whether there is a CUDA device to work on, through CuPy or the driver given to `use_driver`; never an error.

    Raises nothing.

    >>> nd.cuda.is_available() == (nd.cuda.device_count() > 0)
    True
    """
    return device_count() > 0


fill_in()
register(DeviceArray, backend)
name_types(globals(), __name__)
