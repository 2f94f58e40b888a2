"""Memory reports as text: a summary, and a report on a failed request."""

from __future__ import annotations

import os
import platform
import sys
import time
import traceback
import tracemalloc
from dataclasses import asdict
from os import PathLike
from pathlib import Path

from ..limits import limits
from ..pool.pool_counters import of_classes
from ..pool.pool_guard import allocation_sites, is_checking
from ..pool.pool_system import resident
from ..sizes import human, physical_memory
from ..workspace.workspace_manager import workspace_manager
from .call_site import TRACE_DOMAIN
from .memory_statistics import stats
from .memory_wants import failure_reports

__all__ = ["set_report_path", "summary"]

SITES = 20  # lines of a program that are listed

_chosen: list[Path | None] = []  # by `set_report_path`; empty leaves it to the environment


def summary() -> str:
    """A summary of the memory in use, as text: totals, blocks by their size, threads, this thread's workspaces.

    While tracemalloc is tracing, or in the debug mode, also the lines of the program whose arrays take most memory.
    Returns a str of several lines.  Raises nothing.

    >>> "live" in nd.memory.summary()
    True
    """
    sections = [_totals(), _classes(), _threads(), _workspaces(), _sites()]
    return "\n\n".join(filter(None, sections))


def set_report_path(path: str | PathLike[str] | None) -> Path | None:
    """Set the file for a report when memory is exhausted, which replaces the one before; None writes none.

    The environment variable ND4PY_MEMORY_REPORT sets it from the start.  Returns the path before.
    Raises TypeError for anything but a path.

    >>> path = nd.memory.set_report_path("memory.txt")  # where a MemoryError writes what the memory holds
    >>> path = nd.memory.set_report_path(None)
    """
    before = _report_path()
    _chosen[:] = [None if path is None else Path(path)]
    return before


def _report_path():
    from_environment = os.environ.get("ND4PY_MEMORY_REPORT")
    return _chosen[0] if _chosen else Path(from_environment) if from_environment else None


def _write_report(n_bytes, message):
    """Write the report about a request that failed, if one is wanted; a sentence for the error."""
    path = _report_path()
    if path is None:
        return ""
    stack = "".join(traceback.format_stack()[:-2])
    sections = [f"nd4py: out of memory, {time.ctime()}\n{message}", _system(), _limits(), summary(), _environment()]
    try:
        path.write_text("\n\n".join([*sections, f"stack\n{stack}"]), encoding="utf-8")
    except OSError as error:
        return f" (the report could not be written: {error})"
    return f" (report: {path})"


def _table(title, rows):
    """Rows of cells under a title, in columns."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([title, *(f"  {line}" for line in lines)])


def _totals():
    held = stats()
    names = ("live", "requested", "cached", "taken", "peak_live", "peak")
    rows = [(name.replace("_", " "), human(n), str(n)) for name in names for n in [getattr(held, f"{name}_bytes")]]
    rows.append(("deferred", human(held.pending_bytes), f"kept for {held.pending_arrays} arrays not computed yet"))
    rows.append(("hit rate", f"{held.hit_rate:.2%}", f"{held.hits} of {held.hits + held.misses}"))
    rows.append(("fragmentation", f"{held.fragmentation:.2%}", ""))
    rows.append(("calls of the system", str(held.system_allocations), ""))
    return _table("memory pool", rows)


def _classes():
    found = sorted(of_classes(), key=lambda row: -row[0] * (row[1] + row[2]))
    rows = [("block", "in use", "cached", "together")]
    rows += [(human(n), str(live), str(cached), human(n * (live + cached))) for n, live, cached in found]
    return _table("blocks by size, the largest share first", rows)


def _threads():
    rows = [("thread", "hits", "misses", "allocated", "released", "keeps")]
    for thread in stats().threads:
        allocated, released, cached = map(human, (thread.allocated_bytes, thread.released_bytes, thread.cached_bytes))
        rows.append((thread.name, str(thread.hits), str(thread.misses), allocated, released, cached))
    return _table("threads", rows)


def _workspaces():
    if not workspace_manager.all_workspace_ids_for_current_thread():
        return "workspaces of this thread: none"
    table = workspace_manager.allocation_statistics_for_current_thread()
    return "\n  ".join(["workspaces of this thread", *table.splitlines()])


def _sites():
    """The lines of the program whose arrays take most memory, where these are known."""
    held: dict[str, list[int]] = {}
    if is_checking():
        for n_bytes, site in allocation_sites():
            held.setdefault(site or "native code", []).append(n_bytes)
    elif tracemalloc.is_tracing():
        only_ours = tracemalloc.DomainFilter(inclusive=True, domain=TRACE_DOMAIN)
        for trace in tracemalloc.take_snapshot().filter_traces([only_ours]).traces:
            held.setdefault(str(trace.traceback), []).append(trace.size)
    else:
        return ""
    largest = sorted(held.items(), key=lambda item: -sum(item[1]))[:SITES]
    rows = [(human(sum(sizes)), f"{len(sizes)} arrays", site) for site, sizes in largest]
    return _table("made at", rows) if rows else "made at: no arrays"


def _system():
    rows = [
        ("machine", platform.platform()),
        ("Python", sys.version.replace("\n", " ")),
        ("memory", human(physical_memory())),
        ("of this process", human(resident())),
    ]
    return _table("system", rows)


def _limits():
    return _table("limits", [(name, str(bound), human(bound)) for name, bound in asdict(limits()).items()])


def _environment():
    rows = [item for item in sorted(os.environ.items()) if item[0].startswith(("ND4PY_", "OMP_", "OPENBLAS_"))]
    return _table("environment", rows) if rows else "environment: no ND4PY_, OMP_ or OPENBLAS_ variables"


failure_reports[:] = [_write_report]
