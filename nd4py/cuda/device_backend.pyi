# Made from nd4py/cuda/device_backend.pyx by the build (nd4py/_spec/render_stubs.py); change the source, not this file.
from nd4py._core.chains.backend import Backend

class DeviceBackend(Backend): ...
