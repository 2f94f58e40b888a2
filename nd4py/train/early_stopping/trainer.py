"""EarlyStoppingTrainer: trains epoch by epoch until a condition ends it, and gives back the best network."""

from __future__ import annotations

import logging
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from nd4py.api.arguments import having, instance, looped
from nd4py.api.unknown_settings import TellingArguments
from nd4py.data import background
from nd4py.nn.numbers import whole

from .savers import InMemoryModelSaver
from .scoring import ScoreCalculator
from .stopping_conditions import (
    EpochTerminationCondition,
    InvalidScoreIterationTerminationCondition,
    IterationTerminationCondition,
    MaxScoreIterationTerminationCondition,
    improvement,
)

EPOCH, ITERATION, ERROR = "EpochTerminationCondition", "IterationTerminationCondition", "Error"


@dataclass(kw_only=True)
class EarlyStoppingConfiguration(TellingArguments):
    """When training ends, and how networks are compared.

    score_calculator: gives networks their scores
    epoch_conditions, iteration_conditions: one at least of both together; training ends when any of them says so
    model_saver: keeps the best network, and with `save_last_model` the latest too
    evaluate_every_n_epochs: scores are computed after epochs 0, n, 2n ... (counted from 0)
    Raises ValueError without a condition, TypeError for what is no condition, calculator or saver.

    >>> batch = data.DataSet(nd.ones((6, 4)), nd.one_hot([0, 1] * 3, 2))
    >>> configuration = train.EarlyStoppingConfiguration(
    ...     score_calculator=train.DataSetLossCalculator(batch),
    ...     epoch_conditions=[train.MaxEpochsTerminationCondition(3)],
    ... )
    >>> configuration.evaluate_every_n_epochs
    1
    """

    score_calculator: ScoreCalculator
    epoch_conditions: Sequence[EpochTerminationCondition] = ()
    iteration_conditions: Sequence[IterationTerminationCondition] = ()
    model_saver: Any = field(default_factory=InMemoryModelSaver)
    save_last_model: bool = False
    evaluate_every_n_epochs: int = 1

    def __post_init__(self) -> None:
        who = "EarlyStoppingConfiguration"
        having(f"{who}: score_calculator", self.score_calculator, "a score calculator", "score", "minimize")
        having(f"{who}: model_saver", self.model_saver, "a saver", "save_best", "save_latest", "best")
        whole(self.evaluate_every_n_epochs, f"{who}: evaluate_every_n_epochs")
        for name, kind in (
            ("epoch_conditions", EpochTerminationCondition),
            ("iteration_conditions", IterationTerminationCondition),
        ):
            given = tuple(looped(f"{who}: {name}", getattr(self, name)))
            setattr(self, name, tuple(instance(f"{who}: each of {name}", each, kind) for each in given))
        if not self.epoch_conditions and not self.iteration_conditions:
            raise ValueError(f"{who}: no condition ends training; give epoch_conditions or iteration_conditions")


@dataclass(frozen=True)
class EarlyStoppingResult:
    """What early stopping has found.

    termination_reason: "EpochTerminationCondition", "IterationTerminationCondition" or "Error"
    termination_details: the condition as a text, or the error
    scores: by the epochs that were scored, counted from 0
    best_model_epoch, best_model_score: of the best network; -1 where it was scored before an epoch was whole
    total_epochs: whole epochs that were trained    best_model: a network of its own
    error: the exception that ended training, None where none did
    Raises nothing.

    >>> train.EarlyStoppingResult("Error", "OSError: no data", {0: 0.5}, 0, 0.5, 1, None).scores
    {0: 0.5}
    """

    termination_reason: str
    termination_details: str
    scores: dict[int, float]
    best_model_epoch: int
    best_model_score: float
    total_epochs: int
    best_model: Any
    error: Exception | None = None


class _Watch:
    """Asks the iteration conditions after each iteration."""

    def __init__(self, conditions: Sequence[IterationTerminationCondition]) -> None:
        self._conditions = conditions
        self.ended_by: IterationTerminationCondition | None = None

    def iteration_done(self, model: Any, iteration: int, epoch: int) -> None:
        for condition in self._conditions:
            if self.ended_by is None and condition.terminates(model.score_value):
                self.ended_by = condition
                model.stop_fit()


class EarlyStoppingTrainer(TellingArguments):
    """Trains a network, or the network of a `ParallelWrapper`, until a condition ends it.

    configuration: when that is    trainer: a network or a wrapper
    x, y: the data as `fit` of the network takes it; for a wrapper, batches that can be looped over once per epoch
    options: others of `fit`, such as batch_size
    Raises TypeError for anything but a configuration, and what cannot be fitted.

    >>> net = nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(4))
    >>> x, labels = nd.ones((6, 4)), nd.one_hot([0, 1] * 3, 2)
    >>> configuration = train.EarlyStoppingConfiguration(
    ...     score_calculator=train.DataSetLossCalculator((x, labels)),
    ...     epoch_conditions=[train.MaxEpochsTerminationCondition(3)],
    ... )
    >>> result = train.EarlyStoppingTrainer(configuration, net, x, labels).fit()
    >>> result.total_epochs, result.termination_reason
    (3, 'EpochTerminationCondition')
    """

    def __init__(self, configuration: EarlyStoppingConfiguration, trainer: Any, x: Any, y: Any = None, **options: Any):
        self._configuration = instance("EarlyStoppingTrainer: configuration", configuration, EarlyStoppingConfiguration)
        self._trainer = having("EarlyStoppingTrainer: trainer", trainer, "a network or wrapper", "fit")
        self._model = getattr(trainer, "model", trainer)
        having("EarlyStoppingTrainer: trainer", self._model, "a network or wrapper", "stop_fit", "clone")
        self._data = (x,) if y is None else (x, y)
        self._options = options if self._model is not trainer else {"verbose": False, **options}

    def fit(self) -> EarlyStoppingResult:
        """Train until a condition, or an error, ends it.  May be called again: training goes on, conditions begin anew.

        An exception of `fit` is noted in the result; it is raised where there is no network to give back yet.
        Returns an `EarlyStoppingResult` with the best network.
        Raises what `fit` of the network raises before its first whole epoch, and what scoring and saving raise.
        """
        settings = self._configuration
        for condition in (*settings.epoch_conditions, *settings.iteration_conditions):
            condition.initialize()
        search = _Search(settings)
        watch = _Watch(settings.iteration_conditions)
        self._model.add_listeners(watch)
        try:
            return self._search(search, watch)
        finally:
            self._model.listeners = [each for each in self._model.listeners if each is not watch]

    def _search(self, search: _Search, watch: _Watch) -> EarlyStoppingResult:
        while True:
            try:
                self._trainer.fit(*self._data, epochs=1, **self._options)
            except Exception as error:
                return self._failed(search, error)
            if watch.ended_by is not None:
                return self._result(search, ITERATION, str(watch.ended_by))
            ended_by = search.after_epoch(self._model)
            if ended_by is not None:
                return self._result(search, EPOCH, str(ended_by))

    def _failed(self, search: _Search, error: Exception) -> EarlyStoppingResult:
        if isinstance(error, FloatingPointError):  # a score that is not finite, which a network does not train on
            for condition in self._configuration.iteration_conditions:
                kinds = InvalidScoreIterationTerminationCondition, MaxScoreIterationTerminationCondition
                if isinstance(condition, kinds) and condition.terminates(math.nan):
                    return self._result(search, ITERATION, str(condition))
        if search.best_epoch is None:
            raise error
        return self._result(search, ERROR, f"{type(error).__name__}: {error}", error)

    def _result(
        self, search: _Search, reason: str, details: str, error: Exception | None = None
    ) -> EarlyStoppingResult:
        if search.best_epoch is None:
            search.score(self._model, search.n_epochs - 1)
        assert search.best_epoch is not None
        best = self._configuration.model_saver.best()
        return EarlyStoppingResult(
            reason, details, search.scores, search.best_epoch, search.best_score, search.n_epochs, best, error
        )


class _Search:
    """The best network so far."""

    def __init__(self, settings: EarlyStoppingConfiguration) -> None:
        self._settings = settings
        self.scores: dict[int, float] = {}
        self.n_epochs = 0
        self.best_epoch: int | None = None
        self.best_score = math.nan

    def after_epoch(self, model: Any) -> EpochTerminationCondition | None:
        """Score the network after an epoch if its turn has come; the condition that ends training, or None."""
        epoch, settings = self.n_epochs, self._settings
        self.n_epochs += 1
        is_scored = epoch % settings.evaluate_every_n_epochs == 0
        score = self.score(model, epoch) if is_scored else math.nan
        minimize = settings.score_calculator.minimize
        for condition in settings.epoch_conditions:
            if (is_scored or not condition.needs_score) and condition.terminates(epoch, score, minimize):
                return condition
        return None

    def score(self, model: Any, epoch: int) -> float:
        """Score and keep a network.  One whose score is not finite counts as the worst."""
        settings, minimize = self._settings, self._settings.score_calculator.minimize
        score = settings.score_calculator.score(model)
        if not math.isfinite(score):
            worst = math.inf if minimize else -math.inf
            text = f"the score is {score} after epoch {epoch}; it counts as the worst, {worst}"
            background.call(lambda: logging.getLogger(__name__).warning(text))
            score = worst
        if epoch >= 0:
            self.scores[epoch] = score
        if self.best_epoch is None or improvement(score, self.best_score, minimize) > 0:
            settings.model_saver.save_best(model, score)
            self.best_epoch, self.best_score = epoch, score
        if settings.save_last_model:
            settings.model_saver.save_latest(model, score)
        return score
