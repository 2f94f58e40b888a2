"""The driver interface: the few calls that nd4py makes to a device, and their errors.

Design: everything above this protocol is the same for a GPU, for the simulator that runs the kernels on the CPU, and
for the stub that counts launches, so nearly all of it is tested where there is no GPU.  Handles are plain ints: memory
addresses, streams, events, modules, functions and graphs are what the driver says they are, and 0 is no handle but the
default stream; 1 and 2 are never streams, since DLPack names two others so.  Rejected: objects for handles, which would
cost an attribute look-up at each launch and tie the Cython code to one driver.

What holds for every driver:
- The *current device* belongs to the calling thread and is 0 in a new one, as in CUDA.  `malloc`, `mem_info`,
  `stream_create`, `event_create` and `module_load` work on the current device.
- Addresses are unique across devices and host allocations (unified addressing).
- Work given to one stream runs in the order it was given; `..._async` may return before the work is done, and host
  memory named in it must stay alive until the stream was synchronized.
- An error of work that runs later may be raised by any later call on that device.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

Address: TypeAlias = int  # of device memory, or of pinned host memory
Stream: TypeAlias = int
Event: TypeAlias = int
Module: TypeAlias = int
Function: TypeAlias = int
Graph: TypeAlias = int
Communicator: TypeAlias = int
Sizes3: TypeAlias = tuple[int, int, int]

DEFAULT_STREAM: Stream = 0


class DeviceError(RuntimeError):
    """A device, or its driver, refused or failed; the text says what was asked of it.

    >>> issubclass(nd.cuda.DeviceLost, nd.cuda.DeviceError)
    True
    """


class DeviceOutOfMemory(DeviceError, MemoryError):
    """There is not enough memory left on a device, or for pinned host memory.

    >>> issubclass(nd.cuda.DeviceOutOfMemory, MemoryError)
    True
    """


class DeviceLost(DeviceError):
    """A device failed in a way that ends its context: an illegal address, a hardware fault, a reset.

    Every later call on that device raises it again; arrays there are lost, those elsewhere are not.

    >>> issubclass(nd.cuda.DeviceLost, nd.cuda.DeviceError)
    True
    """


class RoutineMissing(DeviceError):
    """The library of a device has no such routine; the text says which library, and why."""


@dataclass(frozen=True)
class LibraryArray:
    """An array in C order without gaps, as a routine of a library gets it; `dtype` is NumPy's name."""

    address: Address
    shape: tuple[int, ...]
    dtype: str


@dataclass(frozen=True)
class Columns:
    """Matrices whose columns are without gaps, in device memory; steps are counted in elements.

    leading: from one column to the next    step: from one matrix to the next, 0 where there is only one
    is_transposed: whether the operand is the transpose of what lies there
    """

    address: Address
    leading: int
    step: int
    is_transposed: bool = False


@dataclass(frozen=True)
class Gemm:
    """Products C = A B of `batch` matrices: A is m x k, B is k x n; `dtype` is NumPy's name, or "bfloat16".

    As BLAS takes them.  Every number but the addresses and the steps is below 2**31 and at least 1.
    """

    dtype: str
    m: int
    n: int
    k: int
    batch: int
    a: Columns
    b: Columns
    c: Columns


# With which every module is compiled: denormal numbers are kept, divisions and roots are rounded correctly.
COMPILER_OPTIONS = ("-std=c++17", "--prec-div=true", "--prec-sqrt=true", "--ftz=false")


@dataclass(frozen=True)
class KernelModule:
    """The source of kernels that are compiled and loaded together.

    name: for messages and for the file names of caches, such as "map_float32"
    source: the text of one .cu translation unit whose kernels are `extern "C"`
    include_folders: where its `#include "..."` are found
    options: further options of the compiler, such as "-DND_BLOCK=256"
    digest: hexadecimal SHA-256 over source, options and the text of every header reached, so that equal digests mean
        equal kernels; the key of the caches in memory and on disk
    """

    name: str
    source: str
    include_folders: tuple[str, ...]
    options: tuple[str, ...]
    digest: str


class Driver(Protocol):
    """A family of devices.  Every method raises DeviceError, or one of its two kinds, when the driver refuses."""

    name: str  # for nd.show_config() and error messages: "cupy", "simulator", "stub"

    # Devices.

    def device_count(self) -> int:
        """How many devices there are."""

    def device_name(self, device: int) -> str:
        """What the maker calls the device."""

    def compute_capability(self, device: int) -> tuple[int, int]:
        """The generation of the device that code is compiled for, (9, 0) for a Hopper."""

    def set_device(self, device: int) -> None:
        """Make `device` the current one of the calling thread."""

    def device_of_memory(self, address: Address) -> int:
        """The device whose memory an address is in.  Raises DeviceError for memory of none."""

    def mem_info(self) -> tuple[int, int]:
        """(free, total) bytes of the current device."""

    def synchronize(self) -> None:
        """Wait for all work given to the current device."""

    # Memory.

    def malloc(self, n_bytes: int) -> Address:
        """Device memory, aligned to 256 bytes at least.  Raises DeviceOutOfMemory; n_bytes is at least 1."""

    def free(self, address: Address) -> None:
        """Give back what `malloc` gave.  Work that was given before may still use it: the driver waits for it."""

    def host_alloc(self, n_bytes: int) -> Address:
        """Pinned host memory, which devices read and write without a copy in between.  Raises DeviceOutOfMemory."""

    def host_free(self, address: Address) -> None:
        """Give back what `host_alloc` gave."""

    def memcpy_h2d_async(self, destination: Address, source: int, n_bytes: int, stream: Stream) -> None:
        """Copy from host memory at `source`, pinned or not, to the device."""

    def memcpy_d2h_async(self, destination: int, source: Address, n_bytes: int, stream: Stream) -> None:
        """Copy from the device to host memory at `destination`, pinned or not."""

    def memcpy_d2d_async(self, destination: Address, source: Address, n_bytes: int, stream: Stream) -> None:
        """Copy within the current device."""

    def memcpy_peer_async(
        self,
        destination: Address,
        destination_device: int,
        source: Address,
        source_device: int,
        n_bytes: int,
        stream: Stream,
    ) -> None:
        """Copy between two devices, with or without peer access; the stream may be of either."""

    def memset_async(self, address: Address, byte: int, n_bytes: int, stream: Stream) -> None:
        """Set every byte of device memory to `byte`, 0 to 255."""

    # Streams and events.

    def stream_create(self) -> Stream:
        """A stream that does not wait for the default stream."""

    def stream_destroy(self, stream: Stream) -> None:
        """End a stream; work given to it still runs."""

    def stream_synchronize(self, stream: Stream) -> None:
        """Wait for all work given to the stream."""

    def event_create(self, timing: bool = False) -> Event:
        """An event that nothing recorded yet, which counts as reached; with `timing` it also notes when."""

    def event_destroy(self, event: Event) -> None:
        """End an event."""

    def event_record(self, event: Event, stream: Stream) -> None:
        """Let the event be reached when all work given to the stream so far is done."""

    def event_wait(self, event: Event, stream: Stream) -> None:
        """Let later work of the stream wait for the event, which may be of another device; the host goes on."""

    def event_query(self, event: Event) -> bool:
        """Whether the event was reached; never waits.  Raises DeviceError for all but these two: it is not known."""

    def event_synchronize(self, event: Event) -> None:
        """Wait until the event is reached."""

    def event_elapsed(self, start: Event, end: Event) -> float:
        """Milliseconds between two events with timing, both reached."""

    # Kernels.

    def module_load(self, module: KernelModule) -> Module:
        """Compile, or find compiled, and load on the current device.  Raises DeviceError with the compiler's words."""

    def module_unload(self, module: Module) -> None:
        """Take a module off its device; its functions and globals are gone."""

    def get_function(self, module: Module, name: str) -> Function:
        """A kernel of a module.  Raises DeviceError naming it when the module has none of that name."""

    def launch(
        self,
        function: Function,
        grid: Sizes3,
        block: Sizes3,
        shared_bytes: int,
        stream: Stream,
        arguments: Sequence[bytes],
    ) -> None:
        """Run a kernel over grid x block threads.

        shared_bytes: dynamic shared memory of a block
        arguments: the bytes of each parameter of the kernel, in their order and of their exact size: an address is 8
            bytes in the machine's byte order, a structure passed by value is the structure's bytes.  They are copied
            before the call returns.
        """

    def launch_address(self) -> int:
        """The address of a C function that launches as `launch` does, or 0 where there is none.

        Its type is that of cuLaunchKernel: int (*)(void* function, unsigned grid_x, grid_y, grid_z, unsigned block_x,
        block_y, block_z, unsigned shared_bytes, void* stream, void** parameters, void** extra), where `function` and
        `stream` are the handles above; it returns 0, or a status for `raise_status`.  It needs no GIL, and the caller's
        current device must be that of the function.
        """

    def raise_status(self, status: int, what: str) -> None:
        """Raise the error of a status other than 0 that the function at `launch_address` returned for `what`."""

    # Libraries.

    def run_routine(
        self,
        name: str,
        inputs: Sequence[LibraryArray],
        outputs: Sequence[LibraryArray],
        attributes: Mapping[str, Any],
        stream: Stream,
    ) -> tuple[int, bool]:
        """Run a routine of `library_routines` on arrays of the current device, after the work given to `stream`.

        Returns what `library.run_routine` does.  Raises RoutineMissing where the library lacks it.
        """

    def gemm(self, gemm: Gemm, stream: Stream) -> None:
        """Multiply matrices of the current device, after the work given to `stream`.  The host does not wait.

        Halves are multiplied and added in float32.  Raises RoutineMissing where the library, or the device, lacks it.
        """

    # Graphs: a fixed series of launches, given at once.

    def begin_capture(self, stream: Stream) -> None:
        """Note work given to `stream` from now on instead of running it.

        Meanwhile this thread may neither allocate, free, load kernels nor wait; the driver refuses that, and the graph.
        """

    def end_capture(self, stream: Stream) -> Graph:
        """The noted work, ready to be launched."""

    def graph_launch(self, graph: Graph, stream: Stream) -> None:
        """Run the noted work, with the arguments and addresses it was noted with."""

    def graph_destroy(self, graph: Graph) -> None:
        """End a graph."""

    # Other devices.

    def can_access_peer(self, device: int, peer: int) -> bool:
        """Whether kernels on `device` could read memory of `peer`."""

    def enable_peer(self, device: int, peer: int, enabled: bool) -> None:
        """Let kernels on `device` read memory of `peer`, or no more; setting what is set already does nothing."""

    # Collective communication: work that several devices do together.

    def communicator_create(self, devices: Sequence[int]) -> Communicator:
        """What joins two devices or more, each named once.  Raises RoutineMissing where there is no library for it."""

    def communicator_destroy(self, communicator: Communicator) -> None:
        """End a communicator."""

    def all_reduce(
        self,
        communicator: Communicator,
        addresses: Sequence[Address],
        n_elements: int,
        dtype: str,
        streams: Sequence[Stream],
    ) -> None:
        """Let each device's elements be the sums over all devices, the same bits on each, in an order of the library's.

        addresses, streams: one for each device of the communicator, in their order; a device adds after the work that
            its stream was given before, and its stream goes on when its sums are there
        dtype: NumPy's name of a real floating dtype of 4 or 8 bytes
        """
