"""TimeDistributed: a layer on every step of sequences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from nd4py import api as nd
from nd4py.api.arguments import instance

from ...inputs import RECURRENT, InputType, converted, preprocess
from ...parameters import Parameter
from ..calls import output_and_state, with_state
from ..layer import Output, State
from ..wrapper_layer import WrapperLayer
from .recurrent_layer import sequences


@dataclass(frozen=True)
class TimeDistributed(WrapperLayer):
    """Another layer on every step of sequences, as if the steps were examples of one batch.

    layer: the layer, which sees no masks and carries no state
    step_type: what one step is for it, InputType.convolutional_flat(28, 28, 1) say; a row of numbers if None
    Results of any kind become rows: y is (batch, length, numbers of one result).
    Raises ValueError for a recurrent layer, TypeError for what is no layer or no input type.

    >>> layer = nn.TimeDistributed(nn.DenseLayer(1, activation="relu"))
    >>> layer.forward({"W": nd.ones((2, 1)), "b": nd.zeros(1)}, nd.asarray([[[1.0, 2.0], [3.0, -4.0]]]))
    array([[[3.],
            [0.]]], dtype=float64)
    """

    step_type: InputType | None = None

    wanted_input: ClassVar[str] = RECURRENT

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.layer.is_recurrent:
            raise ValueError(f"{self.title}: {self.layer.title} goes through sequences itself; use it without this one")
        if self.step_type is not None:
            instance(f"{self.title}: step_type", self.step_type, InputType)

    def _came(self, size: int) -> InputType:
        """The type of one step, of `size` numbers.  Raises ValueError where `step_type` has another size."""
        step = self.step_type or InputType.feed_forward(size)
        if step.size != size:
            raise ValueError(f"{self.title}: step_type {step} has {step.size} numbers, a step has {size}")
        return step

    def _seen(self, size: int) -> InputType:
        """What the layer inside sees of one step.  Raises ValueError where it does not fit."""
        return preprocess(self._came(size), self.layer.wanted_input)

    def output_type(self, given: InputType) -> InputType:
        inner = self.layer.output_type(self._seen(sequences(self.title, given).n_features))
        return InputType.recurrent(inner.size, given.length)

    def parameters(self, given: InputType) -> tuple[Parameter, ...]:
        return self.layer.parameters(self._seen(sequences(self.title, given).n_features))

    def forward(
        self,
        params: Mapping[str, nd.NDArray],
        x: nd.NDArray,
        *,
        train: bool = False,
        rng: Any = None,
        mask: nd.NDArray | None = None,
        state: State | None = None,
    ) -> Output:
        batch, length, size = x.shape
        step = self._came(size)
        steps = x.reshape((batch * length, *(int(n or 1) for n in step.shape)))
        y, rest = output_and_state(
            self.layer.forward(params, converted(steps, step, self._seen(size)), train=train, rng=rng)
        )
        return with_state(y.reshape((batch, length, int(self.layer.output_type(self._seen(size)).size))), rest)
