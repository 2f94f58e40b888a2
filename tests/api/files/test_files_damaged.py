"""Damaged and hostile files: a ValueError that names the file, or the array that is still whole; never a crash."""

import io
import json
import struct
import warnings
import zipfile

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

import nd4py as nd


def content_of(format):
    """The bytes of a small file."""
    buffer = io.BytesIO()
    arrays = {"x": nd.arange(6).reshape(2, 3), "y": nd.ones(3, dtype="float32")}
    nd.save(buffer, arrays["x"] if format == "npy" else arrays, format=format)
    return buffer.getvalue()


def compressed():
    buffer = io.BytesIO()
    nd.savez_compressed(buffer, x=nd.arange(100), y=nd.ones(3))
    return buffer.getvalue()


CONTENTS = {format: (format, content_of(format)) for format in ("npy", "npz", "safetensors")}
CONTENTS["compressed"] = ("npz", compressed())


def load_or_refuse(path, format, mode=None):
    """The result of loading, or the ValueError that names the file."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # NumPy's, about odd headers
        try:
            return nd.load(path, format=format, mmap_mode=mode)
        except ValueError as error:
            assert str(path) in str(error)
            return None


@pytest.mark.parametrize("name", CONTENTS)
def test_every_cut_is_noticed(name, tmp_path):
    format, data = CONTENTS[name]
    path = tmp_path / "cut"
    for n in range(len(data)):
        path.write_bytes(data[:n])
        for mode in (None,) if format == "npz" else (None, "r"):
            assert load_or_refuse(path, format, mode) is None


@pytest.mark.parametrize("name", CONTENTS)
@settings(deadline=None, max_examples=300)
@given(data=st.data())
def test_changed_bytes_never_crash(name, data, tmp_path_factory):
    format, content = CONTENTS[name]
    changed = bytearray(content)
    for _ in range(data.draw(st.integers(1, 4))):
        position = data.draw(st.integers(0, len(content) - 1))
        changed[position] = data.draw(st.integers(0, 255))
    path = tmp_path_factory.getbasetemp() / f"changed-{name}"
    path.write_bytes(changed)
    for mode in (None,) if format == "npz" else (None, "r"):
        result = load_or_refuse(path, format, mode)
        arrays = [] if result is None else [result] if format == "npy" else result.values()
        for x in arrays:
            assert nd.asarray(x, copy=True).nbytes < 10_000


@settings(deadline=None)
@given(content=st.binary(max_size=200))
@pytest.mark.parametrize("format", ["npy", "npz", "safetensors"])
def test_noise_never_crashes(format, content, tmp_path_factory):
    path = tmp_path_factory.getbasetemp() / "noise"
    path.write_bytes(content)
    load_or_refuse(path, format)


def test_zip_entries_are_checked(tmp_path):
    path = tmp_path / "x.npz"
    format, content = CONTENTS["npz"]
    changed = bytearray(content)
    changed[content.index(b"\x93NUMPY") + 130] ^= 1
    path.write_bytes(changed)
    with pytest.raises(ValueError, match="x.npz.*CRC"):
        nd.load(path)
    for entries, message in (
        ({"x.txt": b"text"}, "'x.txt' is no array"),
        ({"x.npy": CONTENTS["npy"][1] + b"more"}, "bytes are left"),
        ({"x.npy": b"no array"}, "magic"),
    ):
        with zipfile.ZipFile(path, "w") as archive:
            for name, data in entries.items():
                archive.writestr(name, data)
        with pytest.raises(ValueError, match=f"x.npz.*{message}"):
            nd.load(path)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("x.npy", CONTENTS["npy"][1])
    with pytest.raises(ValueError, match="deflate"):
        nd.load(path)


@pytest.mark.parametrize(
    "text, message",
    [
        ("{'descr': '<f8', 'fortran_order': False, 'shape': (4611686018427387904,), }", "cut short"),
        ("{'descr': '<f8', 'fortran_order': False, 'shape': (-1,), }", "shape"),
        ("{'descr': '<f8', 'fortran_order': False, 'shape': (-2, -3), }", "shape"),
        ("{'descr': '<f8', 'fortran_order': False, 'shape': (0, 99999999999999999999999), }", "x.npy"),
        (f"{{'descr': '<f8', 'fortran_order': False, 'shape': {(1,) * 100}, }}", "x.npy"),
        ("{'descr': '<U3', 'fortran_order': False, 'shape': (1,), }", "no dtype"),
        ("{'descr': '<f16', 'fortran_order': False, 'shape': (1,), }", "no dtype"),
        ("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (1,), }", "no dtype"),
        ("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", "no dtype"),
        ("{'descr': '<f8', 'shape': (1,), }", "x.npy"),
        ("[" * 5000, "x.npy"),
        ("", "x.npy"),
    ],
)
def test_hostile_npy_headers(text, message, tmp_path):
    path = tmp_path / "x.npy"
    header = text.encode().ljust(63) + b"\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + bytes(8))
    for mode in (None, "r"):
        with pytest.raises(ValueError, match=message):
            nd.load(path, mmap_mode=mode)


def test_the_version_for_fields_is_refused(tmp_path):
    path = tmp_path / "x.npy"
    with open(path, "wb") as file:
        np.lib.format.write_array(file, np.arange(3), version=(3, 0))
    with pytest.raises(ValueError, match=r"x.npy.*version \(3, 0\)"):
        nd.load(path)


def tensors(header, n_bytes=0, length=None):
    """A safetensors file with this header."""
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text) if length is None else length) + text + bytes(n_bytes)


def entry(dtype="F32", shape=(2,), offsets=(0, 8), **more):
    return {"dtype": dtype, "shape": list(shape), "data_offsets": list(offsets), **more}


@pytest.mark.parametrize(
    "content, message",
    [
        (b"", "cut short"),
        (b"\x01\x00", "cut short"),
        (tensors({}, length=2**63), "does not fit"),
        (tensors({}, length=100), "does not fit"),
        (tensors({}, length=1), "damaged"),
        (tensors(b"\xff\xfe{}"), "damaged"),
        (tensors(b'{"a": '), "damaged"),
        (tensors(b"[" * 100_000), "damaged"),
        (tensors(b"[]"), "list, not an object"),
        (tensors(b"null"), "NoneType, not an object"),
        (tensors(b'{"a":' + json.dumps(entry()).encode() + b',"a":' + json.dumps(entry()).encode() + b"}", 8), "twice"),
        (tensors({"a": {"dtype": "F32", "shape": [2]}}, 8), "'a' needs"),
        (tensors({"a": 3}), "'a' needs"),
        (tensors({"a": entry("F8_E4M3")}, 8), "F8_E4M3.*nd4py has BOOL"),
        (tensors({"a": entry(7)}, 8), "dtype 7"),
        (tensors({"a": entry(["F32"])}, 8), "dtype"),
        (tensors({"a": entry(shape=(-2,))}, 8), "shape"),
        (tensors({"a": entry(shape=(2.0,))}, 8), "shape"),
        (tensors({"a": entry(shape=(True, 2))}, 8), "shape"),
        (tensors({"a": {"dtype": "F32", "shape": 2, "data_offsets": [0, 8]}}, 8), "shape"),
        (tensors({"a": entry(offsets=(0, 8, 16))}, 16), "bytes"),
        (tensors({"a": entry(offsets=(-8, 0))}, 8), "bytes"),
        (tensors({"a": entry(offsets=(8, 0))}, 8), "cannot have -8 bytes"),
        (tensors({"a": entry(offsets=(0, 4))}, 8), "cannot have 4 bytes"),
        (tensors({"a": entry(shape=(2**40, 2**40), offsets=(0, 2**82))}, 8), "x.safetensors"),
        (tensors({"a": entry(shape=(0, 2**70), offsets=(0, 0))}), "x.safetensors"),
        (tensors({"a": entry(shape=(1,) * 100, offsets=(0, 4))}, 4), "x.safetensors"),
        (tensors({"a": entry()}, 4), "end at byte"),
        (tensors({"a": entry()}, 12), "end at byte"),
        (tensors({"a": entry(offsets=(4, 12))}, 12), "begins at byte 4"),
        (tensors({"a": entry(), "b": entry(offsets=(4, 12))}, 12), "'b' begins at byte 4 of the data, not at byte 8"),
        (tensors({"a": entry(), "b": entry(offsets=(12, 20))}, 20), "'b' begins at byte 12"),
        (tensors({"a": entry(), "b": entry()}, 8), "begins at byte 0"),
        (tensors({"__metadata__": ["a"]}), "metadata"),
        (tensors({"__metadata__": {"a": 1}}), "metadata"),
    ],
)
def test_hostile_safetensors(content, message, tmp_path):
    path = tmp_path / "x.safetensors"
    path.write_bytes(content)
    for mode in (None, "r", "c", "r+"):
        with pytest.raises(ValueError, match=f"x.safetensors: (?s:.)*{message}|{message}") as caught:
            nd.load(path, mmap_mode=mode)
        assert str(path) in str(caught.value)
    with pytest.raises(ValueError, match="BytesIO"):
        nd.load(io.BytesIO(content), format="safetensors")


def test_a_huge_header_is_not_read(tmp_path):
    path = tmp_path / "x.safetensors"
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", 200_000_000))
        file.truncate(300_000_000)
    with pytest.raises(ValueError, match="does not fit"):
        nd.load(path)


def test_unaligned_tensors_are_read_but_not_mapped(tmp_path):
    path = tmp_path / "x.safetensors"
    header = {"a": entry("U8", (1,), (0, 1)), "b": entry("F64", (2,), (1, 17))}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(tensors(text) + b"\x07" + struct.pack("<2d", 1.5, 2.5))
    assert {name: x.tolist() for name, x in nd.load(path).items()} == {"a": [7], "b": [1.5, 2.5]}
    with pytest.raises(ValueError, match="'b' cannot be mapped.*mmap_mode=None"):
        nd.load(path, mmap_mode="r")


def test_unknown_content_is_refused(tmp_path):
    path = tmp_path / "x.bin"
    path.write_bytes(b"something else")
    with pytest.raises(ValueError, match="x.bin.*no format"):
        nd.load(path)
    path.write_bytes(b"")
    with pytest.raises(ValueError, match="x.bin"):
        nd.load(path)
