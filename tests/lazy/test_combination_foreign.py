"""Chains on memory that came from elsewhere: deferred where nobody else can write it, read at the call everywhere else.

Results are compared, bit for bit, with NumPy's on copies that were taken at the call.
"""

import importlib.util
import subprocess
import sys
import threading

import numpy as np
import pytest
from deferred_arrays import VALUES, N, equal, fresh, is_deferred
from foreign_memory import OURS_ALONE, WRITABLE, OwnInterface, made

import nd4py as nd


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
    if export is np.from_dlpack and x.strides[0] < 0:
        pytest.skip("elements in reverse are exported as a copy")
    y, view = x * 2, x[3:] - 1
    assert is_deferred(y)
    assert is_deferred(view)
    outside = export(x)
    assert not is_deferred(y)
    assert not is_deferred(view)
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
    assert y.block().address != address
    assert data == VALUES.tobytes()
    x = nd.asarray(VALUES.copy())
    x = x + 1
    x += 1
    equal(x, VALUES + 1 + 1)


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


def test_arrays_of_jax_may_lie_over_memory_of_others():
    """In a process of its own, as JAX warns of every fork afterwards."""
    if importlib.util.find_spec("jax") is None:
        pytest.skip("needs jax")
    program = """
import jax
import numpy as np
import nd4py as nd
memory = np.zeros(100_016, dtype="float32")
memory = memory[-(memory.ctypes.data // 4) % 16 :][:100_000]  # so aligned, JAX takes it over without a copy
held = jax.device_put(memory)
y = nd.from_dlpack(held) * 2
assert nd.explain(y) is None
memory[...] = 1
assert float(y.max()) == 0
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


def test_a_chain_that_meets_what_others_may_write_is_one_pass():
    memory, a = VALUES.copy(), fresh()
    x = nd.asarray(memory)
    before = nd.combine_statistics()
    y = (a * 2 + 1) * x
    after = nd.combine_statistics()
    assert after.launched == before.launched + 1
    assert after.combined == before.combined + 3
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


@pytest.mark.sampled(3)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("call", ALONE.values(), ids=ALONE)
def test_one_large_operation_has_the_bits_of_its_loop(call, dtype):
    one, two = np.random.default_rng(1).normal(size=(2, LARGE)).astype(dtype)
    one[:3], two[-3:] = (np.nan, np.inf, -0.0), (-np.inf, 0.0, np.nan)
    with nd.combine(False):
        expected = np.asarray(call(nd.array(one), nd.array(two))).view("uint8")
    for x, y in ((nd.array(one), nd.array(two)), (nd.asarray(one), nd.asarray(two))):
        np.testing.assert_array_equal(np.asarray(call(x, y)).view("uint8"), expected)
