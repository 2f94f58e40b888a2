"""Parameters of a network, and their slots in its flat vector."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from nd4py import api as nd


@dataclass(frozen=True)
class Parameter:
    """A learnable array of a layer.  Raises nothing.

    name, shape: of the array; fan_in, fan_out: how many inputs and outputs one weight connects
    is_bias: whether it is a bias, or another array that is never regularised, such as a scale; the layer's `bias_init`
        is what it starts with
    is_state: whether it holds running values, which `forward` returns anew while it trains, and no updater changes
    is_pretrained: whether `pretrain` alone changes it, and `fit` does not, as the weights of an autoencoder's decoder
    decay: of running values that are decaying means, the share of them that a batch leaves; None for others
    initial: what it starts with where the layer's settings do not say: a number, or a function of
        (rng, parameter, dtype) that returns an array of `shape`

    >>> nn.DenseLayer(2).parameters(nn.InputType.feed_forward(3))[0].shape
    (3, 2)
    """

    name: str
    shape: tuple[int, ...]
    fan_in: int = 1
    fan_out: int = 1
    is_bias: bool = False
    is_state: bool = False
    is_pretrained: bool = False
    initial: Any = None
    decay: float | None = None


@dataclass(frozen=True)
class Slot:
    """One parameter's part of the flat vector: elements start .. stop of the flat vector."""

    layer: int
    owner: str
    parameter: Parameter
    start: int
    stop: int

    @property
    def key(self) -> str:
        """The name in `param_table()`: the layer's number or name, underscore, parameter name."""
        return f"{self.owner}_{self.parameter.name}"

    @property
    def elements(self) -> slice:
        return slice(self.start, self.stop)


def lay_out(parameters_of_layers: Mapping[str, Iterable[Parameter]]) -> tuple[Slot, ...]:
    """The slots of all parameters, in the order of the layers and within a layer in the order it lists them."""
    return tuple(_slots(parameters_of_layers))


def _slots(parameters_of_layers: Mapping[str, Iterable[Parameter]]) -> Iterator[Slot]:
    start = 0
    for layer, (owner, parameters) in enumerate(parameters_of_layers.items()):
        for parameter in parameters:
            stop = start + math.prod(parameter.shape)
            yield Slot(layer, owner, parameter, start, stop)
            start = stop


def views(flat: nd.NDArray, slots: tuple[Slot, ...], n_layers: int) -> tuple[dict[str, nd.NDArray], ...]:
    """One dictionary per layer of arrays that share the memory of `flat`."""
    layers: tuple[dict[str, nd.NDArray], ...] = tuple({} for _ in range(n_layers))
    for slot in slots:
        layers[slot.layer][slot.parameter.name] = flat[slot.elements].reshape(slot.parameter.shape)
    return layers


def checked_vector(who: str, given: Any, source: str) -> Any:
    """Raises TypeError for None and what has names, ValueError for an array that is being differentiated."""
    if given is None or isinstance(given, Mapping):
        raise TypeError(f"{who}: needs one vector, as {source} of a network gives it, given {type(given).__name__}")
    if getattr(given, "node", None) is not None:
        raise ValueError(
            f"{who}: gradients do not flow through what a network keeps; compute_gradient_and_score(x, y) has the "
            "gradient of its score, and nd4py.stop_gradient(x) the values alone"
        )
    return given
