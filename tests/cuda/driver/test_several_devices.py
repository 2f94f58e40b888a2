"""Averages over simulated devices, recorded steps, and streams whose work is delayed until it is waited for."""

import numpy as np
import pytest
from simulated_devices import default_driver, in_use
from simulator.compiler import QUICK
from simulator.driver import SimulatorDriver

import nd4py as nd
from nd4py import nn
from nd4py.cuda import memory
from nd4py.data import DataSet
from nd4py.parallel import ParallelWrapper


@pytest.fixture(params=[False, True], ids=["at once", "delayed"])
def devices(request):
    """Three simulated devices; "delayed" ones do nothing before the host waits for it, so a missing order shows."""

    class Patient(SimulatorDriver):
        def launch_address(self):
            return 0  # the C function would run at once

    driver = Patient(devices=3, delays=True, flags=QUICK) if request.param else default_driver(devices=3, flags=QUICK)
    with in_use(driver, 3):
        yield driver


@pytest.mark.parametrize("numbers", [(0,), (0, 1), (0, 1, 2), (0, 0, 0, 0), (2, 1, 0, 1, 2)], ids=str)
def test_average(devices, numbers):
    rng = np.random.default_rng(7)
    values = [rng.normal(size=(5, 3)).astype("float32") for _ in numbers]
    arrays = [nd.asarray(v, device=f"cuda:{number}") for v, number in zip(values, numbers, strict=True)]
    nd.cuda.average(arrays)
    first = np.asarray(arrays[0].to_device("cpu"))
    np.testing.assert_allclose(first, np.mean(values, axis=0), rtol=1e-6)
    for x, number in zip(arrays, numbers, strict=True):
        assert x.device == f"cuda:{number}"
        np.testing.assert_array_equal(np.asarray(x.to_device("cpu")), first)


def test_averages_of_what_differs_are_refused(devices):
    x = nd.ones(3, device="cuda:0")
    with pytest.raises(ValueError, match="needs one array"):
        nd.cuda.average([])
    with pytest.raises(ValueError, match="one shape and dtype"):
        nd.cuda.average([x, nd.ones(4, device="cuda:1")])
    with pytest.raises(TypeError, match="floating dtype, given int64"):
        nd.cuda.average([nd.ones(3, dtype="int64", device="cuda:0")])


def test_work_and_copies_keep_their_order(devices):
    x = nd.asarray(np.arange(6.0), device="cuda:0")
    y = (x * 2.0).to_device("cuda:1") + 1.0
    z = y.to_device("cuda:2")
    del x, y
    nd.zeros(6, device="cuda:0"), nd.zeros(6, device="cuda:1")  # may take the memory that was freed
    np.testing.assert_array_equal(np.asarray(z.to_device("cpu")), np.arange(6.0) * 2 + 1)


def test_streams_need_an_order_and_get_one(devices):
    x = nd.asarray(np.arange(1000.0), device="cuda:0")
    with nd.cuda.Stream("cuda:0") as first, nd.cuda.Stream("cuda:0") as second:
        first.wait_for(recorded())
        with first.scope():
            y = x + x
        second.wait_for(first.record())
        with second.scope():
            z = y * y
            del y
            assert float(z[3]) == 36.0
    del z
    nd.cuda.synchronize("cuda:0")


def recorded():
    """An event on this thread's stream of device 0."""
    event = nd.cuda.Event("cuda:0")
    event.record()
    return event


def test_to_device_on_a_stream(devices):
    with nd.cuda.Stream("cuda:1") as stream:
        x = nd.asarray([1.0, 2.0]).to_device("cuda:1", stream=stream)
        stream.synchronize()
        assert x.tolist() == [1.0, 2.0]
        del x
    with pytest.raises(ValueError, match=r"nd4py.cuda.Stream, given 5"):
        nd.asarray([1.0]).to_device("cuda:1", stream=5)


def test_a_recorded_step_runs_again_on_new_values(devices):
    x = nd.asarray(np.arange(8.0).reshape(2, 4), device="cuda:0")
    w = nd.ones((4,), device="cuda:0")

    def step():
        hidden = nd.tanh(x * w + 0.5)
        return hidden.sum(axis=1)

    def want(values):
        return np.tanh(values + 0.5).sum(axis=1)

    with nd.cuda.Graph(step) as graph:
        np.testing.assert_allclose(np.asarray(graph.launch().to_device("cpu")), want(np.arange(8.0).reshape(2, 4)))
        calls = 0
        for i in range(3):
            calls = memory.stats(0).driver_calls if i == 1 else calls
            values = np.full((2, 4), i / 7)
            x[...] = nd.asarray(values, device="cuda:0")
            found = graph.launch()
            np.testing.assert_allclose(np.asarray(found.to_device("cpu")), want(values), rtol=1e-13)
        assert memory.stats(0).driver_calls == calls
        memory.trim(0)  # leaves the graph its memory
        np.testing.assert_allclose(np.asarray(graph.launch().to_device("cpu")), want(values), rtol=1e-13)
        del found
    with pytest.raises(ValueError, match="this graph was closed"):
        graph.launch()
    del graph, step


def test_a_step_that_needs_more_memory_the_second_time_is_refused(devices):
    memory.set_limits(0, max_cache=0)  # nothing is kept for the second run
    x = nd.ones(100, device="cuda:0")
    with pytest.raises(nd.cuda.DeviceError, match="must do the same every time"):
        nd.cuda.Graph(lambda: x + x)
    assert float((x + x)[0]) == 2.0


def test_networks_train_in_order_on_several_devices(devices):
    def network():
        layers = [nn.DenseLayer(n_out=4, activation="tanh"), nn.DropoutLayer(0.3), nn.OutputLayer(n_out=2)]
        settings = {"updater": nn.Adam(0.1), "dtype": "float64"}
        return nn.MultiLayerNetwork(layers, input_type=nn.InputType.feed_forward(3), **settings)

    rng = np.random.default_rng(4)
    data = [DataSet(rng.normal(size=(4, 3)), np.eye(2)[rng.integers(0, 2, 4)]) for _ in range(5)]
    there, here = network(), network()
    for model, names in ((there, ("cuda:2", "cuda:0")), (here, None)):
        with ParallelWrapper(model, workers=2, averaging_frequency=1, prefetch_buffer=2, devices=names) as wrapper:
            wrapper.fit(data, epochs=2)
    assert there.device == "cuda:2"
    found = np.asarray(there.to_device("cpu").params())
    np.testing.assert_allclose(found, np.asarray(here.params()), rtol=1e-9, atol=1e-12)
    del there, model, wrapper
