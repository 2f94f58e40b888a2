"""n_in: the size of a layer's input where it is given, compared with the input type, or in the place of one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import wraps
from typing import Any

from ..inputs import FEED_FORWARD, RECURRENT, InputType
from ..numbers import whole

# What n_in counts, by the kind of the input.
COUNTED = {FEED_FORWARD: "the numbers of a row", RECURRENT: "the numbers of a step"}
CHANNELS = "the channels"
# The input types that follow from n_in alone, by what a layer wants.
MADE_OF_SIZE = {FEED_FORWARD: InputType.feed_forward, RECURRENT: InputType.recurrent}


def with_checked_size(post_init: Callable[[Any], None]) -> Callable[[Any], None]:
    """A layer's `__post_init__`, with n_in checked before."""

    @wraps(post_init)
    def checked_post_init(self: Any) -> None:
        check_size(self)
        post_init(self)

    return checked_post_init


def check_size(layer: Any) -> None:
    """Raises ValueError naming the layer where its n_in is neither None nor a whole number of at least 1."""
    if layer.n_in is not None and _is_size(layer):
        whole(layer.n_in, f"{layer.title}: n_in, the size of the input,")


def check_input(layer: Any, given: InputType) -> None:
    """Raises ValueError where a layer's n_in is not the size of the input type `given`."""
    if layer.n_in is None or layer.n_in == given.n_features or not _is_size(layer):
        return
    raise ValueError(
        f"{layer.title}: n_in={layer.n_in} was given, but {COUNTED.get(given.kind, CHANNELS)} of the input are "
        f"{given.n_features}; leave n_in out, or correct the layer before it or the input type"
    )


def _is_size(layer: Any) -> bool:
    """Whether n_in is the base class's field; one of the layer's own may count anything, as the rows of a table do."""
    return "is_size" in type(layer).__dataclass_fields__["n_in"].metadata


def without_size(layer: Any) -> Any:
    """A layer, or a vertex, whose n_in and that of layers inside it follow from the input, which may be another."""
    changes: dict[str, Any] = {}
    if (inner := getattr(layer, "layer", None)) is not None and (free := without_size(inner)) is not inner:
        changes["layer"] = free
    if getattr(layer, "n_in", None) is not None and _is_size(layer):
        changes["n_in"] = None
    return replace(layer, **changes) if changes else layer


def input_type_from(layers: Iterable[Any], what: str) -> InputType:
    """The input type of a network that is given none: it follows from n_in of the first layer.

    layers: in their order; those that take any kind of input, as dropout does, leave it to the ones behind
    what: the setting that is missing
    Raises ValueError where it does not follow.
    """
    n_in: int | None = None
    title = ""
    for layer in layers:
        inside = list(_with_inner(layer))
        wanted = next((each.wanted_input for each in inside if each.wanted_input != "any"), "any")
        title = layer.title
        if any(getattr(each, "takes_indices", False) for each in inside):
            return InputType.feed_forward(1) if wanted == FEED_FORWARD else InputType.recurrent(1)
        if n_in is None:
            n_in = next((each.n_in for each in inside if each.n_in is not None), None)
        if wanted == "any":
            continue
        if n_in is None:
            break
        if wanted in MADE_OF_SIZE:
            return MADE_OF_SIZE[wanted](n_in)
        raise ValueError(
            f"{what} is needed: n_in={n_in} of {layer.title} is the number of channels, which does not say how large "
            f"the input is; give {what}=InputType.{wanted}(...)"
        )
    raise ValueError(
        f"{what} is needed: give {what}=InputType.feed_forward(size), or another type, or n_in of the first layer, "
        f"{title}"
    )


def _with_inner(layer: Any) -> Iterator[Any]:
    """A layer, and those that it wraps."""
    while layer is not None:
        yield layer
        layer = getattr(layer, "layer", None)
