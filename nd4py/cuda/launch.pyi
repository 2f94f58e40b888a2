# Made from nd4py/cuda/launch.pyx by the build (nd4py/_spec/render_stubs.py); change the source, not this file.
from nd4py.cuda.array import DeviceArray

def run_dense_row(
    op: int,
    number: int,
    operands: tuple[DeviceArray | bytes, ...],
    params: tuple[float, ...],
    outputs: list[DeviceArray],
) -> bool: ...
def forget_driver() -> None: ...
