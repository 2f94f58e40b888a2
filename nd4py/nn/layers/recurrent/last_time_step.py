"""LastTimeStep: of a layer's sequences, the last step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from nd4py import api as nd

from ...inputs import RECURRENT, InputType
from ..calls import output_and_state, with_state
from ..layer import Output, State
from ..wrapper_layer import WrapperLayer
from .recurrent_layer import sequences


@dataclass(frozen=True)
class LastTimeStep(WrapperLayer):
    """The last step of what another layer makes of sequences: (batch, n_out); with a mask, the last one that is there.

    layer: a layer whose output are sequences; its parameters and its state are those of this one
    Raises TypeError for what is no layer.

    >>> layer = nn.LastTimeStep(nn.SimpleRnn(1, activation="identity"))
    >>> params = {"W": nd.ones((1, 1)), "RW": nd.ones((1, 1)), "b": nd.zeros(1)}
    >>> layer.forward(params, nd.ones((2, 3, 1)), mask=nd.asarray([[1.0, 1.0, 1.0], [1.0, 1.0, 0.0]]))[0]
    array([[3.],
           [2.]], dtype=float64)
    """

    wanted_input: ClassVar[str] = RECURRENT

    def output_type(self, given: InputType) -> InputType:
        inner = self.layer.output_type(sequences(self.title, given))
        return InputType.feed_forward(sequences(f"{self.title}: output of {self.layer.title}", inner).n_features)

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
        y, rest = output_and_state(self.layer.forward(params, x, train=train, rng=rng, mask=mask, state=state))
        return with_state(y[:, -1] if mask is None else last_steps(y, mask), rest)


def last_steps(y: nd.NDArray, mask: nd.NDArray) -> nd.NDArray:
    """(batch, size): the last step of each sequence y (batch, length, size) whose mask is not 0."""
    batch, length, size = y.shape
    steps = nd.arange(1, length + 1, device=y.device)
    last = nd.argmax(nd.where(mask != 0, steps, 0), axis=1)
    indices = nd.broadcast_to(nd.reshape(last, (batch, 1, 1)), (batch, 1, size))
    return nd.reshape(nd.take_along_axis(y, indices, axis=1), (batch, size))
