"""The source of random numbers: one stream for the host and for devices."""

from __future__ import annotations

from typing import Any

from .._core.devices import UnsupportedOnDevice
from ..cpu.random.random import Stream
from .autodiff.nodes import depth, is_array
from .batching.open_batches import NoBatchRule
from .device.placement import backend_of, default_device


def drawing_device(name: str, device: str | None, *parameters: Any) -> str:
    """Where `name` draws: on `device`, by default where the parameters are that are arrays, else on the default device.

    Raises ValueError for arrays on other devices, and for a device that does not exist.
    """
    homes = {x.device for x in parameters if is_array(x)}
    if device is None:
        device = min(homes) if homes else default_device()
    if device != "cpu":
        backend = backend_of(device)
        device = f"{backend.family}:{backend.device_number(device)}"
    if homes - {device}:
        raise ValueError(
            f"{name}: parameters on {' and '.join(sorted(homes))} for numbers on {device}; bring them together first, "
            "x.to_device(...)"
        )
    return device


def stream_on(device: str, stream: Stream) -> Any:
    """What draws on a device as `stream` does on the host, and takes the same blocks of random bits from it.

    Raises UnsupportedOnDevice where the device draws nothing, NoBatchRule in a batch.
    """
    if depth():  # numbers are drawn for each example: those of one call are not those of many
        raise NoBatchRule("random numbers have no rule for a batch")
    if device == "cpu":
        return stream
    backend = backend_of(device)
    own = backend.functions.get("random_stream")
    if own is None:
        raise UnsupportedOnDevice(
            f"{backend.family} devices draw no random numbers; draw on the host, and x.to_device(...) copies"
        )
    return own(stream.reserve_blocks, backend.device_number(device))
