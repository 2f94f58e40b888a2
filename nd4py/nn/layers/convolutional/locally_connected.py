"""Locally connected layers: windows over images and sequences with weights of their own at each position."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from nd4py import api as nd

from ...activations import activated
from ...inputs import CONVOLUTIONAL, RECURRENT, InputType
from ...parameters import Parameter
from ..layer import checked_outputs, weights
from .step_windows import as_images, output_mask
from .window import Sizes, Window
from .windowed_layer import WindowedLayer


def windows(x: nd.NDArray, window: Window) -> nd.NDArray:
    """What the window meets at each of its positions.  x: (batch, channels, *sizes)

    Returns an array (positions, batch, channels * elements of the kernel).
    """
    edges, counts = window.edges(x.shape[2:]), window.output_size(x.shape[2:])
    padded = nd.pad(x, ((0, 0), (0, 0), *zip(edges[::2], edges[1::2], strict=True)))
    steps = tuple(zip(window.dilation, counts, window.stride, strict=True))
    # What each element of the kernel meets at all positions at once: few operations, however many positions there are.
    met = [
        padded[(..., *(slice(i * d, i * d + (n - 1) * s + 1, s) for i, (d, n, s) in zip(place, steps, strict=True)))]
        for place in itertools.product(*map(range, window.kernel))
    ]
    seen = nd.permute_dims(nd.stack(met, axis=2), (*range(3, 3 + len(counts)), 0, 1, 2))
    return seen.reshape((math.prod(counts), x.shape[0], x.shape[1] * len(met)))


@dataclass(frozen=True)
class LocallyConnected2D(WindowedLayer):
    """A convolution whose weights differ from position to position: y = activation(windows of x @ W + b).

    x: (batch, channels, height, width)    y: (batch, n_out, rows, columns)
    W: (rows * columns, channels * kernel height * kernel width, n_out), positions row by row
    b: (n_out,), where has_bias is true
    kernel_size, stride, padding, dilation, convolution_mode: as for `ConvolutionLayer`
    activation: a name of `ACTIVATIONS`, or an `Activation`; None for the network's
    Raises ValueError for a setting out of its range or an unknown name.

    >>> layer = nn.LocallyConnected2D((1, 2), n_out=1, has_bias=False)
    >>> weights = nd.asarray([[[1.0], [1.0]], [[10.0], [10.0]]])
    >>> layer.forward({"W": weights}, nd.asarray([[[[1.0, 2.0, 3.0]]]]))
    array([[[[ 3., 50.]]]], dtype=float64)
    """

    kernel_size: Sizes = (2, 2)
    n_out: int = 0  # must be given
    stride: Sizes = (1, 1)
    padding: Sizes = (0, 0)
    dilation: Sizes = (1, 1)
    convolution_mode: str = "truncate"
    activation: Any = None
    has_bias: bool = True

    wanted_input: ClassVar[str] = CONVOLUTIONAL

    def __post_init__(self) -> None:
        super().__post_init__()
        checked_outputs(self)

    def output_type(self, given: InputType) -> InputType:
        output = self.window.output_type(given, self.n_out)
        if None in output.dimensions:
            raise ValueError("weights for each step need a length; give InputType.recurrent(size, length)")
        return output

    def parameters(self, given: InputType) -> tuple[Parameter, ...]:
        n_positions, n_elements = math.prod(self.output_type(given).spatial), math.prod(self.window.kernel)
        n_in = given.n_features * n_elements
        weight = Parameter("W", (n_positions, n_in, self.n_out), n_in, self.n_out * n_elements)
        return self._with_bias(weight, n_out=self.n_out)

    def _connected(self, params: Mapping[str, nd.NDArray], x: nd.NDArray) -> nd.NDArray:
        """Each window times the weights of its position, plus the bias: (batch, channels, *sizes) as x is."""
        z = windows(x, self.window) @ weights(params)["W"]
        if self.has_bias:
            z = z + params["b"]
        return nd.permute_dims(z, (1, 2, 0)).reshape((x.shape[0], z.shape[2], *self.window.output_size(x.shape[2:])))

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
        return activated(self.activation, self._connected(params, x), train=train, rng=rng)


@dataclass(frozen=True)
class LocallyConnected1D(LocallyConnected2D):
    """A convolution over steps whose weights differ from position to position; sequences must be of one length.

    x: (batch, length, size)    y: (batch, new length, n_out)
    W: (new length, size * kernel, n_out)    b: (n_out,), where has_bias is true
    kernel_size, stride, padding, dilation, convolution_mode, activation: as for `Convolution1D`, and so are masks
    Raises ValueError for a setting out of its range or an unknown name, and for sequences of any length.

    >>> layer = nn.LocallyConnected1D(2, 1, has_bias=False)
    >>> weights = nd.asarray([[[1.0], [1.0]], [[10.0], [10.0]]])
    >>> layer.forward({"W": weights}, nd.asarray([[[1.0], [2.0], [3.0]]]))[0, :, 0]
    array([ 3., 50.], dtype=float64)
    """

    kernel_size: int = 2
    stride: int = 1
    padding: int = 0
    dilation: int = 1

    wanted_input: ClassVar[str] = RECURRENT

    def output_mask(self, mask: nd.NDArray | None, given: InputType) -> nd.NDArray | None:
        return output_mask(self.window, mask, given)

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
        z = self._connected(params, as_images(x, mask)[:, :, 0])
        return activated(self.activation, nd.matrix_transpose(z), train=train, rng=rng)
