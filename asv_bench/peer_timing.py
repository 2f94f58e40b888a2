"""How one call is timed, and the processes that time it.

Design: every library has a process of its own.  In one process PyTorch and nd4py share whichever libgomp was loaded
first, and with it one waiting policy, and a limit on one BLAS reaches the others; none would run as its users run it.
"""

import multiprocessing
import os
import threading
import time
import warnings
from contextlib import contextmanager

from peer_checks import bytes_of, digest
from peer_libraries import CannotError
from peer_work import WORK

MIN_SECONDS = 0.002  # of one timed batch of calls
WARM_SECONDS = 0.02  # threads woken together may share a core for several time slices
MAX_PAUSE = 0.5  # before a turn, for idle threads of others to fall asleep: OpenBLAS's spin for 2**28 cycles
# A malloc that keeps every page it once had, and pages of 2 MiB: what an expert gets from glibc 2.35 or newer.
TUNED_MALLOC = "glibc.malloc.hugetlb=1:glibc.malloc.mmap_max=0:glibc.malloc.trim_threshold=137438953472"


class Timer:
    """Times a call on `n_threads` threads in batches long enough for the clock."""

    def __init__(self, library, batch, n_threads):
        self.library, self.batch, self.n_threads = library, batch, n_threads
        self.n_calls = 0  # counted in the first turn: while rows are prepared, other libraries are at work too

    def seconds(self):
        """Mean seconds of one call, over one batch."""
        with self.library.threads(self.n_threads):
            self.n_calls = self.n_calls or calls_per_batch(self.batch)
            warm_up(self.batch)
            return seconds_per_call(self.batch, self.n_calls)


def calls_per_batch(batch):
    """How many calls last MIN_SECONDS; the first call, which pays for caches and pages, is not counted."""
    batch(1)
    n_calls = 1
    while True:
        seconds = seconds_per_call(batch, n_calls) * n_calls
        if seconds >= MIN_SECONDS:
            return n_calls
        n_calls = max(2 * n_calls, int(n_calls * MIN_SECONDS / max(seconds, 1e-9)))


def seconds_per_call(batch, n_calls):
    """Mean seconds of `n_calls` calls in a row."""
    start = time.perf_counter()
    batch(n_calls)
    return (time.perf_counter() - start) / n_calls


def warm_up(batch):
    """Call until the library's threads are awake and the system has spread them over the cores."""
    end = time.perf_counter() + WARM_SECONDS
    batch(1)
    while time.perf_counter() < end:
        batch(1)


def wait_until_asleep(processes):
    """Wait until no thread of these processes runs but the one that asks: a spinning one would hold a core."""
    end = time.perf_counter() + MAX_PAUSE
    while any(map(is_running, processes)) and time.perf_counter() < end:
        time.sleep(0.001)


def is_running(process):
    """Whether a thread of a process is running or ready to run, other than the one that asks."""
    asking = threading.get_native_id()
    try:
        with os.scandir(f"/proc/{process}/task") as threads:
            others = [thread.path for thread in threads if int(thread.name) != asking]
        return any(state_of(thread) == "R" for thread in others)
    except OSError:  # a thread has ended, or the system does not tell
        return False


def state_of(thread):
    """The letter of a thread's state; R means running or ready to."""
    with open(f"{thread}/stat") as file:
        return file.read().rpartition(") ")[2][0]


class Worker:
    """A process that runs one library, on all cores or (where nothing else limits its threads) on `n_cores`."""

    def __init__(self, library, n_cores=None, is_tuned=False):
        self.name, self.is_tuned = library.name, is_tuned
        self.pipe, far_end = multiprocessing.Pipe()
        context = multiprocessing.get_context("spawn")
        self.process = context.Process(target=serve, args=(library, far_end, n_cores), daemon=True)
        with environment(GLIBC_TUNABLES=TUNED_MALLOC) if is_tuned else environment():
            self.process.start()
        far_end.close()

    def begin(self, position, size, n_threads):
        """Make row `position` of the work ready, without waiting for it."""
        self.send((position, size, n_threads))

    def seconds(self):
        """Mean seconds of one call of what was prepared."""
        self.send(None)
        return self.receive()

    def send(self, message):
        """Tell the worker something.  Raises SystemExit when it has died; it has said why on stderr."""
        try:
            self.pipe.send(message)
        except (EOFError, ConnectionError):
            self.report_end()

    def receive(self):
        """The worker's answer: a Digest, or in words why it failed ("" where it has no such function); or seconds."""
        try:
            return self.pipe.recv()
        except (EOFError, ConnectionError):
            self.report_end()

    def report_end(self):
        raise SystemExit(f"peers: the process of {self.name} has ended; see its message above") from None


@contextmanager
def environment(**variables):
    """A scope in which environment variables are set."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def serve(make_library, pipe, n_cores):
    """Answer a Worker until it closes the pipe: a tuple prepares work, None times it."""
    if n_cores:
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:n_cores])
    warnings.simplefilter("ignore")  # overflow and the like are the same for all
    library, timer = make_library(), None
    while True:
        try:
            message = pipe.recv()
        except EOFError:
            return
        if message is None:
            pipe.send(timer.seconds())
            continue
        timer = None  # the arrays of the row before make room
        timer, answer = prepared(library, *message)
        pipe.send(answer)


def prepared(library, position, size, n_threads):
    """The timer of a row of work and the digest of its result; or None, and why the library cannot do it."""
    work = WORK[position]
    try:
        once, batch, arrays = work.calls(library, size)
        with library.threads(n_threads):
            result = once()
        bytes_in = sum(bytes_of(array) for name, array in arrays.items() if name not in work.outputs)
        answer = digest(library, result, bytes_in)
        del result
        return Timer(library, batch, n_threads), answer
    except Exception as error:  # whatever a library raises for what it lacks
        if isinstance(error, CannotError):
            return None, ""
        words = [line for line in str(error).splitlines() if line.strip()]
        return None, f"{type(error).__name__}: {' '.join(words)[:200]}"
