"""Gradient clipping and normalization: per layer, per parameter, or all together."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

from nd4py import api as nd

from ..names import look_up
from ..parameters import Slot

# A gradient of zeros is divided by this and stays zero.
SMALLEST_NORM = 1e-5


def renormalize_l2_per_layer(gradient: nd.NDArray, slots: Sequence[Slot], threshold: float) -> None:
    """Divide each layer's gradient by its L2 norm."""
    _renormalize(gradient, _layers(slots))


def renormalize_l2_per_param_type(gradient: nd.NDArray, slots: Sequence[Slot], threshold: float) -> None:
    """Divide each parameter's gradient by its L2 norm."""
    _renormalize(gradient, _parameters(slots))


def clip_element_wise_absolute_value(gradient: nd.NDArray, slots: Sequence[Slot], threshold: float) -> None:
    """Limit every element to [-threshold, threshold]."""
    nd.clip(gradient, -threshold, threshold, out=gradient)


def clip_l2_per_layer(gradient: nd.NDArray, slots: Sequence[Slot], threshold: float) -> None:
    """Scale each layer's gradient so that its L2 norm is at most `threshold`."""
    _clip(gradient, _layers(slots), threshold)


def clip_l2_per_param_type(gradient: nd.NDArray, slots: Sequence[Slot], threshold: float) -> None:
    """Scale each parameter's gradient so that its L2 norm is at most `threshold`."""
    _clip(gradient, _parameters(slots), threshold)


def clip_l2_global(gradient: nd.NDArray, slots: Sequence[Slot], threshold: float) -> None:
    """Scale the whole gradient so that its L2 norm is at most `threshold`: its direction stays.

    Pascanu et al. 2013, https://arxiv.org/abs/1211.5063, algorithm 1.
    """
    _clip(gradient, iter([slice(slots[0].start, slots[-1].stop)] if slots else []), threshold)


def _layers(slots: Sequence[Slot]) -> Iterator[slice]:
    for layer in sorted({slot.layer for slot in slots}):
        own = [slot for slot in slots if slot.layer == layer]
        yield slice(own[0].start, own[-1].stop)


def _parameters(slots: Sequence[Slot]) -> Iterator[slice]:
    return (slot.elements for slot in slots)


def _norm(part: nd.NDArray) -> float:
    return math.sqrt(float(nd.sum_of_squares(part)))


def _renormalize(gradient: nd.NDArray, slices: Iterator[slice]) -> None:
    for part_slice in slices:
        part = gradient[part_slice]
        nd.divide(part, _norm(part) or SMALLEST_NORM, out=part)


def _clip(gradient: nd.NDArray, slices: Iterator[slice], threshold: float) -> None:
    for part_slice in slices:
        part = gradient[part_slice]
        if (norm := _norm(part)) > threshold:
            nd.multiply(part, threshold / norm, out=part)


Normalization = Callable[[nd.NDArray, Sequence[Slot], float], None]
NORMALIZATIONS: dict[str, Normalization] = {
    function.__name__: function
    for function in (
        renormalize_l2_per_layer,
        renormalize_l2_per_param_type,
        clip_element_wise_absolute_value,
        clip_l2_per_layer,
        clip_l2_per_param_type,
        clip_l2_global,
    )
}


def normalization(name: str) -> Normalization:
    """The function of (gradient, slots, threshold), which works in place, called `name`."""
    return look_up(NORMALIZATIONS, name, "gradient_normalization")
