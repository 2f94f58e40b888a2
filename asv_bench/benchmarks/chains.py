"""Chains of operations beside the same operations one by one, and what it costs to put one off."""

import statistics
import time

import numpy as np

import nd4py as nd

from . import FLOATS
from .ratios import ratio

UNIT = "combined / one by one"
SIZES = [100_000, 10_000_000]


def pair(a, b, c):
    z = a + b
    z *= 2
    return z


CHAINS = {
    "2 cheap": lambda a, b, c: a * b + c,
    "4 cheap": lambda a, b, c: (a * b + c - a) * c,
    "8 cheap": lambda a, b, c: ((a * b + c - a) * c + b - c) * a + b,
    "transcendental": lambda a, b, c: nd.tanh(a * b + c) * nd.exp(-nd.abs(a)) + nd.log(1 + b),
    "8 with sqrt": lambda a, b, c: nd.maximum((nd.sqrt(nd.abs(a * b - c)) - a) * c, b) + a,
    "sum of 2 cheap": lambda a, b, c: nd.sum(a * b + c),
    "sum of 8 with sqrt": lambda a, b, c: nd.sum(nd.maximum((nd.sqrt(nd.abs(a * b - c)) - a) * c, b) + a),
    "pair": pair,
}
# New chains: an operation and a constant by their digits, so that no two are alike.
STEPS = (lambda x, k: x + k, lambda x, k: x * k, lambda x, k: x - k, lambda x, k: nd.maximum(x, k))
N_STEPS = 6


def operands(dtype, n):
    """Three filled arrays without other references."""
    random = nd.random.Generator(1)
    return [random.uniform(0.5, 1.5, (n,), dtype="float64").astype(dtype).block() for _ in range(3)]


def one_by_one(call):
    """`call` with every operation run where it is called."""

    def separate(*arrays):
        with nd.combine(False):
            return call(*arrays)

    return separate


class TrackChains:
    """The user's chains; the result is waited for."""

    params = [list(CHAINS), FLOATS, SIZES]
    param_names = ["chain", "dtype", "n"]
    unit = UNIT

    def track_ratio(self, chain, dtype, n):
        arrays, call = operands(dtype, n), CHAINS[chain]
        separate = one_by_one(call)
        return ratio(lambda: call(*arrays).block(), lambda: separate(*arrays).block())


class TimeChains:
    """The same, as times."""

    params = TrackChains.params
    param_names = TrackChains.param_names

    def setup(self, chain, dtype, n):
        self.arrays, self.call = operands(dtype, n), CHAINS[chain]

    def time_chain(self, chain, dtype, n):
        self.call(*self.arrays).block()


class TimeForeign:
    """Chains on memory of NumPy's arrays, which the caller still holds or has dropped, or gives to a graph."""

    params = [["8 cheap", "8 with sqrt", "sum of 8 with sqrt"], ["held", "dropped", "graph"]]
    param_names = ["chain", "arrays"]

    def setup(self, chain, arrays):
        held = [np.array(array) for array in operands("float32", 10_000_000)]
        self.arrays, self.call = [nd.asarray(array) for array in held], CHAINS[chain]
        self.held = None if arrays == "dropped" else held
        if arrays == "graph":
            self.call = nd.capture(self.call, *self.arrays)

    def time_chain(self, chain, arrays):
        self.call(*self.arrays).block()


class TimeShortest:
    """From which size on deferring pays, on one thread; smaller results run at once whatever is wanted."""

    params = [["2 cheap", "8 cheap"], FLOATS, [16_384, 32_768, 65_536, 131_072, 262_144], ["combined", "one by one"]]
    param_names = ["chain", "dtype", "n", "way"]

    def setup(self, chain, dtype, n, way):
        self.arrays, self.call = operands(dtype, n), CHAINS[chain]
        self.scopes = [nd.threads(1), nd.combine(way == "combined")]
        for scope in self.scopes:
            scope.__enter__()

    def time_chain(self, chain, dtype, n, way):
        self.call(*self.arrays).block()

    def teardown(self, *params):
        for scope in reversed(self.scopes):
            scope.__exit__(None, None, None)


class TrackQueue:
    """Microseconds that one operation takes until it is deferred; the chain is dropped, and never runs."""

    params = [[1, 4, 16]]
    param_names = ["length"]
    unit = "microseconds"

    def track_queue(self, length):
        x, *_ = operands("float32", 1_000_000)
        times = []
        for _ in range(200):
            start = time.perf_counter()
            y = x
            for _ in range(length):
                y = y + 1
            times.append((time.perf_counter() - start) / length)
            assert nd.explain(y) is not None
            del y
        return 1e6 * statistics.median(times)


class TrackFirst:
    """Microseconds that the first run of a new chain takes over those of its later runs: nothing is compiled."""

    params = [[100_000]]
    param_names = ["n"]
    unit = "microseconds"

    def track_first(self, n):
        with nd.threads(1):
            x, *_ = operands("float32", n)
            runs = [[self.seconds(x, number) for _ in range(6)] for number in range(300)]
        first, *later = map(statistics.median, zip(*runs[100:], strict=True))  # those before have warmed up
        return 1e6 * (first - statistics.median(later))

    def seconds(self, x, number):
        """The chain whose steps are the digits of a number in base 4."""
        start = time.perf_counter()
        y = x
        for digit in range(N_STEPS):
            y = STEPS[number // len(STEPS) ** digit % len(STEPS)](y, number + 2.5)
        y.block()
        return time.perf_counter() - start
