# Made from nd4py/cuda/launch/dense_launch.pyx by the build (nd4py/_spec/render/stubs.py); change the source, not this file.
from nd4py.cuda.array.device_array import DeviceArray

def run_dense_row(
    op: int,
    number: int,
    operands: tuple[DeviceArray | bytes, ...],
    params: tuple[float, ...],
    outputs: list[DeviceArray],
) -> bool: ...
def forget_driver() -> None: ...
