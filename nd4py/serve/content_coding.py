"""Compressed bodies: gzip and deflate, of requests within the limit of their size, and of answers that are worth it.

Design: the thread of the event loop codes bodies itself, a part at a time, and answers others between two parts.
Rejected: another thread, which may wait for a tenth of a second for its turn of Python beside an event loop that is
busy, each time that it lets go of it.
"""

from __future__ import annotations

import asyncio
import zlib

from .http_errors import HttpError, bad_request, shown
from .http_requests import too_long

# The value of `wbits` that zlib knows each by.
WINDOW_BITS = {b"gzip": 31, b"deflate": 15}
WORTH_BYTES = 1024  # a shorter answer fits into one packet either way
MOST_TIMES = 1032  # what deflate makes longer, at most
PART_BYTES = 1 << 20  # of a body without its coding, takes a millisecond
PLAIN_PART_BYTES = 128 << 10  # of an answer, the same
FAST = 1  # of zlib's levels: numbers do not get much smaller with others


async def decompressed(body: bytes, coding: bytes, most_bytes: int) -> bytes:
    """A body without its coding.  Raises HttpError for other codings, damaged bodies, and those that get too long."""
    name = coding.strip().lower()
    if name in (b"", b"identity"):
        return body
    if name not in WINDOW_BITS:
        raise HttpError(415, f"Content-Encoding must be gzip, deflate or identity, got {shown(coding)}")
    said = int.from_bytes(body[-4:], "little") if name == b"gzip" else 0  # its size, as its last bytes say
    if most_bytes < said <= MOST_TIMES * len(body):  # what says more is cut short, or no gzip
        raise too_long(most_bytes)
    machine = zlib.decompressobj(WINDOW_BITS[name])
    try:
        parts = [machine.decompress(body, PART_BYTES)]
        n_bytes = len(parts[0])
        while n_bytes <= most_bytes and len(parts[-1]) == PART_BYTES:
            await asyncio.sleep(0)
            parts.append(machine.decompress(machine.unconsumed_tail, PART_BYTES))
            n_bytes += len(parts[-1])
    except zlib.error as error:
        raise bad_request(f"the body is not {name.decode()}: {error}") from None
    if n_bytes > most_bytes:
        raise too_long(most_bytes)
    if not machine.eof or machine.unused_data:
        raise bad_request(f"the body is not {name.decode()}: it does not end where its data end")
    return parts[0] if len(parts) == 1 else b"".join(parts)


def accepted(header: bytes | None) -> bytes | None:
    """The coding for an answer to a client that sent this `Accept-Encoding`, None for plain bytes."""
    if not header:
        return None
    for part in header.lower().split(b","):
        name, _, quality = part.partition(b";")
        if name.strip() in WINDOW_BITS and quality.strip() not in (b"q=0", b"q=0.0"):
            return name.strip()
    return None


async def compressed(body: bytes, coding: bytes) -> bytes:
    """A body in a coding."""
    machine, view = zlib.compressobj(FAST, zlib.DEFLATED, WINDOW_BITS[coding]), memoryview(body)
    parts = [machine.compress(view[:PLAIN_PART_BYTES])]
    for start in range(PLAIN_PART_BYTES, len(view), PLAIN_PART_BYTES):
        await asyncio.sleep(0)
        parts.append(machine.compress(view[start : start + PLAIN_PART_BYTES]))
    return b"".join([*parts, machine.flush()])
