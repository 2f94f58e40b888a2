"""Submission of planned launches to the thread's stream."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..._core.devices import UnsupportedOnDevice, ways
from ..allocation.ownership import used_on_stream
from ..array.device_array import DeviceArray
from ..compile.kernel_catalogue import Kernels
from ..compile.loaded_modules import loaded_modules
from ..driver.driver_choice import driver
from .current_stream import bound_device, stream_of
from .geometry import Launch
from .launch_configuration import config


def plan(name: str, make: Callable[..., Launch | None]) -> Launch | None:
    """The launch that `make(max_blocks=...)` plans.  Raises UnsupportedOnDevice for layouts that no kernel walks."""
    try:
        return make(max_blocks=config.maximum_grid_size)
    except ValueError as error:
        raise UnsupportedOnDevice(f"op {name!r}: {error}; {ways()}") from None


def submit(device: int, kernels: Kernels, launch: Launch, arrays: Sequence[DeviceArray]) -> None:
    """Give a launch to this thread's stream; `arrays` are those whose memory it needs.  Raises DeviceError."""
    function = loaded_modules.function(device, kernels, launch.variant)
    stream = stream_of(device)
    bound_device(device)
    grid, block = launch.within(config.maximum_grid_size, config.maximum_block_size)
    driver().launch(function, grid, block, launch.shared_bytes, stream, launch.arguments)
    for x in arrays:
        used_on_stream(x, stream)
