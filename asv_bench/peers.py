"""nd4py beside NumPy and PyTorch: the same work, interleaved in one run, as a table of medians.

    python asv_bench/peers.py --libs nd4py,numpy,torch --threads 1,2 --rounds 15 --only 'sum|matmul'
    python asv_bench/peers.py --profile-step            # where the LeNet step spends its time

Design: libraries take turns within every round, so that a neighbour's burst hits all of them; the medians of many
rounds are compared, never a single time.  A result is allocated by its library, the way users write it.  A row is
marked ~ when other processes were busy meanwhile: on a shared core, threads that wait for each other show nothing else.
"""

import argparse
import itertools
import os
import re
import statistics
import sys
import time

from peer_libraries import LIBRARIES, unit
from peer_timing import Worker
from peer_work import WORK

MAX_BUSY = 0.1  # cores that other processes may use before a row is marked


def parse_options(arguments):
    """The command line as a namespace."""
    split = lambda text: text.split(",")  # noqa: E731
    parser = argparse.ArgumentParser(description="Time nd4py beside other libraries; prints a markdown table.")
    parser.add_argument("--libs", type=split, default=list(LIBRARIES), help=", ".join(LIBRARIES))
    parser.add_argument("--threads", type=lambda text: [int(n) for n in split(text)], default=[1, 2])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--only", type=re.compile, default=re.compile(""), help="rows whose name matches this pattern")
    parser.add_argument("--profile-step", action="store_true", help="time the pieces of nd4py's LeNet step instead")
    options = parser.parse_args(arguments)
    if unknown := set(options.libs) - set(LIBRARIES):
        parser.error(f"--libs: unknown {', '.join(sorted(unknown))}; known are {', '.join(LIBRARIES)}")
    return options


def medians(workers, n_rounds):
    """{name: median seconds of one call} of workers that are ready."""
    times = {worker.name: [] for worker in workers}
    for turn in range(n_rounds):
        first = turn % len(workers)
        for worker in workers[first:] + workers[:first]:
            times[worker.name].append(worker.seconds())
    return {name: statistics.median(values) for name, values in times.items()}


def seconds_elsewhere(workers):
    """CPU seconds that processes other than ours have used so far; 0 where the system does not say."""
    try:
        with open("/proc/stat") as file:
            user, nice, system, _, _, irq, softirq, steal = map(int, file.readline().split()[1:9])
        own = sum(map(ticks_of, [os.getpid(), *(worker.process.pid for worker in workers)]))
    except FileNotFoundError:
        return 0.0
    return (user + nice + system + irq + softirq + steal - own) / os.sysconf("SC_CLK_TCK")


def ticks_of(process):
    """Clock ticks of CPU that a process has used, in its own code and in the kernel."""
    with open(f"/proc/{process}/stat") as file:
        return sum(map(int, file.read().rpartition(")")[2].split()[11:13]))


def table(options):
    """The lines of the markdown table, one row of work after the other as they are measured."""
    workers = [Worker(name) for name in options.libs]
    peers = [name for name in options.libs if name != "nd4py"]
    titles = ["work", "size", "threads", *options.libs, *(f"nd4py / {name}" for name in peers)]
    yield "| " + " | ".join(titles) + " |"
    yield "|---|---|" + "---:|" * (len(titles) - 2)
    for position, work in enumerate(WORK):
        if options.only.search(work.name):
            for size, n_threads in itertools.product(work.sizes, options.threads):
                ready = [worker for worker in workers if worker.prepare(position, size, n_threads)]
                start, elsewhere = time.perf_counter(), seconds_elsewhere(workers)
                seconds = medians(ready, options.rounds)
                busy = (seconds_elsewhere(workers) - elsewhere) / (time.perf_counter() - start)
                mark = " ~" if busy > MAX_BUSY else ""
                yield row([work.name, work.label(size), f"{n_threads}{mark}"], options.libs, seconds)


def row(cells, libs, seconds):
    """One line of the table; a library that cannot do the work has a dash."""
    ours = seconds.get("nd4py")
    times = [unit(seconds[name]) if name in seconds else "-" for name in libs]
    ratios = [f"{ours / seconds[name]:.2f}" if ours and name in seconds else "-" for name in libs if name != "nd4py"]
    return "| " + " | ".join([*cells, *times, *ratios]) + " |"


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
