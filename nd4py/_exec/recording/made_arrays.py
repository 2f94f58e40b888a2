"""Arrays that a function makes by itself while it is recorded, and writes elements to that are recorded.

Design: what is made without the inputs is an array as outside, which may be looked at, and a constant of the file.  An
array cannot become a recorded one when it is first written, as views of it, and Python, know it as it is.  So the first
such write is an error, but the place in the program is noted, the stack of its frames, and the function runs again;
what is made there is recorded from the start then.  Rejected: recording all that is made, since functions that look at
values would be refused for constants; the tape's nodes as marks, which integers do not carry.
"""

from __future__ import annotations

import sys
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Lock
from types import FrameType
from typing import Any

from ..._core.annotations import DTypeLike
from ..._core.array.array import NDArray
from ..._core.devices import RECORDER
from ..._core.upcalls import fill
from .. import conversion
from ..autodiff.nodes import is_array
from ..creation import notice
from .recorded_array import RecordedArray, recorded
from .recordings import Call, Place, Recording, Value

current: ContextVar[Recording | None] = ContextVar("nd4py_recording", default=None)
lock = Lock()
n_open = 0


@contextmanager
def noticed_in(recording: Recording) -> Iterator[None]:
    """Arrays that this thread makes inside belong to a recording."""
    token = current.set(recording)
    change(1)
    try:
        yield
    finally:
        change(-1)
        current.reset(token)


def change(by: int) -> None:
    """Count recordings: while there is one, who makes arrays tells of them."""
    global n_open
    with lock:
        n_open += by
        if n_open == by == 1:
            notice(entered)
            fill(copy=copied, astype=converted)
        elif n_open == 0:
            notice(None)
            fill(copy=conversion.copy, astype=conversion.astype)


def copied(x: NDArray) -> Any:
    """A copy of an array that is not recorded."""
    return entered(conversion.copy(x), False)


def converted(x: NDArray, dtype: DTypeLike, copy: bool = True) -> Any:
    """The elements of an array that is not recorded as another dtype."""
    y = conversion.astype(x, dtype, copy)
    return y if y is x else entered(y, False)


def entered(x: Any, is_empty: bool) -> Any:
    """A new array, as one of the recording where its place is known to need that."""
    recording = current.get()
    if recording is None or type(x) is RecordedArray or x.node is not None:
        return x
    place = place_in_program()
    if place in recording.kept:
        return as_first_value(recording, x, is_empty)
    recording.made[id(x)] = (weakref.ref(x), place)
    return x


def place_in_program() -> Place:
    """Where the program is: its frames up to who records it."""
    frame: FrameType | None = sys._getframe(2)
    frames = []
    while frame is not None and frame.f_globals.get("__name__") != RECORDER:
        frames.append((frame.f_code, frame.f_lasti))
        frame = frame.f_back
    return tuple(frames)


def as_first_value(recording: Recording, x: NDArray, is_empty: bool) -> RecordedArray:
    """A new array as one of the recording: of equal elements, as most are, or a constant; zeros for uninitialised."""
    value = conversion.filled(x.shape, x.dtype, 0) if is_empty else x
    y = Value(value.shape, value.dtype)
    content = value.tobytes()
    if value.size and content == content[: value.itemsize] * value.size:
        settings = {"shape": y.shape, "value": value.reshape(-1)[0].item()}
        recording.note(Call("filled", "full", (), settings, (y,)))
    else:
        recording.note(Call("constant", "constant", (conversion.copy(value),), {}, (y,)))
    return recorded(value, recording, y)


def want(target: Any) -> None:
    """Note that an array has to be recorded from the start, if the function made it."""
    recording = current.get()
    if recording is None or not is_array(target) or target.node is not None:
        return
    owner = target if target.base is None else target.base
    reference, place = recording.made.get(id(owner), (None, ()))
    if reference is not None and reference() is owner:
        recording.wanted.add(place)
