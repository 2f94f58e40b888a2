"""The access log: a line of JSON for each request.

Design: lines are written by the thread of the event loop a few times a second, all that came meanwhile at once: a
write for each would cost as much as reading a small request.
"""

import asyncio
import os
import sys
import time
from pathlib import Path
from typing import Any, BinaryIO

import orjson

WRITE_SECONDS = 0.2
MOST_LINES = 1000  # that wait to be written


class AccessLog:
    """Writes lines to a file, which it appends to, or to standard output for "-".  Raises OSError."""

    def __init__(self, path: str | os.PathLike[str]):
        self._is_own = path != "-"
        self._file: BinaryIO = Path(path).open("ab") if self._is_own else sys.stdout.buffer  # noqa: SIM115
        self._lines: list[dict[str, Any]] = []

    def add(self, **fields: Any) -> None:
        """Write a line, soon; only from the event loop."""
        if not self._lines:
            asyncio.get_running_loop().call_later(WRITE_SECONDS, self.write)
        fields["time"] = time.time()
        self._lines.append(fields)
        if len(self._lines) >= MOST_LINES:
            self.write()

    def write(self) -> None:
        """Write what waits."""
        lines, self._lines = self._lines, []
        if not self._file.closed:
            self._file.write(b"".join([orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE) for line in lines]))
            self._file.flush()

    def close(self) -> None:
        """Write what waits, and close the file."""
        self.write()
        if self._is_own:
            self._file.close()
