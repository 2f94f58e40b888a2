"""Graphs: a step runs again as it was recorded, whatever happens in between, by the path that it ran by first."""

import gc

import numpy as np
import pytest
from device_training import numpy_of
from simulated_devices import default_driver, in_use
from simulator.compiler import QUICK

import nd4py as nd
from nd4py.cuda import memory


@pytest.fixture(autouse=True)
def devices():
    """New devices, on which nothing is loaded."""
    with in_use(default_driver(devices=2, flags=QUICK), 2) as driver:
        yield driver


def x_of(values=(1.0, 2.0, 3.0), dtype="float64"):
    return nd.asarray(list(values), dtype=dtype, device="cuda:0")


def noise():
    """Work that uses pinned blocks, device memory and scalars again."""
    for k in range(1, 9):
        y = nd.asarray([float(k)] * 3, device="cuda:0") * k
        numpy_of(nd.sum(y))
        nd.asarray(np.full(500_000, k, np.float64), device="cuda:0")


LARGE = np.arange(300_000.0)  # more than is staged for others

# Steps, and what they give for the array that they read.
STEPS = {
    "dense operator": (lambda x: x + x, lambda v: v + v),
    "several operators": (lambda x: (x + x) * x - x, lambda v: (v + v) * v - v),
    "in place": (lambda x: (x * 0.0).__iadd__(x), lambda v: v),
    "unary": (lambda x: nd.exp(-x), lambda v: np.exp(-v)),
    "uploaded list": (lambda x: x + nd.asarray([10.0, 20.0, 30.0], device="cuda:0"), lambda v: v + [10, 20, 30]),
    "two uploads": (
        lambda x: nd.asarray([2.0, 3.0, 4.0], device="cuda:0") * x + nd.asarray([1.0], device="cuda:0"),
        lambda v: v * [2, 3, 4] + 1,
    ),
    "large upload": (
        lambda x: nd.sum(nd.asarray(LARGE, device="cuda:0")) + x,
        lambda v: LARGE.sum() + v,
    ),
    "views": (lambda x: nd.stack([x, x[::-1]]).T + 1.0, lambda v: np.stack([v, v[::-1]]).T + 1),
    "reductions": (lambda x: nd.sum(nd.outer(x, x) if hasattr(nd, "outer") else x[:, None] * x, axis=0),
                   lambda v: np.outer(v, v).sum(0)),
    "products": (lambda x: (x[:, None] * x) @ x, lambda v: np.outer(v, v) @ v),
    "choice": (lambda x: nd.where(x > 1.5, x, -x), lambda v: np.where(v > 1.5, v, -v)),
    "cast": (lambda x: nd.astype(nd.astype(x, "int32") * 2, "float64"), lambda v: (v.astype(int) * 2.0)),
    "fill": (lambda x: nd.full((3,), 4.0, device="cuda:0") - x, lambda v: 4 - v),
    "scan": (lambda x: nd.cumulative_sum(x), np.cumsum),
    "sort": (lambda x: nd.sort(-x), lambda v: np.sort(-v)),
    "transform": (lambda x: nd.real(nd.fft.ifft(nd.fft.fft(x))), lambda v: v),
}  # fmt: skip


@pytest.mark.parametrize("is_combining", [True, False], ids=["combined", "at once"])
@pytest.mark.parametrize("name", STEPS)
def test_a_step_is_recorded_without_what_cuda_forbids_and_keeps_its_values(name, is_combining):
    """Nothing is loaded, allocated or waited for while it is recorded: the simulator refuses that as CUDA does."""
    step, want = STEPS[name]
    x = x_of()
    with nd.combine(is_combining), nd.cuda.Graph(lambda: step(x)) as graph:
        for values in ([1.0, 2.0, 3.0], [4.0, 0.5, -1.0]):
            x[...] = x_of(values)
            noise()
            found = numpy_of(graph.launch())
            np.testing.assert_allclose(found, want(np.array(values)), rtol=1e-12, atol=1e-12)


def test_a_constant_of_the_host_keeps_its_value():
    """Also where the host's memory changes, and where each run of the step has other numbers."""
    x, given = x_of(), np.array([10.0, 20.0, 30.0])
    with nd.cuda.Graph(lambda: x + nd.asarray(given, device="cuda:0")) as graph:
        given[:] = 7
        noise()
        assert numpy_of(graph.launch()).tolist() == [11.0, 22.0, 33.0]


def test_pinned_memory_of_a_graph_goes_back_with_it():
    x = x_of()
    before = memory.stats("pinned").live_bytes
    graph = nd.cuda.Graph(lambda: x + nd.asarray([1.0, 2.0, 3.0], device="cuda:0"))
    assert memory.stats("pinned").live_bytes > before
    graph.close()
    assert memory.stats("pinned").live_bytes == before
    held = memory.stats(0)
    with nd.cuda.Graph(lambda: x * 2.0 + 1.0):
        pass
    gc.collect()
    assert memory.stats(0).live_bytes == held.live_bytes


def wait_on(x):
    nd.cuda.synchronize("cuda:0")
    return x + 1.0


def count_up(x, seen=[]):  # noqa: B006 - what it remembers from run to run is the point
    seen.append(None)
    return x + (nd.zeros((3,), device="cuda:0") if len(seen) % 2 else nd.asarray([1.0] * 3, device="cuda:0"))


def other_kernels(x, seen=[]):  # noqa: B006
    seen.append(None)
    return x * x if len(seen) % 2 else nd.atan2(x, x)


REFUSED = {
    "to the host": (lambda x: x + float(x[0]), "elements would be copied to the host"),
    "waiting": (wait_on, "a device would be waited for"),
    "blocking": (lambda x: (x + 1.0).block(), "would be waited for"),
    "another upload": (count_up, "copied from the host that were not"),
    "another kernel": (other_kernels, "would have to be loaded"),
    "factorization": (lambda x: nd.linalg.inv(x[:, None] * x + nd.eye(3, device="cuda:0")), "waits|host"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_recorded_is_refused_in_words(name):
    """The words come from here, not from the driver, and everything goes on afterwards."""
    step, words = REFUSED[name]
    x = x_of()
    with pytest.raises(nd.cuda.DeviceError, match=words):
        nd.cuda.Graph(lambda: step(x))
    assert numpy_of(x + x).tolist() == [2.0, 4.0, 6.0]
    with nd.cuda.Graph(lambda: x + 1.0) as graph:
        assert numpy_of(graph.launch()).tolist() == [2.0, 3.0, 4.0]


def test_arrays_of_other_streams_that_a_step_lets_go_of():
    """Neither are their blocks asked about while it is recorded, nor given to others before the graph ends."""
    outside = [nd.full(3000, 2.0, device="cuda:0") for _ in range(2)]

    def letting_go():
        y = outside[-1] + 1.0
        outside.pop()
        return y

    with nd.cuda.Graph(letting_go) as graph:
        taken = [nd.full(3000, 9.0, device="cuda:0") for _ in range(4)]
        assert (numpy_of(graph.launch()) == 3.0).all()
        assert all((numpy_of(x) == 9.0).all() for x in taken)


def test_a_graph_over_two_devices_on_streams_of_their_own():
    x = x_of()
    with nd.cuda.Stream("cuda:1") as second, second.scope():
        there = nd.ones(3, device="cuda:1")
        with nd.cuda.Graph(lambda: ((x + 1.0).to_device("cuda:1") + there).to_device("cuda:0") * 2.0) as graph:
            for values in ([1.0, 2.0, 3.0], [5.0, 6.0, 7.0]):
                x[...] = x_of(values)
                assert numpy_of(graph.launch()).tolist() == [2 * (v + 2) for v in values]


def test_graphs_of_the_host_name_those_of_devices():
    with pytest.raises(NotImplementedError, match=r"nd4py\.cuda\.Graph\(step\)"):
        nd.capture(lambda x: x + 1, x_of())
    graph = nd.capture(lambda x: x + 1)
    with pytest.raises(NotImplementedError, match=r"nd4py\.cuda\.Graph\(step\)"):
        graph(x_of())
    assert graph(nd.ones(3)).tolist() == [2.0] * 3


def test_graphs_of_the_host_refuse_values_of_devices():
    x = x_of()
    for function in (lambda y: y + nd.asarray(x * 2, device="cpu"), lambda y: x + 1):
        with pytest.raises(nd.CaptureError, match=r"nd4py\.capture: "):
            nd.capture(function, nd.ones(3))
