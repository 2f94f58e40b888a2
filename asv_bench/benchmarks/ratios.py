"""nd4py's time over NumPy's for the same work: the two take turns in one process, and the medians are compared."""

import math
import operator
import statistics
import time

import numpy as np

import nd4py as nd

from . import FLOATS, ROWS, inputs_for, params_for, require, rows

N_TURNS = 5
MIN_SECONDS = 0.001  # of one turn
UNIT = "nd4py / numpy"
AXES = {"all": None, "last": -1, "first": 0}
# References that call Python for every element are no measure.
COMPARED = [name for name in rows("map") if ROWS[name].ref and "vectorize" not in ROWS[name].ref]
REDUCED = [name for name in rows("reduce") + rows("argreduce") if ROWS[name].ref]
LARGE = ["add", "multiply", "divide", "sqrt", "exp", "log", "sin", "tanh", "sigmoid", "pow", "maximum", "where"]
SMALL = {
    "a + b": lambda xp, a, b: a + b,
    "a += b": lambda xp, a, b: operator.iadd(a, b),
    "a + 1.0": lambda xp, a, b: a + 1.0,
    "sum": lambda xp, a, b: xp.sum(a),
    "slice": lambda xp, a, b: a[2:8],
    "reshape": lambda xp, a, b: a.reshape(2, 5),
    "empty(256)": lambda xp, a, b: xp.empty(256),
    "chain of 8": lambda xp, a, b: ((a + b) * a - b) * b + a - b * a + b,
}
PRODUCTS = {
    "64": ((64, 64), (64, 64)),
    "512": ((512, 512), (512, 512)),
    "dense": ((128, 800), (800, 500)),
    "tall-skinny": ((100_000, 32), (32, 32)),
    "batched": ((256, 64, 64), (256, 64, 64)),
    "matvec": ((4096, 4096), (4096,)),
}


def seconds(call, n_calls):
    """Mean seconds of `n_calls` calls in a row."""
    start = time.perf_counter()
    for _ in range(n_calls):
        call()
    return (time.perf_counter() - start) / n_calls


def ratio(ours, theirs):
    """The median time of one call over that of another; the first turn of each is not counted."""
    calls = {}
    for call in (ours, theirs):
        call()
        calls[call] = max(1, int(MIN_SECONDS / max(seconds(call, 1), 1e-9)))
    times = {call: [] for call in calls}
    for _ in range(N_TURNS):
        for call, n_calls in calls.items():
            times[call].append(seconds(call, n_calls))
    return statistics.median(times[ours]) / statistics.median(times[theirs])


def finished(result):
    """One result or several, when their values are there: what is deferred and dropped is never computed."""
    for array in result if isinstance(result, tuple) else (result,):
        array.block()


def reference(op, inputs, **keywords):
    """A call of the row's NumPy reference on NumPy's views of the inputs."""
    names = dict(zip(op.args, map(np.asarray, inputs), strict=True)) | params_for(op) | keywords
    function = eval(f"lambda {', '.join(names)}: {op.ref}", {"np": np, "math": math})
    return lambda: function(**names)


class TrackSmall:
    """Ten elements."""

    params = [list(SMALL)]
    param_names = ["call"]
    unit = UNIT

    def track_ratio(self, call):
        a, b = np.arange(10.0), np.zeros(10)
        ours, theirs = nd.asarray(a, copy=True), nd.asarray(b, copy=True)
        return ratio(lambda: SMALL[call](nd, ours, theirs), lambda: SMALL[call](np, a, b))


class TrackMap:
    """Every map row of the table with a reference: float32, or int32 where it takes whole numbers."""

    params = [COMPARED]
    param_names = ["op"]
    unit = UNIT
    n = 100_000

    def track_ratio(self, op):
        row = ROWS[op]
        dtype = "float32" if "float32" in row.types else "int32"
        inputs, keywords, call = inputs_for(row, dtype, self.n), params_for(row), getattr(nd, op)
        with np.errstate(all="ignore"):
            return ratio(lambda: finished(call(*inputs, **keywords)), reference(row, inputs))


class TrackLargeMap(TrackMap):
    """Some of them on more than the caches hold."""

    params = [LARGE]
    n = 10_000_000


class TrackReduce:
    """Every reduction of the table: of everything, of rows, of columns."""

    params = [REDUCED, [(1000, 1000), (100_000, 32)], list(AXES)]
    param_names = ["op", "shape", "axis"]
    unit = UNIT

    def setup(self, op, shape, axis):
        require(ROWS[op], "float32")

    def track_ratio(self, op, shape, axis):
        row = ROWS[op]
        inputs, call, axes = inputs_for(row, "float32", shape), getattr(nd, op), AXES[axis]
        with np.errstate(all="ignore"):
            return ratio(lambda: call(*inputs, axis=axes), reference(row, inputs, axis=axes, keepdims=False))


class TrackProduct:
    """Matrix products."""

    params = [list(PRODUCTS), FLOATS]
    param_names = ["shapes", "dtype"]
    unit = UNIT

    def track_ratio(self, shapes, dtype):
        a, b = (nd.random.Generator(1).normal(size=shape, dtype=dtype) for shape in PRODUCTS[shapes])
        x, y = np.asarray(a), np.asarray(b)
        return ratio(lambda: a @ b, lambda: x @ y)
