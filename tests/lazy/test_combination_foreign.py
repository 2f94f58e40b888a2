"""Chains on memory that came from elsewhere: deferred where nobody else can write it, read at the call everywhere else.

Results are compared, bit for bit, with NumPy's on copies that were taken at the call.
"""

import array
import ctypes
import io
import mmap
import pickle
import random
import threading
import weakref
from multiprocessing import shared_memory

import numpy as np
import pytest
from deferred_arrays import VALUES, N, equal, fresh, is_deferred

import nd4py as nd


class OwnInterface:
    """An exporter with nothing but NumPy's description of its memory."""

    def __init__(self, memory):
        self.memory, self.__array_interface__ = memory, memory.__array_interface__


def saved():
    """What `np.load` makes of a file."""
    file = io.BytesIO()
    np.save(file, VALUES)
    file.seek(0)
    return np.load(file)


# Memory that nobody but nd4py can write: each makes an array and leaves no other reference.

OURS_ALONE = {
    "array": lambda: nd.asarray(VALUES.copy()),
    "loaded": lambda: nd.asarray(saved()),
    "pickled": lambda: nd.asarray(pickle.loads(pickle.dumps(VALUES, protocol=4))),
    "view": lambda: nd.asarray(np.concatenate([VALUES, VALUES])[:N]),
    "view of a view": lambda: nd.asarray(np.concatenate([VALUES, VALUES])[:-1][:N]),
    "reversed": lambda: nd.asarray(VALUES[::-1].copy()[::-1]),
    "column": lambda: nd.asarray(np.stack([VALUES, VALUES], axis=1)[:, 1]),
    "Fortran order": lambda: nd.asarray(np.asfortranarray(VALUES.reshape(100, -1))).reshape(-1),
    "read-only": lambda: nd.asarray(read_only(VALUES.copy())),
    "other byte order": lambda: nd.asarray(VALUES.astype(">f8")),
    "bytes": lambda: nd.frombuffer(VALUES.tobytes(), dtype="float64"),
    "view of bytes": lambda: nd.asarray(memoryview(VALUES.tobytes()).cast("d")),
    "array over bytes": lambda: nd.asarray(np.frombuffer(VALUES.tobytes())),
    "bytearray": lambda: nd.frombuffer(bytearray(VALUES.tobytes()), dtype="float64"),
    "array.array": lambda: nd.asarray(array.array("d", VALUES)),
    "list": lambda: nd.asarray(VALUES.tolist()),
}


def read_only(memory):
    memory.flags.writeable = False
    return memory


@pytest.mark.parametrize("make", OURS_ALONE.values(), ids=OURS_ALONE)
def test_operations_on_memory_that_is_ours_alone_are_deferred(make):
    x = make()
    y = x * 2 + fresh()
    assert is_deferred(y)
    del x  # the chain keeps the memory
    equal(y, VALUES * 2 + VALUES)


@pytest.mark.parametrize("make", OURS_ALONE.values(), ids=OURS_ALONE)
@pytest.mark.parametrize("export", [np.asarray, np.from_dlpack, memoryview, lambda x: x.__array_interface__])
def test_memory_that_becomes_somebody_elses_again_is_read_first(make, export):
    x = make()
    y, view = x * 2, x[3:] - 1
    assert is_deferred(y) and is_deferred(view)
    outside = export(x)
    assert not is_deferred(y) and not is_deferred(view)
    assert not is_deferred(x * 3)
    outside = np.asarray(OwnInterface(x) if isinstance(outside, dict) else outside)
    if outside.flags.writeable:
        outside[...] = 0
    equal(y, VALUES * 2)
    equal(view, VALUES[3:] - 1)


@pytest.mark.parametrize("make", OURS_ALONE.values(), ids=OURS_ALONE)
def test_our_own_writes_wait_for_what_reads(make):
    x = make()
    y, z = x + 1, x[::-1] * 2
    if x.is_writable:
        x += 5
        x[3:9] = 0
    equal(y, VALUES + 1)
    equal(z, VALUES[::-1] * 2)


def test_results_are_not_written_over_memory_that_is_not_the_pools():
    data = VALUES.tobytes()
    x = nd.frombuffer(data, dtype="float64")
    address = nd.frombuffer(data, dtype="float64").address
    y = x + 1
    del x
    assert y.block().address != address and data == VALUES.tobytes()
    x = nd.asarray(VALUES.copy())
    x = x + 1
    x += 1
    equal(x, VALUES + 1 + 1)


# Memory that somebody else can write.  Each returns (array, what keeps the way open, a function that writes zeros).


def filler(memory):
    return lambda: memory.__setitem__(..., 0)


def over_array(of):
    """Held by a name alone: what `of` makes of a NumPy array is imported, and the array is written."""

    def make():
        memory = VALUES.copy()
        return nd.asarray(of(memory)), memory, filler(memory)

    return make


def through_other_view():
    base = np.concatenate([VALUES, VALUES])
    x, other = nd.asarray(base[:N]), base[N // 2 :]
    return x, other, filler(other)


def through_view_while_read_only():
    memory = VALUES.copy()
    view = memory.view()
    memory.flags.writeable = False
    x = nd.asarray(memory)
    del memory
    return x, view, filler(view)


def through_flag():
    memory = read_only(VALUES.copy())

    def write():
        memory.flags.writeable = True
        memory[...] = 0

    return nd.asarray(memory), memory, write


def through_weak_reference():
    memory = VALUES.copy()
    reference, x = weakref.ref(memory), nd.asarray(memory)
    del memory
    return x, None, lambda: reference().__setitem__(..., 0)


def through_weak_reference_to_base():
    memory = VALUES.copy()
    reference, x = weakref.ref(memory), nd.asarray(memory[:])
    del memory
    return x, None, lambda: reference().__setitem__(..., 0)


def through_memoryview():
    memory = VALUES.copy()
    view, x = memoryview(memory), nd.asarray(memory)
    del memory
    return x, view, lambda: np.asarray(view).__setitem__(..., 0)


def through_import():
    memory = VALUES.copy()
    x, second = nd.asarray(memory), nd.asarray(memory)
    del memory
    return x, second, lambda: second.__setitem__(..., 0)


def through_bytearray(of=lambda memory: memory):
    def make():
        memory = bytearray(VALUES.tobytes())
        return nd.frombuffer(of(memory), dtype="float64"), memory, lambda: memory.__setitem__(slice(8 * N), bytes(8 * N))

    return make


def through_read_only_view_of_bytearray():
    return through_bytearray(lambda memory: memoryview(memory).toreadonly())()


def through_ctypes():
    memory = (ctypes.c_double * N)(*VALUES)
    return nd.asarray(memory), memory, lambda: ctypes.memset(memory, 0, 8 * N)


def through_ctypes_alone():
    memory = (ctypes.c_double * N)(*VALUES)
    pointer, x = ctypes.pointer(memory), nd.asarray(memory)
    del memory
    return x, pointer, lambda: ctypes.memset(pointer.contents, 0, 8 * N)


def through_array_array():
    memory = array.array("d", VALUES)
    return nd.asarray(memory), memory, lambda: np.asarray(memory).__setitem__(..., 0)


def through_weak_array_array():
    memory = array.array("d", VALUES)
    reference, x = weakref.ref(memory), nd.asarray(memory)
    del memory
    return x, None, lambda: np.asarray(reference()).__setitem__(..., 0)


def through_mapped_memory():
    memory = mmap.mmap(-1, 8 * N)
    memory[:] = VALUES.tobytes()
    return nd.frombuffer(memory, dtype="float64"), memory, lambda: memory.__setitem__(slice(8 * N), bytes(8 * N))


def through_mapped_file(tmp_path):
    path = tmp_path / "values"
    VALUES.tofile(path)
    with open(path, "rb") as file:
        memory = mmap.mmap(file.fileno(), 8 * N, access=mmap.ACCESS_READ)
    return nd.frombuffer(memory, dtype="float64"), memory, lambda: write_zeros(path)


def through_memmap(tmp_path):
    path = tmp_path / "values"
    VALUES.tofile(path)
    return nd.asarray(np.memmap(path, dtype="float64", mode="r")), None, lambda: write_zeros(path)


def write_zeros(path):
    with open(path, "r+b") as file:
        file.write(bytes(8 * N))


def through_shared_memory():
    memory = shared_memory.SharedMemory(create=True, size=8 * N)
    view = np.ndarray(N, buffer=memory.buf)
    view[...] = VALUES
    x = nd.asarray(np.ndarray(N, buffer=memory.buf))
    memory.unlink()
    return x, memory, filler(view)


def through_object_that_describes():
    memory = VALUES.copy()
    return nd.asarray(OwnInterface(memory)), None, filler(memory)


def through_strides():
    memory = VALUES.copy()
    x = nd.asarray(np.lib.stride_tricks.as_strided(memory, (N,), (8,)))
    return x, memory, filler(memory)


def through_capsule():
    memory = VALUES.copy()
    return nd.from_dlpack(memory), memory, filler(memory)


def through_torch():
    tensor = pytest.importorskip("torch").from_numpy(VALUES.copy())
    return nd.from_dlpack(tensor), tensor, tensor.zero_


def through_array_of_torch():
    tensor = pytest.importorskip("torch").from_numpy(VALUES.copy())
    return nd.asarray(tensor.numpy()), tensor, tensor.zero_


def through_jax():
    jax = pytest.importorskip("jax")
    memory = np.empty(N + 8)
    memory = memory[-(memory.ctypes.data // 8) % 8 :][:N]  # so aligned, JAX takes it over without a copy
    memory[...] = VALUES
    with jax.enable_x64(True):
        held = jax.device_put(memory)
    return nd.from_dlpack(held), held, filler(memory)


def through_pandas():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"a": VALUES.copy(), "b": 1})
    return nd.asarray(frame["a"]), frame, lambda: frame.loc.__setitem__((slice(None), "a"), 0.0)


def through_arrow():
    arrow = pytest.importorskip("pyarrow")
    memory = VALUES.copy()
    held = arrow.array(memory)
    return nd.from_dlpack(held), held, filler(memory)


WRITABLE = {
    "array": over_array(lambda memory: memory),
    "view": over_array(lambda memory: memory[:]),
    "view of a view": over_array(lambda memory: memory[:][:]),
    "read-only view": over_array(lambda memory: read_only(memory[:])),
    "subclass": over_array(lambda memory: memory.view(np.recarray)),
    "buffer of the array": over_array(memoryview),
    "read-only buffer": over_array(lambda memory: memoryview(memory).toreadonly()),
    "array over a buffer": over_array(lambda memory: np.asarray(memoryview(memory))),
    "other view": through_other_view,
    "view made before it was read-only": through_view_while_read_only,
    "flag": through_flag,
    "weak reference": through_weak_reference,
    "weak reference to the base": through_weak_reference_to_base,
    "memoryview": through_memoryview,
    "second import": through_import,
    "bytearray": through_bytearray(),
    "view of bytearray": through_bytearray(memoryview),
    "read-only view of bytearray": through_read_only_view_of_bytearray,
    "array over bytearray": through_bytearray(lambda memory: np.frombuffer(memory, dtype="uint8")),
    "ctypes": through_ctypes,
    "ctypes pointer": through_ctypes_alone,
    "array.array": through_array_array,
    "weak reference to array.array": through_weak_array_array,
    "mapped memory": through_mapped_memory,
    "mapped file": through_mapped_file,
    "memmap": through_memmap,
    "shared memory": through_shared_memory,
    "interface": through_object_that_describes,
    "strides": through_strides,
    "capsule": through_capsule,
    "torch": through_torch,
    "array of torch": through_array_of_torch,
    "jax": through_jax,
    "pandas": through_pandas,
    "arrow": through_arrow,
}

# What is computed of foreign x and own y, both VALUES, before x is written.
PROGRAMS = {
    "alone": lambda x, y: x * 2,
    "chain": lambda x, y: nd.sqrt(nd.abs(x * x - 1)) + x,
    "with what is deferred": lambda x, y: (y * 3 + 1) * x,
    "in front of what is deferred": lambda x, y: nd.maximum(x, nd.exp(y)) - y,
    "view": lambda x, y: x[::-1] - y,
    "reduction": lambda x, y: ((y + 1) * x).sum(),
    "rows": lambda x, y: (x.reshape(100, -1) - (y * 2).reshape(100, -1).max(axis=-1, keepdims=True)).sum(axis=-1),
    "converted": lambda x, y: x.astype("float32") + 1,
    "where": lambda x, y: nd.where(y > 0, x, y * 2),
}


def made(kind, tmp_path):
    make = WRITABLE[kind]
    return make(tmp_path) if kind in ("mapped file", "memmap") else make()


@pytest.mark.parametrize("kind", WRITABLE)
@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_values_are_those_of_the_call(kind, program, tmp_path):
    x, way, write = made(kind, tmp_path)
    with nd.combine(False):
        expected = np.asarray(program(fresh(), fresh())).copy()
    y = program(x, fresh())
    write()
    equal(y, expected)
    del way


@pytest.mark.parametrize("kind", WRITABLE)
def test_an_operation_that_reads_what_others_may_write_is_not_deferred(kind, tmp_path):
    x, way, _ = made(kind, tmp_path)
    before = nd.combine_statistics().read_at_call
    y = x * 2
    assert not is_deferred(y)
    assert nd.combine_statistics().read_at_call == before + 1
    del way


def test_a_chain_that_meets_what_others_may_write_is_one_pass():
    memory, a = VALUES.copy(), fresh()
    x = nd.asarray(memory)
    before = nd.combine_statistics()
    y = (a * 2 + 1) * x
    after = nd.combine_statistics()
    assert after.launched == before.launched + 1 and after.combined == before.combined + 3
    equal(y, (VALUES * 2 + 1) * VALUES)


# Names come and go.


def test_memory_is_ours_from_when_its_last_name_is_deleted():
    memory = VALUES.copy()
    view = memory[:]
    x = nd.asarray(view)
    held = [memory, {"memory": memory}]
    assert not is_deferred(x + 1)
    del memory, view
    assert not is_deferred(x + 1)
    held.clear()
    y = x + 1
    assert is_deferred(y)
    equal(y, VALUES + 1)


def test_a_name_that_is_deleted_between_two_operations():
    memory = VALUES.copy()
    x = nd.asarray(memory)
    first = x * 2
    memory[...] = 1
    second = x * 3
    del memory
    third = x * 4
    assert (is_deferred(first), is_deferred(second), is_deferred(third)) == (False, False, True)
    equal(first, VALUES * 2)
    equal(second, np.full(N, 3.0))
    equal(third, np.full(N, 4.0))


def test_a_write_of_another_thread_after_the_call():
    memory, called, written = VALUES.copy(), threading.Event(), threading.Event()

    def write():
        called.wait()
        memory[...] = 0
        written.set()

    writer = threading.Thread(target=write)
    writer.start()
    y = nd.asarray(memory) * 2 + 1
    called.set()
    written.wait()
    equal(y, VALUES * 2 + 1)
    writer.join()


def test_an_exporter_that_another_thread_holds():
    memory, let_go = VALUES.copy(), threading.Event()
    x = nd.asarray(memory)
    holder = threading.Thread(target=lambda held: let_go.wait(), args=(memory,))
    holder.start()
    del memory
    assert not is_deferred(x + 1)
    let_go.set()
    holder.join()
    del holder
    assert is_deferred(x + 1)


# Large operations, which are programs by themselves.

LARGE = 3_000_000
ALONE = {
    "multiply": lambda x, y: x * y,
    "scalar": lambda x, y: 2 / x,
    "square": lambda x, y: x * x,
    "maximum": lambda x, y: nd.maximum(x, y),
    "sqrt": lambda x, y: nd.sqrt(x),
    "negative": lambda x, y: -y,
    "exp": lambda x, y: nd.exp(y),
    "reversed": lambda x, y: x[::-1] - y,
    "broadcast": lambda x, y: x - y[:1],
    "shifted": lambda x, y: x[1:] + y[:-1],
}


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("call", ALONE.values(), ids=ALONE)
def test_one_large_operation_has_the_bits_of_its_loop(call, dtype):
    one, two = np.random.default_rng(1).normal(size=(2, LARGE)).astype(dtype)
    one[:3], two[-3:] = (np.nan, np.inf, -0.0), (-np.inf, 0.0, np.nan)
    with nd.combine(False):
        expected = np.asarray(call(nd.array(one), nd.array(two))).view("uint8")
    for x, y in ((nd.array(one), nd.array(two)), (nd.asarray(one), nd.asarray(two))):
        np.testing.assert_array_equal(np.asarray(call(x, y)).view("uint8"), expected)


# Random programs: exporters are written, shared and dropped at random between the calls.


@pytest.mark.parametrize("seed", range(20))
def test_random_programs_have_the_values_of_their_calls(seed):
    Program(random.Random(seed)).run(60)


class Program:
    """Arrays over foreign memory with what they ought to be, results, and NumPy's names for the memory."""

    def __init__(self, choose):
        self.choose, self.arrays, self.results = choose, [], []

    def run(self, n_steps):
        steps = [self.import_one, self.import_one, self.compute, self.compute, self.compute, self.compute, self.write,
                 self.write, self.drop, self.drop, self.export, self.write_ours, self.look]  # fmt: skip
        for _ in range(n_steps):
            self.choose.choice(steps)()
        for result, expected in self.results:
            equal(result, expected)

    def import_one(self):
        """(array, outside: what NumPy holds of its memory)"""
        memory = VALUES * self.choose.random()
        whole = self.choose.choice([memory, memory[:], memory[::-1][::-1]])
        kind = self.choose.choice(["asarray", "asarray", "frombuffer", "dlpack", "bytes"])
        if kind == "bytes":
            self.arrays.append((nd.frombuffer(memory.tobytes(), dtype="float64"), []))
        elif kind == "frombuffer":
            self.arrays.append((nd.frombuffer(memory, dtype="float64"), [memory]))
        else:
            self.arrays.append(({"asarray": nd.asarray, "dlpack": nd.from_dlpack}[kind](whole), [memory, whole]))
        if self.choose.random() < 0.5:
            self.arrays[-1][1].clear()

    def operand(self):
        """(array, its values now), looked at without an export of its memory"""
        if self.results and self.choose.random() < 0.4:
            return self.choose.choice(self.results[-4:])
        x = self.choose.choice(self.arrays)[0] if self.arrays else fresh()
        return x, np.asarray(nd.array(x, copy=True))

    def compute(self):
        (x, a), (y, b) = self.operand(), self.operand()
        call = self.choose.choice([
            lambda xp, x, y: x * y, lambda xp, x, y: x - y + 1, lambda xp, x, y: xp.maximum(x, y),
            lambda xp, x, y: xp.sqrt(xp.abs(x)) * 0.5 - y, lambda xp, x, y: xp.where(x > 0, y, x),
        ])  # fmt: skip
        self.results.append((call(nd, x, y), call(np, a, b)))

    def write(self):
        names = [memory for _, outside in self.arrays for memory in outside if memory.flags.writeable]
        if names:
            self.choose.choice(names)[self.choose.randrange(N) :] = self.choose.random()

    def write_ours(self):
        writable = [x for x, _ in self.arrays if x.is_writable]
        if writable:
            self.choose.choice(writable)[self.choose.randrange(N) :] = self.choose.random()

    def export(self):
        if self.arrays:
            x, outside = self.choose.choice(self.arrays)
            outside.append(self.choose.choice([np.asarray, lambda x: np.asarray(memoryview(x)), np.from_dlpack])(x))

    def drop(self):
        if self.arrays:
            self.choose.choice(self.arrays)[1].clear()

    def look(self):
        if self.results:
            equal(*self.results.pop(self.choose.randrange(len(self.results))))
