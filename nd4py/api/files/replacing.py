"""Atomic replacement of files: a file is replaced only when the new one is complete.

Design: the new file is written without a name (O_TMPFILE), so it is gone when the process dies.  When it is complete
it gets a partial name in the same folder, which follows from the final name alone, and is renamed to the final name.  A
process that dies between these two steps leaves one file, which the next save under that name replaces.  Where a system
has no files without a name, the file is written under its partial name from the start.  The folder is locked while
names change, so that two saves at the same time do not disturb each other.  Rejected: random names, because every
process that dies would leave one more file.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

if sys.platform != "win32":
    import fcntl

OPENED = "/proc/self/fd/{}"
MODE = 0o666  # less what the process's mask takes away, as `open` has it
NAME_BYTES = 255  # that a name may have
NAMELESS = getattr(os, "O_TMPFILE", None)
ADVISE = getattr(os, "posix_fadvise", None)
PIECE_BYTES, BEGUN_BYTES = 1 << 20, 8 << 20  # written at once, and until the disk begins
WAITING_SECONDS = 0.01  # between two tries to save under a name under which another save is under way


@contextmanager
def replacing(path: Path) -> Iterator[IO[Any]]:
    """A new file that replaces `path` when the block ends without an error, and is deleted otherwise.

    Raises FileNotFoundError where there is no such folder, IsADirectoryError for a folder, OSError as `open` does.
    """
    if not path.parent.is_dir():
        raise FileNotFoundError(f"cannot save {path.name}: there is no folder {path.parent}; make it first")
    if path.is_dir():
        raise IsADirectoryError(f"cannot save {path}: it is a folder; give the name of a file")
    if sys.platform == "win32":
        with _replacing_by_path(path) as file:
            yield file
        return
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        with _nameless(path.parent) or _named(folder, path) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
            _put_in_place(folder, file.fileno(), path)
        os.fsync(folder)  # the renaming itself lasts through a power cut
    finally:
        os.close(folder)


def write_in_pieces(content: memoryview, write: Callable[[memoryview], object], file: IO[Any]) -> None:
    """Write bytes by a function that writes to `file`, so that the disk is at work before all of them are there.

    Waiting for it at the end then takes less: of a file of 100 MB a quarter of all the time (`asv_bench`,
    training_floors).
    """
    begun = file.tell()
    for start in range(0, len(content), PIECE_BYTES):
        write(content[start : start + PIECE_BYTES])
        if ADVISE is not None and (written := file.tell()) - begun >= BEGUN_BYTES:
            with contextlib.suppress(OSError):  # a file system may know no advice
                # Starts the writing of what is in memory alone, and lets go of what is not.
                ADVISE(file.fileno(), begun, written - begun, os.POSIX_FADV_DONTNEED)
            begun = written


@contextmanager
def _replacing_by_path(path: Path) -> Iterator[IO[Any]]:
    """The same on Windows, which has no descriptors of folders.  It refuses to delete a file that is open, which keeps
    other saves under this name waiting."""
    partial = path.with_name(partial_name(path.name))
    try:
        with _open_alone(partial) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)


def _open_alone(partial: Path) -> IO[Any]:
    """A new file, once no other save has it open."""
    while True:
        try:
            partial.unlink(missing_ok=True)  # of a process that died
            return open(partial, "x+b")
        except (PermissionError, FileExistsError):
            time.sleep(WAITING_SECONDS)


def partial_name(name: str) -> str:
    """The partial name of a file that will replace `name`."""
    kept = name.encode(errors="surrogateescape")[: NAME_BYTES - 16].decode(errors="ignore")
    return f".{kept}.nd4py-saving"


def _nameless(folder: Path) -> IO[Any] | None:
    """A file without a name in a folder; None where the system, or that file system, has none."""
    if NAMELESS is None or not os.path.exists(os.path.dirname(OPENED)):
        return None
    try:
        descriptor = os.open(folder, NAMELESS | os.O_RDWR, MODE)
    except PermissionError:
        raise
    except OSError:
        return None
    return os.fdopen(descriptor, "w+b")


@contextmanager
def _named(folder: int, place: Path) -> Iterator[IO[Any]]:
    """A new file under its partial name, which is deleted if the block ends with an error.

    Other saves in this folder wait meanwhile.
    """
    with _alone(folder):
        name = place.with_name(partial_name(place.name))
        name.unlink(missing_ok=True)
        try:
            with open(name, "x+b") as file:
                yield file
        finally:
            name.unlink(missing_ok=True)


def _put_in_place(folder: int, descriptor: int, place: Path) -> None:
    """Give a complete file its name.  One without any gets the partial one first, since links replace nothing."""
    partial = partial_name(place.name)
    if os.fstat(descriptor).st_nlink:
        os.replace(partial, place.name, src_dir_fd=folder, dst_dir_fd=folder)
        return
    with _alone(folder):
        with contextlib.suppress(FileNotFoundError):
            os.unlink(partial, dir_fd=folder)  # of a process that died here
        try:
            os.link(OPENED.format(descriptor), partial, dst_dir_fd=folder, follow_symlinks=True)
            os.replace(partial, place.name, src_dir_fd=folder, dst_dir_fd=folder)
        except BaseException:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(partial, dir_fd=folder)
            raise


@contextmanager
def _alone(folder: int) -> Iterator[None]:
    """Lock the folder: names in it change one save at a time.  Each thread opens the folder itself, so threads wait
    too."""
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
    except OSError:  # a file system without locks
        yield
        return
    try:
        yield
    finally:
        fcntl.flock(folder, fcntl.LOCK_UN)
