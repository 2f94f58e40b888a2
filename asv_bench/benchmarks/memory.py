"""The memory pool: requests in native code, several threads, training with varying batches, large results.

Ratios and rates are kept beside times because absolute times of a few nanoseconds follow the machine's mood.
"""

import numpy as np

import nd4py as nd
from nd4py._mem.pool.pool_measures import Exchange, time_pool, time_system
from nd4py.data import DataSet
from nd4py.examples.lenet import lenet

from .ratios import ratio

SIZES = [64, 1024, 16 * 1024, 64 * 1024]
LARGE = 40_000_000
LEAST_SECONDS = 0.02


def repeated(timer, n_bytes, touches=False):
    """The least of several mean times of one block there and back."""
    n = max(3, int(LEAST_SECONDS / max(timer(n_bytes, 3, touches), 1e-8)))
    return min(timer(n_bytes, n, touches) for _ in range(5))


class TrackPoolHit:
    """Nanoseconds for a block from the pool and back.  Floor: 40."""

    params = [SIZES]
    param_names = ["bytes"]
    unit = "ns"

    def track_nanoseconds(self, n_bytes):
        return repeated(time_pool, n_bytes) * 1e9


class TrackPoolRatio:
    """The same over malloc and free of the C library.  Floors: 2.0, and 0.01 for 40 MB whose pages are touched."""

    params = [[*SIZES, LARGE]]
    param_names = ["bytes"]
    unit = "of malloc's time"

    def track_ratio(self, n_bytes):
        touches = n_bytes == LARGE
        return repeated(time_pool, n_bytes, touches) / repeated(time_system, n_bytes, touches)


def exchanged(n_threads, n=200_000):
    """Blocks per second that threads make, write, read and free, every sixteenth of them made by another one."""
    return max(n / Exchange(1024, 16384).run(n_threads, n // n_threads, True, -1, 16) for _ in range(3))


class TrackExchange:
    """Throughput of threads that also free each other's blocks, over cores times one thread's.  Floor: 0.8."""

    params = [[2, 8]]
    param_names = ["n_threads"]
    unit = "of cores x one thread"

    def track_throughput(self, n_threads):
        return exchanged(n_threads) / (exchanged(1) * min(n_threads, nd.config()["cores"]))


def train(batches):
    """(hit rate from the second step on, footprint over the most in use) of LeNet's training on batches of these sizes.

    The tests of the pool hold it against the floors.
    """
    random = np.random.default_rng(0)
    network = lenet()
    nd.memory.trim()
    nd.memory.reset_peak()
    start = nd.memory.stats()
    for step, n in enumerate(batches):
        labels = nd.one_hot(nd.asarray(random.integers(0, 10, n)), 10, dtype="float32")
        network.fit(DataSet(nd.asarray(random.random((n, 784), dtype=np.float32)), labels))
        if step == 0:
            start = nd.memory.stats()
    end = nd.memory.stats()
    requests = end.hits - start.hits + end.misses - start.misses
    return (end.hits - start.hits) / requests, end.peak_bytes / end.peak_live_bytes


class TrackTraining:
    """Floors: fixed batches hit 99%, batches that vary by 20% hit 95% in 1.3 times the most in use."""

    params = [["fixed", "varying"], [32, 64, 128]]
    param_names = ["batches", "size"]
    unit = "of 1"

    def batches(self, kind, size):
        low, high = (size, size) if kind == "fixed" else (round(size * 0.8), round(size * 1.2))
        return np.random.default_rng(1).integers(low, high, 25, endpoint=True)

    def track_hit_rate(self, batches, size):
        return train(self.batches(batches, size))[0]

    def track_footprint(self, batches, size):
        return train(self.batches(batches, size))[1]


class TrackLargeResults:
    """`a * b + c` of ten million float32 over NumPy's time.  Floor: 0.4."""

    params = [[10_000_000]]
    param_names = ["n"]
    unit = "of NumPy's time"

    def setup(self, n):
        self.theirs = [np.random.default_rng(i).random(n, dtype=np.float32) for i in range(3)]
        self.ours = [nd.asarray(x, copy=True) for x in self.theirs]

    def track_ratio(self, n):
        (a, b, c), (x, y, z) = self.ours, self.theirs
        return ratio(lambda: (a * b + c).block(), lambda: x * y + z)


class TimeArrays:
    """Arrays that live and die in Python."""

    params = [[10, 1024, 1_000_000]]
    param_names = ["n"]

    def time_empty(self, n):
        nd.empty(n)
