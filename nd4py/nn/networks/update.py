"""One step of the updaters: which updater changes which part of the flat vector, and constraints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nd4py import api as nd

from ..layers.calls import setting
from ..parameters import Slot
from ..regularization.gradient_normalization import normalization
from ..regularization.penalties import Penalty, add_weight_decay, penalties
from ..updaters.updater import Updater
from .stages import Stage


@dataclass(frozen=True)
class Block:
    """Neighbouring parameters of one updater.

    elements: of the flat vector    state: elements of the updater's state    updater: None where nothing is trained
    penalties: of the block's parameters, by their places in the block
    shape: which the updater sees: of the one parameter of an updater that sees shapes, else (n,)
    """

    elements: slice
    state: slice
    updater: Updater | None
    penalties: tuple[Penalty, ...]
    shape: tuple[int, ...]

    def advance(
        self, gradient: nd.NDArray, state: nd.NDArray | None, when: tuple[int, int], params: nd.NDArray
    ) -> tuple[nd.NDArray, nd.NDArray | None]:
        """The amount to subtract, weight decay included, and the state after the step; vectors of the block's part.

        The amount may be written over `gradient`.  when: iteration and epoch, counted from 0
        """
        assert self.updater is not None
        before = state if self.updater.state else None
        delta, after = self.updater.advance(self.seen(gradient), before, *when, self.seen(params))
        delta = delta if delta.ndim == 1 else delta.reshape(-1)
        add_weight_decay(self.penalties, params, delta, self.updater.rate(*when))
        return delta, after

    def seen(self, vector: nd.NDArray) -> nd.NDArray:
        """The block's part of a vector as its updater sees it."""
        return vector if len(self.shape) == 1 else vector.reshape(self.shape)


def is_trained(stages: Sequence[Stage], slot: Slot) -> bool:
    """Whether an updater changes a parameter: no running value, none of pretraining alone, none of a frozen layer."""
    is_left = slot.parameter.is_state or slot.parameter.is_pretrained
    return not is_left and not stages[slot.layer].layer.is_frozen


def update_blocks(
    stages: Sequence[Stage], slots: Sequence[Slot], settings: Any, rows: Sequence[Penalty]
) -> tuple[Block, ...]:
    """The blocks of the flat vector: as few as there can be.  Running values are in the block before them."""
    runs: list[tuple[Slot, Slot, Updater | None]] = []
    for slot in slots:
        updater = _updater_of(stages[slot.layer].layer, slot, settings)
        if runs and _is_shared(runs[-1][2], updater, slot):
            runs[-1] = (runs[-1][0], slot, runs[-1][2])
        else:
            runs.append((slot, slot, updater))
    blocks, start = [], 0
    for first, last, updater in runs:
        is_shaped = updater is not None and updater.sees_shapes
        shape = first.parameter.shape if is_shaped else (last.stop - first.start,)
        n_state = 0 if updater is None else updater.state_size(shape)
        inside = [row for row in rows if first.start <= row.elements.start < last.stop]
        own = tuple(row.moved(-first.start) for row in inside)
        blocks.append(Block(slice(first.start, last.stop), slice(start, start + n_state), updater, own, shape))
        start += n_state
    return tuple(blocks)


def _is_shared(before: Updater | None, updater: Updater | None, slot: Slot) -> bool:
    """Whether a parameter joins the block before it."""
    if before is None or updater is None:
        return before is updater
    return not before.sees_shapes and (before == updater or slot.parameter.is_state)


def _updater_of(layer: Any, slot: Slot, settings: Any) -> Updater | None:
    if layer.is_frozen or slot.parameter.is_pretrained:
        return None
    own = setting(layer, "updater") or settings.updater
    if slot.parameter.is_bias:
        own = setting(layer, "bias_updater") or settings.bias_updater or own
    updater: Updater = own
    return None if updater.sees_shapes and slot.parameter.is_state else updater


def initial_state(blocks: Sequence[Block], params: nd.NDArray) -> nd.NDArray | None:
    """The state of all updaters before the first step as one vector, or None where they have none."""
    parts = [block.updater.init(block.seen(params[block.elements])) for block in blocks if block.updater is not None]
    found = [part for part in parts if part is not None]
    return None if not found else found[0] if len(found) == 1 else nd.concat(found)


@dataclass(frozen=True)
class Limit:
    """How the gradients of some parameters are limited or normalized: the name of a function, its threshold."""

    name: str
    threshold: float
    slots: tuple[Slot, ...]

    def __call__(self, gradient: nd.NDArray) -> None:
        normalization(self.name)(gradient, self.slots, self.threshold)


def limits(stages: Sequence[Stage], slots: Sequence[Slot], settings: Any) -> tuple[Limit, ...]:
    """The limits of the network's gradient; a layer's own go before the network's."""
    groups: dict[tuple[str, float], list[Slot]] = {}
    for slot in slots:
        layer = stages[slot.layer].layer
        name = setting(layer, "gradient_normalization") or settings.gradient_normalization
        if name is not None and is_trained(stages, slot):
            key = name, setting(layer, "gradient_threshold", settings.gradient_threshold)
            groups.setdefault(key, []).append(slot)
    return tuple(Limit(*key, tuple(group)) for key, group in groups.items())


@dataclass(frozen=True)
class Rule:
    """A constraint of one parameter, applied after each step."""

    slot: Slot
    constraint: Any

    def __call__(self, params: nd.NDArray) -> None:
        part = params[self.slot.elements].reshape(self.slot.parameter.shape)
        part[...] = self.constraint.apply(part, self.slot.parameter)


def rules(stages: Sequence[Stage], slots: Sequence[Slot], settings: Any) -> tuple[Rule, ...]:
    """The constraints of all parameters; a layer's own go before the network's."""
    found = []
    for slot in slots:
        layer, field = stages[slot.layer].layer, "bias_constraints" if slot.parameter.is_bias else "constraints"
        if not is_trained(stages, slot):
            continue
        found += [Rule(slot, each) for each in setting(layer, field, getattr(settings, field))]
    return tuple(found)


def step_of(stages: Sequence[Stage], slots: Sequence[Slot], settings: Any) -> Step:
    """What changes the parameters of a network with these settings."""
    rows = penalties([stage.layer for stage in stages], slots, settings)
    return Step(
        update_blocks(stages, slots, settings, rows),
        rows,
        limits(stages, slots, settings),
        rules(stages, slots, settings),
    )


@dataclass(frozen=True)
class Step:
    """What changes the parameters of a network: its blocks, penalties, limits of gradients and constraints."""

    blocks: tuple[Block, ...]
    penalties: tuple[Penalty, ...]
    limits: tuple[Limit, ...]
    rules: tuple[Rule, ...]

    @property
    def n_state(self) -> int:
        """The elements of the updaters' state."""
        return int(self.blocks[-1].state.stop)

    def __call__(
        self,
        params: nd.NDArray,
        state: nd.NDArray | None,
        gradient: nd.NDArray,
        when: tuple[int, int],
        running: Mapping[Slot, nd.NDArray],
    ) -> tuple[nd.NDArray, nd.NDArray | None]:
        """Parameters and updater state after a step along a gradient, new arrays; the gradient's memory may be used.

        when: iteration and epoch, counted from 0    running: the new running values
        """
        if len(self.blocks) == 1 and self.blocks[0].updater is not None:
            delta, new_state = self.blocks[0].advance(gradient, state, when, params)
            new_params = nd.subtract(params, delta, out=delta if delta is gradient else None)
        else:
            new_params, new_state = self._by_blocks(params, state, gradient, when)
        for slot, value in running.items():
            new_params[slot.elements] = value.reshape(-1)
        for rule in self.rules:
            rule(new_params)
        return new_params, new_state

    def _by_blocks(
        self, params: nd.NDArray, state: nd.NDArray | None, gradient: nd.NDArray, when: tuple[int, int]
    ) -> tuple[nd.NDArray, nd.NDArray | None]:
        new_params = nd.empty_like(params)
        new_state = None if state is None else nd.empty_like(state)
        for block in self.blocks:
            own, target = params[block.elements], new_params[block.elements]
            if block.updater is None:
                target[...] = own
                continue
            before = None if state is None else state[block.state]
            delta, after = block.advance(gradient[block.elements], before, when, own)
            nd.subtract(own, delta, out=target)
            if after is not None and new_state is not None:
                new_state[block.state] = after
        return new_params, new_state
