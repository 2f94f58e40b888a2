"""Recordings of memory over time, and their plots."""

from __future__ import annotations

from dataclasses import dataclass
from os import PathLike
from typing import Any

from ..sizes import shortened
from . import pool_events

__all__ = ["MemoryRecording", "plot_timeline", "start_recording", "stop_recording"]

MIB = 2**20


@dataclass(frozen=True)
class MemoryRecording:
    """Requests for memory in the order in which they happened: one entry of each list for a request.

    seconds: since the start    n_bytes: asked for, negative where freed
    live_bytes, taken_bytes: in use, and taken from the system, after it
    n_lost: requests that came after the recording was full

    >>> nd.memory.start_recording()
    >>> x = nd.ones(1000)
    >>> recording = nd.memory.stop_recording()
    >>> recording.live_bytes[-1] >= 8000
    True
    """

    seconds: list[float]
    n_bytes: list[int]
    live_bytes: list[int]
    taken_bytes: list[int]
    n_lost: int


def start_recording(max_events: int = 1_000_000) -> None:
    """Record every request for memory, of all threads, until `stop_recording`; each takes 32 bytes.

    Requests are slower meanwhile, because threads keep no blocks for themselves.
    Raises RuntimeError while a recording is on, ValueError for a `max_events` below 1.

    >>> nd.memory.start_recording()
    >>> x = nd.ones(1000)
    >>> nd.memory.stop_recording().n_lost
    0
    """
    if not isinstance(max_events, int) or not 1 <= max_events < 2**48:
        raise ValueError(f"max_events: at least 1 (and below 2**48), given {shortened(max_events)}")
    pool_events.start(max_events)


def stop_recording() -> MemoryRecording:
    """End the recording and return it; `plot_timeline` shows it.  Raises RuntimeError when none is on.

    Returns a `MemoryRecording`.

    >>> nd.memory.start_recording()
    >>> x = nd.zeros(1000)
    >>> nd.memory.stop_recording().n_bytes
    [8000]
    """
    events, n_lost = pool_events.stop()
    seconds, n_bytes, live, taken = map(list, zip(*events, strict=True)) if events else ([], [], [], [])
    recording = MemoryRecording(seconds, n_bytes, live, taken, n_lost)
    _last.append(recording)
    del _last[:-1]
    return recording


_last: list[MemoryRecording] = []  # what was recorded last, if anything


def plot_timeline(path: str | PathLike[str] | None = None, recording: MemoryRecording | None = None) -> Any:
    """Draw memory in use and memory taken from the system over time; needs matplotlib.

    path: where to save the picture, in the format its suffix says; None saves none
    recording: what to draw; None takes the last
    Returns the matplotlib Figure.  Raises RuntimeError when nothing was recorded.

    >>> nd.memory.start_recording()
    >>> x = nd.ones(1000)
    >>> recording = nd.memory.stop_recording()
    >>> figure = nd.memory.plot_timeline("memory.png", recording)
    """
    from matplotlib.figure import Figure

    if recording is None:
        if not _last:
            raise RuntimeError("nothing was recorded; call start_recording() and stop_recording() first")
        recording = _last[0]
    given: Any = recording
    if not isinstance(given, MemoryRecording):
        raise TypeError(f"plot_timeline: recording must be a MemoryRecording, given {shortened(given)}")
    target: Any = path
    if not (path is None or isinstance(target, str | PathLike) or hasattr(target, "write")):
        raise TypeError(f"plot_timeline: path must be a path or a binary file, given {shortened(path)}")
    figure = Figure(figsize=(9, 4.5), layout="constrained")
    axes = figure.add_subplot()
    milliseconds = [1000 * second for second in recording.seconds]
    taken, live = ([n / MIB for n in column] for column in (recording.taken_bytes, recording.live_bytes))
    axes.step(milliseconds, taken, where="post", color="tab:gray", linewidth=1, label="taken from the system")
    axes.fill_between(milliseconds, live, step="post", color="tab:blue", alpha=0.25, linewidth=0)
    axes.step(milliseconds, live, where="post", color="tab:blue", linewidth=1, label="in use")
    if live:
        top = max(range(len(live)), key=live.__getitem__)
        axes.plot(milliseconds[top], live[top], "o", color="tab:red", label=f"most in use: {live[top]:.1f} MiB")
    axes.set(xlabel="time (ms)", ylabel="memory (MiB)", title=f"{len(live)} requests", ylim=(0, None))
    axes.legend(loc="lower right")
    axes.grid(alpha=0.3)
    if path is not None:
        figure.savefig(path, dpi=150)
    return figure
