"""Pooling over images."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from nd4py import api as nd
from nd4py.api.arguments import instance

from ...inputs import CONVOLUTIONAL, InputType
from ...names import look_up
from ..layer import Layer
from .window import Window, window

POOLING_TYPES = {pooling_type: pooling_type for pooling_type in ("max", "avg")}


@dataclass(frozen=True)
class SubsamplingLayer(Layer):
    """The largest or the mean value of each window, channel by channel.

    pooling_type: "max" or "avg"; kernel_size, stride, padding: (height, width) each; convolution_mode: as for
    `ConvolutionLayer`.
    x: (batch, channels, height, width)
    Padding never takes part: not in the maximum, and neither in the sum nor in the count of a mean.
    Raises ValueError for a setting out of its range or an unknown name.

    >>> layer = nn.SubsamplingLayer("max", kernel_size=(2, 2))
    >>> layer.forward({}, nd.arange(4.0).reshape(1, 1, 2, 2))
    array([[[[3.]]]], dtype=float64)
    """

    pooling_type: str = "max"
    kernel_size: tuple[int, int] = (2, 2)
    stride: tuple[int, int] = (2, 2)
    padding: tuple[int, int] = (0, 0)
    convolution_mode: str = "truncate"

    wanted_input: ClassVar[str] = CONVOLUTIONAL

    def __post_init__(self) -> None:
        look_up(POOLING_TYPES, self.pooling_type, "pooling_type")
        checked = self.window
        for field, value in (("kernel_size", checked.kernel), ("stride", checked.stride), ("padding", checked.padding)):
            object.__setattr__(self, field, value)
        if any(padding >= kernel for padding, kernel in zip(self.padding, self.kernel_size, strict=True)):
            raise ValueError(
                f"{self.title}: padding {self.padding} must be smaller than the kernel {self.kernel_size}, "
                "or a window could lie outside the image"
            )

    @cached_property
    def window(self) -> Window:
        return window(self.title, self.kernel_size, self.stride, self.padding, (1, 1), self.convolution_mode)

    def output_type(self, given: InputType) -> InputType:
        height, width = self.window.output_size(instance("given", given, InputType).spatial)
        return InputType.convolutional(height, width, given.n_features)

    def forward(
        self,
        params: Mapping[str, nd.NDArray],
        x: nd.NDArray,
        *,
        train: bool = False,
        rng: Any = None,
        mask: nd.NDArray | None = None,
        state: Mapping[str, nd.NDArray] | None = None,
    ) -> nd.NDArray:
        pool = nd.max_pool2d if self.pooling_type == "max" else nd.avg_pool2d
        return pool(x, self.kernel_size, stride=self.stride, padding=self.window.edges(x.shape[2:]))
