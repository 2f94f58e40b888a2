"""One row of work after the other: made ready in every library, checked, and timed in turns."""

import itertools
import math
import operator
import os
import statistics
import sys
import time

import peer_limits
from peer_checks import Digest, difference
from peer_compilers import Compiled, Jax, Numba, Numexpr, Onnxruntime
from peer_libraries import Nd4py, Numpy, Passive, Torch, Uncombined
from peer_report import OURS, Row
from peer_timing import Worker, wait_until_asleep
from peer_work import WORK

LIBRARIES = {
    library.name: library
    for library in (Nd4py, Numpy, Numexpr, Numba, Torch, Compiled, Jax, Onnxruntime, Uncombined, Passive)
}
MAX_BUSY = 0.1  # cores that other processes may use before a row is marked
FAR_BEHIND = 3.0  # times the best peer's time


def taking_part(names, family):
    """Those of some libraries that do a family of work; some are for one purpose."""
    return [name for name in names if family in (LIBRARIES[name].families or (family,))]


class Team:
    """The workers of a run, started when they are first needed."""

    def __init__(self, names, is_tuned):
        self.names, self.is_tuned, self.workers = names, is_tuned, {}

    def of(self, n_threads, family=""):
        """The workers for rows on so many threads of a family of work."""
        names = taking_part(self.names, family)
        tuned = [(name, True) for name in names if self.is_tuned and name not in OURS]
        return [self.worker(name, n_threads, is_tuned) for name, is_tuned in [(n, False) for n in names] + tuned]

    def worker(self, name, n_threads, is_tuned):
        library = LIBRARIES[name]
        n_cores = n_threads if library.obeys_affinity_only else None
        key = (name, n_cores, is_tuned)
        if key not in self.workers:
            self.workers[key] = Worker(library, n_cores, is_tuned)
        return self.workers[key]


def race(workers, n_rounds):
    """{worker: seconds of one call in each round it took part in} of workers that are ready."""
    times = {worker: [] for worker in workers}
    processes = [os.getpid(), *(worker.process.pid for worker in workers if isinstance(worker, Worker))]
    for turn in range(n_rounds):
        if turn == 2:
            workers = in_the_race(workers, times)
        first = turn % len(workers)
        for worker in workers[first:] + workers[:first]:
            wait_until_asleep(processes)
            times[worker].append(worker.seconds())
    return times


def in_the_race(workers, times):
    """nd4py, the faster probe of the limit, and the peers that may still be the best."""
    best = {name: min((min(times[w]) for w in workers if kind(w) == name), default=0.0) for name in ("peer", "limit")}
    allowed = {"nd4py": math.inf, "peer": FAR_BEHIND * best["peer"], "limit": best["limit"]}
    return [worker for worker in workers if min(times[worker]) <= allowed[kind(worker)]]


def kind(worker):
    return "nd4py" if worker.name in OURS else "limit" if worker.name == "limit" else "peer"


def seconds_elsewhere(processes):
    """CPU seconds that processes other than ours have used so far; 0 where the system does not say."""
    try:
        with open("/proc/stat") as file:
            user, nice, system, _, _, irq, softirq, steal = map(int, file.readline().split()[1:9])
        own = sum(map(ticks_of, [os.getpid(), *processes]))
    except FileNotFoundError:
        return 0.0
    return (user + nice + system + irq + softirq + steal - own) / os.sysconf("SC_CLK_TCK")


def ticks_of(process):
    """Clock ticks of CPU that a process has used, in its own code and in the kernel."""
    with open(f"/proc/{process}/stat") as file:
        return sum(map(int, file.read().rpartition(")")[2].split()[11:13]))


def ready(workers, work, position, size, n_threads):
    """{worker: digest} of those that can do a row and agree about its result; others are named on stderr."""
    for worker in workers:
        worker.begin(position, size, n_threads)
    digests, reference = {}, None
    for worker in sorted(workers, key=lambda worker: worker.name != "numpy"):
        answer = worker.receive()
        digests[worker] = answer
        # NumPy's result is the measure; where it has none, that of the first of its peers.
        if reference is None and isinstance(answer, Digest) and worker.name not in OURS:
            reference = answer
    for worker, answer in list(digests.items()):
        is_done = isinstance(answer, Digest)
        problem = difference(answer, reference or answer, work.dtype, work.tolerance) if is_done else answer
        if problem or not is_done:
            del digests[worker]
        if problem:
            print(
                f"peers: {work.family}, {work.name} {work.label(size)}: not {worker.name}: {problem}", file=sys.stderr
            )
    return {worker: digests[worker] for worker in workers if worker in digests}


def measured(options, chosen):
    """The rows of a run, one after the other: `chosen` are positions in WORK."""
    team = Team(options.libs, options.tuned)
    for position in chosen:
        for size, n_threads in itertools.product(WORK[position].sizes, options.threads):
            yield measured_row(options, team.of(n_threads, WORK[position].family), position, size, n_threads)


def measured_row(options, workers, position, size, n_threads):
    """One row, timed."""
    work = WORK[position]
    found = ready(workers, work, position, size, n_threads)
    limits = probes_of(work, found, n_threads)
    processes = [worker.process.pid for worker in workers]
    start, elsewhere = time.perf_counter(), seconds_elsewhere(processes)
    times = race([*found, *limits], options.rounds) if found else {}
    busy = (seconds_elsewhere(processes) - elsewhere) / (time.perf_counter() - start)
    seconds = {worker: statistics.median(values) for worker, values in times.items()}
    by_name = {is_tuned: {w.name: seconds[w] for w in found if w.is_tuned == is_tuned} for is_tuned in (False, True)}
    turns = {worker.name: times[worker] for worker in found if not worker.is_tuned}
    if limits:
        probe = max(limits, key=lambda probe: (len(times[probe]), -seconds[probe]))  # the other one left the race
        least = seconds_of_arithmetic(work, size, n_threads)
        turns["limit"] = [max(value, least) for value in times[probe]]
    return Row(
        work.family, work.name, work.label(size), n_threads, busy > MAX_BUSY, by_name[False], by_name[True],
        statistics.median(turns.get("limit", [0.0])), quotients(turns), work.floor,
    )  # fmt: skip


def quotients(times):
    """{name: nd4py's time over that of another, the median over the rounds of both}.

    What one round measures was measured within a second: what comes and goes more slowly, as the neighbours' share of
    the memory does, is in both times and leaves the quotient alone.
    """
    ours = times.get("nd4py", [])
    others = {name: theirs for name, theirs in times.items() if ours and name != "nd4py"}
    return {name: statistics.median(map(operator.truediv, ours, theirs)) for name, theirs in others.items()}


def probes_of(work, digests, n_threads):
    """The probes of a row's limit in bytes; none where there is no limit."""
    digest = next(iter(digests.values()), None)
    if digest is None or not work.has_limit:
        return []
    return peer_limits.probes(digest.bytes_in, digest.bytes_out, n_threads)


def seconds_of_arithmetic(work, size, n_threads):
    """The shortest time for a row's multiplications and additions; 0 where memory alone limits it."""
    if not work.flops:
        return 0.0
    return work.flops(size) / peer_limits.operations_per_second(8 if work.dtype == "float64" else 4, n_threads)
