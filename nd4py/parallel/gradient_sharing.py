"""Shared gradients: at every step the workers take each other's gradients, or updates of few numbers, into account.

Design: a step of a worker is the network's own, in which it asks its exchange twice.  Between the gradient and the
updater the workers add up their gradients, so that all of them take the same step, with any updater.  Or, between the
updater and the parameters, they add up what a threshold leaves of their updates.  All wait for each other there; one
that has no more steps in a round, or fails, leaves, so that nobody waits for it.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from nd4py import api as nd

from .averaging import summed
from .checkpointed_rounds import text_of, vector_of
from .threshold_encoding import ResidualClippingPostProcessor, ThresholdAlgorithm, rounded_to


class Meetings:
    """Where the workers of a round wait for each other, and read what all have brought.

    members: numbers of the workers
    """

    def __init__(self, members: Iterable[int]) -> None:
        self._condition = threading.Condition()
        self._members = set(members)
        self._arrived: set[int] = set()
        self._n_held = 0
        self._error: BaseException | None = None
        self._brought: dict[int, Any] = {}

    def bring(self, number: int, thing: Any) -> list[Any]:
        """What all members of this meeting have brought, in the order of their numbers; all leave it by `part`."""
        with self._condition:
            self._brought[number] = thing
        self._wait(number)
        return [self._brought[each] for each in sorted(self._brought)]

    def part(self, number: int) -> None:
        """Wait until all are done with what was brought."""
        self._wait(number)

    def leave(self, number: int, error: BaseException | None = None) -> None:
        """Come no more; with an error all others, who wait or will, raise it."""
        with self._condition:
            self._members.discard(number)
            self._brought.pop(number, None)
            self._error = self._error or error
            self._end_if_all_are_there()
            self._condition.notify_all()

    def _wait(self, number: int) -> None:
        with self._condition:
            this = self._n_held
            self._arrived.add(number)
            self._end_if_all_are_there()
            while this == self._n_held and self._error is None:
                self._condition.wait()
            if self._error is not None:
                raise self._error

    def _end_if_all_are_there(self) -> None:
        if self._members and self._arrived >= self._members:
            self._arrived.clear()
            self._n_held += 1
            self._condition.notify_all()


class Share(NamedTuple):
    """What a worker brings: vectors that the others read, and write the mean to; a number of examples, and the loss."""

    vectors: Sequence[nd.NDArray]
    n_examples: int
    loss: nd.NDArray


class GradientExchange:
    """The gradients of all workers, weighted by their examples, as if they were of one batch.

    number: of the worker, which is its place in the sums; every element is added up by one worker alone
    """

    def __init__(self, number: int) -> None:
        self._number = number
        self.meetings = Meetings([number])

    def common_outcome(self, outcome: Any, n_examples: int) -> Any:
        """The outcome of a batch with the gradient, loss and running values of all workers' batches."""
        return self._met(outcome, n_examples, [outcome.gradient, *outcome.running])

    def common_params(self, before: nd.NDArray, after: nd.NDArray) -> nd.NDArray:
        """The parameters after a step: as the worker found them itself, as all others did."""
        return after

    def leave(self, error: BaseException | None) -> None:
        """No more steps in this round; an error is raised by all others."""
        self.meetings.leave(self._number, error)

    def _met(self, outcome: Any, n_examples: int, vectors: Sequence[nd.NDArray]) -> Any:
        """The outcome, of which some vectors and the loss are those of all workers."""
        mine = [_written(vector) for vector in vectors]
        shares = self.meetings.bring(self._number, Share(mine, n_examples, outcome.loss.block()))
        total = sum(share.n_examples for share in shares)
        weights = [share.n_examples / total for share in shares]
        loss = _weighted_sum([nd.asarray(share.loss, device=outcome.loss.device) for share in shares], weights)
        place = [share.vectors is mine for share in shares].index(True)
        for row in zip(*(share.vectors for share in shares), strict=True):
            _set_mean([vector.reshape(-1) for vector in row], weights, place)
        self.meetings.part(self._number)
        found = {id(vector): own for vector, own in zip(vectors, mine, strict=True)}
        return outcome._replace(
            gradient=found.get(id(outcome.gradient), outcome.gradient),
            running=[found[id(value)] for value in outcome.running],
            loss=loss,
        )


class ThresholdExchange(GradientExchange):
    """What thresholds leave of the updates of all workers: their sum changes the parameters of each of them.

    number: of the worker    running: slices of the vector of parameters that are running values, not learnt
    What is left of a worker's update is added to its next one.
    """

    def __init__(
        self,
        number: int,
        running: Sequence[slice],
        algorithm: ThresholdAlgorithm,
        post_processor: ResidualClippingPostProcessor | None,
    ) -> None:
        super().__init__(number)
        self._running, self._algorithm, self._post_processor = running, algorithm, post_processor
        self.threshold = algorithm.initial
        self.residual: nd.NDArray | None = None
        self._n_steps = 0

    def state(self) -> dict[str, Any]:
        """What the next step depends on, as JSON can hold it."""
        return {"threshold": self.threshold, "residual": text_of(self.residual), "steps": self._n_steps}

    def set_state(self, state: dict[str, Any]) -> None:
        """Take over what `state` returned."""
        self.threshold, self._n_steps = state["threshold"], state["steps"]
        self.residual = None if state["residual"] is None else vector_of(state["residual"])

    def common_outcome(self, outcome: Any, n_examples: int) -> Any:
        """The outcome of a batch with the worker's own gradient, the loss and running values of all."""
        return self._met(outcome, n_examples, outcome.running)

    def common_params(self, before: nd.NDArray, after: nd.NDArray) -> nd.NDArray:
        """The parameters after what is sent of the updates of all workers."""
        with nd.scope_out_of_workspaces():  # what is left of an update outlives the step
            update = before - after
            for elements in self._running:
                update[elements] = 0.0
            if self.residual is not None:
                update = update + nd.asarray(self.residual, device=update.device)
            sent = rounded_to(update, self.threshold).block()
            residual = (update - sent).block()
        everybody = self.meetings.bring(self._number, sent)
        total = nd.asarray(summed(everybody), device=sent.device)
        found = (before - total).block()
        self.meetings.part(self._number)
        for elements in self._running:
            found[elements] = after[elements]
        self._keep(residual, float(nd.count_nonzero(sent)) / (sent.size or 1))
        return found

    def _keep(self, residual: nd.NDArray, sparsity_ratio: float) -> None:
        """What is left for the next step, and its threshold."""
        if self._post_processor is not None:
            with nd.scope_out_of_workspaces():
                residual = self._post_processor.processed(residual, self.threshold, self._n_steps)
        self.residual, self._n_steps = residual, self._n_steps + 1
        self.threshold = self._algorithm.following(self.threshold, sparsity_ratio)


def _written(vector: nd.NDArray) -> nd.NDArray:
    """An array with values of its own and without gaps, which others may read and write."""
    vector = vector.block()
    return vector if vector.flags.writeable and vector.flags.c_contiguous else vector.copy()


def _set_mean(row: Sequence[nd.NDArray], weights: Sequence[float], place: int) -> None:
    """Write the weighted mean over the vectors of a row into all of them: the part of the worker at a place."""
    size, n = row[0].size, len(row)
    part = slice(size * place // n, size * (place + 1) // n)
    parts = [vector[part] for vector in row]
    mean = _weighted_sum([nd.asarray(each, device=parts[place].device) for each in parts], weights).block()
    for each in parts:
        each[...] = nd.asarray(mean, device=each.device)


def _weighted_sum(values: Sequence[nd.NDArray], weights: Sequence[float]) -> nd.NDArray:
    """The weighted sum, in the order given."""
    total = values[0] * weights[0]
    for value, weight in zip(values[1:], weights[1:], strict=True):
        total = total + value * weight
    return total
