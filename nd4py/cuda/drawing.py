"""Random numbers on a device, with the bits of the host's."""

from collections.abc import Callable

from .._spec.dtypes import DTYPES
from .array import DeviceArray, empty_on_device
from .configuration import config
from .function_launches import random_launch
from .functions import kernels_of
from .submission import submit

BLOCK_BYTES = 16  # of random bits, which make as many elements as have these bytes


def draw_uniform(
    reserve: Callable[[int], tuple[int, int]], shape: tuple[int, ...], number: int, device: int, low: float, high: float
) -> DeviceArray:
    """Numbers in [low, high), evenly distributed; `reserve(n)` gives (seed, offset) of n blocks of random bits."""
    y = empty_on_device(shape, number, device)
    lanes = BLOCK_BYTES // y.itemsize
    seed, offset = reserve(-(-y.size // lanes))
    if y.size:
        launch = random_launch(
            "fill", y.address, y.size, lanes, seed, offset, (low, high), max_blocks=config.maximum_grid_size
        )
        submit(device, kernels_of("uniform", DTYPES[number].name, launch.variant), launch, [y])
    return y
