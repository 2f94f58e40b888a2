"""Run kernels of the catalogue on a simulated device, with NumPy arrays of any layout as operands.

In the environment, ND4PY_CUDA_TESTS=all runs every row, dtype and kernel where a fixed sample is the default, and
ND4PY_CUDA_TESTS_ON=gpu runs the tests of this folder on this machine's GPU instead (simulated_devices.py).
"""

import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from simulated_devices import default_driver
from simulator.compiler import CHECKED, compile_module

from nd4py.cuda.compile.kernel_catalogue import Kernels, kernels_of
from nd4py.cuda.launch.geometry import Operand, chain_launch, map_launch
from nd4py.cuda.reduce.reduce_geometry import ChainOperands, plan_reduction

EVERYTHING = os.environ.get("ND4PY_CUDA_TESTS") == "all"
SCHEDULES = (("forward", 0), ("reverse", 0), ("random", 1), ("random", 2))
TORN_SCHEDULES = (("torn", 1), ("torn", 2))  # for modules compiled with the flags TORN
# NumPy has no bfloat16: its arrays hold the bits.
NUMPY_NAMES = {"bfloat16": "uint16"}


def numpy_dtype(dtype):
    """The NumPy dtype that holds elements of `dtype`."""
    return np.dtype(NUMPY_NAMES.get(dtype, dtype))


def bfloat16_bits(x):
    """The bits of float32 values as bfloat16, rounded half to even."""
    bits = np.ascontiguousarray(x, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def bfloat16_values(bits):
    """The float32 values of bfloat16 bits."""
    return (bits.astype(np.uint32) << 16).view(np.float32)


def grouped(name, texts):
    """{name of a text: its Kernels} out of one module, which compiles faster than one for each."""
    texts = tuple(dict.fromkeys(texts))
    module = kernels_of(name, texts).module
    return {text.name: Kernels(module, dict(text.symbols)) for text in texts}


def compile_side_by_side(modules, flags):
    """Fill the cache of the simulator's compiler with several modules, as many at once as there are processors."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda module: compile_module(module, flags), modules))


class Bench:
    """One simulated device whose allocations end less than 16 bytes before a guard, or this machine's GPU."""

    def __init__(self, flags=CHECKED, **options):
        self.driver = default_driver(alignment=16, flags=flags, **options)
        self._modules, self._addresses = {}, []

    def function(self, kernels, variant):
        """(module, function) of one kernel."""
        if kernels.module.digest not in self._modules:
            self._modules[kernels.module.digest] = self.driver.module_load(kernels.module)
        module = self._modules[kernels.module.digest]
        return module, self.driver.get_function(module, kernels.symbols[variant])

    def upload(self, x, shift=0):
        """Device memory with what a NumPy array spans; the address of its first element.

        shift: bytes in front, so that the address is less aligned
        """
        x = np.asarray(x)
        low, high = np.lib.array_utils.byte_bounds(x) if x.size else (x.ctypes.data, x.ctypes.data + 1)
        address = self.driver.malloc(high - low + shift)
        self._addresses.append(address)
        self.driver.memcpy_h2d_async(address + shift, low, high - low, 0)
        self.driver.stream_synchronize(0)  # the array may be gone when the caller goes on
        return address + shift + x.ctypes.data - low

    def room(self, n_bytes, shift=0):
        """Uninitialised (poisoned) device memory."""
        self._addresses.append(self.driver.malloc(max(1, n_bytes) + shift))
        return self._addresses[-1] + shift

    def download(self, address, like):
        """Fill a dense NumPy array from the device."""
        assert like.flags.c_contiguous
        self.driver.memcpy_d2h_async(like.ctypes.data, address, like.nbytes, 0)
        self.driver.stream_synchronize(0)
        return like

    def free(self):
        """Give back all memory; the driver checks that nothing was written behind it."""
        addresses, self._addresses = self._addresses, []
        for address in addresses:
            self.driver.free(address)

    def launch(self, kernels, launch):
        """Run one launch.  A failed one leaves no lost device behind."""
        _, function = self.function(kernels, launch.variant)
        try:
            self.driver.launch(function, launch.grid, launch.block, launch.shared_bytes, 0, launch.arguments)
        finally:
            self.driver.revive()

    def run_map(
        self,
        kernels,
        inputs,
        outputs,
        params=(),
        shift=0,
        max_blocks=2**31 - 1,
        expect=None,
        in_place=False,
        values=None,
    ):
        """The results of an elementwise kernel over inputs that broadcast.

        outputs: NumPy dtypes of the results, or arrays whose layout they shall have
        expect: the variant that should run
        in_place: the first result is written over the first input
        values: the words of a chain's scalars, where the kernel is one of chain.cu
        """
        shape = np.broadcast_shapes(*(x.shape for x in inputs)) if inputs else outputs[0].shape
        operands = []
        for x in inputs:
            seen = np.broadcast_to(x, shape)
            strides = tuple(0 if n == 1 else s for n, s in zip(shape, seen.strides, strict=True))
            operands.append(Operand(self.upload(x, shift), x.itemsize, strides))
        likes = [x if isinstance(x, np.ndarray) else np.empty(shape, x) for x in outputs]
        spans = [np.lib.array_utils.byte_bounds(y) if y.size else (y.ctypes.data, y.ctypes.data) for y in likes]
        rooms = [self.room(high - low, shift) for low, high in spans]
        if in_place:
            rooms[0] = operands[0].address
        for y, room, (low, _) in zip(likes, rooms, spans, strict=True):
            operands.append(Operand(room + y.ctypes.data - low, y.itemsize, y.strides))
        if values is None:
            launch = map_launch(shape, operands, len(inputs), params, max_blocks)
        else:
            launch = chain_launch(shape, operands, len(inputs), values, max_blocks)
        if launch is not None:
            assert expect is None or launch.variant == expect, f"{launch.variant} ran instead of {expect}"
            self.launch(kernels, launch)
        results = []
        for y, room, (low, high) in zip(likes, rooms, spans, strict=True):
            raw = self.download(room, np.empty(high - low, np.uint8))
            results.append(np.ndarray(y.shape, y.dtype, raw, y.ctypes.data - low, y.strides).copy(order="K"))
        self.free()
        return results

    def run_reduction(
        self, kernels, x, axes, dtype, accumulator_bytes, max_blocks=2**31 - 1, shift=0, operands=(), values=b""
    ):
        """(results of a reduction of `x` along `axes`, the plan).

        operands, values: of a chain whose result is reduced; arrays of the layout of `x`, or of one element
        """
        axes = [axis % x.ndim for axis in axes]
        plan = plan_reduction(x.shape, x.strides, axes, x.itemsize, accumulator_bytes)
        y = np.empty([n for i, n in enumerate(x.shape) if i not in axes], dtype)
        if plan is None:
            return y, plan
        room, scratch = self.room(y.nbytes), self.room(plan.scratch_bytes) if plan.scratch_bytes else 0
        chain, address = None, 0
        if operands:
            constant = sum(1 << k for k, operand in enumerate(operands) if operand.size == 1)
            chain = ChainOperands(tuple(self.upload(x, shift) for x in operands), constant, values)
        else:
            address = self.upload(x, shift)
        for launch in plan.launches(address, room, scratch, max_blocks, chain):
            self.launch(kernels, launch)
        self.download(room, y)
        self.free()
        return y, plan
