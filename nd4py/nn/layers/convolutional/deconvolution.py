"""Transposed convolution over images and volumes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from nd4py import api as nd

from ...activations import activated
from ...inputs import CONVOLUTIONAL, CONVOLUTIONAL_3D, InputType
from ...parameters import Parameter
from ..layer import weights
from .convolution import ConvolutionLayer
from .window import Sizes


@dataclass(frozen=True)
class Deconvolution2D(ConvolutionLayer):
    """y = activation(transposed convolution of x with W, plus b): each pixel of x adds W, times itself, to y.

    x: (batch, channels, height, width)    b: (n_out,)
    W: (channels, n_out // groups, kernel height, kernel width)
    kernel_size, stride, dilation: one number, or (height, width): pixels of x lie `stride` pixels of y apart
    padding: what is cut off y on either side, one number, or (height, width)
    convolution_mode: "truncate" and "strict" give (size - 1) * stride + span - 2 * padding pixels, where a dilated
        kernel of k elements spans k + (k - 1) * (dilation - 1), and "same" gives size * stride
    activation, has_bias, groups: as for `ConvolutionLayer`
    Raises ValueError for a setting out of its range or an unknown name.

    >>> layer = nn.Deconvolution2D(2, n_out=3, stride=2)
    >>> layer.output_type(nn.InputType.convolutional(height=7, width=5, channels=4)).dimensions
    (3, 14, 10)
    """

    kernel_size: Sizes = 2

    def output_type(self, given: InputType) -> InputType:
        self._group_channels(given)
        return self.window.output_type(given, self.n_out, is_transposed=True)

    def parameters(self, given: InputType) -> tuple[Parameter, ...]:
        seen, made, area = self._group_channels(given), self.n_out // self.groups, math.prod(self.window.kernel)
        channels = given.n_features
        weight = Parameter("W", (channels, made, *self.window.kernel), seen * area, made * area)
        return self._with_bias(weight, n_out=self.n_out)

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
        convolve = nd.conv_transpose2d if self.wanted_input == CONVOLUTIONAL else nd.conv_transpose3d
        edges, behind = self.window.transposed_edges(x.shape[2:])
        z = convolve(
            x, weights(params)["W"], params.get("b"), stride=self.window.stride, padding=edges, output_padding=behind,
            dilation=self.window.dilation, groups=self.groups,
        )  # fmt: skip
        return activated(self.activation, z, train=train, rng=rng)


@dataclass(frozen=True)
class Deconvolution3D(Deconvolution2D):
    """y = activation(transposed convolution of volumes x with W, plus b): each element adds W, times itself, to y.

    x: (batch, channels, depth, height, width)    b: (n_out,)
    W: (channels, n_out // groups, kernel depth, kernel height, kernel width)
    kernel_size, stride, padding, dilation: one number, or (depth, height, width)
    convolution_mode, activation, has_bias, groups: as for `Deconvolution2D`
    Raises ValueError for a setting out of its range or an unknown name.

    >>> layer = nn.Deconvolution3D(3, n_out=2, stride=(1, 2, 2), convolution_mode="same")
    >>> layer.output_type(nn.InputType.convolutional_3d(depth=4, height=4, width=4, channels=1)).dimensions
    (2, 4, 8, 8)
    """

    wanted_input: ClassVar[str] = CONVOLUTIONAL_3D
