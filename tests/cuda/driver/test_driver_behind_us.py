"""What happens to the driver behind our back: forks, devices that others choose, events that fail, other streams."""

import os
import subprocess
import sys
from contextlib import contextmanager

import numpy as np
import pytest
from device_training import numpy_of
from simulated_devices import default_driver, in_use
from simulator.compiler import QUICK
from stub_driver import StubDriver

import nd4py as nd
from nd4py.cuda import memory
from nd4py.cuda.allocation.device_scratch import Scratch
from nd4py.cuda.driver.driver import DeviceError, DeviceLost
from nd4py.cuda.driver.driver_choice import use_driver

FORK = """
import os, sys
sys.path[:0] = {paths}
import nd4py as nd
from nd4py.cuda import memory
from nd4py.cuda.driver.driver_choice import device_count, use_driver
from nd4py.cuda.allocation.device_scratch import Scratch
from stub_driver import StubDriver
use_driver(StubDriver())
x, y = nd.zeros(300, device="cuda:0"), nd.ones(300, device="cuda:1")
for device in (0, 1):
    memory.set_limits(device, max_cache={max_cache})
lent = Scratch(0, 5000)
lent.used_on(0, 7)
waiting = x * 2.0 + 1.0
child = os.fork()
if child:
    found = os.waitpid(child, 0)[1]
    assert memory.stats(0).failed_releases == 0 and float(nd.sum(x)) == 0.0
    sys.exit(found != 0)
try:
{body}
except BaseException:
    import traceback
    traceback.print_exc()
    os._exit(1)
os._exit(0)
"""


def in_child(body, max_cache="None"):
    """Run lines in a forked child of a process with arrays on devices; what it says if it fails."""
    lines = "\n".join(f"    {line}" for line in body.strip("\n").split("\n"))
    program = FORK.format(paths=sys.path, body=lines, max_cache=max_cache)
    return subprocess.run([sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True, timeout=120)


USES = {
    "a new array": "nd.zeros(3, device='cuda:0')",
    "an upload": "nd.asarray([1.0], device='cuda:1')",
    "a download": "x.to_device('cpu')",
    "a kernel": "x + x",
    "a number": "float(nd.sum(x))",
    "what was deferred": "waiting.to_device('cpu')",
    "another device": "x.to_device('cuda:1')",
    "a stream": "nd.cuda.Stream(0)",
    "waiting": "nd.cuda.synchronize()",
    "memory": "Scratch(0, 1 << 20)",
    "a workspace": "nd.workspace('w').__enter__() and nd.zeros(3, device='cuda:0')",
}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_every_use_in_a_forked_child_is_an_error_that_says_so():
    uses = "\n".join(
        f"""
try:
    {use}
except RuntimeError as error:
    assert "parent of this process when it was forked" in str(error), ({name!r}, str(error))
else:
    raise AssertionError({name!r})"""
        for name, use in USES.items()
    )
    done = in_child(uses)
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.parametrize("max_cache", ["None", "0"])
def test_arrays_of_the_parent_go_quietly_in_a_forked_child(max_cache):
    """Whether their memory would be kept, given back, or wait for other streams."""
    body = """
import gc
from nd4py.cuda.allocation.allocator import counters
del x, y, lent, waiting
gc.collect()
assert [counters(device)[-1] for device in (0, 1)] == [0, 0]
assert device_count() == 0
assert float(nd.sum(nd.ones(3))) == 3.0
use_driver(StubDriver())
assert nd.zeros(3, device="cuda:1").shape == (3,)
assert memory.stats(1).n_blocks == 0 and memory.stats(1).misses == 1
"""
    done = in_child(body, max_cache)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("error", [DeviceError("odd"), RuntimeError("of another library")])
def test_a_block_is_not_reused_while_its_events_cannot_be_asked(stub, error):
    block = Scratch(0, 100, 0)
    block.used_on(0, 5)
    address = block.address
    del block
    others = []
    for _ in range(3):
        stub.faults["event_query"] = [error]
        others.append(Scratch(0, 100, 0))
        assert others[-1].address != address
    assert Scratch(0, 100, 0).address == address
    assert memory.stats(0).waiting_bytes == 0


def test_a_lost_device_works_on_no_block(stub):
    block = Scratch(0, 100, 0)
    block.used_on(0, 5)
    address = block.address
    del block
    stub.faults["event_query"] = [DeviceLost("gone")]
    assert Scratch(0, 100, 0).address == address


@pytest.mark.parametrize(
    "make",
    [
        lambda: Scratch(0, 1000),
        lambda: nd.zeros(1000, device="cuda:0"),
        lambda: nd.asarray([1.0, 2.0], device="cuda:0"),
        lambda: nd.zeros(5, device="cuda:0") + 1.0,
        lambda: nd.asarray([1.0], device="cuda:0").copy(),
    ],
    ids=["scratch", "zeros", "upload", "kernel", "copy"],
)
def test_memory_lies_where_it_was_asked_for_whatever_set_the_device(stub, make):
    Scratch(0, 100)  # from now on the driver is thought to be on device 0
    stub.set_device(1)  # another library
    x = make()
    assert {device for device, _ in stub.live.values()} == {0}
    stub.set_device(1)
    del x
    memory.trim(0)
    assert not stub.live


@contextmanager
def in_stub(driver):
    before = use_driver(driver)
    yield
    use_driver(before)


class NotingDriver(StubDriver):
    """A stub that says on which device events were recorded and waited for."""

    def __init__(self):
        super().__init__()
        self.noted = []

    def event_record(self, event, stream):
        self.noted.append(("record", event, self.device, stream))

    def event_wait(self, event, stream):
        self.noted.append(("wait", event, self.device, stream))


def test_default_streams_are_those_of_their_devices():
    """A copy to another device: it waits for the work there, and work there for it."""
    driver = NotingDriver()
    with in_stub(driver):
        x, y = nd.zeros(1000, device="cuda:0"), nd.zeros(1000, device="cuda:1")
        driver.noted.clear()
        y[...] = x.to_device("cuda:1")
        by_event = {}
        for kind, event, device, stream in driver.noted:
            assert stream == 0
            by_event.setdefault(event, []).append((kind, device))
        pairs = [tuple(seen) for seen in by_event.values()]
        assert (("record", 1), ("wait", 0)) in pairs or (("record", 0), ("wait", 1)) in pairs
        assert all(seen[0][1] != seen[1][1] for seen in pairs if len(seen) == 2)
        del x, y


@pytest.mark.parametrize("read_first", ["source", "copy"])
def test_what_a_copy_to_another_device_reads_is_not_overwritten(read_first):
    """Where delayed work is waited for: in place, by a block that is taken again, and in an arena."""
    values = np.arange(3000.0)
    with in_use(default_driver(devices=2, delays=True, flags=QUICK), 2):
        x = nd.asarray(values, device="cuda:0")
        y = x.to_device("cuda:1")
        x[...] = 7.0
        seen = [(y, values), (x, np.full(3000, 7.0))]
        for array, want in seen if read_first == "copy" else reversed(seen):
            np.testing.assert_array_equal(numpy_of(array), want)
        copies = []
        for k in range(3):
            copies.append(nd.asarray(values + k, device="cuda:0").to_device("cuda:1"))
            x = nd.full(3000, 9.0, device="cuda:0")
            if read_first == "source":
                assert (numpy_of(x) == 9.0).all()
        for k in range(3):
            with nd.workspace("peers"):
                inside = nd.asarray(values - k, device="cuda:0")
                copies.append(inside.to_device("cuda:1").detach())
                del inside
            with nd.workspace("peers"):
                over = nd.full(3000, 9.0, device="cuda:0")
                if read_first == "source":
                    assert (numpy_of(over) == 9.0).all()
                del over
        for k, copied in enumerate(copies):
            np.testing.assert_array_equal(numpy_of(copied), values + (k if k < 3 else 3 - k))
        del x, y, array, seen, copied
        copies.clear()
        nd.workspace_manager.destroy_all_workspaces_for_current_thread()
