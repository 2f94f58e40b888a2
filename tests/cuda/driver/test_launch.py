"""What the host side asks of a driver: launches, their limits, and faults in the middle."""

import threading

import numpy as np
import pytest
from stub_driver import StubDriver

import nd4py as nd
from nd4py.cuda import memory
from nd4py.cuda.driver.driver import DeviceError, DeviceLost, DeviceOutOfMemory
from nd4py.cuda.driver.driver_choice import use_driver


def pair(n=128, dtype="float32", device="cuda:0"):
    return nd.ones(n, dtype=dtype, device=device), nd.ones(n, dtype=dtype, device=device)


def last_launch(stub):
    """(blocks, threads of a block) of the last launch."""
    shape = (np.ctypeslib.ctypes.c_uint * 7)()
    stub.library.last(shape)
    assert list(shape)[1:3] == [1, 1]
    return shape[0], shape[3]


def test_an_operator_is_one_launch_and_nothing_else(stub):
    x, y = pair()
    x + y, nd.negative(x)
    before, calls = stub.library.launches(), dict(stub.counts)
    x + y
    nd.add(x, y)
    nd.negative(x)
    x += y
    assert stub.library.launches() == before + 4
    stub.counts.pop("get_function"), calls.pop("get_function")
    stub.counts.pop("module_load"), calls.pop("module_load")
    assert dict(stub.counts) == calls


def test_the_grid_follows_size_and_limit(stub):
    x, y = pair(100_000)
    with nd.combine(False):
        x + y  # in packets of 4
    assert last_launch(stub) == (-(-25_000 // 256), 256)
    nd.cuda.config.maximum_grid_size = 7
    try:
        with nd.combine(False):
            x + y
        assert last_launch(stub) == (7, 256)
        (x + x[:1]).block()
        assert stub.counts["launch"] == 0 or last_launch(stub)[0] <= 7
    finally:
        nd.cuda.config.maximum_grid_size = 2**31 - 1


@pytest.mark.parametrize("value, error", [(0, ValueError), (2**31, ValueError), (1.5, TypeError), (True, TypeError)])
def test_wrong_limits_are_refused(value, error):
    with pytest.raises(error, match="maximum_grid_size"):
        nd.cuda.config.maximum_grid_size = value


def test_a_failed_launch_says_which_and_loses_nothing(stub):
    x, y = pair()
    x + y
    live = memory.stats(0).live_bytes
    stub.library.fail_next(1)
    with pytest.raises(DeviceError, match="add"):
        x + y
    assert memory.stats(0).live_bytes == live
    stub.library.fail_next(700)
    with pytest.raises(DeviceLost, match="add"):
        x + y
    z = x + y
    assert z.shape == (128,)
    stub.faults["launch"] = [DeviceLost("gone")]
    with pytest.raises(DeviceLost, match="gone"):
        x.reshape(8, 16).T.copy()
    del z
    assert memory.stats(0).live_bytes == live


def test_out_of_memory_in_an_operation_says_how_much(stub):
    x, y = pair(1000)
    memory.set_limits(0, max_bytes=memory.stats(0).taken_bytes)
    with pytest.raises(MemoryError, match=r"cannot allocate 4000 bytes of device cuda:0.*limit is"):
        x + y
    memory.set_limits(0, max_bytes=0)
    assert (x + y).shape == (1000,)


def test_a_failed_copy_gives_its_memory_back(stub):
    stub.faults["memcpy_h2d_async"] = [DeviceError("copy failed")]
    with pytest.raises(DeviceError, match="copy failed"):
        nd.asarray(np.ones(100), device="cuda:0")
    assert memory.stats(0).n_blocks == 0
    assert memory.stats("pinned").n_blocks == 0
    stub.faults["malloc"] = [DeviceOutOfMemory("full"), DeviceOutOfMemory("full")]
    with pytest.raises(DeviceOutOfMemory):
        nd.asarray(np.ones(100000), device="cuda:1")
    assert memory.stats(1).n_blocks == 0


def test_small_uploads_do_not_wait_and_large_ones_do(stub):
    nd.asarray(np.ones(100), device="cuda:0")
    assert stub.counts["stream_synchronize"] == 0
    nd.asarray(np.ones(1_000_000), device="cuda:0")
    assert stub.counts["stream_synchronize"] == 1


def test_drivers_without_a_c_function_are_called_from_python():
    driver = StubDriver(has_native_launch=False)
    before = use_driver(driver)
    x, y = pair()
    before_launches = driver.counts["launch"]
    (x + y).block()
    assert driver.counts["launch"] == before_launches + 1
    del x, y
    use_driver(before)


def test_work_goes_to_the_stream_of_the_scope(stub):
    x, _ = pair()
    x * 2.0
    with nd.cuda.Stream("cuda:0") as stream:
        stub.is_recording = True
        with stream.scope():
            assert nd.cuda.current_stream("cuda:0") == stream.handle
            x.reshape(8, 16).T.copy()
        launched = [call for call in stub.calls if call[0] == "launch"]
        assert launched[0][5] == stream.handle
        assert nd.cuda.current_stream("cuda:0") == 0
    with pytest.raises(ValueError, match="was closed"):
        stream.record()
    assert not stub.streams


def test_an_array_used_on_another_stream_is_not_reused_too_early(stub):
    x, _ = pair()
    address = x.address
    with nd.cuda.Stream("cuda:0") as stream:
        with stream.scope():
            y = x + x
        stub.unfinished_events = type("All", (), {"__contains__": lambda s, e: True, "discard": lambda s, e: None,
                                               "clear": lambda s: None})()  # fmt: skip
        del x
        other = nd.empty(128, dtype="float32", device="cuda:0")
        assert other.address != address
        stub.unfinished_events = set()
        assert nd.empty(128, dtype="float32", device="cuda:0").address == address
        del y


def test_events_order_streams(stub):
    with nd.cuda.Stream(0) as first, nd.cuda.Stream(0) as second:
        stub.is_recording = True
        event = first.record(timing=True)
        second.wait_for(event)
        events = [call[0] for call in stub.calls if call[0] != "set_device"]
        assert events == ["event_create", "event_record", "event_wait"]
        assert event.is_reached()
        event.synchronize()
        assert event.elapsed_since(event) == 0.0
        with pytest.raises(ValueError, match="timing=True"):
            event.elapsed_since(second.record())
    del event
    assert not stub.events


def test_threads_are_attached_to_devices_in_turns(stub):
    found = []

    def look():
        found.append((nd.cuda.attached_device(), nd.cuda.attached_device()))

    for _ in range(4):
        thread = threading.Thread(target=look)
        thread.start()
        thread.join()
    assert found == [(0, 0), (1, 1), (0, 0), (1, 1)]
    assert nd.cuda.attach(1) == 1
    assert nd.zeros(2, device="cuda").device == "cuda:1"
    with pytest.raises(ValueError, match="no CUDA device 2; there are 2"):
        nd.cuda.attach(2)


def test_one_device_alone_and_banned_ones(stub):
    assert nd.cuda.allow_multi_gpu(False)
    try:
        assert [nd.cuda.attach() for _ in range(3)] == [0, 0, 0]
    finally:
        assert not nd.cuda.allow_multi_gpu(True)
    nd.cuda.ban_device(0)
    assert nd.cuda.banned_devices() == (0,)
    assert nd.cuda.attach() == 1
    with pytest.raises(ValueError, match="banned"):
        nd.zeros(3, device="cuda:0")
    nd.cuda.ban_device(1)
    with pytest.raises(RuntimeError, match="all 2 devices are banned"):
        nd.cuda.attach()
    nd.cuda.ban_device(0, False)
    assert nd.cuda.attach() == 0
    with pytest.raises(ValueError, match="no CUDA device 9"):
        nd.cuda.ban_device(9)
    with pytest.raises(TypeError, match="True or False"):
        nd.cuda.allow_multi_gpu(1)


def test_access_between_devices(stub):
    stub.is_recording = True
    assert nd.cuda.allow_cross_device_access(True) == 2
    assert [call for call in stub.calls if call[0] == "enable_peer"] == [
        ("enable_peer", 0, 1, True), ("enable_peer", 1, 0, True),
    ]  # fmt: skip
    with pytest.raises(TypeError, match="True or False"):
        nd.cuda.allow_cross_device_access(1)
