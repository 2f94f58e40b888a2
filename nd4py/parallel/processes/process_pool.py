"""Processes that compute the outputs of snapshots, and new ones in place of those that die.

Design: a thread that computes for a team takes a process, asks it over a pipe and waits, so requests are queued,
batched and given up as with threads alone.  A process that dies, of a signal or of a defect in native code, closes its
pipe, and the thread that waits starts another one in its place.  A process says that it takes a request before it
computes it: one that died before that, idle or while it started, had no part in its end, so the next one is asked.
Otherwise the thread raises an error, and the queue, which knows what requests were asked together, tries each of them
alone.  Processes are spawned and not forked: a fork has none of the
threads that OpenMP and the other modules of this process may wait for.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
import weakref
from contextlib import suppress
from itertools import count
from queue import LifoQueue
from threading import Lock
from typing import Any

from nd4py import api as nd
from nd4py.data import background

from ..requests import ClosedError, ProcessDiedError
from .serving_process import ADD, COMPUTE, REMOVE, receive, send, serve
from .shared_snapshots import SharedSnapshot

# Processes that may die in a row before they take a request: its snapshot, which comes first, may be what ends them.
UNTAKEN_LIMIT = 5
STATUS_SECONDS = 1.0


class ProcessPool:
    """So many processes for the snapshots that it is given.

    They end with `close`, when nobody refers to the pool any more, or with this process, however it ends.
    """

    def __init__(self, n_processes: int):
        self._n_processes = n_processes
        self._begin()

    def enter_process(self) -> None:
        """Begin anew in the child of a fork: the processes are those of its parent."""
        if self._process_id != os.getpid():
            self._begin()
            self._was_started = True  # each of them starts when it is asked

    def _begin(self) -> None:
        self._process_id = os.getpid()
        self._is_closed = self._was_started = False
        self._starting = Lock()
        self._processes = [Process() for _ in range(self._n_processes)]
        self._idle: LifoQueue[Process] = LifoQueue()  # the last one has its caches filled
        for process in self._processes:
            self._idle.put(process)
        self._finalizer = weakref.finalize(self, _kill_all, self._process_id, self._processes)

    def start(self) -> None:
        """Start the processes, and wait until they can be asked, unless that was done before.

        Raises RuntimeError where one ends before it is ready, OSError where the system makes no more.
        """
        with self._starting:
            if self._was_started:
                return
            for process in self._processes:
                process.start()
            for process in self._processes:
                with suppress(EOFError, OSError):  # of one that was killed; it starts again when it is asked
                    process.wait_until_ready()
            self._was_started = True

    def shared(self, snapshot: Any) -> SnapshotInProcesses:
        """A snapshot whose outputs the processes compute."""
        return SnapshotInProcesses(self, snapshot)

    def outputs(self, shared: SharedSnapshot, inputs: Any, masks: Any) -> tuple[nd.NDArray, ...]:
        """The outputs of a snapshot, by a process that is idle, with as many threads as this thread may use.

        Raises what the layers raise, ProcessDiedError, RuntimeError where processes cannot start, ClosedError.
        """
        process = self._idle.get()
        try:
            self._give(process, shared, inputs, masks)
            outputs, error = process.answer()
        except (EOFError, OSError):
            self._replace(process)
            raise ProcessDiedError(f"the process that computed this request {process.last_end}") from None
        except BaseException:  # such as an interrupt, after which an answer would come that nobody waits for
            process.end()
            raise
        finally:
            self._idle.put(process)
        if error is not None:
            raise error
        return tuple(outputs)

    def _give(self, process: Process, shared: SharedSnapshot, inputs: Any, masks: Any) -> None:
        """Let a process take a request, or the process that takes its place when it died before.

        Raises EOFError or OSError where too many died in a row, ClosedError.
        """
        for _ in range(UNTAKEN_LIMIT - 1):
            try:
                return process.take(shared, inputs, masks, nd.thread_count())
            except (EOFError, OSError):
                self._replace(process)
        return process.take(shared, inputs, masks, nd.thread_count())

    def _replace(self, process: Process) -> None:
        """Start a process in place of one that died.  Raises OSError where the system makes no more, ClosedError."""
        process.end()
        if self._is_closed:
            raise ClosedError("closed before the request was answered")
        process.start()

    def process_ids(self) -> list[int]:
        """The ids of the processes that run."""
        return [process.id for process in self._processes if process.id is not None]

    def close(self) -> None:
        """End the processes; what they compute fails."""
        self._is_closed = True
        self._finalizer()


def _kill_all(process_id: int, processes: list[Process]) -> None:
    """End processes, which have nothing to lose; not those of somebody else, in the child of a fork."""
    if process_id == os.getpid():
        for process in processes:
            process.kill()


class SnapshotInProcesses:
    """A snapshot whose outputs processes compute; everything else is asked of it here, in the same memory."""

    def __init__(self, pool: ProcessPool, snapshot: Any):
        self._pool = pool
        self._shared = SharedSnapshot(snapshot)
        self._local = self._shared.opened()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._local, name)

    def outputs(self, inputs: Any, masks: Any = None) -> tuple[nd.NDArray, ...]:
        """The outputs for a batch that was checked.  Raises as `ProcessPool.outputs` does."""
        return self._pool.outputs(self._shared, inputs, masks)


class Process:
    """A process, which one thread at a time may ask; it starts when it is asked, and again after its end.

    id: None while there is none    last_end: how the last one ended
    """

    def __init__(self) -> None:
        self.id: int | None = None
        self.last_end = ""
        self._process: Any = None
        self._connection: Any = None
        self._is_ready = False
        self._counter = count()
        # The snapshots that the process has, by the numbers that it knows them by; and all that it knows.
        self._numbers: weakref.WeakKeyDictionary[SharedSnapshot, int] = weakref.WeakKeyDictionary()
        self._known: set[int] = set()

    def start(self) -> None:
        """Start the process, if it does not run.  Raises OSError where the system makes no more."""
        if self._process is not None and self._died_idle():
            self.end()
        if self._process is None:
            background.call(self._start)

    def _died_idle(self) -> bool:
        """Whether the process died while nobody asked: its end of the pipe is closed before it is known to be dead."""
        return self._process.exitcode is not None or (self._is_ready and self._connection.poll())

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(target=serve, args=(theirs,), name="nd4py inference", daemon=True)
        try:
            process.start()
        except BaseException:
            ours.close()
            raise
        finally:
            theirs.close()
        self._is_ready = False
        self._numbers.clear()
        self._known.clear()
        self.id, self._connection, self._process = process.pid, ours, process

    def take(self, shared: SharedSnapshot, inputs: Any, masks: Any, n_threads: int) -> None:
        """Ask the process, and wait until it says that it computes.

        Raises EOFError or OSError where it dies before, RuntimeError where it cannot start.
        """
        self.start()
        self.wait_until_ready()
        number = self._numbers.get(shared)
        if len(self._known) > len(self._numbers):
            self._forget()
        if number is None:
            number = self._numbers[shared] = next(self._counter)
            self._known.add(number)
            send(self._connection, (ADD, number))
            shared.send(self._connection, self._process.pid)
        send(self._connection, (COMPUTE, number, inputs, masks, n_threads))
        self._connection.recv_bytes()

    def answer(self) -> Any:
        """(outputs, error) of the request that was taken.  Raises EOFError or OSError where the process dies."""
        return receive(self._connection)

    def wait_until_ready(self) -> None:
        """Wait for the process that was started.  Raises RuntimeError where it ends, EOFError where it is killed."""
        if self._is_ready:
            return
        try:
            receive(self._connection)
        except (EOFError, OSError):
            self.end()
            if self.last_end.startswith(OF_SIGNAL):
                raise
            raise RuntimeError(
                f"a process {self.last_end} before it was ready; it reads the file of the program, which must do "
                "what it does under `if __name__ == '__main__':`"
            ) from None
        self._is_ready = True

    def _forget(self) -> None:
        """Let the process forget snapshots that nobody has any more."""
        for number in self._known.difference(self._numbers.values()):
            send(self._connection, (REMOVE, number))
            self._known.remove(number)

    def kill(self) -> None:
        """Kill the process, whoever asks it; who waits for its answer finds that it died."""
        if (process := self._process) is not None:
            process.kill()
            process.join()

    def end(self) -> None:
        """Kill the process, if it runs, and forget it; only for whoever may ask it."""
        if self._process is None:
            return
        self.kill()
        self.last_end = described_end(self._status())
        self._process = self.id = None
        self._connection.close()

    def _status(self) -> int | None:
        """The status that the process ended with; a thread that starts another one may be about to note it."""
        status: int | None
        given_up = time.monotonic() + STATUS_SECONDS
        while (status := self._process.exitcode) is None and time.monotonic() < given_up:
            time.sleep(1e-3)
        return status


OF_SIGNAL = "was ended by signal"


def described_end(status: int | None) -> str:
    """How a process ended; None where nobody knows."""
    if status is None:
        return "has ended"
    if status >= 0:
        return f"ended with status {status}"
    try:
        return f"{OF_SIGNAL} {signal.Signals(-status).name}"
    except ValueError:
        return f"{OF_SIGNAL} {-status}"
