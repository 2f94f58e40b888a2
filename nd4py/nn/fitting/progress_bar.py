"""Progress of training in a terminal."""

from __future__ import annotations

import importlib
import sys
from typing import Any


class Progress:
    """Shows epochs, batches and scores on standard error: a bar of tqdm, or a line per epoch where it is missing.

    run: the training    bar: tqdm's class, or None
    """

    def __init__(self, run: Any, bar: Any) -> None:
        self._run, self._class = run, bar
        self._bar: Any = None

    def __getstate__(self) -> dict[str, Any]:
        """A bar belongs to its terminal: a copy shows nothing until its first epoch."""
        return {"_run": None, "_class": None, "_bar": None}

    def on_epoch_start(self, model: Any) -> None:
        if self._class is not None:
            self._bar = self._class(
                desc=f"epoch {self._run.n_epochs + 1}/{self._run.epochs}",
                total=self._run.batches_per_epoch,
                initial=self._run.n_batches,
                unit="batch",
                file=sys.stderr,
            )

    def on_safe_point(self, model: Any, run: Any) -> None:
        if self._bar is not None and run.n_batches:
            # Without `refresh` the bar decides by its own clock when to draw.
            self._bar.set_postfix_str(f"score {model.score_value:.4g}", refresh=False)
            self._bar.update()

    def on_epoch_end(self, model: Any) -> None:
        if self._run is None:
            return
        history = self._run.history
        text = f"score {history.scores[-1]:.4g}"
        if history.validation_scores:
            text += f", validation {history.validation_scores[-1]:.4g}"
        if self._bar is None:
            number = f"epoch {self._run.n_epochs}/{self._run.epochs}"
            print(f"{number}: {text}, {history.seconds[-1]:.1f} s", file=sys.stderr)
            return
        self._bar.set_postfix_str(text)
        self._close()

    def on_fit_end(self, model: Any, run: Any) -> None:
        self._close()

    def _close(self) -> None:
        bar, self._bar = self._bar, None
        if bar is not None:
            bar.close()


def progress_listeners(verbose: Any, run: Any) -> list[Progress]:
    """What shows the progress of `run`, if it shall be shown.

    Raises ValueError unless `verbose` is True, False or "auto".
    """
    if verbose not in (True, False, "auto") or not isinstance(verbose, bool | int | str):
        raise ValueError(f'fit: verbose is True, False or "auto", given {verbose!r}')
    is_step = run.epochs == 1 and run.batches_per_epoch == 1  # of a loop of the caller's
    if not verbose or (verbose == "auto" and (is_step or not _is_terminal())):
        return []
    try:
        return [Progress(run, importlib.import_module("tqdm").tqdm)]
    except ImportError:
        return [Progress(run, None)]


def _is_terminal() -> bool:
    try:
        return sys.stderr.isatty()
    except (AttributeError, ValueError):  # there is none, or it is closed
        return False
