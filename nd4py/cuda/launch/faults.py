"""Faults that kernels note: indices out of range, told when the host next looks at what was computed.

Design: to read a fault at once, the host would wait for the device at each `take`.  So each fault has a word in device
memory, 0 before, and before elements are read, or a device or stream is waited for, the words are read that this
thread's work may have written, or work on the same stream: no element that comes of a wrong index is read without an
error.  Rejected: one word for all, which could not say what was asked for; and a trap in the kernel, which ends the
context with all its arrays.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import RLock

from ..allocation.device_scratch import Scratch
from ..driver.driver_choice import at_change, at_fork, driver
from .current_stream import bound_device, stream_of, this_thread

ROOM = 64  # faults of a stream that are noted before they are looked at
WORD_BYTES = 8


class Noted:
    """Words of one stream, and what each says that is not 0."""

    def __init__(self, device: int) -> None:
        """Words that are 0 when the stream has come that far."""
        self.words = Scratch(device, ROOM * WORD_BYTES)
        self.sayings: list[Callable[[int], str]] = []
        bound_device(device)
        driver().memset_async(self.words.address, 0, ROOM * WORD_BYTES, stream_of(device))


unseen: dict[tuple[int, int, int], Noted] = {}  # by thread, device and stream
lock = RLock()  # from the choice of a word to the launch that may write it: the words must not go in between


@contextmanager
def noting(device: int, saying: Callable[[int], str]) -> Iterator[int]:
    """The address of a word for what is given to this thread's stream meanwhile; `saying` makes words of its value.

    Raises IndexError for faults from before, where there is no room for more.
    """
    key = this_thread(), device, stream_of(device)
    with lock:
        if key in unseen and len(unseen[key].sayings) == ROOM:
            read(key)
        if key not in unseen:
            unseen[key] = Noted(device)
        noted = unseen[key]
        noted.sayings.append(saying)
        yield noted.words.address + WORD_BYTES * (len(noted.sayings) - 1)


def look(device: int, stream: int | None = None) -> None:
    """Wait for what may have faults: this thread's work, and that of a stream, or of all streams of a device.

    Raises IndexError for the first fault of a stream, whose others are forgotten then.
    """
    for key in list(unseen):
        if key[0] == this_thread() or key[1:] == (device, key[2] if stream is None else stream):
            read(key)


def read(key: tuple[int, int, int]) -> None:
    """Wait for a stream and forget its faults.  Raises IndexError for the first one."""
    with lock:
        noted = unseen.pop(key, None)
    if noted is None:
        return
    _, device, stream = key
    words = (ctypes.c_uint64 * len(noted.sayings))()
    bound_device(device)
    driver().memcpy_d2h_async(ctypes.addressof(words), noted.words.address, ctypes.sizeof(words), stream)
    driver().stream_synchronize(stream)
    for word, saying in zip(words, noted.sayings, strict=True):
        if word:
            raise IndexError(saying(word))


at_change.append(unseen.clear)
at_fork.append(unseen.clear)
