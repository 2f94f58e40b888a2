"""Bidirectional: a recurrent layer in both directions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from nd4py import api as nd
from nd4py.api.arguments import instance

from ...inputs import RECURRENT, InputType
from ...names import look_up
from ...parameters import Parameter
from ..calls import output_and_state
from ..layer import Layer, State
from ..wrapper_layer import WrapperLayer
from .recurrent_layer import sequences


def concatenated(forth: nd.NDArray, back: nd.NDArray) -> nd.NDArray:
    """One beside the other."""
    return nd.concat([forth, back], axis=-1)


def added(forth: nd.NDArray, back: nd.NDArray) -> nd.NDArray:
    """Their sum."""
    return forth + back


def multiplied(forth: nd.NDArray, back: nd.NDArray) -> nd.NDArray:
    """Their product."""
    return forth * back


def averaged(forth: nd.NDArray, back: nd.NDArray) -> nd.NDArray:
    """Their mean."""
    return (forth + back) * 0.5


MODES: dict[str, Callable[[nd.NDArray, nd.NDArray], nd.NDArray]] = {
    "concat": concatenated,
    "add": added,
    "mul": multiplied,
    "average": averaged,
}


@dataclass(frozen=True)
class Bidirectional(WrapperLayer):
    """A recurrent layer that goes through the sequences forwards, and one like it backwards, joined by `mode`.

    Schuster & Paliwal 1997, doi 10.1109/78.650093

    layer: the recurrent layer; its parameters are there twice, with f and b before their names
    mode: "concat" (2 * n_out numbers a step), "add", "mul" or "average"
    Where the mask is 0 neither direction changes its state: padding behind a sequence is not seen.  The layer starts
    anew with every call, and keeps no state: it needs the whole sequence.
    Raises ValueError for an unknown mode or a layer that is not recurrent, TypeError for what is no layer.

    >>> layer = nn.Bidirectional(nn.SimpleRnn(1, activation="identity"))
    >>> params = {name: nd.ones((1, 1)) for name in ("fW", "fRW", "bW", "bRW")} | {"fb": nd.zeros(1), "bb": nd.zeros(1)}
    >>> layer.forward(params, nd.ones((1, 3, 1)))[0]
    array([[1., 3.],
           [2., 2.],
           [3., 1.]], dtype=float64)
    """

    mode: str = "concat"

    wanted_input: ClassVar[str] = RECURRENT
    needs_whole_sequences: ClassVar[bool] = True

    def __post_init__(self) -> None:
        look_up(MODES, self.mode, f"{self.title}: mode")
        if not instance(f"{self.title}: layer", self.layer, Layer).is_recurrent:
            raise ValueError(f"{self.title}: a recurrent layer is needed, such as LSTM, given {self.layer.title}")

    def output_type(self, given: InputType) -> InputType:
        inner = self.layer.output_type(sequences(self.title, given))
        size = inner.n_features * (2 if self.mode == "concat" else 1)
        return InputType.recurrent(size, inner.length) if inner.kind == RECURRENT else InputType.feed_forward(size)

    def parameters(self, given: InputType) -> tuple[Parameter, ...]:
        own = self.layer.parameters(sequences(self.title, given))
        return tuple(replace(each, name=direction + each.name) for direction in "fb" for each in own)

    def forward(
        self,
        params: Mapping[str, nd.NDArray],
        x: nd.NDArray,
        *,
        train: bool = False,
        rng: Any = None,
        mask: nd.NDArray | None = None,
        state: State | None = None,
    ) -> nd.NDArray:
        forth, _ = output_and_state(self.layer.forward(of_direction("f", params), x, train=train, rng=rng, mask=mask))
        turned = None if mask is None else nd.flip(mask, axis=1)
        back, _ = output_and_state(
            self.layer.forward(of_direction("b", params), nd.flip(x, axis=1), train=train, rng=rng, mask=turned)
        )
        return MODES[self.mode](forth, nd.flip(back, axis=1) if back.ndim == 3 else back)


def of_direction(letter: str, params: Any) -> dict[str, nd.NDArray]:
    """The parameters of one direction, by the names of the layer inside.  Raises TypeError for no mapping."""
    return {
        name[1:]: value for name, value in instance("forward: params", params, Mapping).items() if name[0] == letter
    }
