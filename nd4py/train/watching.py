"""Listeners that watch training: time left, evaluations, statistics of parameters and gradients."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, NamedTuple

from nd4py import api as nd
from nd4py.api.arguments import array, having, whole

from .listeners import TrainingListener, check_told, checked_frequency


class TimeIterationListener(TrainingListener):
    """Writes how much time is left every `frequency` iterations, from the mean time of those since the start.

    frequency: iterations between two lines    write: what takes a line, `print` by default
    `seconds_left` is that of the last line, NaN before.  Without a known number of batches per epoch nothing is
    written, nor outside of `fit`.
    Raises ValueError for a number of iterations below 1.

    >>> net = nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(4))
    >>> lines = []
    >>> left = train.TimeIterationListener(1, write=lines.append)
    >>> history = net.fit(nd.ones((6, 4)), nd.one_hot([0, 1] * 3, 2), batch_size=3, listeners=[left])
    >>> lines[-1]
    'Remaining time: 0 s; batch 2 of 2'
    """

    def __init__(self, frequency: int = 10, write: Callable[[str], object] = print) -> None:
        self._every = checked_frequency(frequency, "TimeIterationListener: frequency")
        self._write = write
        self.seconds_left = float("nan")
        self._start, self._n_before, self._first, self._last = 0.0, 0, 0, 0

    def on_fit_start(self, model: Any, run: Any) -> None:
        check_told("on_fit_start", model, run)
        self._start, self._n_before = time.perf_counter(), _n_batches_done(run)
        self._first = self._last = model.iteration_count

    def on_safe_point(self, model: Any, run: Any) -> None:
        check_told("on_safe_point", model, run)
        last, self._last = self._last, model.iteration_count
        is_due = (self._last - self._first) // self._every > (last - self._first) // self._every
        if not is_due or not run.batches_per_epoch:
            return
        total, done = run.epochs * run.batches_per_epoch, _n_batches_done(run)
        # Batches, not iterations: workers side by side do several in one.
        self.seconds_left = (time.perf_counter() - self._start) / max(1, done - self._n_before) * (total - done)
        self._write(f"Remaining time: {shown_seconds(self.seconds_left)}; batch {done} of {total}")


def _n_batches_done(run: Any) -> int:
    """Batches that a run has done, those of a run that it goes on from too."""
    return int(run.n_epochs * (run.batches_per_epoch or 0) + run.n_batches)


def shown_seconds(seconds: float) -> str:
    """Seconds as people read them, such as 1 h 02 min."""
    n_minutes, rest = divmod(round(seconds), 60)
    if not n_minutes:
        return f"{rest} s"
    n_hours, n_minutes = divmod(n_minutes, 60)
    return f"{n_hours} h {n_minutes:02} min" if n_hours else f"{n_minutes} min {rest:02} s"


class SleepyListener(TrainingListener):
    """Waits after every iteration and every epoch, so that training leaves a machine to others.

    iteration_seconds, epoch_seconds: how long
    Raises ValueError for a time below 0.

    >>> net = nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(4))
    >>> history = net.fit(nd.ones((6, 4)), nd.one_hot([0, 1] * 3, 2), listeners=[train.SleepyListener(0.01)])
    >>> history.seconds[0] > 0.01
    True
    """

    def __init__(self, iteration_seconds: float = 0.0, epoch_seconds: float = 0.0) -> None:
        self._iteration = checked_seconds(iteration_seconds, "SleepyListener: iteration_seconds")
        self._epoch = checked_seconds(epoch_seconds, "SleepyListener: epoch_seconds")

    def iteration_done(self, model: Any, iteration: int, epoch: int) -> None:
        time.sleep(self._iteration)

    def on_epoch_end(self, model: Any) -> None:
        time.sleep(self._epoch)


def checked_seconds(seconds: Any, who: str) -> float:
    """A time as a float.  Raises ValueError unless it is a number of at least 0."""
    is_number = isinstance(seconds, int | float) and not isinstance(seconds, bool)
    if not is_number or not 0 <= seconds <= 1e9:
        raise ValueError(f"{who} must be a number of seconds from 0 to 1e9, given {seconds!r}")
    return float(seconds)


class EvaluativeListener(TrainingListener):
    """Evaluates the network on data of its own, at the ends of epochs or every so many iterations.

    data: as `evaluate` takes it, which can be looped over again
    frequency: epochs, or iterations, between two evaluations    per: "epoch" or "iteration"
    evaluation: a class, or whatever makes a new evaluation when called; None makes an `Evaluation`
    callback: called with the network and each evaluation
    All evaluations are kept in the list `evaluations` with the iterations they were made after.
    Raises ValueError for a frequency below 1 and for another `per`.

    >>> net = nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(4))
    >>> x, labels = nd.ones((6, 4)), nd.one_hot([0, 1] * 3, 2)
    >>> watching = train.EvaluativeListener((x, labels))
    >>> history = net.fit(x, labels, epochs=2, listeners=[watching])
    >>> [(iteration, evaluation.accuracy()) for iteration, evaluation in watching.evaluations]
    [(1, 0.5), (2, 0.5)]
    """

    def __init__(
        self,
        data: Any,
        frequency: int = 1,
        *,
        per: str = "epoch",
        evaluation: Callable[[], Any] | None = None,
        callback: Callable[[Any, Any], object] | None = None,
    ) -> None:
        if per not in ("epoch", "iteration"):
            raise ValueError(f'EvaluativeListener: per is "epoch" or "iteration", given {per!r}')
        self._data, self._per = data, per
        self._every = checked_frequency(frequency, "EvaluativeListener: frequency")
        self._make, self._callback = evaluation, callback
        self.evaluations: list[tuple[int, Any]] = []

    def iteration_done(self, model: Any, iteration: int, epoch: int) -> None:
        having("iteration_done: model", model, "a network", "evaluate", "iteration_count")
        if self._per == "iteration" and whole("iteration_done: iteration", iteration) % self._every == 0:
            self._evaluate(model)

    def on_epoch_end(self, model: Any) -> None:
        having("on_epoch_end: model", model, "a network", "evaluate", "epoch_count")
        if self._per == "epoch" and model.epoch_count % self._every == 0:
            self._evaluate(model)

    def _evaluate(self, model: Any) -> None:
        found = model.evaluate(self._data) if self._make is None else model.evaluate(self._data, self._make())
        self.evaluations.append((model.iteration_count, found))
        if self._callback is not None:
            self._callback(model, found)


class Statistics(NamedTuple):
    """What `ParameterStatisticsListener` keeps of an array.

    mean, minimum, maximum: of its elements    mean_magnitude: the mean of their absolute values
    Raises nothing.

    >>> train.Statistics(0.0, -1.0, 1.0, 0.5).maximum
    1.0
    """

    mean: float
    minimum: float
    maximum: float
    mean_magnitude: float


class ParameterStatisticsListener(TrainingListener):
    """Keeps statistics of parameters and gradients every `frequency` iterations.

    frequency: iterations between two
    `parameters` and `gradients` are dicts of lists: for each parameter, such as "0_W", a pair of iteration and
    `Statistics` for each time; gradients are those the updater gets, parameters those after the step.
    Raises ValueError for a number of iterations below 1.

    >>> net = nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(4))
    >>> watching = train.ParameterStatisticsListener(1)
    >>> history = net.fit(nd.ones((6, 4)), nd.one_hot([0, 1] * 3, 2), listeners=[watching])
    >>> sorted(watching.gradients), watching.parameters["0_W"][0][0]
    (['0_W', '0_b'], 1)
    """

    def __init__(self, frequency: int = 10) -> None:
        self._every = checked_frequency(frequency, "ParameterStatisticsListener: frequency")
        self.parameters: dict[str, list[tuple[int, Statistics]]] = {}
        self.gradients: dict[str, list[tuple[int, Statistics]]] = {}

    def on_gradient_calculation(self, model: Any, gradient: Any) -> None:
        """Before every update, with the gradient as one vector laid out like `params()`.

        Raises TypeError for anything but a network and an array.
        """
        having("on_gradient_calculation: model", model, "a network", "iteration_count", "slots")
        array("on_gradient_calculation: gradient", gradient)
        iteration = model.iteration_count + 1
        if iteration % self._every == 0:
            with nd.scope_out_of_workspaces():
                for slot in model.slots:
                    found = iteration, statistics_of(gradient[slot.elements])
                    self.gradients.setdefault(slot.key, []).append(found)

    def iteration_done(self, model: Any, iteration: int, epoch: int) -> None:
        having("iteration_done: model", model, "a network", "param_table")
        if whole("iteration_done: iteration", iteration) % self._every == 0:
            for name, values in model.param_table().items():
                self.parameters.setdefault(name, []).append((iteration, statistics_of(values)))


def statistics_of(values: Any) -> Statistics:
    """Mean, extremes and mean magnitude of an array."""
    return Statistics(
        float(nd.mean(values)), float(nd.min(values)), float(nd.max(values)), float(nd.mean(nd.abs(values)))
    )
