"""Files that take the place of older ones only when they are complete."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any


@contextmanager
def replacing(path: Path) -> Iterator[IO[Any]]:
    """A file that takes the place of `path` when the block ends well and is gone when it does not.

    Raises FileNotFoundError where there is no such folder, OSError as `open` does.
    """
    if not path.parent.is_dir():
        raise FileNotFoundError(f"cannot save {path.name}: there is no folder {path.parent}; make it first")
    partial = path.with_name(f".{path.name}.{secrets.token_hex(4)}.partial")
    try:
        with open(partial, "xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)
    sync_directory(path.parent)


def sync_directory(directory: Path) -> None:
    """Make the renaming itself last through a power cut."""
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
