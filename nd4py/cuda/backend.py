"""The CUDA backend, as dispatch sees it.  Rows of the table on arrays become launches of their kernels.

Design: what runs, and on which part of the data, is planned by `geometry` and `reduce_geometry` from shapes alone; this
file finds addresses, and gives the launches to this thread's stream.  The commonest case, dense operands of one
layout, never comes here (`dense_launch`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from . import fallback
from .allocation.ownership import prepare_to_write, shares, with_node
from .array.device_array import DeviceArray, empty_on_device
from .array.device_interop import from_dlpack
from .array.transfer import from_host, to_host, to_peer, wait_for_device
from .conv import cudnn_convolution
from .copy.copies import Element, convert, write
from .device_families import run_take
from .driver.driver_choice import device_count, driver
from .elementwise import device_eager
from .function_table import FUNCTIONS
from .launch.current_stream import attached_device, check_device_number, check_not_capturing
from .linalg.products import run_matmul
from .program.device_defer import combine_counts, defer, defer_conversion, defer_in_place, deferred_program, flush
from .reduce.reduce_launch import reduce


class CudaBackend:
    """See `nd4py._core.devices.Backend`."""

    family = "cuda"
    functions: Mapping[str, Callable[..., Any]] = FUNCTIONS
    rules = None
    # Without a frame of Python: what is deferred, and reductions.
    defer = staticmethod(defer)
    defer_conversion = staticmethod(defer_conversion)
    defer_in_place = staticmethod(defer_in_place)
    reduce = staticmethod(reduce)
    flush = staticmethod(flush)
    combine_counts = staticmethod(combine_counts)
    deferred_program = staticmethod(deferred_program)

    def helpers(self) -> str:
        """The helper library in use, as text."""
        return cudnn_convolution.description()

    def device_names(self) -> tuple[str, ...]:
        """The devices there are."""
        return tuple(f"cuda:{number}" for number in range(device_count()))

    def device_number(self, name: str) -> int:
        """The number of a device; "cuda" is this thread's.  Raises ValueError, CudaUnavailable with the reason."""
        driver()
        digits = name.removeprefix("cuda").removeprefix(":")
        if name == "cuda":
            return attached_device()
        if not digits.isdigit():
            raise ValueError(f"device: 'cpu', 'cuda' or 'cuda:0' and so on, given {name!r}")
        return check_device_number(int(digits))

    def device_of(self, x: DeviceArray) -> int:
        """The number of the device that an array is on."""
        return x.device_number

    def dtype_number(self, x: DeviceArray) -> int:
        """The number of an array's dtype in the table."""
        return x.number

    def empty(self, shape: tuple[int, ...], number: int, device: int) -> DeviceArray:
        """An uninitialised array."""
        return empty_on_device(shape, number, device)

    def with_node(self, x: DeviceArray, node: Any) -> DeviceArray:
        """A view of an array that carries a node of the tape, or none."""
        return with_node(x, node)

    def prepare_to_write(self, x: DeviceArray) -> None:
        """Launch the deferred operations that read the memory of an array."""
        prepare_to_write(x)

    def shares(self, x: DeviceArray, y: DeviceArray) -> bool:
        """Whether two arrays may have a byte in common."""
        return shares(x, y)

    def from_host(self, x: Any, device: int) -> DeviceArray:
        """A copy of a host's array."""
        return from_host(x, device)

    def to_host(self, x: DeviceArray) -> Any:
        """A copy on the host, once the device has computed it."""
        return to_host(x)

    def to_peer(self, x: DeviceArray, device: int) -> DeviceArray:
        """A copy on another device."""
        return to_peer(x, device)

    def from_dlpack(self, x: Any, copy: bool | None) -> DeviceArray:
        """An array over the memory of an object with `__dlpack__` on a CUDA device."""
        return from_dlpack(x, copy)

    def falls_back(self, name: str) -> bool:
        """Whether operation `name` may run on the host; counts that it does."""
        return fallback.falls_back(name)

    def run_row(
        self, op: int, number: int, operands: tuple[Element, ...], params: tuple[float, ...], outputs: list[DeviceArray]
    ) -> None:
        """A map row on operands that broadcast to the outputs, computed as dtype `number`."""
        device_eager.run_map(op, number, operands, params, outputs)

    def scan(self, op: int, x: DeviceArray, axis: int, include_initial: bool) -> DeviceArray:
        """The running results of a row along an axis."""
        return device_eager.scan(op, x, axis, include_initial)

    def synchronize(self) -> None:
        """Wait for all devices."""
        check_not_capturing("all devices would be waited for")
        for device in range(device_count()):
            wait_for_device(device)

    def matmul(self, x1: DeviceArray, x2: DeviceArray, batch: tuple[int, ...]) -> DeviceArray:
        """The products of stacks of matrices of one dtype."""
        return run_matmul(x1, x2, batch)

    def take(self, x: DeviceArray, indices: DeviceArray, sizes: tuple[int, int, int]) -> DeviceArray:
        """Elements by dense indices along the middle axis of dense (outer, n, inner)."""
        return run_take(x, indices, sizes)

    def convert(self, x: DeviceArray, number: int) -> DeviceArray:
        """A C-ordered copy as dtype `number`."""
        return convert(x, number)

    def write(self, target: DeviceArray, value: Element) -> None:
        """Fill an array with an array that broadcasts to it, or with the bytes of one element."""
        write(target, value)


backend = CudaBackend()
