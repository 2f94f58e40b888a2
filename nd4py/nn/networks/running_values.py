"""Running values: what layers keep of the batches they have seen, and means over a data set in their place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from nd4py import api as nd

from ..parameters import Slot
from .stages import Params, Stage, State


def running_slots(stages: Sequence[Stage], slots: Sequence[Slot]) -> tuple[Slot, ...]:
    """The slots of running values that training changes."""
    return tuple(slot for slot in slots if slot.parameter.is_state and not stages[slot.layer].layer.is_frozen)


def running_values(slots: Sequence[Slot], states: Mapping[int, State]) -> list[nd.NDArray]:
    """The new running values that layers returned, in the order of their slots.

    Raises ValueError naming what a layer has left out.
    """
    values = []
    for slot in slots:
        returned = states.get(slot.layer, {})
        if slot.parameter.name not in returned:
            raise ValueError(
                f"layer {slot.owner} declares the running values {slot.parameter.name}, but its forward returned "
                f"{sorted(returned) or 'none'}; while it trains it must return (y, new values by name)"
            )
        values.append(nd.stop_gradient(returned[slot.parameter.name]))
    return values


class RunningMeans:
    """Means of running values over batches, each as heavy as it has examples.

    A layer returns decay * before + (1 - decay) * batch's.  It is given 0 for what was before, and what it returns is
    divided by 1 - decay.  Values that are no decaying means go on from batch to batch.
    slots: of the running values    params: of the network, as they are
    given: the parameters that layers are to be given for the next batch
    """

    def __init__(self, slots: Sequence[Slot], params: Params) -> None:
        self._slots, self._n_examples = slots, 0
        self.given = tuple(dict(own) for own in params)
        self._sums: dict[Slot, nd.NDArray] = {}
        for slot in slots:
            if _leaves(slot) < 1.0:
                zeros = nd.zeros_like(params[slot.layer][slot.parameter.name])
                self.given[slot.layer][slot.parameter.name] = self._sums[slot] = zeros

    def add(self, returned: Sequence[nd.NDArray], n_examples: int) -> None:
        """Take in what the layers returned for a batch, in the order of the slots."""
        found: dict[Slot, nd.NDArray] = {}
        with nd.scope_out_of_workspaces():
            for slot, value in zip(self._slots, returned, strict=True):
                before = self.given[slot.layer][slot.parameter.name]
                value = nd.astype(value.reshape(before.shape), before.dtype)
                if slot in self._sums:
                    value = self._sums[slot] + value * (n_examples / (1.0 - _leaves(slot)))
                found[slot] = value.block()
        self._n_examples += n_examples
        for slot, value in found.items():
            if slot in self._sums:
                self._sums[slot] = value
            else:
                self.given[slot.layer][slot.parameter.name] = value

    def values(self) -> list[nd.NDArray]:
        """The means, in the order of the slots.  Raises ValueError where there was no batch."""
        if not self._n_examples:
            raise ValueError("recompute_running_values: no examples in data")
        return [
            self._sums[slot] / self._n_examples if slot in self._sums else self.given[slot.layer][slot.parameter.name]
            for slot in self._slots
        ]


def _leaves(slot: Slot) -> float:
    """The share of a running value that a batch leaves."""
    return 1.0 if slot.parameter.decay is None else slot.parameter.decay
