"""Memory of others: whatever its owner says about it, the values are right or the refusal is in words."""

import ctypes
import random
import struct
import subprocess
import sys

import hostile_exporters
import numpy as np
import pytest
from hostile_exporters import Capsules, Described, Exporter, Plain, Truth, numbers

import nd4py as nd


@pytest.mark.parametrize("kind", hostile_exporters.KINDS)
def test_no_exporter_ends_the_process(kind):
    seed = random.randrange(2**32)
    command = [sys.executable, hostile_exporters.__file__, kind, str(seed), "2000"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, f"{' '.join(command)} ended with {done.returncode}:\n{done.stderr[:3000]}"


SIMPLE = [
    ctypes.c_double, ctypes.c_float, ctypes.c_bool, ctypes.c_byte, ctypes.c_ubyte, ctypes.c_short, ctypes.c_ushort,
    ctypes.c_int, ctypes.c_uint, ctypes.c_long, ctypes.c_ulong, ctypes.c_longlong, ctypes.c_ulonglong, ctypes.c_ssize_t,
    ctypes.c_size_t,
]  # fmt: skip


@pytest.mark.parametrize("element", SIMPLE, ids=lambda element: element.__name__)
def test_ctypes_arrays_have_no_strides(element):
    row = (element * 4)(1, 0, 3, 4)
    x = nd.asarray(row)
    assert (x.tolist(), x.dtype) == (list(row), np.ctypeslib.as_array(row).dtype)
    matrix = ((element * 3) * 2)()
    assert nd.asarray(matrix).shape == (2, 3)
    assert nd.asarray((element * 0)()).shape == (0,)
    assert nd.asarray(element(1)).shape == ()
    x[1] = 1
    assert row[1] == 1


@pytest.mark.parametrize("element", [ctypes.c_double, ctypes.c_short, ctypes.c_uint64], ids=lambda e: e.__name__)
def test_the_other_byte_order_is_converted_where_a_copy_may_be_made(element):
    other = element.__ctype_be__ if sys.byteorder == "little" else element.__ctype_le__
    row = (other * 3)(1, 2, 300)
    assert nd.asarray(row).tolist() == [1, 2, 300]
    with pytest.raises(ValueError, match="byte order need a copy"):
        nd.asarray(row, copy=False)


class Pair(ctypes.Structure):
    _fields_ = [("x", ctypes.c_double), ("y", ctypes.c_int)]


@pytest.mark.parametrize(
    "source", [(Pair * 2)(), (ctypes.c_char * 3)(), (ctypes.c_wchar * 3)(), (ctypes.c_void_p * 3)()]
)
def test_elements_that_are_no_numbers_are_named(source):
    with pytest.raises(TypeError, match="no dtype for buffer elements of format"):
        nd.asarray(source)


def exporter(format, itemsize, data):
    """An exporter of a row of such elements."""
    block = (ctypes.c_char * len(data)).from_buffer_copy(data)
    shape = numbers([len(data) // itemsize])
    fields = {
        "buf": ctypes.addressof(block), "len": len(data), "itemsize": itemsize, "readonly": 1, "ndim": 1,
        "format": format.encode(), "shape": ctypes.addressof(shape),
    }  # fmt: skip
    return Exporter(fields, (block, shape))


@pytest.mark.parametrize("prefix", ["", "@", "=", "<", ">", "!"])
@pytest.mark.parametrize("code", "?bBhHiIlLqQnNefd")
def test_formats_are_read_as_struct_writes_them(prefix, code):
    if code in "nN" and prefix not in ("", "@"):
        return
    data = struct.pack(f"{prefix}3{code}", 1, 0, 1)
    x = nd.asarray(exporter(prefix + code, struct.calcsize(prefix + code), data))
    assert x.tolist() == [1, 0, 1]
    kind = "b" if code == "?" else "f" if code in "efd" else "iu"[code.isupper()]
    assert (x.dtype.kind, x.itemsize) == (kind, struct.calcsize(prefix + code))


@pytest.mark.parametrize(("format", "part"), [("Zf", "f"), ("Zd", "d"), ("<Zd", "<d"), (">Zf", ">f")])
def test_complex_formats(format, part):
    data = struct.pack(part[:-1] + "4" + part[-1], 1, 2, 3, 4)
    assert nd.asarray(exporter(format, len(data) // 2, data)).tolist() == [1 + 2j, 3 + 4j]


def test_a_released_memoryview_is_refused():
    view = memoryview(bytearray(8))
    view.release()
    for take in (nd.asarray, lambda x: nd.frombuffer(x, dtype="uint8")):
        with pytest.raises(ValueError, match="released"):
            take(view)


def test_frombuffer_takes_bytes_without_gaps_only():
    with pytest.raises((BufferError, ValueError), match="contiguous"):
        nd.frombuffer(np.zeros((4, 4))[:, 1], dtype="float64")
    assert nd.frombuffer(np.arange(4.0).reshape(2, 2), dtype="float64").tolist() == [0, 1, 2, 3]
    hostile = exporter("B", 1, bytes(8))
    for fields in ({"len": -8}, {"buf": None}):
        hostile.fields |= fields
        with pytest.raises(BufferError, match="exporter"):
            nd.frombuffer(hostile, dtype="float64")


def test_read_only_memory_stays_so():
    assert not nd.asarray(exporter("B", 1, bytes(8))).is_writable
    truth = Truth(random.Random(3))
    for readonly in (False, True):
        described = {"version": 3, "shape": (2,), "typestr": "|u1", "data": (truth.address, readonly)}
        assert nd.asarray(Described(described, truth)).is_writable is not readonly
    assert not nd.asarray(Described({"version": 3, "shape": (2,), "typestr": "|u1", "data": b"ab"}, None)).is_writable


def test_an_interface_without_data_has_the_buffer_of_its_object():
    class Both(bytearray):
        @property
        def __array_interface__(self):
            return {"version": 3, "shape": (2,), "typestr": "<i2", "offset": 2}

    assert nd._core.interop.buffers.from_array_interface(Both(b"\0\0\1\0\2\0")).tolist() == [1, 2]


class GivesTwice:
    """Gives the same capsule again and again."""

    def __init__(self, capsule):
        self.capsule = capsule

    def __dlpack_device__(self):
        return (1, 0)

    def __dlpack__(self, **keywords):
        return self.capsule


def test_a_consumed_capsule_and_what_is_none_are_refused():
    x = GivesTwice(nd.ones(3).__dlpack__())
    assert nd.from_dlpack(x).tolist() == [1.0, 1.0, 1.0]
    with pytest.raises(ValueError, match="consumed already"):
        nd.from_dlpack(x)
    for odd in (None, 5, object(), b"dltensor"):
        with pytest.raises(TypeError, match="must return a DLPack capsule"):
            nd.from_dlpack(GivesTwice(odd))


@pytest.mark.parametrize("where", [None, 5, "cpu", (1,), (1, 0, 0), ("cpu", 0)])
def test_a_device_that_is_none_is_refused(where):
    x = GivesTwice(nd.ones(3).__dlpack__())
    x.__dlpack_device__ = lambda: where
    with pytest.raises(TypeError, match="__dlpack_device__ must return two ints"):
        nd.from_dlpack(x)


def test_the_deleter_runs_once_also_where_a_tensor_is_refused():
    ran = []
    for is_lie in (False, True):
        truth = Truth(random.Random(5))
        managed = Plain()
        shape = numbers(truth.shape)
        deleter = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)(ran.append)
        managed.tensor.data, managed.tensor.shape = truth.address, ctypes.addressof(shape)
        managed.tensor.device_type, managed.tensor.lanes = 1, 2 if is_lie else 1
        managed.tensor.code, managed.tensor.bits = truth.dlpack
        managed.tensor.ndim = len(truth.shape)
        managed.deleter = ctypes.cast(deleter, ctypes.c_void_p).value
        if is_lie:
            with pytest.raises(TypeError, match="2 lanes"):
                nd.from_dlpack(Capsules(managed, shape))
        else:
            x = nd.from_dlpack(Capsules(managed, shape))
            assert not ran
            del x
        assert ran == [ctypes.addressof(managed)]
        ran.clear()


def test_an_unknown_version_of_dlpack_is_refused_before_its_fields_are_read():
    managed = hostile_exporters.Versioned(major=2)
    with pytest.raises(BufferError, match=r"of DLPack 2\.0"):
        nd.from_dlpack(Capsules(managed, None))
