"""Streams, events and synchronization: the order of work on devices and the host."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Self

from ..allocation.allocator import retire_stream
from ..allocation.lent_memory import release_foreign
from ..driver.driver import DEFAULT_STREAM
from ..driver.driver_choice import driver
from ..memory import number_of
from ..program.device_defer import flush
from .current_stream import bound_device, check_not_capturing, set_stream, stream_of
from .faults import look

__all__ = ["Event", "Stream", "current_stream", "synchronize"]


class Stream:
    """A series of work on a device that runs beside other series.

    Work of this thread goes to it inside `with stream.scope():`.  Arrays made on one stream and read on another need an
    order between the two: `other.wait_for(stream.record())`.

    >>> with nd.cuda.Stream("cuda:0") as stream, stream.scope():
    ...     x = nd.ones(3, device="cuda:0")
    ...     stream.synchronize()
    >>> x.tolist()
    [1.0, 1.0, 1.0]
    """

    def __init__(self, device: int | str | None = None) -> None:
        """A new stream on a device, this thread's by default.  Raises ValueError for no such device."""
        self.device_number = number_of(device)
        bound_device(self.device_number)
        self.handle = driver().stream_create()
        self.is_open = True

    @contextmanager
    def scope(self) -> Iterator[Self]:
        """Give this thread's work on the stream's device to it.  Raises ValueError after `close`.

        Returns a context manager.
        """
        self.check_open()
        before = set_stream(self.device_number, self.handle)
        try:
            yield self
            flush()
        finally:
            set_stream(self.device_number, before)

    def check_open(self) -> None:
        """Raises ValueError after `close`."""
        if not self.is_open:
            raise ValueError("this stream was closed; make another one, nd4py.cuda.Stream()")

    def synchronize(self) -> None:
        """Wait for all work given to the stream; errors of that work are raised here.

        Raises ValueError after `close`, DeviceError while a graph is captured.
        """
        self.check_open()
        check_not_capturing("a stream would be waited for")
        flush(True)
        bound_device(self.device_number)
        driver().stream_synchronize(self.handle)
        release_foreign()
        look(self.device_number, self.handle)

    def record(self, timing: bool = False) -> Event:
        """An event that is reached when all work given to the stream so far is done.

        Raises ValueError after `close`.
        """
        self.check_open()
        event = Event(self.device_number, timing=timing)
        event.record(self)
        return event

    def wait_for(self, event: Event) -> None:
        """Let later work of the stream wait for an event, of whatever device; the host goes on.

        Raises ValueError after `close`.
        """
        self.check_open()
        bound_device(self.device_number)
        driver().event_wait(event.handle, self.handle)

    def close(self) -> None:
        """Wait for the stream, and end it; memory of its arrays belongs to the default stream from now on.

        Raises errors of its work, and DeviceError while a graph is captured.
        """
        if self.is_open:
            self.synchronize()
            self.is_open = False
            if stream_of(self.device_number) == self.handle:
                set_stream(self.device_number, DEFAULT_STREAM)
            retire_stream(self.device_number, self.handle)
            driver().stream_destroy(self.handle)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class Event:
    """A point in a stream that other streams, or the host, can wait for; with `timing` also a time.

    Raises ValueError for a device that does not exist.

    >>> event = nd.cuda.Event("cuda:0")
    >>> event.record()
    >>> event.synchronize()
    >>> event.is_reached()
    True
    """

    def __init__(self, device: int | str | None = None, *, timing: bool = False) -> None:
        """An event on a device, this thread's by default, that nothing recorded yet."""
        self.device_number, self.timing = number_of(device), timing
        bound_device(self.device_number)
        self.driver = driver()
        self.handle = self.driver.event_create(timing)

    def __del__(self) -> None:
        if hasattr(self, "handle"):
            self.driver.event_destroy(self.handle)

    def record(self, stream: Stream | None = None) -> None:
        """Let the event be reached when all work given to `stream` so far is done, or to this thread's stream.

        Raises DeviceError.
        """
        flush(True)
        bound_device(self.device_number)
        handle = stream_of(self.device_number) if stream is None else stream.handle
        self.driver.event_record(self.handle, handle)

    def is_reached(self) -> bool:
        """Whether the event was reached; never waits.  Raises DeviceError where it never will be."""
        check_not_capturing("an event would be asked about")
        return self.driver.event_query(self.handle)

    def synchronize(self) -> None:
        """Wait until the event is reached.

        Raises DeviceError while a graph is captured, and errors of the work before it.
        """
        check_not_capturing("an event would be waited for")
        self.driver.event_synchronize(self.handle)

    def elapsed_since(self, start: Event) -> float:
        """Milliseconds from `start` to this event; both need `timing` and must be reached.

        Returns a float.
        Raises ValueError without `timing`, DeviceError while either is not reached.
        """
        if not (self.timing and start.timing):
            raise ValueError("elapsed_since: both events need timing=True")
        return self.driver.event_elapsed(start.handle, self.handle)


def current_stream(device: int | str | None = None) -> int:
    """The driver's handle of the stream that this thread's work on a device is given to; 0 is the default stream.

    Raises ValueError for a device that does not exist.

    >>> nd.cuda.current_stream("cuda:0")  # 0: the default stream
    0
    """
    return stream_of(number_of(device))


def synchronize(device: int | str | None = None) -> None:
    """Wait for all work given to a device, this thread's by default; errors of that work are raised here.

    Raises ValueError for a device that does not exist, DeviceError while a graph is captured.

    >>> x = nd.ones(1000, device="cuda:0") * 2
    >>> nd.cuda.synchronize("cuda:0")
    """
    check_not_capturing("a device would be waited for")
    flush(True)
    number = number_of(device)
    bound_device(number)
    driver().synchronize()
    release_foreign()
    look(number)
