"""What threads cost and bring: calls after a pause, and several Python threads that call at once."""

import threading
import time

import nd4py as nd

from . import N_THREADS, Threaded

N_CALLERS = 8
SECONDS = 0.2
WORKS = {
    "add": lambda x: (x + x).block(),
    "exp": lambda x: nd.exp(x).block(),
    "sum": nd.sum,
    "matmul": lambda x: x @ x,
}


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


def calls_per_second(call, n_callers):
    """How many calls a second `n_callers` threads make together."""
    counts = [0] * n_callers
    end = time.perf_counter() + SECONDS

    def work(caller):
        while time.perf_counter() < end:
            call()
            counts[caller] += 1

    threads = [threading.Thread(target=work, args=(caller,)) for caller in range(n_callers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(counts) / SECONDS


class TrackCallers:
    """The throughput of eight callers over that of one caller, or of as many as there are cores, whichever is more."""

    params = [list(WORKS), [100, 1000]]
    param_names = ["work", "side"]
    unit = "of the best"

    def track_throughput(self, work, side):
        x = nd.random.Generator(1).normal(size=(side, side), dtype="float32")
        call = lambda: WORKS[work](x)  # noqa: E731
        call()
        best = max(calls_per_second(call, n_callers) for n_callers in (1, nd.thread_count()))
        return calls_per_second(call, N_CALLERS) / best
