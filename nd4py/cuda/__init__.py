"""Devices that run CUDA kernels.  Importable everywhere; CuPy is imported when a device is first asked for.

>>> import nd4py as nd
>>> nd.cuda.is_available() == nd.cuda.status().available
True
"""

from .._core.devices import UnsupportedOnDevice, register
from . import memory
from .affinity import allow_cross_device_access
from .array import DeviceArray
from .averaging import average
from .backend import backend
from .configuration import config
from .cudnn_convolution import use_cudnn
from .current import allow_multi_gpu, attach, attached_device, ban_device, banned_devices
from .driver import DeviceError, DeviceLost, DeviceOutOfMemory
from .drivers import device_count, use_driver, use_for_cupy
from .fallback import HostFallbackWarning, fallback, fallbacks
from .graphs import Graph
from .hosting import on_host
from .interop import from_cuda_array
from .statistics import CudaStatistics, statistics
from .status import CudaStatus, CudaUnavailable, status
from .streams import Event, Stream, current_stream, synchronize
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
