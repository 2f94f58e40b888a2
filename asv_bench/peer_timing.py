"""How one call is timed, and the processes that time it.

Design: every library has a process of its own.  In one process PyTorch and nd4py share whichever libgomp was loaded
first, and with it one waiting policy, and a limit on one BLAS reaches the others; none would run as its users run it.
"""

import multiprocessing
import time

from peer_libraries import LIBRARIES
from peer_work import WORK

MIN_SECONDS = 0.002  # of one timed batch of calls
WARM_SECONDS = 0.02  # threads woken together may share a core for several time slices
PAUSE_SECONDS = 0.04  # before a batch: OpenBLAS's idle threads spin for 2**26 cycles before they fall asleep


class Timer:
    """Times a call on `n_threads` threads in batches long enough for the clock."""

    def __init__(self, library, call, n_threads):
        self.library, self.call, self.n_threads = library, call, n_threads
        with library.threads(n_threads):
            self.n_calls = calls_per_batch(call)

    def seconds(self):
        """Mean seconds of one call, over one batch."""
        time.sleep(PAUSE_SECONDS)
        with self.library.threads(self.n_threads):
            warm_up(self.call)
            return seconds_per_call(self.call, self.n_calls)


def calls_per_batch(call):
    """How many calls last MIN_SECONDS; the first call, which pays for caches and pages, is not counted."""
    call()
    n_calls = 1
    while True:
        seconds = seconds_per_call(call, n_calls) * n_calls
        if seconds >= MIN_SECONDS:
            return n_calls
        n_calls = max(2 * n_calls, int(n_calls * MIN_SECONDS / max(seconds, 1e-9)))


def seconds_per_call(call, n_calls):
    """Mean seconds of `n_calls` calls in a row."""
    start = time.perf_counter()
    for _ in range(n_calls):
        call()
    return (time.perf_counter() - start) / n_calls


def warm_up(call):
    """Call until the library's threads are awake and the system has spread them over the cores."""
    end = time.perf_counter() + WARM_SECONDS
    call()
    while time.perf_counter() < end:
        call()


class Worker:
    """A process that runs one library."""

    def __init__(self, name):
        self.name = name
        self.pipe, far_end = multiprocessing.Pipe()
        context = multiprocessing.get_context("spawn")
        self.process = context.Process(target=serve, args=(name, far_end), daemon=True)
        self.process.start()
        far_end.close()

    def prepare(self, position, size, n_threads):
        """Make row `position` of the work ready.  Returns whether the library can do it."""
        return self.ask((position, size, n_threads))

    def seconds(self):
        """Mean seconds of one call of what was prepared."""
        return self.ask(None)

    def ask(self, message):
        """The worker's answer.  Raises SystemExit when it has died; it has said why on stderr."""
        try:
            self.pipe.send(message)
            return self.pipe.recv()
        except (EOFError, ConnectionError):
            raise SystemExit(f"peers: the process of {self.name} has ended; see its message above") from None


def serve(name, pipe):
    """Answer a Worker until it closes the pipe: a tuple prepares work, None times it."""
    library, timer = LIBRARIES[name](), None
    while True:
        try:
            message = pipe.recv()
        except EOFError:
            return
        if message is None:
            pipe.send(timer.seconds())
            continue
        position, size, n_threads = message
        call = WORK[position].prepare(library, size)
        timer = call and Timer(library, call, n_threads)
        pipe.send(timer is not None)
