# Made from nd4py/cuda/program/device_defer.pyx by the build (nd4py/_spec/render/stubs.py); change the source, not this file.
from nd4py.cuda.array.device_array import DeviceArray
from typing import Any

def defer(
    op: int,
    number: int,
    operands: tuple[DeviceArray | bytes, ...],
    params: tuple[float, ...],
    shape: tuple[int, ...],
    device: int,
    result: int,
    condition: int,
    n_out: int,
) -> list[DeviceArray] | None: ...
def defer_in_place(
    op: int,
    number: int,
    operands: tuple[DeviceArray | bytes, ...],
    shape: tuple[int, ...],
    target: DeviceArray,
    result: int,
    condition: int,
) -> bool: ...
def defer_conversion(x: DeviceArray, number: int) -> DeviceArray | None: ...
def reduce_deferred(x: DeviceArray, op: int, axes: tuple[int, ...], number: int) -> DeviceArray | None: ...
def flush(every_thread: bool = False, raises: bool = False) -> None: ...
def combine_counts() -> tuple[int, int, int, int, int, int, int]: ...
def deferred_counts(device: int) -> tuple[int, int]: ...
def deferred_program(x: DeviceArray) -> dict[str, Any] | None: ...
