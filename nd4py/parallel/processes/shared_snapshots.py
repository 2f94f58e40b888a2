"""Snapshots whose arrays lie in memory that processes share.

Design: a snapshot is pickled once, with its arrays out of band, in memory without a name.  Processes get a handle of it
and can read it only.  The system frees it when the last of them has gone, however it went, so nothing is left to be
removed.  Rejected: `multiprocessing.shared_memory`, whose names outlive processes that are killed, and which everybody
can write to.
"""

from __future__ import annotations

import mmap
import os
import pickle
import sys
import tempfile
import weakref
from multiprocessing.reduction import recv_handle, send_handle
from secrets import token_hex
from typing import Any

ALIGNMENT = 64  # bytes: a line of the cache


class SharedSnapshot:
    """The arrays of a snapshot in shared memory, and the rest of it as text.

    Raises what the parts of the snapshot raise that cannot be pickled.
    """

    def __init__(self, snapshot: Any):
        buffers: list[pickle.PickleBuffer] = []
        self._text = pickle.dumps(snapshot, protocol=5, buffer_callback=buffers.append)
        self._spans, n_bytes = [], 0
        for buffer in buffers:
            self._spans.append((n_bytes, n_bytes + buffer.raw().nbytes))
            n_bytes = -(-self._spans[-1][1] // ALIGNMENT) * ALIGNMENT
        self._n_bytes = max(n_bytes, 1)
        self._memory = NewMemory(self._n_bytes)
        for (start, _), buffer in zip(self._spans, buffers, strict=True):
            self._memory.write(start, buffer.raw())

    def opened(self) -> Any:
        """The snapshot, for this process."""
        return self._read(self._memory.opened())

    def send(self, connection: Any, process_id: int) -> None:
        """Let a process at the other end of a connection `receive` the snapshot.  Raises OSError where it is gone."""
        connection.send_bytes(pickle.dumps((self._text, self._spans, self._n_bytes, self._memory.name)))
        self._memory.send(connection, process_id)

    @classmethod
    def receive(cls, connection: Any) -> Any:
        """The snapshot that another process sends."""
        self = object.__new__(cls)
        self._text, self._spans, self._n_bytes, name = pickle.loads(connection.recv_bytes())
        return self._read(received_memory(connection, self._n_bytes, name))

    def _read(self, memory: mmap.mmap) -> Any:
        view = memoryview(memory)
        return pickle.loads(self._text, buffers=[view[start:stop] for start, stop in self._spans])


class NewMemory:
    """Shared memory that this process has made, and alone can write to.

    name: where it is found on Windows, which nobody can guess; None elsewhere
    """

    def __init__(self, n_bytes: int):
        self._n_bytes = n_bytes
        self.name: str | None = None
        self._descriptor = -1
        if sys.platform == "win32":
            self.name = f"nd4py-{token_hex(16)}"
        else:
            self._descriptor = unnamed_file()
            weakref.finalize(self, os.close, self._descriptor)
            os.truncate(self._descriptor, n_bytes)
        self._mapped = mapped(self.name, self._descriptor, n_bytes, mmap.ACCESS_WRITE)

    def write(self, start: int, content: memoryview) -> None:
        """Write bytes."""
        self._mapped[start : start + content.nbytes] = content

    def opened(self) -> mmap.mmap:
        """The memory, to be read."""
        return mapped(self.name, self._descriptor, self._n_bytes)

    def send(self, connection: Any, process_id: int) -> None:
        """Send what `received_memory` needs beside the name."""
        if self.name is None:
            send_handle(connection, self._descriptor, process_id)


def unnamed_file() -> int:
    """A descriptor of memory; where that always has a name, of a file that has lost its own."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("nd4py", os.MFD_CLOEXEC)
    descriptor, path = tempfile.mkstemp()
    os.unlink(path)
    return descriptor


def received_memory(connection: Any, n_bytes: int, name: str | None) -> mmap.mmap:
    """Memory of another process, to be read."""
    if name is not None:
        return mapped(name, -1, n_bytes)
    descriptor = recv_handle(connection)
    try:
        return mapped(None, descriptor, n_bytes)
    finally:
        os.close(descriptor)


def mapped(name: str | None, descriptor: int, n_bytes: int, access: int = mmap.ACCESS_READ) -> mmap.mmap:
    """Memory of a name or a descriptor."""
    place: dict[str, Any] = {} if name is None else {"tagname": name}
    return mmap.mmap(descriptor, n_bytes, access=access, **place)
