"""The summary of a network as a table of text."""

import math
from collections.abc import Sequence

from .stages import Stage

HEADINGS = ("layer", "type", "n_in -> n_out", "parameters", "shapes")


def summarize(stages: Sequence[Stage], n_bytes: int) -> str:
    """One line per layer, then the totals.  `n_bytes` is the size of the parameter vector."""
    rows = [HEADINGS, *map(_row, stages)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADINGS))]
    lines = [_line(row, widths) for row in rows]
    rule = "-" * max(map(len, lines))
    total = sum(map(_count, stages))
    return "\n".join([lines[0], rule, *lines[1:], rule, f"parameters: {total:,} ({n_bytes:,} bytes)"])


def _row(stage: Stage) -> tuple[str, ...]:
    shapes = ", ".join(f"{row.name} {row.shape}" for row in stage.parameters) or "-"
    name = f"{stage.index} {stage.layer.name}".rstrip()
    sizes = f"{stage.given.n_features} -> {stage.output.n_features}"
    return name, type(stage.layer).__name__, sizes, f"{_count(stage):,}", f"{shapes}; out {stage.output}"


def _count(stage: Stage) -> int:
    return sum(math.prod(row.shape) for row in stage.parameters)


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    name, kind, sizes, count, shapes = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
    return "  ".join([name, kind, sizes, count.rstrip().rjust(widths[3]), shapes]).rstrip()
