"""The interface that tools for ONNX models call: `Backend`, as `onnx.backend.base` describes it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy
from onnx import ModelProto, NodeProto, ValueInfoProto, defs, helper, shape_inference
from onnx.backend import base

from nd4py import api as nd

from .exporting import IR_VERSION
from .loaded_model import Model, load

DEVICE = re.compile(r"(CPU|CUDA)(:\d+)?")


class Prepared(base.BackendRep):
    """A model on a device.

    model: what `load` returned    device: nd4py's name of the device
    """

    def __init__(self, model: Model, device: str):
        self._model, self._device = model, device

    def run(self, inputs: Any, **unused: Any) -> tuple[Any, ...]:
        """The outputs as NumPy arrays, for inputs as `Model.run` takes them.  Raises as it does."""
        with nd.device(self._device):
            return tuple(as_numpy(each) for each in self._model.run(inputs))


class Backend(base.Backend):
    """Models of the ONNX format run by nd4py, for tools that know `onnx.backend.base.Backend`.

    Raises nothing.

    >>> from onnx import parser
    >>> text = '<ir_version: 8, opset_import: ["": 17]> agraph (float[n] x) => (float[n] y) { y = Abs(x) }'
    >>> nd.onnx.Backend.prepare(parser.parse_model(text)).run([nd.asarray([-1.0], dtype="float32")])[0].tolist()
    [1.0]
    """

    @classmethod
    def is_compatible(cls, model: Any, device: str = "CPU", **unused: Any) -> bool:
        """Whether the model and the device are supported.

        model: as for `load`    device: as for `supports_device`    unused: of other backends
        Raises ValueError for a damaged model, TypeError for another object.
        """
        try:
            load(model)
        except NotImplementedError:
            return False
        return cls.supports_device(device)

    @classmethod
    def prepare(cls, model: Any, device: str = "CPU", **unused: Any) -> base.BackendRep:
        """The model on a device; `run(inputs)` of it gives a tuple of NumPy arrays.

        model: as for `load`    device: as for `supports_device`    unused: of other backends
        Raises as `load` does, and ValueError for a device that is not there.
        """
        if not cls.supports_device(device):
            raise ValueError(f"prepare: no device {device!r}; there is CPU, and CUDA where a device is")
        place = own_name(device)
        with nd.device(place):
            return Prepared(load(model), place)

    @classmethod
    def run_model(cls, model: Any, inputs: Any, device: str = "CPU", **unused: Any) -> tuple[Any, ...]:
        """The outputs of a model as NumPy arrays.

        model: as for `load`    inputs: as for `Model.run`    device: as for `supports_device`    unused: of other
        backends
        Raises as `prepare` and `Model.run` do.
        """
        return cls.prepare(model, device).run(inputs)

    @classmethod
    def run_node(
        cls, node: Any, inputs: Any, device: str = "CPU", outputs_info: Any = None, **options: Any
    ) -> tuple[Any, ...]:
        """The outputs of a single node as NumPy arrays.

        node: an `onnx.NodeProto`    inputs: a list of arrays in the order of the node's inputs, or a dict by name
        device: as for `supports_device`    outputs_info: unused; types are inferred
        options: `opset_version`, of the node's operator; the newest by default
        Raises as `run_model` does.
        """
        if not isinstance(node, NodeProto):
            raise TypeError(f"run_node: node must be an onnx.NodeProto, given {type(node).__name__}")
        names = [name for name in node.input if name]
        if isinstance(inputs, Mapping):
            arrays = {name: numpy.asarray(each) for name, each in inputs.items()}
        elif isinstance(inputs, Sequence) and len(inputs) == len(names):
            arrays = {name: numpy.asarray(each) for name, each in zip(names, inputs, strict=True)}
        else:
            raise ValueError(f"run_node: the node has {len(names)} inputs: {', '.join(names)}")
        version = options.get("opset_version", defs.onnx_opset_version())
        return cls.run_model(model_of_node(node, arrays, version), arrays, device)

    @classmethod
    def supports_device(cls, device: str) -> bool:
        """Whether models can run there.

        device: "CPU", "CUDA" or "CUDA:1"
        Raises nothing: other devices are not supported.
        """
        if not isinstance(device, str) or DEVICE.fullmatch(device) is None:
            return False
        try:
            with nd.device(own_name(device)):
                return True
        except (ValueError, RuntimeError):  # no such device, or no CUDA
            return False


def own_name(device: str) -> str:
    """nd4py's name of a device that is called as ONNX does."""
    return "cpu" if device.startswith("CPU") else device.lower() if ":" in device else "cuda:0"


def as_numpy(value: Any) -> Any:
    """An output in NumPy's arrays; sequences stay lists."""
    if value is None or isinstance(value, list):
        return value and [as_numpy(each) for each in value]
    return numpy.asarray(value.to_device("cpu"))


def model_of_node(node: NodeProto, arrays: Mapping[str, Any], version: int) -> ModelProto:
    """A model of one node, whose inputs have the types of arrays."""
    inputs = [
        helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape)
        for name, array in arrays.items()
    ]
    outputs = [ValueInfoProto(name=name) for name in node.output if name]
    graph = helper.make_graph([node], "node", inputs, outputs)
    opsets = [helper.make_opsetid(node.domain, version)]
    return shape_inference.infer_shapes(helper.make_model(graph, opset_imports=opsets, ir_version=IR_VERSION))
