"""The cuDNN helper: convolutions and their gradients by NVIDIA's library.

It is called through its Python front end `cudnn`.

Design: one graph of the front end for each kind, shape and dtype, built when it is first met and kept ready; it runs on
the addresses of arrays here, in scratch memory of ours, on this thread's stream.  A lock lets one thread at a time call
cuDNN, whose handles are not thread-safe.  Only deterministic plans are used that compute float32 without TF32.
Convolutions for which cuDNN has no such plan run on the built-in kernels, and so do grouped ones and those of volumes.
It has never run on a GPU, so it is off until `use_cudnn(True)` is called.  CuPy is no way there: its own binding
of cuDNN went with CuPy 14.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from threading import Lock
from typing import Any

from ..._spec.dtypes import DTYPES, DTypeRow
from ..allocation.device_scratch import Scratch
from ..allocation.ownership import used_on_stream
from ..array.device_array import DeviceArray
from ..driver.driver import DeviceError
from ..driver.driver_choice import at_change
from ..launch.current_stream import bound_device, stream_of

MAX_PLANS = 128  # that are kept
# The front end's names of real floating dtypes, by bytes; halves are computed as the first.
TYPES = {4: "FLOAT", 8: "DOUBLE"}
CUT_BYTES = 4  # of the dtype that tensor cores would cut to TF32

library: Any = None  # the front end while it is in use
lock = Lock()  # held while the following is used
handles: dict[int, Any] = {}  # by device
plans: dict[tuple[Any, ...], Plan | None] = {}  # None: cuDNN has none; the one used last at the end


@dataclass(frozen=True)
class Plan:
    """A graph ready to run; `tensors` in the order: two operands, a bias where there is one, the result."""

    graph: Any
    tensors: tuple[Any, ...]
    workspace_bytes: int


def use_cudnn(wanted: bool) -> bool:
    """Use cuDNN for convolutions on devices or not, in all threads; returns whether it was used before.

    wanted: True asks cuDNN for convolutions, False does not.
    It is off by default, because it has never run on a GPU.
    Raises TypeError for anything but True and False, RuntimeError where the front end or the library is missing.

    >>> nd.cuda.use_cudnn(False)
    False
    """
    global library
    if not isinstance(wanted, bool):
        raise TypeError(f"use_cudnn: True or False, given {wanted!r}")
    before = library is not None
    if not wanted:
        library = None
    elif not before:
        try:
            found = importlib.import_module("cudnn")
            found.backend_version()
        except Exception as error:  # what a library that cannot be opened raises is not documented
            raise RuntimeError(
                f"use_cudnn: cuDNN cannot be used, {error}; pip install nvidia-cudnn-frontend nvidia-cudnn-cu13"
            ) from None
        library = found
    return before


def description() -> str:
    """The library in use, in words; empty where it is none."""
    if library is None:
        return ""
    version = library.backend_version()
    return f"cuDNN {version // 10000}.{version // 100 % 100}.{version % 100} on devices"


def has_convolved(
    variant: str, sizes: dict[str, int], x: DeviceArray, w: DeviceArray, y: DeviceArray, bias: DeviceArray | None = None
) -> bool:
    """Whether cuDNN wrote `y`; if not, nothing happened.

    variant: of the kernels of kernels/cuda/conv.cu, whose operands `x`, `w` and `bias` are, dense
    Raises DeviceError where cuDNN fails.
    """
    row = DTYPES[y.number]
    if library is None or sizes["groups"] > 1 or x.ndim > 4 or row.kind != "real floating" or row.itemsize not in TYPES:
        return False
    device = y.device_number
    stream = stream_of(device)
    bound_device(device)
    arrays = [x, w, y] if bias is None else [x, w, bias, y]
    addresses = [array.address for array in arrays]
    try:
        with lock:
            handle = handle_of(device)
            plan = plan_of(handle, device, variant, sizes, row, bias is not None)
            if plan is None:
                return False
            room = Scratch(device, plan.workspace_bytes) if plan.workspace_bytes else None
            library.set_stream(handle, stream)
            plan.graph.execute(dict(zip(plan.tensors, addresses, strict=True)), room.address if room else 0, handle)
    except DeviceError:
        raise
    except RuntimeError as error:
        raise DeviceError(f"cuDNN, {variant}: {error}; nd4py.cuda.use_cudnn(False) does without it") from None
    for array in arrays:
        used_on_stream(array, stream)
    return True


def handle_of(device: int) -> Any:
    """The handle of cuDNN for the current device."""
    if device not in handles:
        handles[device] = library.create_handle()
    return handles[device]


def plan_of(
    handle: Any, device: int, variant: str, sizes: dict[str, int], row: DTypeRow, has_bias: bool
) -> Plan | None:
    """A plan, kept or new; None where cuDNN has none that keeps what we promise."""
    key = (device, variant, row.name, has_bias, *sizes.values())
    if key in plans:
        plan = plans.pop(key)
    else:
        graph, tensors = graph_of(library, variant, sizes, row, has_bias, handle=handle)
        plan = Plan(graph, tensors, graph.get_workspace_size()) if is_built(graph, row) else None
    plans[key] = plan
    if len(plans) > MAX_PLANS:
        plans.pop(next(iter(plans)))
    return plan


def graph_of(
    cudnn: Any, variant: str, sizes: dict[str, int], row: DTypeRow, has_bias: bool, **options: Any
) -> tuple[Any, tuple[Any, ...]]:
    """A graph of one convolution, not built yet, and its tensors.  `options` go to the front end's graph."""
    dtype, s = getattr(cudnn.data_type, TYPES[row.itemsize]), sizes
    graph = cudnn.pygraph(io_data_type=dtype, intermediate_data_type=dtype, compute_data_type=dtype, **options)
    images = (s["images"], s["channels"], s["height"], s["width"])
    filters = (s["filters"], s["channels"], s["kernel_h"], s["kernel_w"])
    results = (s["images"], s["filters"], s["out_h"], s["out_w"])
    windows = {
        "pre_padding": [s["pad_top"], s["pad_left"]],
        "post_padding": [padding_behind(s, "height", "_h", "pad_top"), padding_behind(s, "width", "_w", "pad_left")],
        "stride": [s["stride_h"], s["stride_w"]],
        "dilation": [s["dilation_h"], s["dilation_w"]],
    }

    def given(shape: tuple[int, ...]) -> Any:
        return graph.tensor(dim=list(shape), stride=dense_strides(shape), data_type=dtype)

    if variant == "conv_forward":
        operands, shape = [given(images), given(filters)], results
        y = graph.conv_fprop(image=operands[0], weight=operands[1], **windows)
        if has_bias:
            operands.append(given((1, s["filters"], 1, 1)))
            y = graph.bias(input=y, bias=operands[2])
    elif variant == "conv_input_gradient":
        operands, shape = [given(results), given(filters)], images
        y = graph.conv_dgrad(loss=operands[0], filter=operands[1], **windows)
    else:
        operands, shape = [given(images), given(results)], filters
        y = graph.conv_wgrad(image=operands[0], loss=operands[1], **windows)
    y.set_output(True).set_dim(list(shape)).set_stride(dense_strides(shape)).set_data_type(dtype)
    return graph, (*operands, y)


def is_built(graph: Any, row: DTypeRow) -> bool:
    """Whether the graph has a plan now, the best that cuDNN's heuristics know without the notes that we do not want."""
    notes, modes = library.numerical_note, library.heur_mode
    unwanted = [notes.NONDETERMINISTIC, notes.DOWN_CONVERT_INPUTS, notes.REDUCED_PRECISION_REDUCTION]
    if row.itemsize == CUT_BYTES:
        unwanted.append(notes.TENSOR_CORE)
    try:
        graph.validate()
        graph.build_operation_graph()
        graph.create_execution_plans([modes.A, modes.FALLBACK])
        graph.deselect_numeric_notes(unwanted)
        graph.check_support()
        graph.build_plans()
    except library.cudnnGraphNotSupportedError:
        return False
    return True


def padding_behind(sizes: dict[str, int], length: str, axis: str, before: str) -> int:
    """Zeros behind the last element that the last window needs."""
    reach = sizes[f"dilation{axis}"] * (sizes[f"kernel{axis}"] - 1) + 1
    end = (sizes[f"out{axis}"] - 1) * sizes[f"stride{axis}"] + reach
    return max(0, end - sizes[before] - sizes[length])


def dense_strides(shape: tuple[int, ...]) -> list[int]:
    """In elements, of C order."""
    strides = [1]
    for n in reversed(shape[1:]):
        strides.insert(0, strides[0] * n)
    return strides


def forget_driver() -> None:
    """Another driver has other devices, which handles do not know."""
    handles.clear()
    plans.clear()


at_change.append(forget_driver)
