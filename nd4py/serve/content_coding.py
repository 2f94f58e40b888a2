"""Compressed bodies: gzip and deflate, of requests within the limit of their size, and of answers that are worth it."""

import zlib

from .http_errors import HttpError, bad_request, shown
from .http_requests import too_long

# The value of `wbits` that zlib knows each by.
WINDOW_BITS = {b"gzip": 31, b"deflate": 15}
WORTH_BYTES = 1024  # a shorter answer fits into one packet either way
FAST = 1  # of zlib's levels: numbers do not get much smaller with others


def decompressed(body: bytes, coding: bytes, most_bytes: int) -> bytes:
    """A body without its coding.  Raises HttpError for other codings, damaged bodies, and those that get too long."""
    name = coding.strip().lower()
    if name in (b"", b"identity"):
        return body
    if name not in WINDOW_BITS:
        raise HttpError(415, f"Content-Encoding must be gzip, deflate or identity, got {shown(coding)}")
    if name == b"gzip" and int.from_bytes(body[-4:], "little") > most_bytes:  # its size, as its last bytes say
        raise too_long(most_bytes)
    machine = zlib.decompressobj(WINDOW_BITS[name])
    try:
        found = machine.decompress(body, most_bytes + 1)
    except zlib.error as error:
        raise bad_request(f"the body is not {name.decode()}: {error}") from None
    if len(found) > most_bytes:
        raise too_long(most_bytes)
    if not machine.eof or machine.unused_data:
        raise bad_request(f"the body is not {name.decode()}: it does not end where its data end")
    return found


def accepted(header: bytes | None) -> bytes | None:
    """The coding for an answer to a client that sent this `Accept-Encoding`, None for plain bytes."""
    if not header:
        return None
    for part in header.lower().split(b","):
        name, _, quality = part.partition(b";")
        if name.strip() in WINDOW_BITS and quality.strip() not in (b"q=0", b"q=0.0"):
            return name.strip()
    return None


def compressed(body: bytes, coding: bytes) -> bytes:
    """A body in a coding."""
    machine = zlib.compressobj(FAST, zlib.DEFLATED, WINDOW_BITS[coding])
    return machine.compress(body) + machine.flush()
