"""Random numbers made on a device: those that the host would have drawn, from the same place in the stream."""

from collections.abc import Callable
from typing import Any

from .._core.devices import UnsupportedOnDevice
from .placement import backend_of

Reserve = Callable[[int], tuple[int, int]]  # from a number of blocks of random bits to the (seed, offset) of the first


def draw_on(device: str, name: str, reserve: Reserve, shape: tuple[int, ...], number: int, *parameters: Any) -> Any:
    """Numbers of a distribution, of dtype `number`, on a device; parameters are floats.

    Raises UnsupportedOnDevice where the device does not draw them, ValueError for a device that does not exist.
    """
    backend = backend_of(device)
    own = backend.functions.get(f"draw_{name}")
    remedy = "draw on the host, and x.to_device(...) copies"
    if own is None:
        raise UnsupportedOnDevice(f"{name} is not drawn on {backend.family} devices; {remedy}")
    if not all(isinstance(parameter, float) for parameter in parameters):
        raise UnsupportedOnDevice(f"{name}: {backend.family} devices take numbers as parameters, no arrays; {remedy}")
    return own(reserve, shape, number, backend.device_of(device), *parameters)
