"""Files: what is saved comes back, NumPy and safetensors understand it, and old files stay whole."""

import gzip
import io
import os
import threading
import zipfile

import numpy as np
import pytest

import nd4py as nd

DTYPES = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
          "float16", "bfloat16", "float32", "float64", "complex64", "complex128")  # fmt: skip
SHAPES = [(), (0,), (1,), (5,), (2, 3), (3, 0, 2), (2, 1, 3, 4)]
LAYOUTS = {
    "plain": lambda x: x,
    "transposed": lambda x: nd.permute_dims(x, tuple(range(x.ndim))[::-1]),
    "reversed": lambda x: x[::-1] if x.ndim else x,
    "gaps": lambda x: x[..., ::2] if x.ndim else x,
    "broadcast": lambda x: nd.broadcast_to(x, (2, *x.shape)),
}


def numbers(shape, dtype):
    """Different numbers; float16 and bfloat16 hold them exactly."""
    return (nd.arange(int(np.prod(shape))) % 100).reshape(shape).astype(dtype)


def assert_same(x, y):
    assert isinstance(x, nd.NDArray)
    assert x.dtype == y.dtype
    assert x.shape == y.shape
    assert x.tolist() == y.tolist()


def holds(format, dtype):
    return not (format != "safetensors" and dtype == "bfloat16" or format == "safetensors" and dtype == "complex128")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_arrays_come_back(dtype, layout, tmp_path):
    for shape in SHAPES:
        x = LAYOUTS[layout](numbers(shape, dtype))
        for format in filter(lambda format: holds(format, dtype), ("npy", "npz", "safetensors")):
            path = tmp_path / f"x.{format}"
            nd.save(path, x if format == "npy" else {"x": x, "y": numbers((3,), "int8")})
            for mode in (None,) if format == "npz" else (None, "r", "r+", "c"):
                y = nd.load(path, mmap_mode=mode)
                assert_same(y if format == "npy" else y["x"], x)
                assert (y if format == "npy" else y["x"]).is_writable == (mode != "r")


@pytest.mark.parametrize("dtype", [name for name in DTYPES if name != "bfloat16"])
def test_numpy_reads_ours_and_we_read_numpys(dtype, tmp_path):
    for shape in SHAPES:
        x = numbers(shape, dtype)
        path = tmp_path / "x.npy"
        nd.save(path, x)
        np.testing.assert_array_equal(np.load(path, allow_pickle=False), np.asarray(x))
        for order in "CF":
            np.save(path, np.asarray(x, order=order))
            for mode in (None, "r"):
                assert_same(nd.load(path, mmap_mode=mode), x)
        nd.savez_compressed(tmp_path / "x.npz", x, named=x)
        with np.load(tmp_path / "x.npz", allow_pickle=False) as archive:
            assert sorted(archive) == ["arr_0", "named"]
            np.testing.assert_array_equal(archive["named"], np.asarray(x))
        np.savez(tmp_path / "x.npz", x=np.asarray(x))
        assert_same(nd.load(tmp_path / "x.npz")["x"], x)


def test_fortran_order_stays_and_is_not_copied(tmp_path):
    x = numbers((3, 4), "float64")
    nd.save(tmp_path / "x.npy", x.T)
    assert np.load(tmp_path / "x.npy").flags.f_contiguous
    assert nd.load(tmp_path / "x.npy", mmap_mode="r").strides == (8, 32)


@pytest.mark.parametrize("dtype", [">i2", ">u8", ">f4", ">f8", ">c8", ">c16"])
def test_foreign_byte_order_is_converted(dtype, tmp_path):
    for order in "CF":
        x = np.arange(6).reshape(2, 3).astype(dtype, order=order)
        np.save(tmp_path / "x.npy", x)
        y = nd.load(tmp_path / "x.npy")
        assert y.dtype == np.dtype(dtype).newbyteorder("=")
        np.testing.assert_array_equal(np.asarray(y), x)
    with pytest.raises(ValueError, match="byte order.*mmap_mode=None"):
        nd.load(tmp_path / "x.npy", mmap_mode="r")


def test_version_2_headers_are_read(tmp_path):
    with open(tmp_path / "x.npy", "wb") as file:
        np.lib.format.write_array(file, np.arange(5), version=(2, 0))
    assert nd.load(tmp_path / "x.npy").tolist() == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("dtype", [name for name in DTYPES if holds("safetensors", name) and name != "bfloat16"])
def test_the_package_safetensors_agrees(dtype, tmp_path):
    package = pytest.importorskip("safetensors.numpy")
    ours, theirs = tmp_path / "ours.safetensors", tmp_path / "theirs.safetensors"
    arrays = {"a": numbers((2, 3), dtype), "empty": numbers((0, 4), dtype), "\u00e9": numbers((), "uint8")}
    nd.save(ours, arrays, metadata={"by": "nd4py"})
    package.save_file({name: np.asarray(x) for name, x in arrays.items()}, theirs, metadata={"by": "nd4py"})
    loaded = package.load_file(ours)
    for mode in (None, "r", "c"):
        tensors = nd.load(theirs, mmap_mode=mode)
        assert tensors.metadata == {"by": "nd4py"}
        for name, x in arrays.items():
            assert_same(tensors[name], x)
            np.testing.assert_array_equal(loaded[name], np.asarray(x))


def test_the_package_safetensors_knows_our_bfloat16(tmp_path):
    package = pytest.importorskip("safetensors")
    nd.save(tmp_path / "x.safetensors", {"x": numbers((4,), "bfloat16")})
    [(name, spec)] = package.deserialize((tmp_path / "x.safetensors").read_bytes())
    assert (name, spec["dtype"], spec["shape"]) == ("x", "BF16", [4])


def test_metadata_and_order(tmp_path):
    path = tmp_path / "x.safetensors"
    nd.save(path, {"small": nd.ones(3, dtype="int8"), "large": nd.ones(2)}, metadata={"a": "1", "b": "\u00fc"})
    tensors = nd.load(path)
    assert isinstance(tensors, dict)
    assert tensors.metadata == {"a": "1", "b": "\u00fc"}
    nd.save(path, {})
    assert nd.load(path) == {}
    assert nd.load(path).metadata == {}
    first = tmp_path / "first.safetensors"
    nd.save(path, {"b": nd.ones(3), "a": nd.ones(1, dtype="int8")})
    nd.save(first, {"a": nd.ones(1, dtype="int8"), "b": nd.ones(3)})
    assert path.read_bytes() == first.read_bytes()


# Memory maps.


@pytest.mark.parametrize("format", ["npy", "safetensors"])
def test_maps_share_memory_with_the_file(format, tmp_path):
    path = tmp_path / f"x.{format}"
    nd.save(path, nd.zeros(1000) if format == "npy" else {"x": nd.zeros(1000)})

    def opened(mode):
        x = nd.load(path, mmap_mode=mode)
        return x if format == "npy" else x["x"]

    reader, copy, writer = opened("r"), opened("c"), opened("r+")
    copy[0] = 5.0
    assert (reader[0].tolist(), opened(None)[0].tolist()) == (0.0, 0.0)
    writer[1:] = nd.arange(999, dtype="float64")
    assert reader.tolist() == writer.tolist() == opened(None).tolist()
    assert copy[0].tolist() == 5.0
    with pytest.raises(ValueError, match="read-only"):
        reader[0] = 1.0


def test_a_map_may_be_larger_than_memory(tmp_path):
    n = 1 << 36
    path = tmp_path / "x.npy"
    nd.save(path, nd.zeros(1, dtype="uint8"))
    header = path.read_bytes()[:-1].replace(b"(1,), }" + b" " * 20, f"({n},), }}".encode() + b" " * 20)
    header = header[:127].ljust(127) + b"\n" if len(header) >= 127 else header
    path.write_bytes(header)
    os.truncate(path, len(header) + n)
    x = nd.load(path, mmap_mode="r")
    assert x.shape == (n,)
    assert x[-1].tolist() == 0


def test_a_map_outlives_its_file(tmp_path):
    path = tmp_path / "x.npy"
    nd.save(path, nd.arange(10))
    x = nd.load(path, mmap_mode="r")[2:]
    path.unlink()
    assert x.tolist() == list(range(2, 10))


def test_replacing_a_mapped_file_leaves_the_map(tmp_path):
    path = tmp_path / "x.npy"
    nd.save(path, nd.zeros(3))
    x = nd.load(path, mmap_mode="r")
    nd.save(path, nd.ones(3))
    assert x.tolist() == [0.0] * 3
    assert nd.load(path).tolist() == [1.0] * 3
    nd.save(path, x + 2.0)
    assert nd.load(path).tolist() == [2.0] * 3


# Files and paths.


@pytest.mark.parametrize("format", ["npy", "npz", "safetensors"])
def test_files_that_are_open(format, tmp_path):
    x = numbers((2, 3), "float32")
    given = x if format == "npy" else {"x": x}
    buffer = io.BytesIO()
    nd.save(buffer, given, format=format)
    buffer.seek(0)
    results = [nd.load(buffer)]
    with open(tmp_path / "plain", "wb") as file:
        nd.save(file, given, format=format)
    with open(tmp_path / "plain", "rb") as file:
        results.append(nd.load(file))
    results.append(nd.load(str(tmp_path / "plain")))
    results.append(nd.load(tmp_path / "plain", format=format))
    if format != "npz":  # a zip goes back in its file to complete it
        with gzip.open(tmp_path / "x.gz", "wb") as file:
            nd.save(file, given, format=format)
        with gzip.open(tmp_path / "x.gz", "rb") as file:
            results.append(nd.load(file, format=format))
    for y in results:
        assert_same(y if format == "npy" else y["x"], x)


def test_arrays_follow_each_other_in_an_open_file(tmp_path):
    with open(tmp_path / "x", "wb") as file:
        file.write(b"before")
        nd.save(file, nd.ones(3))
        nd.save(file, nd.arange(4))
    with open(tmp_path / "x", "rb") as file:
        file.seek(6)
        assert nd.load(file).tolist() == [1.0] * 3
        assert nd.load(file).tolist() == [0, 1, 2, 3]


def test_a_pipe_is_read(tmp_path):
    reader, writer = os.pipe()

    def fill():
        with os.fdopen(writer, "wb") as file:
            nd.save(file, nd.arange(100_000))

    thread = threading.Thread(target=fill)
    thread.start()
    with os.fdopen(reader, "rb") as file:
        assert nd.load(file, format="npy").shape == (100_000,)
    thread.join()


def test_savez_names(tmp_path):
    nd.savez(tmp_path / "x", nd.ones(2), nd.zeros(1), last=nd.arange(3))
    arrays = nd.load(tmp_path / "x.npz")
    assert {name: x.tolist() for name, x in arrays.items()} == {"arr_0": [1, 1], "arr_1": [0], "last": [0, 1, 2]}
    with pytest.raises(KeyError, match="no array 'first'; it has .*arr_1"):
        arrays["first"]
    nd.savez(str(tmp_path / "none.npz"))
    assert nd.load(tmp_path / "none.npz") == {}
    nd.savez(tmp_path / "self.npz", file=nd.ones(1))
    assert nd.load(tmp_path / "self.npz")["file"].tolist() == [1]
    with pytest.raises(TypeError, match="file must be a path or an open binary file, given list"):
        nd.savez([1.0], nd.ones(1))


def test_compression_makes_files_small(tmp_path):
    nd.savez(tmp_path / "a.npz", nd.zeros(10_000))
    nd.savez_compressed(tmp_path / "b.npz", nd.zeros(10_000))
    assert os.path.getsize(tmp_path / "b.npz") < os.path.getsize(tmp_path / "a.npz") / 20


# What fails leaves the old file.


@pytest.mark.parametrize("name", ["x.npy", "x.npz", "x.safetensors"])
def test_a_failed_save_leaves_the_old_file(name, tmp_path, monkeypatch):
    path = tmp_path / name
    old, new = (nd.zeros(3), nd.ones(5)) if name == "x.npy" else ({"x": nd.zeros(3)}, {"x": nd.ones(5)})
    nd.save(path, old)
    before = path.read_bytes()

    def fail(descriptor):
        raise OSError("disk full")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fail)
        with pytest.raises(OSError, match="disk full"):
            nd.save(path, new)
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == [name]
    nd.save(path, new)
    assert path.read_bytes() != before


def test_what_a_format_cannot_hold_is_refused_before_the_file_is_touched(tmp_path):
    half, wide = nd.ones(2, dtype="bfloat16"), nd.ones(2, dtype="complex128")
    refused = [
        ("x.npy", half, "no bfloat16.*safetensors"),
        ("x.npz", {"a": wide, "b": half}, "no bfloat16"),
        ("x.safetensors", {"a": half, "b": wide}, "no complex128.*'b'.*complex64"),
    ]
    for name, given, message in refused:
        with pytest.raises(TypeError, match=message):
            nd.save(tmp_path / name, given)
    with pytest.raises(TypeError, match="no bfloat16"):
        nd.savez_compressed(tmp_path / "x", half)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    "error, message, call",
    [
        (ValueError, "suffix.*format=", lambda: nd.save("x.txt", nd.ones(1))),
        (ValueError, "unknown format 'csv'", lambda: nd.save("x.npy", nd.ones(1), format="csv")),
        (TypeError, "one array", lambda: nd.save("x.npy", {"x": nd.ones(1)})),
        (TypeError, "by name", lambda: nd.save("x.npz", nd.ones(1))),
        (TypeError, "by name", lambda: nd.save("x.safetensors", nd.ones(1))),
        (TypeError, "names of arrays are texts, given 1", lambda: nd.save("x.npz", {1: nd.ones(1)})),
        (ValueError, "only safetensors keeps metadata", lambda: nd.save("x.npz", {}, metadata={})),
        (TypeError, "metadata are texts", lambda: nd.save("x.safetensors", {}, metadata={"a": 1})),
        (ValueError, "no name for an array", lambda: nd.save(io.BytesIO(), {"__metadata__": nd.ones(1)},
                                                             format="safetensors")),
        (ValueError, "names.*arr_0", lambda: nd.savez("x", nd.ones(1), arr_0=nd.ones(1))),
        (TypeError, "path or an open binary file, given int", lambda: nd.save(3, nd.ones(1))),
        (TypeError, "path or an open binary file, given int", lambda: nd.load(3)),
        (TypeError, "path or an open binary file, given int", lambda: nd.load(3, format="npy")),
        (TypeError, "path or an open binary file, given int", lambda: nd.save(3, nd.ones(1), format="npy")),
        (TypeError, "open as text", lambda: nd.load(io.StringIO("x"))),
        (ValueError, "mmap_mode must be.*'w'", lambda: nd.load("x.npy", mmap_mode="w")),
        (FileNotFoundError, "x.npy", lambda: nd.load("/nowhere/x.npy")),
        (FileNotFoundError, "there is no folder /nowhere", lambda: nd.save("/nowhere/x.npy", nd.ones(1))),
        (ValueError, "only a file on disk", lambda: nd.load(io.BytesIO(b"\x93NUMPY"), mmap_mode="r")),
    ],
)  # fmt: skip
def test_refusals(error, message, call):
    with pytest.raises(error, match=message):
        call()


def test_zips_are_not_mapped(tmp_path):
    nd.savez(tmp_path / "x.npz", nd.ones(1))
    with pytest.raises(ValueError, match="cannot be mapped"):
        nd.load(tmp_path / "x.npz", mmap_mode="r")


def test_nothing_is_unpickled(tmp_path):
    np.save(tmp_path / "x.npy", np.asarray([{}], dtype=object), allow_pickle=True)
    with pytest.raises(ValueError, match="no dtype"):
        nd.load(tmp_path / "x.npy")
    with zipfile.ZipFile(tmp_path / "x.npz", "w") as archive:
        archive.write(tmp_path / "x.npy", "x.npy")
    with pytest.raises(ValueError, match=r"x.npz, entry x.npy.*no dtype"):
        nd.load(tmp_path / "x.npz")
