"""Every reduce and argreduce row of the table: of everything, of rows, of columns."""

import nd4py as nd

from . import FLOATS, N_THREADS, ROWS, Threaded, inputs_for, require, rows

AXES = {"all": None, "last": -1, "first": 0}


class TimeReduce(Threaded):
    """One reduction of a square, a tall and a wide matrix."""

    params = [
        rows("reduce") + rows("argreduce"),
        FLOATS,
        [(3200, 3200), (100_000, 32), (32, 100_000)],
        list(AXES),
        N_THREADS,
    ]
    param_names = ["op", "dtype", "shape", "axis", "n_threads"]

    def setup(self, op, dtype, shape, axis, n_threads):
        require(ROWS[op], dtype)
        self.call = getattr(nd, op)
        [self.x] = inputs_for(ROWS[op], dtype, shape)
        self.limit_threads(n_threads)

    def time_call(self, op, dtype, shape, axis, n_threads):
        self.call(self.x, axis=AXES[axis])


class TimeSoftmax(Threaded):
    """Reductions and maps together, along the last axis."""

    params = [["softmax", "log_softmax", "var"], FLOATS, [(4096, 4096), (100_000, 32)], N_THREADS]
    param_names = ["op", "dtype", "shape", "n_threads"]

    def setup(self, op, dtype, shape, n_threads):
        self.call = getattr(nd, op)
        self.x = nd.random.Generator(1).normal(shape, dtype=dtype)
        self.limit_threads(n_threads)

    def time_call(self, op, dtype, shape, n_threads):
        self.call(self.x, axis=-1)
