"""Exporters with random descriptions of their memory: buffers, DLPack capsules and `__array_interface__`, by ctypes.

`python hostile_exporters.py KIND SEED N` asks nd4py for arrays over N of them.  A false description must raise an error
with a message, a true one must give the right elements; a process that dies has found a fault.
"""

import ctypes
import faulthandler
import random
import struct
import sys

import nd4py as nd

REFUSED = (TypeError, ValueError, BufferError, NotImplementedError)
HUGE = (2**61, 2**62, 2**63 - 1)
PLACE = 4096  # where the elements begin in their block


class Buffer(ctypes.Structure):
    """Python's Py_buffer."""

    _fields_ = [
        ("buf", ctypes.c_void_p), ("obj", ctypes.c_void_p), ("len", ctypes.c_ssize_t), ("itemsize", ctypes.c_ssize_t),
        ("readonly", ctypes.c_int), ("ndim", ctypes.c_int), ("format", ctypes.c_char_p), ("shape", ctypes.c_void_p),
        ("strides", ctypes.c_void_p), ("suboffsets", ctypes.c_void_p), ("internal", ctypes.c_void_p),
    ]  # fmt: skip


class Tensor(ctypes.Structure):
    """DLPack's DLTensor."""

    _fields_ = [
        ("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
        ("shape", ctypes.c_void_p), ("strides", ctypes.c_void_p), ("byte_offset", ctypes.c_uint64),
    ]  # fmt: skip


class Plain(ctypes.Structure):
    """DLPack's DLManagedTensor."""

    _fields_ = [("tensor", Tensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


class Versioned(ctypes.Structure):
    """DLPack's DLManagedTensorVersioned."""

    _fields_ = [
        ("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p), ("flags", ctypes.c_uint64), ("tensor", Tensor),
    ]  # fmt: skip


NEW_CAPSULE = ctypes.pythonapi.PyCapsule_New
NEW_CAPSULE.restype = ctypes.py_object
NEW_CAPSULE.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
NAMES = {Plain: b"dltensor", Versioned: b"dltensor_versioned"}


class Exporter:
    """Has the buffer protocol, and says in it what `fields` says."""

    def __init__(self, fields, kept):
        self.fields, self.kept = fields, kept


@ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(Buffer), ctypes.c_int)
def get_buffer(exporter, view, flags):
    """What `Exporter` answers to PyObject_GetBuffer."""
    for name, value in exporter.fields.items():
        setattr(view.contents, name, value)
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(exporter))
    view.contents.obj = id(exporter)
    return 0


# In CPython's PyTypeObject 17 pointers stand between the head of a type and tp_as_buffer, which is ours to fill.
HEAD = object.__basicsize__ + ctypes.sizeof(ctypes.c_ssize_t)
procedures = ctypes.c_void_p.from_address(id(Exporter) + HEAD + 17 * ctypes.sizeof(ctypes.c_void_p)).value
ctypes.c_void_p.from_address(procedures).value = ctypes.cast(get_buffer, ctypes.c_void_p).value


LENT = []


class Capsules:
    """Has `__dlpack__`, which gives a capsule."""

    def __init__(self, managed, kept):
        self.managed, self.kept = managed, kept

    def __dlpack_device__(self):
        return (1, 0)

    def __dlpack__(self, **keywords):
        LENT.append(self.managed)  # its consumer looks for a deleter, however late it goes
        return NEW_CAPSULE(ctypes.addressof(self.managed), NAMES[type(self.managed)], None)


class Described:
    """Has `__array_interface__`."""

    def __init__(self, description, kept):
        self.__array_interface__ = description
        self.kept = kept


def numbers(values):
    """Values as C's int64, truncated."""
    return (ctypes.c_int64 * max(len(values), 1))(*[(v + 2**63) % 2**64 - 2**63 for v in values])


class Truth:
    """Some float64, int16 or bytes in a block, strided at will; `expected` are their values, nested."""

    def __init__(self, draw):
        self.typestr, self.format, self.size, self.dlpack = draw.choice(
            [("<f8", "d", 8, (2, 64)), ("<i2", "h", 2, (0, 16)), ("|u1", "B", 1, (1, 8)), ("<f4", "f", 4, (2, 32))]
        )
        ndim = draw.randrange(4)
        self.shape = [draw.choice([0, 1, 2, 3, 5]) if draw.random() < 0.9 else 1 for _ in range(ndim)]
        self.strides, step = [0] * ndim, self.size
        for i in reversed(range(ndim)):
            self.strides[i] = step
            step *= max(self.shape[i], 1)
        self.is_dense = draw.random() < 0.5
        if not self.is_dense:
            self.strides = [stride * draw.choice([1, -1, 2, 0, -2]) for stride in self.strides]
        self.block = (ctypes.c_char * (2 * PLACE))()
        aligned = -ctypes.addressof(self.block) % 16
        self.start = PLACE - 16 + aligned
        self.address = ctypes.addressof(self.block) + self.start
        code = self.format
        for i, offset in enumerate(range(aligned, 2 * PLACE - 16, self.size)):
            struct.pack_into(code, self.block, offset, i % 100)

    @property
    def n_bytes(self):
        """Bytes of all elements."""
        n = self.size
        for size in self.shape:
            n *= size
        return n

    def values(self, axis=0, offset=0):
        """Nested lists of the elements."""
        if axis == len(self.shape):
            return struct.unpack_from(self.format, self.block, self.start + offset)[0]
        return [self.values(axis + 1, offset + i * self.strides[axis]) for i in range(self.shape[axis])]


def odd_size(draw, truth, sizes, allowed):
    """Make one of the sizes or strides wrong; says whether there was one."""
    if sizes:
        sizes[draw.randrange(len(sizes))] = draw.choice(allowed)
    return bool(sizes)


def distant(draw, truth, strides, unit):
    """Make the stride of an axis that is followed lead far away; says whether there was one."""
    axes = [i for i, size in enumerate(truth.shape) if size > 1 and 0 not in truth.shape]
    if axes:
        stride = draw.choice([s for far in HUGE for s in (far, -far)] + [-(2**63)])
        strides[draw.choice(axes)] = stride
    return bool(axes)


LIES = ["none"] * 6 + ["buf", "ndim", "shape", "stride", "shape NULL", "strides NULL", "type", "odd address"]


def lied(draw, truth, lie, shape, strides, fields, names):
    """Bend one field of `fields`; `names` are those of the address and the number of axes.  Whether it is a lie."""
    address, ndim = names
    if lie == "buf":
        fields[address] = None
        return truth.n_bytes > 0
    if lie == "ndim":
        fields[ndim] = draw.choice([-1, -(2**31), 33, 2**31 - 1])
        return True
    if lie == "shape":
        return odd_size(draw, truth, shape, [-1, -5, -(2**63), *HUGE])
    if lie == "stride":
        return distant(draw, truth, strides, 1)
    if lie == "odd address" and truth.size > 1 and truth.n_bytes:
        fields[address] = truth.address + 1
        return True
    return False


def buffer(draw):
    """(an exporter of a buffer, its truth, whether it lies)."""
    truth, lie = Truth(draw), draw.choice([*LIES, "len", "itemsize", "suboffsets"])
    shape, strides = list(truth.shape), list(truth.strides)
    fields = {
        "buf": truth.address, "len": truth.n_bytes, "itemsize": truth.size, "readonly": draw.randrange(2),
        "ndim": len(shape), "format": (draw.choice(["", "@", "=", "<"]) + truth.format).encode(),
    }  # fmt: skip
    is_lie = lied(draw, truth, lie, shape, strides, fields, ("buf", "ndim"))
    kept = [numbers(shape), numbers(strides), numbers([draw.choice([0, 8])] * 4), numbers([-1] * 4)]
    fields["shape"], fields["strides"] = map(ctypes.addressof, kept[:2])
    if lie == "shape NULL" and (len(shape) > 1 or len(shape) == 1 and truth.is_dense):
        fields["shape"], fields["strides"], is_lie = None, None, len(shape) > 1
    elif lie == "strides NULL" and truth.is_dense:
        fields["strides"] = None
    elif lie == "type":
        odd = ["c", "Zq", "T{d:x:}", "O", "", "x", "2d", "dd", "w", "s", "P", "é", "%n", ">", "@", "g", "<q", "Zd"]
        fields["format"], is_lie = draw.choice(odd).encode(), True
        if fields["format"] == b"<q" and truth.size == 8:
            fields["format"] = b"O"
    elif lie == "len":
        fields["len"], is_lie = truth.n_bytes + draw.choice([1, -1, 8, 2**62, -(2**62)]), True
    elif lie == "itemsize":
        fields["itemsize"], is_lie = draw.choice([0, -truth.size, 3, 16, 2**62]), True
    elif lie == "suboffsets" and shape:
        hurts = draw.random() < 0.5
        fields["suboffsets"], is_lie = ctypes.addressof(kept[2 if hurts else 3]), hurts
    return Exporter(fields, (kept, truth.block)), truth, is_lie


def tensor(draw):
    """(an exporter of a DLPack tensor, its truth, whether it lies)."""
    truth = Truth(draw)
    lie = draw.choice([*LIES, "device", "version", "byte_offset", "lanes", "offset"])
    shape, strides = list(truth.shape), [stride // truth.size for stride in truth.strides]
    managed = draw.choice([Plain, Versioned])()
    fields = {
        "data": truth.address, "device_type": 1, "device_id": 0, "ndim": len(shape), "code": truth.dlpack[0],
        "bits": truth.dlpack[1], "lanes": 1, "byte_offset": 0,
    }  # fmt: skip
    is_lie = lied(draw, truth, lie, shape, strides, fields, ("data", "ndim"))
    kept = [numbers(shape), numbers(strides)]
    fields["shape"], fields["strides"] = map(ctypes.addressof, kept)
    if lie == "shape NULL":
        fields["shape"], is_lie = None, len(shape) > 0
    elif lie == "strides NULL" and truth.is_dense:
        fields["strides"] = None
    elif lie == "type":
        fields["code"], fields["bits"], is_lie = draw.choice([3, 9, 255]), draw.choice([4, 8, 64, 128]), True
    elif lie == "lanes":
        fields["lanes"], is_lie = draw.choice([0, 2, 65535]), True
    elif lie == "device":
        fields["device_type"], is_lie = draw.choice([0, 2, 10, -1, 2**31 - 1]), True
    elif lie == "byte_offset":
        fields["byte_offset"], is_lie = draw.choice([2**64 - 1, 2**64 - 4096 * 2]), True
    elif lie == "offset":
        fields["data"], fields["byte_offset"] = truth.address - 64, 64
    if isinstance(managed, Versioned):
        managed.major = draw.choice([0, 2, 77]) if lie == "version" else 1
        managed.flags = draw.choice([0, 1, 2, 3, 2**63])
        is_lie = is_lie or lie == "version"
    for name, value in fields.items():
        setattr(managed.tensor, name, value)
    return Capsules(managed, (kept, truth.block)), truth, is_lie


def interface(draw):
    """(an object with `__array_interface__`, its truth, whether it lies)."""
    truth = Truth(draw)
    lie = draw.choice([*LIES, "missing", "odd", "buffer", "mask", "short", "swapped"])
    shape, strides = list(truth.shape), list(truth.strides)
    fields = {"address": truth.address, "ndim": 0}
    lie = "none" if lie in ("ndim", "shape NULL") else lie
    is_lie = lied(draw, truth, lie, shape, strides, fields, ("address", "ndim"))
    described = {
        "version": 3, "shape": tuple(shape), "typestr": truth.typestr, "strides": tuple(strides),
        "data": (fields["address"], bool(draw.randrange(2))),
    }  # fmt: skip
    if lie == "strides NULL" and truth.is_dense:
        described["strides"] = None
    elif lie == "type":
        odd = ["<f9", "f8", "<V8", "|O8", "", None, 8, "<U4", "<f16", "<M8[s]", b"<f8", "<f8\0", "^f8"]
        described["typestr"], is_lie = draw.choice(odd), True
    elif lie == "missing":
        del described[draw.choice(["shape", "typestr"])]
        is_lie = True
    elif lie == "odd":
        name = draw.choice(["shape", "strides", "data"])
        odd = ["x", 5, (1.5,), ("a",), {}, object(), (None,), (2**64,), ((1,), 2)]
        odd += [(True, 1, 2), ("0", False), (2**64, False), (-8, False)] if name == "data" else []
        described[name], is_lie = draw.choice(odd), True
    elif lie == "buffer":
        described["data"], described["offset"] = truth.block, truth.start
    elif lie == "short" and truth.n_bytes:
        described["data"] = bytes(truth.n_bytes - 1) if truth.is_dense else b""
        described["offset"], is_lie = draw.choice([0, 0, -1, 1, 2**62, 2**70]), True
    elif lie == "mask":
        described["mask"], is_lie = truth, True
    elif lie == "swapped" and truth.size > 1:
        described["typestr"] = ">" + truth.typestr[1:]
        raw = bytes(truth.block)
        start = truth.start % truth.size
        items = range(start, len(raw) - truth.size, truth.size)
        ctypes.memmove(truth.block, raw[:start] + b"".join(raw[i : i + truth.size][::-1] for i in items), items[-1])
        truth.format = ">" + truth.format
    return Described(described, truth.block), truth, is_lie


KINDS = {
    "buffer": (buffer, [nd.asarray, lambda x: nd.asarray(x, copy=True), lambda x: nd.asarray([x])[0]]),
    "tensor": (tensor, [nd.from_dlpack, nd.asarray, lambda x: nd.from_dlpack(x, copy=False)]),
    "interface": (interface, [nd.asarray, lambda x: nd.asarray(x, copy=True)]),
}


def ask(kind, label):
    """Ask for one array; raises AssertionError for a wrong one."""
    make, ways = KINDS[kind]
    draw = random.Random(label)
    exporter, truth, is_lie = make(draw)
    try:
        x = draw.choice(ways)(exporter)
    except REFUSED as error:
        assert str(error), f"{label}: an error without words"
        assert is_lie, f"{label}: the truth was refused: {error!r}"
        return
    assert not is_lie, f"{label}: a lie was believed: shape {x.shape}, {vars(exporter)}"
    assert x.tolist() == truth.values(), f"{label}: wrong values"


if __name__ == "__main__":
    faulthandler.enable()
    for number in range(int(sys.argv[3])):
        ask(sys.argv[1], f"{sys.argv[1]} {sys.argv[2]} {number}")
