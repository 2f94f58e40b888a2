"""Operations deferred on devices: what waits, what makes it run, and what may happen to its operands meanwhile."""

import threading
from contextlib import contextmanager

import numpy as np
import pytest
from simulated_devices import default_driver, in_use
from simulator.compiler import QUICK

import nd4py as nd


@pytest.fixture(scope="module", autouse=True)
def devices():
    with in_use(default_driver(devices=2, flags=QUICK), 2) as driver:
        yield driver


@pytest.fixture
def at_once():
    """Chains are compiled when they are first met."""
    before, nd.cuda.config.combine_after = nd.cuda.config.combine_after, 0
    yield
    nd.cuda.config.combine_after = before


def on_device(*shape, dtype="float32", seed=0):
    values = np.random.default_rng(seed).normal(size=shape) * 3
    return nd.asarray(values.astype(dtype), device="cuda:0")


def numpy_of(x):
    return np.asarray(x.to_device("cpu"))


def is_deferred(x):
    return nd.explain(x) is not None


def launches():
    found = nd.cuda.statistics().chains
    return found.kernels, found.steps


def test_a_deferred_array_has_everything_but_memory():
    x = on_device(3, 4)
    live = nd.cuda.memory.stats("cuda:0").live_bytes
    y = nd.where(x > 0, x * 2, 1)
    assert (y.shape, y.dtype, y.device, y.ndim, y.size, y.nbytes) == ((3, 4), nd.float32, "cuda:0", 2, 12, 48)
    assert (y.strides, y.itemsize, y.is_contiguous, y.is_writable) == ((16, 4), 4, True, True)
    assert is_deferred(y)
    found = nd.cuda.memory.stats("cuda:0")
    assert found.live_bytes == live
    assert (found.pending_bytes, found.pending_arrays) == (48, 1)
    host = numpy_of(x)
    np.testing.assert_array_equal(numpy_of(y), np.where(host > 0, host * 2, np.float32(1)))
    assert not is_deferred(y)
    assert nd.cuda.memory.stats("cuda:0").pending_bytes == 0


def test_one_kernel_writes_what_is_held(at_once):
    x, row = on_device(30, 7), on_device(7, seed=1)
    held = x * 2 + row
    y = nd.exp(held.astype("float64")) > 1
    before = launches()
    program = nd.explain(y)
    assert (len(program.steps), len(program.outputs), program.device) == (5, 2, "cuda:0")
    assert "one kernel on cuda:0" in str(program)
    assert __file__ in program.steps[0][-1]
    y.block()
    assert not is_deferred(held)
    assert launches() == (before[0] + 1, before[1])
    np.testing.assert_array_equal(numpy_of(held), numpy_of(x) * 2 + numpy_of(row))


def test_a_reduction_ends_the_chain(at_once):
    x, y = on_device(30, 7), on_device(30, 7, seed=1)
    before, counted = launches(), nd.combine_statistics()
    total = (x * 2 + y).sum(axis=1)
    after = nd.combine_statistics()
    assert launches() == (before[0] + 1, before[1])
    assert (after.queued - counted.queued, after.launched - counted.launched) == (2, 1)
    with nd.combine(False):
        want = (x * 2 + y).sum(axis=1)
    assert numpy_of(total).tobytes() == numpy_of(want).tobytes()


def test_a_held_operand_of_a_reduction_is_written_once(at_once):
    x = on_device(30, 7)
    y = x * 2 + 1
    before = launches()
    total = y.sum()
    assert not is_deferred(y)
    assert launches() == (before[0] + 1, before[1])
    with nd.combine(False):
        assert float((x * 2 + 1).sum()) == float(total)


def test_a_structure_is_compiled_when_it_comes_again():
    def chain(x, number):
        return nd.negative(x * number - 0.25).block()

    before = launches()
    chain(on_device(5), 2.0)
    chain(on_device(3, 4), 3.0)
    assert launches() == (before[0], before[1] + 6)
    np.testing.assert_array_equal(numpy_of(chain(on_device(6), 0.5)), -(numpy_of(on_device(6)) * 0.5 - 0.25))
    assert launches() == (before[0] + 1, before[1] + 6)


@pytest.mark.parametrize("value, error", [(-1, ValueError), (1.5, TypeError), (True, TypeError)])
def test_wrong_settings_are_refused(value, error):
    with pytest.raises(error, match="combine_after"):
        nd.cuda.config.combine_after = value


def test_combine_false_puts_nothing_off():
    x = on_device(4)
    with nd.combine(False):
        y = x * 2 + 1
    assert not is_deferred(y)


WRITES = {
    "in place": lambda x: x.__iadd__(1),
    "an element": lambda x: x.__setitem__(0, 9),
    "through a view": lambda x: x[::2].__setitem__(..., 5),
    "by a mask": lambda x: x.__setitem__(x > 0, 7),
    "by numbers": lambda x: x.__setitem__(nd.asarray([1, 2], device="cuda:0"), 8),
    "out": lambda x: nd.multiply(x, 3, out=x),
}


@pytest.mark.parametrize("write", WRITES)
def test_what_is_put_off_reads_the_values_of_its_call(write):
    x = on_device(6)
    before = numpy_of(x)
    y, of_view = x * 2 + 1, x[::-1] * 3
    assert is_deferred(y)
    WRITES[write](x)
    assert not np.array_equal(numpy_of(x), before)
    np.testing.assert_array_equal(numpy_of(y), before * 2 + 1)
    np.testing.assert_array_equal(numpy_of(of_view), before[::-1] * 3)


def test_writing_over_a_deferred_array_joins_its_chain(at_once):
    x = on_device(6)
    y = x * 2
    z, before, queued = y + 1, launches(), nd.combine_statistics().queued
    same, y_of_call = y, id(y)
    y += 5
    y *= z
    y -= x[::-1]
    assert id(y) == y_of_call
    assert is_deferred(y)
    assert nd.combine_statistics().queued == queued + 3
    assert launches() == before
    host = numpy_of(x)
    wanted = (host * 2 + 5) * (host * 2 + 1) - host[::-1]
    np.testing.assert_array_equal(numpy_of(y), wanted)
    np.testing.assert_array_equal(numpy_of(same), wanted)
    np.testing.assert_array_equal(numpy_of(z), host * 2 + 1)
    assert launches()[0] == before[0] + 1


def test_writing_over_a_deferred_array_refuses_what_it_would_when_it_runs():
    x = on_device(6)
    y = nd.astype(x, "int32") + 1
    with pytest.raises(TypeError, match="out is int32"):
        y += x
    with pytest.raises(ValueError, match="the result has shape"):
        y += nd.ones((2, 6), dtype="int32", device="cuda:0")
    assert is_deferred(y)
    np.testing.assert_array_equal(numpy_of(y), numpy_of(x).astype("int32") + 1)


@pytest.mark.parametrize("shift", [0, 1, 3])
def test_operands_in_place_may_overlap(shift):
    with nd.combine(False):
        whole = on_device(9)
        host = numpy_of(whole)
        target, other = whole[:6], whole[shift : shift + 6]
        target += other
    host[:6] = host[:6] + host[shift : shift + 6].copy()
    np.testing.assert_array_equal(numpy_of(whole), host)


@pytest.mark.parametrize("export", ["__cuda_array_interface__", "__dlpack__"])
def test_memory_that_others_may_write_is_read_at_the_call(export):
    x = on_device(6)
    before = x * 2
    shared = getattr(x, export)
    _ = shared() if callable(shared) else shared
    assert not is_deferred(before)
    assert not is_deferred(x * 2)


def test_foreign_memory_is_read_at_the_call():
    class Foreign:
        def __init__(self, x):
            self.__cuda_array_interface__ = x.__cuda_array_interface__

    x = on_device(6)
    y = nd.cuda.from_cuda_array(Foreign(x), 0)
    assert not is_deferred(y * 2)


def test_another_thread_may_look_first():
    x = on_device(50)
    y = x * 2 + 1
    seen = []
    threads = [threading.Thread(target=lambda: seen.append(numpy_of(y))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(seen) == 4
    for values in seen:
        np.testing.assert_array_equal(values, numpy_of(x) * 2 + 1)


def test_a_chain_goes_to_the_stream_of_its_calls():
    driver = default_driver(delays=True, flags=QUICK)
    before = nd.cuda.use_driver(driver)
    try:
        x = on_device(8)
        x.block()
        with nd.cuda.Stream("cuda:0") as stream:
            with stream.scope():
                y = x * 2 + 1
            assert not is_deferred(y)  # it was launched where the scope ended
            with stream.scope():
                z = x * 3 + 1
                event = stream.record()  # all that was called before belongs to it
                assert not is_deferred(z)
            event.synchronize()
            stream.synchronize()
            np.testing.assert_array_equal(numpy_of(z), numpy_of(x) * 3 + 1)
        del x, y, z, event
    finally:
        nd.cuda.use_driver(before)


def test_flush_and_synchronize():
    x = on_device(6)
    y = x * 2
    nd.flush()
    assert not is_deferred(y)
    z = x * 3
    thread = threading.Thread(target=nd.flush)
    thread.start()
    thread.join()
    assert is_deferred(z)  # it is not that thread's
    thread = threading.Thread(target=nd.synchronize)
    thread.start()
    thread.join()
    assert not is_deferred(z)


def test_too_little_memory_names_the_line_and_leaves_the_chain():
    x = on_device(300_000)
    y = x * 2 + 1
    nd.cuda.memory.trim("cuda:0")
    used = nd.cuda.memory.stats("cuda:0").taken_bytes
    limits = nd.cuda.memory.set_limits("cuda:0", max_bytes=used + 1000)
    try:
        with pytest.raises(nd.cuda.DeviceOutOfMemory, match=rf"multiply in {__file__}, line \d+"):
            y.block()
        assert is_deferred(y)
    finally:
        nd.cuda.memory.set_limits("cuda:0", max_bytes=limits.max_bytes)
    np.testing.assert_array_equal(numpy_of(y), numpy_of(x) * 2 + 1)


def test_errors_are_raised_at_the_call():
    x = on_device(6)
    with pytest.raises(ValueError, match="broadcast"):
        x * 2 + on_device(5)
    with pytest.raises(TypeError, match="bitwise_and"):
        nd.bitwise_and(x * 2, x)
    with pytest.raises(ValueError, match="different devices"):
        (x * 2) + nd.ones(6, dtype="float32")


def test_long_chains_run_in_pieces():
    x = on_device(40)
    y, host = x * 1, numpy_of(x)
    for i in range(120):
        y, host = y * 0.5 + i, host * np.float32(0.5) + np.float32(i)
    np.testing.assert_array_equal(numpy_of(y), host)


def test_chains_of_two_operands_become_one(at_once):
    x, y = on_device(40), on_device(40, seed=1)
    before = launches()
    z = (x * 2 + 1) * (y * 3 - 1)
    z.block()
    assert launches() == (before[0] + 1, before[1])


def test_gradients_are_those_of_operations_one_by_one(at_once):
    def loss(x, w):
        return (nd.tanh(x * w + 1) * x - w).sum()

    x, w = on_device(30, 7), on_device(7, seed=1)
    value, gradients = nd.value_and_grad(loss, argnums=(0, 1))(x, w)
    with nd.combine(False):
        want, wanted = nd.value_and_grad(loss, argnums=(0, 1))(x, w)
    assert float(value) == float(want)
    for g, h in zip(gradients, wanted, strict=True):
        assert numpy_of(g).tobytes() == numpy_of(h).tobytes()


def test_a_graph_holds_chains():
    x, out = on_device(40), nd.zeros(40, dtype="float32", device="cuda:0")

    def step():
        out[...] = x * 2 + 1
        return (x * 3 - 1).astype("float64")

    with nd.cuda.Graph(step) as graph:
        deferred = out * 1.0
        x[...] = 4
        result = graph.launch()
        np.testing.assert_array_equal(numpy_of(deferred), numpy_of(on_device(40)) * 2 + 1)
        np.testing.assert_array_equal(numpy_of(out), np.full(40, 9, "float32"))
        np.testing.assert_array_equal(numpy_of(result), np.full(40, 11.0))


def test_chains_on_two_devices_stay_apart():
    x = on_device(5)
    y = x.to_device("cuda:1") * 2
    z = (x * 2 + 1, y + 1)
    np.testing.assert_array_equal(numpy_of(z[0]), numpy_of(z[1]))


@contextmanager
def no_room():
    """The device has no memory left but for a few bytes."""
    nd.cuda.memory.trim("cuda:0")
    used = nd.cuda.memory.stats("cuda:0").taken_bytes
    limits = nd.cuda.memory.set_limits("cuda:0", max_bytes=used + 4000)
    try:
        yield
    finally:
        nd.cuda.memory.set_limits("cuda:0", max_bytes=limits.max_bytes)


BYSTANDERS = {
    "flush": nd.flush,
    "synchronize": nd.synchronize,
    "a stream": lambda: nd.cuda.Stream(0).close(),
    "a scope": lambda: nd.workspace("bystander").__enter__().__exit__(None, None, None),
}


@pytest.mark.parametrize("name", BYSTANDERS)
def test_an_error_belongs_to_the_array_that_waits_for_it(name):
    """Who makes chains run otherwise hears nothing, and all others run."""
    x, small = on_device(300_000), on_device(6)
    first, y, last = small * 2, x * 2 + 1, small * 3
    with no_room():
        BYSTANDERS[name]()
        assert is_deferred(y)
        np.testing.assert_array_equal(numpy_of(first) + numpy_of(last), numpy_of(small) * 2 + numpy_of(small) * 3)
        with pytest.raises(nd.cuda.DeviceOutOfMemory, match=rf" in {__file__}, line \d+"):
            y.block()
    np.testing.assert_array_equal(numpy_of(y), numpy_of(x) * 2 + 1)


def test_a_graph_takes_no_step_that_could_not_run():
    x = on_device(300_000)
    y = x * 2 + 1
    with no_room(), pytest.raises(nd.cuda.DeviceOutOfMemory):
        nd.cuda.Graph(lambda: y)
    np.testing.assert_array_equal(numpy_of(y), numpy_of(x) * 2 + 1)


def test_what_could_not_run_before_its_workspace_went_says_so():
    limit = no_room()
    for cycle in range(2):
        with nd.workspace("too small"):
            x = on_device(300_000)
            if cycle:
                y = x * 2 + 1
                limit.__enter__()
    limit.__exit__(None, None, None)
    with pytest.raises(nd.WorkspaceError):
        numpy_of(y)
    del x, y
    nd.workspace_manager.destroy_all_workspaces_for_current_thread()
