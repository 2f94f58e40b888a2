"""Profiles: which operations a program runs, how long they take, what they read and write, and in which layouts."""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

from ..._core.observing.observers import Recording, begin_observing, end_observing
from ..._core.whole_numbers import count, named, whole
from ..._exec.lazy import across_backends
from ..files.event_files import EventFile
from .operation_records import OperationRecord, OperationTotals, grouped, record_of, short_line

__all__ = ["Profile", "profile"]

GROUPS: dict[str, Callable[[OperationRecord], str]] = {
    "operation": lambda record: record.operation,
    "kind": lambda record: record.kind,
    "line": lambda record: record.line or "not known",
}
ORDERS: dict[str, Callable[[OperationTotals], Any]] = {
    "self_time": lambda total: -total.self_ns,
    "time": lambda total: -total.total_ns,
    "calls": lambda total: -total.n_calls,
    "bytes": lambda total: -total.bytes_read - total.bytes_written,
    "name": lambda total: total.name,
}
HEADER = ("calls", "operations", "self ms", "%", "mean us", "GB/s", "threads", "slow layouts")
WIDEST_NAME = 60  # of a pass with many operations, in tables


class Profile:
    """The operations that run while a `with` block is open; `nd.profile` makes one.

    records: an `OperationRecord` for each call that has ended, in the order of their ends
    seconds: from the beginning to the end of the block, or until now
    Printed, a table of the operations that took longest.  Raises RuntimeError where it is entered again.

    >>> with nd.profile() as p:
    ...     y = nd.exp(nd.ones(1_000_000)) * 2 + 1
    >>> p.records[-1].operation, p.n_combined
    ('exp+multiply+add', 3)
    """

    def __init__(self) -> None:
        self._recording = Recording()
        self._records: list[OperationRecord] = []
        self._first_ns = self._last_ns = 0

    def __enter__(self) -> Self:
        if self._first_ns:
            raise RuntimeError("a profile is of one `with` block; make another one, nd.profile()")
        across_backends.flush()
        self._first_ns = time.perf_counter_ns()
        begin_observing(self._recording)
        return self

    def __exit__(self, *error: object) -> None:
        try:
            across_backends.flush()
        finally:
            end_observing(self._recording)
            self._last_ns = time.perf_counter_ns()

    @property
    def records(self) -> list[OperationRecord]:
        """What has ended so far, of all threads."""
        new = self._recording.operations[len(self._records) :]
        self._records += [record_of(operation, self._first_ns) for operation in new]
        return list(self._records)

    @property
    def seconds(self) -> float:
        """Of the block, or until now."""
        return ((self._last_ns or time.perf_counter_ns()) - self._first_ns) / 1e9 if self._first_ns else 0.0

    @property
    def n_operations(self) -> int:
        """Operations of the program that ran; of one within another only the outer one counts."""
        return sum(record.n_operations for record in self.records if record.depth == 0)

    @property
    def n_combined(self) -> int:
        """Operations that shared a pass over memory with others."""
        return sum(record.n_operations for record in self.records if record.parts and record.kind != "graph")

    def totals(self, by: str = "operation") -> list[OperationTotals]:
        """What the calls have in common, the longest first.

        by: "operation", "kind" or "line" of the program.  Returns a list of `OperationTotals`.
        Raises ValueError for another `by`.

        >>> with nd.profile() as p:
        ...     y = nd.sum(nd.ones(10)) + nd.ones(())
        >>> {total.name: total.n_calls for total in p.totals("kind")} == {"copy": 2, "reduction": 1, "elementwise": 1}
        True
        """
        return sorted(grouped(self.records, GROUPS[named("totals: by", by, GROUPS)]), key=ORDERS["self_time"])

    def pairs(self) -> Counter[tuple[str, str]]:
        """How often one operation ran right after another in the same thread, the first one's name in front.

        Returns a Counter.  Raises nothing.

        >>> with nd.profile() as p:
        ...     y = nd.negative(nd.ones(3) + 1)
        >>> p.pairs()["add", "negative"]
        1
        """
        last: dict[int, str] = {}
        found: Counter[tuple[str, str]] = Counter()
        for record in self.records:
            if record.thread in last:
                found[last[record.thread], record.operation] += 1
            last[record.thread] = record.operation
        return found

    def table(self, sort_by: str = "self_time", limit: int | None = 20, by: str = "operation") -> str:
        """The totals as text, and which layouts are slow.

        sort_by: "self_time", "time", "calls", "bytes" or "name"    limit: of rows; None shows all
        by: what calls are put together by, as in `totals`
        "%" is of the time in all operations; "GB/s" are bytes read and written by the time of a call; a slow layout is
        one that cannot be walked as one row.
        Returns a str.  Raises ValueError for another `sort_by` or `by`, or a limit below 1.

        >>> with nd.profile() as p:
        ...     y = nd.ones(3) + 1
        >>> print(p.table(limit=1).splitlines()[0].split()[:2])
        ['operation', 'calls']
        """
        rows = self._rows(sort_by, limit, by)
        widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
        lines = ["  ".join([row[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(row[1:], widths[1:], strict=True))])
                 for row in rows]  # fmt: skip
        return "\n".join([*(line.rstrip() for line in lines), "", *self._summary()])

    def __str__(self) -> str:
        return self.table()

    def __repr__(self) -> str:
        return f"<Profile: {self.n_operations} operations in {self.seconds:.3g} s>"

    def _rows(self, sort_by: str, limit: int | None, by: str) -> list[tuple[str, ...]]:
        """The header and the rows of the table."""
        totals = self.totals(by)
        totals.sort(key=ORDERS[named("table: sort_by", sort_by, ORDERS)])
        most = len(totals) if limit is None else count("table: limit", limit, 1)
        whole_ns = sum(total.self_ns for total in totals) or 1
        header: tuple[str, ...] = (by, *HEADER)
        return [header] + [
            (
                shortened(short_line(total.name) if by == "line" else total.name),
                f"{total.n_calls:,}",
                f"{total.n_operations:,}",
                f"{total.self_ns / 1e6:.3f}",
                f"{100 * total.self_ns / whole_ns:.1f}",
                f"{total.total_ns / total.n_calls / 1e3:.1f}",
                f"{total.gigabytes_per_second:.2f}",
                f"{total.n_threads}",
                f"{total.n_slow_layouts or ''}",
            )
            for total in totals[:most]
        ]

    def _summary(self) -> list[str]:
        """Sentences below the table."""
        records = self.records
        outer_ns = sum(record.self_ns for record in records)
        lines = [
            f"{self.n_operations:,} operations in {sum(record.depth == 0 for record in records):,} passes "
            f"({self.n_combined:,} shared one), {outer_ns / 1e6:.3f} ms of {self.seconds * 1e3:.3f} ms"
        ]
        slow = Counter((record.layout, record.operation, record.line) for record in records if record.layout)
        for (layout, operation, line), n_calls in slow.most_common(10):
            lines.append(f"{layout}: {shortened(operation)}, {n_calls:,} times, in {short_line(line) or 'nd4py'}")
        return lines

    def to_chrome_trace(self, path: str | os.PathLike[str]) -> None:
        """Write what ran, and when, as JSON that chrome://tracing and https://ui.perfetto.dev show.

        path: of the file, which is replaced.  Each thread has a row; what an operation read, its bytes and its line are
        shown where it is selected.
        Raises OSError where the file cannot be written.

        >>> with nd.profile() as p:
        ...     y = nd.ones(3) + 1
        >>> p.to_chrome_trace("trace.json")
        """
        threads = sorted({record.thread for record in self.records})
        events: list[dict[str, Any]] = [
            {"name": "thread_name", "ph": "M", "pid": os.getpid(), "tid": number, "args": {"name": f"thread {number}"}}
            for number, _ in enumerate(threads)
        ]
        events += [trace_event(record, threads.index(record.thread)) for record in self.records]
        Path(path).write_text(json.dumps({"traceEvents": events, "displayTimeUnit": "ms"}), encoding="utf-8")

    def to_tensorboard(self, folder: str | os.PathLike[str], step: int = 0) -> None:
        """Write the table as a page of text for TensorBoard, and numbers of each operation as scalars.

        folder: where event files are, which is made if need be; `tensorboard --logdir folder` shows them
        step: number of the profile among others of the folder
        The page is `profile` under TEXT; the scalars are `profile/self_ms/<operation>` and `profile/calls/<operation>`.
        Raises OSError where the file cannot be written, TypeError for a step that is no whole number.

        >>> with nd.profile() as p:
        ...     y = nd.ones(3) + 1
        >>> p.to_tensorboard("logs")
        """
        number = whole("to_tensorboard: step", step)
        header, *rows = self._rows("self_time", None, "operation")
        lines = ["| " + " | ".join(row) + " |" for row in (header, ("---",) * len(header), *rows)]
        file = EventFile(folder)
        try:
            file.add_text("profile", "\n".join([*lines, "", "\n\n".join(self._summary())]), number)
            for total in self.totals():
                file.add_scalar(f"profile/self_ms/{total.name}", total.self_ns / 1e6, number)
                file.add_scalar(f"profile/calls/{total.name}", total.n_calls, number)
        finally:
            file.close()


def shortened(name: str) -> str:
    """A name that fits into a table."""
    return name if len(name) <= WIDEST_NAME else f"{name[: WIDEST_NAME - 3]}..."


def trace_event(record: OperationRecord, thread: int) -> dict[str, Any]:
    """One operation in Chrome's format of traces, where times are in microseconds."""
    return {
        "name": record.operation,
        "cat": record.kind,
        "ph": "X",
        "pid": os.getpid(),
        "tid": thread,
        "ts": record.start_ns / 1e3,
        "dur": record.duration_ns / 1e3,
        "args": {
            "line": record.line,
            "operands": list(record.operands),
            "orders": record.orders,
            "slow layout": record.layout,
            "bytes read": record.bytes_read,
            "bytes written": record.bytes_written,
            "GB/s": round(record.gigabytes_per_second, 3),
            "threads": record.n_threads,
            "operations": [f"{name}, {line}" for name, line in record.parts],
        },
    }


def profile() -> Profile:
    """Count and time the operations of all threads inside a `with` block.

    The profile has a record of each operation that runs on the host: its name, the line of the program that called it,
    its time, the bytes it reads and writes, the threads that work on it, and whether its arrays lie so that they can be
    walked as one row. A pass over memory that does several deferred operations is one record that names all of them;
    so is a call of a graph. Operations that were deferred before the block run first; those that its thread defers
    inside run before it ends. Of devices nothing is recorded but what the host does for them.
    Profiles may be nested, each has all that runs inside. Every operation takes some microseconds longer meanwhile;
    with no profile open none does.
    Returns a `Profile`, to be used in `with`.  Raises nothing.

    >>> with nd.profile() as p:
    ...     x = nd.ones((1000, 1000))
    ...     total = (nd.exp(x) * 2).sum()
    >>> [record.operation for record in p.records]
    ['fill', 'exp+multiply+sum']
    >>> p.records[-1].n_operations, p.records[-1].bytes_read
    (3, 8000000)
    """
    return Profile()
