"""Calls of layers by what holds them, and the checks and masks that a `forward` begins with."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

from nd4py import api as nd
from nd4py.api.arguments import array, instance

from ..inputs import InputType
from .input_sizes import check_input

State = Mapping[str, Any]
TOLD = ("train", "rng", "mask", "state")
OWN = "nd4py."  # modules whose layers look up nothing but their parameters
# The axes of a batch by what a layer wants; the other kinds may have any number.
AXES = {"recurrent": 3, "convolutional": 4, "convolutional_3d": 5}


def checked(forward: Callable[..., Any]) -> Callable[..., Any]:
    """A layer's `forward`, with its arguments checked; what it does not take, of what it is told, is left out.

    `train` and `rng` are where it takes them by no other name, which would never be told.
    """
    parameters = inspect.signature(forward).parameters
    takes_all = any(each.kind is each.VAR_KEYWORD for each in parameters.values())
    told = ("mask", "state") if set(list(parameters)[3:]) - set(TOLD) else TOLD
    left_out = [] if takes_all else [name for name in told if name not in parameters]

    @wraps(forward)
    def checked_forward(self: Any, params: State, x: Any, **keywords: Any) -> Any:
        instance("forward: params", params, Mapping)
        n_axes = AXES.get(self.wanted_input)
        if array("forward: x", x).ndim != n_axes and n_axes is not None:
            raise ValueError(f"forward: x must be {self.wanted_input} input, of {n_axes} axes, given shape {x.shape}")
        mask = keywords.get("mask")
        if mask is not None and array("forward: mask", mask).shape != x.shape[:2]:
            raise ValueError(f"forward: mask must have the shape (batch, length) of x {x.shape}, given {mask.shape}")
        if keywords.get("state") is not None:
            instance("forward: state", keywords["state"], Mapping)
        for name in left_out:
            keywords.pop(name, None)
        try:
            return forward(self, params, x, **keywords)
        except KeyError as error:
            # That of a layer of users may come from any dict of theirs.
            if not type(self).__module__.startswith(OWN) or (error.args and error.args[0] in params):
                raise
            names = ", ".join(map(str, params)) or "none"
            raise ValueError(f"forward: params must have {error.args[0]!r}, given {names}") from None

    return checked_forward


def of_type(method: Callable[..., Any]) -> Callable[..., Any]:
    """A layer's `parameters`, `output_type` or `output_mask`, whose last argument has to be a type of its input."""

    @wraps(method)
    def checked_method(self: Any, *arguments: Any, **keywords: Any) -> Any:
        for each in [*arguments, *keywords.values()][-1:] if "given" not in keywords else [keywords["given"]]:
            check_input(self, instance("given", each, InputType))
        return method(self, *arguments, **keywords)

    return checked_method


def output_and_state(result: Any) -> tuple[Any, State]:
    """What `forward` returned: the output, and new running values or the state of sequences, {} without any."""
    return result if isinstance(result, tuple) else (result, {})


def with_state(y: Any, state: State) -> Any:
    """The output, and what there is beside it, as `forward` returns them."""
    return (y, state) if state else y


def setting(layer: Any, name: str, default: Any = None) -> Any:
    """A field of a layer, or of the layer that it wraps; `default` where neither has it, or it is None."""
    while layer is not None:
        if (value := getattr(layer, name, None)) is not None:
            return value
        layer = getattr(layer, "layer", None)
    return default


def there(x: nd.NDArray, mask: nd.NDArray | None) -> nd.NDArray:
    """Sequences (batch, length, size) with zeros where they are masked.  Raises TypeError for what is no array."""
    return array("forward: x", x) if mask is None else nd.where(nd.expand_dims(mask, -1) != 0, x, 0.0)
