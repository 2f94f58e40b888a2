"""Records of reductions and scalars: arguments of a launch, which lie in constant memory, and nowhere else."""

import ctypes
import inspect
import re
from itertools import product

import numpy as np
import pytest
from device_training import numpy_of

import nd4py as nd
from nd4py._spec.ops import ALL
from nd4py.cuda import memory
from nd4py.cuda.compile.kernel_catalogue import sources_folder
from nd4py.cuda.launch import kernel_arguments
from nd4py.cuda.launch.geometry import WORDS_OF_VALUE, Operand, map_launch
from nd4py.cuda.launch.kernel_arguments import MAX_PARAMS, ReduceArguments, Tad
from nd4py.cuda.reduce.reduce_geometry import plan_reduction

CONSTANT_BYTES = 4096  # of the arguments of a launch, on every device and driver
STRUCTS = {
    name: struct
    for name, struct in inspect.getmembers(kernel_arguments, inspect.isclass)
    if issubclass(struct, ctypes.Structure)
}


@pytest.mark.parametrize("name", STRUCTS)
def test_arguments_fit_into_constant_memory(name):
    assert ctypes.sizeof(STRUCTS[name]) <= CONSTANT_BYTES


def test_kernels_share_no_tables():
    """A variable of a module would be one for all threads, streams and graphs."""
    sources = [path for path in sources_folder().rglob("*.*") if path.suffix in {".h", ".cu", ".cuh"}]
    assert sources
    for path in sources:
        assert not re.search(r"__constant__|\b__device__ (?!__forceinline__)\w+ \w+\[", path.read_text()), path.name


def test_every_row_has_room_for_all_its_operands_as_scalars():
    for row in ALL:
        if row.family == "map":
            assert len(row.params) + WORDS_OF_VALUE * len(row.args) <= MAX_PARAMS, row.name


def test_a_record_is_an_argument():
    plan = plan_reduction((3, 4, 5), (80, 20, 4), (1,), 4, 8)
    for launch in plan.launches(1 << 20, 1 << 21, 1 << 22):
        given = ReduceArguments.from_buffer_copy(launch.arguments[0])
        assert bytes(given.tad) == plan.record
        assert Tad.from_buffer_copy(plan.record).n_lines == 15


def test_scalars_are_arguments():
    """The first input's value stands last; what the row itself takes stands first."""
    seen = [Operand(0, 16, (0,), b"a" * 16), Operand(0, 4, (0,), b"b" * 4), Operand(1 << 20, 8, (8,))]
    launch = map_launch((7,), seen, 2, (2.5,))
    assert launch.variant == "packets"
    given = kernel_arguments.DenseArguments.from_buffer_copy(launch.arguments[0])
    assert [given.operands[k] for k in range(3)] == [None, None, 1 << 20]
    words = bytes(given.params)
    assert given.params[0] == 2.5
    assert words[-16:] == b"a" * 16
    assert words[-32:-28] == b"b" * 4


def test_neither_copies_nor_memory(stub):
    """New scalars and new layouts ask the driver for launches alone."""
    stub.is_recording = True
    x = nd.ones((2, 200), dtype="float32", device="cuda:0")
    nd.sum(x * 0.5, axis=1).block()
    before = memory.stats(0)
    stub.calls.clear()
    for n in range(1, 100):
        with nd.combine(n % 2 == 0):
            nd.sum(x[:, :n] * (n / 3) + n, axis=1).block()
    found = {call[0] for call in stub.calls}
    assert not {name for name in found if name.startswith(("memcpy", "event"))}
    assert memory.stats(0).live_bytes == before.live_bytes


KINDS = ["bool", "int8", "uint16", "float16", "bfloat16", "float32", "int64", "complex64", "complex128"]
LAYOUTS = {
    "dense": lambda x: x,
    "unaligned": lambda x: x.reshape((48,))[1:],
    "rows": lambda x: x[:, :4],
    "strided": lambda x: x[::2, ::3],
    "one": lambda x: x[:1, :1],
    "none": lambda x: x[1, 1],
    "transposed": lambda x: nd.permute_dims(x.reshape((4, 12)), (1, 0)),
}


@pytest.mark.sampled(3)
@pytest.mark.usefixtures("simulator")
@pytest.mark.parametrize("is_combining", [True, False], ids=["combined", "at once"])
@pytest.mark.parametrize("dtype", KINDS)
def test_every_layout_and_size_of_a_scalar(dtype, is_combining):
    """In front, behind, and as both of what `where` chooses from, with a scalar for the condition too."""
    here = nd.astype(nd.asarray(np.arange(48).reshape(6, 8) % 5), dtype)
    there = here.to_device("cuda:0")
    scalar = (
        True if dtype == "bool" else {"c": 2 - 3j, "f": 1.5, "i": 3, "u": 3}[np.dtype(NUMPY.get(dtype, dtype)).kind]
    )
    function = nd.logical_xor if dtype == "bool" else nd.multiply
    for name, lay in LAYOUTS.items():
        for left, right in product((True, False), repeat=2):
            x, y = lay(there), lay(here)
            if left and right:
                continue
            with nd.combine(is_combining):
                got = function(scalar if left else x, scalar if right else x)
                want = function(scalar if left else y, scalar if right else y)
                chosen, same = nd.where(x == x, x, scalar), nd.where(y == y, y, scalar)
            np.testing.assert_array_equal(as_words(got), as_words(want), err_msg=f"{name} {left} {right}")
            np.testing.assert_array_equal(as_words(chosen), as_words(same), err_msg=name)


NUMPY = {"bfloat16": "float32"}
SCALARS = {"b": True, "c": 2 - 3j, "f": 1.5, "i": 3, "u": 3}


def as_words(x):
    """Elements that NumPy has a dtype for, on the host."""
    x = nd.astype(x, "float32") if str(x.dtype) == "bfloat16" else x
    return numpy_of(x) if x.device.startswith("cuda") else np.asarray(x)
