# Made from nd4py/cuda/explaining.pyx by the build (nd4py/_spec/render_stubs.py); change the source, not this file.
from nd4py.cuda.array import DeviceArray
from typing import Any

def pending_program(x: DeviceArray) -> dict[str, Any] | None: ...
