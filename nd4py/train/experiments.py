"""Listeners for tools that keep or search experiments: loggers of metrics such as MLflow, and Optuna."""

from __future__ import annotations

import math
from typing import Any

from nd4py.api.arguments import having, whole

from .listeners import TrainingListener, check_told, checked_frequency

MONITORS = ("validation_score", "score")


class MetricLoggerListener(TrainingListener):
    """Hands the scores of training to a logger of metrics, such as the module `mlflow` or a logger of Lightning.

    logger: has `log_metrics(metrics, step=)`; `log_params(params)` is called at the start of training where it has one
    frequency: iterations between two scores of batches; None logs at the ends of epochs alone
    The metrics are "score", "validation_score" where there is one, and "seconds", of an epoch with its number as the
    step, and "batch_score" with the iteration as the step.  The parameters are those of `logged_params`.
    Raises TypeError for a logger without `log_metrics`, ValueError for a frequency below 1.

    >>> class Kept:
    ...     def log_metrics(self, metrics, step):
    ...         print(step, sorted(metrics))
    >>> net = nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(4))
    >>> x, labels = nd.ones((6, 4)), nd.one_hot([0, 1] * 3, 2)
    >>> history = net.fit(x, labels, epochs=2, listeners=[train.MetricLoggerListener(Kept())])
    1 ['score', 'seconds']
    2 ['score', 'seconds']
    """

    def __init__(self, logger: Any, *, frequency: int | None = None) -> None:
        having("MetricLoggerListener: logger", logger, "a logger of metrics", "log_metrics")
        self._logger = logger
        who = "MetricLoggerListener: frequency"
        self._every = None if frequency is None else checked_frequency(frequency, who)

    def on_fit_start(self, model: Any, run: Any) -> None:
        check_told("on_fit_start", model, run)
        if hasattr(self._logger, "log_params"):
            self._logger.log_params(logged_params(model))

    def iteration_done(self, model: Any, iteration: int, epoch: int) -> None:
        having("iteration_done: model", model, "a network", "score_value")
        if self._every is not None and whole("iteration_done: iteration", iteration) % self._every == 0:
            self._logger.log_metrics({"batch_score": model.score_value}, step=iteration)

    def on_safe_point(self, model: Any, run: Any) -> None:
        check_told("on_safe_point", model, run)
        if run.n_batches:
            return
        history = run.history
        metrics = {"score": history.scores[-1], "seconds": history.seconds[-1]}
        if history.validation_scores:
            metrics["validation_score"] = history.validation_scores[-1]
        self._logger.log_metrics(metrics, step=model.epoch_count)


def logged_params(model: Any) -> dict[str, Any]:
    """What a logger is told of a network: its class, its number of parameters, updater, dtype and seed."""
    configuration = model.configuration
    return {
        "network": type(model).__name__,
        "num_params": model.num_params(),
        "updater": repr(configuration.updater),
        "dtype": str(configuration.dtype),
        "seed": configuration.seed,
    }


class OptunaPruningListener(TrainingListener):
    """Reports the score of each epoch to a trial of Optuna, and ends training where Optuna prunes the trial.

    trial: an `optuna.Trial`
    monitor: "validation_score" or "score"
    The step that is reported is the number of the epoch.  Training ends with `optuna.TrialPruned`, which
    `study.optimize` understands; the network keeps what it has learnt.
    Raises TypeError for anything but a trial, ValueError for another monitor; `fit` raises ValueError where validation
    scores are wanted and it has no `validation_data`.

    >>> class Trial:
    ...     def report(self, value, step):
    ...         print("epoch", step)
    ...     def should_prune(self):
    ...         return False
    >>> net = nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(4))
    >>> pruning = train.OptunaPruningListener(Trial(), monitor="score")
    >>> history = net.fit(nd.ones((6, 4)), nd.one_hot([0, 1] * 3, 2), epochs=2, listeners=[pruning])
    epoch 1
    epoch 2
    """

    def __init__(self, trial: Any, *, monitor: str = "validation_score") -> None:
        having("OptunaPruningListener: trial", trial, "a trial of Optuna", "report", "should_prune")
        if monitor not in MONITORS:
            raise ValueError(f'OptunaPruningListener: monitor is "validation_score" or "score", given {monitor!r}')
        self._trial, self._monitor = trial, monitor

    def on_safe_point(self, model: Any, run: Any) -> None:
        check_told("on_safe_point", model, run)
        if run.n_batches:
            return
        scores = run.history.validation_scores if self._monitor == "validation_score" else run.history.scores
        if not scores:
            raise ValueError(
                "OptunaPruningListener: there are no validation scores; give fit validation_data, or the listener "
                'monitor="score"'
            )
        epoch, score = model.epoch_count, scores[-1]
        if self._monitor == "score" and math.isnan(score):  # no step was made yet: float16 scales losses too much
            return
        self._trial.report(score if math.isfinite(score) else math.nan, step=epoch)
        if self._trial.should_prune():
            from optuna import TrialPruned  # imported where a trial exists, so that nd4py does not need it

            raise TrialPruned(f"pruned after epoch {epoch} with {self._monitor} {score:.6g}")
