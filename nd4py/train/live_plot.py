"""LivePlotListener: the scores of a training as a picture that is drawn again while it goes on."""

from __future__ import annotations

import io
import math
import time
from collections.abc import Callable
from typing import Any

from .listeners import TrainingListener, check_told
from .watching import checked_seconds

INCHES = (9.0, 3.5)


class LivePlotListener(TrainingListener):
    """Draws scores of batches, and of epochs beside them, in a notebook: one picture, drawn again as training goes on.

    seconds: between two drawings at least; the last one is at the end of training
    show: what is given each figure of matplotlib, for other places than notebooks; None shows it by IPython
    Raises ImportError without matplotlib, or without IPython where `show` is None; ValueError for a time below 0;
    RuntimeError when training begins where no notebook is and `show` is None.

    >>> net = nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(4))
    >>> figures = []
    >>> plot = train.LivePlotListener(seconds=60, show=figures.append)
    >>> history = net.fit(nd.ones((6, 4)), nd.one_hot([0, 1] * 3, 2), epochs=2, listeners=[plot])
    >>> [axes.get_title() for axes in figures[-1].axes]
    ['batches', 'epochs']
    """

    def __init__(self, *, seconds: float = 1.0, show: Callable[[Any], object] | None = None) -> None:
        self._seconds = checked_seconds(seconds, "LivePlotListener: seconds")
        if show is not None and not callable(show):
            raise TypeError(f"LivePlotListener: show must be a function of a figure, given {type(show).__name__}")
        self._show = show
        self._shown: Callable[[Any], object] | None = None  # of the training under way
        self._last = -math.inf
        _figure_class()  # now, not in the first epoch
        if show is None:
            _display()

    def __getstate__(self) -> dict[str, Any]:
        """All but the picture: a copy has one of its own."""
        return vars(self) | {"_shown": None}

    def on_fit_start(self, model: Any, run: Any) -> None:
        check_told("on_fit_start", model, run)
        self._shown, self._last = self._show or _in_notebook(), -math.inf

    def on_safe_point(self, model: Any, run: Any) -> None:
        check_told("on_safe_point", model, run)
        if time.monotonic() - self._last >= self._seconds:
            self._draw(run.history)

    def on_fit_end(self, model: Any, run: Any) -> None:
        check_told("on_fit_end", model, run)
        self._draw(run.history)

    def _draw(self, history: Any) -> None:
        if self._shown is None:  # told outside of a training
            self._shown = self._show or _in_notebook()
        self._shown(figure_of(history))
        self._last = time.monotonic()  # what drawing takes does not count


def figure_of(history: Any) -> Any:
    """A figure of the scores in a history."""
    figure = _figure_class()(figsize=INCHES, layout="constrained")
    batches, epochs = figure.subplots(1, 2)
    batches.set(title="batches", xlabel="iteration", ylabel="score")
    batches.plot(history.iterations, history.iteration_scores, linewidth=0.8)
    epochs.set(title="epochs", xlabel="epoch", ylabel="score")
    epochs.plot(history.epochs, history.scores, marker=".", label="training")
    if history.validation_scores:
        numbers = history.epochs[len(history.epochs) - len(history.validation_scores) :]
        epochs.plot(numbers, history.validation_scores, marker=".", label="validation")
    if history.epochs:
        epochs.legend()
    return figure


def _in_notebook() -> Callable[[Any], object]:
    """Shows a figure in the cell that runs, and the following ones in its place."""
    module = _display()
    handles: list[Any] = []

    def show(figure: Any) -> None:
        file = io.BytesIO()
        figure.savefig(file, format="png")
        # As an image: figures are shown as such only where the kernel was told to, by %matplotlib or pyplot.
        image = module.Image(data=file.getvalue())
        if handles:
            handles[0].update(image)
            return
        handle = module.display(image, display_id=True)
        if handle is None:  # IPython is installed, and nothing of it runs
            raise RuntimeError(
                "LivePlotListener: this program runs in no notebook; give show=, a function of a figure, or take "
                "train.CSVLogListener or train.TensorBoardListener"
            )
        handles.append(handle)

    return show


def _figure_class() -> Any:
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ImportError(f"LivePlotListener needs matplotlib ({error}): pip install 'nd4py[examples]'") from None
    return Figure


def _display() -> Any:
    try:
        from IPython import display
    except ImportError as error:
        raise ImportError(
            f"LivePlotListener shows figures by IPython ({error}); give show=, a function of a figure, elsewhere"
        ) from None
    return display
