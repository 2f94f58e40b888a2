"""nd4py beside NumPy and PyTorch: the same work, interleaved in one process, as a table of medians.

    python asv_bench/peers.py --libs nd4py,numpy,torch --threads 1,2 --rounds 15 --only 'sum|matmul'
    python asv_bench/peers.py --profile-step            # where the LeNet step spends its time

Design: libraries take turns within every round, so that a neighbour's burst hits all of them; the medians of many
rounds are compared, never a single time.  A result is allocated by its library, the way users write it.  A row is
marked ~ when other processes were busy meanwhile: on a shared core, threads that wait for each other show nothing else.
"""

import argparse
import os
import re
import statistics
import sys
import time

from peer_libraries import LIBRARIES, unit
from peer_work import WORK

MAX_BUSY = 0.1  # cores that other processes may use before a row is marked
MIN_SECONDS = 0.002  # of one timed batch of calls
WARM_SECONDS = 0.02  # threads woken together may share a core for several time slices
PAUSE_SECONDS = 0.04  # before a batch: OpenBLAS's idle threads spin for 2**26 cycles before they fall asleep


def parse_options(arguments):
    """The command line as a namespace."""
    split = lambda text: text.split(",")  # noqa: E731
    parser = argparse.ArgumentParser(description="Time nd4py beside other libraries; prints a markdown table.")
    parser.add_argument("--libs", type=split, default=["nd4py", "numpy", "torch"], help="nd4py, numpy, torch")
    parser.add_argument("--threads", type=lambda text: [int(n) for n in split(text)], default=[1, 2])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--only", type=re.compile, default=re.compile(""), help="rows whose name matches this pattern")
    parser.add_argument("--profile-step", action="store_true", help="time the pieces of nd4py's LeNet step instead")
    return parser.parse_args(arguments)


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
    """Call until this library's threads are awake and the system has spread them over the cores."""
    end = time.perf_counter() + WARM_SECONDS
    call()
    while time.perf_counter() < end:
        call()


def medians(calls, n_threads, n_rounds):
    """{library: median seconds of one call}; `calls` maps libraries to functions without arguments."""
    times = {library: [] for library in calls}
    batches = {}
    for library, call in calls.items():
        with library.threads(n_threads):
            batches[library] = calls_per_batch(call)
    for turn in range(n_rounds):
        order = list(calls)
        for library in order[turn % len(order) :] + order[: turn % len(order)]:
            with library.threads(n_threads):
                time.sleep(PAUSE_SECONDS)
                warm_up(calls[library])
                times[library].append(seconds_per_call(calls[library], batches[library]))
    return {library: statistics.median(values) for library, values in times.items()}


def seconds_elsewhere():
    """CPU seconds that other processes have used so far; 0 where the system does not say."""
    try:
        with open("/proc/stat") as file:
            user, nice, system, _, _, irq, softirq, steal = map(int, file.readline().split()[1:9])
    except FileNotFoundError:
        return 0.0
    own = os.times()
    return (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK") - own.user - own.system


def table(options):
    """The lines of the markdown table, one row of work after the other as they are measured."""
    libraries = [LIBRARIES[name]() for name in options.libs]
    peers = [library.name for library in libraries if library.name != "nd4py"]
    titles = ["work", "size", "threads", *(library.name for library in libraries), *(f"nd4py / {p}" for p in peers)]
    yield "| " + " | ".join(titles) + " |"
    yield "|---|---|" + "---:|" * (len(titles) - 2)
    for work in WORK:
        if not options.only.search(work.name):
            continue
        for size in work.sizes:
            for n_threads in options.threads:
                calls = {lib: call for lib in libraries if (call := work.prepare(lib, size)) is not None}
                start, elsewhere = time.perf_counter(), seconds_elsewhere()
                seconds = medians(calls, n_threads, options.rounds)
                busy = (seconds_elsewhere() - elsewhere) / (time.perf_counter() - start)
                yield row(work, size, f"{n_threads}{' ~' * (busy > MAX_BUSY)}", libraries, seconds)


def row(work, size, n_threads, libraries, seconds):
    """One line of the table; a library that cannot do the work has a dash."""
    by_name = {library.name: seconds.get(library) for library in libraries}
    ours = by_name.get("nd4py")
    ratios = [f"{ours / theirs:.2f}" if ours and theirs else "-"
              for name, theirs in by_name.items() if name != "nd4py"]  # fmt: skip
    cells = [unit(value) if value else "-" for value in by_name.values()]
    return "| " + " | ".join([work.name, work.label(size), n_threads, *cells, *ratios]) + " |"


def main(arguments=None):
    options = parse_options(arguments)
    if options.profile_step:
        from step_profile import profile

        lines = profile(options)
    else:
        lines = table(options)
    for line in lines:
        print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main())
