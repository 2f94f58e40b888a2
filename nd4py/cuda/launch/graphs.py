"""CUDA graphs: steps of fixed shapes, recorded once and then launched in one call.

Design: a graph names the addresses that its step met, so these must stay its own.  It gets a stream of its own, whose
blocks that are neither given to others nor trimmed; the step runs once on it, by the very path that is captured, which
loads kernels and takes all the memory that is needed, and then once more while the driver notes what it is given.  What
the step copies from the host lies in pinned blocks that are the graph's too, so it keeps its values.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

from ..._mem.workspace.workspace_manager import scope_out_of_workspaces
from ..allocation.graph_memory import begin_step, collect, end_step, hold_stream, release_step
from ..driver.driver import DeviceError
from ..driver.driver_choice import driver
from ..program.chain_runs import compiling_at_once
from ..program.device_defer import flush
from .current_stream import bound_device, set_capturing, stream_of
from .streams import Event, Stream

__all__ = ["Graph"]


class Graph:
    """`step()`, recorded; `launch()` runs it again on the same arrays, and `result` is what it returned.

    What the step reads must be arrays on the device that stay where they are: write new values into them,
    `x[...] = batch`.  What it copies from the host is recorded with its values.  It may not copy to the host, nor wait,
    and it must do the same every time.

    >>> x = nd.zeros(3, device="cuda:0")
    >>> with nd.cuda.Graph(lambda: x + 1) as graph:
    ...     x[...] = 5.0
    ...     graph.launch().tolist()
    [6.0, 6.0, 6.0]
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
                    self.warm_up()
                    self.result = self.captured()
        except BaseException:
            self.end_stream()
            raise

    def warm_up(self) -> None:
        """Run the step as it will be captured.  Raises what the step raises."""
        begin_step(self.stream.device_number, self.stream.handle)
        try:
            result = self.step()
            flush(raises=True)  # while the result is referenced: otherwise it would never run
        finally:
            end_step()
        self.stream.synchronize()
        del result
        collect()  # blocks that other streams worked on too: they cannot be queried while capturing

    def captured(self) -> Any:
        """What the step returns while the driver notes its work instead of doing it.

        Raises what the step raises, and DeviceError for work that no graph can hold.
        """
        bound_device(self.stream.device_number)
        begin_step(self.stream.device_number, self.stream.handle)
        driver().begin_capture(self.stream.handle)
        set_capturing(True)
        try:
            result = self.step()
            flush(raises=True)
        except BaseException:
            self.end_capture(is_wanted=False)
            raise
        self.end_capture()
        return result

    def end_capture(self, is_wanted: bool = True) -> None:
        """End the capture; what a step that failed has left of a graph is thrown away.

        Raises DeviceError where the driver has broken off a wanted capture.
        """
        set_capturing(False)
        end_step()
        bound_device(self.stream.device_number)
        try:
            self.handle = driver().end_capture(self.stream.handle)
        except DeviceError:  # of a capture that the driver has broken off: its first error says why
            if is_wanted:
                raise
            return
        if not is_wanted:
            driver().graph_destroy(self.handle)
            self.handle = 0

    def launch(self) -> Any:
        """Run the step after the work of this thread's stream, and before its later work; returns `result`.

        Raises ValueError after `close`.
        """
        if not self.handle:
            raise ValueError("this graph was closed; make another one, nd4py.cuda.Graph(step)")
        flush(True, raises=True)
        device = self.stream.device_number
        self.wait(stream_of(device), self.stream.handle)
        driver().graph_launch(self.handle, self.stream.handle)
        self.wait(self.stream.handle, stream_of(device))
        return self.result

    def wait(self, first: int, then: int) -> None:
        """Let later work of stream `then` wait for what stream `first` was given so far.  Raises DeviceError."""
        if first == then:
            return
        event = Event(self.stream.device_number)
        bound_device(self.stream.device_number)
        driver().event_record(event.handle, first)
        driver().event_wait(event.handle, then)

    def close(self) -> None:
        """Wait for the graph and end it; its memory is free for others.  Raises errors of its work."""
        if self.handle:
            self.stream.synchronize()
            driver().graph_destroy(self.handle)
            self.handle, self.result = 0, None
            self.end_stream()

    def end_stream(self) -> None:
        """Wait for the stream, and give back what the graph kept.  Raises errors of its work."""
        self.stream.synchronize()
        release_step(self.stream.device_number, self.stream.handle)
        self.stream.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
