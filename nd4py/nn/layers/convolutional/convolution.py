"""Convolution over images and volumes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from nd4py import api as nd

from ...activations import activated
from ...inputs import CONVOLUTIONAL, CONVOLUTIONAL_3D, InputType
from ...numbers import whole
from ...parameters import Parameter
from ..layer import checked_outputs, weights
from .window import Sizes
from .windowed_layer import WindowedLayer


@dataclass(frozen=True)
class ConvolutionLayer(WindowedLayer):
    """y = activation(cross-correlation of x with W, plus b)

    x: (batch, channels, height, width)    b: (n_out,)
    W: (n_out, channels // groups, kernel height, kernel width)
    kernel_size, stride, padding, dilation: one number, or (height, width)
    convolution_mode: "truncate", "strict" or "same" (see `window`)
    activation: a name of `ACTIVATIONS`, or an `Activation`; None for the network's    has_bias: whether b is added
    groups: channels and outputs are cut into this many runs of equal length, and the outputs of each see the channels
        of the same run only
    Raises ValueError for a setting out of its range or an unknown name.

    >>> layer = nn.ConvolutionLayer((3, 3), n_out=8, activation="relu")
    >>> layer.output_type(nn.InputType.convolutional(height=28, width=28, channels=1)).dimensions
    (8, 26, 26)
    """

    kernel_size: Sizes = 5
    n_out: int = 0  # must be given
    stride: Sizes = 1
    padding: Sizes = 0
    dilation: Sizes = 1
    convolution_mode: str = "truncate"
    activation: Any = None
    has_bias: bool = True
    groups: int = 1

    wanted_input: ClassVar[str] = CONVOLUTIONAL

    def __post_init__(self) -> None:
        super().__post_init__()
        checked_outputs(self)
        if self.n_out % whole(self.groups, f"{self.title}: groups"):
            raise ValueError(f"{self.title}: groups {self.groups} must divide n_out {self.n_out}")

    def output_type(self, given: InputType) -> InputType:
        self._group_channels(given)
        return self.window.output_type(given, self.n_out)

    def parameters(self, given: InputType) -> tuple[Parameter, ...]:
        channels, area = self._group_channels(given), math.prod(self.window.kernel)
        weight = Parameter(
            "W", (self.n_out, channels, *self.window.kernel), channels * area, self.n_out // self.groups * area
        )
        return self._with_bias(weight, n_out=self.n_out)

    def _group_channels(self, given: InputType) -> int:
        """The channels that an output sees.  Raises ValueError where the groups do not divide them."""
        n_channels = given.n_features
        if n_channels % self.groups:
            raise ValueError(f"groups {self.groups} must divide the {n_channels} channels of the input")
        return n_channels // self.groups

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
        convolve = nd.conv2d if self.wanted_input == CONVOLUTIONAL else nd.conv3d
        z = convolve(
            x, weights(params)["W"], params.get("b"), stride=self.window.stride,
            padding=self.window.edges(x.shape[2:]), dilation=self.window.dilation, groups=self.groups,
        )  # fmt: skip
        return activated(self.activation, z, train=train, rng=rng)


@dataclass(frozen=True)
class Convolution3D(ConvolutionLayer):
    """y = activation(cross-correlation of volumes x with W, plus b)

    x: (batch, channels, depth, height, width)    b: (n_out,)
    W: (n_out, channels // groups, kernel depth, kernel height, kernel width)
    kernel_size, stride, padding, dilation: one number, or (depth, height, width)
    convolution_mode, activation, has_bias, groups: as for `ConvolutionLayer`
    Raises ValueError for a setting out of its range or an unknown name.

    >>> layer = nn.Convolution3D(3, n_out=4, convolution_mode="same")
    >>> layer.output_type(nn.InputType.convolutional_3d(depth=8, height=9, width=9, channels=1)).dimensions
    (4, 8, 9, 9)
    """

    kernel_size: Sizes = 2

    wanted_input: ClassVar[str] = CONVOLUTIONAL_3D
