"""What threads cost and bring: regions after a pause, and Python threads that compute at the same time."""

import time
from concurrent.futures import ThreadPoolExecutor

import nd4py as nd

from . import N_THREADS, Threaded


class TimeRegion(Threaded):
    """400,000 sums on all threads right after the last call, and after pauses in which waiting threads fall asleep."""

    params = [[0, 20, 100, 1000, 20_000], N_THREADS]
    param_names = ["pause in us", "n_threads"]
    number = 1
    repeat = (20, 200, 10.0)

    def setup(self, pause, n_threads):
        self.a, self.out = nd.ones(400_000, dtype="float32"), nd.zeros(400_000, dtype="float32")
        self.limit_threads(n_threads)
        nd.add(self.a, self.a, out=self.out)
        end = time.perf_counter() + pause / 1e6
        while time.perf_counter() < end:
            pass

    def time_add(self, pause, n_threads):
        nd.add(self.a, self.a, out=self.out)


class TrackConcurrentCallers:
    """Throughput of several Python threads beside the best of one caller, with one thread and with all."""

    params = [[1, 2, 4, 8], [10_000, 100_000, 1_000_000]]
    param_names = ["callers", "n"]
    unit = "ratio"

    def setup(self, callers, n):
        self.inputs = [nd.ones(n, dtype="float32") for _ in range(callers)]
        self.outputs = [nd.zeros(n, dtype="float32") for _ in range(callers)]

    def seconds_per_call(self, callers, n_calls):
        def work(i):
            for _ in range(n_calls):
                nd.exp(self.inputs[i], out=self.outputs[i])

        with ThreadPoolExecutor(callers) as pool:
            list(pool.map(work, range(callers)))
            start = time.perf_counter()
            list(pool.map(work, range(callers)))
            return (time.perf_counter() - start) / (callers * n_calls)

    def track_throughput(self, callers, n):
        n_calls = max(20_000_000 // n, 10)
        best = self.seconds_per_call(1, n_calls)
        with nd.threads(1):
            best = min(best, self.seconds_per_call(1, n_calls))
        return best / self.seconds_per_call(callers, n_calls)
