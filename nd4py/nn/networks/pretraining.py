"""Pretraining: layers trained alone, on losses of their own and without labels."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from nd4py import api as nd
from nd4py.api.environment.commit import change_together

from ..layers import PretrainedLayer
from ..parameters import Slot
from ..regularization.penalties import add_penalty_gradient, penalty_score
from .batches import Batch, epochs_of, feature_batches, features_of
from .checked_batches import number_of_examples
from .network import Network, check_score
from .stages import Stage, State
from .update import initial_state, is_trained, step_of


class Pretraining:
    """The training of one layer: what changes its part of the flat vector, and the state of its updater.

    Design: a network's step is made of slots of the flat vector.  Made of the slots of one layer, moved to the start of
    a vector that has its parameters alone, the same step trains that layer with its updater, penalties, limits and
    constraints.  Gradients of the whole vector that are 0 elsewhere would do it too, but momentum and weight decay
    would still move the other layers, and a step would cost as much as one of the whole network.

    stages, slots, settings: of the network    stage: of the layer    params: the network's flat vector
    """

    def __init__(
        self, stages: Sequence[Stage], stage: Stage, slots: Sequence[Slot], settings: Any, params: nd.NDArray
    ) -> None:
        own = [slot for slot in slots if slot.layer == stage.index]
        self.stage = stage
        self.vector = params[own[0].start : own[-1].stop]  # memory of the network's own
        self._slots = tuple(_alone(slot, own[0].start) for slot in own)
        self._trained = [slot.parameter.name for slot in self._slots if is_trained(stages, slot)]
        self._step = step_of(stages, self._slots, settings)
        self.state = initial_state(self._step.blocks, self.vector)
        self.n_steps = 0

    def step(
        self, params: State, x: nd.NDArray, mask: nd.NDArray | None, rng: Any, epoch: int
    ) -> tuple[float, tuple[nd.NDArray, ...], tuple[nd.NDArray, ...]]:
        """The score before a step on `x`, the vectors that a step changes, and what becomes of them.

        params: of the layer, views of `vector`
        """
        layer = self.stage.layer
        assert isinstance(layer, PretrainedLayer)

        def mean_loss(trained: State) -> nd.NDArray:
            return layer.pretrain_score({**params, **trained}, x, rng=rng, mask=mask) / x.shape[0]

        loss, found = nd.value_and_grad(mean_loss)({name: params[name] for name in self._trained})
        parts = (found.get(slot.parameter.name) for slot in self._slots)
        gradient = nd.concat([
            nd.zeros_like(params[slot.parameter.name]).reshape(-1) if part is None else part.reshape(-1)
            for slot, part in zip(self._slots, parts, strict=True)
        ])  # fmt: skip
        for limit in self._step.limits:
            limit(gradient)
        add_penalty_gradient(self._step.penalties, self.vector, gradient)
        score = float(loss) + penalty_score(self._step.penalties, self.vector)
        vector, state = self._step(self.vector, self.state, gradient, (self.n_steps, epoch), {})
        if state is None or self.state is None:
            return score, (self.vector,), (vector,)
        return score, (self.vector, self.state), (vector, state)


def _alone(slot: Slot, start: int) -> Slot:
    """The slot in a vector that begins at `start`, of a parameter that is trained."""
    parameter = replace(slot.parameter, is_pretrained=False)
    return replace(slot, parameter=parameter, start=slot.start - start, stop=slot.stop - start)


class PretrainableNetwork(Network):
    """A network whose layers can be trained alone before it is trained as a whole.

    Hinton & Salakhutdinov 2006, https://doi.org/10.1126/science.1127647
    """

    def pretrain(self, data: Any, epochs: int = 1) -> None:
        """Train every layer that can be, such as an `AutoEncoder`, alone, without labels, one after the other.

        Arguments as for `pretrain_layer`.
        Raises as `pretrain_layer` does, and ValueError where no layer can be trained alone.
        """
        stages = [stage for stage in self._stages if isinstance(stage.layer, PretrainedLayer)]
        if not stages:
            raise ValueError("pretrain: no layer has a loss of its own, as an AutoEncoder has")
        for stage in stages:
            self.pretrain_layer(stage.name, data, epochs)

    def pretrain_layer(self, layer: int | str, data: Any, epochs: int = 1) -> None:
        """Train one layer alone, on its loss of what the layers below make of `data`; these stay as they are.

        layer: its number or name
        data: an array of features, or batches as for `fit`, of which labels are not looked at
        The layer's updater begins anew, with iterations and epochs counted from 0, of which listeners are told; the
        network's counters and updater state stay as they are.  Dropout and noise of weights are not used.
        Raises ValueError for a layer without a loss of its own, batches that do not fit, epochs less than 1, or when
        `data` is used up before the last; FloatingPointError when a score is not finite.
        """
        found = self._layer_stage(layer)
        if not isinstance(found.layer, PretrainedLayer):
            raise ValueError(f"pretrain_layer: {found.who} has no loss of its own, as an AutoEncoder has")
        with self._lock:
            self._finish()
            with nd.scope_out_of_workspaces():
                training = Pretraining(self._stages, found, self._slots, self.configuration, self._params)
            for epoch in range(epochs_of(epochs, "pretrain")):
                before = training.n_steps
                for batch in feature_batches(data):
                    self._pretrain_step(training, features_of(batch), epoch)
                if training.n_steps == before:
                    raise ValueError(
                        f"pretrain: no batches in epoch {epoch + 1}; give data that can be looped over again"
                    )

    def layer_params(self, layer: int | str) -> dict[str, nd.NDArray]:
        """The parameters of one layer by their names, as its own methods take them: views of `params()`.

        layer: its number or name
        Raises ValueError where there is none.

        >>> net = nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(3))
        >>> sorted(net.layer_params(0))
        ['W', 'b']
        """
        self._finish()
        return dict(self._views[self._layer_stage(layer).owner])

    def _pretrain_step(self, training: Pretraining, parts: Batch, epoch: int) -> None:
        with self._scope(self._training):
            inputs, masks = self._checked_inputs(parts.features, parts.features_masks)
            n_examples, stage = number_of_examples(inputs), training.stage
            passed = self._run(inputs, masks, n_stages=stage.index)
            x = nd.astype(stage.prepare(passed.values[stage.sources[0]]), self._params.dtype, copy=False)
            mask, rng = passed.masks[stage.sources[0]], self._rng(training.n_steps)
            score, targets, sources = training.step(self._views[stage.index], x, mask, rng, epoch)
            check_score(score, training.n_steps, Batch(inputs, ()))
            change_together(self, targets, sources, score_value=score, last_batch_size=n_examples)
        training.n_steps += 1
        for listener in self.listeners:
            listener.iteration_done(self, training.n_steps, epoch)

    @abstractmethod
    def _layer_stage(self, layer: int | str) -> Stage:
        """The stage of a layer, by its number or name.  Raises ValueError where there is none."""
