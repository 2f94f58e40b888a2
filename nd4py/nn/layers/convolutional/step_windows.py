"""Convolution and pooling over the steps of sequences."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from nd4py import api as nd
from nd4py.api.arguments import array, instance

from ...activations import activated
from ...inputs import RECURRENT, InputType
from ...names import look_up
from ...numbers import whole
from ...parameters import Parameter
from ..layer import Layer, WeightedLayer, checked_outputs, weights
from .subsampling import POOLING_TYPES
from .window import Window, window

CAUSAL = "causal"


@dataclass(frozen=True)
class StepWindow:
    """A window over steps: one over images of a height of 1.

    is_causal: whether all padding comes before, so that no step sees those behind it
    """

    images: Window
    is_causal: bool

    @property
    def span(self) -> int:
        return self.images.kernel[1] + (self.images.kernel[1] - 1) * (self.images.dilation[1] - 1)

    def output_type(self, n_features: int, given: InputType) -> InputType:
        length = given.length
        return InputType.recurrent(n_features, None if length is None else self.output_size(length))

    def output_size(self, length: int) -> int:
        """The steps that come out.  Raises ValueError, with the numbers, where the window does not fit."""
        return -(-length // self.images.stride[1]) if self.is_causal else self.images.output_size((1, length))[1]

    def edges(self, length: int) -> tuple[int, int, int, int]:
        """Padding elements (top, bottom, before, after) on sequences of `length`."""
        return (0, 0, self.span - 1, 0) if self.is_causal else self.images.edges((1, length))

    def output_mask(self, mask: nd.NDArray | None) -> nd.NDArray | None:
        """1 where a window has a step that is there."""
        if mask is None:
            return None
        if mask.ndim != 2:
            raise ValueError(f"output_mask: mask must be (batch, length), given shape {mask.shape}")
        batch, length = mask.shape
        images, edges = mask.reshape((batch, 1, 1, length)), self.edges(length)
        padded = nd.pad(images, ((0, 0), (0, 0), (0, 0), edges[2:]))
        found = nd.max_pool2d(padded, (1, self.span), stride=(1, self.images.stride[1]))
        return found.reshape((batch, found.shape[3]))


def step_window(who: str, kernel: Any, stride: Any, padding: Any, dilation: Any, mode: Any) -> StepWindow:
    """A checked `StepWindow`.  Raises ValueError naming `who` and the field that is wrong."""
    numbers = (
        (1, whole(kernel, f"{who}: kernel_size")),
        (1, whole(stride, f"{who}: stride")),
        (0, whole(padding, f"{who}: padding", least=0)),
        (1, whole(dilation, f"{who}: dilation")),
    )
    is_causal = isinstance(mode, str) and mode == CAUSAL
    if is_causal and numbers[2][1]:
        raise ValueError(f"{who}: convolution_mode 'causal' computes its padding, given padding={padding}")
    return StepWindow(window(who, *numbers, "truncate" if is_causal else mode), is_causal)


def as_images(x: nd.NDArray, mask: nd.NDArray | None) -> nd.NDArray:
    """Sequences (batch, length, size) as images (batch, size, 1, length), with zeros for padding."""
    if mask is not None:
        x = nd.where(nd.expand_dims(mask, axis=2) > 0, x, 0.0)
    return nd.expand_dims(nd.matrix_transpose(x), axis=2)


def as_sequences(y: nd.NDArray) -> nd.NDArray:
    """The opposite."""
    return nd.matrix_transpose(y[:, :, 0])


@dataclass(frozen=True)
class Convolution1D(WeightedLayer):
    """y = activation(cross-correlation of the steps of x with W, plus b)

    x: (batch, length, size)    W: (n_out, size, kernel)    b: (n_out,)    y: (batch, new length, n_out)
    kernel_size, stride, padding, dilation: whole numbers
    convolution_mode: "truncate", "strict", "same" (as for `ConvolutionLayer`), or "causal": padding comes before the
        sequence alone, so that a step sees none behind it
    activation: a name of `ACTIVATIONS`, or an `Activation`; None for the network's    has_bias: whether b is added
    Steps that a mask leaves out count as zeros; a step that comes out is there where its window has one that is.
    Raises ValueError for a setting out of its range or an unknown name.

    >>> layer = nn.Convolution1D(2, 1, convolution_mode="causal", has_bias=False)
    >>> layer.forward({"W": nd.ones((1, 1, 2))}, nd.asarray([[[1.0], [2.0], [3.0]]]))[0, :, 0]
    array([1., 3., 5.], dtype=float64)
    """

    kernel_size: int = 3
    n_out: int = 0  # must be given
    stride: int = 1
    padding: int = 0
    dilation: int = 1
    convolution_mode: str = "truncate"
    activation: Any = None
    has_bias: bool = True

    wanted_input: ClassVar[str] = RECURRENT

    def __post_init__(self) -> None:
        super().__post_init__()
        checked_outputs(self)
        assert self._window is not None

    @cached_property
    def _window(self) -> StepWindow:
        return step_window(
            self.title, self.kernel_size, self.stride, self.padding, self.dilation, self.convolution_mode
        )

    def output_type(self, given: InputType) -> InputType:
        return self._window.output_type(self.n_out, instance("given", given, InputType))

    def output_mask(self, mask: nd.NDArray | None, given: InputType) -> nd.NDArray | None:
        instance("given", given, InputType)
        return self._window.output_mask(None if mask is None else array("mask", mask))

    def parameters(self, given: InputType) -> tuple[Parameter, ...]:
        size, kernel = instance("given", given, InputType).n_features, self.kernel_size
        weight = Parameter("W", (self.n_out, size, kernel), size * kernel, self.n_out * kernel)
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
        kernel = nd.expand_dims(weights(params)["W"], axis=2)
        z = nd.conv2d(
            as_images(x, mask),
            kernel,
            params.get("b"),
            stride=(1, self.stride),
            padding=self._window.edges(x.shape[1]),
            dilation=(1, self.dilation),
        )
        return activated(self.activation, as_sequences(z), train=train, rng=rng)


@dataclass(frozen=True)
class Subsampling1DLayer(Layer):
    """The largest or the mean value of each window of steps, feature by feature.

    x: (batch, length, size)    y: (batch, new length, size)
    pooling_type: "max" or "avg"; kernel_size, stride, padding: whole numbers; convolution_mode: "truncate", "strict" or
        "same", as for `ConvolutionLayer`
    Padding never takes part; steps that a mask leaves out count as zeros.
    Raises ValueError for a setting out of its range or an unknown name.

    >>> nn.Subsampling1DLayer("max", 2, 2).forward({}, nd.asarray([[[1.0], [3.0], [2.0], [0.0]]]))[0, :, 0]
    array([3., 2.], dtype=float64)
    """

    pooling_type: str = "max"
    kernel_size: int = 2
    stride: int = 2
    padding: int = 0
    convolution_mode: str = "truncate"

    wanted_input: ClassVar[str] = RECURRENT

    def __post_init__(self) -> None:
        look_up(POOLING_TYPES, self.pooling_type, "pooling_type")
        if self.convolution_mode == CAUSAL or whole(self.padding, f"{self.title}: padding", least=0) >= whole(
            self.kernel_size, f"{self.title}: kernel_size"
        ):
            raise ValueError(
                f"{self.title}: padding {self.padding} must be smaller than the kernel {self.kernel_size}, and "
                f"convolution_mode truncate, strict or same, given {self.convolution_mode!r}"
            )
        assert self._window is not None

    @cached_property
    def _window(self) -> StepWindow:
        return step_window(self.title, self.kernel_size, self.stride, self.padding, 1, self.convolution_mode)

    def output_type(self, given: InputType) -> InputType:
        return self._window.output_type(instance("given", given, InputType).n_features, given)

    def output_mask(self, mask: nd.NDArray | None, given: InputType) -> nd.NDArray | None:
        instance("given", given, InputType)
        return self._window.output_mask(None if mask is None else array("mask", mask))

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
        edges = self._window.edges(x.shape[1])
        return as_sequences(pool(as_images(x, mask), (1, self.kernel_size), stride=(1, self.stride), padding=edges))
