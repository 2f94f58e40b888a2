"""The summary of a network as a table of text."""

from __future__ import annotations

import math
from collections.abc import Sequence

from .stages import Stage

HEADINGS = ("layer", "type", "n_in -> n_out", "parameters", "shapes")


def summarize(stages: Sequence[Stage], inputs: Sequence[str], n_bytes: int) -> str:
    """One line per layer, then the totals; with what each reads, where that is not the one before it.

    inputs: the names of the network's inputs    n_bytes: the size of the parameter vector
    """
    is_stack = all(stage.sources == (stage.index,) for stage in stages)
    names = [*inputs, *(stage.name for stage in stages)]
    rows = [_headings(is_stack), *(_row(stage, None if is_stack else names) for stage in stages)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = [_line(row, widths) for row in rows]
    rule = "-" * max(map(len, lines))
    total = sum(map(_count, stages))
    trained = sum(map(_trained, stages))
    parts = "" if trained == total else f", of which {trained:,} are trained"
    return "\n".join([lines[0], rule, *lines[1:], rule, f"parameters: {total:,} ({n_bytes:,} bytes){parts}"])


def _headings(is_stack: bool) -> tuple[str, ...]:
    return HEADINGS if is_stack else (*HEADINGS[:2], "reads", *HEADINGS[2:])


def _row(stage: Stage, names: Sequence[str] | None) -> tuple[str, ...]:
    shapes = ", ".join(f"{row.name} {row.shape}" for row in stage.parameters) or "-"
    name = f"{stage.name} {stage.layer.name}".rstrip()
    reads = () if names is None else (", ".join(names[source] for source in stage.sources),)
    sizes = f"{stage.given[0].n_features} -> {stage.output.n_features}"
    kind = type(stage.layer).__name__ + (" (frozen)" if stage.layer.is_frozen and stage.parameters else "")
    return name, kind, *reads, sizes, f"{_count(stage):,}", f"{shapes}; out {stage.output}"


def _count(stage: Stage) -> int:
    return sum(math.prod(row.shape) for row in stage.parameters)


def _trained(stage: Stage) -> int:
    if stage.layer.is_frozen:
        return 0
    return sum(math.prod(row.shape) for row in stage.parameters if not (row.is_state or row.is_pretrained))


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
    cells[-2] = row[-2].rjust(widths[-2])
    return "  ".join(cells).rstrip()
