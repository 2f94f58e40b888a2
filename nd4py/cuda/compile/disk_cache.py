"""Disk cache of compiled kernels.  A process compiles only kernels that no earlier process compiled.

A file holds the machine code of one module for one generation of devices, behind a checksum.  Its name is the digest of
what it was made from, sources, headers and options, and then the compiler's version.  Files are written beside and
renamed, so that readers find whole ones or none; damaged ones are removed and made anew.  What was not read for the
longest time goes when the folder grows beyond its limit.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from pathlib import Path

from ..._mem.sizes import byte_count

CHECKSUM_BYTES = 32
FIRST_LIMIT = "256M"


def folder() -> Path:
    """Where compiled kernels are kept: ND4PY_CUDA_CACHE, else below the user's cache."""
    given = os.environ.get("ND4PY_CUDA_CACHE", "").strip()
    if given:
        return Path(given)
    base = os.environ.get("XDG_CACHE_HOME", "").strip()
    return (Path(base) if base else Path.home() / ".cache") / "nd4py" / "cuda"


def limit_bytes() -> int:
    """The most bytes of the folder: ND4PY_CUDA_CACHE_BYTES, else 256 MiB.  Raises ValueError naming the variable."""
    text = os.environ.get("ND4PY_CUDA_CACHE_BYTES", "").strip() or FIRST_LIMIT
    return int(byte_count(int(text) if text.isdigit() else text, "ND4PY_CUDA_CACHE_BYTES"))


def path_of(key: str, version: str) -> Path:
    """The file of a key, a hexadecimal digest, and a version of the compiler."""
    return folder() / key[:2] / f"{key}-{version}.cubin"


def key_of(*parts: str) -> str:
    """The key of machine code made from these texts."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def versions_of(key: str) -> list[str]:
    """The versions of the compiler whose machine code is kept under a key, the latest first."""
    versions = [path.stem.rpartition("-")[2] for path in path_of(key, "").parent.glob(f"{key}-*.cubin")]
    return sorted(versions, key=lambda version: [int(part) for part in version.split(".")], reverse=True)


def load(key: str, version: str) -> bytes | None:
    """The machine code kept under a key; None where there is none, or it was damaged and is gone now."""
    path = path_of(key, version)
    try:
        content = path.read_bytes()
    except OSError:
        return None
    checksum, code = content[:CHECKSUM_BYTES], content[CHECKSUM_BYTES:]
    if hashlib.sha256(code).digest() != checksum:
        path.unlink(missing_ok=True)
        return None
    with contextlib.suppress(OSError):  # a folder that may only be read is good enough
        os.utime(path)  # read now, so others go first
    return code


def store(key: str, version: str, code: bytes) -> None:
    """Keep machine code under a key.  A folder that cannot be written, or a full disk, is no error."""
    path = path_of(key, version)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".part", delete=False) as part:
            part.write(hashlib.sha256(code).digest() + code)
        os.replace(part.name, path)
        trim(limit_bytes())
    except OSError:
        return


def trim(limit: int) -> int:
    """Remove files, those not read for the longest time first, until at most `limit` bytes are left; returns how many
    bytes went."""
    found = []
    for path in folder().glob("*/*.cubin"):
        try:
            status = path.stat()
        except OSError:  # another process was faster
            continue
        found.append((status.st_mtime_ns, status.st_size, path))
    total = sum(size for _, size, _ in found)
    gone = 0
    for _, size, path in sorted(found):
        if total - gone <= limit:
            break
        path.unlink(missing_ok=True)
        gone += size
    return gone
