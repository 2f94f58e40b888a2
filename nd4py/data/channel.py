"""A bounded hand-over from one producer thread to one consumer, which either side may leave at any moment."""

from collections import deque
from threading import Condition
from typing import Any


class StoppedError(Exception):
    """The channel was stopped from outside while its consumer was still reading."""


class Channel:
    """At most `capacity` items wait in order.  The producer's last word is `finish`, the consumer's is `stop`.

    Nobody is left waiting: every call that ends something wakes both sides, and nothing polls.
    """

    def __init__(self, capacity):
        self._items: deque[Any] = deque()
        self._capacity = capacity
        self._changed = Condition()
        self._is_finished = False
        self._is_stopped = False
        self._error = None

    def put(self, item):
        """Hand over `item`, waiting while the channel is full.  Returns False if nobody wants items any more."""
        with self._changed:
            self._changed.wait_for(lambda: self._is_stopped or len(self._items) < self._capacity)
            if not self._is_stopped:
                self._items.append(item)
                self._changed.notify_all()
            return not self._is_stopped

    def finish(self, error=None):
        """No more items will come; `error` is raised in the consumer once it has taken those before it."""
        with self._changed:
            self._is_finished = True
            self._error = None if self._is_stopped else error
            self._changed.notify_all()

    def take(self):
        """The next item, waiting for it; or None at the end (items are never None).

        Raises the producer's error in its turn; StoppedError if the channel was stopped.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._is_stopped or self._items or self._is_finished)
            if self._is_stopped:
                raise StoppedError
            if self._items:
                self._changed.notify_all()
                return self._items.popleft()
            error, self._error = self._error, None
        if error is not None:
            raise error
        return None

    def stop(self):
        """Drop what waits and release both sides.  May be called by anybody, any number of times."""
        with self._changed:
            self._is_stopped = True
            self._items.clear()
            self._error = None
            self._changed.notify_all()
