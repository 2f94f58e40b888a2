"""Capsules: groups of numbers whose length says whether a thing is there, and routing between them.

Sabour, Frosst & Hinton 2017, "Dynamic Routing Between Capsules", https://arxiv.org/abs/1710.09829.  Capsules are arrays
(batch, capsules, dimensions), which layers take as sequences of capsules.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from nd4py import api as nd

from ..inputs import CONVOLUTIONAL, RECURRENT, InputType
from ..numbers import whole
from ..parameters import Parameter
from .calls import there
from .convolutional.convolution import ConvolutionLayer
from .convolutional.window import Sizes
from .layer import Layer, WeightedLayer, weights

# Is added to squared lengths, so that the square root has a derivative at 0; float16 can hold it.
EPSILON = 1e-7


def squash(x: nd.NDArray) -> nd.NDArray:
    """x * |x| / (1 + |x|**2) along the last axis: equation 1 of the paper."""
    squares = nd.sum(x * x, axis=-1, keepdims=True)
    return x * (squares / ((1.0 + squares) * nd.sqrt(squares + EPSILON)))


@dataclass(frozen=True)
class PrimaryCapsules(WeightedLayer):
    """A convolution whose channels, `capsule_dimensions` neighbouring ones at each position, are squashed capsules.

    Sabour et al. 2017, https://arxiv.org/abs/1710.09829, section 4

    x: (batch, channels, height, width)    W: (channels, channels of x, kernel height, kernel width)    b: (channels,)
    y: (batch, channels // capsule_dimensions * rows * columns, capsule_dimensions)
    capsule_dimensions: numbers of a capsule    channels: of the convolution, a multiple of capsule_dimensions
    kernel_size, stride, padding, dilation, convolution_mode, has_bias: as for `ConvolutionLayer`
    activation: between the convolution and the squashing: a name of `ACTIVATIONS`, or an `Activation`
    Raises ValueError for a setting out of its range or an unknown name.

    >>> layer = nn.PrimaryCapsules(8, channels=32, kernel_size=(9, 9))
    >>> layer.output_type(nn.InputType.convolutional(20, 20, 256)).dimensions
    (144, 8)
    """

    capsule_dimensions: int
    channels: int = 32
    kernel_size: Sizes = (9, 9)
    stride: Sizes = (2, 2)
    padding: Sizes = (0, 0)
    dilation: Sizes = (1, 1)
    convolution_mode: str = "truncate"
    activation: Any = "identity"
    has_bias: bool = True

    wanted_input: ClassVar[str] = CONVOLUTIONAL

    def __post_init__(self) -> None:
        super().__post_init__()
        whole(self.channels, f"{self.title}: channels")
        if self.channels % whole(self.capsule_dimensions, f"{self.title}: capsule_dimensions"):
            raise ValueError(
                f"{self.title}: channels must be a multiple of capsule_dimensions, "
                f"given {self.channels} and {self.capsule_dimensions}"
            )
        for name in ("kernel_size", "stride", "padding", "dilation"):
            object.__setattr__(self, name, getattr(self._convolution, name))

    @cached_property
    def _convolution(self) -> ConvolutionLayer:
        return ConvolutionLayer(
            kernel_size=self.kernel_size, n_out=self.channels, stride=self.stride, padding=self.padding,
            dilation=self.dilation, convolution_mode=self.convolution_mode, activation=self.activation,
            has_bias=self.has_bias, name=self.title,
        )  # fmt: skip

    def output_type(self, given: InputType) -> InputType:
        numbers = self._convolution.output_type(given).size
        return InputType.recurrent(self.capsule_dimensions, numbers // self.capsule_dimensions)

    def parameters(self, given: InputType) -> tuple[Parameter, ...]:
        return self._convolution.parameters(given)

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
        z = self._convolution.forward(params, x, train=train, rng=rng)
        batch, _, rows, columns = z.shape
        groups = z.reshape((batch, -1, self.capsule_dimensions, rows, columns))
        capsules = nd.permute_dims(groups, (0, 1, 3, 4, 2))
        return squash(capsules.reshape((batch, -1, self.capsule_dimensions)))


@dataclass(frozen=True)
class CapsuleLayer(WeightedLayer):
    """Capsules by routing: each is the squashed sum of what the capsules below predict, weighted by how they agree.

    Sabour et al. 2017, https://arxiv.org/abs/1710.09829, procedure 1 and equation 2; gradients flow through all rounds

    x: (batch, capsules below, their dimensions)    y: (batch, capsules, capsule_dimensions)
    W: (capsules below, their dimensions, capsules * capsule_dimensions)    b: (capsules, capsule_dimensions)
    routings: rounds of routing    has_bias: whether b is added to the sums
    Capsules that a mask leaves out predict nothing.
    Raises ValueError for a setting that is no whole number of at least 1, and for input of any length.

    >>> layer = nn.CapsuleLayer(capsules=10, capsule_dimensions=16)
    >>> layer.forward({"W": nd.ones((4, 8, 160))}, nd.ones((2, 4, 8))).shape
    (2, 10, 16)
    """

    capsules: int
    capsule_dimensions: int
    routings: int = 3
    has_bias: bool = False

    wanted_input: ClassVar[str] = RECURRENT

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("capsules", "capsule_dimensions", "routings"):
            whole(getattr(self, name), f"{self.title}: {name}")

    def output_type(self, given: InputType) -> InputType:
        _known_number(given)
        return InputType.recurrent(self.capsule_dimensions, self.capsules)

    def output_mask(self, mask: nd.NDArray | None, given: InputType) -> None:
        _known_number(given)

    def parameters(self, given: InputType) -> tuple[Parameter, ...]:
        below, numbers = _known_number(given), self.capsules * self.capsule_dimensions
        weight = Parameter("W", (below, given.n_features, numbers), below * given.n_features, numbers)
        bias = Parameter("b", (self.capsules, self.capsule_dimensions), is_bias=True)
        return (weight, bias) if self.has_bias else (weight,)

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
        batch, below, _ = x.shape
        predicted = nd.permute_dims(there(x, mask), (1, 0, 2)) @ weights(params)["W"]
        predicted = predicted.reshape((below, batch, self.capsules, self.capsule_dimensions))
        return self._routed(nd.permute_dims(predicted, (1, 2, 0, 3)), params["b"] if self.has_bias else None)

    def _routed(self, predicted: nd.NDArray, bias: nd.NDArray | None) -> nd.NDArray:
        """predicted: (batch, capsules, capsules below, dimensions).  Returns the capsules."""
        capsules = self._capsules(nd.sum(predicted, axis=2) * (1 / self.capsules), bias)  # equal shares at first
        agreement = None
        for _ in range(self.routings - 1):
            agreed = predicted @ nd.expand_dims(capsules, axis=3)
            agreement = agreed if agreement is None else agreement + agreed
            shares = nd.matrix_transpose(nd.softmax(agreement, axis=1))
            capsules = self._capsules((shares @ predicted)[:, :, 0], bias)
        return capsules

    @staticmethod
    def _capsules(total: nd.NDArray, bias: nd.NDArray | None) -> nd.NDArray:
        return squash(total if bias is None else total + bias)


def _known_number(given: InputType) -> int:
    """The number of capsules.  Raises ValueError for what is not a known number of capsules."""
    if given.length is None:
        raise ValueError("weights for each capsule need their number; give InputType.recurrent(dimensions, capsules)")
    return int(given.length or 0)


@dataclass(frozen=True)
class CapsuleStrengthLayer(Layer):
    """y = the lengths of capsules, which say whether what they stand for is there.

    x: (batch, capsules, dimensions)    y: (batch, capsules)
    Sabour et al. 2017, https://arxiv.org/abs/1710.09829, section 3
    Raises ValueError for input of any length.

    >>> nn.CapsuleStrengthLayer().forward({}, nd.asarray([[[3.0, 4.0], [0.0, 1.0]]]))
    array([[5., 1.]], dtype=float64)
    """

    wanted_input: ClassVar[str] = RECURRENT

    def output_type(self, given: InputType) -> InputType:
        return InputType.feed_forward(_known_number(given))

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
        return nd.linalg.vector_norm(x, axis=2)
