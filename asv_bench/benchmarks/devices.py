"""What operations on CUDA devices cost the host, through the stub driver of the tests, whose launches return at once.

A GPU is not needed, and nothing is computed.  A real launch costs the host some microseconds beside this.
"""

import operator
import sys
from pathlib import Path

import numpy as np

import nd4py as nd

from .ratios import ratio

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests/cuda/support"))
N = 128
MATRIX = (256, 512)  # large enough to be deferred


def launched(call):
    """Put operations off, and launch what they became while its result is held."""
    result = call()
    nd.flush()
    return result


def chain(x):
    """Eight operations in one launch."""
    return nd.tanh(((x * 2.0 + 1.0) * x - 3.0) * x + 0.5) * x


# Of two vectors of N elements, a matrix and a row of it.
CALLS = {
    "x + y": lambda x, y, matrix, row: lambda: x + y,
    "add": lambda x, y, matrix, row: lambda: nd.add(x, y),
    "exp": lambda x, y, matrix, row: lambda: nd.exp(x),
    "x += y": lambda x, y, matrix, row: lambda: operator.iadd(x, y),
    "x + 1.0": lambda x, y, matrix, row: lambda: launched(lambda: x + 1.0),
    "matrix + row": lambda x, y, matrix, row: lambda: launched(lambda: matrix + row),
    "chain of 8": lambda x, y, matrix, row: lambda: launched(lambda: chain(matrix)),
    "sum": lambda x, y, matrix, row: lambda: x.sum(),
    "sum of a chain": lambda x, y, matrix, row: lambda: (matrix * 2.0 + row).sum(),
}


class OnStub:
    """A suite whose arrays are on a device that computes nothing."""

    def setup(self, call):
        from stub_driver import StubDriver  # compiles a few lines of C

        self.before = nd.cuda.use_driver(StubDriver())
        shapes = (N,), (N,), MATRIX, MATRIX[1:]
        arrays = [nd.ones(shape, dtype="float32", device="cuda:0") for shape in shapes]
        self.call = CALLS[call](*arrays)
        for _ in range(3):  # chains get their kernel the third time
            self.call()

    def teardown(self, call):
        self.call = None  # holds the arrays
        nd.cuda.use_driver(self.before)


class TimeLaunches(OnStub):
    params = [list(CALLS)]
    param_names = ["call"]

    def time_call(self, call):
        self.call()


class TrackLaunches(OnStub):
    """Beside NumPy's `add` of N elements, whatever the call takes."""

    params = [list(CALLS)]
    param_names = ["call"]
    unit = "host time / numpy add"

    def track_ratio(self, call):
        a, b = np.ones((2, N), dtype="float32")
        return ratio(self.call, lambda: np.add(a, b))
