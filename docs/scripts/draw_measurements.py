"""Draw the charts of docs/measurements.md from its tables: `python docs/scripts/draw_measurements.py`."""

import re
import sys
from pathlib import Path
from statistics import median, quantiles

DOCS = Path(__file__).parents[1]
sys.path.insert(0, str(DOCS / "scripts"))

import matplotlib  # noqa: E402
from matplotlib import pyplot as plt  # noqa: E402
from tutorials import STYLE, without_date  # noqa: E402

TEXT = DOCS / "measurements.md"
IMAGES = DOCS / "images"
NAMES = ("measured-summary.svg", "measured-libraries.svg")
SUMMARIES = ("Summary", "Summary of chains")
GROUPS = ("products", "convolutions", "pooling", "reductions", "normalizations", "elementwise", "small", "chains")
LIBRARIES = ("numpy", "numexpr", "numba", "torch", "jax")
SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}
FASTER, SLOWER = "#2ca02c", "#d62728"


def table(heading):
    """The rows of the first table below a heading, as dicts by the names of its columns."""
    below = re.split(rf"^###? {re.escape(heading)}$", TEXT.read_text(encoding="utf-8"), maxsplit=1, flags=re.M)[1]
    lines = re.search(r"(?:^\|.*\n)+", below, re.M)[0].splitlines()
    columns, _, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in lines)
    return [dict(zip(columns, row, strict=True)) for row in rows]


def seconds(text):
    """The time in a cell, such as "2.77 us"; None where a library was not measured."""
    found = re.fullmatch(r"~?([\d.,]+) (\w+)", text)
    return float(found[1].replace(",", "")) * SECONDS[found[2]] if found else None


def draw_summary():
    """Bars: the mean of nd4py's time by that of the fastest other, for each kind of work."""
    rows = [row for heading in SUMMARIES for row in table(heading) if "beside the bandwidth" not in row["work"]]
    column = next(name for name in rows[0] if name.startswith("nd4py / fastest other"))
    ratios = [float(row[column]) for row in rows][::-1]
    figure, axis = plt.subplots(figsize=(7.2, 0.22 * len(rows) + 0.8))
    axis.barh(range(len(rows)), ratios, color=[FASTER if ratio <= 1 else SLOWER for ratio in ratios], height=0.7)
    for place, ratio in enumerate(ratios):
        axis.text(ratio + 0.02, place, f"{ratio:.2f}", va="center", fontsize=8)
    axis.axvline(1.0, color=STYLE["text.color"], linewidth=0.8)
    axis.set_yticks(range(len(rows)), [row["work"].replace("`", "") for row in rows][::-1], fontsize=8)
    axis.set_ylim(-0.6, len(rows) - 0.4)
    axis.set_xlabel("time of nd4py, by that of the fastest other (1: the same)")
    return figure


def ratios_to_nd4py(heading, library):
    """How many times as long a library takes as nd4py, for each row of a group that has both."""
    rows = [(seconds(row["nd4py"]), seconds(row.get(library, ""))) for row in table(heading)]
    return [other / ours for ours, other in rows if ours and other]


def draw_libraries():
    """For each group of rows and each library: the median of the ratios, and a line over nine tenths of them."""
    figure, axis = plt.subplots(figsize=(7.2, 4.6))
    for group, heading in enumerate(reversed(GROUPS)):
        for number, library in enumerate(LIBRARIES):
            ratios = sorted(ratios_to_nd4py(heading, library))
            if not ratios:
                continue
            place = group + 0.32 - 0.16 * number
            low, high = (ratios[0], ratios[-1]) if len(ratios) < 20 else quantiles(ratios, n=20)[::18]
            axis.plot([low, high], [place, place], color=f"C{number}", linewidth=1.2)
            axis.plot(median(ratios), place, "o", color=f"C{number}", markersize=4)
    for number, library in enumerate(LIBRARIES):
        axis.plot([], [], "o-", color=f"C{number}", markersize=4, label=library)
    axis.axvline(1.0, color=STYLE["text.color"], linewidth=0.8)
    axis.set_xscale("log")
    axis.set_yticks(range(len(GROUPS)), [f"{name} ({len(table(name))} rows)" for name in reversed(GROUPS)])
    axis.set_xlabel("time of the library, by that of nd4py (1: the same; right: nd4py is faster)")
    axis.legend(loc="lower center", bbox_to_anchor=(0.4, 1.0), ncols=len(LIBRARIES), fontsize=8)
    return figure


def draw(folder):
    """Write the charts to a folder."""
    with matplotlib.rc_context(STYLE):
        matplotlib.use("Agg")
        for name, figure in zip(NAMES, (draw_summary(), draw_libraries()), strict=True):
            path = Path(folder) / name
            figure.savefig(path)
            path.write_text(without_date(path), encoding="utf-8")
            plt.close(figure)


if __name__ == "__main__":
    draw(IMAGES)
