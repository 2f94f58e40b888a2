"""Recurrent layers and a transformer's encoder layer, beside PyTorch, torch.compile, JAX and ONNX Runtime.

    python asv_bench/sequences.py --rounds 9
    python asv_bench/sequences.py --only lstm

Every library has a process of its own, with two threads, and takes its turn in every round, when the threads of the
others are asleep.  Printed are medians of the rounds, and the median of nd4py's ratio to the fastest other library.
A step is a loss, and the gradients of it for the input and all parameters.
"""

import argparse
import multiprocessing
import os
import statistics
import time

import sequence_work
from peer_timing import wait_until_asleep, warm_up

LIBRARIES = ("nd4py", "torch", "torch.compile", "jax", "onnxruntime")
OURS = "nd4py"
SECONDS = 0.1  # of the calls of one turn


def serve(library, row, pipe):
    """Make the work of one row in one library, then time it as often as asked."""
    try:
        call = sequence_work.WORK[row][library]()
        call()
        n_calls = calls_of(call)
    except Exception as error:
        pipe.send(f"{type(error).__name__}: {error}"[:200])
        return
    pipe.send("")
    while pipe.recv():
        warm_up(lambda _: call())
        start = time.perf_counter()
        for _ in range(n_calls):
            call()
        pipe.send((time.perf_counter() - start) / n_calls)


def calls_of(call):
    """How many calls a turn has."""
    call()
    start = time.perf_counter()
    call()
    return max(1, int(SECONDS / (time.perf_counter() - start)))


class Peer:
    """The process of one library for one row."""

    def __init__(self, library, row):
        self.library = library
        self.pipe, far_end = multiprocessing.Pipe()
        context = multiprocessing.get_context("spawn")
        self.process = context.Process(target=serve, args=(library, row, far_end), daemon=True)
        self.process.start()

    def seconds(self):
        """The mean seconds of one call."""
        self.pipe.send(True)
        return self.pipe.recv()


def measure(row, n_rounds):
    """{library: seconds of each round} of one row."""
    peers = [Peer(library, row) for library in LIBRARIES if library in sequence_work.WORK[row]]
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
        peer.pipe.close()
        peer.process.terminate()
        peer.process.join()
    return times


def line(row, times):
    """One row of the table."""
    others = [library for library in times if library != OURS]
    best = min(others, key=lambda library: statistics.median(times[library]))
    ratios = [ours / other for ours, other in zip(times[OURS], times[best], strict=True)]
    cells = [f"{1e3 * statistics.median(times[library]):.3g}" if library in times else "" for library in LIBRARIES]
    return f"| {row} | {' | '.join(cells)} | {best} | {statistics.median(ratios):.2f} |"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--only", default="", help="rows whose names have this in them")
    options = parser.parse_args()
    print(f"| milliseconds | {' | '.join(LIBRARIES)} | fastest other | nd4py / it |")
    print("|---|---:|---:|---:|---:|---:|---|---:|")
    for row in sequence_work.WORK:
        if options.only in row:
            print(line(row, measure(row, options.rounds)), flush=True)


if __name__ == "__main__":
    main()
