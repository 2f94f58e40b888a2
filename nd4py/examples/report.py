"""Pictures of a training: the score curve above, the misread digits below."""

from __future__ import annotations

import math
from typing import NamedTuple

import nd4py as nd

from .extras import extra

IMAGE_SIZE = 28
N_COLUMNS = 8
MAX_MISREAD = 32
CURVE_INCHES, ROW_INCHES = 3.8, 1.45
# Iterations before and after that are averaged into one point of the smooth curve.
REACH = 6
BLUE, RED, GREY = "#2a6f97", "#c1121f", "#a9bcd0"


class Misread(NamedTuple):
    """A digit the network got wrong."""

    pixels: list
    actual: int
    predicted: int


def find_misread(model, iterator):
    """Every digit of `iterator` that `model` reads as another one."""
    found = []
    for batch in iterator:
        actual = nd.argmax(batch.labels, axis=1)
        predicted = nd.argmax(model.output(batch.features), axis=1)
        for row, (right, said) in enumerate(zip(actual.tolist(), predicted.tolist(), strict=True)):
            if right != said:
                pixels = batch.features[row].reshape((IMAGE_SIZE, IMAGE_SIZE)).tolist()
                found.append(Misread(pixels, right, said))
    return found


def save_picture(path, scores, misread, accuracy, n_test):
    """Write the score of every iteration and the first misread digits to a PNG file."""
    shown = misread[:MAX_MISREAD]
    n_rows = max(1, math.ceil(len(shown) / N_COLUMNS))
    heights = CURVE_INCHES, 0.5 + ROW_INCHES * n_rows
    figure = extra("matplotlib.figure").Figure(figsize=(9, sum(heights)))
    figure.set_layout_engine("constrained", w_pad=0.08, h_pad=0.08)
    above, below = figure.subfigures(2, 1, height_ratios=heights)
    _draw_scores(above.subplots(), scores)
    title = f"test accuracy {accuracy:.4f}: {len(misread)} of {n_test} digits misread"
    if len(shown) < len(misread):
        title += f", the first {len(shown)} shown"
    below.suptitle(title, fontsize=11)
    _draw_digits(below.subplots(n_rows, N_COLUMNS, squeeze=False), shown)
    figure.savefig(path, dpi=120)


def _draw_scores(axes, scores):
    iterations = range(1, len(scores) + 1)
    axes.plot(iterations, scores, color=GREY, linewidth=1.0, label="score of each iteration")
    axes.plot(iterations, _smooth(scores), color=BLUE, linewidth=2.0, label=f"mean of {2 * REACH + 1} iterations")
    axes.set(yscale="log", xlabel="iteration", ylabel="score (loss and L2 penalty)", xlim=(1, max(2, len(scores))))
    axes.set_title("score while training", fontsize=11)
    axes.yaxis.set_major_locator(extra("matplotlib.ticker").LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_major_formatter("{x:g}")
    axes.yaxis.set_minor_formatter("")
    axes.grid(visible=True, which="major", color="#e6e6e6")
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)


def _smooth(scores):
    windows = (scores[max(0, middle - REACH) : middle + REACH + 1] for middle in range(len(scores)))
    return [math.fsum(window) / len(window) for window in windows]


def _draw_digits(grid, misread):
    for axes in grid.flat:
        axes.set_axis_off()
    for axes, digit in zip(grid.flat, misread, strict=False):
        axes.imshow(digit.pixels, cmap="gray_r", vmin=0.0, vmax=1.0)
        axes.set_title(f"{digit.actual} read as {digit.predicted}", fontsize=9, color=RED, pad=4)
