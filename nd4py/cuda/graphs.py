"""Graphs: a step of fixed shapes, recorded once and then given to the device in one call.

Design: a graph names the addresses that its step met, so these must stay its own.  It gets a stream of its own, whose
blocks nobody else takes and nobody trims; the step runs once on it, which loads kernels, brings scalars and records to
the device and takes all the memory that is needed, and then once more while the driver notes what it is given.
"""

from collections.abc import Callable
from typing import Any, Self

from .._mem.manager import scope_out_of_workspaces
from .allocator import hold_stream
from .chain_runs import compiling_at_once
from .combine import flush
from .current import bound_device, set_capturing, stream_of
from .drivers import driver
from .launch import note_capture
from .streams import Event, Stream

__all__ = ["Graph"]


class Graph:
    """`step()`, recorded; `launch()` runs it again on the same arrays, and `result` is what it returned.

    What the step reads must be arrays on the device that stay where they are: write new values into them,
    `x[...] = batch`.  It may not copy to the host, and it must do the same every time.
    """

    def __init__(self, step: Callable[[], Any], device: int | str | None = None) -> None:
        """Run `step` twice, the second time to record it.  Raises what `step` raises, and DeviceError."""
        self.step = step  # keeps alive what the step reads
        self.stream = Stream(device)
        self.handle = 0
        try:
            self.wait(stream_of(self.stream.device_number), self.stream.handle)
            with self.stream.scope(), scope_out_of_workspaces():  # an arena is used again, a graph's memory is not
                hold_stream(self.stream.device_number, self.stream.handle)
                with compiling_at_once():
                    first = step()  # held, or what is put off would never run
                    self.stream.synchronize()
                    del first
                    self.result = self.captured()
        except BaseException:
            self.stream.close()
            raise

    def captured(self) -> Any:
        """What the step returns while the driver notes its work instead of doing it."""
        bound_device(self.stream.device_number)
        driver().begin_capture(self.stream.handle)
        note_capture(1)
        set_capturing(True)
        try:
            result = self.step()
            flush()
        finally:
            set_capturing(False)
            note_capture(-1)
            bound_device(self.stream.device_number)
            self.handle = driver().end_capture(self.stream.handle)
        return result

    def launch(self) -> Any:
        """Run the step after the work of this thread's stream, and before its later work; returns `result`.

        Raises ValueError after `close`.
        """
        if not self.handle:
            raise ValueError("this graph was closed; make another one, nd4py.cuda.Graph(step)")
        flush(True)
        device = self.stream.device_number
        self.wait(stream_of(device), self.stream.handle)
        driver().graph_launch(self.handle, self.stream.handle)
        self.wait(self.stream.handle, stream_of(device))
        return self.result

    def wait(self, first: int, then: int) -> None:
        """Let later work of stream `then` wait for what stream `first` was given so far."""
        if first == then:
            return
        event = Event(self.stream.device_number)
        bound_device(self.stream.device_number)
        driver().event_record(event.handle, first)
        driver().event_wait(event.handle, then)

    def close(self) -> None:
        """Wait for the graph and end it; its memory is free for others."""
        if self.handle:
            self.stream.synchronize()
            driver().graph_destroy(self.handle)
            self.handle, self.result = 0, None
            self.stream.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
