"""A driver that does nothing but count: launches return at once, memory is addresses without bytes behind them.

It tells what the host side costs, and what the host side asks for: every call is kept in `calls` when `is_recording`.
"""

import ctypes
import subprocess
import tempfile
from collections import Counter
from pathlib import Path

from nd4py.cuda.driver.driver import DeviceError, DeviceLost, DeviceOutOfMemory

# The launch that native callers use.  It keeps the last launch, so that tests see what arrived.
LAUNCH = r"""
#include <string.h>
static unsigned long n_launches;
static int next_status;
static unsigned last_shape[7];
unsigned long launches(void) { return n_launches; }
void fail_next(int status) { next_status = status; }
void last(unsigned* shape) { memcpy(shape, last_shape, sizeof last_shape); }
int launch(void* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
           unsigned shared, void* stream, void** parameters, void** extra) {
  unsigned shape[7] = {gx, gy, gz, bx, by, bz, shared};
  int status = next_status;
  next_status = 0;
  memcpy(last_shape, shape, sizeof shape);
  n_launches += status == 0;
  return status;
}
"""
STATUSES = {2: DeviceOutOfMemory, 700: DeviceLost}  # the driver API's numbers


def compiled_launch():
    """The C functions above, compiled once per process."""
    if not hasattr(compiled_launch, "library"):
        folder = Path(tempfile.mkdtemp())
        (folder / "launch.c").write_text(LAUNCH)
        subprocess.run(
            ["gcc", "-O2", "-shared", "-fPIC", "-o", folder / "launch.so", folder / "launch.c"], check=True, timeout=60
        )
        compiled_launch.library = ctypes.CDLL(str(folder / "launch.so"))
        compiled_launch.library.launches.restype = ctypes.c_ulong
    return compiled_launch.library


class StubDriver:
    """`n_devices` devices of `device_bytes` each that compute nothing.

    faults: by method name, the errors to raise at the next calls of it, the first one first.
    """

    name = "stub"

    def __init__(self, n_devices=2, device_bytes=1 << 34, has_native_launch=True):
        self.n_devices, self.device_bytes = n_devices, device_bytes
        self.device = 0
        self.live = {}  # address: (device, bytes)
        self.pinned = {}
        self.unfinished_events = set()  # that `event_query` says are not reached
        self.events, self.streams, self.graphs = set(), set(), set()
        self.counts = Counter()
        self.calls = []
        self.is_recording = False
        self.faults = {}
        self.next_address = 1 << 40
        self.next_handle = 1
        self.library = compiled_launch() if has_native_launch else None

    def note(self, method, *arguments):
        self.counts[method] += 1
        if self.is_recording:
            self.calls.append((method, *arguments))
        if self.faults.get(method):
            raise self.faults[method].pop(0)

    def handle(self):
        self.next_handle += 1
        return self.next_handle

    def device_count(self):
        return self.n_devices

    def device_name(self, device):
        return f"stub {device}"

    def compute_capability(self, device):
        return (9, 0)

    def set_device(self, device):
        self.note("set_device", device)
        if not 0 <= device < self.n_devices:
            raise DeviceError(f"no device {device}")
        self.device = device

    def used(self, device):
        return sum(n for at, n in self.live.values() if at == device)

    def mem_info(self):
        return self.device_bytes - self.used(self.device), self.device_bytes

    def device_of_memory(self, address):
        self.note("device_of_memory", address)
        for begin, (device, n_bytes) in self.live.items():
            if begin <= address < begin + n_bytes:
                return device
        raise DeviceError(f"{address:#x} is no memory of a device")

    def synchronize(self):
        self.note("synchronize")
        self.unfinished_events.clear()

    def malloc(self, n_bytes):
        self.note("malloc", n_bytes)
        if self.used(self.device) + n_bytes > self.device_bytes:
            raise DeviceOutOfMemory(f"cannot allocate {n_bytes} bytes")
        self.next_address += 256
        address = self.next_address
        self.next_address += (n_bytes + 255) // 256 * 256
        self.live[address] = (self.device, n_bytes)
        return address

    def free(self, address):
        self.note("free", address)
        del self.live[address]

    def host_alloc(self, n_bytes):
        self.note("host_alloc", n_bytes)
        memory = ctypes.create_string_buffer(n_bytes)
        address = ctypes.addressof(memory)
        self.pinned[address] = memory
        return address

    def host_free(self, address):
        self.note("host_free", address)
        del self.pinned[address]

    def memcpy_h2d_async(self, destination, source, n_bytes, stream):
        self.note("memcpy_h2d_async", destination, source, n_bytes, stream)

    def memcpy_d2h_async(self, destination, source, n_bytes, stream):
        self.note("memcpy_d2h_async", destination, source, n_bytes, stream)
        ctypes.memset(destination, 0, n_bytes)

    def memcpy_d2d_async(self, destination, source, n_bytes, stream):
        self.note("memcpy_d2d_async", destination, source, n_bytes, stream)

    def memcpy_peer_async(self, destination, destination_device, source, source_device, n_bytes, stream):
        self.note("memcpy_peer_async", destination, destination_device, source, source_device, n_bytes, stream)

    def memset_async(self, address, byte, n_bytes, stream):
        self.note("memset_async", address, byte, n_bytes, stream)

    def stream_create(self):
        self.note("stream_create")
        stream = self.handle()
        self.streams.add(stream)
        return stream

    def stream_destroy(self, stream):
        self.note("stream_destroy", stream)
        self.streams.remove(stream)

    def stream_synchronize(self, stream):
        self.note("stream_synchronize", stream)

    def event_create(self, timing=False):
        self.note("event_create")
        event = self.handle()
        self.events.add(event)
        return event

    def event_destroy(self, event):
        self.note("event_destroy", event)
        self.events.remove(event)

    def event_record(self, event, stream):
        self.note("event_record", event, stream)

    def event_wait(self, event, stream):
        self.note("event_wait", event, stream)

    def event_query(self, event):
        self.note("event_query", event)
        return event not in self.unfinished_events

    def event_synchronize(self, event):
        self.note("event_synchronize", event)
        self.unfinished_events.discard(event)

    def event_elapsed(self, start, end):
        return 0.0

    def module_load(self, module):
        self.note("module_load", module.name)
        return self.handle()

    def module_unload(self, module):
        self.note("module_unload", module)

    def get_function(self, module, name):
        self.note("get_function", module, name)
        return self.handle()

    def launch(self, function, grid, block, shared_bytes, stream, arguments):
        self.note("launch", function, grid, block, shared_bytes, stream, arguments)

    def launch_address(self):
        return ctypes.cast(self.library.launch, ctypes.c_void_p).value if self.library else 0

    def raise_status(self, status, what):
        raise STATUSES.get(status, DeviceError)(f"{what}: status {status}")

    def run_routine(self, name, inputs, outputs, attributes, stream):
        self.note("run_routine", name, inputs, outputs, attributes, stream)
        return -1, True

    def gemm(self, gemm, stream):
        self.note("gemm", gemm, stream)

    def begin_capture(self, stream):
        self.note("begin_capture", stream)

    def end_capture(self, stream):
        self.note("end_capture", stream)
        graph = self.handle()
        self.graphs.add(graph)
        return graph

    def graph_launch(self, graph, stream):
        self.note("graph_launch", graph, stream)

    def graph_destroy(self, graph):
        self.note("graph_destroy", graph)
        self.graphs.remove(graph)

    def communicator_create(self, devices):
        self.note("communicator_create", *devices)
        return self.handle()

    def communicator_destroy(self, communicator):
        self.note("communicator_destroy", communicator)

    def all_reduce(self, communicator, addresses, n_elements, dtype, streams):
        self.note("all_reduce", communicator, addresses, n_elements, dtype, streams)

    def can_access_peer(self, device, peer):
        return device != peer

    def enable_peer(self, device, peer, enabled):
        self.note("enable_peer", device, peer, enabled)
