"""What a run prints: tables of rows, and how each family stands against its floors."""

import json
import os
import platform
import re
import shlex
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path

import peer_limits
from peer_floors import verdicts

N_FURTHEST = 10
OURS = ("nd4py", "uncombined", "passive")


@dataclass(frozen=True)
class Row:
    """One measured row of work: seconds by library."""

    family: str
    name: str
    size: str
    n_threads: int
    is_disturbed: bool
    seconds: dict
    tuned: dict  # the peers under a tuned malloc
    limit: float  # seconds, 0 where none is known
    ratios: dict  # nd4py's time over that of each other, and over the limit's, in the same round: the median
    floor: float | None

    @property
    def peers(self):
        return {name: value for name, value in self.seconds.items() if name not in OURS}

    @property
    def best_peer(self):
        """The name of the fastest peer; None where there is none."""
        return min(self.peers, key=lambda name: (-self.ratios.get(name, 0.0), self.peers[name]), default=None)

    def ratio(self, name=None):
        """nd4py's time over that of one library, the best peer if not named; None where either is missing."""
        return self.ratios.get(name or self.best_peer)

    @property
    def to_limit(self):
        """nd4py's time over the physical limit, None where there is none."""
        return self.ratios.get("limit")

    def __str__(self):
        return f"{self.name} {self.size}"


@dataclass(frozen=True)
class Head:
    """How rows were made."""

    command: str
    machine: str
    versions: dict  # of the libraries
    limits: tuple  # of the machine, in words


def head_of(arguments, options):
    """The head of a run that begins: its limits are measured."""
    return Head(
        shlex.join(["python", "asv_bench/peers.py", *arguments]),
        machine(),
        {name: metadata.version(name) for name in options.packages},
        tuple(map(peer_limits.described, options.threads)),
    )


def machine():
    """The machine in words."""
    try:
        model = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    except FileNotFoundError:
        model = None
    processor = model[1].strip() if model else platform.processor() or platform.machine()
    system = f"{platform.system()} {platform.release()}, Python {platform.python_version()}"
    return f"{os.cpu_count()} cores of {processor}, {system}"


def save(path, item):
    """Append a head or a row to a file of JSON lines."""
    with open(path, "a") as file:
        file.write(json.dumps(asdict(item)) + "\n")


def load(paths):
    """The heads and the rows of such files; of rows that were measured again the last."""
    items = [json.loads(line) for path in paths for line in Path(path).read_text().splitlines()]
    heads = [Head(**item) for item in items if "command" in item]
    rows = [Row(**item) for item in items if "command" not in item]
    return heads, list({(row.family, row.name, row.size, row.n_threads): row for row in rows}.values())


def unit(seconds):
    """Seconds in the unit that people read."""
    for factor, name in ((1e9, "ns"), (1e6, "us"), (1e3, "ms")):
        if seconds * factor < 1000:
            return f"{seconds * factor:.3g} {name}"
    return f"{seconds:.3g} s"


def number(value):
    return "-" if value is None else f"{value:.2f}"


def table_head(family, libs, is_tuned):
    """Title and head of a family's table."""
    titles = ["work", "size", "threads", *libs, "limit", "nd4py / best peer", "best peer", "nd4py / limit"]
    titles += ["best, tuned malloc", "nd4py / best tuned"] if is_tuned else []
    return ["", f"### {family}", "", "| " + " | ".join(titles) + " |", "|---|---|" + "---:|" * (len(titles) - 2)]


def table_line(row, libs, is_tuned):
    """One line of the table; a library that cannot do the work has a dash."""
    cells = [row.name, row.size, f"{row.n_threads}{' ~' if row.is_disturbed else ''}"]
    cells += [unit(row.seconds[name]) if name in row.seconds else "-" for name in libs]
    cells += [unit(row.limit) if row.limit else "-", number(row.ratio()), row.best_peer or "-", number(row.to_limit)]
    if is_tuned:
        best = min(row.tuned, key=row.tuned.get, default=None)
        ours = row.seconds.get("nd4py")
        cells += [f"{best} {unit(row.tuned[best])}" if best else "-"]
        cells += [number(ours / row.tuned[best] if ours and best else None)]
    return "| " + " | ".join(cells) + " |"


def floor_lines(rows):
    """The table of floors."""
    yield from ("", "### Floors", "")
    yield "| floor | threads | rows | nd4py / peer, geometric mean | at most | worst row | at most | |"
    yield "|---|---:|---:|---:|---:|---|---:|---|"
    for verdict in verdicts(rows):
        yield verdict.line()


def summary_lines(rows):
    """What the tables come to, for readers: a line for each kind of work."""
    yield from ("", "### Summary", "")
    yield "| work | threads | rows | nd4py / fastest other, geometric mean | slowest row |"
    yield "|---|---:|---:|---:|---|"
    for verdict in verdicts(rows):
        yield verdict.summary()


def furthest_lines(rows):
    """The rows that are furthest from their limit."""
    yield from ("", "### Furthest from the limit", "")
    yield "| work | threads | nd4py | limit | nd4py / limit | best peer / limit |"
    yield "|---|---:|---:|---:|---:|---:|"
    for row in sorted((row for row in rows if row.to_limit), key=lambda row: -row.to_limit)[:N_FURTHEST]:
        peer = row.peers[row.best_peer] / row.limit if row.best_peer else None
        cells = [row, row.n_threads, unit(row.seconds["nd4py"]), unit(row.limit), number(row.to_limit), number(peer)]
        yield "| " + " | ".join(map(str, cells)) + " |"


def page(heads, rows, options):
    """A page of documentation: how rows were made, a summary, what is furthest from its limit, each family's table."""
    yield from ("```sh", *dict.fromkeys(head.command for head in heads), "```", "")
    for head in heads[-1:]:
        versions = ", ".join(f"{name} {version}" for name, version in head.versions.items())
        yield f"Machine: {head.machine}. Beside {versions}."
        yield "Limits, as measured in the run:"
        yield from ("", *(f"- {limit}" for limit in head.limits))
    yield from summary_lines(rows)
    yield from furthest_lines(rows)
    for family in dict.fromkeys(row.family for row in rows):
        found = [row for row in rows if row.family == family]
        libs = [name for name in options.libs if any(name in row.seconds for row in found)]
        yield from table_head(family, libs, options.tuned)
        yield from (table_line(row, libs, options.tuned) for row in found)
