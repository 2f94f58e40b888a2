"""Every reduce and argreduce row of the table: of everything, of rows, of columns."""

import nd4py as nd

from . import FLOATS, N_THREADS, ROWS, Threaded, inputs_for, require, rows

AXES = {"all": None, "last": -1, "first": 0}


def softmax(x, axis):
    e = nd.exp(x - nd.max(x, axis=axis, keepdims=True))
    return e / nd.sum(e, axis=axis, keepdims=True)


def layer_norm(x, axis):
    d = x - nd.mean(x, axis=axis, keepdims=True)
    return d / nd.sqrt(nd.mean(d * d, axis=axis, keepdims=True) + 1e-5)


BY_HAND = {"softmax": softmax, "layer_norm": layer_norm, "x / sum": lambda x, axis: x / x.sum(axis=axis, keepdims=True)}


class TimeReduce:
    """One reduction of a square and a tall matrix, on all threads."""

    params = [
        rows("reduce") + rows("argreduce"),
        FLOATS,
        [(4096, 4096), (100_000, 32)],
        list(AXES),
    ]
    param_names = ["op", "dtype", "shape", "axis"]

    def setup(self, op, dtype, shape, axis):
        require(ROWS[op], dtype)
        self.call = getattr(nd, op)
        [self.x] = inputs_for(ROWS[op], dtype, shape)

    def time_call(self, op, dtype, shape, axis):
        self.call(self.x, axis=AXES[axis])


class TimeNormalize:
    """Reductions and maps together, along one axis."""

    params = [
        ["softmax", "log_softmax", "layer_norm", "var", "std", "logsumexp"],
        [(4096, 4096), (100_000, 32)],
        [-1, 0],
    ]
    param_names = ["op", "shape", "axis"]

    def setup(self, op, shape, axis):
        self.call = getattr(nd, op, None)
        if self.call is None:
            raise NotImplementedError(op)
        self.x = nd.random.Generator(1).normal(size=shape, dtype="float32")

    def time_call(self, op, shape, axis):
        self.call(self.x, axis=axis)


class TimeByHand:
    """The same written out, and dividing by the sum; along every axis of four shapes."""

    params = [list(BY_HAND), [(4096, 4096), (100_000, 32), (20_000, 200), (1000, 64, 50)], [0, 1, -1]]
    param_names = ["function", "shape", "axis"]

    def setup(self, function, shape, axis):
        if axis == 1 and len(shape) == 2:
            raise NotImplementedError("that is the last axis")
        self.x, self.call = nd.random.Generator(1).uniform(0.5, 1.5, shape, dtype="float32"), BY_HAND[function]

    def time_call(self, function, shape, axis):
        self.call(self.x, axis).block()


class TimePositions:
    """Positions in rows of every length, which are found several rows at a time while they are short."""

    params = [["argmax", "argmin"], ["float32", "float64", "int8", "int32"]]
    params += [[(1_000_000, 3), (200_000, 16), (100_000, 33), (32_000, 100), (3200, 1000)]]
    param_names = ["op", "dtype", "shape"]

    def setup(self, op, dtype, shape):
        self.call = getattr(nd, op)
        self.x = nd.random.Generator(1).uniform(-50, 50, shape, dtype="float64").astype(dtype)
        self.x.block()

    def time_call(self, op, dtype, shape):
        self.call(self.x, axis=-1)


class TimeReduceThreads(Threaded):
    """The same sum on one thread and on all: everything, rows, columns, the middle axis, two axes at once."""

    params = [["sum", "max"], [None, -1, 0, 1, (0, 2)], N_THREADS]
    param_names = ["op", "axis", "n_threads"]

    def setup(self, op, axis, n_threads):
        self.call = getattr(nd, op)
        self.x = nd.random.Generator(1).normal(size=(200, 300, 200), dtype="float32")
        self.limit_threads(n_threads)

    def time_call(self, op, axis, n_threads):
        self.call(self.x, axis=axis)
