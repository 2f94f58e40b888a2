"""TrainingRun: one call of `fit`, epoch by epoch, with its place in the data."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from nd4py.api.arguments import items

from .history import History
from .keyboard import StepwiseInterrupts
from .sources import Source


class TrainingRun:
    """A call of `fit` under way, as the listeners' `on_safe_point` is given it.

    history: what it has measured so far
    n_epochs: whole epochs that are done, of `epochs`    n_batches: that are done in this epoch
    batches_per_epoch: None where it is not known before    is_validated: whether there is validation data
    resumed_from: the folder of the checkpoint that it goes on from, None for a run that began anew
    Raises nothing.
    """

    def __init__(self, model: Any, source: Source, epochs: int, validation: Source | None) -> None:
        self.history = History()
        self.epochs, self.n_epochs, self.n_batches = epochs, 0, 0
        self.batches_per_epoch = source.n_batches
        self.is_validated = validation is not None
        self.resumed_from: Path | None = None
        self._model, self._source, self._validation = model, source, validation
        self._seconds = 0.0  # of this epoch, in runs before this one
        self._start = 0.0

    def go(
        self,
        step: Callable[[Any, History], object],
        timed: Callable[[Iterable[Any]], Iterable[Any]],
        count_epoch: Callable[[], object],
        interrupts: StepwiseInterrupts,
    ) -> History:
        """Train all epochs that are left.

        step: trains on one batch and notes it in the history    timed: the batches, with what waiting took noted
        count_epoch: counts one in the model    interrupts: is told of steps
        Raises what the data, the network and the listeners raise.
        """
        tell(self._model, "on_fit_start", self)
        try:
            while self.n_epochs < self.epochs and not self._model.is_stopping:
                self._train_epoch(step, timed, count_epoch, interrupts)
        finally:
            tell(self._model, "on_fit_end", self)
        return self.history

    def state(self) -> dict[str, Any]:
        """The place of a safe point as JSON can hold it.  Raises what the data's `state()` raises."""
        return {
            "epochs": self.n_epochs,
            "batches": self.n_batches,
            "seconds": self._seconds + self.seconds() if self.n_batches else 0.0,
            "data": self._source.state(),
            "history": self.history.state(),
        }

    def go_on(self, state: dict[str, Any]) -> None:
        """Begin at the place of another run's `state`.  Raises ValueError for anything else."""
        try:
            self.n_epochs, self.n_batches = int(state["epochs"]), int(state["batches"])
            self._seconds = float(state["seconds"])
            self.history.set_state(state["history"])
            place = state["data"]
        except (KeyError, TypeError) as error:
            raise ValueError(f"this is no place in a run of training: {error!r}") from None
        self._source.go_on(place, self.n_epochs)

    def begin_epoch(self) -> None:
        """Note when an epoch, or the rest of one, begins."""
        self._start = time.perf_counter()

    def end_epoch(self, number: int, seconds: float, validated: float | None = None) -> None:
        """Note an epoch that is whole: its number in the model, seconds since `begin_epoch`, and validation score."""
        self.history.end_epoch(number, self._seconds + seconds, validated)
        self.n_epochs, self.n_batches, self._seconds = self.n_epochs + 1, 0, 0.0

    def validation_score(self) -> float | None:
        """The score of the validation data, None where there is none.  Raises what the network and the data raise."""
        return None if self._validation is None else float(self._model.score(self._validation.batches(0, 0)))

    def seconds(self) -> float:
        """Since `begin_epoch`."""
        return time.perf_counter() - self._start

    def _train_epoch(self, step: Any, timed: Any, count_epoch: Any, interrupts: StepwiseInterrupts) -> None:
        model = self._model
        self.begin_epoch()
        tell(model, "on_epoch_start")
        for batch in timed(self._source.batches(model.epoch_count, self.n_batches)):
            interrupts.begin_step()
            step(batch, self.history)
            self.n_batches += 1
            tell(model, "on_safe_point", self)
            interrupts.end_step()
            if model.is_stopping:
                return
        if not self.n_batches:
            raise ValueError(
                f"fit: no batches in epoch {self.n_epochs + 1} of {self.epochs}; "
                "give data that can be looped over once per epoch, such as a list or a DataSetIterator"
            )
        validated = self.validation_score()
        interrupts.begin_step()
        seconds = self.seconds()
        count_epoch()
        self.end_epoch(model.epoch_count, seconds, validated)
        tell(model, "on_epoch_end")
        tell(model, "on_safe_point", self)
        interrupts.end_step()


# What listeners may be told of: a network looks for the methods of these names.
EVENTS = (
    "iteration_done", "on_fit_start", "on_fit_end", "on_safe_point", "on_epoch_start", "on_epoch_end",
    "on_forward_pass", "on_gradient_calculation",
)  # fmt: skip


def checked_listeners(given: Any) -> list[Any]:
    """Those that `fit` is given, or the only one.  Raises TypeError for anything but a sequence of what can be told."""
    is_single = any(hasattr(given, event) for event in EVENTS) and not isinstance(given, type)
    found = [given] if is_single else list(items("fit: listeners", given))
    for number, listener in enumerate(found):
        if isinstance(listener, type) or not any(hasattr(listener, event) for event in EVENTS):
            raise TypeError(
                f"fit: listeners[{number}] must have one of the methods of a train.TrainingListener, such as "
                f"iteration_done; given {listener!r}"
            )
    return found


def tell(model: Any, event: str, *details: Any) -> None:
    """Call the method `event` of each listener that has one."""
    for listener in model.listeners:
        if (react := getattr(listener, event, None)) is not None:
            react(model, *details)
