"""IDX files: round trips for every element type, and a corpus of damaged ones."""

import gzip
import struct

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nd4py.data import read_idx

CODES = {"uint8": 0x08, "int8": 0x09, "int16": 0x0B, "int32": 0x0C, "float32": 0x0D, "float64": 0x0E}


def idx_bytes(array):
    array = np.asarray(array)
    header = struct.pack(f">HBB{array.ndim}I", 0, CODES[array.dtype.name], array.ndim, *array.shape)
    return header + array.astype(array.dtype.newbyteorder(">")).tobytes()


def header(code, *sizes):
    return struct.pack(f">HBB{len(sizes)}I", 0, code, len(sizes), *sizes)


@pytest.fixture
def write(tmp_path):
    def write(content, name="some.idx"):
        path = tmp_path / name
        path.write_bytes(content)
        return path

    return write


@pytest.mark.parametrize("compress", [bytes, gzip.compress], ids=["plain", "gzip"])
@pytest.mark.parametrize("dtype", CODES)
def test_round_trip(write, dtype, compress):
    array = (np.arange(24).reshape(2, 3, 4) * 3 - (0 if dtype == "uint8" else 20)).astype(dtype)
    found = read_idx(write(compress(idx_bytes(array))))
    assert str(found.dtype) == dtype
    assert np.array_equal(np.asarray(found), array)


def test_no_elements(write):
    assert read_idx(write(idx_bytes(np.zeros((0, 28, 28), "uint8")))).shape == (0, 28, 28)


GOOD = idx_bytes(np.arange(60, dtype="uint8").reshape(3, 4, 5))
DAMAGED = {
    "empty": (b"", "magic number of 4 bytes, found 0"),
    "short magic": (b"\0\0\x08", "magic number of 4 bytes, found 3"),
    "not zero": (b"\1\0\x08\1" + GOOD[4:], "expected an IDX magic number .*found 01000801"),
    "unknown type": (b"\0\0\x0a\1" + GOOD[4:], "expected an IDX magic number .*found 00000a01"),
    "text": (b"P5\n28 28\n255\n", "expected an IDX magic number"),
    "no dimensions": (b"\0\0\x08\0\1", "expected 1 to 32 dimensions, found 0"),
    "255 dimensions": (b"\0\0\x08\xff" + bytes(1020), "expected 1 to 32 dimensions, found 255"),
    "sizes cut": (GOOD[:13], "expected 3 sizes of 4 bytes .*found 9"),
    "elements cut": (GOOD[:-1], r"expected 60 bytes .*\(3, 4, 5\), found 59"),
    "no content": (GOOD[:16], "expected 60 bytes .*found 0"),
    "too long": (GOOD + b"!", "expected 60 bytes .*found more"),
    "2^63 bytes": (header(0x08, 2**31, 2**31, 2), r"multiply to 2\^63"),
    "2^64 elements, wraps to 0": (header(0x08, 2**32 - 1, 2**32 - 1, 2**32 - 1), r"multiply to 2\^63"),
    "2^60 doubles": (header(0x0E, 2**30, 2**30), r"multiply to 2\^63"),
    "zero hides the overflow": (header(0x08, 0, 2**31, 2**31, 2), r"multiply to 2\^63"),
    "1 TB announced": (header(0x08, 2**20, 2**20) + b"abc", "announces 1099511627776 bytes .*max_bytes=4294967296"),
    "1 GB announced, 3 bytes there": (header(0x08, 2**15, 2**15) + b"abc", "expected 1073741824 bytes .*found 3"),
}


@pytest.mark.parametrize("compress", [bytes, gzip.compress], ids=["plain", "gzip"])
@pytest.mark.parametrize("content, message", DAMAGED.values(), ids=DAMAGED)
def test_damaged_files_say_what_is_wrong(write, content, message, compress):
    path = write(compress(content))
    with pytest.raises(ValueError, match=message) as caught:
        read_idx(path)
    assert str(path) in str(caught.value)


def test_announced_memory_is_not_taken(write):
    # 4 GB announced and allowed, 1 MB there: reading must not reserve what the header claims.
    path = write(gzip.compress(header(0x08, 2**16, 2**16) + bytes(1 << 20)))
    with pytest.raises(ValueError, match="expected 4294967296 bytes .*found 1048576"):
        read_idx(path)


@pytest.mark.parametrize("keep", [1, 5, 10, 20, 40, -9, -8, -1])
def test_gzip_cut_anywhere(write, keep):
    path = write(gzip.compress(GOOD)[:keep])
    with pytest.raises(ValueError, match="truncated|magic number"):
        read_idx(path)


def test_gzip_checksum_is_checked(write):
    content = bytearray(gzip.compress(GOOD))
    content[-6] ^= 0xFF
    with pytest.raises(ValueError, match="damaged gzip"):
        read_idx(write(bytes(content)))


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(position=st.integers(0, 70), value=st.integers(0, 255), compress=st.booleans())
def test_any_changed_byte_is_an_array_or_a_value_error(write, position, value, compress):
    content = bytearray(gzip.compress(GOOD, mtime=0) if compress else GOOD)
    content[position % len(content)] = value
    try:
        assert read_idx(write(bytes(content))).size == 60
    except ValueError as error:
        assert "some.idx" in str(error)


def test_a_missing_file_is_an_os_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_idx(tmp_path / "nowhere")
