"""Every map row of the table, with results written to memory that is already there."""

import nd4py as nd

from . import FLOATS, N_THREADS, ROWS, SIZES, Threaded, inputs_for, outputs_for, params_for, require, rows


class TimeMap(Threaded):
    """One operation on contiguous operands of one shape."""

    params = [rows("map"), FLOATS, SIZES, N_THREADS]
    param_names = ["op", "dtype", "n", "n_threads"]

    def setup(self, op, dtype, n, n_threads):
        row = ROWS[op]
        require(row, dtype)
        self.call, self.keywords = getattr(nd, op), params_for(row)
        self.inputs, self.out = inputs_for(row, dtype, n), outputs_for(row, dtype, n)
        self.limit_threads(n_threads)

    def time_call(self, op, dtype, n, n_threads):
        self.call(*self.inputs, out=self.out, **self.keywords)


class TimeBroadcast(Threaded):
    """Layouts that are not one straight line: a row or a column repeated, and a transposed operand."""

    params = [["row", "column", "transposed"], FLOATS, N_THREADS]
    param_names = ["layout", "dtype", "n_threads"]

    def setup(self, layout, dtype, n_threads):
        n = 3200
        self.x, self.out = nd.ones((n, n), dtype=dtype), nd.zeros((n, n), dtype=dtype)
        shapes = {"row": (1, n), "column": (n, 1), "transposed": (n, n)}
        self.y = nd.ones(shapes[layout], dtype=dtype)
        self.y = self.y.T if layout == "transposed" else self.y
        self.limit_threads(n_threads)

    def time_add(self, layout, dtype, n_threads):
        nd.add(self.x, self.y, out=self.out)


class TimeCast(Threaded):
    """`astype` between every pair of these dtypes."""

    params = [["float16", "bfloat16", *FLOATS, "int32"]] * 2 + [N_THREADS]
    param_names = ["from_dtype", "to_dtype", "n_threads"]

    def setup(self, from_dtype, to_dtype, n_threads):
        self.x = nd.ones(10_000_000, dtype=from_dtype)
        self.limit_threads(n_threads)

    def time_astype(self, from_dtype, to_dtype, n_threads):
        self.x.astype(to_dtype)
