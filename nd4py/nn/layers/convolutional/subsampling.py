"""Pooling over images and volumes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from nd4py import api as nd

from ...inputs import CONVOLUTIONAL, CONVOLUTIONAL_3D, InputType
from ...names import look_up
from ...numbers import whole
from ..layer import Layer
from .pooling_types import POOLING_TYPES, pooled
from .window import Sizes
from .windowed_layer import Windowed


@dataclass(frozen=True)
class SubsamplingLayer(Windowed, Layer):
    """One number for each window, channel by channel: the largest, the mean, the sum or the p-norm of its elements.

    pooling_type: "max", "avg", "sum" or "pnorm", which is sum(|x| ** pnorm) ** (1 / pnorm); pnorm: at least 1
    kernel_size, stride, padding: one number, or (height, width); convolution_mode: as for `ConvolutionLayer`
    x: (batch, channels, height, width)
    Padding never takes part: not in the maximum, and neither in the sum nor in the count of a mean.
    Raises ValueError for a setting out of its range or an unknown name.

    >>> layer = nn.SubsamplingLayer("max", kernel_size=(2, 2))
    >>> layer.forward({}, nd.arange(4.0).reshape(1, 1, 2, 2))
    array([[[[3.]]]], dtype=float64)
    """

    pooling_type: str = "max"
    kernel_size: Sizes = 2
    stride: Sizes = 2
    padding: Sizes = 0
    convolution_mode: str = "truncate"
    pnorm: int = 2

    wanted_input: ClassVar[str] = CONVOLUTIONAL

    def __post_init__(self) -> None:
        look_up(POOLING_TYPES, self.pooling_type, "pooling_type")
        whole(self.pnorm, f"{self.title}: pnorm")
        self._check_window()
        if any(padding >= kernel for padding, kernel in zip(self.window.padding, self.window.kernel, strict=True)):
            raise ValueError(
                f"{self.title}: padding {self.padding} must be smaller than the kernel {self.kernel_size}, "
                "or a window could lie outside the input"
            )

    def output_type(self, given: InputType) -> InputType:
        return self.window.output_type(given, given.n_features)

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
        edges = self.window.edges(x.shape[2:])
        return pooled(x, self.pooling_type, self.pnorm, self.window.kernel, self.window.stride, edges)


@dataclass(frozen=True)
class Subsampling3DLayer(SubsamplingLayer):
    """One number for each window of volumes, channel by channel: the largest, the mean, the sum or the p-norm.

    x: (batch, channels, depth, height, width)
    kernel_size, stride, padding: one number, or (depth, height, width); the other settings are those of
    `SubsamplingLayer`
    Raises ValueError for a setting out of its range or an unknown name.

    >>> layer = nn.Subsampling3DLayer("sum")
    >>> layer.forward({}, nd.ones((1, 1, 2, 2, 4)))
    array([[[[[8., 8.]]]]], dtype=float64)
    """

    wanted_input: ClassVar[str] = CONVOLUTIONAL_3D
