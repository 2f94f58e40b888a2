"""Ctrl-C in training: it ends between two steps.

Design: a step is done as a whole or not at all whatever interrupts it, but what follows it, the counts of batches and
what listeners note, is many statements of Python.  So while a step is under way Ctrl-C is only noted, and raised when
the step and all that belongs to it are done.  A step that takes longer than `PATIENCE_SECONDS`, or a second Ctrl-C, is
cut short as without this.  Handlers of others are left alone: only Python's own is replaced, while `fit` runs.
"""

from __future__ import annotations

import signal
import sys
import time
from _thread import get_ident, interrupt_main, start_new_thread
from threading import main_thread
from types import FrameType
from typing import Self

PATIENCE_SECONDS = 0.25  # what Ctrl-C waits for the end of a step; half a second is promised for all of it


class StepwiseInterrupts:
    """A context in which Ctrl-C raises KeyboardInterrupt, but between `begin_step` and `end_step`, which raises it.

    Raises nothing.
    """

    def __init__(self) -> None:
        self._n_steps, self._is_in_step, self._is_asked = 0, False, False
        self._is_installed = False

    def __enter__(self) -> Self:
        if get_ident() == main_thread().ident and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            self._is_installed = True
            signal.signal(signal.SIGINT, self._handle)
        return self

    def __exit__(self, kind: type[BaseException] | None, *details: object) -> None:
        if self._is_installed:
            self._is_installed = False
            signal.signal(signal.SIGINT, signal.default_int_handler)
        if kind is None:
            self.end_step()

    def begin_step(self) -> None:
        """From here on Ctrl-C waits."""
        self._n_steps += 1
        self._is_in_step = True

    def end_step(self) -> None:
        """The step and all that belongs to it are done.  Raises KeyboardInterrupt if Ctrl-C came meanwhile."""
        self._is_in_step = False
        if self._is_asked:
            self._is_asked = False
            raise KeyboardInterrupt

    def _handle(self, number: int, frame: FrameType | None) -> None:
        if not self._is_in_step or self._is_asked:
            self._is_in_step = self._is_asked = False
            raise KeyboardInterrupt
        self._is_asked = True
        # A thread without an object of threading: its locks may be held by the code that this handler interrupts.
        start_new_thread(self._insist, (self._n_steps,))

    def _insist(self, step: int) -> None:
        time.sleep(PATIENCE_SECONDS)
        if self._is_asked and self._is_in_step and self._n_steps == step:
            if sys.platform == "win32":
                interrupt_main()
            else:
                signal.pthread_kill(main_thread().ident or 0, signal.SIGINT)  # which also ends a system call that waits
