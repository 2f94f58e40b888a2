"""Libraries that take turns at the rows of a table, each in a process of its own."""

import argparse
import importlib
import math
import multiprocessing
import os
import statistics
import time

from peer_timing import wait_until_asleep, warm_up

LIBRARIES = ("nd4py", "torch", "torch.compile", "jax", "onnxruntime")
OURS = "nd4py"
SECONDS = 0.1  # of the calls of one turn


def serve(module, library, row, given, core, pipe):
    """Make the work of one row in one library, then time it as often as asked; on one core, by the processor's time."""
    if core is not None:
        os.sched_setaffinity(0, {core})
    clock = time.perf_counter if core is None else time.process_time
    try:
        call = importlib.import_module(module).WORK[row][library](*given)
        for _ in range(4):  # a library may compile at the second or third call
            call()
        n_calls = calls_of(call, clock)
    except Exception as error:
        pipe.send(f"{type(error).__name__}: {error}"[:200])
        return
    pipe.send("")
    while pipe.recv():
        warm_up(lambda _: call())
        start = clock()
        for _ in range(n_calls):
            call()
        pipe.send((clock() - start) / n_calls)


def calls_of(call, clock):
    """How many calls a turn has."""
    start = clock()
    call()
    return max(1, int(SECONDS / max(clock() - start, 1e-6)))


class Peer:
    """The process of one library for one row."""

    def __init__(self, module, library, row, given, core):
        self.library = library
        self.pipe, far_end = multiprocessing.Pipe()
        context = multiprocessing.get_context("spawn")
        self.process = context.Process(target=serve, args=(module, library, row, given, core, far_end), daemon=True)
        self.process.start()

    def seconds(self):
        """The mean seconds of one call."""
        self.pipe.send(True)
        return self.pipe.recv()


def measure(work, row, n_rounds, given, core):
    """{library: seconds of each round} of one row; `given` are the arguments of what makes its calls."""
    peers = [Peer(work.__name__, library, row, given, core) for library in LIBRARIES if library in work.WORK[row]]
    taking_part = []
    for peer in peers:
        if why := peer.pipe.recv():
            print(f"  {row}: {peer.library} takes no part: {why}")
        else:
            taking_part.append(peer)
    times = {peer.library: [] for peer in taking_part}
    processes = [os.getpid(), *(peer.process.pid for peer in taking_part)]
    for turn in range(n_rounds):
        first = turn % len(taking_part)
        for peer in taking_part[first:] + taking_part[:first]:
            wait_until_asleep(processes)
            times[peer.library].append(peer.seconds())
    for peer in peers:
        peer.process.terminate()
        peer.process.join()
        peer.pipe.close()
    return times


def ratio_to_fastest(times):
    """(the fastest other library, the median of nd4py's ratio to it)"""
    best = min((library for library in times if library != OURS), key=lambda library: statistics.median(times[library]))
    ratios = [ours / other for ours, other in zip(times[OURS], times[best], strict=True)]
    return best, statistics.median(ratios)


def line(row, times):
    """One row of the table."""
    best, ratio = ratio_to_fastest(times)
    cells = [f"{1e3 * statistics.median(times[library]):.3g}" if library in times else "" for library in LIBRARIES]
    return f"| {row} | {' | '.join(cells)} | {best} | {ratio:.2f} |"


def main(work, given_of=lambda row: ()):
    """Print the table of the rows of a module's WORK; `given_of` makes what the processes of a row are given."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--only", default="", help="rows whose names have this in them")
    parser.add_argument("--processor", action="store_true", help="time of the processor, on one core: beside others")
    options = parser.parse_args()
    core = min(os.sched_getaffinity(0)) if options.processor else None
    print(f"| milliseconds | {' | '.join(LIBRARIES)} | fastest other | nd4py / it |")
    print("|---|---:|---:|---:|---:|---:|---|---:|")
    ratios = []
    for row in work.WORK:
        if options.only in row:
            times = measure(work, row, options.rounds, given_of(row), core)
            print(line(row, times), flush=True)
            ratios.append(ratio_to_fastest(times)[1])
    print(f"\ngeometric mean {math.exp(statistics.mean(map(math.log, ratios))):.2f}, worst {max(ratios):.2f}")
