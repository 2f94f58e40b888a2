"""Logs of training in files: tables of comma-separated values."""

from __future__ import annotations

import csv
import io
import os
from pathlib import Path
from typing import Any

from nd4py.api.arguments import having, whole
from nd4py.api.files.replacing import replacing

from .listeners import TrainingListener, check_told, checked_frequency

COLUMNS = ("epoch", "iteration", "score", "validation_score", "seconds")


class CSVLogListener(TrainingListener):
    """Writes a row to a file of comma-separated values every `frequency` iterations, and one at every end of an epoch.

    path: of the file; the first row are the names epoch, iteration, score, validation_score and seconds
    frequency: iterations between two rows; None writes at the ends of epochs alone
    append: go on with a file that is there, else it is replaced; a training that goes on from a checkpoint goes on with
        the file in either case, and rows of what was trained after the checkpoint are dropped
    epoch: whole epochs that are done    score: of the iteration's batch, or the mean of the epoch
    validation_score, seconds: of an epoch, empty elsewhere
    A row can be read as soon as its iteration or epoch is done.
    Raises ValueError for a frequency below 1, OSError where the file cannot be written.

    >>> net = nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(4))
    >>> log = train.CSVLogListener("log.csv")
    >>> history = net.fit(nd.ones((6, 4)), nd.one_hot([0, 1] * 3, 2), epochs=2, listeners=[log])
    >>> import pathlib
    >>> pathlib.Path("log.csv").read_text().split()[0]
    'epoch,iteration,score,validation_score,seconds'
    """

    def __init__(self, path: str | os.PathLike[str], *, frequency: int | None = None, append: bool = False) -> None:
        self._path = Path(path)
        who = "CSVLogListener: frequency"
        self._every = None if frequency is None else checked_frequency(frequency, who)
        self._is_new = not append

    def on_fit_start(self, model: Any, run: Any) -> None:
        check_told("on_fit_start", model, run)
        if run.resumed_from is not None and self._path.is_file():
            self._keep_until(model.iteration_count, model.epoch_count)

    def _keep_until(self, iteration: int, epoch: int) -> None:
        """Drop the rows of iterations and epochs that will come again, and one that was cut short."""
        with open(self._path, newline="") as file:
            titles, *rows = [*csv.reader(file)] or [[]]
        if tuple(titles) != COLUMNS:
            return
        rows = [row for row in rows if len(row) == len(COLUMNS) and int(row[0]) <= epoch and int(row[1]) <= iteration]
        with replacing(self._path) as file:
            text = io.StringIO(newline="")
            csv.writer(text, lineterminator="\n").writerows([titles, *rows])
            file.write(text.getvalue().encode())
        self._is_new = False

    def iteration_done(self, model: Any, iteration: int, epoch: int) -> None:
        having("iteration_done: model", model, "a network", "score_value")
        if self._every is not None and whole("iteration_done: iteration", iteration) % self._every == 0:
            self._write(epoch, iteration, model.score_value, "", "")

    def on_safe_point(self, model: Any, run: Any) -> None:
        check_told("on_safe_point", model, run)
        if run.n_batches:
            return
        history = run.history
        validation = history.validation_scores[-1] if history.validation_scores else ""
        self._write(model.epoch_count, model.iteration_count, history.scores[-1], validation, history.seconds[-1])

    def _write(self, *row: Any) -> None:
        is_empty = self._is_new or not self._path.exists() or not self._path.stat().st_size
        with open(self._path, "w" if self._is_new else "a", newline="") as file:
            self._is_new = False
            rows = csv.writer(file, lineterminator="\n")
            if is_empty:
                rows.writerow(COLUMNS)
            rows.writerow(row)
