# Made from nd4py/_core/tads.pyx by the build (nd4py/_spec/render_stubs.py); change the source, not this file.
from nd4py._core.shape import ShapeInfo

class TADPack:
    @property
    def info(self) -> ShapeInfo: ...
    @property
    def count(self) -> int: ...

class Methods: ...
