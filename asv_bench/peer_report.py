"""What a run prints: tables of rows, and how each family stands against its floors."""

import json
import math
from dataclasses import asdict, dataclass
from pathlib import Path

from peer_floors import verdicts


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
    floor: float | None

    @property
    def peers(self):
        return {name: value for name, value in self.seconds.items() if name != "nd4py"}

    @property
    def best_peer(self):
        """The name of the fastest peer; None where there is none."""
        return min(self.peers, key=self.peers.get, default=None)

    def ratio(self, name=None):
        """nd4py's time over that of one peer, the best one if not named; None where either is missing."""
        name = name or self.best_peer
        if "nd4py" not in self.seconds or name not in self.peers:
            return None
        return self.seconds["nd4py"] / self.peers[name]

    @property
    def to_limit(self):
        """nd4py's time over the physical limit, None where there is none."""
        return self.seconds["nd4py"] / self.limit if self.limit and "nd4py" in self.seconds else None

    def __str__(self):
        return f"{self.name} {self.size}"


def save(path, row):
    """Append a row to a file of JSON lines."""
    with open(path, "a") as file:
        file.write(json.dumps(asdict(row)) + "\n")


def load(path):
    """The rows of such a file; of rows that were measured again the last."""
    rows = [Row(**json.loads(line)) for line in Path(path).read_text().splitlines()]
    return list({(row.family, row.name, row.size, row.n_threads): row for row in rows}.values())


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


def report(rows, options):
    """The lines after the tables: floors."""
    yield ""
    yield "| floor | threads | rows | nd4py / peer | wanted | worst row | wanted | |"
    yield "|---|---:|---:|---:|---:|---|---:|---|"
    for verdict in verdicts(rows):
        yield verdict.line()


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))
