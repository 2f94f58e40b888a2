"""A log of training as a Parquet file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from nd4py.api.arguments import having, whole
from nd4py.api.files.replacing import replacing
from nd4py.data.optional_packages import optional

from .listeners import TrainingListener, check_told, checked_frequency
from .logs import COLUMNS

Row = tuple[int, int, float, float | None, float | None]


class ParquetLogListener(TrainingListener):
    """Writes what `CSVLogListener` does to a Parquet file, for pandas, polars and Arrow.

    path: of the file; columns are epoch, iteration, score, validation_score and seconds
    frequency: iterations between two rows; None has rows for the ends of epochs alone
    The file is replaced at every end of an epoch and of training, and is whole at any time.  A training that goes on
    from a checkpoint goes on with the file, without the rows of what was trained after the checkpoint.
    Raises ImportError without pyarrow, ValueError for a frequency below 1, OSError where the file cannot be written.

    >>> net = nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(4))
    >>> log = train.ParquetLogListener("log.parquet", frequency=1)
    >>> history = net.fit(nd.ones((6, 4)), nd.one_hot([0, 1] * 3, 2), epochs=2, listeners=[log])
    >>> [row[:2] for row in data.ParquetRecordReader("log.parquet", ["epoch", "iteration"])]
    [[0, 1], [1, 1], [1, 2], [2, 2]]
    """

    def __init__(self, path: str | os.PathLike[str], *, frequency: int | None = None) -> None:
        self._path = Path(path)
        who = "ParquetLogListener: frequency"
        self._every = None if frequency is None else checked_frequency(frequency, who)
        self._rows: list[Row] = []
        assert self._parquet  # now, not at the end of an epoch

    @property
    def _parquet(self) -> Any:
        """pyarrow's module: looked up, so that listeners can be copied."""
        return optional("pyarrow.parquet", "ParquetLogListener")

    def on_fit_start(self, model: Any, run: Any) -> None:
        check_told("on_fit_start", model, run)
        if run.resumed_from is not None and not self._rows and self._path.is_file():
            columns = self._parquet.read_table(self._path, columns=list(COLUMNS)).to_pydict()
            self._rows = list(zip(*(columns[name] for name in COLUMNS), strict=True))
        if run.resumed_from is not None:
            place = model.epoch_count, model.iteration_count
            self._rows = [row for row in self._rows if row[0] <= place[0] and row[1] <= place[1]]

    def iteration_done(self, model: Any, iteration: int, epoch: int) -> None:
        having("iteration_done: model", model, "a network", "score_value")
        if self._every is not None and whole("iteration_done: iteration", iteration) % self._every == 0:
            self._rows.append((epoch, iteration, float(model.score_value), None, None))

    def on_safe_point(self, model: Any, run: Any) -> None:
        check_told("on_safe_point", model, run)
        if run.n_batches:
            return
        history = run.history
        validated = float(history.validation_scores[-1]) if history.validation_scores else None
        score, seconds = float(history.scores[-1]), float(history.seconds[-1])
        self._rows.append((model.epoch_count, model.iteration_count, score, validated, seconds))
        self._write()

    def on_fit_end(self, model: Any, run: Any) -> None:
        check_told("on_fit_end", model, run)
        self._write()

    def _write(self) -> None:
        arrow = optional("pyarrow", "ParquetLogListener")
        types = (arrow.int64(), arrow.int64(), arrow.float64(), arrow.float64(), arrow.float64())
        columns = zip(*self._rows, strict=True) if self._rows else [()] * len(COLUMNS)
        arrays = [arrow.array(column, kind) for column, kind in zip(columns, types, strict=True)]
        with replacing(self._path) as file:
            self._parquet.write_table(arrow.table(arrays, names=list(COLUMNS)), file)
