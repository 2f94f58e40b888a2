"""Means by collective communication: several simulated devices add up together, in an order that is not ours."""

import numpy as np
import pytest
from simulated_devices import default_driver, in_use
from simulator.compiler import QUICK
from stub_driver import StubDriver

import nd4py as nd
from nd4py import nn
from nd4py.cuda.driver.driver import DeviceError
from nd4py.cuda.driver.driver_choice import use_driver
from nd4py.data import DataSet
from nd4py.parallel import ParallelWrapper

N_DEVICES = 3


@pytest.fixture(params=[False, True], ids=["at once", "delayed"])
def devices(request):
    """Simulated devices; "delayed" ones do nothing before the host waits for it, so a missing order shows."""
    driver = default_driver(devices=N_DEVICES, delays=request.param, flags=QUICK)
    if request.param:
        driver.launch_address = lambda: 0  # the C function would run at once
    with in_use(driver, N_DEVICES):
        yield driver


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "bfloat16", "complex64", "complex128"])
@pytest.mark.parametrize("numbers", [(0,), (0, 1), (2, 0, 1), (0, 0), (2, 1, 0, 1, 2)], ids=str)
def test_means_are_the_same_bits_everywhere(devices, numbers, dtype):
    rng = np.random.default_rng(7)
    values = [(rng.integers(-8, 8, (5, 3)) + 2j * rng.integers(-8, 8, (5, 3))) / 4 for _ in numbers]
    if not dtype.startswith("complex"):
        values = [v.real for v in values]
    arrays = [nd.asarray(v, device=f"cuda:{number}").astype(dtype) for v, number in zip(values, numbers, strict=True)]
    nd.cuda.average(arrays, nccl=True)
    found = [x.to_device("cpu") for x in arrays]
    eps = nd.finfo(dtype).eps
    for x, number, array in zip(found, numbers, arrays, strict=True):
        assert (array.device, str(array.dtype)) == (f"cuda:{number}", dtype)
        assert x.tolist() == found[0].tolist()
        np.testing.assert_allclose(x.tolist(), np.mean(values, axis=0), rtol=2 * eps, atol=2 * eps)


def test_devices_wait_for_each_other(devices):
    arrays = [nd.zeros(1000, device=f"cuda:{i}") for i in range(N_DEVICES)]
    for i, x in enumerate(arrays):
        x += i  # not done yet when the mean is asked for
    nd.cuda.average(arrays, nccl=True)
    doubled = [x * 2.0 for x in arrays]
    assert [float(y[999]) for y in doubled] == [2.0, 2.0, 2.0]


def test_what_is_deferred_is_read_before_it_is_averaged(devices):
    x, y = nd.ones(5, device="cuda:0"), nd.full(5, 3.0, device="cuda:1")
    waiting = (x + 1.0) * 2.0
    nd.cuda.average([x, y], nccl=True)
    assert waiting.tolist() == [4.0] * 5
    assert x.tolist() == y.tolist() == [2.0] * 5


def test_a_machine_without_the_library_says_so(devices):
    devices.missing_routines = {"all_reduce"}
    arrays = [nd.ones(3, device="cuda:0"), nd.ones(3, device="cuda:1")]
    with pytest.raises(DeviceError, match=r"average: the simulated machine has no NCCL; without nccl=True it adds"):
        nd.cuda.average(arrays, nccl=True)
    nd.cuda.average(arrays)  # which needs none


def test_devices_are_joined_once_and_parted_with_their_driver():
    driver = StubDriver()
    before = use_driver(driver)
    arrays = [nd.empty(7, dtype="complex64", device=f"cuda:{i}") for i in (1, 0)]
    driver.is_recording = True
    for _ in range(2):
        nd.cuda.average(arrays, nccl=True)
    del arrays
    use_driver(before)
    called = [call for call in driver.calls if call[0] in ("communicator_create", "all_reduce", "communicator_destroy")]
    assert [call[0] for call in called] == ["communicator_create", "all_reduce", "all_reduce", "communicator_destroy"]
    assert called[0][1:] == (1, 0)
    assert called[1][3:] == (14, "float32", [0, 0])  # a complex number is two


def test_networks_are_averaged_across_devices(devices):
    def network():
        layers = [nn.DenseLayer(n_out=4, activation="tanh"), nn.OutputLayer(n_out=2)]
        settings = {"updater": nn.Adam(0.1), "dtype": "float64"}
        return nn.MultiLayerNetwork(layers, input_type=nn.InputType.feed_forward(3), **settings)

    rng = np.random.default_rng(4)
    data = [DataSet(rng.normal(size=(4, 3)), np.eye(2)[rng.integers(0, 2, 4)]) for _ in range(5)]
    there, here = network(), network()
    for model, options in ((there, {"devices": ("cuda:2", "cuda:0", "cuda:2"), "nccl": True}), (here, {})):
        with ParallelWrapper(model, workers=3, averaging_frequency=1, prefetch_buffer=0, **options) as wrapper:
            wrapper.fit(data, epochs=2)
    found = np.asarray(there.to_device("cpu").params())
    np.testing.assert_allclose(found, np.asarray(here.params()), rtol=1e-9, atol=1e-12)
    del there, model, wrapper


def test_the_wrapper_wants_devices_for_it():
    model = nn.MultiLayerNetwork([nn.OutputLayer(n_out=2)], input_type=nn.InputType.feed_forward(3))
    for names in (None, ("cpu", "cuda:0")):
        with pytest.raises(ValueError, match="nccl=True adds between CUDA devices"):
            ParallelWrapper(model, devices=names, nccl=True)
