"""Worker processes that prepare batches, which travel in memory that both sides map.

Design: each batch has a memory file of its own, without a name, so that nothing is left behind whichever process dies.
The parent writes a batch, the worker maps it, and writes what it made of it behind that; only sizes and dtypes go
through a pipe.  Rejected: `multiprocessing.shared_memory`, whose blocks have names that outlive a killed parent.
"""

from __future__ import annotations

import mmap
import multiprocessing
import os
import pickle
import signal
import threading
import weakref
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from math import prod
from typing import Any

from nd4py import api as nd

from .dataset import DataSet
from .multi_dataset import MultiDataSet

ALIGNMENT_BYTES = 64
Layout = list[tuple[str, str, tuple[int, ...], int]]  # name, dtype, shape and place of each array
Told = tuple[str, Layout, int]  # the kind of data set, its arrays, and the bytes of the file

KINDS = {kind.__name__: kind for kind in (DataSet, MultiDataSet)}


class WorkerProcesses:
    """Processes that change batches: `submit` gives a future of the changed one.

    n: of them    change: a function of a batch and a seed, which can be pickled
    Raises NotImplementedError on systems other than Linux, and TypeError for a function that cannot be pickled.
    """

    def __init__(self, n: int, change: Callable[[Any, int], Any]) -> None:
        if not hasattr(os, "memfd_create"):
            raise NotImplementedError("n_processes: memory files without names are of Linux; use n_threads here")
        try:
            content = pickle.dumps(change)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise TypeError(
                f"n_processes: the change must be a function of a module, so that processes can import it: {error}"
            ) from None
        context = multiprocessing.get_context("spawn")  # a fork copies locks that threads of ours hold
        self._pool = ProcessPoolExecutor(n, context, _begin, (content,))
        self._finalizer = weakref.finalize(self, self._pool.shutdown, wait=False, cancel_futures=True)

    def submit(self, batch: Any, seed: int) -> Future[Any]:
        """The future of what the change makes of a batch.  Raises TypeError for anything but a data set."""
        if type(batch).__name__ not in KINDS:
            raise TypeError(f"n_processes: each batch must be a DataSet or MultiDataSet, given {type(batch).__name__}")
        descriptor = os.memfd_create("nd4py batch")
        told = _write(descriptor, batch, 0)
        answer: Future[Any] = Future()

        def take(done: Future[Any]) -> None:
            is_wanted = answer.set_running_or_notify_cancel()
            try:
                try:
                    found = _read(f"/proc/self/fd/{descriptor}", done.result()) if is_wanted else None
                finally:
                    os.close(descriptor)  # before the answer is there: who has it finds no file open
            except BaseException as error:  # whoever waits for the answer raises it
                if is_wanted:
                    answer.set_exception(error)
            else:
                if is_wanted:
                    answer.set_result(found)

        place = f"/proc/{os.getpid()}/fd/{descriptor}"
        self._pool.submit(_changed, place, told, seed).add_done_callback(take)
        return answer

    def stop(self) -> None:
        """End the processes; may be called again."""
        self._finalizer()


def _write(descriptor: int, batch: Any, start: int) -> Told:
    """Write the arrays of a batch behind byte `start` of a memory file."""
    arrays = {name: nd.asarray(array, device="cpu").copy() for name, array in batch._named_arrays().items()}
    layout: Layout = []
    stop = start
    for name, array in arrays.items():
        stop = -(-stop // ALIGNMENT_BYTES) * ALIGNMENT_BYTES
        layout.append((name, str(array.dtype), tuple(array.shape), stop))
        stop += array.nbytes
    stop = max(stop, 1)  # nothing cannot be mapped
    os.ftruncate(descriptor, stop)
    with mmap.mmap(descriptor, stop) as memory:
        for array, (_, _, _, place) in zip(arrays.values(), layout, strict=True):
            if array.nbytes:
                with memoryview(array) as view, view.cast("B") as content:
                    memory[place : place + array.nbytes] = content
    return type(batch).__name__, layout, stop


def _read(path: str, told: Told) -> Any:
    """The batch in a memory file, whose arrays are the mapped memory itself."""
    kind, layout, n_bytes = told
    with open(path, "rb") as file:
        memory = mmap.mmap(file.fileno(), n_bytes, access=mmap.ACCESS_COPY)
    arrays = {}
    for name, dtype, shape, place in layout:
        if 0 in shape:
            arrays[name] = nd.zeros(shape, dtype=dtype)
        else:
            arrays[name] = nd.frombuffer(memory, dtype, prod(shape), place, shape=shape)
    return KINDS[kind]._from_arrays(arrays)


CHANGE: list[Callable[[Any, int], Any]] = []  # of a worker


def _begin(content: bytes) -> None:
    """Called in each process before its first batch."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which ends its workers
    threading.Thread(target=_end_with_parent, daemon=True).start()
    CHANGE[:] = [pickle.loads(content)]


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _changed(path: str, told: Told, seed: int) -> Told:
    with nd.threads(1):  # the other cores have workers of their own
        batch = CHANGE[0](_read(path, told), seed)
    if type(batch).__name__ not in KINDS:
        raise TypeError(f"n_processes: the change must return a DataSet or MultiDataSet, it returned {type(batch)}")
    descriptor = os.open(path, os.O_RDWR)
    try:
        with nd.threads(1):
            return _write(descriptor, batch, told[2])
    finally:
        os.close(descriptor)
