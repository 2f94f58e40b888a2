"""Devices that run CUDA kernels.  Importable everywhere; CuPy is imported when a device is first asked for.

>>> import nd4py as nd
>>> nd.cuda.is_available() == nd.cuda.status().available
True

The files, as the build lists them:

- allocation/: Memory of devices: the caching allocator, arenas, and who may use a block when.
- array/: DeviceArray: arrays in the memory of a device, and copies to and from them.
- array_functions.py: What devices have of the functions on indices, masks and sorted lines, by the names that
  `by_backend` asks for.
- backend.py: CUDA devices as dispatch sees them: rows of the table on arrays, as launches of their kernels.
- compile/: From a row of the table to a loaded kernel: its text, compiling, and the caches of both.
- conv/: Convolution and pooling of images on devices.
- copy/: Copies and conversions on devices.
- device_averaging.py: The mean of arrays on several devices, in the memory of all of them.
- device_families.py: Scans, matrix products and indexing on a device: operands in the layouts their kernels read, then
  the launches.
- driver/: The driver: CuPy or another that compiles, launches and copies; which devices there are.
- elementwise/: Elementwise operations on devices.
- fallback.py: What happens to operations without a kernel: an error, or the host in their place where somebody asked
  for it.
- function_table.py: The functions of `nd4py._exec.dispatch.by_backend` that devices have, by name; each takes what the
  host's takes.
- hosting.py: Functions without kernels, on arrays of a device, by way of the host.
- index/: Elements that index arrays or boolean masks name, on devices.
- launch/: Launches: arguments, geometry, streams and graphs.
- linalg/: Factorizations on devices, by the libraries that CuPy brings.
- memory.py: What the caches of device memory and of pinned host memory hold, and their limits, for people and tests.
- program/: The lazy engine on devices: several operations as one kernel.
- random/: Random numbers on devices.
- reduce/: Reductions and normalization on devices.
- scan/: The gradient of scans on devices.
- sort/: Sorting on devices.
- upcalls.pyx: The functions of this layer that arrays on devices call.
"""

from .._core.devices import UnsupportedOnDevice, register
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
    """
    return device_count() > 0


fill_in()
register(DeviceArray, backend)
