"""Memory of other libraries: what nd4py alone can write, and every way in which others can."""

import array
import ctypes
import io
import mmap
import pickle
import weakref
from multiprocessing import shared_memory

import numpy as np
import pytest
from deferred_arrays import VALUES, N

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


def read_only(memory):
    memory.flags.writeable = False
    return memory


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
        return (
            nd.frombuffer(of(memory), dtype="float64"),
            memory,
            lambda: memory.__setitem__(slice(8 * N), bytes(8 * N)),
        )

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
    "pandas": through_pandas,
    "arrow": through_arrow,
}


def made(kind, tmp_path):
    make = WRITABLE[kind]
    return make(tmp_path) if kind in ("mapped file", "memmap") else make()
