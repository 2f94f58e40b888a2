"""What shows people where memory goes: recordings, the picture, the summary, tracemalloc."""

import threading
import tracemalloc

import pytest

import nd4py as nd
from nd4py._mem.diagnostics.call_site import TRACE_DOMAIN


def test_recording_holds_every_request():
    nd.memory.start_recording()
    x = nd.empty(1000)
    thread = threading.Thread(target=lambda: nd.empty(50_000))
    thread.start()
    thread.join()
    del x
    recording = nd.memory.stop_recording()
    assert recording.n_bytes == [8000, 400_000, -400_000, -8000]
    assert recording.seconds == sorted(recording.seconds)
    assert recording.live_bytes[1] - recording.live_bytes[0] >= 400_000
    assert recording.live_bytes[0] - recording.live_bytes[3] == 8192
    assert all(taken >= live for taken, live in zip(recording.taken_bytes, recording.live_bytes, strict=True))
    assert recording.n_lost == 0


def test_recording_ends():
    with pytest.raises(RuntimeError, match="no recording is on"):
        nd.memory.stop_recording()
    nd.memory.start_recording(max_events=3)
    with pytest.raises(RuntimeError, match="recorded already"):
        nd.memory.start_recording()
    for _ in range(5):
        nd.empty(10)
    recording = nd.memory.stop_recording()
    assert (len(recording.seconds), recording.n_lost) == (3, 7)
    with pytest.raises(ValueError, match="max_events: at least 1"):
        nd.memory.start_recording(max_events=0)
    hits = nd.memory.stats().hits
    nd.empty(10)
    nd.empty(10)
    assert nd.memory.stats().hits >= hits + 1


def test_picture(tmp_path):
    nd.memory.start_recording()
    x = [nd.empty(n) for n in (1000, 100_000, 1_000_000)]
    del x
    recording = nd.memory.stop_recording()
    path = tmp_path / "memory.png"
    figure = nd.memory.plot_timeline(path)
    assert path.read_bytes().startswith(b"\x89PNG")
    axes = figure.axes[0]
    assert axes.get_title() == "6 requests"
    assert max(axes.lines[0].get_ydata()) == max(recording.taken_bytes) / 2**20
    assert nd.memory.plot_timeline(recording=recording).axes[0].get_title() == "6 requests"
    nd.memory.start_recording()
    assert nd.memory.plot_timeline(recording=nd.memory.stop_recording()).axes[0].get_title() == "0 requests"


def ours():
    """{line: bytes} of the arrays that tracemalloc knows."""
    only = tracemalloc.DomainFilter(inclusive=True, domain=TRACE_DOMAIN)
    return {t.traceback[0].lineno: t.size for t in tracemalloc.take_snapshot().filter_traces([only]).traces}


def test_tracemalloc():
    before = nd.zeros(100)
    tracemalloc.start()
    try:
        x = nd.zeros(1000)
        line = test_tracemalloc.__code__.co_firstlineno + 4
        y = nd.ones((100, 100))
        view = y[2:5]
        assert ours() == {line: 8000, line + 2: 80_000}
        assert f"{__file__}:{line}" in nd.memory.summary()
        del y
        del view
        x.close()
        assert ours() == {}
    finally:
        tracemalloc.stop()
    assert before.size == 100
    assert "made at" not in nd.memory.summary()


def test_summary():
    nd.memory.trim()  # a larger block that is free could serve
    x = nd.zeros(1_000_000)
    with nd.workspace("of the summary"):
        text = nd.memory.summary()
    nd.workspace_manager.destroy_all_workspaces_for_current_thread()
    for part in ("memory pool", "fragmentation", "blocks by size", "MainThread", "of the summary"):
        assert part in text
    assert next(line for line in text.splitlines() if line.startswith("  8.0 MiB")).split()[2] >= "1"
    assert "workspaces of this thread: none" in nd.memory.summary()
    assert x.size == 1_000_000
