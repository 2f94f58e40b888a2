"""PReLULayer: a rectifier with learnt slopes below zero."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from nd4py import api as nd
from nd4py.api.arguments import items

from ..initialization.distributions import Constant
from ..inputs import InputType
from ..numbers import whole
from ..parameters import Parameter
from .layer import WeightedLayer, weights


@dataclass(frozen=True)
class PReLULayer(WeightedLayer):
    """y = x where x is positive, else W * x    W: the shape of one example, 1 along shared axes

    He et al. 2015, https://arxiv.org/abs/1502.01852

    shared_axes: of x, the batch being axis 0: slopes are the same along them; (2, 3) gives each channel of images one
    Slopes start at 0.25 and are not regularised, as in the paper, for that would pull them to 0; the layer's own
    weight_init, l1, l2 and weight_decay change that, those of the network do not.
    Raises ValueError for an axis that is no whole number of at least 1, or that x has not, and for sequences of any
    length whose steps (axis 1) do not share their slopes.

    >>> layer = nn.PReLULayer()
    >>> layer.forward({"W": nd.asarray([0.5, 0.25])}, nd.asarray([[-1.0, 2.0], [3.0, -4.0]]))
    array([[-0.5,  2. ],
           [ 3. , -1. ]], dtype=float64)
    >>> nn.PReLULayer((2, 3)).parameters(nn.InputType.convolutional(5, 4, 3))[0].shape
    (3, 1, 1)
    """

    shared_axes: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        first = {"weight_init": Constant(0.25), "l1": 0.0, "l2": 0.0, "weight_decay": 0.0}
        for name, value in first.items():
            if getattr(self, name) is None:
                object.__setattr__(self, name, value)
        super().__post_init__()
        what = f"{self.title}: each of shared_axes"
        axes = tuple(whole(axis, what) for axis in items(f"{self.title}: shared_axes", self.shared_axes))
        object.__setattr__(self, "shared_axes", axes)

    def parameters(self, given: InputType) -> tuple[Parameter, ...]:
        sizes = given.shape
        if any(axis > len(sizes) for axis in self.shared_axes):
            raise ValueError(
                f"shared_axes must be between 1 and {len(sizes)}, the axes of {given}, but are {self.shared_axes}"
            )
        shape = [1 if axis in self.shared_axes else size for axis, size in enumerate(sizes, 1)]
        if None in shape:
            raise ValueError("sequences of any length cannot have slopes for each step; give shared_axes=(1,)")
        return (Parameter("W", tuple(int(size or 1) for size in shape)),)

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
        return nd.where(x > 0, x, weights(params)["W"] * x)
