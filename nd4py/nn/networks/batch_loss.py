"""LossOfBatch: the loss of a batch and its gradient with respect to the parameters that are trained."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from nd4py import api as nd
from nd4py.api.environment.panic_modes import is_on

from ..parameters import Slot
from .batches import Batch
from .forward import Pass, run, searched
from .running_values import running_slots, running_values
from .settings import KEPT_IN
from .stages import Params, Stage, State, disturbed, scored_layer
from .update import is_trained


class Outcome(NamedTuple):
    """What a batch gives.

    gradient: of the mean loss, one vector laid out like the parameters, 0 where nothing is trained
    loss: the mean loss, without penalties    running: new running values, in the order of their slots
    states: of recurrent layers after the last step, by the number of the stage
    activations: the outputs of stages by their names, where they are asked for; of a layer with a loss, its input
    """

    gradient: nd.NDArray
    loss: nd.NDArray
    running: Sequence[nd.NDArray]
    states: Mapping[int, State]
    activations: Mapping[str, nd.NDArray]


class LossOfBatch:
    """The loss of batches of a network.

    n_inputs: how many arrays of features a batch has
    outputs: the stages that have labels, with what their losses are multiplied by
    dtype: what layers compute in; losses are computed in that of the parameters
    """

    def __init__(
        self,
        stages: Sequence[Stage],
        slots: Sequence[Slot],
        n_inputs: int,
        outputs: Sequence[tuple[Stage, float]],
        dtype: str,
    ) -> None:
        self._stages, self._slots, self._outputs, self._dtype = stages, slots, outputs, dtype
        read = {source for stage in stages for source in stage.sources}
        self._unread = frozenset(stage.index for stage, _ in outputs if n_inputs + stage.index not in read)
        self._n_inputs = n_inputs
        self._wanted = frozenset({0, *(stage.sources[0] for stage, _ in outputs)})
        self._trained = [slot for slot in slots if is_trained(stages, slot)]
        self.running_slots = running_slots(stages, slots)

    def total(
        self,
        params: Params,
        batch: Batch,
        *,
        train: bool = False,
        rng: Any = None,
        states: Mapping[int, State] | None = None,
        keeps_all: bool = False,
    ) -> tuple[nd.NDArray, Pass]:
        """The loss summed over the examples, and the pass that it came from, with all its values if `keeps_all`."""
        passed = self._run(params, batch, train, rng, states, keeps_all)
        total = None
        for number, (stage, weight) in enumerate(self._outputs):
            own, x = self._prepared(stage, params, passed, train, rng)
            score = scored_layer(stage).score
            if is_on():
                score = searched(score, f"the loss of {stage.who}")
            mask = self._mask(stage, batch, passed, number)
            scored = score(own, x, batch.labels[number], train=train, rng=rng, mask=mask)
            if isinstance(scored, tuple):
                scored, passed.states[stage.index] = scored
            scored = scored if weight == 1.0 else scored * weight
            total = scored if total is None else total + scored
        assert total is not None  # a network that trains has outputs
        return total, passed

    def of_examples(self, params: Params, batch: Batch) -> nd.NDArray:
        """The loss of each example: an array (batch,)."""
        passed = self._run(params, batch, False, None, None, False)
        found = []
        for number, (stage, weight) in enumerate(self._outputs):
            own, x = self._prepared(stage, params, passed, False, None)
            mask = self._mask(stage, batch, passed, number)
            found.append(weight * scored_layer(stage).example_scores(own, x, batch.labels[number], mask=mask))
        return sum(found[1:], start=found[0])

    def outcome(
        self,
        params: Params,
        batch: Batch,
        rng: Any = None,
        states: Mapping[int, State] | None = None,
        scale: float = 1.0,
        keeps_all: bool = False,
    ) -> Outcome:
        """The gradient of the mean loss, times `scale`, and what else a step of training makes; `activations` if
        `keeps_all`."""
        n_examples, held = batch.n_examples, []

        def mean_loss(trained: Params) -> nd.NDArray:
            every = tuple({**params[i], **trained[i]} for i in range(len(trained)))
            total, passed = self.total(every, batch, train=True, rng=rng, states=states, keeps_all=keeps_all)
            held.append(passed)
            return total / n_examples if scale == 1.0 else total * (scale / n_examples)

        trained: tuple[dict[str, nd.NDArray], ...] = tuple({} for _ in self._stages)
        for slot in self._trained:
            trained[slot.layer][slot.parameter.name] = params[slot.layer][slot.parameter.name]
        loss, gradients = nd.value_and_grad(mean_loss)(trained)
        passed = held[0]
        seen = zip(self._stages, passed.values[self._n_inputs :], strict=True) if keeps_all else ()
        return Outcome(
            self._flat(gradients, params),
            loss if scale == 1.0 else loss / scale,
            running_values(self.running_slots, passed.states),
            recurrent_states(self._stages, passed.states),
            {stage.name: nd.stop_gradient(value) for stage, value in seen},
        )

    def _flat(self, gradients: Params, params: Params) -> nd.NDArray:
        """One vector with the gradients of all parameters, 0 for those that are not trained."""
        parts = []
        for slot in self._slots:
            found = gradients[slot.layer].get(slot.parameter.name)
            if found is None:
                found = nd.zeros_like(params[slot.layer][slot.parameter.name])
            parts.append(found.reshape(-1))
        return nd.concat(parts)

    def _run(
        self,
        params: Params,
        batch: Batch,
        train: bool,
        rng: Any,
        states: Mapping[int, State] | None,
        keeps_all: bool,
    ) -> Pass:
        return run(
            self._stages,
            in_dtype(params, self._dtype, self._stages),
            batch.features,
            batch.features_masks,
            train=train,
            rng=rng,
            states=states,
            left_out=self._unread,
            wanted=None if keeps_all else self._wanted,
        )

    def _prepared(self, stage: Stage, params: Params, passed: Pass, train: bool, rng: Any) -> tuple[State, nd.NDArray]:
        """Parameters and input of a layer with a loss, in the dtype of the parameters.

        Raises ValueError for another number of examples than the network was given.
        """
        own, x = params[stage.owner], stage.prepare(passed.values[stage.sources[0]])
        if x.shape[0] != passed.values[0].shape[0]:
            raise ValueError(
                f"{stage.who} sees {x.shape[0]} examples of a batch of {passed.values[0].shape[0]}; put them together "
                "before it, with a BatchToSpaceLayer or an UnstackVertex"
            )
        if own and KEPT_IN[self._dtype] != self._dtype:
            x = nd.astype(x, KEPT_IN[self._dtype])
        return disturbed(stage.layer, stage.parameters, own, x, rng) if train else (own, x)

    @staticmethod
    def _mask(stage: Stage, batch: Batch, passed: Pass, number: int) -> nd.NDArray | None:
        """The mask of the labels, or where they have none that of the layer's input, times the weights of examples."""
        mask: nd.NDArray | None = passed.masks[stage.sources[0]]
        if batch.labels_masks is not None and batch.labels_masks[number] is not None:
            mask = batch.labels_masks[number]
        weights: nd.NDArray | None = batch.weights
        if weights is None or mask is None:
            return mask if weights is None else weights
        return nd.astype(mask, weights.dtype, copy=False) * nd.reshape(weights, (-1, *(1,) * (mask.ndim - 1)))


def in_dtype(params: Params, dtype: str, stages: Sequence[Stage]) -> Params:
    """The parameters in the dtype that layers compute in, but for those of layers that keep theirs."""
    if KEPT_IN[dtype] == dtype:
        return params
    kept = {stage.owner for stage in stages if getattr(stage.layer, "keeps_precision", False)}
    return tuple(
        own if i in kept else {name: nd.astype(value, dtype) for name, value in own.items()}
        for i, own in enumerate(params)
    )


def recurrent_states(stages: Sequence[Stage], states: Mapping[int, State]) -> dict[int, State]:
    """What recurrent layers ended with, as constants."""
    return {
        stage.index: {name: nd.stop_gradient(value) for name, value in states[stage.index].items()}
        for stage in stages
        if getattr(stage.layer, "is_recurrent", False) and stage.index in states
    }
