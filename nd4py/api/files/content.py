"""Contents of files: elements read into new arrays, or mapped into memory."""

from __future__ import annotations

import errno
import io
import math
import mmap
import os
import struct
import tokenize
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ..._core.annotations import Shape
from ..._core.array.array import NDArray
from ..._core.dtype import DType
from ..._core.interop.buffers import byte_view
from ..._exec.creation import empty
from ..creation.sharing import frombuffer

MODES = {"r": mmap.ACCESS_READ, "r+": mmap.ACCESS_WRITE, "c": mmap.ACCESS_COPY}
# Bytes read at once: what a zip copies through its own buffers then stays in the cache, 2.8 times faster than all.
PIECE_BYTES = 1 << 18
# What the readers of a format raise for bytes that make no sense.  Zip files: NotImplementedError for an unknown
# compression, RuntimeError for a password.
DAMAGE = (
    EOFError,
    KeyError,
    NotImplementedError,
    OverflowError,
    RecursionError,
    RuntimeError,
    SyntaxError,
    TypeError,
    ValueError,
    struct.error,
    tokenize.TokenError,
    zipfile.BadZipFile,
    zlib.error,
)


class Content:
    """The bytes of an open binary file, from its current position to its end.

    mmap_mode: "r", "r+" or "c" to map them into memory.  size: how many there are, where seeking the end would be slow.
    Raises ValueError for a file that cannot be mapped.
    """

    def __init__(self, file: Any, name: str, mmap_mode: str | None = None, size: int | None = None) -> None:
        if not file.seekable():
            file = io.BytesIO(file.read())
        self.file, self.name, self.start = file, name, file.tell()
        self.size = file.seek(0, os.SEEK_END) - self.start if size is None else size
        file.seek(self.start)
        self._map = None if mmap_mode is None else self._mapped(mmap_mode)

    def _mapped(self, mode: str) -> memoryview:
        try:
            descriptor = self.file.fileno()
        except (OSError, AttributeError):
            raise ValueError(f"{self.name}: only a file on disk can be mapped; pass mmap_mode=None") from None
        if self.size == 0:
            raise self.damaged("it is cut short: it is empty")
        return memoryview(mmap.mmap(descriptor, 0, access=MODES[mode]))

    @property
    def is_mapped(self) -> bool:
        """Whether arrays share memory with the file."""
        return self._map is not None

    @property
    def position(self) -> int:
        """The position in the file, counted from the beginning of the content."""
        return int(self.file.tell()) - self.start

    def damaged(self, what: str) -> ValueError:
        """The error for bytes that are no array."""
        return DamagedError(f"{self.name}: {what}")

    def read(self, n_bytes: int, what: str) -> bytes:
        """The next bytes.  Raises ValueError when there are fewer."""
        data: bytes = self.file.read(n_bytes) if n_bytes <= self.size else b""
        if len(data) < n_bytes:
            raise self.damaged(f"it is cut short in {what}: {n_bytes} bytes needed, {self.size} in the file")
        return data

    def elements(self, dtype: DType, shape: Shape, offset: int, what: str) -> NDArray:
        """The elements that begin `offset` bytes into the content, in C order.

        Raises ValueError when the file ends before them, or when mapped elements lie out of alignment.
        """
        end = offset + math.prod(shape) * dtype.itemsize
        if end > self.size:
            raise self.damaged(f"it is cut short: {what} ends at byte {end}, the file at byte {self.size}")
        if self._map is not None:
            return self._view(self._map[self.start + offset : self.start + end], dtype, shape, what)
        array = empty(shape, dtype=dtype)
        if self.position != offset:
            self.file.seek(self.start + offset)
        self._fill(memoryview(byte_view(array)), what)
        return array

    def _view(self, data: memoryview, dtype: DType, shape: Shape, what: str) -> NDArray:
        try:
            return frombuffer(data, dtype=dtype, shape=shape)
        except BufferError as error:
            raise self.damaged(f"{what} cannot be mapped ({error}); load it with mmap_mode=None") from None

    def _fill(self, view: memoryview, what: str) -> None:
        n_read = 0
        while n_read < view.nbytes:
            n = self.file.readinto(view[n_read : n_read + PIECE_BYTES])
            if not n:
                raise self.damaged(f"it is cut short: {what} has {n_read} of {view.nbytes} bytes")
            n_read += n


class DamagedError(ValueError):
    """An error that names its file already."""


@contextmanager
def reading(name: str) -> Iterator[None]:
    """Turns what the readers of a format raise into a ValueError that names the file."""
    try:
        yield
    except DamagedError as error:
        raise ValueError(str(error)) from None
    except DAMAGE as error:
        raise ValueError(f"{name}: damaged, or of another format ({error})") from None
    except OSError as error:
        if error.errno != errno.EINVAL:  # other than a position before the beginning of the file
            raise
        raise ValueError(f"{name}: damaged, it points outside of itself") from None
