"""A bounded queue from one producer thread to one consumer, which either side may close at any moment."""

from queue import Empty, SimpleQueue
from typing import Any

ITEM, END, STOP = "item", "end", "stop"


class StoppedError(Exception):
    """The channel was stopped from outside while its consumer was still reading."""


class Channel:
    """At most `capacity` items wait in order.  The producer ends with `finish`, the consumer with `stop`.

    No side is left waiting, and nothing polls: every call that ends something puts a message into the queue where the
    other side waits.

    Design: free slots wait in a queue as items do.  An interrupt between two calls of the queues leaves nothing
    locked, as inside a `Condition` it may (nd4py.data.background).
    """

    def __init__(self, capacity):
        self._items: SimpleQueue[tuple[str, Any]] = SimpleQueue()
        self._free_slots: SimpleQueue[None] = SimpleQueue()
        self._is_stopped = False
        for _ in range(capacity):
            self._free_slots.put(None)

    def put(self, item):
        """Hand over `item`, waiting while the channel is full.  Returns False if the consumer wants no more items."""
        self._free_slots.get()
        if self._is_stopped:
            self._free_slots.put(None)
            return False
        self._items.put((ITEM, item))
        return True

    def finish(self, error=None):
        """No more items will come; `error` is raised in the consumer once it has taken those before it."""
        self._items.put((END, None if self._is_stopped else error))

    def take(self):
        """The next item, waiting for it; or None at the end (items are never None).

        Raises the producer's error in its turn; StoppedError if the channel was stopped.
        """
        kind, value = self._items.get()
        if self._is_stopped:
            self._items.put((STOP, None))
            raise StoppedError
        if kind is ITEM:
            self._free_slots.put(None)
            return value
        self._items.put((END, None))
        if value is not None:
            try:
                raise value
            finally:
                del value  # which refers to this frame
        return None

    def stop(self):
        """Drop waiting items and release both sides.  May be called from any thread, any number of times."""
        self._is_stopped = True
        try:
            while True:
                self._items.get_nowait()
        except Empty:
            pass
        self._items.put((STOP, None))
        self._free_slots.put(None)
