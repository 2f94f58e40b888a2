"""Prefetching: a thread prepares the next batches while the network works on this one.

Design: each `for` owns a producer thread and the channel to it, and nothing else refers to either.  So the thread ends
with its loop, which may be left by `break`, an exception or the interpreter's exit, and `reset` only stops the passes
under way.  Rejected: one queue for all passes, as on the JVM.  It must be drained and restarted, and can hang then.
"""

from __future__ import annotations

import threading
import time
import weakref
from itertools import islice

from nd4py import api as nd
from nd4py.api.arguments import whole

from . import background
from .channel import Channel, StoppedError
from .iterators import WrappingDataSetIterator

# A producer that is inside a slow read cannot be interrupted; it is a daemon and is left to finish alone.
JOIN_SECONDS = 1.0


class AsyncDataSetIterator(WrappingDataSetIterator):
    """Reads `base` in another thread, at most `queue_size` batches ahead.

    base: a DataSetIterator, or anything to loop over; its nd4py calls run on one core
    last_etl_ms: how long the consumer waited for its latest batch
    An exception in the thread is raised in the loop, after the batches that came before it.
    Raises ValueError if `queue_size` is less than 1 or `base` does not want to be read ahead.

    >>> base = data.ArrayDataSetIterator(nd.ones((4, 2)), nd.zeros((4, 1)), batch=2)
    >>> sum(len(batch) for batch in data.AsyncDataSetIterator(base, queue_size=2))
    4
    """

    def __init__(self, base, queue_size=8):
        queue_size = whole("AsyncDataSetIterator: queue_size", queue_size)
        if queue_size < 1:
            raise ValueError(f"AsyncDataSetIterator: queue_size must be at least 1, got {queue_size}")
        if not getattr(base, "async_supported", True):
            raise ValueError(
                f"AsyncDataSetIterator: {type(base).__name__} says async_supported=False (it is shielded or already "
                f"asynchronous); loop over it directly"
            )
        super().__init__(base)
        self.async_supported = False
        self._queue_size = queue_size
        self._is_closed = False
        self._without_passes()
        self.last_etl_ms = 0.0

    def _without_passes(self):
        self._passes: weakref.WeakSet[_Pass] = weakref.WeakSet()
        self._lock = threading.Lock()

    def __getstate__(self):
        """All but the threads: a copy, or one from a pickle, has no pass under way."""
        return {name: value for name, value in vars(self).items() if name not in ("_passes", "_lock")}

    def __setstate__(self, state):
        vars(self).update(state)
        self._without_passes()

    def __len__(self):
        """The number of batches in a pass, where the base knows it."""
        return len(self._base)

    def _batches_from(self, first):
        return self.batches() if self._skips(first) else islice(self.batches(), first, None)

    def batches(self):
        with self._lock:
            if self._is_closed:
                raise ValueError("AsyncDataSetIterator: closed; make a new one to read again")
            one_pass = _Pass(self._base, self._queue_size)
            self._passes.add(one_pass)
        try:
            yield from self._timed(one_pass)
        except StoppedError:
            raise RuntimeError(
                "AsyncDataSetIterator: reset or closed while this loop was reading; start a new `for`"
            ) from None
        finally:
            one_pass.stop()

    def _timed(self, one_pass):
        while True:
            start = time.perf_counter()
            batch = one_pass.channel.take()
            self.last_etl_ms = 1e3 * (time.perf_counter() - start)
            if batch is None:
                return
            yield batch

    def reset(self) -> None:
        """Stop the passes under way, then reset the base.  A loop that is still reading gets a RuntimeError.

        Raises what the base raises.
        """
        self._stop_passes()
        super().reset()

    def close(self) -> None:
        """Stop the passes under way and refuse new ones.  Raises nothing."""
        with self._lock:
            self._is_closed = True
        self._stop_passes()

    def _stop_passes(self):
        with self._lock:
            under_way = list(self._passes)
        for one_pass in under_way:
            one_pass.stop()

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()


class AsyncShieldDataSetIterator(WrappingDataSetIterator):
    """`base` unchanged, but never read ahead: for batches that must be made in the thread that uses them.

    Raises nothing.

    >>> base = data.ArrayDataSetIterator(nd.ones((4, 2)), nd.zeros((4, 1)), batch=2)
    >>> data.AsyncShieldDataSetIterator(base).async_supported
    False
    """

    def __init__(self, base):
        super().__init__(base)
        self.async_supported = False

    def __len__(self):
        return len(self._base)

    def batches(self):
        return iter(self._base)

    def _batches_from(self, first):
        return self._base_from(first)


class _Pass:
    """A producer thread and the channel it fills.  The thread knows the channel only, so dropping the pass ends it."""

    def __init__(self, base, queue_size):
        self.channel = Channel(queue_size)
        self._thread = threading.Thread(target=_produce, args=(base, self.channel), name="nd4py prefetch", daemon=True)
        # Also runs at interpreter exit, so that no thread is inside a kernel when the interpreter goes away.  It is
        # there before the thread is: an interrupt between the two leaves no thread that is never stopped.
        self._finalizer = weakref.finalize(self, _release, self.channel, self._thread)
        background.start(self._thread)

    def stop(self):
        self._finalizer()


def _produce(base, channel):
    try:
        with nd.threads(1):  # the other cores are for the consumer of the batches
            for batch in base:
                if not channel.put(batch):
                    break
    except BaseException as error:  # the consumer raises it; nothing else would report it
        channel.finish(error)
    else:
        channel.finish()


def _release(channel, thread):
    channel.stop()
    background.join(thread, JOIN_SECONDS)
