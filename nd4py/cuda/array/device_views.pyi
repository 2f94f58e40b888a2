# Made from nd4py/cuda/array/device_views.pyx by the build (nd4py/_spec/render/stubs.py); change the source, not this file.
from nd4py.cuda.array.device_array import DeviceArray

def diagonal_view(x: DeviceArray, axis1: int, axis2: int, offset: int = 0) -> DeviceArray: ...
