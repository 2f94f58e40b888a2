"""Memory of simulated devices shared with others through DLPack and `__cuda_array_interface__`."""

import gc

import numpy as np
import pytest
from simulated_devices import default_driver
from simulator.compiler import QUICK

import nd4py as nd
from nd4py.api.creation.sharing import from_dlpack
from nd4py.cuda import memory
from nd4py.cuda.driver.driver_choice import use_driver


@pytest.fixture
def devices():
    driver = default_driver(devices=2, flags=QUICK)
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
    for stream in (0, "1", True, 1.5, np.True_):
        with pytest.raises(BufferError, match="stream"):
            x.__dlpack__(stream=stream)
    with pytest.raises(BufferError, match="device type 2"):
        from_dlpack(Foreign(x))


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
     ({"stream": "2"}, TypeError), ({"stream": 0}, ValueError)],
)  # fmt: skip
def test_cuda_array_interface_refusals(devices, changes, error):
    x = nd.ones(3, dtype="int16", device="cuda:0")
    with pytest.raises(error, match="from_cuda_array"):
        nd.cuda.from_cuda_array(Described(x, **changes), device=0)


def test_streams_and_devices_may_be_numbers_of_numpy(devices):
    x = nd.ones(3, device="cuda:0")
    for stream in (None, -1, np.int64(-1), 1, np.int32(1), 2, np.int64(2)):
        assert nd.from_dlpack(Again(x, stream)).tolist() == [1.0] * 3
    assert nd.cuda.from_cuda_array(Described(x, stream=np.int64(2)), device=np.int32(0)).tolist() == [1.0] * 3
    assert nd.cuda.attach(np.int64(1)) == 1
    assert nd.cuda.attach(0) == 0
    nd.cuda.ban_device(np.int8(1))
    assert nd.cuda.banned_devices() == (1,)
    nd.cuda.ban_device(np.int8(1), False)
    before = memory.set_limits(np.int64(0), max_cache=np.int64(1 << 20), n_ahead=np.int16(2))
    assert memory.limits(0).max_cache == 1 << 20
    memory.set_limits(0, max_cache=before.max_cache, n_ahead=before.n_ahead)
    nd.cuda.config.maximum_grid_size = np.int64(7)
    nd.cuda.config.maximum_grid_size = 2**31 - 1
    with pytest.raises(ValueError, match="no CUDA device"):
        nd.cuda.attach(np.True_)


class Again:
    """A capsule that was asked for on some stream."""

    def __init__(self, x, stream):
        self.x, self.stream = x, stream

    def __dlpack_device__(self):
        return self.x.__dlpack_device__()

    def __dlpack__(self, **_):
        return self.x.__dlpack__(stream=self.stream, max_version=(1, 0))


def test_memory_says_where_it_is(devices):
    """A thread of cuda:0 may be given memory of cuda:1."""
    nd.cuda.attach(0)
    x = nd.ones(3, device="cuda:1")
    y = nd.cuda.from_cuda_array(Described(x))
    assert (y.device, y.tolist()) == ("cuda:1", [1.0] * 3)
    with pytest.raises(ValueError, match="the memory is on cuda:1, given device=0"):
        nd.cuda.from_cuda_array(Described(x), device=0)
    with pytest.raises(nd.cuda.DeviceError, match="no memory"):
        nd.cuda.from_cuda_array(Described(x, data=(64, False)))
    empty = nd.cuda.from_cuda_array(Described(x[:0]), device=1)
    assert (empty.device, empty.shape) == ("cuda:1", (0,))


@pytest.fixture
def slow_devices():
    """Work is delayed until it is waited for."""
    driver = default_driver(devices=2, flags=QUICK, delays=True)
    before = use_driver(driver)
    yield driver
    gc.collect()
    use_driver(before)


class Lent:
    """Memory of another library's, which writes over it as soon as it has it back."""

    def __init__(self, x, log):
        self.x, self.log = x, log
        self.__cuda_array_interface__ = x.__cuda_array_interface__

    def __del__(self):
        self.log.append("back")


@pytest.mark.parametrize("n_streams", [1, 2])
def test_memory_of_others_goes_back_once_all_streams_have_read_it(slow_devices, n_streams):
    log, x = [], nd.asarray(np.arange(1000.0), device="cuda:0")
    nd.cuda.synchronize("cuda:0")
    y = nd.cuda.from_cuda_array(Lent(x, log))
    streams = [nd.cuda.Stream("cuda:0") for _ in range(n_streams)]
    found = []
    for stream in streams:
        with stream.scope(), nd.combine(False):
            found.append(y + y)
    del y
    gc.collect()
    assert log == []
    for stream in streams:
        stream.synchronize()
    nd.cuda.synchronize("cuda:0")
    assert log == ["back"]
    assert all(float(z.to_device("cpu")[999]) == 1998.0 for z in found)
    del found
    for stream in streams:
        stream.close()


def test_a_consumers_stream_may_be_gone_when_memory_comes_back(slow_devices):
    """Nothing is recorded on it then, and the memory is not reused before the device was waited for."""
    stream = slow_devices.stream_create()
    x = nd.ones(1000, device="cuda:0")
    address, capsule = x.address, x.__dlpack__(stream=stream)
    slow_devices.stream_destroy(stream)
    failed = memory.stats(0).failed_releases
    del x, capsule
    others = [nd.ones(1000, device="cuda:0") for _ in range(4)]
    assert address not in [y.address for y in others]
    assert memory.stats(0).waiting_bytes >= 8000
    assert memory.stats(0).failed_releases == failed
    memory.set_limits(0, max_bytes=memory.stats(0).taken_bytes)
    late = nd.ones(1000, device="cuda:0")  # a request that would fail otherwise waits
    assert late.address == address
    memory.set_limits(0, max_bytes=0)
    del others, late


def test_bfloat16_has_no_name_there(devices):
    x = nd.ones(3, dtype="bfloat16", device="cuda:0")
    with pytest.raises(AttributeError, match="bfloat16"):
        x.__cuda_array_interface__  # noqa: B018 - looking is the test
