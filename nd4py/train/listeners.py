"""Listeners: objects that a network calls while it trains."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from nd4py import api as nd
from nd4py.api.arguments import having, whole
from nd4py.api.unknown_settings import TellingArguments


class TrainingListener(TellingArguments):
    """Reacts to nothing; a listener overrides what it cares about.

    iteration, epoch: how many iterations and whole epochs are done, so the first call has iteration 1 and epoch 0
    Raises nothing.

    >>> class Counter(train.TrainingListener):
    ...     n_iterations = 0
    ...     def iteration_done(self, model, iteration, epoch):
    ...         self.n_iterations = iteration
    >>> net = nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(4))
    >>> counter = Counter()
    >>> net.set_listeners(counter)
    >>> score = net.fit_batch(nd.ones((2, 4)), nd.one_hot([0, 1], 2))
    >>> counter.n_iterations
    1
    """

    def __init__(self) -> None:
        """Takes nothing.  Raises nothing."""

    def iteration_done(self, model: Any, iteration: int, epoch: int) -> None:
        """After every update; `model.score_value` is the score of its batch.

        Raises TypeError for anything but a network or whole number.
        """

    def on_fit_start(self, model: Any, run: Any) -> None:
        """When `fit` begins; `run` has the history, and the numbers of epochs and batches that are done.

        Raises nothing.
        """

    def on_fit_end(self, model: Any, run: Any) -> None:
        """When `fit` ends, also by an error or Ctrl-C.  Raises nothing."""

    def on_safe_point(self, model: Any, run: Any) -> None:
        """After each batch, and after each epoch, when all other listeners have been told of it; `run` is as above.

        What is saved here can be gone on with: all numbers belong together.  At the end of an epoch `run.n_batches` is
        0.  Raises nothing.
        """

    def on_epoch_start(self, model: Any) -> None:
        """Before the first batch of an epoch.  Raises nothing."""

    def on_epoch_end(self, model: Any) -> None:
        """After the last batch of an epoch, with `model.epoch_count` already raised.  Raises nothing."""


def checked_frequency(frequency: int, who: str) -> int:
    """A number of iterations or the like.  Raises ValueError below 1."""
    if not isinstance(frequency, int) or isinstance(frequency, bool) or frequency < 1:
        raise ValueError(f"{who} must be a whole number of at least 1, given {frequency!r}")
    return frequency


def check_told(event: str, model: Any, run: Any) -> None:
    """What listeners are told of a run of training.  Raises TypeError for anything else."""
    having(f"{event}: model", model, "a network", "iteration_count", "epoch_count", "param_table")
    having(f"{event}: run", run, "a run of training", "history", "n_batches", "batches_per_epoch")


class ScoreIterationListener(TrainingListener):
    """Writes the score every `print_iterations` iterations; `write` takes the line, `print` by default.

    Raises ValueError for a number of iterations below 1.

    >>> net = nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(4))
    >>> lines = []
    >>> net.set_listeners(train.ScoreIterationListener(1, write=lines.append))
    >>> score = net.fit_batch(nd.ones((2, 4)), nd.one_hot([0, 1], 2))
    >>> lines[0].startswith("Score at iteration 1 is")
    True
    """

    def __init__(self, print_iterations: int = 10, write: Callable[[str], object] = print) -> None:
        self._every = checked_frequency(print_iterations, "ScoreIterationListener: print_iterations")
        self._write = write

    def iteration_done(self, model: Any, iteration: int, epoch: int) -> None:
        having("iteration_done: model", model, "a network", "score_value")
        if whole("iteration_done: iteration", iteration) % self._every == 0:
            self._write(f"Score at iteration {iteration} is {model.score_value:.6g}")


class CollectScoresListener(TrainingListener):
    """Keeps (iteration, score) every `frequency` iterations in the list `scores`.

    Raises ValueError for a number of iterations below 1.

    >>> net = nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(4))
    >>> scores = train.CollectScoresListener()
    >>> net.set_listeners(scores)
    >>> history = net.fit(data.ArrayDataSetIterator(nd.ones((6, 4)), nd.one_hot([0, 1] * 3, 2), batch=3))
    >>> [iteration for iteration, score in scores.scores]
    [1, 2]
    """

    def __init__(self, frequency: int = 1) -> None:
        self._every = checked_frequency(frequency, "CollectScoresListener: frequency")
        self.scores: list[tuple[int, float]] = []

    def iteration_done(self, model: Any, iteration: int, epoch: int) -> None:
        having("iteration_done: model", model, "a network", "score_value")
        if whole("iteration_done: iteration", iteration) % self._every == 0:
            self.scores.append((iteration, model.score_value))


class PerformanceListener(TrainingListener):
    """Writes speed and memory every `frequency` iterations, over the iterations since the line before.

    report_score: add the score to the line; write: what takes the line, `print` by default.
    samples/s, batches/s: what was trained per second, waiting for data and listeners included
    iteration, ETL: milliseconds per iteration, and how many of them were spent waiting for the batch
    memory: bytes in arrays now, and the most there have been.
    The last line's numbers stay in `samples_per_second`, `batches_per_second`, `iteration_ms` and `etl_ms`.
    Raises ValueError for a number of iterations below 1.

    >>> net = nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(4))
    >>> lines = []
    >>> net.set_listeners(train.PerformanceListener(frequency=1, write=lines.append))
    >>> history = net.fit(data.ArrayDataSetIterator(nd.ones((6, 4)), nd.one_hot([0, 1] * 3, 2), batch=3))
    >>> len(lines) > 0
    True
    """

    def __init__(self, frequency: int = 10, report_score: bool = False, write: Callable[[str], object] = print) -> None:
        self._every = checked_frequency(frequency, "PerformanceListener: frequency")
        self._report_score = report_score
        self._write = write
        self.samples_per_second = self.batches_per_second = self.iteration_ms = self.etl_ms = 0.0
        self._restart()

    def on_epoch_start(self, model: Any) -> None:
        # What happened between epochs (evaluation, saving) is not training.
        if self._n_batches == 0:
            self._restart()

    def iteration_done(self, model: Any, iteration: int, epoch: int) -> None:
        having("iteration_done: model", model, "a network", "last_batch_size", "last_etl_ms")
        whole("iteration_done: iteration", iteration)
        self._n_batches += 1
        self._n_samples += model.last_batch_size
        self._waited_ms += model.last_etl_ms
        if iteration % self._every == 0:
            self._measure()
            self._write(self._line(model, iteration))
            self._restart()

    def _restart(self) -> None:
        self._start = time.perf_counter()
        self._n_batches = self._n_samples = 0
        self._waited_ms = 0.0

    def _measure(self) -> None:
        seconds = max(time.perf_counter() - self._start, 1e-9)
        self.samples_per_second = self._n_samples / seconds
        self.batches_per_second = self._n_batches / seconds
        self.iteration_ms = 1e3 * seconds / self._n_batches
        self.etl_ms = self._waited_ms / self._n_batches

    def _line(self, model: Any, iteration: int) -> str:
        memory = nd.memory.stats()
        parts = [
            f"iteration {iteration}",
            f"iteration time: {self.iteration_ms:.3f} ms",
            f"ETL: {self.etl_ms:.3f} ms",
            f"samples/s: {self.samples_per_second:.3f}",
            f"batches/s: {self.batches_per_second:.3f}",
            f"memory: {memory.live_bytes / 2**20:.1f} MiB (peak {memory.peak_bytes / 2**20:.1f} MiB)",
        ]
        if self._report_score:
            parts.append(f"score: {model.score_value:.6g}")
        return "; ".join(parts)
