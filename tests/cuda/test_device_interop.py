"""Memory of simulated devices shared with others through DLPack and `__cuda_array_interface__`."""

import gc
import itertools

import numpy as np
import pytest
from simulator.compiler import QUICK
from simulator.driver import SimulatorDriver

import nd4py as nd
from nd4py.cuda import memory
from nd4py.cuda.drivers import use_driver


@pytest.fixture
def devices():
    driver = SimulatorDriver(devices=2, flags=QUICK)
    driver._numbers = itertools.count(100)  # as on a GPU, where no stream is 1 or 2
    before = use_driver(driver)
    yield driver
    gc.collect()
    use_driver(before)


class Foreign:
    """Another library's array: the DLPack protocol of an array of ours, and nothing else."""

    def __init__(self, x, is_old=False):
        self.x, self.is_old, self.asked = x, is_old, []

    def __dlpack_device__(self):
        return self.x.__dlpack_device__()

    def __dlpack__(self, **keywords):
        if self.is_old and keywords.keys() - {"stream"}:
            raise TypeError("unexpected keyword")
        self.asked.append(keywords)
        return self.x.__dlpack__(**keywords)


@pytest.mark.parametrize("is_old", [False, True])
@pytest.mark.parametrize("dtype", ["float32", "int8", "bool", "complex128", "float16", "bfloat16"])
def test_dlpack_shares_memory(devices, dtype, is_old):
    x = nd.asarray([[1, 0, 3], [4, 5, 0]]).astype(dtype).to_device("cuda:1").T
    y = nd.from_dlpack(Foreign(x, is_old))
    assert (y.address, y.shape, y.strides, y.dtype, y.device) == (x.address, (3, 2), x.strides, x.dtype, "cuda:1")
    y[0, 0] = 0
    assert x.tolist() == y.tolist()
    assert x.__dlpack_device__() == (2, 1)


def test_dlpack_keeps_the_memory_alive(devices):
    x = nd.ones(1000, device="cuda:0")
    y = nd.from_dlpack(Foreign(x))
    capsule = x.__dlpack__()
    del x
    assert memory.stats(0).n_blocks == 1
    del y
    assert memory.stats(0).n_blocks == 1
    del capsule
    assert memory.stats(0).n_blocks == 0


def test_dlpack_copies_when_asked(devices):
    x = nd.ones(3, device="cuda:0")
    for is_old in (False, True):
        assert nd.from_dlpack(Foreign(x, is_old), copy=True).address != x.address
    assert nd.from_dlpack(Foreign(x), copy=False).address == x.address
    moved = nd.from_dlpack(Foreign(x), device="cuda:1")
    assert (moved.device, moved.tolist()) == ("cuda:1", [1.0, 1.0, 1.0])
    on_host = nd.from_dlpack(x, device="cpu")
    assert (on_host.device, on_host.tolist()) == ("cpu", [1.0, 1.0, 1.0])
    with pytest.raises(BufferError, match="needs a copy"):
        nd.from_dlpack(Foreign(x), device="cuda:1", copy=False)


def test_dlpack_refusals(devices):
    x = nd.ones(3, device="cuda:0")
    with pytest.raises(BufferError, match=r"on device \(2, 0\)"):
        x.__dlpack__(dl_device=(2, 1))
    with pytest.raises(BufferError, match="read-only"):
        x.broadcast_to((2, 3)).__dlpack__()
    assert nd.from_dlpack(x.broadcast_to((2, 3))).is_writable is False
    for stream in (0, 2, "1", True):
        with pytest.raises(BufferError, match="stream"):
            x.__dlpack__(stream=stream)
    with pytest.raises(BufferError, match="device type 2"):
        nd.api.creation.from_dlpack(Foreign(x))


def test_dlpack_orders_streams(devices):
    x = nd.ones(3, device="cuda:0")
    foreign = Foreign(x)
    nd.from_dlpack(foreign)
    assert foreign.asked[0]["stream"] == 1  # the default stream, as DLPack names it
    with nd.cuda.Stream("cuda:0") as stream:
        with stream.scope():
            y = nd.from_dlpack(foreign)
        assert foreign.asked[1]["stream"] == stream.handle
        del y


class Described:
    """An object with `__cuda_array_interface__`."""

    def __init__(self, x, **changes):
        self.x = x
        self.__cuda_array_interface__ = {**x.__cuda_array_interface__, **changes}


def test_cuda_array_interface_both_ways(devices):
    x = nd.asarray(np.arange(6, dtype="int16").reshape(2, 3), device="cuda:0")
    found = x.T.__cuda_array_interface__
    assert found == {
        "version": 3, "shape": (3, 2), "typestr": "<i2", "data": (x.address, False), "strides": (2, 6), "stream": 1,
    }  # fmt: skip
    assert x.__cuda_array_interface__["strides"] is None
    y = nd.cuda.from_cuda_array(Described(x.T), device=0)
    assert (y.address, y.tolist(), y.dtype) == (x.address, x.T.tolist(), nd.int16)
    del x
    assert memory.stats(0).n_blocks == 1
    assert y.tolist() == [[0, 3], [1, 4], [2, 5]]


@pytest.mark.parametrize(
    "changes, error",
    [({"mask": object()}, TypeError), ({"typestr": ">i2"}, TypeError), ({"typestr": "|V3"}, TypeError),
     ({"stream": 2}, ValueError), ({"stream": 0}, ValueError)],
)  # fmt: skip
def test_cuda_array_interface_refusals(devices, changes, error):
    x = nd.ones(3, dtype="int16", device="cuda:0")
    with pytest.raises(error, match="from_cuda_array"):
        nd.cuda.from_cuda_array(Described(x, **changes), device=0)


def test_bfloat16_has_no_name_there(devices):
    x = nd.ones(3, dtype="bfloat16", device="cuda:0")
    with pytest.raises(AttributeError, match="bfloat16"):
        x.__cuda_array_interface__  # noqa: B018 - looking is the test
