"""The floors: what nd4py's time over the best peer's may be at most, by family of work."""

import math
import re
from dataclasses import dataclass

FURTHER_PLACES = r".*(axis 0 100,000 x 32|1,000 x 64 x 50)"  # of `peer_work.normalizations`, without a requirement
MEMORY_BOUND = r"^out=: (add|multiply|divide|sqrt|abs|negative|maximum) "


@dataclass(frozen=True)
class Floor:
    """One floor: `mean` bounds the geometric mean of the rows that match, `worst` every one of them."""

    title: str
    rows: str  # pattern of "family: name size"
    mean: float | None = None
    worst: float | None = None
    against: str = "best"  # "best" peer, one library by name, "limit", or "float32": our own time in it


# At two threads and more; the numbers are requirements of the project.
FLOORS = (
    Floor("elementwise, 10,000,000", r"^elementwise: .* 10,000,000$(?<!bfloat16 10,000,000)", 0.45, 0.9),
    Floor("elementwise, 100,000", r"^elementwise: .* 100,000$", 0.75, 1.25),
    Floor("elementwise into `out`", r"^out=: ", 1.0),
    Floor("the same beside the bandwidth, memory-bound", MEMORY_BOUND, worst=1 / 0.85, against="limit"),
    Floor("float16, bfloat16 beside our float32", r"^elementwise: \w+ b?float16 ", worst=0.6, against="float32"),
    Floor("`where`, cast", r"^elementwise: (where|cast) ?.* 10,000,000$", worst=0.4),
    Floor("chains of cheap operations, 10,000,000", r"^chains: \d cheap .* 10,000,000$", worst=0.45),
    Floor("transcendental chain, 10,000,000", r"^chains: transcendental .* 10,000,000$", worst=0.75),
    Floor("chain and its sum, 10,000,000", r"^chains: sum of .* 10,000,000$", worst=1.5),
    Floor(
        "pair in place beside one by one, 10,000,000",
        r"^chains: pair .* 10,000,000$",
        worst=1 / 1.5,
        against="uncombined",
    ),
    Floor("chains, 100,000", r"^chains: .* 100,000$", worst=1.1),
    Floor("chains, 100,000, beside NumPy", r"^chains: .* 100,000$", worst=0.5, against="numpy"),
    Floor("chains, 100,000, beside PyTorch", r"^chains: .* 100,000$", worst=0.5, against="torch"),
    Floor("rows by hand beside the bandwidth", r"^rows: .* last axis 4,096 x 4,096$", worst=1.3, against="limit"),
    Floor("layouts", r"^layouts: "),
    Floor("reductions", r"^reductions: ", 0.75, 1.15),
    Floor("argmax and argmin, first axis and (100000, 32)", r"^reductions: arg.*(axis 0|100,000 x 32)", worst=0.4),
    Floor("softmax, layer norm, variance", rf"^normalizations: (?!{FURTHER_PLACES})", worst=0.5),
    Floor("softmax, layer norm of further shapes", rf"^normalizations: {FURTHER_PLACES}"),
    Floor("matrix products", r"^products: (64|512|2048|dense|tall-skinny) float(32|64) ", worst=1.05),
    Floor("batched products", r"^products: batched float(32|64)", worst=0.9),
    Floor("further products", r"^products: (output |narrow |matvec |.* transposed |.*float16 )", worst=1.05),
    Floor("conv2d forward", r"^convolutions: .* forward \d", worst=1.25, against="torch"),
    Floor("conv2d backward", r"^convolutions: .* backward \d", worst=1.1, against="torch"),
    Floor("conv2d forward with the helper", r"^convolutions: .* forward with the helper", worst=1.05, against="torch"),
    Floor("conv2d backward with the helper", r"^convolutions: .* backward with the helper", worst=1.0, against="torch"),
    Floor("max pooling forward + backward", r"^pooling: .* forward \+ backward", worst=0.2, against="torch"),
    Floor("max pooling forward", r"^pooling: .* forward \d", against="torch"),
)
ONE_THREAD = Floor("one thread, all of it", r"^(?!small|moving|networks)", 0.85)


@dataclass(frozen=True)
class Verdict:
    """How the rows of one floor stand."""

    title: str
    n_threads: int
    n_rows: int
    mean: float
    mean_wanted: float | None
    worst_row: str
    worst: float
    worst_wanted: float | None
    n_above: int

    @property
    def is_kept(self):
        return not (self.n_above or (self.mean_wanted and self.mean > self.mean_wanted))

    def line(self):
        """A line of the table of floors."""
        wanted = ["-" if value is None else f"{value:.2f}" for value in (self.mean_wanted, self.worst_wanted)]
        has_floor = self.mean_wanted or self.worst_wanted
        word = "" if not has_floor else "pass" if self.is_kept else "FAIL"
        word += f", {self.n_above} rows above" if self.n_above else ""
        cells = [self.title, self.n_threads, self.n_rows, f"{self.mean:.2f}", wanted[0]]
        cells += [f"{self.worst_row} {self.worst:.2f}", wanted[1], word]
        return "| " + " | ".join(map(str, cells)) + " |"

    def summary(self):
        """A line of the summary, which says nothing of floors."""
        cells = [self.title, self.n_threads, self.n_rows, f"{self.mean:.2f}", f"{self.worst_row} {self.worst:.2f}"]
        return "| " + " | ".join(map(str, cells)) + " |"


def verdicts(rows):
    """The verdict on every floor that has rows."""
    for n_threads in sorted({row.n_threads for row in rows}):
        chosen = [row for row in rows if row.n_threads == n_threads]
        for floor in FLOORS if n_threads > 1 else (ONE_THREAD,):
            matching = [row for row in chosen if re.search(floor.rows, f"{row.family}: {row}")]
            values = [(value, str(row)) for row in matching if (value := compared(floor, row, chosen))]
            if values:
                yield verdict(floor, n_threads, values)
        yield from small_verdicts(chosen, n_threads)


def verdict(floor, n_threads, values):
    """The verdict on (ratio, row) of one floor."""
    worst, worst_row = max(values)
    mean = math.exp(sum(math.log(value) for value, _ in values) / len(values))
    n_above = sum(value > floor.worst for value, _ in values) if floor.worst else 0
    return Verdict(floor.title, n_threads, len(values), mean, floor.mean, worst_row, worst, floor.worst, n_above)


def compared(floor, row, rows):
    """nd4py's time in a row over what the floor compares it with; None where that is missing."""
    if floor.against == "limit":
        return row.to_limit
    if floor.against == "float32":
        name = re.sub(r"b?float16", "float32", row.name)
        ours = next(
            (r.seconds.get("nd4py") for r in rows if (r.family, r.name, r.size) == (row.family, name, row.size)), None
        )
        return row.seconds["nd4py"] / ours if ours and "nd4py" in row.seconds else None
    return row.ratio(None if floor.against == "best" else floor.against)


def small_verdicts(rows, n_threads):
    """Rows with a floor of their own, beside NumPy."""
    for row in rows:
        ratio = row.ratio("numpy")
        if row.floor and ratio:
            above = int(ratio > row.floor)
            yield Verdict(f"small: {row.name}", n_threads, 1, ratio, None, row.name, ratio, row.floor, above)
