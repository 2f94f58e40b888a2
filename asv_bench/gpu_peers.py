"""nd4py beside CuPy and PyTorch on a GPU: the same work, interleaved in one process, as tables of medians with floors.

    python asv_bench/gpu_peers.py                       # everything, in less than eight minutes
    python asv_bench/gpu_peers.py --only 'products|sort' --rounds 9 --seconds 120
    python asv_bench/gpu_peers.py --device cpu          # compares the results of small arrays, and times nothing

Design: the results of small arrays are compared before anything is timed, on the CPU where there is no GPU; then the
command ends with an error that says so.  A time is that of many calls and of one wait for the device at their end, so
it is the host's or the device's, whichever is longer.  Libraries take turns within every round; ratios are medians of
the rounds' ratios.  No row begins when the time is up.
"""

import argparse
import re
import statistics
import sys
import time
from dataclasses import dataclass, field
from importlib.util import find_spec

from gpu_work.gpu_libraries import Cupy, Nd4pyOnDevice, TorchOnDevice
from gpu_work.gpu_rows import Row, rows
from peer_checks import bytes_of, difference, digest
from peer_libraries import CannotError

import nd4py as nd

OURS = "nd4py"
BATCH_SECONDS = 0.02  # that a turn lasts at least, so that the wait at its end is small beside it
MAX_CALLS = 10_000
LARGE, SMALL = 0, 1  # a row's sizes


def libraries(device):
    """Those that are installed and run on `device`."""
    found = [Nd4pyOnDevice(device)]
    if find_spec("torch"):
        found.append(TorchOnDevice(device))
    if device != "cpu" and find_spec("cupy"):
        found.append(Cupy(device))
    return found


# Whether all compute the same.


def disagreement(row, compared):
    """How libraries differ from nd4py about a row of small arrays, in words; "" where none does."""
    size = row.work.sizes[SMALL]
    ours = None
    for library in compared:
        try:
            once, _, _ = row.work.calls(library, size)
        except CannotError:
            continue
        found = digest(library, once(), 0)
        ours = ours or found
        if words := difference(ours, found, row.work.dtype, row.work.tolerance):
            return f"{row.title}: {library.name} differs from nd4py, {words}"
    return ""


# Times.


@dataclass
class Measured:
    """A row's times: of each library, seconds of one call in every round."""

    row: Row
    n_bytes: int
    seconds: dict = field(default_factory=dict)
    problems: dict = field(default_factory=dict)  # of each library that has the function, and failed

    def median(self, name):
        return statistics.median(self.seconds[name])

    @property
    def best(self):
        """The fastest of the others, or None."""
        return min((name for name in self.seconds if name != OURS), key=self.median, default=None)

    def ratio(self):
        """nd4py's time over the best one's, the median over rounds; None without either."""
        if self.best is None or OURS not in self.seconds:
            return None
        return statistics.median(
            ours / best for ours, best in zip(self.seconds[OURS], self.seconds[self.best], strict=True)
        )

    def to_copy(self, bandwidth):
        """nd4py's time over that of a copy which moves as many bytes."""
        return self.median(OURS) * bandwidth / self.n_bytes if OURS in self.seconds else None

    def keeps_floor(self, bandwidth):
        """Whether nd4py is as fast as the row asks; None where nothing is there to compare it with."""
        found = self.to_copy(bandwidth) if self.row.floor.against == "copy" else self.ratio()
        return None if found is None else found <= self.row.floor.most


def seconds_per_call(library, batch, n_calls):
    """Mean seconds of so many calls and the wait at their end."""
    library.synchronize()
    start = time.perf_counter()
    batch(n_calls)
    library.synchronize()
    return (time.perf_counter() - start) / n_calls


def calls_per_turn(library, batch):
    """How many calls last BATCH_SECONDS, after those that compile."""
    seconds_per_call(library, batch, 4)
    seconds = seconds_per_call(library, batch, 2)
    return max(1, min(MAX_CALLS, int(BATCH_SECONDS / max(seconds, 1e-9))))


def measured(row, compared, n_rounds):
    """A row timed in all libraries that have it, whose memory goes back afterwards."""
    result = Measured(row, 0)
    race(result, list(prepared(result, compared)), n_rounds)
    for library in compared:
        library.give_back()
    return result


def prepared(result, compared):
    """(library, batch, calls in a turn) of those that can do a row; what others say is noted."""
    work = result.row.work
    for library in compared:
        try:
            once, batch, arrays = work.calls(library, work.sizes[LARGE])
            moved = sum(map(bytes_of, arrays.values())) + sum(map(bytes_of, as_tuple(once())))
            n_calls = calls_per_turn(library, batch)
        except CannotError:
            continue
        except Exception as error:  # whatever a library raises for what it lacks, or has no memory for
            words = " ".join(str(error).split())
            result.problems[library.name] = f"{type(error).__name__}: {words[:200]}"
            continue
        result.n_bytes = result.n_bytes or moved
        yield library, batch, n_calls


def race(result, ready, n_rounds):
    """Let libraries take turns."""
    for turn in range(n_rounds):
        first = turn % max(1, len(ready))
        for library, batch, n_calls in ready[first:] + ready[:first]:
            result.seconds.setdefault(library.name, []).append(seconds_per_call(library, batch, n_calls))


def as_tuple(result):
    return tuple(result) if isinstance(result, tuple | list) else (result,)


def bandwidth_of(measured_row):
    """Bytes per second that the fastest library copies."""
    return measured_row.n_bytes / min(map(measured_row.median, measured_row.seconds))


# What is printed.


def table_head(compared):
    names = " | ".join(f"{library.name}, us" for library in compared)
    yield f"| row | size | {names} | best | nd4py / best | nd4py / copy | floor | |"
    yield f"|---|---|{'---:|' * len(compared)}---|---:|---:|---|---|"


def table_line(result, compared, bandwidth):
    """A row of the table; at its end whether the floor holds."""
    times = [f"{1e6 * result.median(n):,.1f}" if (n := library.name) in result.seconds else "" for library in compared]
    ratio, to_copy = result.ratio(), result.to_copy(bandwidth)
    kept = {True: "kept", False: "**missed**", None: ""}[result.keeps_floor(bandwidth)]
    work = result.row.work
    return (
        f"| {result.row.title} | {work.label(work.sizes[LARGE])} | {' | '.join(times)} | {result.best or ''} | "
        f"{'' if ratio is None else f'{ratio:.2f}'} | {'' if to_copy is None else f'{to_copy:.2f}'} | "
        f"{result.row.floor} | {kept} |"
    )


def table(chosen, compared, n_rounds, end):
    """The table, line by line, and what was left out or failed.

    The first row is a copy; no other begins after `end`.  Raises SystemExit when no library copies.
    """
    bandwidth, missed = None, []
    yield from table_head(compared)
    for position, row in enumerate(chosen):
        if position and time.perf_counter() > end:
            yield f"\nThe time was up: {len(chosen) - position} rows were not measured, from {row.title} on."
            break
        result = measured(row, compared, n_rounds)
        if bandwidth is None:
            if not result.seconds:
                raise SystemExit(f"gpu_peers: nothing was measured: {result.problems}")
            bandwidth = bandwidth_of(result)
        yield table_line(result, compared, bandwidth)
        missed += [row.title] * (result.keeps_floor(bandwidth) is False)
        for name, words in result.problems.items():
            yield f"| {name} failed: {words} |"
    yield f"\nA copy moved {bandwidth / 1e9:,.0f} GB/s. Floors missed: {', '.join(missed) or 'none'}."


def parse_options(arguments):
    parser = argparse.ArgumentParser(description="Time nd4py beside CuPy and PyTorch on a GPU; prints a table.")
    parser.add_argument("--only", type=re.compile, default=re.compile(""), help="rows whose title matches this pattern")
    parser.add_argument("--rounds", type=int, default=5, help="turns of every library")
    parser.add_argument("--seconds", type=float, default=420.0, help="after which no row begins")
    parser.add_argument("--device", help='"cpu" compares results alone; the first GPU if not given')
    return parser.parse_args(arguments)


def main(arguments=None):
    """Compare, and time where there is a GPU.  Raises SystemExit where results differ, or nothing could be timed."""
    options = parse_options(arguments)
    end = time.perf_counter() + options.seconds
    device = options.device or ("cuda:0" if nd.cuda.is_available() else "cpu")
    everything = list(rows())
    compared = libraries(device)
    wrong = list(filter(None, (disagreement(row, compared) for row in everything)))
    if wrong:
        raise SystemExit("gpu_peers: results differ\n" + "\n".join(wrong))
    names = " and ".join(library.name for library in compared)
    print(f"{len(everything)} rows of small arrays agree on {device}: {names}", flush=True)
    if device == "cpu":
        reason = "--device cpu" if options.device else nd.cuda.status().reason
        raise SystemExit(f"gpu_peers: nothing was timed: {reason}")
    copy, *others = everything
    chosen = [copy, *(row for row in others if options.only.search(row.title))]
    for line in table(chosen, compared, options.rounds, end):
        print(line, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
