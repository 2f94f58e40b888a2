"""Layers around layers: over steps as images, with parameters left out, with outputs held, and from behind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from nd4py import api as nd
from nd4py.nn import InputType, Layer, Parameter, WrapperLayer
from nd4py.nn.layers.calls import output_and_state, with_state
from nd4py.nn.layers.convolutional.step_windows import as_images, as_sequences
from nd4py.nn.layers.layer import Output, State

LONG = 1 << 20  # steps of a sequence of any length, to find what becomes of its features


@dataclass(frozen=True)
class StepsAsImages(WrapperLayer):
    """A layer of images, of windows (1, kernel), over the steps of sequences.

    layer: one that takes and makes images

    >>> from nd4py.keras.counterparts.wrapped_layers import StepsAsImages
    >>> StepsAsImages(nn.DepthwiseConvolution2D((1, 3))).output_type(nn.InputType.recurrent(4, 9)).shape
    (7, 4)
    """

    wanted_input: ClassVar[str] = "recurrent"

    def _as_images(self, given: InputType) -> InputType:
        return InputType.convolutional(1, given.length or LONG, given.n_features)

    def output_type(self, given: InputType) -> InputType:
        made = self.layer.output_type(self._as_images(given))
        return InputType.recurrent(made.n_features, None if given.length is None else made.spatial[1])

    def parameters(self, given: InputType) -> tuple[Parameter, ...]:
        return self.layer.parameters(self._as_images(given))

    def output_mask(self, mask: nd.NDArray | None, given: InputType) -> None:
        return None

    def forward(
        self,
        params: State,
        x: nd.NDArray,
        *,
        train: bool = False,
        rng: Any = None,
        mask: nd.NDArray | None = None,
        state: State | None = None,
    ) -> Output:
        y, rest = output_and_state(self.layer.forward(params, as_images(x, mask), train=train, rng=rng))
        return with_state(as_sequences(y), rest)


@dataclass(frozen=True)
class WithoutParameters(WrapperLayer):
    """A layer some of whose parameters are not there: they have the values that they start with.

    layer: a normalization    left_out: names of parameters

    >>> from nd4py.keras.counterparts.wrapped_layers import WithoutParameters
    >>> layer = WithoutParameters(nn.LayerNormalization(), left_out=("beta",))
    >>> [each.name for each in layer.parameters(nn.InputType.feed_forward(3))]
    ['gamma']
    """

    left_out: tuple[str, ...]

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "left_out", tuple(self.left_out))
        object.__setattr__(self, "wanted_input", self.layer.wanted_input)

    def parameters(self, given: InputType) -> tuple[Parameter, ...]:
        return tuple(each for each in self.layer.parameters(given) if each.name not in self.left_out)

    def output_mask(self, mask: nd.NDArray | None, given: InputType) -> nd.NDArray | None:
        return self.layer.output_mask(mask, given)

    def forward(
        self,
        params: State,
        x: nd.NDArray,
        *,
        train: bool = False,
        rng: Any = None,
        mask: nd.NDArray | None = None,
        state: State | None = None,
    ) -> Output:
        n_features = x.shape[1 if x.ndim > 3 else -1]
        starts = {each.name: each.initial for each in self.layer.parameters(InputType.feed_forward(n_features))}
        kept = {name: nd.full((n_features,), starts[name], dtype=x.dtype, device=x.device) for name in self.left_out}
        return self.layer.forward({**params, **kept}, x, train=train, rng=rng, mask=mask, state=state)


@dataclass(frozen=True)
class HeldOutput(WrapperLayer):
    """A recurrent layer that goes on with what it made last at steps whose mask is 0, as in Keras; zeros before any.

    layer: the recurrent layer

    >>> from nd4py.keras.counterparts.wrapped_layers import HeldOutput
    >>> layer = HeldOutput(nn.SimpleRnn(1, activation="identity"))
    >>> params = {"W": nd.ones((1, 1)), "RW": nd.ones((1, 1)), "b": nd.zeros(1)}
    >>> layer.forward(params, nd.ones((1, 3, 1)), mask=nd.asarray([[0.0, 1.0, 0.0]]))[0][0, :, 0]
    array([0., 1., 1.], dtype=float64)
    """

    wanted_input: ClassVar[str] = "recurrent"

    def forward(
        self,
        params: State,
        x: nd.NDArray,
        *,
        train: bool = False,
        rng: Any = None,
        mask: nd.NDArray | None = None,
        state: State | None = None,
    ) -> Output:
        y, rest = output_and_state(self.layer.forward(params, x, train=train, rng=rng, mask=mask, state=state))
        return with_state(y if mask is None else held(y, mask), rest)


def held(y: nd.NDArray, mask: nd.NDArray) -> nd.NDArray:
    """Sequences whose steps at padding are those of the last step before that is there; zeros where there is none."""
    steps = nd.arange(y.shape[1], dtype="int64", device=y.device)
    last = nd.cumulative_max(nd.where(mask != 0, steps, -1), axis=1)
    source = nd.broadcast_to(nd.expand_dims(nd.maximum(last, 0), axis=2), y.shape)
    return nd.where(nd.expand_dims(last, axis=2) < 0, 0.0, nd.take_along_axis(y, source, axis=1))


@dataclass(frozen=True)
class FromBehind(WrapperLayer):
    """A recurrent layer that goes through the sequences from their last step to the first; so are its outputs.

    layer: the recurrent layer

    >>> from nd4py.keras.counterparts.wrapped_layers import FromBehind
    >>> layer = FromBehind(nn.SimpleRnn(1, activation="identity"))
    >>> params = {"W": nd.ones((1, 1)), "RW": nd.zeros((1, 1)), "b": nd.zeros(1)}
    >>> layer.forward(params, nd.asarray([[[1.0], [2.0], [3.0]]]))[0, :, 0]
    array([3., 2., 1.], dtype=float64)
    """

    wanted_input: ClassVar[str] = "recurrent"

    def __post_init__(self) -> None:  # a state would be that of the first steps, not of the next
        object.__setattr__(self, "is_recurrent", False)

    def output_mask(self, mask: nd.NDArray | None, given: InputType) -> nd.NDArray | None:
        kept = self.layer.output_mask(mask, given)
        return None if kept is None else nd.flip(kept, axis=1)

    def forward(
        self,
        params: State,
        x: nd.NDArray,
        *,
        train: bool = False,
        rng: Any = None,
        mask: nd.NDArray | None = None,
        state: Mapping[str, nd.NDArray] | None = None,
    ) -> nd.NDArray:
        turned = None if mask is None else nd.flip(mask, axis=1)
        return output_and_state(self.layer.forward(params, nd.flip(x, axis=1), train=train, rng=rng, mask=turned))[0]


WRAPPERS: tuple[type[Layer], ...] = (StepsAsImages, WithoutParameters, HeldOutput, FromBehind)
