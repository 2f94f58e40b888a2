"""Convolution and pooling of images and volumes on a device.  Operands are made dense; then there is one launch."""

from __future__ import annotations

from typing import Protocol

from ..._spec.dtypes import DTYPES
from ..array.device_array import DeviceArray, empty_on_device
from ..device_families import kernels_of
from ..launch.function_launches import convolution_launch, pooling_launch
from ..launch.kernel_arguments import WindowArguments
from ..launch.launch_configuration import config
from ..launch.submit import submit
from .cudnn_convolution import has_convolved

__all__ = [
    "average_pooling",
    "average_pooling_gradient",
    "convolution",
    "convolution_input_gradient",
    "convolution_weight_gradient",
    "maximum_pooling",
    "maximum_pooling_gradient",
]

LAUNCHES = {"conv2d": convolution_launch, "pool2d": pooling_launch}


class Window(Protocol):
    """The sizes of windows over images or volumes, checked."""

    @property
    def sizes(self) -> dict[str, int]:
        """By the names of the fields of `WindowArguments`."""

    @property
    def x_shape(self) -> tuple[int, ...]:
        """The shape of what windows slide over."""

    @property
    def w_shape(self) -> tuple[int, ...]:
        """The shape of the filters."""

    @property
    def y_shape(self) -> tuple[int, ...]:
        """The shape of the results."""


def run(
    function: str, variant: str, window: Window, shape: tuple[int, ...], x: DeviceArray, **others: DeviceArray | None
) -> DeviceArray:
    """A new array of `shape` from one kernel over dense arrays: `x`, and w and bias among `others`."""
    y = empty_on_device(shape, x.number, x.device_number)
    if y.size == 0:
        return y
    given = {name: array for name, array in others.items() if array is not None}
    if function == "conv2d" and has_convolved(variant, window.sizes, x, y=y, **given):
        return y
    kernels = kernels_of(function, DTYPES[x.number].name, variant)
    addresses = {name: array.address for name, array in given.items()}
    arguments = WindowArguments(x=x.address, y=y.address, **addresses, **window.sizes)
    launch = LAUNCHES[function](variant, arguments, config.maximum_grid_size)
    submit(x.device_number, kernels, launch, [x, y, *given.values()])
    return y


def convolution(x: DeviceArray, w: DeviceArray, bias: DeviceArray | None, window: Window) -> DeviceArray:
    """The cross-correlation of images and filters, plus the bias."""
    return run("conv2d", "conv_forward", window, window.y_shape, x, w=w, bias=bias)


def convolution_input_gradient(dy: DeviceArray, w: DeviceArray, window: Window) -> DeviceArray:
    """The gradient of the images."""
    return run("conv2d", "conv_input_gradient", window, window.x_shape, dy, w=w)


def convolution_weight_gradient(x: DeviceArray, dy: DeviceArray, window: Window) -> tuple[DeviceArray, DeviceArray]:
    """The gradients of the filters and of the bias."""
    dw = run("conv2d", "conv_weight_gradient", window, window.w_shape, x, w=dy)
    return dw, dy.sum(axis=(0, *range(2, dy.ndim)))


def maximum_pooling(x: DeviceArray, window: Window) -> DeviceArray:
    """The largest element of each window."""
    return run("pool2d", "max_pool", window, window.y_shape, x)


def maximum_pooling_gradient(x: DeviceArray, dy: DeviceArray, window: Window) -> DeviceArray:
    """Each gradient at the first largest element of its window."""
    return run("pool2d", "max_pool_gradient", window, window.x_shape, x, w=dy)


def average_pooling(x: DeviceArray, window: Window) -> DeviceArray:
    """The mean of each window."""
    return run("pool2d", "average_pool", window, window.y_shape, x)


def average_pooling_gradient(x: DeviceArray, dy: DeviceArray, window: Window) -> DeviceArray:
    """Each gradient shared evenly among its window."""
    return run("pool2d", "average_pool_gradient", window, window.x_shape, x, w=dy)
