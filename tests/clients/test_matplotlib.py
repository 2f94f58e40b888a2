"""matplotlib draws our arrays, deferred or not, as it draws NumPy's."""

import numpy as np
import pytest

import nd4py as nd

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("agg")
pyplot = pytest.importorskip("matplotlib.pyplot")

LINE = np.asarray([1.0, 2.0, 3.0, 4.0])
IMAGE = np.arange(12.0).reshape(3, 4)

CALLS = {
    "plot": lambda axes, a: axes.plot(a(LINE), a(LINE) * 2),
    "bar": lambda axes, a: axes.bar(a(LINE), a(LINE)),
    "bar with names": lambda axes, a: axes.bar(["a", "b", "c", "d"], a(LINE), yerr=a(LINE)),
    "barh": lambda axes, a: axes.barh(a(LINE), a(LINE)),
    "hist": lambda axes, a: axes.hist(a(LINE), bins=a(LINE)),
    "hist of several": lambda axes, a: axes.hist([a(LINE), a(LINE)]),
    "errorbar": lambda axes, a: axes.errorbar(a(LINE), a(LINE), yerr=a(LINE)),
    "scatter": lambda axes, a: axes.scatter(a(LINE), a(LINE), c=a(LINE), s=a(LINE)),
    "fill_between": lambda axes, a: axes.fill_between(a(LINE), a(LINE), a(LINE) * 2),
    "stem": lambda axes, a: axes.stem(a(LINE), a(LINE)),
    "step": lambda axes, a: axes.step(a(LINE), a(LINE)),
    "stackplot": lambda axes, a: axes.stackplot(a(LINE), a(LINE), a(LINE)),
    "quiver": lambda axes, a: axes.quiver(a(LINE), a(LINE), a(LINE), a(LINE)),
    "pie": lambda axes, a: axes.pie(a(LINE)),
    "boxplot": lambda axes, a: axes.boxplot(a(IMAGE)),
    "violinplot": lambda axes, a: axes.violinplot(a(IMAGE)),
    "imshow": lambda axes, a: axes.imshow(a(IMAGE)),
    "pcolormesh": lambda axes, a: axes.pcolormesh(a(IMAGE)),
    "contour": lambda axes, a: axes.contour(a(IMAGE)),
    "hist2d": lambda axes, a: axes.hist2d(a(LINE), a(LINE)),
    "hexbin": lambda axes, a: axes.hexbin(a(LINE), a(LINE), gridsize=5),
    "limits": lambda axes, a: axes.set_xlim(a(LINE)[0], a(LINE)[3]),
    "ticks": lambda axes, a: axes.set_xticks(a(LINE)),
}


def drawn(call, make):
    """The pixels of a figure."""
    figure, axes = pyplot.subplots(figsize=(2, 2), dpi=40)
    call(axes, make)
    figure.canvas.draw()
    pixels = np.asarray(figure.canvas.buffer_rgba()).copy()
    pyplot.close(figure)
    return pixels


@pytest.mark.parametrize("name", CALLS)
def test_figures_are_those_of_numpys_arrays(name):
    assert np.array_equal(drawn(CALLS[name], nd.asarray), drawn(CALLS[name], np.asarray))
