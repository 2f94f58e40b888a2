# Made from nd4py/_core/array/extending.pyx by the build (nd4py/_spec/render/stubs.py); change the source, not this file.
from nd4py._core.array.array_base import ArrayBase

def extend(written_elsewhere: type, array: type = ArrayBase) -> None: ...
