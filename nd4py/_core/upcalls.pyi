# Made from nd4py/_core/upcalls.pyx by the build (nd4py/_spec/render/stubs.py); change the source, not this file.
from typing import Any

def fill(on_devices: bool = False, **functions: Any) -> None: ...
def check_filled(on_devices: bool = False) -> None: ...

class MemoryUpcalls:
    assign: Any
    astype: Any
    copy: Any
    getitem: Any
    setitem: Any

class Upcalls(MemoryUpcalls):
    reduce: Any
    argreduce: Any
    call: Any
    product_with_zeros: Any
    row_of_complex: Any
    reduce_complex: Any
    argreduce_complex: Any
    leave_to_readers: Any
    construct: Any
    asarray: Any
    tolist: Any
    represent: Any
    text: Any
    reduce_ex: Any
    to_bytes: Any
    to_device: Any
    to_dlpack: Any
    to_numpy: Any
    namespace: Any
    array_ufunc: Any
    array_function: Any
    functions: Any
    record_cast: Any
    record_reduction: Any
    record_row: Any
    record_view: Any
    row_of_subclass: Any
    of_subclass: Any

class DeviceUpcalls(MemoryUpcalls):
    matmul: Any
    to_host: Any
    wait: Any
    to_dlpack: Any
    cuda_array_interface: Any
    remains: Any
