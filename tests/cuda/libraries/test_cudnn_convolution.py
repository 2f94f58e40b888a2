"""Convolutions by the cuDNN helper, over a front end that computes on simulated devices, beside the built-in path."""

import sys

import fake_cudnn
import numpy as np
import pytest
from fake_cudnn import FakeCudnn
from simulated_devices import default_driver, in_use
from simulator.compiler import QUICK

import nd4py as nd
from nd4py.cuda.conv import cudnn_convolution

WINDOWS = {
    "plain": {},
    "strided": {"stride": (2, 3)},
    "dilated": {"dilation": (2, 1), "padding": 2},
    "uneven padding": {"padding": (0, 2, 1, 0), "stride": 2},
}


@pytest.fixture(scope="module", params=[False, True], ids=["at once", "delayed"])
def devices(request):
    """Two simulated devices; "delayed" ones do nothing before the host waits for it, so a missing order shows."""
    driver = default_driver(devices=2, delays=request.param, flags=QUICK)
    if request.param:
        driver.launch_address = lambda: 0  # the C function would run at once
    with in_use(driver, 2):
        yield driver


@pytest.fixture
def cudnn(devices, monkeypatch):
    """The front end in use."""
    made = FakeCudnn(devices)
    monkeypatch.setitem(sys.modules, "cudnn", made)
    cudnn_convolution.forget_driver()
    assert nd.cuda.use_cudnn(True) is False
    yield made
    nd.cuda.use_cudnn(False)


def inputs(dtype="float32", device="cuda:0", filters=4, channels=3):
    rng = np.random.default_rng(3)
    shapes = (2, channels, 7, 8), (filters, channels, 3, 2), (filters,)
    return [nd.asarray(rng.normal(size=shape).astype(dtype), device=device) for shape in shapes]


def value_and_gradients(arrays, **window):
    def loss(x, w, bias):
        return (nd.conv2d(x, w, bias, **window) ** 2).sum()

    value, gradients = nd.value_and_grad(loss, argnums=(0, 1, 2))(*arrays)
    return [np.asarray(y.to_device("cpu")) for y in (nd.conv2d(*arrays, **window), value, *gradients)]


@pytest.mark.parametrize("window", WINDOWS.values(), ids=list(WINDOWS))
@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])  # halves are computed as float32
def test_both_paths_agree(cudnn, window, dtype):
    arrays = inputs(dtype)
    found = value_and_gradients(arrays, **window)
    kinds = [graph.kind for graph in cudnn.executed]
    assert sorted(set(kinds)) == ["dgrad", "fprop", "wgrad"]
    nd.cuda.use_cudnn(False)
    wanted = value_and_gradients(arrays, **window)
    assert [graph.kind for graph in cudnn.executed] == kinds
    tolerance = {"float16": 2e-2, "float32": 2e-5, "float64": 1e-12}[dtype]
    for ours, theirs in zip(found, wanted, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=tolerance, atol=tolerance * np.abs(theirs).max())


def test_plans_are_built_once_for_each_shape(cudnn):
    x, w, bias = inputs()
    for _ in range(3):
        nd.conv2d(x, w, bias)
    assert (len(cudnn.built), len(cudnn.executed)) == (1, 3)
    nd.conv2d(x[:1], w, bias)
    nd.conv2d(x, w)
    nd.conv2d(x.to_device("cuda:1"), w.to_device("cuda:1"))
    assert (len(cudnn.built), len(cudnn.executed)) == (4, 6)


def test_only_so_many_plans_are_kept(cudnn, monkeypatch):
    monkeypatch.setattr(cudnn_convolution, "MAX_PLANS", 2)
    x, w, _ = inputs()
    for n in (1, 2, 1, 2, 1):
        nd.conv2d(x[:n], w)
    assert len(cudnn.built) == 2
    nd.conv2d(x[:1, :, :5], w)  # the third: what was not used for longest goes
    nd.conv2d(x[:1], w)
    assert len(cudnn.built) == 3
    nd.conv2d(x[:2], w)
    assert len(cudnn.built) == 4


def test_float32_is_not_cut_and_sums_repeat(cudnn):
    for dtype in ("float32", "float64"):
        x, w, _ = inputs(dtype)
        nd.conv2d(x, w)
    single, double = (graph.unwanted for graph in cudnn.built)
    assert "NONDETERMINISTIC" in double
    assert set(single) - set(double) == {"TENSOR_CORE"}


def test_what_it_has_no_plan_for_runs_built_in(cudnn):
    cudnn.is_unsupported = lambda graph: graph.kind == "fprop"
    x, w, bias = inputs()
    found = [np.asarray(nd.conv2d(x, w, bias).to_device("cpu")) for _ in range(2)]
    assert (len(cudnn.built), cudnn.executed) == (1, [])  # it was asked once
    np.testing.assert_array_equal(found[0], found[1])
    grouped = nd.conv2d(x[:, :2], w[:, :1], groups=2)
    assert (grouped.shape, len(cudnn.built)) == ((2, 4, 5, 7), 1)


def test_it_works_on_the_stream_of_the_scope(cudnn, devices):
    x, w, _ = inputs()
    wanted = np.asarray(nd.conv2d(x, w).to_device("cpu"))
    with nd.cuda.Stream("cuda:0") as stream:
        event = nd.cuda.Event("cuda:0")
        event.record()
        stream.wait_for(event)
        with stream.scope():
            y = nd.conv2d(x * 1.0, w)
            stream.synchronize()
            np.testing.assert_array_equal(np.asarray(y.to_device("cpu")), wanted)
            del y


def test_errors_of_the_library_say_what_to_do(cudnn, monkeypatch):
    def fail(*arguments):
        raise RuntimeError("CUDNN_STATUS_EXECUTION_FAILED")

    x, w, _ = inputs()
    monkeypatch.setattr(fake_cudnn.Graph, "execute", fail)
    with pytest.raises(nd.cuda.DeviceError, match=r"cuDNN, conv_forward: CUDNN_STATUS_EXECUTION_FAILED; .*use_cudnn"):
        nd.conv2d(x, w)


def test_a_workspace_that_does_not_fit_is_an_error_of_memory(cudnn, monkeypatch):
    x, w, _ = inputs()
    monkeypatch.setattr(cudnn, "workspace_bytes", 1 << 40)
    with pytest.raises(nd.cuda.DeviceOutOfMemory):
        nd.conv2d(x, w)


def test_it_is_named_in_the_configuration(cudnn):
    assert "cuDNN 9.28.1 on devices" in nd.config()["helpers"]
    assert nd.cuda.use_cudnn(False) is True
    assert "cuDNN" not in nd.config()["helpers"]


def test_it_must_be_installed_to_be_used(monkeypatch):
    monkeypatch.setitem(sys.modules, "cudnn", None)
    with pytest.raises(RuntimeError, match="pip install nvidia-cudnn-frontend"):
        nd.cuda.use_cudnn(True)
    assert nd.cuda.use_cudnn(False) is False
    with pytest.raises(TypeError, match="True or False, given 1"):
        nd.cuda.use_cudnn(1)
