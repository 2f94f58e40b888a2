"""TrainableModel: `fit` and `predict` of networks."""

from __future__ import annotations

import os
import time
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from nd4py import api as nd
from nd4py.api.arguments import methods_by_name

from ..networks.batches import Batch, epochs_of, features_of, parts_of
from ..networks.model import Model
from .example_weights import training_sources
from .history import History
from .keyboard import StepwiseInterrupts
from .other_names import OtherNames, telling_fit
from .progress_bar import progress_listeners
from .resuming import checkpoints_in, go_on_from
from .sources import feature_source, labels_and_epochs
from .training_run import TrainingRun, checked_listeners, tell

Note = Callable[[int, float, int], None]  # of iteration, score and number of examples, after each step


@methods_by_name
class TrainableModel(Model, OtherNames):
    """The base class of models that `fit` trains, batch by batch.

    is_stopping: `stop_fit` was called
    Raises TypeError and ValueError as the configuration does.
    """

    @abstractmethod
    def score(self, data: Any, labels: Any = None, *, train: bool = False) -> float:
        """Mean loss over the examples of `data`, with `labels` where it is their features alone."""

    @abstractmethod
    def _fit_parts(self, parts: Batch, note: Note | None = None) -> float:
        """One batch of training; its steps are noted."""

    @abstractmethod
    def _output_of(self, parts: Batch) -> Any:
        """The outputs of a batch: an array, or a tuple of arrays."""

    @telling_fit
    def fit(
        self,
        x: Any,
        y: Any = None,
        *,
        epochs: int = 1,
        batch_size: int | None = None,
        shuffle: bool = True,
        validation_data: Any = None,
        validation_split: float = 0.0,
        class_weight: Any = None,
        sample_weight: Any = None,
        listeners: Any = (),
        resume_from: str | os.PathLike[str] | None = None,
        verbose: bool | str = "auto",
    ) -> History:
        """Train on every batch of the data, `epochs` times.

        x: with `y` the features of all examples, an array or a frame, or one for each input by a tuple or dict;
            alone an iterator over batches, a data set with .features and .labels (and masks), or (features, labels)
            A frame is of pandas or polars, or a table of Arrow, with columns of numbers and bools
        y: the labels of all examples, (n,) where there is one output; a whole number in its place stands for `epochs`
        batch_size: examples per step; None cuts `x` and `y` into batches of 32, and takes a data set or pair as one
            batch, as it is
        shuffle: draw a new order of arrays for each epoch, which follows from the network's seed and the number of the
            epoch alone
        validation_data: whose score is computed after each epoch: a pair, a data set, or batches to loop over; or
            (features, labels, weights) with a weight for each example
        validation_split: the share of arrays, or of a data set, that is kept apart in place of `validation_data`: the
            last examples in the order they are given in
        class_weight: what the loss of an example is multiplied by, by its class: a dict of numbers of classes to
            weights, 1 for those that are not in it, or "balanced", n_examples / (n_classes * examples of the class);
            for labels that are one class an example.  Validation does without
        sample_weight: what the loss of each example is multiplied by, (n,), of arrays or a data set, beside
            `class_weight` and masks; validation by `validation_split` too.  A score is the sum over the examples of a
            batch divided by their number
        listeners: one or several that are called during this training, after those of `set_listeners`
        resume_from: a folder of a `train.CheckpointListener`: the newest checkpoint in it is taken over, and training
            goes on from there to the end of `epochs`, with the bits of a run that was never stopped; without any it
            begins anew.  Network and data must be those of the run before: iterators with `state()` and `set_state()`
            go on at their place, others are read again up to it
        verbose: True shows progress, by tqdm where it is installed; "auto" where standard error is a terminal
        Ctrl-C ends the training between two steps: parameters, updater state and counters then belong together.
        Returns a `History` of scores and times.
        Raises ValueError for batches that do not fit, epochs less than 1, when the data is used up before the last, for
        weights and a split that do not go with the data, and for a checkpoint that is damaged or of another network;
        FloatingPointError when a score is not finite.
        """
        y, epochs = labels_and_epochs(y, epochs, "fit")
        n_epochs = epochs_of(epochs)
        seed = self.configuration.seed if shuffle else None
        source, validation = training_sources(
            x, y, batch_size, seed, validation_data, validation_split, sample_weight, class_weight
        )
        run = TrainingRun(self, source, n_epochs, validation)
        own = [*checked_listeners(listeners), *progress_listeners(verbose, run)]
        checkpoints = {} if resume_from is None else checkpoints_in(resume_from)
        newest = checkpoints[max(checkpoints)] if checkpoints else None
        with StepwiseInterrupts() as interrupts:
            return self._run_with(own, run, interrupts, newest)

    def _run_with(
        self, own: Sequence[Any], run: TrainingRun, interrupts: StepwiseInterrupts, checkpoint: Path | None
    ) -> History:
        """Carry out a run of training, with listeners of its own, from a checkpoint or anew."""
        interrupts.begin_step()
        self.is_stopping = False
        self.add_listeners(*own)
        try:
            if checkpoint is not None:
                go_on_from(self, checkpoint, run, self._take_over)
            interrupts.end_step()
            return run.go(self._fit_noted, self._timed, self._count_epoch, interrupts)
        finally:
            interrupts.begin_step()
            self.listeners = [each for each in self.listeners if not any(each is one for one in own)]

    def stop_fit(self) -> None:
        """End the `fit` that is under way after its batch; for listeners and other threads.  Raises nothing."""
        self.is_stopping = True

    def predict(self, x: Any, *, batch_size: int = 128, mask: Any = None) -> Any:
        """The outputs for all examples, computed batch by batch.

        x: the features of all examples, an array or a frame, or one for each input by a tuple or dict; or an iterator
            over batches, whose labels are not looked at
        batch_size: examples of arrays that are computed at once
        mask: of arrays of sequences, (batch, length), 1 at steps that are there and 0 at padding; or one (or None) for
            each input
        Returns an array, or a tuple of arrays for several outputs, with a row for each example.
        Raises ValueError for no examples, shapes that do not fit and batches of less than 1, TypeError for a mask
        beside batches.
        """
        found = []
        for batch in feature_source(x, batch_size, self._n_inputs(), mask).batches(0, 0):
            outputs = self._output_of(features_of(batch))
            found.append(outputs if isinstance(outputs, tuple) else (outputs,))
        if not found:
            raise ValueError("predict: no examples in x")
        columns = [parts[0] if len(parts) == 1 else nd.concat(list(parts)) for parts in zip(*found, strict=True)]
        return columns[0] if len(columns) == 1 else tuple(columns)

    def _n_inputs(self) -> int:
        """How many arrays make an example."""
        return 1

    def _fit_noted(self, batch: Any, history: History) -> None:
        self._fit_parts(parts_of(batch), history.add_iteration)

    def _count_epoch(self) -> None:
        with self._lock:
            self.epoch_count += 1

    def _timed(self, batches: Iterable[Any]) -> Iterator[Any]:
        """The batches, with the time each took to come noted in `last_etl_ms`."""
        source, end = iter(batches), object()
        while True:
            start = time.perf_counter()
            batch = next(source, end)
            self.last_etl_ms = 1e3 * (time.perf_counter() - start)
            if batch is end:
                return
            yield batch

    def _tell(self, event: str, *details: Any) -> None:
        tell(self, event, *details)
