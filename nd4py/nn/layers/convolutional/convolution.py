"""Convolution over images."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from nd4py import api as nd
from nd4py.api.arguments import instance

from ...activations import activation
from ...inputs import CONVOLUTIONAL, InputType
from ...parameters import Parameter
from ..layer import checked_outputs, weights
from .windowed_layer import WindowedLayer


@dataclass(frozen=True)
class ConvolutionLayer(WindowedLayer):
    """y = activation(cross-correlation of x with W, plus b)

    has_bias: whether b is added.
    x: (batch, channels, height, width)    W: (n_out, channels, kernel height, kernel width)    b: (n_out,)
    kernel_size, stride, padding, dilation: one number, or (height, width)
    convolution_mode: "truncate", "strict" or "same" (see `window`)
    Raises ValueError for a setting out of its range or an unknown name.

    >>> layer = nn.ConvolutionLayer((3, 3), n_out=8, activation="relu")
    >>> layer.output_type(nn.InputType.convolutional(height=28, width=28, channels=1)).dimensions
    (8, 26, 26)
    """

    kernel_size: tuple[int, int] = (5, 5)
    n_out: int = 0  # must be given
    stride: tuple[int, int] = (1, 1)
    padding: tuple[int, int] = (0, 0)
    dilation: tuple[int, int] = (1, 1)
    convolution_mode: str = "truncate"
    activation: str | None = None
    has_bias: bool = True

    wanted_input: ClassVar[str] = CONVOLUTIONAL

    def __post_init__(self) -> None:
        super().__post_init__()
        checked_outputs(self)

    def output_type(self, given: InputType) -> InputType:
        height, width = self.window.output_size(instance("given", given, InputType).spatial)
        return InputType.convolutional(height, width, self.n_out)

    def parameters(self, given: InputType) -> tuple[Parameter, ...]:
        channels, area = instance("given", given, InputType).n_features, self.kernel_size[0] * self.kernel_size[1]
        weight = Parameter("W", (self.n_out, channels, *self.kernel_size), channels * area, self.n_out * area)
        return (weight, Parameter("b", (self.n_out,), is_bias=True)) if self.has_bias else (weight,)

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
        z = nd.conv2d(
            x, weights(params)["W"], params.get("b"), stride=self.stride, padding=edges, dilation=self.dilation
        )
        return activation(self.activation)(z)
