"""Streams of simulated devices, and graphs recorded from them with the rules of CUDA."""

import time
from dataclasses import dataclass, field

from nd4py.cuda.driver.driver import DEFAULT_STREAM, DeviceError

PER_THREAD_STREAM = 2


@dataclass
class Device:
    """What one simulated device holds."""

    blocks: dict = field(default_factory=dict)  # address -> GuardedBlock
    used: int = 0
    lost: str = ""


@dataclass
class StreamQueue:
    """Work that was given and has not run."""

    device: int
    work: list = field(default_factory=list)
    capture: "Capture | None" = None


@dataclass
class Capture:
    """Work that is recorded in place of being done, from one stream and those that were let join it.

    given, joined: by stream, how much of `work` it was given last, and how much of that the first stream waited for
    """

    origin: StreamQueue
    work: list = field(default_factory=list)
    given: dict = field(default_factory=dict)
    joined: dict = field(default_factory=dict)
    queues: list = field(default_factory=list)
    broken_by: str = ""


@dataclass
class EventMark:
    """When an event was reached; `queue` holds what it waits for until then."""

    device: int
    queue: StreamQueue | None = None
    is_reached: bool = True
    seconds: float = 0.0
    capture: Capture | None = None  # in which it was recorded last
    n_given: int = 0  # work of the capture that lies before it


class Recording:
    """The part of `SimulatorDriver` that records graphs, and refuses what CUDA refuses meanwhile."""

    # What a capture forbids, and whom a call lets work meanwhile.

    def _let_others(self, call=""):
        """Release the interpreter, as CuPy's calls do; `call`: one that CUDA refuses in a capturing thread."""
        time.sleep(0)
        capture = getattr(self._thread, "capture", None)
        if call and capture is not None:
            self._break(capture, call)

    def _break(self, capture, call):
        """Refuse a call; the capture cannot be ended well any more."""
        capture.broken_by = capture.broken_by or call
        raise DeviceError(f"{call}: not permitted while a stream is captured, and the capture is broken off")

    # Graphs.

    def begin_capture(self, stream):
        queue = self._queue(stream)
        if stream in (DEFAULT_STREAM, PER_THREAD_STREAM) or queue.capture is not None:
            raise DeviceError(f"begin_capture: stream {stream} cannot be captured, or is already")
        queue.capture = self._thread.capture = Capture(queue, queues=[queue])

    def end_capture(self, stream):
        """Raises DeviceError where the capture was broken, or a stream that joined it was not waited for."""
        capture = self._queue(stream).capture
        self._thread.capture = None
        queues, capture.queues = capture.queues, []
        for queue in queues:
            queue.capture = None
        if capture.broken_by:
            raise DeviceError(f"end_capture: the capture was broken off by {capture.broken_by}")
        for queue in queues[1:]:
            if capture.joined.get(id(queue), 0) < capture.given.get(id(queue), 0):
                raise DeviceError("end_capture: a stream that joined the capture was not waited for at its end")
        number = next(self._numbers)
        self._graphs[number] = capture.work
        return number

    def graph_launch(self, graph, stream):
        for work in self._graphs[graph]:
            self._give(stream, work)

    def graph_destroy(self, graph):
        del self._graphs[graph]
