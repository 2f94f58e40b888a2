"""Calls on ten elements, where the path of a call is all that counts."""

import numpy as np

import nd4py as nd

THEIRS = np.arange(10.0)
CONDITION, MATRIX = nd.arange(10) % 2 == 0, nd.arange(100.0).reshape(10, 10)


def assign(x):
    x[3] = 2.0


CALLS = {
    "add": lambda x: x + x,
    "add scalar": lambda x: x + 1.0,
    "power": lambda x: x**0.5,
    "exp": nd.exp,
    "where": lambda x: nd.where(CONDITION, x, x),
    "astype": lambda x: x.astype(nd.float32),
    "sum": nd.sum,
    "Python's max": max,
    "matmul": lambda x: MATRIX @ MATRIX,
    "slice": lambda x: x[2:8],
    "element": lambda x: MATRIX[1, 2],
    "transpose": lambda x: MATRIX.T,
    "reshape": lambda x: x.reshape(2, 5),
    "item": lambda x: x[3].item(),
    "float": lambda x: float(x[3]),
    "assign": assign,
    "compare elements": lambda x: x[3] == x[2],
    "empty": lambda x: nd.empty(10),
    "zeros": lambda x: nd.zeros(10),
    "asarray": lambda x: nd.asarray([0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]),
    "asarray of NumPy's": lambda x: nd.asarray(THEIRS),
    "to NumPy": np.asarray,
    "iterate": list,
}


class TimeSmall:
    params = [list(CALLS)]
    param_names = ["call"]

    def setup(self, call):
        self.x = nd.arange(10.0)
        self.call = CALLS[call]

    def time_call(self, call):
        self.call(self.x)
