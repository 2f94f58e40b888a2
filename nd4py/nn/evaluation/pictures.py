"""Pictures of evaluations: confusion matrices, curves of scores, and reliability.

Design: figures are made without `pyplot`, which keeps those it made until they are closed, and may want a display.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

from nd4py import api as nd

INCHES = 5.0
MOST_NUMBERS = 20  # classes whose counts and names are written into a confusion matrix
MOST_CURVES = 10  # in a picture of all outputs
NOTHING = "no examples counted"


def drawn(panels: Sequence[Callable[[Any], None]], path: str | os.PathLike[str] | None) -> Any:
    """A figure of matplotlib with a panel beside the other, each drawn by a function; written to a file where asked.

    Raises ImportError without matplotlib, OSError where the file cannot be written, ValueError for an unknown ending,
    TypeError for a path that is none.
    """
    file = None if path is None else os.fspath(path)
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ImportError(f"plot needs matplotlib ({error}); install it with: pip install 'nd4py[examples]'") from None
    figure = Figure(figsize=(INCHES * len(panels), INCHES), layout="constrained")
    for axes, panel in zip(figure.subplots(1, len(panels), squeeze=False)[0], panels, strict=True):
        panel(axes)
    if file is not None:
        figure.savefig(file)
    return figure


def draw_matrix(axes: Any, counts: nd.NDArray | None, names: Sequence[str]) -> None:
    """The confusion matrix: colours are shares of each actual class, numbers the examples."""
    axes.set(title="confusion matrix", xlabel="predicted", ylabel="actual")
    if counts is None:
        _say_nothing(axes)
        return
    shares = nd.astype(counts, "float64") / nd.maximum(nd.sum(counts, axis=1, keepdims=True), 1)
    axes.imshow(shares.to_numpy(), cmap="Blues", vmin=0.0, vmax=1.0)
    if len(names) > MOST_NUMBERS:
        return
    axes.set_xticks(range(len(names)), names, rotation=90 if max(map(len, names)) > 3 else 0)
    axes.set_yticks(range(len(names)), names)
    for i, (row, of_row) in enumerate(zip(counts.tolist(), shares.tolist(), strict=True)):
        for j, (count, share) in enumerate(zip(row, of_row, strict=True)):
            axes.text(j, i, str(count), ha="center", va="center", color="white" if share > 0.5 else "black")


def draw_curves(
    axes: Any, kind: str, curves: Sequence[tuple[str, nd.NDArray, nd.NDArray]], chance: tuple[float, float] | None
) -> None:
    """Curves, each with its label, x and y; with the line of a choice by chance from one height to the other."""
    axes.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), aspect="equal")
    names = {"roc": ("false positive rate", "true positive rate"), "precision": ("recall", "precision")}
    axes.set(title={"roc": "ROC", "precision": "precision and recall"}[kind])
    axes.set(xlabel=names[kind][0], ylabel=names[kind][1])
    if not curves:
        _say_nothing(axes)
        return
    for label, x, y in curves:
        axes.plot(x.to_numpy(), y.to_numpy(), label=label)
    if chance is not None:
        axes.plot([0.0, 1.0], chance, color="grey", linestyle=":", label="by chance")
    axes.legend(loc="lower right" if kind == "roc" else "lower left")


def draw_reliability(axes: Any, probabilities: nd.NDArray | None, fractions: nd.NDArray | None, title: str) -> None:
    """How often what is said with a probability is so."""
    axes.set(title=title, xlabel="probability", ylabel="fraction that is so", aspect="equal")
    axes.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02))
    axes.plot([0.0, 1.0], [0.0, 1.0], color="grey", linestyle=":")
    if probabilities is None or fractions is None:
        _say_nothing(axes)
        return
    axes.plot(probabilities.to_numpy(), fractions.to_numpy(), marker="o")


def draw_histogram(axes: Any, edges: nd.NDArray | None, counts: nd.NDArray | None) -> None:
    """How many examples have which probability."""
    axes.set(title="probabilities", xlabel="probability", ylabel="examples")
    if edges is None or counts is None:
        _say_nothing(axes)
        return
    axes.stairs(counts.to_numpy(), edges.to_numpy(), fill=True)


def _say_nothing(axes: Any) -> None:
    axes.text(0.5, 0.5, NOTHING, ha="center", va="center", transform=axes.transAxes)
