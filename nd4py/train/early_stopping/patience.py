"""EarlyStopping: a listener that ends `fit` when a score has not improved for some epochs."""

from __future__ import annotations

import base64
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from nd4py import api as nd
from nd4py.api.arguments import having
from nd4py.nn.numbers import real, whole

from ..listeners import TrainingListener, check_told
from .stopping_conditions import improvement


class EarlyStopping(TrainingListener):
    """Ends `fit` when the score has not improved for `patience` epochs, and gives the network its best parameters back.

    monitor: "val_loss", the score on the validation data, or "loss", that of training
    patience: epochs without an improvement    min_delta: what is more than this is one
    restore_best: when `fit` ends, the network has parameters and updater state of the best epoch
    `best_epoch` is its number, counted from 1, and `best_score` its score; `stopped_epoch` that of the last, None where
    training was not ended by this listener.
    Raises ValueError for numbers below 0 and for "val_loss" when `fit` has no validation data.

    >>> net = nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(4))
    >>> x, labels = nd.ones((6, 4)), nd.one_hot([0, 1] * 3, 2)
    >>> stopping = train.EarlyStopping(patience=3)
    >>> history = net.fit(x, labels, epochs=5, validation_data=(x, labels), listeners=[stopping])
    >>> stopping.best_score == min(history.validation_scores)
    True
    """

    def __init__(
        self, patience: int = 5, *, monitor: str = "val_loss", min_delta: float = 0.0, restore_best: bool = True
    ) -> None:
        if monitor not in ("val_loss", "loss"):
            raise ValueError(
                f'EarlyStopping: monitor is "val_loss" or "loss", given {monitor!r}; accuracy and other metrics are '
                'watched by train.EarlyStoppingTrainer with train.EvaluationScoreCalculator(data, "accuracy")'
            )
        self._monitor = monitor
        self._patience = whole(patience, "EarlyStopping: patience", least=0)
        self._min_delta = real(min_delta, "EarlyStopping: min_delta", low=0.0)
        self._restores = bool(restore_best)
        self._run: Any = None
        self._begin()

    def _begin(self) -> None:
        self.best_epoch, self.best_score = 0, math.nan
        self.stopped_epoch: int | None = None
        self._n_waited = 0
        self._best: Any = None  # parameters, and the updater's state

    def __getstate__(self) -> dict[str, Any]:
        """All but the run under way, which a copy has no part in."""
        return vars(self) | {"_run": None}

    def on_fit_start(self, model: Any, run: Any) -> None:
        check_told("on_fit_start", model, run)
        self._run = run
        if run.resumed_from is None:
            self._begin()
        elif self.stopped_epoch is not None:
            model.stop_fit()

    # Not at the safe point: by then its state is what a checkpoint holds, whichever listener comes first.
    def on_epoch_end(self, model: Any) -> None:
        having("on_epoch_end: model", model, "a network", "epoch_count", "updater_state")
        if self._run is None:
            return
        history = self._run.history
        scores = history.validation_scores if self._monitor == "val_loss" else history.scores
        if not scores:
            raise ValueError('EarlyStopping: monitor="val_loss" needs fit(..., validation_data=) or validation_split=')
        if not self.best_epoch or improvement(scores[-1], self.best_score, minimize=True) > self._min_delta:
            self.best_epoch, self.best_score, self._n_waited = model.epoch_count, scores[-1], 0
            if self._restores:
                state = model.updater_state()
                self._best = model.params().copy(), None if state is None else state.copy()
            return
        self._n_waited += 1
        if self._n_waited >= self._patience:
            self.stopped_epoch = model.epoch_count
            model.stop_fit()

    def on_fit_end(self, model: Any, run: Any) -> None:
        check_told("on_fit_end", model, run)
        self._run = None
        if self._best is not None and (model.is_stopping or run.n_epochs == run.epochs):
            model.adopt(*self._best)

    def state(self) -> dict[str, Any]:
        """What a run that goes on has to know, as JSON can hold it.  Raises nothing."""
        best = None if self._best is None else [None if each is None else _as_text(each) for each in self._best]
        return {
            "best_epoch": self.best_epoch,
            "best_score": self.best_score,
            "stopped_epoch": self.stopped_epoch,
            "n_waited": self._n_waited,
            "best": best,
        }

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Take over what `state` returned.

        state: of another listener
        Raises ValueError for anything else.
        """
        if not isinstance(state, Mapping) or set(state) != set(self.state()):
            raise ValueError(f"EarlyStopping.set_state: needs {sorted(self.state())}, given {state!r}")
        self.best_epoch, self.best_score = int(state["best_epoch"]), float(state["best_score"])
        self.stopped_epoch, self._n_waited = state["stopped_epoch"], int(state["n_waited"])
        best = state["best"]
        self._best = None if best is None else tuple(None if each is None else _as_array(each) for each in best)


def _as_text(vector: nd.NDArray) -> list[str]:
    content = np.asarray(nd.asarray(vector, device="cpu"))
    return [str(content.dtype), base64.b64encode(content.tobytes()).decode()]


def _as_array(text: list[str]) -> nd.NDArray:
    dtype, content = text
    return nd.asarray(np.frombuffer(base64.b64decode(content), dtype=dtype).copy())
