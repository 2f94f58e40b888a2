"""Upcalls: functions of this layer that arrays on devices call."""

from nd4py._core.upcalls cimport device_upcalls
from nd4py.cuda.launch cimport dense_launch

from .._core.upcalls import check_filled
from .allocation.device_arena import remains
from .array.device_interop import cuda_array_interface, to_dlpack
from .array.transfer import to_host, wait_for


def fill_in() -> None:
    """Let arrays call them."""
    device_upcalls.binary, device_upcalls.unary = dense_launch.binary_on_device, dense_launch.unary_on_device
    device_upcalls.inplace = dense_launch.inplace_on_device
    device_upcalls.to_host, device_upcalls.wait, device_upcalls.remains = to_host, wait_for, remains
    device_upcalls.to_dlpack, device_upcalls.cuda_array_interface = to_dlpack, cuda_array_interface
    check_filled(True)
