"""Starting and joining background threads, and calls that take locks, so that no interrupt leaves one half done.

Design: a signal handler may raise between any two steps of Python code in the main thread.  `Thread.start`, `Event` and
`Condition` are Python code: cut at the wrong step they keep a lock that the other thread then waits for without end.
So a thread is started from another one, where no handler runs, and all that threads tell each other goes through
`SimpleQueue`, whose calls are done or not done.
"""

from __future__ import annotations

import _thread
import threading
from collections.abc import Callable
from queue import SimpleQueue


def start(thread: threading.Thread) -> None:
    """Start `thread`.  Raises RuntimeError where the system makes no more threads."""
    call(thread.start)


def call(function: Callable[[], object]) -> None:
    """Call `function` in a thread of its own and wait for it: the locks it takes are given back.

    Raises what it raises, RuntimeError where the system makes no more threads.
    """
    answer: SimpleQueue[BaseException | None] = SimpleQueue()
    _thread.start_new_thread(_call, (function, answer))
    if (error := answer.get()) is not None:
        raise error


def _call(function, answer):
    try:
        function()
    except BaseException as error:  # the caller that waits for the answer raises it
        answer.put(error)
    else:
        answer.put(None)


def join(thread: threading.Thread, seconds: float | None = None) -> bool:
    """Wait for `thread` to end, so many seconds at most, unless it is the caller.  Returns whether it has ended."""
    if thread.is_alive() and thread is not threading.current_thread():
        thread.join(seconds)
    return not thread.is_alive()
