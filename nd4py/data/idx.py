"""The IDX file format of the MNIST family: a four-byte magic number, the sizes, the elements, all big-endian.

Format: http://yann.lecun.com/exdb/mnist/ ("THE IDX FILE FORMAT").
"""

import gzip
import os
import struct
import sys
import zlib
from array import array
from contextlib import contextmanager
from math import prod

from nd4py import api as nd
from nd4py.api.arguments import whole

# Third byte of the magic number -> dtype and the type code that byte-swaps its elements.
ELEMENT_TYPES = {
    0x08: ("uint8", "B"),
    0x09: ("int8", "b"),
    0x0B: ("int16", "h"),
    0x0C: ("int32", "i"),
    0x0D: ("float32", "f"),
    0x0E: ("float64", "d"),
}
MAX_NDIM = 32
CHUNK_BYTES = 1 << 20


def read_idx(path, *, max_bytes=1 << 32):
    """The array in an IDX file, plain or compressed with gzip (told by its first bytes, not by its name).

    path: of the file.
    max_bytes: the most element bytes to accept, so that a crafted file cannot fill the memory.
    Raises ValueError naming the file if it is damaged, truncated, too long or larger than `max_bytes`;
    OSError if it cannot be opened.

    >>> with open("labels.idx", "wb") as file:
    ...     n_bytes = file.write(bytes([0, 0, 8, 1, 0, 0, 0, 3, 7, 8, 9]))  # uint8, one axis, 3 elements
    >>> data.read_idx("labels.idx")
    array([7, 8, 9], dtype=uint8)
    """
    name, max_bytes = os.fspath(path), whole("read_idx: max_bytes", max_bytes)
    with _opened(name) as stream:
        dtype, code, shape = _read_header(stream, name)
        n_bytes = _checked_size(shape, array(code).itemsize, max_bytes, name)
        content = _read_content(stream, n_bytes, shape, name)
    if sys.byteorder == "little" and array(code).itemsize > 1:
        content = array(code, bytes(content))
        content.byteswap()
    return nd.frombuffer(content, dtype=dtype, shape=shape)


@contextmanager
def _opened(name):
    """The file's uncompressed bytes as a stream; damage found by the decompressor becomes a ValueError."""
    with open(name, "rb") as file:
        is_gzip = file.read(2) == b"\x1f\x8b"
        file.seek(0)
        try:
            yield gzip.GzipFile(fileobj=file) if is_gzip else file
        except EOFError:
            raise ValueError(f"{name}: the gzip stream ends early; the file is truncated, fetch it again") from None
        except (gzip.BadGzipFile, zlib.error) as error:
            raise ValueError(f"{name}: damaged gzip data ({error}); fetch the file again") from error


def _read_header(stream, name):
    magic = _read_up_to(stream, 4)
    if len(magic) < 4:
        raise ValueError(f"{name}: expected a magic number of 4 bytes, found {len(magic)} byte(s); not an IDX file")
    zeros, code, ndim = struct.unpack(">HBB", magic)
    if zeros != 0 or code not in ELEMENT_TYPES:
        known = ", ".join(f"0000{number:02x}nn" for number in ELEMENT_TYPES)
        raise ValueError(f"{name}: expected an IDX magic number ({known}), found {magic.hex()}; not an IDX file")
    if not 1 <= ndim <= MAX_NDIM:
        raise ValueError(f"{name}: expected 1 to {MAX_NDIM} dimensions, found {ndim} in the header")
    sizes = _read_up_to(stream, 4 * ndim)
    if len(sizes) < 4 * ndim:
        raise ValueError(
            f"{name}: expected {ndim} sizes of 4 bytes after the magic number, found {len(sizes)} byte(s); "
            f"the file is truncated"
        )
    return *ELEMENT_TYPES[code], struct.unpack(f">{ndim}I", sizes)


def _checked_size(shape, itemsize, max_bytes, name):
    # Zeros are left out of the first product: strides are computed from the other sizes even then.
    if prod(max(size, 1) for size in shape) * itemsize >= 1 << 63:
        raise ValueError(f"{name}: the header's sizes {shape} multiply to 2^63 bytes or more; the header is damaged")
    n_bytes = prod(shape) * itemsize
    if n_bytes > max_bytes:
        raise ValueError(
            f"{name}: the header announces {n_bytes} bytes for shape {shape}, more than max_bytes={max_bytes}; "
            f"pass a larger max_bytes if the file can be trusted"
        )
    return n_bytes


def _read_content(stream, n_bytes, shape, name):
    """Exactly the announced bytes.  Memory grows with what the file holds, not with what its header claims."""
    content = _read_up_to(stream, n_bytes)
    if len(content) < n_bytes:
        raise ValueError(
            f"{name}: expected {n_bytes} bytes of elements for shape {shape}, found {len(content)}; "
            f"the file is truncated"
        )
    if stream.read(1):
        raise ValueError(
            f"{name}: expected {n_bytes} bytes of elements for shape {shape}, found more; "
            f"the header and the content do not belong together"
        )
    return content


def _read_up_to(stream, n_bytes):
    content = bytearray()
    while len(content) < n_bytes and (chunk := stream.read(min(CHUNK_BYTES, n_bytes - len(content)))):
        content += chunk
    return content
