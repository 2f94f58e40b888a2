# Made from nd4py/_core/layout/subarrays.pyx by the build (nd4py/_spec/render/stubs.py); change the source, not this file.
from nd4py._core.layout.shape import ShapeInfo

class TADPack:
    @property
    def info(self) -> ShapeInfo: ...
    @property
    def count(self) -> int: ...

class Methods: ...
