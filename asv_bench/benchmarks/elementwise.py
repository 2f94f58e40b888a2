"""Every map row of the table; halves, layouts, large results, and conversions."""

from inspect import signature

import nd4py as nd

from . import FLOATS, N_THREADS, PLACES, ROWS, Threaded, inputs_for, outputs_for, params_for, require, rows

HALVES = ["float16", "bfloat16"]
LAYOUTS = {
    "row": lambda x, line: (x, line),
    "column": lambda x, line: (x, line.reshape(-1, 1)),
    "scalar": lambda x, line: (x, 1.5),
    "transposed": lambda x, line: (x, x.T),
    "both transposed": lambda x, line: (x.T, x.T),
    "strided": lambda x, line: (x[:, ::2], x[:, 1::2]),
    "reversed": lambda x, line: (x, x[::-1, ::-1]),
    "outer": lambda x, line: (line.reshape(-1, 1), line),
}


class TimeMap(Threaded):
    """One operation on contiguous operands of one shape, written to memory that is already there."""

    params = [rows("map"), FLOATS, PLACES]
    param_names = ["op", "dtype", "n and threads"]

    def setup(self, op, dtype, setting):
        row, (n, n_threads) = ROWS[op], setting
        require(row, dtype)
        self.call, self.keywords = getattr(nd, op), params_for(row)
        if "out" not in signature(self.call).parameters:
            raise NotImplementedError(f"{op} makes its own result")
        self.inputs, self.out = inputs_for(row, dtype, n), outputs_for(row, dtype, n)
        self.limit_threads(n_threads)

    def time_call(self, op, dtype, setting):
        self.call(*self.inputs, out=self.out, **self.keywords)


class TimeHalf(Threaded):
    """Halves load and store by conversion and compute in float32; the results are new arrays."""

    params = [["add", "divide", "exp", "tanh", "gelu", "maximum"], [*HALVES, "float32"], PLACES]
    param_names = ["op", "dtype", "n and threads"]

    def setup(self, op, dtype, setting):
        n, n_threads = setting
        self.call, self.inputs = getattr(nd, op), inputs_for(ROWS[op], dtype, n)
        self.limit_threads(n_threads)

    def time_call(self, op, dtype, setting):
        self.call(*self.inputs).block()


class TimeLayout(Threaded):
    """A sum of operands that are not one straight line."""

    params = [list(LAYOUTS), FLOATS, N_THREADS]
    param_names = ["layout", "dtype", "n_threads"]

    def setup(self, layout, dtype, n_threads):
        n = 3200
        self.x, self.y = LAYOUTS[layout](nd.ones((n, n), dtype=dtype), nd.ones(n, dtype=dtype))
        self.limit_threads(n_threads)

    def time_add(self, layout, dtype, n_threads):
        nd.add(self.x, self.y).block()


class TimeLarge:
    """Large results: blocks recycled by the pool, and blocks that the system has to give."""

    params = [[1_000_000, 10_000_000, 50_000_000]]
    param_names = ["n"]

    def setup(self, n):
        self.x = nd.ones(n, dtype="float32")

    def time_add(self, n):
        (self.x + self.x).block()

    def time_empty_filled(self, n):
        nd.full(n, 2.0, dtype="float32")


class TimeCast:
    """`astype` between every pair of these dtypes."""

    params = [["float16", "bfloat16", *FLOATS, "int32"]] * 2
    param_names = ["from_dtype", "to_dtype"]

    def setup(self, from_dtype, to_dtype):
        self.x = nd.ones(10_000_000, dtype=from_dtype)

    def time_astype(self, from_dtype, to_dtype):
        self.x.astype(to_dtype).block()
