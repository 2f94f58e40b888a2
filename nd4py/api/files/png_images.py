"""PNG images of arrays, without a package for images: https://www.w3.org/TR/png-3/."""

from __future__ import annotations

import struct
import zlib
from typing import Any

SIGNATURE = b"\x89PNG\r\n\x1a\n"
COLOUR_TYPES = {1: 0, 3: 2}  # of grey, and of red, green and blue


def png(pixels: Any) -> bytes:
    """The file of an image, (height, width, channels) uint8 with 1 or 3 channels."""
    height, width, channels = pixels.shape
    content = bytes(memoryview(pixels.copy()).cast("B"))
    size = width * channels
    rows = b"".join(b"\0" + content[start : start + size] for start in range(0, height * size, size))  # not filtered
    header = struct.pack(">IIBBBBB", width, height, 8, COLOUR_TYPES[channels], 0, 0, 0)
    return SIGNATURE + _chunk(b"IHDR", header) + _chunk(b"IDAT", zlib.compress(rows)) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
