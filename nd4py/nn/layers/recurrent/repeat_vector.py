"""RepeatVector: rows as sequences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from nd4py import api as nd

from ...inputs import FEED_FORWARD, InputType
from ...numbers import whole
from ..layer import Layer, State


@dataclass(frozen=True)
class RepeatVector(Layer):
    """Every row as a sequence of `n` steps that all are that row: (batch, n, size).

    n: steps
    Raises ValueError for a number that is not whole or less than 1.

    >>> nn.RepeatVector(2).forward({}, nd.asarray([[1.0, 2.0, 3.0]]))
    array([[[1., 2., 3.],
            [1., 2., 3.]]], dtype=float64)
    """

    n: int

    wanted_input: ClassVar[str] = FEED_FORWARD

    def __post_init__(self) -> None:
        whole(self.n, f"{self.title}: n, the number of steps,")

    def output_type(self, given: InputType) -> InputType:
        if given.kind != FEED_FORWARD:
            raise ValueError(f"{self.title}: rows are needed, given {given}; put a LastTimeStep before it")
        return InputType.recurrent(given.size, self.n)

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
        if x.ndim != 2:
            raise ValueError(f"forward: x must be rows (batch, size), given shape {x.shape}")
        batch, size = x.shape
        return nd.broadcast_to(nd.reshape(x, (batch, 1, size)), (batch, self.n, size))
