"""Programs catch errors of NumPy's classes, and of those that nd4py's functions have elsewhere."""

import numpy
import pytest

import nd4py as nd

# What is wrong, and the class that nd4py's other functions raise for such mistakes.
MISTAKES = {
    "steps of 0": (lambda np: np.arange(0, 3, 0), ValueError),
    "steps of 0.0": (lambda np: np.arange(0.0, 3.0, 0.0), ValueError),
    "steps of 0, of a dtype": (lambda np: np.arange(0, 3, 0, dtype="float32"), ValueError),
    "points and values of other lengths": (lambda np: np.polyfit([1.0, 2.0], [1.0], 1), ValueError),
    "points with axes": (lambda np: np.polyfit([[1.0, 2.0]], [1.0, 2.0], 1), ValueError),
    "values with axes": (lambda np: np.polyfit([1.0], [[[1.0]]], 1), ValueError),
    "no points": (lambda np: np.polyfit([], [], 1), ValueError),
    "weights of another length": (lambda np: np.polyfit([1.0, 2.0], [1.0, 2.0], 1, w=[1.0]), ValueError),
    "a negative degree": (lambda np: np.polyfit([1.0, 2.0], [1.0, 2.0], -1), ValueError),
    "weights of another shape": (lambda np: np.average([1.0, 2.0], weights=[1.0]), ValueError),
    "weights of another shape, of an axis": (lambda np: np.average([1.0, 2.0], axis=0, weights=[1.0]), ValueError),
    "weights that add up to 0": (lambda np: np.average([1.0, 2.0], weights=[1.0, -1.0]), ZeroDivisionError),
    "limits of floats as of ints": (lambda np: np.iinfo(float), TypeError),
    "limits of bools as of ints": (lambda np: np.iinfo(bool), TypeError),
    "limits of ints as of floats": (lambda np: np.finfo(int), TypeError),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_errors_are_of_both_classes(name):
    program, elsewhere = MISTAKES[name]
    with pytest.raises(Exception) as theirs:  # noqa: PT011 - whatever NumPy raises
        program(numpy)
    with pytest.raises(theirs.type, match="^(arange|polyfit|average|iinfo|finfo): ") as ours:
        program(nd)
    assert isinstance(ours.value, elsewhere)


WRONG_AXES = {
    "sum": lambda np, x: x.sum(axis=2),
    "mean of axes": lambda np, x: np.mean(x, axis=(0, -3)),
    "sort": lambda np, x: np.sort(x, axis=2),
    "concatenate": lambda np, x: np.concatenate([x, x], axis=5),
    "moveaxis": lambda np, x: np.moveaxis(x, 3, 0),
    "swapaxes": lambda np, x: np.swapaxes(x, 0, 5),
    "cumsum": lambda np, x: np.cumsum(x, axis=-3),
    "expand_dims": lambda np, x: np.expand_dims(x, 4),
    "unstack": lambda np, x: np.unstack(x, axis=2),
}


@pytest.mark.parametrize("name", WRONG_AXES)
def test_axes_that_an_array_has_not_are_errors_of_values_and_of_indices(name):
    for kind in (ValueError, IndexError):
        for library in (numpy, nd):
            with pytest.raises(kind, match="axis"):
                WRONG_AXES[name](library, library.ones((2, 3)))
