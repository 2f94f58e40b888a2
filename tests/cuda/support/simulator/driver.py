"""The simulator as a driver: devices, streams, events and graphs of `nd4py.cuda.driver.driver`, on the CPU alone.

Streams are lists of work.  In a simulator made with `delays=True` nothing runs before it is waited for, so that
code which forgets to wait reads poison; otherwise work runs when it is given.  Memory is a guarded mapping for each
allocation; a device that met a fault is lost, as a real one.
"""

import ctypes
import functools
import itertools
import threading
import time
from math import prod

import numpy

from nd4py.cuda.driver.driver import DEFAULT_STREAM, DeviceError, DeviceLost, DeviceOutOfMemory, RoutineMissing
from nd4py.cuda.driver.library_routines import run_routine

from . import blas
from .captures import PER_THREAD_STREAM, Device, EventMark, Recording, StreamQueue
from .compiler import CHECKED, CompilationError, compile_module, compile_runtime, load_copy
from .memory import GuardedBlock, SparseBlock

# cuLaunchKernel's type.
LAUNCH = ctypes.CFUNCTYPE(
    ctypes.c_int,
    ctypes.c_void_p,
    *[ctypes.c_uint] * 7,
    ctypes.c_void_p,
    ctypes.POINTER(ctypes.c_void_p),
    ctypes.c_void_p,
)
ORDERS = {"forward": 0, "reverse": 1, "random": 2, "torn": 3}


class KernelHeader(ctypes.Structure):
    """The struct `Kernel` of cuda_simulator.h."""

    _fields_ = [
        ("name", ctypes.c_char_p), ("argument_bytes", ctypes.c_size_t), ("max_threads", ctypes.c_uint),
        ("run", ctypes.c_void_p), ("own_thread_local", ctypes.c_void_p),
    ]  # fmt: skip


class SimulatorDriver(Recording):
    """`devices` devices of `memory` bytes each.

    alignment: of allocations; 16 lets guard pages stand closer behind them than a GPU's 256
    delays: work waits until the host waits for it
    flags: of the compiler, CHECKED, TORN or QUICK
    is_sparse: memory is zeros that take none before they are touched, so that arrays may have billions of elements
    """

    name = "simulator"

    def __init__(self, devices=1, memory=1 << 30, alignment=256, delays=False, flags=CHECKED, is_sparse=False):
        self._runtime = ctypes.CDLL(str(compile_runtime()), mode=ctypes.RTLD_GLOBAL)
        self._runtime.simulator_error.restype = ctypes.c_char_p
        self._runtime.simulator_launch.argtypes = [
            ctypes.c_void_p, *[ctypes.c_uint] * 7, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p
        ]  # fmt: skip
        self._devices = [Device() for _ in range(devices)]
        self._memory, self._alignment, self._delays, self._flags = memory, alignment, delays, flags
        self._is_sparse = is_sparse
        self._thread = threading.local()
        self.missing_routines = set()
        self._numbers = itertools.count(16)  # as on a GPU, where no stream of ours is 1 or 2
        self._got = set()
        self._streams = {}
        self._default_streams = [StreamQueue(device) for device in range(devices)]
        self._events, self._modules, self._functions, self._graphs, self._pinned = {}, {}, {}, {}, {}
        self._communicators = {}
        self._lock = threading.RLock()
        self._launch_function = LAUNCH(self._launch_from_c)

    # Schedules: what the tests of kernels vary.

    def schedule(self, order, seed=0):
        """Run lanes, warps and blocks "forward", in "reverse" or at "random".

        "torn": the threads of a block take turns at any access to memory, in modules compiled with the flags TORN.
        """
        self._runtime.simulator_schedule(ORDERS[order], ctypes.c_uint64(seed))

    def sample(self, n_blocks):
        """Run so many blocks of larger grids: of both ends, and some between; 0: all."""
        self._runtime.simulator_sample(ctypes.c_uint64(n_blocks))

    def counts(self):
        """(launches, blocks, threads) since the process began."""
        numbers = (ctypes.c_uint64 * 3)()
        self._runtime.simulator_counts(numbers)
        return tuple(numbers)

    # Devices.

    @property
    def _current(self):
        return getattr(self._thread, "device", 0)

    def _device(self):
        return self._alive(self._current)

    def _alive(self, number):
        device = self._devices[number]
        if device.lost:
            raise DeviceLost(device.lost)
        return device

    def device_count(self):
        return len(self._devices)

    def device_name(self, device):
        return f"simulated device {device}"

    def compute_capability(self, device):
        return (9, 0)

    def set_device(self, device):
        if not 0 <= device < len(self._devices):
            raise DeviceError(f"set_device({device}): there are {len(self._devices)} simulated devices")
        self._thread.device = device

    def mem_info(self):
        return self._memory - self._device().used, self._memory

    def device_of_memory(self, address):
        for number, device in enumerate(self._devices):
            if any(b.address <= address < b.address + max(b.n_bytes, 1) for b in list(device.blocks.values())):
                return number
        raise DeviceError(f"{address:#x} is no memory of a simulated device")

    def synchronize(self):
        self._let_others("synchronize")
        for queue in [*self._default_streams, *self._streams.values()]:
            if queue.device == self._current and queue.capture is not None:
                self._break(queue.capture, "synchronize")
        for queue in [self._default_streams[self._current], *self._streams.values()]:
            if queue.device == self._current:
                self._run_all(queue)
        self._device()

    # Memory.

    def malloc(self, n_bytes):
        self._let_others("malloc")
        with self._lock:
            device = self._device()
            if device.used + n_bytes > self._memory:
                raise DeviceOutOfMemory(
                    f"{n_bytes} bytes on simulated device {self._current}: {device.used} of {self._memory} are used"
                )
            block = (SparseBlock if self._is_sparse else GuardedBlock)(n_bytes, self._alignment, self._current)
            device.blocks[block.address] = block
            device.used += n_bytes
            return block.address

    def free(self, address):
        self._let_others("free")
        with self._lock:
            device = next((device for device in self._devices if address in device.blocks), None)
            if device is None:
                raise DeviceError(f"free({address:#x}): no allocation begins there")
            for queue in [*self._default_streams, *self._streams.values()]:
                self._run_all(queue)
            block = device.blocks.pop(address)
            device.used -= block.n_bytes
            is_intact = block.is_intact()
            block.release()
            if not is_intact:
                raise DeviceError(f"something was written behind the {block.n_bytes} bytes at {address:#x}")

    def host_alloc(self, n_bytes):
        self._let_others("host_alloc")
        block = GuardedBlock(n_bytes, self._alignment, -1)
        self._pinned[block.address] = block
        return block.address

    def host_free(self, address):
        self._let_others("host_free")
        if address not in self._pinned:
            raise DeviceError(f"host_free({address:#x}): no pinned memory begins there")
        self._pinned.pop(address).release()

    def _check_span(self, address, n_bytes, device, what):
        blocks = list(self._devices[device].blocks.values())
        if n_bytes and not any(b.address <= address and address + n_bytes <= b.address + b.n_bytes for b in blocks):
            raise DeviceError(f"{what}: {n_bytes} bytes at {address:#x} are not memory of simulated device {device}")

    def _copy(self, destination, source, n_bytes, stream):
        self._give(stream, lambda: ctypes.memmove(destination, source, n_bytes))

    def memcpy_h2d_async(self, destination, source, n_bytes, stream):
        self._check_span(destination, n_bytes, self._current, "memcpy_h2d_async")
        self._copy(destination, source, n_bytes, stream)

    def memcpy_d2h_async(self, destination, source, n_bytes, stream):
        self._check_span(source, n_bytes, self._current, "memcpy_d2h_async")
        self._copy(destination, source, n_bytes, stream)

    def memcpy_d2d_async(self, destination, source, n_bytes, stream):
        self._check_span(destination, n_bytes, self._current, "memcpy_d2d_async")
        self._check_span(source, n_bytes, self._current, "memcpy_d2d_async")
        self._copy(destination, source, n_bytes, stream)

    def memcpy_peer_async(self, destination, destination_device, source, source_device, n_bytes, stream):
        self._check_span(destination, n_bytes, destination_device, "memcpy_peer_async")
        self._check_span(source, n_bytes, source_device, "memcpy_peer_async")
        self._copy(destination, source, n_bytes, stream)

    def memset_async(self, address, byte, n_bytes, stream):
        self._check_span(address, n_bytes, self._current, "memset_async")
        self._give(stream, lambda: ctypes.memset(address, byte, n_bytes))

    # Streams and events.

    def _queue(self, stream):
        if stream == DEFAULT_STREAM:
            return self._default_streams[self._current]
        if stream == PER_THREAD_STREAM:
            own = self._thread.__dict__.setdefault("streams", {})
            return own.setdefault(self._current, StreamQueue(self._current))
        if stream not in self._streams:
            raise DeviceError(f"no stream {stream}; it was destroyed, or it is another driver's")
        return self._streams[stream]

    def _give(self, stream, work):
        """Let a stream do `work` after all that it was given before."""
        self._let_others()
        with self._lock:
            queue = self._queue(stream)
            self._alive(queue.device)
            if queue.capture is not None:
                queue.capture.work.append(work)
                queue.capture.given[id(queue)] = len(queue.capture.work)
                return
            queue.work.append(work)
            if not self._delays:
                self._run_all(queue)

    def _run_all(self, queue):
        with self._lock:
            while queue.work:
                queue.work.pop(0)()

    def stream_create(self):
        self._device()
        number = next(self._numbers)
        self._streams[number] = StreamQueue(self._current)
        return number

    def stream_destroy(self, stream):
        self._run_all(self._queue(stream))
        del self._streams[stream]

    def stream_synchronize(self, stream):
        self._let_others()
        queue = self._queue(stream)
        if queue.capture is not None:
            self._break(queue.capture, "stream_synchronize")
        self._run_all(queue)
        self._alive(queue.device)

    def event_create(self, timing=False):
        number = next(self._numbers)
        self._events[number] = EventMark(self._current)
        return number

    def event_destroy(self, event):
        del self._events[event]

    def event_record(self, event, stream):
        self._let_others()
        mark, queue = self._events[event], self._queue(stream)
        mark.capture = queue.capture
        if queue.capture is not None:
            mark.n_given, mark.queue = queue.capture.given.get(id(queue), 0), queue
            return
        mark.is_reached, mark.queue = False, queue

        def reach():
            mark.is_reached, mark.seconds = True, time.perf_counter()

        self._give(stream, reach)

    def event_wait(self, event, stream):
        mark, queue = self._events[event], self._queue(stream)
        if mark.capture is None and queue.capture is None:
            self._give(stream, lambda: self._reach(mark))
        elif mark.capture is None:
            self._break(queue.capture, "event_wait for an event of outside")
        elif stream == DEFAULT_STREAM or mark.capture.queues == [] or queue.capture not in (None, mark.capture):
            self._break(mark.capture, "event_wait of the default stream, or after the capture,")
        elif queue is mark.capture.origin:
            mark.capture.joined[id(mark.queue)] = mark.n_given
        else:
            queue.capture = mark.capture
            mark.capture.queues.append(queue)

    def _reach(self, mark):
        while not mark.is_reached and mark.queue.work:
            mark.queue.work.pop(0)()

    def _outside_event(self, event, call):
        self._let_others(call)
        mark = self._events[event]
        if mark.capture is not None:
            self._break(mark.capture, call)
        self._alive(mark.device)
        return mark

    def event_query(self, event):
        return self._outside_event(event, "event_query").is_reached

    def event_synchronize(self, event):
        self._outside_event(event, "event_synchronize")
        with self._lock:
            self._reach(self._events[event])

    def event_elapsed(self, start, end):
        return 1e3 * (self._events[end].seconds - self._events[start].seconds)

    # Kernels.

    def module_load(self, module):
        self._let_others("module_load")
        self._device()
        try:
            path = compile_module(module, self._flags)
        except CompilationError as error:
            raise DeviceError(str(error)) from None
        number = next(self._numbers)
        self._modules[number] = (load_copy(path), self._current, module.name)
        return number

    def module_unload(self, module):
        self._let_others("module_unload")
        del self._modules[module]

    def get_function(self, module, name):
        if (module, name) not in self._got:  # the driver loads kernels when they are first asked for
            self._let_others("get_function")
            self._got.add((module, name))
        library, device, module_name = self._modules[module]
        try:
            header = KernelHeader.in_dll(library, name)
        except ValueError:
            raise DeviceError(f"module {module_name!r} has no kernel {name!r}") from None
        address = ctypes.addressof(header)
        self._functions[address] = (header, device)
        return address

    def launch(self, function, grid, block, shared_bytes, stream, arguments):
        header, device = self._functions[function]
        if len(arguments) != 1 or len(arguments[0]) != header.argument_bytes:
            sizes = [len(argument) for argument in arguments]
            raise DeviceError(
                f"{header.name.decode()}: takes one struct of {header.argument_bytes} bytes; given were {sizes}"
            )
        if device != self._current:
            raise DeviceError(f"{header.name.decode()}: loaded on device {device}, launched on {self._current}")
        copied = ctypes.create_string_buffer(bytes(arguments[0]), len(arguments[0]))
        parameters = (ctypes.c_void_p * 1)(ctypes.addressof(copied))

        def run(_keep=copied):
            status = self._runtime.simulator_launch(function, *grid, *block, shared_bytes, None, parameters, None)
            if status:
                self._raise_failure(status, device)
            self._check_blocks(device, header)

        self._give(stream, run)

    def _check_blocks(self, number, header):
        device = self._devices[number]
        for block in device.blocks.values():
            if not block.is_intact():
                device.lost = f"{header.name.decode()}: wrote behind the {block.n_bytes} bytes at {block.address:#x}"
                raise DeviceLost(device.lost)

    def _raise_failure(self, status, device):
        text = self._runtime.simulator_error().decode()
        if status == 1:
            raise DeviceError(text)
        self._devices[device].lost = text
        raise DeviceLost(text)

    def launch_address(self):
        return ctypes.cast(self._launch_function, ctypes.c_void_p).value

    def _launch_from_c(self, function, *rest):
        """`launch` as a C function sees it, streams, captures and checks included."""
        *sizes, shared_bytes, stream, parameters, _ = rest
        try:
            block = ctypes.string_at(parameters[0], self._functions[function][0].argument_bytes)
            self.launch(function, sizes[:3], sizes[3:], shared_bytes, stream or DEFAULT_STREAM, (block,))
        except DeviceError as error:
            self._thread.error = error
            return 1
        return 0

    def raise_status(self, status, what):
        raise type(self._thread.error)(f"{what}: {self._thread.error}")

    def abandon(self):
        """Let all memory go, and look at none of it."""
        for device in self._devices:
            while device.blocks:
                device.blocks.popitem()[1].release()
            device.used = 0

    def revive(self):
        """Use lost devices again, which no real driver can."""
        for device in self._devices:
            device.lost = ""

    # Libraries.

    def run_routine(self, name, inputs, outputs, attributes, stream):
        """NumPy's functions on the memory of the device; `missing_routines` are those that it pretends to lack."""
        if name in self.missing_routines:
            raise RoutineMissing(f"{name}: the simulated library lacks it")
        arrays = [[self._numpy_array(x) for x in xs] for xs in (inputs, outputs)]
        queue = self._queue(stream)
        if name == "fourier":  # cannot fail, so it is not waited for
            self._give(stream, lambda: run_routine(numpy, name, *arrays, attributes))
            return -1, True
        if queue.capture is not None:
            self._break(queue.capture, f"{name}, which waits for the device,")
        self._run_all(queue)
        self._alive(queue.device)
        return run_routine(numpy, name, *arrays, attributes)

    def _numpy_array(self, x):
        """An array over the memory of a device."""
        dtype = numpy.dtype(x.dtype)
        n_bytes = prod(x.shape) * dtype.itemsize
        self._check_span(x.address, n_bytes, self._current, "run_routine")
        memory = (ctypes.c_char * n_bytes).from_address(x.address) if n_bytes else b""
        return numpy.frombuffer(memory, dtype).reshape(x.shape)

    def gemm(self, gemm, stream):
        if "gemm" in self.missing_routines:
            raise RoutineMissing("the simulated library lacks gemm")
        if self._queue(stream).capture is not None:
            self._break(self._queue(stream).capture, "gemm of CuPy")
        for x, _, n_bytes in blas.operands(gemm):
            self._check_span(x.address, n_bytes, self._current, "gemm")
        self._give(stream, lambda: blas.multiply(gemm))

    # Other devices.

    def can_access_peer(self, device, peer):
        return device != peer

    def enable_peer(self, device, peer, enabled):
        pass

    # Collective communication.

    def communicator_create(self, devices):
        if "all_reduce" in self.missing_routines:
            raise RoutineMissing("the simulated machine has no NCCL")
        if len(set(devices)) < len(devices) or not all(0 <= device < len(self._devices) for device in devices):
            raise DeviceError(f"communicator_create({devices}): NCCL wants different devices that exist")
        number = next(self._numbers)
        self._communicators[number] = tuple(devices)
        return number

    def communicator_destroy(self, communicator):
        del self._communicators[communicator]

    def all_reduce(self, communicator, addresses, n_elements, dtype, streams):
        """Nothing is added before every stream has come this far; from the last device to the first, an order that
        no other function has here."""
        devices, dtype = self._communicators[communicator], numpy.dtype(dtype)
        before, marks, arrays = self._current, [], []
        for device, address, stream in zip(devices, addresses, streams, strict=True):
            self._check_span(address, n_elements * dtype.itemsize, device, "all_reduce")
            self.set_device(device)
            marks.append(EventMark(device, self._queue(stream), is_reached=False))
            self._give(stream, functools.partial(setattr, marks[-1], "is_reached", True))
            memory = (ctypes.c_char * (n_elements * dtype.itemsize)).from_address(address)
            arrays.append(numpy.frombuffer(memory, dtype))
        sums = []

        def add():
            for mark in marks:
                self._reach(mark)
            if not sums:
                sums.append(functools.reduce(numpy.add, arrays[::-1]))
                for x in arrays:
                    x[:] = sums[0]

        for device, stream in zip(devices, streams, strict=True):
            self.set_device(device)
            self._give(stream, add)
        self.set_device(before)
