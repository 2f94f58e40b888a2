"""Convolution and pooling over the steps of sequences, as images with a height of 1."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from nd4py import api as nd
from nd4py.api.arguments import array

from ...activations import activated
from ...inputs import RECURRENT, InputType
from ..calls import there
from ..layer import weights
from .convolution import ConvolutionLayer
from .pooling_types import pooled
from .subsampling import SubsamplingLayer
from .window import Window


def output_mask(window: Window, mask: nd.NDArray | None, given: InputType) -> nd.NDArray | None:
    """1 where a window has a step that is there.  Raises ValueError for a mask that is not (batch, length)."""
    if mask is None:
        return None
    if array("mask", mask).ndim != 2:
        raise ValueError(f"output_mask: mask must be (batch, length), given shape {mask.shape}")
    batch, length = mask.shape
    padded = nd.pad(mask.reshape((batch, 1, 1, length)), ((0, 0), (0, 0), (0, 0), window.edges((length,))))
    found = nd.max_pool2d(padded, (1, *window.spans), stride=(1, *window.stride))
    return found.reshape((batch, found.shape[3]))


def as_images(x: nd.NDArray, mask: nd.NDArray | None) -> nd.NDArray:
    """Sequences (batch, length, size) as images (batch, size, 1, length), with zeros for padding."""
    return nd.expand_dims(nd.matrix_transpose(there(x, mask)), axis=2)


def as_sequences(y: nd.NDArray) -> nd.NDArray:
    """The opposite."""
    return nd.matrix_transpose(y[:, :, 0])


@dataclass(frozen=True)
class Convolution1D(ConvolutionLayer):
    """y = activation(cross-correlation of the steps of x with W, plus b)

    x: (batch, length, size)    W: (n_out, size // groups, kernel)    b: (n_out,)    y: (batch, new length, n_out)
    kernel_size, stride, padding, dilation: whole numbers
    convolution_mode: "truncate", "strict", "same" (as for `ConvolutionLayer`), or "causal": padding comes before the
        sequence alone, so that a step sees none behind it
    activation, has_bias, groups: as for `ConvolutionLayer`
    Steps that a mask leaves out count as zeros; a step that comes out is there where its window has one that is.
    Raises ValueError for a setting out of its range or an unknown name.

    >>> layer = nn.Convolution1D(2, 1, convolution_mode="causal", has_bias=False)
    >>> layer.forward({"W": nd.ones((1, 1, 2))}, nd.asarray([[[1.0], [2.0], [3.0]]]))[0, :, 0]
    array([1., 3., 5.], dtype=float64)
    """

    kernel_size: int = 3
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
        z = nd.conv2d(
            as_images(x, mask), nd.expand_dims(weights(params)["W"], axis=2), params.get("b"), stride=(1, self.stride),
            padding=(0, 0, *self.window.edges(x.shape[1:2])), dilation=(1, self.dilation), groups=self.groups,
        )  # fmt: skip
        return activated(self.activation, as_sequences(z), train=train, rng=rng)


@dataclass(frozen=True)
class Subsampling1DLayer(SubsamplingLayer):
    """One number for each window of steps, feature by feature: the largest, the mean, the sum or the p-norm.

    x: (batch, length, size)    y: (batch, new length, size)
    pooling_type, pnorm: as for `SubsamplingLayer`; kernel_size, stride, padding: whole numbers
    convolution_mode: as for `Convolution1D`
    Padding never takes part; steps that a mask leaves out count as zeros.
    Raises ValueError for a setting out of its range or an unknown name.

    >>> nn.Subsampling1DLayer("max", 2, 2).forward({}, nd.asarray([[[1.0], [3.0], [2.0], [0.0]]]))[0, :, 0]
    array([3., 2.], dtype=float64)
    """

    kernel_size: int = 2
    stride: int = 2
    padding: int = 0

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
        edges = (0, 0, *self.window.edges(x.shape[1:2]))
        kernel, stride = (1, self.kernel_size), (1, self.stride)
        return as_sequences(pooled(as_images(x, mask), self.pooling_type, self.pnorm, kernel, stride, edges))
