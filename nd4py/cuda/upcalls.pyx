"""The functions of this layer that arrays on devices call."""

from nd4py._core.upcalls cimport device_upcalls
from nd4py.cuda cimport launch

from .._core.upcalls import check_filled
from .arena import remains
from .interop import cuda_array_interface, to_dlpack
from .transfer import to_host, wait_for


def fill_in() -> None:
    """Let arrays call them."""
    device_upcalls.binary, device_upcalls.unary = launch.binary_on_device, launch.unary_on_device
    device_upcalls.inplace = launch.inplace_on_device
    device_upcalls.to_host, device_upcalls.wait, device_upcalls.remains = to_host, wait_for, remains
    device_upcalls.to_dlpack, device_upcalls.cuda_array_interface = to_dlpack, cuda_array_interface
    check_filled(True)
