# Made from nd4py/_exec/lazy/host_backend.pyx by the build (nd4py/_spec/render/stubs.py); change the source, not this file.
from nd4py._core.lazy.lazy_backend import Backend

class HostBackend(Backend): ...
