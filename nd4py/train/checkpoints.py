"""CheckpointListener: saves a network with its place in training, and deletes checkpoints that are no longer needed."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nd4py.nn.fitting.resuming import checkpoint_name, checkpoints_in, remove_remains, write_checkpoint

from .listeners import TrainingListener, check_told, checked_frequency
from .watching import checked_seconds


class CheckpointListener(TrainingListener):
    """Saves the network in training to a folder, from where `fit(..., resume_from=folder)` goes on.

    folder: made if need be; the files are `checkpoint_<number>_<class>.zip`, which `load` reads
    every_epochs, every_iterations, every_minutes: when to save, one or more of them; by default after every epoch.
        In an epoch it is after the batch that the iterations or minutes come to their number in
    keep_last: how many of the newest are kept, None for all
    keep_every: keep every so many-th of the others too
    keep_best: keep the one with the lowest score too: of those after whole epochs when there is validation data, the
        validation score, and an epoch with a lower one than all before is saved whenever it comes; else the mean of the
        scores since the checkpoint before
    delete_existing: delete the checkpoints that are in the folder when a training begins that does not go on from it
    A checkpoint is whole or not there, also when the process is killed while it is written.
    Raises ValueError for numbers below 1, and when a training begins in a folder that has checkpoints of another one;
    OSError where a file cannot be written.

    >>> net = nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(4))
    >>> x, labels = nd.ones((6, 4)), nd.one_hot([0, 1] * 3, 2)
    >>> saving = train.CheckpointListener("checkpoints", keep_last=2)
    >>> history = net.fit(x, labels, epochs=3, listeners=[saving], resume_from="checkpoints")
    >>> [path.name for path in saving.checkpoints()]
    ['checkpoint_2_MultiLayerNetwork.zip', 'checkpoint_3_MultiLayerNetwork.zip']
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        *,
        every_epochs: int | None = None,
        every_iterations: int | None = None,
        every_minutes: float | None = None,
        keep_last: int | None = None,
        keep_every: int | None = None,
        keep_best: bool = False,
        delete_existing: bool = False,
    ) -> None:
        if every_epochs is every_iterations is every_minutes is None:
            every_epochs = 1
        self._folder = Path(folder)
        self._every_epochs = _optional(every_epochs, "every_epochs")
        self._every_iterations = _optional(every_iterations, "every_iterations")
        who = "CheckpointListener: every_minutes"
        self._seconds = None if every_minutes is None else 60 * checked_seconds(every_minutes, who)
        self._keep_last, self._keep_every = _optional(keep_last, "keep_last"), _optional(keep_every, "keep_every")
        self._keep_best, self._delete_existing = bool(keep_best), bool(delete_existing)
        self._number = 0  # of the last one
        self._best_number, self._best_score = 0, math.inf
        self._last_time, self._last_iteration, self._last_place = 0.0, 0, 0

    def checkpoints(self) -> list[Path]:
        """The files of the checkpoints that are there, the oldest first.  Raises nothing."""
        return list(checkpoints_in(self._folder).values())

    def best(self) -> Path | None:
        """The file of the checkpoint with the lowest score, None before the first.  Raises nothing."""
        return checkpoints_in(self._folder).get(self._best_number)

    def state(self) -> dict[str, Any]:
        """What a run that goes on has to know, as JSON can hold it.  Raises nothing."""
        return {"number": self._number, "best_number": self._best_number, "best_score": self._best_score}

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Take over what `state` returned.

        state: of another listener
        Raises ValueError for anything else.
        """
        if not isinstance(state, Mapping) or set(state) != set(self.state()):
            raise ValueError(f"CheckpointListener.set_state: needs {sorted(self.state())}, given {state!r}")
        self._number, self._best_number = int(state["number"]), int(state["best_number"])
        self._best_score = float(state["best_score"])

    def on_fit_start(self, model: Any, run: Any) -> None:
        check_told("on_fit_start", model, run)
        self._folder.mkdir(parents=True, exist_ok=True)
        remove_remains(self._folder)
        existing = checkpoints_in(self._folder)
        is_own = self._number or (run.resumed_from is not None and run.resumed_from.samefile(self._folder))
        if existing and not is_own:
            if not self._delete_existing:
                raise ValueError(
                    f"CheckpointListener: {self._folder} has checkpoints of another training; go on from them with "
                    "fit(..., resume_from=), give another folder, or delete them with delete_existing=True"
                )
            for path in existing.values():
                path.unlink()
        elif existing:
            self._number = max(existing)
            self._delete_old()
        self._note_place(model, run)

    def on_safe_point(self, model: Any, run: Any) -> None:
        check_told("on_safe_point", model, run)
        if self._is_due(model, run):
            self._save(model, run)

    def _is_due(self, model: Any, run: Any) -> bool:
        if not run.n_batches:
            if self._every_epochs is not None and model.epoch_count % self._every_epochs == 0:
                return True
            if self._keep_best and run.is_validated and self._score(run) < self._best_score:
                return True
        if self._every_iterations is not None:
            before, now = self._last_iteration, model.iteration_count
            if now // self._every_iterations > before // self._every_iterations:
                return True
        return self._seconds is not None and time.monotonic() - self._last_time >= self._seconds

    def _save(self, model: Any, run: Any) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        self._number += 1
        score = self._score(run)
        if score < self._best_score:
            self._best_number, self._best_score = self._number, score
        write_checkpoint(model, self._folder / checkpoint_name(self._number, model), run)
        self._delete_old()
        self._note_place(model, run)

    def _note_place(self, model: Any, run: Any) -> None:
        self._last_time, self._last_iteration = time.monotonic(), model.iteration_count
        self._last_place = len(run.history.iteration_scores)

    def _score(self, run: Any) -> float:
        """What the best is the lowest of; infinite for a checkpoint that cannot be."""
        history = run.history
        if run.is_validated:
            return math.inf if run.n_batches else float(history.validation_scores[-1])
        scores = history.iteration_scores[self._last_place :]
        return sum(scores) / len(scores) if scores else math.inf

    def _delete_old(self) -> None:
        if self._keep_last is None:
            return
        existing = checkpoints_in(self._folder)
        for number in list(existing)[: -self._keep_last]:
            is_kept = self._keep_every is not None and number % self._keep_every == 0
            if not is_kept and not (self._keep_best and number == self._best_number):
                existing[number].unlink(missing_ok=True)


def _optional(number: int | None, name: str) -> int | None:
    return None if number is None else checked_frequency(number, f"CheckpointListener: {name}")
