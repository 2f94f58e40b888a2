"""LambdaLayer: a function as a layer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from nd4py import api as nd

from ..inputs import InputType
from .layer import Layer, State


@dataclass(frozen=True)
class LambdaLayer(Layer):
    """y = function(x)

    function: takes and returns an array, made of nd4py's functions, through which gradients flow
    input_to_output_type: gives the type of the output for that of the input; None where the function keeps it
    A function cannot be written as text: a network with one has no `to_json` and cannot be saved.  For that, make a
    class of one's own from `Layer`.
    Raises TypeError for anything that cannot be called.

    >>> nn.LambdaLayer(lambda x: 2 * x).forward({}, nd.asarray([[1.0]]))
    array([[2.]], dtype=float64)
    """

    function: Callable[[nd.NDArray], nd.NDArray]
    input_to_output_type: Callable[[InputType], InputType] | None = None

    runs_own_code: ClassVar[bool] = True

    def __post_init__(self) -> None:
        for name in ("function", "input_to_output_type"):
            value = getattr(self, name)
            if not callable(value) and (name == "function" or value is not None):
                raise TypeError(f"{self.title}: {name} must be a function, given {type(value).__name__}")

    def output_type(self, given: InputType) -> InputType:
        return given if self.input_to_output_type is None else self.input_to_output_type(given)

    def forward(
        self,
        params: State,
        x: nd.NDArray,
        *,
        train: bool = False,
        rng: Any = None,
        mask: nd.NDArray | None = None,
        state: State | None = None,
    ) -> nd.NDArray:
        return self.function(x)
