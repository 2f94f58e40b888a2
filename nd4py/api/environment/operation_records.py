"""Operations that a profile has seen: one that ran, and what those of a name have in common."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from itertools import groupby
from pathlib import PurePath
from typing import NamedTuple

from ..._core.observing.observers import Operation, layout_of

__all__ = ["OperationRecord", "OperationTotals"]

STRIDED, MIXED = "strided", "mixed orders"


class OperationRecord(NamedTuple):
    """One operation that ran while a profile was open, or one pass that did several.

    operation: its name; of a pass the names of all, joined by "+"    kind: "elementwise", "combined" (a pass over
    memory that does deferred operations), "reduction", "scan", "product", "driver" (code of its own, such as a
    convolution), "conversion", "copy" (moves or makes elements without arithmetic) or "graph"
    parts: (name, line) of each operation of a pass, else empty    line: where the program called it
    start_ns: since the profile began    duration_ns: in all    self_ns: without other operations within it
    bytes_read, bytes_written: of the arrays, each element once    n_threads: the most that worked on it
    thread: number of the Python thread    depth: of operations that it is within
    operands: dtype and shape of what it read    orders: the memory order of operands and results, such as "C x F x C":
    C, F, T for axes in another order, S where there are gaps between elements
    layout: None where the arrays could be walked as one row; "strided" where elements of an operand have gaps between
    them; "mixed orders" where the axes of the arrays lie in different orders

    >>> with nd.profile() as p:
    ...     y = nd.ones((2, 3)) + nd.ones((3, 2)).T
    >>> p.records[-1].operation, p.records[-1].orders, p.records[-1].layout
    ('add', 'C x F x C', 'mixed orders')
    """

    operation: str
    kind: str
    parts: tuple[tuple[str, str], ...]
    line: str
    start_ns: int
    duration_ns: int
    self_ns: int
    bytes_read: int
    bytes_written: int
    n_threads: int
    thread: int
    depth: int
    operands: tuple[str, ...]
    orders: str
    layout: str | None

    @property
    def n_operations(self) -> int:
        """How many operations of the program it did."""
        return max(1, len(self.parts))

    @property
    def gigabytes_per_second(self) -> float:
        """Bytes read and written, by its time."""
        return (self.bytes_read + self.bytes_written) / max(1, self.duration_ns)


class OperationTotals(NamedTuple):
    """What the operations of one name, kind or line of a profile have in common.

    name: of the operations, their kind, or a line    n_calls: how often they ran    n_operations: of the program, which
    are more where passes did several    total_ns, self_ns: with and without other operations within them
    longest_ns: of one call    bytes_read, bytes_written: of all calls    n_threads: the most that worked on one
    n_slow_layouts: calls whose arrays could not be walked as one row

    >>> with nd.profile() as p:
    ...     y = nd.ones(3) + 1
    >>> [(total.name, total.n_calls) for total in p.totals() if total.name == "add"]
    [('add', 1)]
    """

    name: str
    n_calls: int
    n_operations: int
    total_ns: int
    self_ns: int
    longest_ns: int
    bytes_read: int
    bytes_written: int
    n_threads: int
    n_slow_layouts: int

    @property
    def gigabytes_per_second(self) -> float:
        """Bytes read and written, by the time of the calls."""
        return (self.bytes_read + self.bytes_written) / max(1, self.total_ns)


def record_of(operation: Operation, first_ns: int) -> OperationRecord:
    """What an observer was told of, in words and numbers."""
    read = [layout_of(*item) for item in operation.read]
    written = [layout_of(*item) for item in operation.written]
    duration = operation.end_ns - operation.start_ns
    parts = tuple((name, plain_line(line)) for name, line in operation.parts)
    return OperationRecord(
        operation=operation.name,
        kind="elementwise" if operation.kind == "combined" and len(parts) == 1 else operation.kind,
        parts=parts if len(parts) > 1 or operation.kind == "graph" else (),
        line=parts[-1][1] if operation.kind == "combined" else plain_line(operation.line),
        start_ns=operation.start_ns - first_ns,
        duration_ns=duration,
        self_ns=max(0, duration - operation.inner_ns),
        bytes_read=sum(n_bytes for *_, n_bytes in read),
        bytes_written=sum(n_bytes for *_, n_bytes in written),
        n_threads=operation.n_threads,
        thread=operation.thread,
        depth=operation.depth,
        operands=tuple(f"{dtype}{shape}" for dtype, shape, *_ in read),
        orders=" x ".join(map(order, [*read, *written])),
        layout=None if operation.kind == "graph" else slow_layout(operation.kind, read, written),
    )


def plain_line(where: str) -> str:
    """The file and line, as `call_site_of` and launches say it."""
    return where.removeprefix(" in ").removeprefix(" for ")


def short_line(line: str) -> str:
    """A line without the folders of its file."""
    file, comma, number = line.rpartition(", line ")
    return f"{PurePath(file).name}{comma}{number}" if comma else line


# Layouts: (dtype, shape, strides, bytes of the elements, those that are repeated counted once).
Layout = tuple[str, tuple[int, ...], tuple[int, ...], int]


def axes_in_memory(layout: Layout) -> tuple[int, ...]:
    """The axes along which elements differ, from the longest step to the shortest."""
    _, shape, strides, _ = layout
    axes = [i for i, size in enumerate(shape) if size > 1 and strides[i] != 0]
    return tuple(sorted(axes, key=lambda i: -abs(strides[i])))


def has_gaps(layout: Layout) -> bool:
    """Whether there is other memory between elements, or they lie from the last to the first."""
    _, shape, strides, n_bytes = layout
    for i in axes_in_memory(layout):
        n_bytes //= shape[i]
        if strides[i] != n_bytes:
            return True
    return False


def order(layout: Layout) -> str:
    """A letter for how the elements lie."""
    axes = axes_in_memory(layout)
    if has_gaps(layout):
        return "S"
    return "C" if axes == tuple(sorted(axes)) else "F" if axes == tuple(sorted(axes, reverse=True)) else "T"


def n_elements(layout: Layout) -> int:
    """How many elements there are in memory."""
    return math.prod(layout[1][i] for i in axes_in_memory(layout))


def slow_layout(kind: str, read: list[Layout], written: list[Layout]) -> str | None:
    """Why the arrays of an operation cannot be walked as one row.  What is repeated along others does not count, nor do
    operands of products that lie without gaps one way: these are read where they lie."""
    layouts = [*read, *written]
    if kind == "product":
        return STRIDED if any(has_gaps(layout) and not has_near_elements(layout) for layout in layouts) else None
    most = max(map(n_elements, layouts), default=0)
    whole = [layout for layout in layouts if n_elements(layout) == most > 1]
    if any(map(has_gaps, whole)):
        return STRIDED
    return MIXED if len({axes_in_memory(layout) for layout in whole}) > 1 and len(ranks(whole)) == 1 else None


def has_near_elements(layout: Layout) -> bool:
    """Whether elements follow each other without gaps along one of the last two axes."""
    *_, strides, n_bytes = layout
    return n_bytes // n_elements(layout) in strides[-2:]


def ranks(layouts: list[Layout]) -> set[int]:
    """The numbers of axes along which elements differ."""
    return {len(axes_in_memory(layout)) for layout in layouts}


# Totals.


def grouped(records: Iterable[OperationRecord], name: Callable[[OperationRecord], str]) -> list[OperationTotals]:
    """The totals of records of one name each, in the order in which the names appear."""
    numbers: dict[str, int] = {}
    for record in records:
        numbers.setdefault(name(record), len(numbers))
    ordered = sorted(records, key=lambda record: numbers[name(record)])
    return [totals_of(key, list(group)) for key, group in groupby(ordered, key=name)]


def totals_of(name: str, records: list[OperationRecord]) -> OperationTotals:
    """The totals of records."""
    return OperationTotals(
        name=name,
        n_calls=len(records),
        n_operations=sum(record.n_operations for record in records),
        total_ns=sum(record.duration_ns for record in records),
        self_ns=sum(record.self_ns for record in records),
        longest_ns=max(record.duration_ns for record in records),
        bytes_read=sum(record.bytes_read for record in records),
        bytes_written=sum(record.bytes_written for record in records),
        n_threads=max(record.n_threads for record in records),
        n_slow_layouts=sum(record.layout is not None for record in records),
    )
