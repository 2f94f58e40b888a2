"""What `nd4py.cuda.conv.cudnn_convolution` asks of cuDNN's Python front end, computed by NumPy in a simulator's memory.

It refuses what the real one refuses: shapes that do not fit, steps out of order, operands that are missing.
"""

import ctypes
from enum import Enum
from itertools import product
from math import prod
from types import SimpleNamespace

import numpy as np

STEPS = ["validate", "build_operation_graph", "create_execution_plans", "deselect_numeric_notes", "check_support",
         "build_plans"]  # fmt: skip


class data_type(Enum):  # noqa: N801 - the front end's names
    FLOAT = "float32"
    DOUBLE = "float64"


class Unsupported(Exception):  # noqa: N818
    """`cudnnGraphNotSupportedError`."""


class Tensor:
    """A tensor of a graph; the setters return it."""

    def __init__(self, dim=None, stride=None, data_type=None):
        self.dim, self.stride, self.data_type, self.is_output = dim, stride, data_type, False

    def set_output(self, is_output):
        self.is_output = is_output
        return self

    def set_dim(self, dim):
        self.dim = dim
        return self

    def set_stride(self, stride):
        self.stride = stride
        return self

    def set_data_type(self, data_type):
        self.data_type = data_type
        return self


class Graph:
    """One convolution, and perhaps a bias."""

    def __init__(self, cudnn, io_data_type, intermediate_data_type, compute_data_type, handle):
        self.cudnn, self.computed, self.step, self.bias_tensor = cudnn, compute_data_type.value, 0, None

    def tensor(self, dim, stride, data_type):
        return Tensor(dim, stride, data_type)

    def convolution(self, kind, first, second, **windows):
        self.kind, self.operands, self.windows, self.result = kind, (first, second), windows, Tensor()
        return self.result

    def conv_fprop(self, image, weight, **windows):
        return self.convolution("fprop", image, weight, **windows)

    def conv_dgrad(self, loss, filter, **windows):
        return self.convolution("dgrad", loss, filter, **windows)

    def conv_wgrad(self, image, loss, **windows):
        return self.convolution("wgrad", image, loss, **windows)

    def bias(self, input, bias):
        assert input is self.result
        self.bias_tensor, self.result = bias, Tensor()
        return self.result

    def __getattr__(self, name):
        """The steps of building, each once and in order."""
        if name not in STEPS:
            raise AttributeError(name)
        if STEPS[self.step] != name:
            raise RuntimeError(f"{name} called where {STEPS[self.step]} is due")
        self.step += 1
        return getattr(self, f"do_{name}", lambda *arguments: None)

    def do_build_operation_graph(self):
        image, weight, result = (tensor.dim for tensor in self.roles())
        for axis in (0, 1):
            padded = image[2 + axis] + self.windows["pre_padding"][axis] + self.windows["post_padding"][axis]
            reach = self.windows["dilation"][axis] * (weight[2 + axis] - 1) + 1
            if (padded - reach) // self.windows["stride"][axis] + 1 != result[2 + axis]:
                raise RuntimeError("is_valid_spatial_dim: CUDNN_STATUS_BAD_PARAM")
        if (image[0], weight[0], image[1]) != (result[0], result[1], weight[1]) or not self.result.is_output:
            raise RuntimeError("CUDNN_STATUS_BAD_PARAM")

    def do_deselect_numeric_notes(self, notes):
        self.unwanted = notes

    def do_check_support(self):
        if self.cudnn.is_unsupported(self):
            raise Unsupported("no plan for this graph")

    def get_workspace_size(self):
        return self.cudnn.workspace_bytes

    def roles(self):
        """Image, weight and result tensors of the convolution."""
        first, second = self.operands
        return {"fprop": (first, second, self.result), "dgrad": (self.result, second, first),
                "wgrad": (first, self.result, second)}[self.kind]  # fmt: skip

    def execute(self, addresses, workspace, handle):
        """Compute on the stream of the handle."""
        if self.step < len(STEPS):
            raise RuntimeError("execute before build_plans")
        driver, arrays, n_bytes = self.cudnn.driver, {}, self.cudnn.workspace_bytes
        driver._check_span(workspace, n_bytes, handle.device, "workspace")
        for tensor, address in addresses.items():
            arrays[tensor] = array_at(driver, address, tensor, handle.device)
        image, weight, result = (arrays[tensor] for tensor in self.roles())
        bias = None if self.bias_tensor is None else arrays[self.bias_tensor]

        def work():
            ctypes.memset(workspace, 0xFF, n_bytes)
            convolve(self.kind, image, weight, result, self.windows, np.dtype(self.computed))
            if bias is not None:
                result[...] += bias

        driver._give(handle.stream, work)
        self.cudnn.executed.append(self)


def array_at(driver, address, tensor, device):
    """NumPy's array over the memory of a tensor, which lies in C order."""
    dtype = np.dtype(tensor.data_type.value)
    n_bytes = prod(tensor.dim) * dtype.itemsize
    driver._check_span(address, n_bytes, device, "execute")
    array = np.frombuffer((ctypes.c_char * n_bytes).from_address(address), dtype).reshape(tensor.dim)
    assert [stride * dtype.itemsize for stride in tensor.stride] == list(array.strides)
    return array


def convolve(kind, image, weight, result, windows, dtype):
    """One of the three, written to its array: a sum over the elements of the filters."""
    (top, left), (bottom, right) = windows["pre_padding"], windows["post_padding"]
    steps = windows["stride"], windows["dilation"]
    padded = np.pad(image.astype(dtype), ((0, 0), (0, 0), (top, bottom), (left, right)))
    sums = np.zeros({"fprop": result, "dgrad": padded, "wgrad": weight}[kind].shape, dtype)
    for i, j in product(*map(range, weight.shape[2:])):
        addresses = (..., *(
            slice(dilation * k, dilation * k + (n - 1) * stride + 1, stride)
            for k, n, stride, dilation in zip((i, j), result.shape[2:], *steps, strict=True)
        ))  # fmt: skip
        if kind == "fprop":
            sums += np.einsum("nchw,kc->nkhw", padded[addresses], weight[..., i, j].astype(dtype))
        elif kind == "dgrad":
            sums[addresses] += np.einsum("nkhw,kc->nchw", result.astype(dtype), weight[..., i, j].astype(dtype))
        else:
            sums[..., i, j] = np.einsum("nkhw,nchw->kc", result.astype(dtype), padded[addresses])
    if kind == "dgrad":
        sums = sums[..., top : top + image.shape[2], left : left + image.shape[3]]
    {"fprop": result, "dgrad": image, "wgrad": weight}[kind][...] = sums


class FakeCudnn:
    """The module `cudnn`, over the devices of a simulator.  `executed`: the graphs that ran; `built`: all made."""

    def __init__(self, driver):
        self.driver, self.executed, self.built = driver, [], []
        self.data_type, self.cudnnGraphNotSupportedError = data_type, Unsupported
        self.heur_mode = SimpleNamespace(A="A", FALLBACK="FALLBACK")
        names = ("NONDETERMINISTIC", "DOWN_CONVERT_INPUTS", "REDUCED_PRECISION_REDUCTION", "TENSOR_CORE")
        self.numerical_note = SimpleNamespace(**{name: name for name in names})
        self.is_unsupported = lambda graph: False
        self.workspace_bytes = 1000

    def backend_version(self):
        return 92801

    def create_handle(self):
        return SimpleNamespace(device=self.driver._current, stream=0)

    def set_stream(self, handle, stream):
        handle.stream = stream

    def pygraph(self, **options):
        self.built.append(Graph(self, **options))
        return self.built[-1]
