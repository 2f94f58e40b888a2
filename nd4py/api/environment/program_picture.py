"""A picture of a program of deferred operations.

Design: an array that is read further on than in the next column has a slot in each column on its way, as if it were a
node there.  So no arrow runs behind a node.
"""

from __future__ import annotations

from collections.abc import Iterable
from statistics import mean
from typing import Any, NamedTuple

LEAF, INNER, WRITTEN = "lightsteelblue", "whitesmoke", "palegreen"
HALF_WIDTH, HALF_HEIGHT = 0.36, 0.28  # of a node; columns and slots in them are 1 apart
INCHES = (1.6, 0.8)  # of that 1
FONT, LONGEST = 9, 14  # size of the letters, and how many of them fit into a node
SWEEPS = 8  # of the columns, after which the order of their slots hardly changes


class Node(NamedTuple):
    """What one box shows, and which other nodes its arrows come from."""

    label: str
    color: str
    reads: tuple[str, ...]


def picture(nodes: dict[str, Node], title: str) -> Any:
    """A figure of matplotlib with nodes, given by name in the order in which they are computed."""
    from matplotlib.figure import Figure

    ends = _ends(nodes, levels := _levels(nodes))
    columns = _ordered(_columns(levels, ends), nodes)
    heights = [_heights(column) for column in columns]
    tallest = max(map(len, columns))
    figure = Figure(figsize=(INCHES[0] * (len(columns) + 0.5), INCHES[1] * (tallest + 1)))
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    axes.set_xlim(-0.75, len(columns) - 0.25)
    axes.set_ylim(-tallest / 2, tallest / 2 + 1)
    axes.text((len(columns) - 1) / 2, tallest / 2 + 0.5, title, ha="center", va="center", fontsize=10)
    for level in range(1, len(columns)):
        for name in columns[level]:
            sources = nodes[name].reads if levels[name] == level else (name,)
            for source in dict.fromkeys(sources):
                start, stop = heights[level - 1][source], heights[level][name]
                _draw_arrow(axes, level, start, stop, is_arrival=levels[name] == level)
    for name, node in nodes.items():
        _draw_node(axes, levels[name], heights[levels[name]][name], node)
    return figure


def _levels(nodes: dict[str, Node]) -> dict[str, int]:
    """The column of each node: behind all that it reads; what reads nothing stands right before its first reader."""
    levels: dict[str, int] = {}
    for name, node in nodes.items():
        levels[name] = 1 + max((levels[read] for read in node.reads), default=-1)
    for name, node in nodes.items():
        readers = [levels[other] for other, reader in nodes.items() if name in reader.reads]
        if not node.reads and readers:
            levels[name] = min(readers) - 1
    return levels


def _ends(nodes: dict[str, Node], levels: dict[str, int]) -> dict[str, int]:
    """The column of the last reader of each node, or its own."""
    ends = dict(levels)
    for name, node in nodes.items():
        for read in node.reads:
            ends[read] = max(ends[read], levels[name])
    return ends


def _columns(levels: dict[str, int], ends: dict[str, int]) -> list[list[str]]:
    """The names in each column: of its nodes, and of those on the way to a reader further on."""
    columns: list[list[str]] = [[] for _ in range(1 + max(levels.values()))]
    for name, level in levels.items():
        for column in columns[level : max(ends[name], level + 1)]:
            column.append(name)
    return columns


def _ordered(columns: list[list[str]], nodes: dict[str, Node]) -> list[list[str]]:
    """The columns, each in an order in which its arrows cross little: by the mean height of their other ends."""
    for sweep in range(SWEEPS):
        forward = sweep % 2 == 0
        for i in range(1, len(columns)) if forward else range(len(columns) - 2, -1, -1):
            other, own = _heights(columns[i - 1 if forward else i + 1]), _heights(columns[i])
            columns[i].sort(key=lambda name: -_pull(name, forward, other, own, nodes))
    return columns


def _pull(name: str, forward: bool, other: dict[str, float], own: dict[str, float], nodes: dict[str, Node]) -> float:
    """The height that a name wants: that of its arrows' ends in the other column, or its own where it has none."""
    ends = (name, *nodes[name].reads) if forward else (name, *(end for end in other if name in nodes[end].reads))
    found = [other[end] for end in ends if end in other]
    return mean(found) if found else own[name]


def _heights(column: Iterable[str]) -> dict[str, float]:
    """The slots of a column, 1 apart and as many above 0 as below."""
    names = list(column)
    return {name: (len(names) - 1) / 2 - i for i, name in enumerate(names)}


def _draw_arrow(axes: Any, level: int, start: float, stop: float, is_arrival: bool) -> None:
    """From column `level - 1` to column `level`: to a node, or through a slot on the way."""
    from matplotlib.patches import FancyArrowPatch
    from matplotlib.path import Path

    left, right = level - 1 + HALF_WIDTH, level - HALF_WIDTH
    points = [(left, start), (level - 0.5, start), (level - 0.5, stop), (right, stop)]
    codes = [Path.MOVETO, Path.CURVE4, Path.CURVE4, Path.CURVE4]
    if not is_arrival:
        points.append((level + HALF_WIDTH, stop))
        codes.append(Path.LINETO)
    style = "->" if is_arrival else "-"
    axes.add_patch(FancyArrowPatch(path=Path(points, codes), arrowstyle=style, mutation_scale=9, color="gray"))


def _draw_node(axes: Any, x: float, y: float, node: Node) -> None:
    from matplotlib.patches import FancyBboxPatch

    corner, size = (x - HALF_WIDTH + 0.05, y - HALF_HEIGHT + 0.05), (2 * HALF_WIDTH - 0.1, 2 * HALF_HEIGHT - 0.1)
    axes.add_patch(FancyBboxPatch(corner, *size, "round, pad=0.05", facecolor=node.color, edgecolor="gray"))
    longest = max(map(len, node.label.split("\n")))
    axes.text(x, y, node.label, ha="center", va="center", fontsize=FONT * min(1, LONGEST / longest))
