"""Depthwise and separable convolution over images."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from nd4py import api as nd
from nd4py.api.arguments import array

from ...activations import activated, activation
from ...inputs import CONVOLUTIONAL, InputType
from ...numbers import whole
from ...parameters import Parameter
from ..layer import checked_outputs, weights
from .window import Sizes
from .windowed_layer import WindowedLayer


@dataclass(frozen=True)
class DepthwiseConvolution2D(WindowedLayer):
    """y = activation(cross-correlation of each channel of x with kernels of its own, plus b)

    depth_multiplier: kernels of each channel; channel c becomes the channels from c * depth_multiplier on.
    x: (batch, channels, height, width)    W: (channels * depth_multiplier, 1, kernel height, kernel width)
    b: (channels * depth_multiplier,), where has_bias is true
    kernel_size, stride, padding, dilation, convolution_mode, activation: as for `ConvolutionLayer`
    Raises ValueError for a setting out of its range or an unknown name.

    >>> layer = nn.DepthwiseConvolution2D((3, 3), depth_multiplier=2)
    >>> layer.output_type(nn.InputType.convolutional(height=28, width=28, channels=4)).dimensions
    (8, 26, 26)
    """

    kernel_size: Sizes = 5
    depth_multiplier: int = 1
    stride: Sizes = 1
    padding: Sizes = 0
    dilation: Sizes = 1
    convolution_mode: str = "truncate"
    activation: Any = None
    has_bias: bool = True

    wanted_input: ClassVar[str] = CONVOLUTIONAL

    def __post_init__(self) -> None:
        super().__post_init__()
        whole(self.depth_multiplier, f"{self.title}: depth_multiplier")
        activation(self.activation)

    def output_type(self, given: InputType) -> InputType:
        return self.window.output_type(given, given.n_features * self.depth_multiplier)

    def _depthwise_weight(self, given: InputType) -> Parameter:
        """The kernels of the channels.  Raises TypeError for anything but an `InputType`."""
        area = math.prod(self.window.kernel)
        n_kernels = given.n_features * self.depth_multiplier
        return Parameter("W", (n_kernels, 1, *self.window.kernel), area, area * self.depth_multiplier)

    def parameters(self, given: InputType) -> tuple[Parameter, ...]:
        weight = self._depthwise_weight(given)
        return self._with_bias(weight, n_out=weight.shape[0])

    def _correlated(self, params: Mapping[str, nd.NDArray], x: nd.NDArray, bias: nd.NDArray | None) -> nd.NDArray:
        """Each channel with its kernels.

        Returns an array of images.  Raises TypeError for an argument that is not an array, ValueError for shapes that
        do not fit.
        """
        channels, *sizes = array("forward: x", x).shape[1:]
        return nd.conv2d(
            x, weights(params)["W"], bias, stride=self.window.stride, padding=self.window.edges(tuple(sizes)),
            dilation=self.window.dilation, groups=channels,
        )  # fmt: skip

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
        return activated(self.activation, self._correlated(params, x, params.get("b")), train=train, rng=rng)


@dataclass(frozen=True)
class SeparableConvolution2D(DepthwiseConvolution2D):
    """y = activation(pW x depthwise convolution of x with W, plus b): one kernel per channel, then a 1 x 1 convolution.

    n_out: channels of the output; the other settings are those of `DepthwiseConvolution2D`
    x: (batch, channels, height, width)    W: (channels * depth_multiplier, 1, kernel height, kernel width)
    pW: (n_out, channels * depth_multiplier, 1, 1)    b: (n_out,), where has_bias is true
    Chollet 2017, https://arxiv.org/abs/1610.02357
    Raises ValueError for a setting out of its range or an unknown name.

    >>> layer = nn.SeparableConvolution2D((3, 3), n_out=8)
    >>> [parameter.shape for parameter in layer.parameters(nn.InputType.convolutional(28, 28, 4))]
    [(4, 1, 3, 3), (8, 4, 1, 1), (8,)]
    """

    n_out: int = 0  # must be given

    def __post_init__(self) -> None:
        super().__post_init__()
        checked_outputs(self)

    def output_type(self, given: InputType) -> InputType:
        return self.window.output_type(given, self.n_out)

    def parameters(self, given: InputType) -> tuple[Parameter, ...]:
        depthwise = self._depthwise_weight(given)
        n_kernels = depthwise.shape[0]
        pointwise = Parameter("pW", (self.n_out, n_kernels, 1, 1), n_kernels, self.n_out)
        return self._with_bias(depthwise, pointwise, n_out=self.n_out)

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
        z = nd.conv2d(self._correlated(params, x, None), params["pW"], params.get("b"))
        return activated(self.activation, z, train=train, rng=rng)
