"""Models of the ONNX format as what a ModelServer computes with: they have the methods of `nn.Snapshot`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nd4py import api as nd

from .tensor_encoding import datatype_of


class OnnxSnapshot:
    """A model of the ONNX format that answers requests, one at a time: its axes may mean anything.

    model: a `nd4py.onnx.Model`    tensor_types: of it    n_bytes: that its constants take
    """

    index_inputs: frozenset[int] = frozenset()
    configuration = "a model of the ONNX format"  # of which no two requests are computed together

    def __init__(self, model: Any, tensor_types: Mapping[str, Any], n_bytes: int) -> None:
        self._model = model
        self.input_types = {name: tensor_types[name] for name in model.inputs}
        self.output_types = tuple(tensor_types[name] for name in model.outputs)
        self.n_bytes = n_bytes

    def working_bytes(self, n_rows: int) -> int:
        """Nothing is known of what the operators make."""
        return 0

    def checked(self, inputs: Any, mask: Any = None) -> tuple[tuple[nd.NDArray, ...], None]:
        """The arrays of the inputs.  Raises ValueError for masks."""
        if mask is not None:
            raise ValueError("models of the ONNX format take no masks")
        given = inputs if isinstance(inputs, (list, tuple)) else (inputs,)
        for (name, (dtype, _)), array in zip(self.input_types.items(), given, strict=True):
            if datatype_of(array.dtype) != datatype_of(dtype):
                raise TypeError(f"input {name!r} has {datatype_of(array.dtype)}, the model takes {datatype_of(dtype)}")
        types = [dtype for dtype, _ in self.input_types.values()]
        arrays = tuple(nd.asarray(x, dtype=dtype) for x, dtype in zip(given, types, strict=True))
        return arrays, None

    def outputs(self, inputs: Any, masks: Any = None) -> tuple[nd.NDArray, ...]:
        """The outputs of the model.  Raises what its operators raise."""
        return tuple(self._model.run(list(inputs)))

    def activations(self, inputs: Any, masks: Any = None) -> list[nd.NDArray]:
        """The outputs: what is between is not known."""
        return list(self.outputs(inputs))
