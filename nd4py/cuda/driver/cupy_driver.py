"""The driver through CuPy's bindings of the CUDA runtime, driver and compiler.

Only `compiled` of this file has ever run: no machine that built or tested it had a device.  It is therefore kept to one
line per method wherever CuPy has a function of the same name, and everything above it is tested with the simulator
instead.
The only file that imports CuPy.
"""

from __future__ import annotations

import ctypes
import importlib
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from math import prod
from typing import Any, TypeVar

import cupy
import cupyx
import numpy
from cupy.cuda import driver as cuda_driver
from cupy.cuda import nvrtc, runtime
from cupy_backends.cuda.api.driver import CUDADriverError
from cupy_backends.cuda.api.runtime import CUDARuntimeError

from ..._spec.dtypes import BY_NAME
from ..allocation.device_scratch import Scratch
from ..compile.machine_code import machine_code
from .driver import (
    COMPILER_OPTIONS,
    DeviceError,
    DeviceLost,
    DeviceOutOfMemory,
    Gemm,
    KernelModule,
    LibraryArray,
    RoutineMissing,
    Sizes3,
)
from .library_routines import run_routine
from .status import status

Result = TypeVar("Result")
OUT_OF_MEMORY = 2  # cudaErrorMemoryAllocation and CUDA_ERROR_OUT_OF_MEMORY
# Errors that end a context: illegal address, launch timeout, assert, hardware stack, illegal instruction, misaligned
# address, illegal address space, illegal counter, launch failure, and uncorrectable memory.
FATAL = {214, 700, 702, 710, 714, 715, 716, 717, 718, 719}
PORTABLE_PINNED = 1
NO_TIMING = 2
NON_BLOCKING = 1
NOT_READY = 600
DEVICE_MEMORY, MANAGED_MEMORY = 2, 3
THREAD_LOCAL_CAPTURE = 1
PEER_IS_ENABLED, PEER_IS_NOT_ENABLED = 704, 705
NOT_IN_CUBLAS = {8, 15}  # CUBLAS_STATUS_ARCH_MISMATCH and CUBLAS_STATUS_NOT_SUPPORTED
NO_HALF_SUMS = 16  # CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION
BFLOAT = 4  # DLPack's code of such floats


def asked(function: Callable[..., Result], *arguments: Any) -> Result:
    """Call one of CuPy's bindings, and say its errors in ours."""
    try:
        return function(*arguments)
    except (CUDARuntimeError, CUDADriverError) as error:
        raise error_of(error.status, f"{function.__name__}: {error}") from None


def error_of(status: int, text: str) -> DeviceError:
    """The error of a status of the runtime or the driver, whose numbers agree where it matters here."""
    if status == OUT_OF_MEMORY:
        return DeviceOutOfMemory(text)
    return DeviceLost(text) if status in FATAL else DeviceError(text)


@lru_cache(maxsize=1)
def library() -> ctypes.CDLL:
    """The CUDA driver itself, for the address of cuLaunchKernel."""
    return ctypes.CDLL("libcuda.so.1")


class CupyDriver:
    """See `nd4py.cuda.driver.driver.Driver`."""

    name = "cupy"

    def device_count(self) -> int:
        return asked(runtime.getDeviceCount)

    def device_name(self, device: int) -> str:
        return asked(runtime.getDeviceProperties, device)["name"].decode()

    def compute_capability(self, device: int) -> tuple[int, int]:
        properties = asked(runtime.getDeviceProperties, device)
        return properties["major"], properties["minor"]

    def set_device(self, device: int) -> None:
        asked(runtime.setDevice, device)  # makes the device's context too, since CUDA 12

    def mem_info(self) -> tuple[int, int]:
        return asked(runtime.memGetInfo)

    def device_of_memory(self, address: int) -> int:
        found = asked(runtime.pointerGetAttributes, address)
        if found.type not in (DEVICE_MEMORY, MANAGED_MEMORY):
            raise DeviceError(f"the address {address:#x} is that of no memory on a device")
        return found.device

    def synchronize(self) -> None:
        asked(runtime.deviceSynchronize)

    def malloc(self, n_bytes: int) -> int:
        return asked(runtime.malloc, n_bytes)

    def free(self, address: int) -> None:
        asked(runtime.free, address)

    def host_alloc(self, n_bytes: int) -> int:
        return asked(runtime.hostAlloc, n_bytes, PORTABLE_PINNED)

    def host_free(self, address: int) -> None:
        asked(runtime.freeHost, address)

    def memcpy_h2d_async(self, destination: int, source: int, n_bytes: int, stream: int) -> None:
        asked(runtime.memcpyAsync, destination, source, n_bytes, runtime.memcpyHostToDevice, stream)

    def memcpy_d2h_async(self, destination: int, source: int, n_bytes: int, stream: int) -> None:
        asked(runtime.memcpyAsync, destination, source, n_bytes, runtime.memcpyDeviceToHost, stream)

    def memcpy_d2d_async(self, destination: int, source: int, n_bytes: int, stream: int) -> None:
        asked(runtime.memcpyAsync, destination, source, n_bytes, runtime.memcpyDeviceToDevice, stream)

    def memcpy_peer_async(
        self, destination: int, destination_device: int, source: int, source_device: int, n_bytes: int, stream: int
    ) -> None:
        asked(runtime.memcpyPeerAsync, destination, destination_device, source, source_device, n_bytes, stream)

    def memset_async(self, address: int, byte: int, n_bytes: int, stream: int) -> None:
        asked(runtime.memsetAsync, address, byte, n_bytes, stream)

    def stream_create(self) -> int:
        return asked(runtime.streamCreateWithFlags, NON_BLOCKING)

    def stream_destroy(self, stream: int) -> None:
        asked(runtime.streamDestroy, stream)

    def stream_synchronize(self, stream: int) -> None:
        asked(runtime.streamSynchronize, stream)

    def event_create(self, timing: bool = False) -> int:
        return asked(runtime.eventCreateWithFlags, 0 if timing else NO_TIMING)

    def event_destroy(self, event: int) -> None:
        asked(runtime.eventDestroy, event)

    def event_record(self, event: int, stream: int) -> None:
        asked(runtime.eventRecord, event, stream)

    def event_wait(self, event: int, stream: int) -> None:
        asked(runtime.streamWaitEvent, stream, event, 0)

    def event_query(self, event: int) -> bool:
        status = asked(runtime.eventQuery, event)  # which CuPy gives as it is
        if status not in (0, NOT_READY):
            raise error_of(status, f"eventQuery: status {status}")
        return status == 0

    def event_synchronize(self, event: int) -> None:
        asked(runtime.eventSynchronize, event)

    def event_elapsed(self, start: int, end: int) -> float:
        return asked(runtime.eventElapsedTime, start, end)

    # Kernels.

    def module_load(self, module: KernelModule) -> int:
        capability = self.compute_capability(asked(runtime.getDevice))
        version = ".".join(map(str, nvrtc.getVersion())) if status().nvrtc else None
        return asked(cuda_driver.moduleLoadData, machine_code(module, capability, version, compiled))

    def module_unload(self, module: int) -> None:
        asked(cuda_driver.moduleUnload, module)

    def get_function(self, module: int, name: str) -> int:
        return asked(cuda_driver.moduleGetFunction, module, name)

    def launch(
        self, function: int, grid: Sizes3, block: Sizes3, shared_bytes: int, stream: int, arguments: Sequence[bytes]
    ) -> None:
        buffers = [ctypes.create_string_buffer(argument, len(argument)) for argument in arguments]
        parameters = (ctypes.c_void_p * len(buffers))(*map(ctypes.addressof, buffers))
        status = library().cuLaunchKernel(
            ctypes.c_void_p(function), *grid, *block, shared_bytes, ctypes.c_void_p(stream), parameters, None
        )
        if status:
            self.raise_status(status, "launch")

    def launch_address(self) -> int:
        return ctypes.cast(library().cuLaunchKernel, ctypes.c_void_p).value or 0

    def raise_status(self, status: int, what: str) -> None:
        name = ctypes.c_char_p()
        library().cuGetErrorName(status, ctypes.byref(name))
        raise error_of(status, f"{what}: {(name.value or b'unknown error').decode()} ({status})")

    # Libraries.

    def run_routine(
        self,
        name: str,
        inputs: Sequence[LibraryArray],
        outputs: Sequence[LibraryArray],
        attributes: Mapping[str, Any],
        stream: int,
    ) -> tuple[int, bool]:
        device = asked(runtime.getDevice)
        given, room = ([array_over(x, device) for x in xs] for xs in (inputs, outputs))
        allocator = cupy.cuda.PythonFunctionAllocator(allocate_for_cupy, release_for_cupy)
        try:
            with (
                stream_of_cupy(stream, device),
                cupy.cuda.using_allocator(allocator.malloc),
                cupyx.errstate(linalg="raise"),
            ):
                return run_routine(cupy, name, given, room, attributes)
        except (CUDARuntimeError, CUDADriverError) as error:
            raise error_of(error.status, f"{name}: {error}") from None
        except (AttributeError, ImportError) as error:  # an older CuPy, or a library of CUDA that is not installed
            raise RoutineMissing(
                f"{name}: CuPy {cupy.__version__} cannot compute it here, {error}; nd4py[cuda13] contains the libraries"
            ) from None
        except RuntimeError as error:  # of a kind of their own those of cuSOLVER, cuBLAS and cuFFT
            if type(error) in (RuntimeError, NotImplementedError):
                raise RoutineMissing(f"{name}: CuPy {cupy.__version__} cannot compute it here, {error}") from None
            raise DeviceError(f"{name}: {error}") from None

    def gemm(self, gemm: Gemm, stream: int) -> None:
        device = asked(runtime.getDevice)
        try:
            with stream_of_cupy(stream, device):
                multiply(gemm)
        except (AttributeError, ImportError) as error:
            raise RoutineMissing(f"gemm: CuPy {cupy.__version__} finds no cuBLAS, {error}") from None
        except (CUDARuntimeError, CUDADriverError) as error:
            raise error_of(error.status, f"gemm: {error}") from None
        except RuntimeError as error:
            if getattr(error, "status", 0) in NOT_IN_CUBLAS:
                raise RoutineMissing(f"gemm of {gemm.dtype}: {error}") from None
            raise DeviceError(f"gemm of {gemm.dtype}: {error}") from None

    # Graphs.

    def begin_capture(self, stream: int) -> None:
        asked(runtime.streamBeginCapture, stream, THREAD_LOCAL_CAPTURE)

    def end_capture(self, stream: int) -> int:
        graph = asked(runtime.streamEndCapture, stream)
        try:
            return asked(runtime.graphInstantiate, graph)
        finally:
            asked(runtime.graphDestroy, graph)

    def graph_launch(self, graph: int, stream: int) -> None:
        asked(runtime.graphLaunch, graph, stream)

    def graph_destroy(self, graph: int) -> None:
        asked(runtime.graphExecDestroy, graph)

    # Other devices.

    def can_access_peer(self, device: int, peer: int) -> bool:
        return device != peer and bool(asked(runtime.deviceCanAccessPeer, device, peer))

    def enable_peer(self, device: int, peer: int, enabled: bool) -> None:
        before = asked(runtime.getDevice)
        asked(runtime.setDevice, device)
        try:
            (runtime.deviceEnablePeerAccess if enabled else runtime.deviceDisablePeerAccess)(peer)
        except CUDARuntimeError as error:
            if error.status not in (PEER_IS_ENABLED, PEER_IS_NOT_ENABLED):
                raise error_of(error.status, f"peer access from {device} to {peer}: {error}") from None
        finally:
            asked(runtime.setDevice, before)

    # Collective communication.

    def communicator_create(self, devices: Sequence[int]) -> int:
        nccl = nccl_of_cupy()
        if not nccl.available:
            raise RoutineMissing(
                f"CuPy {cupy.__version__} finds no NCCL here; install it with pip install nvidia-nccl-cu13"
            )
        before = asked(runtime.getDevice)
        try:
            joined = nccl.NcclCommunicator.initAll(list(devices))
        except nccl.NcclError as error:
            raise DeviceError(f"NCCL for devices {', '.join(map(str, devices))}: {error}") from None
        finally:
            asked(runtime.setDevice, before)
        communicators[id(joined)] = joined
        return id(joined)

    def communicator_destroy(self, communicator: int) -> None:
        for one in communicators.pop(communicator):
            one.destroy()

    def all_reduce(
        self, communicator: int, addresses: Sequence[int], n_elements: int, dtype: str, streams: Sequence[int]
    ) -> None:
        nccl = nccl_of_cupy()
        kind = getattr(nccl, f"NCCL_{dtype.upper()}")
        try:
            nccl.groupStart()
            try:
                for one, address, stream in zip(communicators[communicator], addresses, streams, strict=True):
                    one.allReduce(address, address, n_elements, kind, nccl.NCCL_SUM, stream)
            finally:
                nccl.groupEnd()
        except nccl.NcclError as error:
            raise DeviceError(f"NCCL: {n_elements} sums of {dtype}: {error}") from None


communicators: dict[int, list[Any]] = {}  # of NCCL, one for each device


def nccl_of_cupy() -> Any:
    """CuPy's binding of NCCL, which warns when it is imported where there is none: not before it is asked for."""
    return importlib.import_module("cupy.cuda.nccl")


def stream_of_cupy(stream: int, device: int) -> Any:
    """A stream as CuPy's functions find it, in a `with` statement."""
    return cupy.cuda.ExternalStream(stream, device) if stream else cupy.cuda.Stream.null


def multiply(gemm: Gemm) -> None:
    """Give cuBLAS a product, on CuPy's current stream and with its handle of this thread."""
    cublas, a, b, c = cupy.cuda.cublas, gemm.a, gemm.b, gemm.c
    row = BY_NAME[gemm.dtype]
    scalars = numpy.array([1, 0], row.compute)  # of A B, and of what C was before
    one, zero = scalars.ctypes.data, scalars.ctypes.data + scalars.itemsize
    letter, n_parts = ("C", 2) if row.kind == "complex floating" else ("R", 1)
    kind = getattr(runtime, f"CUDA_{letter}_{8 * row.itemsize // n_parts}{'BF' if row.dlpack[0] == BFLOAT else 'F'}")
    compute = getattr(cublas, f"CUBLAS_COMPUTE_{8 * scalars.itemsize // n_parts}F")
    handle = cupy.cuda.device.get_cublas_handle()
    before = cublas.getMathMode(handle)
    cublas.setMathMode(handle, NO_HALF_SUMS)
    try:
        cublas.gemmStridedBatchedEx(
            handle, int(a.is_transposed), int(b.is_transposed), gemm.m, gemm.n, gemm.k,
            one, a.address, kind, a.leading, a.step, b.address, kind, b.leading, b.step,
            zero, c.address, kind, c.leading, c.step, gemm.batch, compute, cublas.CUBLAS_GEMM_DEFAULT,
        )  # fmt: skip
    finally:
        cublas.setMathMode(handle, before)


def array_over(x: LibraryArray, device: int) -> cupy.ndarray:
    """CuPy's array over memory of ours."""
    dtype = numpy.dtype(x.dtype)
    memory = cupy.cuda.UnownedMemory(x.address, prod(x.shape) * dtype.itemsize, x, device)
    return cupy.ndarray(x.shape, dtype, cupy.cuda.MemoryPointer(memory, 0))


taken: dict[int, Scratch] = {}  # what CuPy's arrays lie in, by address


def allocate_for_cupy(n_bytes: int, device: int) -> int:
    """Memory for CuPy, which belongs to the stream that CuPy works on now."""
    memory = Scratch(device, n_bytes, cupy.cuda.get_current_stream().ptr)
    taken[memory.address] = memory
    return memory.address


def release_for_cupy(address: int, device: int) -> None:
    """Take back what CuPy was given."""
    taken.pop(address, None)


def use_for_cupy() -> None:
    """Let CuPy take the memory of its arrays from the caches of nd4py.cuda, within their limits."""
    allocator = cupy.cuda.PythonFunctionAllocator(allocate_for_cupy, release_for_cupy)
    cupy.cuda.set_allocator(allocator.malloc)


def compiled(module: KernelModule, architecture: str) -> bytes:
    """The machine code of a module.  Raises DeviceError with the compiler's words."""
    folders = [f"-I{folder}" for folder in module.include_folders]
    program = nvrtc.createProgram(module.source, f"{module.name}.cu", (), ())
    try:
        nvrtc.compileProgram(program, (f"-arch={architecture}", *COMPILER_OPTIONS, *module.options, *folders))
        return bytes(nvrtc.getCUBIN(program))
    except nvrtc.NVRTCError as error:
        raise DeviceError(f"module {module.name!r} does not compile: {error}\n{nvrtc.getProgramLog(program)}") from None
    finally:
        nvrtc.destroyProgram(program)
