"""Calls of layers by what holds them: networks, and layers that wrap another."""

import inspect
from collections.abc import Callable
from functools import cache
from typing import Any

from nd4py import api as nd

from .layer import Layer, State


@cache
def taken_by(forward: Callable[..., Any]) -> frozenset[str]:
    """Which of `mask` and `state` a layer's `forward` takes; layers of one's own may leave them out."""
    parameters = inspect.signature(forward).parameters.values()
    if any(each.kind is each.VAR_KEYWORD for each in parameters):
        return frozenset({"mask", "state"})
    return frozenset(each.name for each in parameters) & {"mask", "state"}


def call(
    layer: Layer,
    params: State,
    x: nd.NDArray,
    *,
    train: bool = False,
    rng: Any = None,
    mask: nd.NDArray | None = None,
    state: State | None = None,
) -> tuple[nd.NDArray, State]:
    """The layer's output, and what it returned beside it: new running values, the state of sequences, or nothing."""
    keywords: dict[str, Any] = {"train": train, "rng": rng}
    taken = taken_by(type(layer).forward)
    if mask is not None and "mask" in taken:
        keywords["mask"] = mask
    if state is not None and "state" in taken:
        keywords["state"] = state
    result = layer.forward(params, x, **keywords)
    return result if isinstance(result, tuple) else (result, {})


def setting(layer: Any, name: str, default: Any = None) -> Any:
    """A field of a layer, or of the layer that it wraps; `default` where neither has it, or it is None."""
    while layer is not None:
        if (value := getattr(layer, name, None)) is not None:
            return value
        layer = getattr(layer, "layer", None)
    return default
