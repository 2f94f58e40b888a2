"""Functions that look at values to check them, as ONNX files: the files do not check, and compute the same."""

import numpy as np
import onnxruntime
import pytest
from test_export_functions import exported, states

import nd4py as nd

X, WEIGHTS = states(3, 4), nd.asarray([0.5, 1.0, 2.0, 3.0], dtype="float32")
NUMBERS = nd.asarray([3, 0, 2, 2])


def written(write):
    """A function that writes to zeros, and returns them."""

    def function(x):
        y = nd.zeros((3, 4), dtype="float32")
        write(y, x)
        return y

    return function


CALLS = {
    "average": (lambda x, w: nd.average(x, axis=1, weights=w), X, WEIGHTS),
    "average of all": (lambda x: nd.average(x, weights=x**2, returned=True), X),
    "bincount": (lambda i: nd.bincount(i, minlength=6), NUMBERS),
    "bincount of weights": (lambda i, w: nd.bincount(i, weights=w, minlength=4), NUMBERS, WEIGHTS),
    "bincount of known numbers": (lambda w: nd.bincount(NUMBERS, weights=w), WEIGHTS),
    "choose": (lambda i: nd.choose(i % 2, [WEIGHTS, 0.0]), NUMBERS),
    "copyto": (written(lambda y, x: nd.copyto(y, x * 2, where=x > 0)), X),
    "digitize": (lambda x: nd.digitize(x, [-1.0, 0.0, 0.5]), X),
    "digitize by bins that rise or fall": (lambda x, bins: nd.digitize(x, bins, right=True), X, NUMBERS[:2]),
    "interp": (lambda x: nd.interp(x, [-1.0, 0.0, 1.0], [5.0, 3.0, 9.0]), X),
    "interp of values": (lambda x, y: nd.interp(x, [-1.0, 0.0, 1.0, 2.0], y, left=-9), X, WEIGHTS),
    "isin": (lambda i, j: nd.isin(i, j), NUMBERS, nd.asarray([2, 7])),
    "nanargmin": (lambda x: nd.nanargmin(nd.where(x > 1, nd.nan, x), axis=1), X),
    "partition": (lambda x: nd.sort(nd.partition(x, 2, axis=1)[:, :2], axis=1), X),
    "argpartition": (lambda x: nd.take_along_axis(x, nd.argpartition(x, 1, axis=1)[:, 1:2], axis=1), X),
    "putmask": (written(lambda y, x: nd.putmask(y, x > 0, [1.0, 2.0, 3.0])), X),
    "quantiles": (lambda x: (nd.quantile(x, 0.3, axis=1), nd.percentile(x, [10, 90]), nd.median(x, axis=0)), X),
    "ravel_multi_index": (lambda i: nd.ravel_multi_index((i, i), (4, 5)), NUMBERS),
    "shifts": (lambda i: (i << 3, (i - 2) >> 1, (i.astype("int8") - 2) << 4), NUMBERS),
    "unravel_index": (lambda x: nd.unravel_index(nd.argmax(x), x.shape), X),
}


@pytest.mark.parametrize("name", CALLS)
def test_calls(name, tmp_path):
    function, *inputs = CALLS[name]
    exported(function, str(tmp_path / "f.onnx"), inputs)


def test_the_example_is_checked(tmp_path):
    for function, given in (
        (lambda w: nd.average(X, axis=1, weights=w), WEIGHTS * 0),
        (lambda i: nd.unravel_index(i, (2, 2)), NUMBERS + 1),
        (lambda i: nd.bincount(i, minlength=9), NUMBERS - 1),
        (lambda x: nd.nanargmax(x, axis=1), X * nd.nan),
    ):
        with pytest.raises((ValueError, ZeroDivisionError)):
            nd.onnx.export(function, tmp_path / "f.onnx", given)


def test_numbers_beyond_the_counts_are_errors_of_runtimes(tmp_path):
    path = str(tmp_path / "f.onnx")
    nd.onnx.export(lambda i: nd.bincount(i, minlength=4), path, NUMBERS)
    for beyond in (np.asarray([0, 4, 1, 1]), np.asarray([0, -1, 1, 1])):
        with pytest.raises(IndexError):
            nd.onnx.load(path).run([beyond])
        with pytest.raises(Exception, match="out of data bounds"):  # its classes are private
            onnxruntime.InferenceSession(path).run(None, {"i": beyond})


def test_refusals_say_what_to_write_instead(tmp_path):
    for function, given, way in (
        (nd.bincount, NUMBERS, "give minlength="),
        (lambda i: nd.bincount(i, minlength=2), NUMBERS, "give minlength="),
        (lambda x: nd.histogram(x, bins=3)[0], X, "give range="),
        (lambda x: nd.unique(x), X, "nd.isin"),
        (lambda x: nd.unique_values(x), X, "nd.isin"),
        (lambda x: nd.linalg.inv(x[:, :3]), X, "compute them outside"),
    ):
        with pytest.raises(NotImplementedError, match=way):
            nd.onnx.export(function, tmp_path / "f.onnx", given)
