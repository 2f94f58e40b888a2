"""Network: training, scores and outputs, alike for every kind of network."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any

from nd4py import api as nd
from nd4py.api.environment.commit import change_together

from ..evaluation.told import Rows, evaluated
from ..fitting.sources import scored_batches
from ..fitting.trainable import Note, TrainableModel
from ..regularization.penalties import add_penalty_gradient, penalty_score
from .batch_loss import LossOfBatch, Outcome, in_dtype
from .batches import Batch, batches_of, holds_labels, one_batch, parts_of
from .checked_batches import BatchChecker
from .forward import Pass, run
from .memory_report import NetworkMemoryReport, memory_report
from .network_graphs import NetworkGraph, most_in_output, most_in_step
from .running_values import RunningMeans, running_values
from .stages import Stage, State, scored_layer
from .summary import summarize

# Spreads iterations over the seeds of the generators that dropout draws from (2**64 / golden ratio, odd).
SEED_STEP = 0x9E3779B97F4A7C15
# Steps in a row with finite gradients after which the scale of losses in float16 is doubled, and the most it becomes.
# Micikevicius et al. 2018, "Mixed Precision Training", https://arxiv.org/abs/1710.03740
STEPS_UNTIL_DOUBLED, LARGEST_LOSS_SCALE = 2000, 2**24


class Network(TrainableModel):
    """The base class of networks that train and compute outputs: a stack of layers, or a graph.

    configuration: its settings; params: a vector to copy the initial parameters from, None draws them
    Raises TypeError and ValueError as the configuration does.

    >>> issubclass(nn.MultiLayerNetwork, nn.Network), issubclass(nn.ComputationGraph, nn.Network)
    (True, True)
    """

    def __init__(self, configuration: Any, params: Any = None) -> None:
        super().__init__(configuration, params)
        self._set_up()

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        self._set_up()

    def _set_up(self) -> None:
        """What follows from the stages and is not copied."""
        configuration = self.configuration
        self._checker = BatchChecker(
            self._stages, self.input_types, [stage for stage, _ in self._scored_outputs()], configuration
        )
        self._loss = LossOfBatch(
            self._stages, self._slots, len(self.input_types), self._scored_outputs(), configuration.dtype
        )

    @property
    @abstractmethod
    def input_types(self) -> Mapping[str, Any]:
        """The type of each input by its name."""

    @abstractmethod
    def _scored_outputs(self) -> Sequence[tuple[Stage, float]]:
        """The stages that have labels, with what their losses are multiplied by."""

    def fit_batch(self, features: Any, labels: Any = None, features_mask: Any = None, labels_mask: Any = None) -> float:
        """One step of training.  Returns the score before the step.

        features, labels: an array, or one for each input and output; or a batch alone, a `DataSet`, a `MultiDataSet` or
            a pair, with its masks
        features_mask: (batch, length), 1 at steps of sequences that are there, 0 at padding; or one for each input
        labels_mask: what counts in the loss; None: the mask that comes out of the layers
        With `tbptt_length` long sequences are cut, and every part is a step; the score is that of the last part.
        A step is done as a whole or not at all, also when an error, Ctrl-C or an exception of another thread ends it:
        parameters, updater state, counters and score are those after the step, or those before it.
        Raises FloatingPointError when the score is not finite; the parameters then stay as they were.
        """
        return self._fit_parts(one_batch("fit_batch", features, labels, features_mask, labels_mask))

    def _fit_parts(self, parts: Batch, note: Note | None = None) -> float:
        with self._lock:
            self._finish()
            score, states = math.nan, None
            whole = self._checker.checked(parts, self.device)
            for batch in self._checker.segments(whole):
                score, states = self._train_step(batch, states, note)
        return score

    def _train_step(
        self, batch: Batch, states: Mapping[int, State] | None, note: Note | None
    ) -> tuple[float, Mapping[int, State]]:
        with self._scope(self._training):
            outcome = self._outcome(batch, states)
            if self.exchange is not None:
                outcome = self.exchange.common_outcome(outcome, batch.n_examples)
            gradient = outcome.gradient
            kept = {number: _detached(state) for number, state in outcome.states.items()}
            for limit in self._step.limits:
                limit(gradient)
            add_penalty_gradient(self._step.penalties, self._params, gradient)
            score = self._penalized(float(outcome.loss))
            self._tell("on_gradient_calculation", gradient)
            if self.configuration.dtype == "float16" and not bool(nd.all(nd.isfinite(gradient))):
                return self._shrunk_scale(score), kept
            check_score(score, self.iteration_count, batch)
            running = dict(zip(self._loss.running_slots, outcome.running, strict=True))
            self._commit(gradient, running, score_value=score, last_batch_size=batch.n_examples, **self._grown_scale())
        if note is not None:
            note(self.iteration_count, score, batch.n_examples)
        self._tell("iteration_done", self.iteration_count, self.epoch_count)
        return score, kept

    def _shrunk_scale(self, score: float) -> float:
        """After a step whose gradient is not finite in float16, which changes nothing."""
        if self.loss_scale == 1:
            raise FloatingPointError(
                f"the gradient is not finite at iteration {self.iteration_count}, though the loss is not scaled; the "
                "parameters are as before this step: lower the learning rate, or train in bfloat16 or float32"
            )
        self.adopt(loss_scale=self.loss_scale // 2, n_finite_steps=0)  # both or none
        return score

    def _grown_scale(self) -> dict[str, int]:
        if self.configuration.dtype != "float16":
            return {}
        n_finite = self.n_finite_steps + 1
        if n_finite < STEPS_UNTIL_DOUBLED:
            return {"n_finite_steps": n_finite}
        return {"n_finite_steps": 0, "loss_scale": min(2 * self.loss_scale, LARGEST_LOSS_SCALE)}

    def compute_gradient_and_score(
        self, features: Any, labels: Any = None, features_mask: Any = None, labels_mask: Any = None
    ) -> tuple[nd.NDArray, float]:
        """The gradient of the score as one vector laid out like `params()`, and the score; nothing is changed.

        L1 and L2 are part of both; gradient normalization and the updater come later and are not.
        Arguments as for `fit_batch`.
        Raises ValueError for shapes that do not fit, TypeError for an argument that cannot become an array.
        """
        given = one_batch("compute_gradient_and_score", features, labels, features_mask, labels_mask)
        with self._lock, self._scope(self._training):
            self._finish()
            batch = self._checker.checked(given, self.device)
            outcome = self._outcome(batch, None)
            add_penalty_gradient(self._step.penalties, self._params, outcome.gradient)
            return outcome.gradient.detach(), self._penalized(float(outcome.loss))

    def score(self, data: Any, labels: Any = None, *, train: bool = False) -> float:
        """Mean loss over the examples of `data` plus L1 and L2, without training; `data` and `labels` as for `fit`.

        train: as the next step of training has it: dropout and noise draw what they draw there, and batch normalization
            takes the statistics of each batch
        Returns a number.  Raises TypeError for anything but batches, ValueError for no examples or shapes that do not
        fit.
        """
        total, n_examples = 0.0, 0
        with self._lock:
            self._finish()
            for parts in scored_batches(data, labels, "score"):
                with self._scope(self._inference):
                    batch = self._checker.checked(parts_of(parts), self.device)
                    total += self._summed_loss(batch, train)
                    n_examples += batch.n_examples
            if not n_examples:
                raise ValueError("score: no examples in data")
            return self._penalized(total / n_examples)

    def score_examples(self, data: Any, labels: Any = None, *, add_regularization: bool = False) -> nd.NDArray:
        """The loss of each example, summed over the steps of sequences, without training; arguments as for `fit`.

        add_regularization: add L1 and L2 to each of them
        Returns an array (n,) in the order of the examples.
        Raises TypeError for anything but batches, ValueError for no examples or shapes that do not fit.
        """
        found = []
        with self._lock:
            self._finish()
            for parts in scored_batches(data, labels, "score_examples"):
                with self._scope(self._inference):
                    batch = self._checker.checked(parts_of(parts), self.device)
                    found.append(self._loss.of_examples(self._views, batch).detach())
        if not found:
            raise ValueError("score_examples: no examples in data")
        losses = found[0] if len(found) == 1 else nd.concat(found)
        return losses + self._penalized(0.0) if add_regularization else losses

    def recompute_running_values(self, data: Any) -> None:
        """Set running values, such as those of batch normalization, to their means over all batches of `data`.

        They are then those of the parameters as they are, where training leaves decaying means over the parameters that
        have been: for averages of weights, Izmailov et al. 2018, https://arxiv.org/abs/1803.05407, section 3.2.
        The pass is one of training, with dropout, but no parameter is trained.  A batch counts as much as it has
        examples.  Running values that are no means, such as centers, go on from batch to batch.
        data: as for `fit`
        Raises TypeError for anything but batches, ValueError for no examples or shapes that do not fit.
        """
        slots = self._loss.running_slots
        with self._lock:
            self._finish()
            if not slots:
                return
            means = RunningMeans(slots, self._views)
            for parts in batches_of(data):
                with self._scope(self._training):
                    batch = self._checker.checked(parts_of(parts), self.device)
                    _, passed = self._loss.total(means.given, batch, train=True, rng=self._rng())
                    means.add(running_values(slots, passed.states), batch.n_examples)
            targets = tuple(self._views[slot.layer][slot.parameter.name] for slot in slots)
            change_together(self, targets, tuple(means.values()))

    def evaluate(self, data: Any, labels: Any = None, *evaluations: Any) -> Any:
        """Evaluate the network on all batches of `data` (as for `fit`).

        labels: where `data` are the features of all examples; an evaluation in its place is the first of them
        evaluations: what is told of labels and outputs by its method `eval`, and returned; without any an `Evaluation`:
            accuracy, confusion matrix and other metrics.  A dict tells one of each output by the output's name.  Steps
            of sequences count one by one, padding not
        Returns the evaluation, or a tuple of several.
        Raises TypeError for anything but batches and evaluations, ValueError for shapes that do not fit and outputs
        that there are not.
        """
        names = [stage.name for stage, _ in self._scored_outputs()]
        if labels is not None and not holds_labels(labels):
            labels, evaluations = None, (labels, *evaluations)
        batches = scored_batches(data, labels, "evaluate")
        compared = (each for parts in batches for each in self._compared(parts_of(parts)))
        return evaluated(names, evaluations, compared)

    def f1_score(self, data: Any, labels: Any = None) -> float:
        """The F1 score on all examples: see `Evaluation.f1`; arguments as for `evaluate`.

        Returns a number.  Raises as `evaluate` does.
        """
        return float(self.evaluate(data, labels).f1())

    def memory_info(self, batch_size: int, input_type: Any = None) -> NetworkMemoryReport:
        """The memory that training and inference need for batches of that size; print it for a table.

        It is computed from steps on few examples, without making arrays of that size; the network is not changed.
        input_type: of the examples, None for the network's own
        Raises NotImplementedError when the layers' memory does not grow in proportion to the batch.
        """
        return memory_report(self, batch_size, input_type)

    def summary(self) -> str:
        """A table of the layers, their sizes and parameters.  Raises nothing."""
        return summarize(self._stages, list(self.input_types), self._params.nbytes)

    def _outcome(self, batch: Batch, states: Mapping[int, State] | None) -> Outcome:
        """Gradient and value of the mean loss of a batch, without regularisation; for small batches by a graph."""
        is_watched = any(hasattr(listener, "on_forward_pass") for listener in self.listeners)
        n_parts = min(self.configuration.gradient_accumulation, batch.n_examples)
        is_cut = self.configuration.tbptt_length is not None
        if not (is_watched or batch.is_masked or is_cut or n_parts > 1 or self.loss_scale != 1):
            if self._step_graph is None:
                self._step_graph = NetworkGraph(self._stages, self._computed_outcome, most_in_step(self._stages))
            if (found := self._step_graph(*batch.features, *batch.labels)) is not None:
                gradient, loss, *running = found
                return Outcome(gradient, loss, running, {}, {})
        rng, scale = self._rng(), float(self.loss_scale)
        outcome = self._accumulated(batch, n_parts, rng, states, scale, is_watched)
        if scale != 1.0:
            outcome = outcome._replace(gradient=outcome.gradient * (1.0 / scale))
        if is_watched:
            self._tell("on_forward_pass", outcome.activations)
        return outcome

    def _accumulated(
        self, batch: Batch, n_parts: int, rng: Any, states: Mapping[int, State] | None, scale: float, keeps_all: bool
    ) -> Outcome:
        """The outcome of a batch, of which `n_parts` are computed one after another; so they need less memory."""
        if n_parts == 1:
            return self._loss.outcome(self._views, batch, rng, states, scale, keeps_all)
        total: Outcome | None = None
        if states is not None:
            raise ValueError("gradient_accumulation: sequences that are cut by tbptt_length cannot be accumulated")
        for part in batch.in_parts(n_parts):
            share = part.n_examples / batch.n_examples
            found = self._loss.outcome(self._views, part, rng, None, scale, keeps_all)
            gradient, loss = found.gradient * share, found.loss * share
            running = [value * share for value in found.running]
            if total is not None:
                gradient, loss = gradient + total.gradient, loss + total.loss
                running = [value + before for value, before in zip(running, total.running, strict=True)]
            total = Outcome(gradient, loss, running, {}, found.activations)
        assert total is not None
        return total

    def _summed_loss(self, batch: Batch, train: bool) -> float:
        """The loss summed over the examples; in training of the parts that `_accumulated` computes."""
        if not train:
            return float(self._loss.total(self._views, batch)[0])
        rng = self._rng()
        n_parts = min(self.configuration.gradient_accumulation, batch.n_examples)
        return sum(
            float(self._loss.total(self._views, part, train=True, rng=rng)[0]) for part in batch.in_parts(n_parts)
        )

    def _computed_outcome(self, *arrays: nd.NDArray) -> tuple[nd.NDArray, ...]:
        n_inputs = len(self.input_types)
        batch = Batch(arrays[:n_inputs], arrays[n_inputs:])
        found = self._loss.outcome(self._views, batch, self._rng())
        return found.gradient, found.loss, *found.running

    def _checked_inputs(self, given: Any, mask: Any) -> tuple[tuple[nd.NDArray, ...], Any]:
        """The arrays of the inputs, and their masks.  Raises ValueError where they do not fit."""
        inputs = self._checker.features(given, self.device)
        return inputs, self._checker.masks(mask, inputs, self.device)

    def _n_inputs(self) -> int:
        return len(self.input_types)

    def _labels_of_ones(self, stage: Stage, n_examples: int) -> nd.NDArray:
        shape = (n_examples, *(int(n or 1) for n in stage.output.shape))
        return scored_layer(stage).example_labels(shape, self._params.dtype)

    def _run(
        self,
        inputs: Sequence[nd.NDArray],
        masks: Any = None,
        *,
        train: bool = False,
        states: Mapping[int, State] | None = None,
        n_stages: int | None = None,
        left_out: Container[int] = (),
        wanted: Container[int] | None = None,
    ) -> Pass:
        """The forward pass, through the first `n_stages`; `left_out` and `wanted` as for `forward.run`."""
        rng = self._rng() if train else None
        params = in_dtype(self._views, self.configuration.dtype, self._stages)
        stages = self._stages[:n_stages]
        return run(stages, params, inputs, masks, train=train, rng=rng, states=states, left_out=left_out, wanted=wanted)

    def _computed_in_part(self, given: Any, mask: Any, left_out: Container[int]) -> Pass:
        """The forward pass without some of the stages, nor those that read them; arguments as for `output`.

        Raises as `output` does.
        """
        with self._lock:
            self._finish()
            inputs, masks = self._checked_inputs(given, mask)
            return self._run(inputs, masks, left_out=left_out)

    def _quick_output(self, inputs: Sequence[nd.NDArray]) -> Any:
        """The outputs of a small batch by a graph, or None."""
        if self._graph is None:
            self._graph = NetworkGraph(self._stages, self._computed_output, most_in_output(self.input_types))
        with nd.scope_out_of_workspaces():
            return self._graph(*inputs)

    @abstractmethod
    def _computed_output(self, *inputs: nd.NDArray) -> Any:
        """The outputs of a batch: an array, or a tuple of arrays."""

    @abstractmethod
    def _compared(self, parts: Batch) -> Iterator[tuple[str, Rows]]:
        """Labels and outputs of a batch by the name of the output, as an evaluation takes them."""

    def _penalized(self, score: float) -> float:
        """The score with L1 and L2."""
        return score + penalty_score(self._step.penalties, self._params)

    @abstractmethod
    def retyped(self, input_type: Any) -> Any:
        """The configuration for inputs of other types, with workspaces.

        input_type: of the examples, None for the network's own
        Raises ValueError where the layers do not fit.
        """

    @abstractmethod
    def example_labels(self, n_examples: int) -> Any:
        """Labels that the losses take, all ones.

        Raises ValueError for a negative number, TypeError for a number that is not whole.
        """

    def _rng(self, iteration: int | None = None) -> Any:
        # A generator per iteration: a network that is saved and loaded goes on with the same draws.
        number = self.iteration_count if iteration is None else iteration
        return nd.random.Generator((self.configuration.seed + number * SEED_STEP) % 2**63)


def check_score(score: float, iteration: int, batch: Batch) -> None:
    """Raises FloatingPointError for a score that is not finite, which says what of the batch is not."""
    if math.isfinite(score):
        return
    wrong = next(filter(None, (_not_finite(name, getattr(batch, name)) for name in ("features", "labels"))), None)
    advice = wrong or "lower the learning rate, or limit gradients (gradient_normalization)"
    raise FloatingPointError(
        f"the score is {score} at iteration {iteration}; the parameters are as before this step: {advice}"
    )


def _not_finite(what: str, arrays: Any) -> str | None:
    """Which examples of a batch are not finite, and what to do; None where all are."""
    for x in arrays:
        is_wrong = nd.any(~nd.isfinite(x).reshape((x.shape[0], -1)), axis=1)
        if n_wrong := int(nd.sum(is_wrong)):
            kind = "nan" if bool(nd.any(nd.isnan(x))) else "infinity"
            return (
                f"the {what} hold {kind}, in {n_wrong} of the {x.shape[0]} examples of the batch, first in number "
                f"{int(nd.argmax(is_wrong))}; leave such examples out, or fill in what is missing"
            )
    return None


def _detached(state: State) -> dict[str, nd.NDArray]:
    """A state whose arrays outlive the workspace they were made in."""
    return {name: value.detach() for name, value in state.items()}
