"""Fingerprint of the tables: whether what is compiled was made from the tables that are there.

Design: of the bytes of their files, which takes a tenth of a millisecond of every import; of all columns of all rows it
took three.  So a comment that is changed asks for a build too, which compiles the two modules with the fingerprint.
The documentation of rows is left out: what is compiled does not hold it.
What loops are compiled from has a hash for each part of the table (`render/loop_parts.py`): those are compared with
each other, and not with the rows.
"""

from __future__ import annotations

import functools
import os
import zlib

TABLES = ("costs.py", "dtypes.py", "op.py", "ops.py")
DOCUMENTATION = (b'doc="', b'usage="')  # columns of rows, as they are written


@functools.cache
def fingerprint() -> str:
    """Identifies the tables; "" where their sources are not there, and so nobody can have changed them."""
    folder = os.path.dirname(__file__)
    try:
        return f"{zlib.crc32(compiled_part(b''.join(bytes_of(os.path.join(folder, name)) for name in TABLES))):08x}"
    except FileNotFoundError:
        return ""


def bytes_of(file: str) -> bytes:
    """What a file holds.  (Importing pathlib for that would take 5 ms of every `import nd4py`.)"""
    with open(file, "rb") as opened:
        return opened.read()


def compiled_part(text: bytes) -> bytes:
    """The text of the tables without the documentation of rows."""
    for column in DOCUMENTATION:
        first, *others = text.split(column)
        text = first + b"".join(part.partition(b'"')[2] for part in others)
    return text


def check(compiled: bytes) -> None:
    """Raises ImportError unless `compiled` is the fingerprint of the tables."""
    if fingerprint() not in ("", compiled.decode()):
        raise ImportError("the compiled tables do not match nd4py/_spec/ops.py; rebuild: pip install -e .")
