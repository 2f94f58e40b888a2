"""Sharing memory with NumPy, the buffer protocol and DLPack, both ways, without copies."""

import array
import copy
import gc
import hashlib
import pickle

import ml_dtypes
import numpy as np
import pytest

import nd4py as nd
from nd4py._spec.dtypes import DTYPES

NUMPY_NAMES = [row.name for row in DTYPES if row.buffer]


@pytest.mark.parametrize("dtype", NUMPY_NAMES)
def test_numpy_both_ways_without_a_copy(dtype):
    x = np.arange(24).reshape(2, 3, 4).astype(dtype)
    for source in (x, x[:, ::-1, ::2], x.T, x[0, 0, 0:0], x[0, 0, 0, ...]):
        y = nd.asarray(source)
        back = np.asarray(y)
        assert back.dtype == source.dtype
        np.testing.assert_array_equal(back, source)
        assert y.address == source.ctypes.data
        assert back.ctypes.data == y.address
        assert back.strides == source.strides or source.size < 2


def test_writes_are_seen_on_both_sides():
    x = np.zeros(4)
    y = nd.asarray(x)
    y += 1.0
    assert x.tolist() == [1.0] * 4
    back = np.asarray(y)
    back[0] = 7
    assert float(y[0]) == 7.0


def test_bfloat16_through_ml_dtypes():
    x = np.arange(6).reshape(2, 3).astype(ml_dtypes.bfloat16)
    y = nd.asarray(x)
    assert y.dtype == "bfloat16"
    assert y.address == x.ctypes.data
    assert np.asarray(y).dtype == ml_dtypes.bfloat16
    with pytest.raises(BufferError, match="no bfloat16"):
        memoryview(y)


def test_copy_keyword():
    x = np.arange(3.0)
    assert nd.asarray(x, copy=True).address != x.ctypes.data
    assert nd.asarray(x, copy=False).address == x.ctypes.data
    with pytest.raises(ValueError, match="needs a copy"):
        nd.asarray(x, dtype="float32", copy=False)
    with pytest.raises(ValueError, match="needs a copy"):
        nd.asarray([1.0], copy=False)
    y = nd.asarray(x)
    assert nd.asarray(y) is y
    assert np.array(y, copy=True).ctypes.data != y.address
    assert np.asarray(y, dtype="float32").dtype == np.float32


@pytest.mark.parametrize("flags", ["read-only", "broadcast"])
def test_read_only_stays_read_only(flags):
    x = np.arange(3.0)
    x.flags.writeable = False
    y = nd.asarray(x) if flags == "read-only" else nd.broadcast_to(nd.ones(3), (2, 3))
    assert not np.asarray(y).flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        y += 1.0
    with pytest.raises(BufferError, match="read-only"):
        y.__dlpack__()
    assert y.__dlpack__(max_version=(1, 0)) is not None


def test_empty_buffers_may_begin_anywhere():
    """An empty bytearray of Python 3.13 does."""
    assert nd.frombuffer(memoryview(bytearray(9))[1:1], dtype="float32").shape == (0,)
    with pytest.raises(BufferError, match="not aligned to 4 bytes"):
        nd.frombuffer(memoryview(bytearray(9))[1:], dtype="float32")


@pytest.mark.parametrize("source", [array.array("f", [1, 2]), bytearray(b"abc"), b"abc", memoryview(b"abc")])
def test_buffers(source):
    y = nd.asarray(source)
    assert bytes(memoryview(y)) == bytes(source)


@pytest.mark.parametrize(
    "source, error, text",
    [
        (np.zeros(3, dtype="M8[s]"), TypeError, "no dtype"),
        (np.array(["a"]), TypeError, "no dtype"),
        (np.array([object()]), TypeError, "no dtype"),
        (np.array([("a", 1)], dtype=[("x", "U1"), ("y", int)]), TypeError, "no dtype"),
        (memoryview(np.zeros(17, np.uint8)[1:]).cast("d"), BufferError, "not aligned"),
    ],
    ids=["dates", "text", "object", "structured", "unaligned"],
)
def test_foreign_buffers_are_refused_with_words(source, error, text):
    with pytest.raises(error, match=text):
        nd.asarray(source)


def test_arrays_in_foreign_order_are_converted():
    swapped, shifted = np.arange(3, dtype=">f8"), np.zeros(17, np.uint8)[1:].view(np.float64)
    assert nd.asarray(swapped).tolist() == [0.0, 1.0, 2.0]
    assert nd.asarray(shifted).tolist() == [0.0, 0.0]
    for source in (swapped, shifted):
        with pytest.raises(ValueError, match="need a copy"):
            nd.asarray(source, copy=False)


def test_buffer_requests_that_do_not_fit():
    x = nd.ones((4, 4))[:, ::2]
    with pytest.raises(BufferError, match="gaps between"):
        hashlib.sha256(x)
    assert memoryview(x).strides == (32, 16)


def test_an_exported_buffer_keeps_the_memory():
    view = memoryview(nd.ones(1000))
    gc.collect()
    others = [nd.zeros(1000) for _ in range(50)]
    assert view[999] == 1.0
    assert len(others) == 50


@pytest.mark.parametrize("dtype", NUMPY_NAMES)
@pytest.mark.parametrize("max_version", [None, (1, 0)])
def test_dlpack_both_ways(dtype, max_version):
    x = np.arange(24).reshape(2, 3, 4).astype(dtype)
    ours = nd.from_dlpack(x[:, ::-1])
    np.testing.assert_array_equal(np.asarray(ours), x[:, ::-1])
    assert ours.address == x[:, ::-1].ctypes.data
    back = np.from_dlpack(ours)
    np.testing.assert_array_equal(back, x[:, ::-1])
    name = "dltensor" if max_version is None else "dltensor_versioned"
    assert name in repr(ours.__dlpack__(max_version=max_version))


def test_dlpack_carries_bfloat16():
    x = nd.asarray([1.0, 2.0]).astype("bfloat16")
    y = nd.from_dlpack(x)
    assert y.dtype == "bfloat16"
    assert y.address == x.address
    assert nd.from_dlpack(x, copy=True).address != x.address


def test_dlpack_lifetimes():
    before = nd.memory.stats().live_bytes
    for _ in range(20):
        nd.ones(1000).__dlpack__()  # never consumed
        nd.ones(1000).__dlpack__(max_version=(1, 0))
        np.from_dlpack(nd.ones(1000))
        nd.from_dlpack(nd.ones(1000))
    assert nd.memory.stats().live_bytes <= before
    kept = np.from_dlpack(nd.ones(1000))
    others = [nd.zeros(1000) for _ in range(50)]
    assert kept.sum() == 1000
    assert len(others) == 50


def test_dlpack_refusals():
    x = nd.ones(3)
    with pytest.raises(BufferError, match="stream must be None"):
        x.__dlpack__(stream=1)
    with pytest.raises(BufferError, match="dl_device"):
        x.__dlpack__(dl_device=(2, 0))
    with pytest.raises(TypeError, match="no __dlpack__"):
        nd.from_dlpack([1])
    capsule = x.__dlpack__()

    class Twice:
        def __dlpack__(self, **keywords):
            return capsule

    nd.from_dlpack(Twice())
    with pytest.raises(ValueError, match="consumed already"):
        nd.from_dlpack(Twice())


def test_frombuffer():
    x = nd.frombuffer(b"\x01\x00\x02\x00\x03\x00\x04\x00", dtype="uint16", shape=(2, 2))
    assert x.tolist() == [[1, 2], [3, 4]]
    assert not x.is_writable
    with pytest.raises(ValueError, match="no whole number"):
        nd.frombuffer(b"abc", dtype="int32")
    with pytest.raises(ValueError, match="frombuffer: cannot give 4 elements"):
        nd.frombuffer(b"abcd", dtype="uint8", shape=(5,))


@pytest.mark.parametrize("max_version", [None, (1, 0)])
def test_elements_in_reverse_are_exported_as_a_copy(max_version):
    """Consumers such as PyTorch end the process when a stride is negative."""
    x = nd.arange(12.0).reshape(3, 4)
    for view in (x[::-1], x[:, ::-1], x.T[::-1, ::-1], x[::-1][:1]):
        back = np.from_dlpack(Exporter(view, max_version))
        np.testing.assert_array_equal(back, np.asarray(view))
        is_reversed = min(stride for stride, size in zip(view.strides, view.shape, strict=True) if size > 1) < 0
        assert (back.ctypes.data == view.address) is not is_reversed
        if is_reversed:
            assert min(back.strides) > 0
            with pytest.raises(BufferError, match="copy=None"):
                view.__dlpack__(max_version=max_version, copy=False)
    assert nd.from_dlpack(x[::2]).address == x.address


class Exporter:
    """An array that ignores the version a consumer asks for."""

    def __init__(self, x, max_version):
        self.x, self.max_version = x, max_version

    def __dlpack__(self, **asked):
        return self.x.__dlpack__(max_version=self.max_version)

    def __dlpack_device__(self):
        return self.x.__dlpack_device__()


def test_dtypes_answer_what_numpys_are_asked():
    for dtype in (nd.bool, nd.int8, nd.uint64, nd.float16, nd.float64, nd.complex64):
        theirs = np.dtype(dtype)
        assert isinstance(dtype, np.dtype)
        assert isinstance(dtype, nd.DType)
        for name in ("alignment", "byteorder", "char", "isnative", "kind", "itemsize", "names", "num", "shape", "str"):
            assert getattr(dtype, name) == getattr(theirs, name), name
        assert pickle.loads(pickle.dumps(dtype)) is copy.deepcopy(dtype) is dtype
    with pytest.raises(AttributeError, match="no_such"):
        _ = nd.float32.no_such


@pytest.mark.parametrize("make", [lambda x: x, lambda x: x[::-1], lambda x: x.T, lambda x: nd.ones((300, 300)) * 2])
def test_to_numpy_shares_the_memory(make):
    x = make(nd.arange(6.0).reshape(2, 3))
    y = x.to_numpy()
    assert type(y) is np.ndarray
    np.testing.assert_array_equal(y, np.asarray(x))
    assert y.ctypes.data == x.address
    with pytest.raises(TypeError, match="stop_gradient"):
        nd.grad(lambda z: nd.sum(nd.asarray(z.to_numpy())))(x)


@pytest.mark.parametrize("name", ["f", "<f4", "float32", "single", "d", "?", "l", "F", "e", ">f4", "no dtype", ""])
def test_dtypes_equal_every_name_that_numpy_reads(name):
    native = name if name != ">f4" else "nothing"
    for dtype in ("bool", "int64", "float16", "float32", "float64", "complex64"):
        try:
            wanted = np.dtype(dtype) == native
        except TypeError:
            wanted = False
        assert (getattr(nd, dtype) == name) is wanted
