"""The access log: a line of JSON for each request.

Design: lines are made and written by the thread of the event loop a few times a second, for all requests that came
meanwhile at once: a line for each by itself would cost as much as reading a small request.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from pathlib import Path
from typing import Any, BinaryIO

import orjson

from .http_requests import HttpRequest

WRITE_SECONDS = 0.2
MOST_LINES = 1000  # that wait to be written
NAMES = (
    "trace_id", "client", "method", "path", "status", "bytes_in", "bytes_out", "ms", "model", "error", "time",
)  # fmt: skip


class AccessLog:
    """Writes lines to a file, which it appends to, or to standard output for "-".  Raises OSError."""

    def __init__(self, path: str | os.PathLike[str]):
        self._is_own = path != "-"
        self._file: BinaryIO = Path(path).open("ab") if self._is_own else sys.stdout.buffer  # noqa: SIM115
        self._requests: list[tuple[Any, ...]] = []  # values by NAMES

    def add(self, request: HttpRequest, status: int, n_bytes: int, error: str, seconds: float) -> None:
        """Write a line about a request that was answered now, soon; arguments as of `RequestNotes.add`.

        Only from the event loop.
        """
        if not self._requests:
            asyncio.get_running_loop().call_later(WRITE_SECONDS, self.write)
        self._requests.append((
            request.trace_id, request.client, request.method, request.path[:200], status, request.n_bytes, n_bytes,
            seconds, request.model, error, time.time(),
        ))  # fmt: skip
        if len(self._requests) >= MOST_LINES:
            self.write()

    def write(self) -> None:
        """Write what waits."""
        requests, self._requests = self._requests, []
        if not self._file.closed:
            self._file.write(b"".join(map(as_line, requests)))
            self._file.flush()

    def close(self) -> None:
        """Write what waits, and close the file."""
        self.write()
        if self._is_own:
            self._file.close()


def as_line(values: tuple[Any, ...]) -> bytes:
    """The line of the values of a request; it has no model and no error where they are empty."""
    fields = dict(zip(NAMES, values, strict=True))
    for name in ("model", "error"):
        if not fields[name]:
            del fields[name]
    fields["ms"] = round(1e3 * fields["ms"], 3)
    return orjson.dumps(fields, option=orjson.OPT_APPEND_NEWLINE)
