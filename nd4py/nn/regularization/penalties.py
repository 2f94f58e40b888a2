"""L1 and L2 regularization and weight decay, on weights and never on biases.

The score grows by l1 * sum |w| + l2 / 2 * sum w**2 and the gradient by l1 * sign(w) + l2 * w, before the updater.
Weight decay takes rate * coefficient * w off the weights beside the updater, so that momentum and adaptive rates do not
touch it.  Loshchilov & Hutter 2019, https://arxiv.org/abs/1711.05101.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from nd4py import api as nd

from ..layers.calls import setting
from ..parameters import Slot


@dataclass(frozen=True)
class Penalty:
    """The coefficients of the weights in one part of the flat vector."""

    elements: slice
    l1: float
    l2: float
    weight_decay: float

    def moved(self, by: int) -> Penalty:
        """The same for a vector whose elements begin elsewhere."""
        return replace(self, elements=slice(self.elements.start + by, self.elements.stop + by))


def penalties(layers: Any, slots: Iterable[Slot], defaults: Any) -> tuple[Penalty, ...]:
    """One penalty per weight that has any coefficient; a layer's own coefficients go before those of `defaults`."""
    trained = (slot for slot in _weights(slots) if not layers[slot.layer].is_frozen)
    every = (Penalty(slot.elements, **_coefficients(layers[slot.layer], defaults)) for slot in trained)
    return tuple(penalty for penalty in every if penalty.l1 or penalty.l2 or penalty.weight_decay)


def _weights(slots: Iterable[Slot]) -> Iterator[Slot]:
    every = ((slot, slot.parameter) for slot in slots)
    return (slot for slot, each in every if not (each.is_bias or each.is_state or each.is_pretrained))


def _coefficients(layer: Any, defaults: Any) -> dict[str, float]:
    return {name: setting(layer, name, getattr(defaults, name)) for name in ("l1", "l2", "weight_decay")}


def penalty_score(rows: Iterable[Penalty], params: nd.NDArray) -> float:
    """The regularization terms of the score."""
    total = 0.0
    for row in rows:
        if row.l1:
            total += row.l1 * float(nd.sum_of_absolutes(params[row.elements]))
        if row.l2:
            total += 0.5 * row.l2 * float(nd.sum_of_squares(params[row.elements]))
    return total


def add_penalty_gradient(rows: Iterable[Penalty], params: nd.NDArray, gradient: nd.NDArray) -> None:
    """Add the gradient of `penalty_score` to `gradient`, in place."""
    for row in rows:
        weights, part = params[row.elements], gradient[row.elements]
        if row.l1:
            nd.multiply_add(nd.sign(weights), row.l1, part, out=part)
        if row.l2:
            nd.multiply_add(weights, row.l2, part, out=part)


def add_weight_decay(rows: Iterable[Penalty], params: nd.NDArray, delta: nd.NDArray, rate: float) -> None:
    """Add the weight decay to `delta`, the amount to subtract, in place."""
    for row in rows:
        if row.weight_decay:
            part = delta[row.elements]
            nd.multiply_add(params[row.elements], rate * row.weight_decay, part, out=part)
