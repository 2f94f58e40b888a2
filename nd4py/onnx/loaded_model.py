"""Models that were loaded: they run with nd4py's functions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy
import onnx
from onnx import ModelProto, TensorProto, TypeProto, shape_inference

from nd4py import api as nd
from nd4py.api.unknown_settings import telling_arguments

from .compiled_graph import compiled
from .element_types import DTYPES, HOST_DTYPES
from .function_bodies import expanded
from .model_files import read_model
from .repeated_runs import RepeatedRuns
from .rewriting import rewritten
from .schemas import opsets
from .support_checks import check_supported


class Model:
    """A model in the Open Neural Network Exchange format, ready to run.

    source: the path of a file, its bytes, or an `onnx.ModelProto`; raises as `load` does
    inputs: the names of what `run` takes    outputs: the names of what it returns
    tensor_types: by the names of both, (dtype, shape) of those that are tensors: sizes, names of sizes that may differ
        from run to run, or "?"; None for a shape of which nothing is known

    >>> from onnx import parser
    >>> text = '<ir_version: 8, opset_import: ["": 17]> agraph (float[n] x) => (float[n] y) { y = Exp(x) }'
    >>> nd.onnx.load(parser.parse_model(text)).inputs
    ('x',)
    """

    def __init__(self, source: Any):
        try:
            model, sizes, large = checked_model(source)
            graph = compiled(model.graph, opsets(model), large)
        except UnicodeDecodeError as error:  # texts are decoded when they are first looked at
            raise ValueError(f"onnx.load: a text in the model is damaged: {error}") from error
        self._n_nodes = sum(node.op_type != "Constant" for node in model.graph.node)
        self._graph, self._done = rewritten(graph, sizes)
        self._runs = RepeatedRuns(self._graph)
        self._types = {value.name: value.type for value in model.graph.input}
        self.inputs = tuple(name for name in self._types if name not in self._graph.constants)
        self.outputs = self._graph.outputs
        described = [*model.graph.input, *model.graph.output]
        self.tensor_types = {value.name: tensor_type(value.type) for value in described if is_tensor(value.type)}

    def __repr__(self) -> str:
        return f"Model({', '.join(self.inputs)} -> {', '.join(self.outputs)})"

    def summary(self) -> str:
        """What was done to the graph when it was loaded, and the steps that a run takes: as lines.  Raises nothing.

        >>> from onnx import parser
        >>> text = '''<ir_version: 8, opset_import: ["": 17]> agraph (float[2, 3] x) => (float[2, 3] y) {
        ...     turned = Transpose<perm = [1, 0]>(x)
        ...     same = Transpose<perm = [1, 0]>(turned)
        ...     y = Exp(same)
        ... }'''
        >>> print(nd.onnx.load(parser.parse_model(text)).summary())
        Model(x -> y)
        nodes in the file: 3
        steps of a run: 1 (1 Exp)
        transpositions cancelled: 2
        steps without a reader taken out: 1
        """
        operators = Counter(step.operator for step in self._graph.steps).most_common()
        kinds = f" ({', '.join(f'{n} {operator}' for operator, n in operators)})" if operators else ""
        first = [repr(self), f"nodes in the file: {self._n_nodes}", f"steps of a run: {len(self._graph.steps)}{kinds}"]
        return "\n".join([*first, *(f"{what}: {n}" for what, n in self._done.most_common())])

    @telling_arguments
    def run(self, inputs: Sequence[Any] | Mapping[str, Any]) -> list[Any]:
        """The outputs of the model, in the order of its graph.

        inputs: a list of arrays in the order of the graph's inputs, or a dict of them by name; NumPy's or nd4py's.
        Lists of arrays are sequences, None is an optional value that is not there.
        Returns a list of nd4py's arrays; sequences are lists of them.
        Raises ValueError for missing or unknown inputs, and for shapes that the model does not take, TypeError for
        another dtype.

        >>> from onnx import parser
        >>> text = '<ir_version: 8, opset_import: ["": 17]> agraph (float[n] x) => (float[n] y) { y = Neg(x) }'
        >>> nd.onnx.load(parser.parse_model(text)).run({"x": nd.ones(2, dtype="float32")})
        [array([-1., -1.], dtype=float32)]
        """
        given = inputs if isinstance(inputs, Mapping) else self._by_name(inputs)
        if unknown := sorted(map(str, given.keys() - self._types.keys())):
            raise ValueError(f"run: the model has no input {', '.join(unknown)}; it has {', '.join(self._types)}")
        if missing := [name for name in self.inputs if name not in given]:
            raise ValueError(f"run: inputs are missing: {', '.join(missing)}")
        return self._runs.run(
            {name: as_input(name, given[name], self._types[name]) for name in self._types if name in given}
        )

    def _by_name(self, inputs: Sequence[Any]) -> dict[str, Any]:
        if not isinstance(inputs, (list, tuple)):
            raise TypeError(
                f"run: takes a list of arrays or a dict of them by name, got {type(inputs).__name__}; write run([x])"
            )
        names = self.inputs if len(inputs) <= len(self.inputs) else tuple(self._types)
        if len(inputs) > len(names):
            raise ValueError(f"run: the model has {len(names)} inputs, got {len(inputs)}")
        return dict(zip(names, inputs, strict=False))


def as_input(name: str, value: Any, value_type: TypeProto) -> Any:
    """`value` as the model takes it.  Raises as `Model.run` does."""
    kind = value_type.WhichOneof("value")
    if kind == "optional_type":
        return None if value is None else as_input(name, value, value_type.optional_type.elem_type)
    if kind == "sequence_type":
        if not isinstance(value, (list, tuple)):
            raise TypeError(f"run: input {name!r} is a sequence, got {type(value).__name__}")
        return [as_input(name, item, value_type.sequence_type.elem_type) for item in value]
    element_type = value_type.tensor_type.elem_type
    if element_type in HOST_DTYPES:
        array: Any = numpy.asarray(value)
        wanted: Any = numpy.dtype(HOST_DTYPES[element_type])
        array = array.astype(object) if element_type == TensorProto.STRING and array.dtype.kind in "UT" else array
    else:
        array, wanted = nd.asarray(value), DTYPES[element_type]
    if array.dtype != wanted:
        raise TypeError(f"run: input {name!r} has {array.dtype}, the model takes {wanted}; convert it first")
    if value_type.tensor_type.HasField("shape"):
        wanted_shape = sizes_of(value_type)
        pairs = zip(wanted_shape, array.shape, strict=False)
        if len(wanted_shape) != array.ndim or any(isinstance(a, int) and a != b for a, b in pairs):
            shape = ", ".join(map(str, wanted_shape))
            raise ValueError(f"run: input {name!r} has the shape {array.shape}, the model takes ({shape})")
    return array


def is_tensor(value_type: TypeProto) -> bool:
    """Whether values of this type are tensors, and neither sequences nor optional."""
    return value_type.WhichOneof("value") == "tensor_type" and value_type.tensor_type.elem_type in DTYPES


def tensor_type(value_type: TypeProto) -> tuple[Any, tuple[int | str, ...] | None]:
    """(dtype, shape) of a tensor, as `Model.tensor_types` says."""
    shape = sizes_of(value_type) if value_type.tensor_type.HasField("shape") else None
    return DTYPES[value_type.tensor_type.elem_type], shape


def sizes_of(value_type: TypeProto) -> tuple[int | str, ...]:
    """The sizes of a tensor: a number, the name of one that may differ, or "?"."""
    sizes = value_type.tensor_type.shape.dim
    return tuple(size.dim_value if size.HasField("dim_value") else size.dim_param or "?" for size in sizes)


def load(source: Any) -> Model:
    """The model in an ONNX file, ready to run.

    source: the path of a file, its bytes, or an `onnx.ModelProto`.
    Operators that nd4py has no code for are expanded where the onnx package has their bodies.
    Raises NotImplementedError that names all nodes, operators and versions that are not supported; ValueError for
    damaged files and external data outside of the file's folder; FileNotFoundError; TypeError for other objects.

    >>> from onnx import parser
    >>> text = '<ir_version: 8, opset_import: ["": 17]> agraph (float[n] x) => (float[n] y) { y = Add(x, x) }'
    >>> nd.onnx.load(parser.parse_model(text))
    Model(x -> y)
    """
    return Model(source)


def inferred_model(model: ModelProto) -> ModelProto:
    """The model with types and shapes of all values.  Raises InferenceError, ValidationError, ValueError."""
    try:
        return shape_inference.infer_shapes(model, check_type=True, strict_mode=True, data_prop=True)
    except shape_inference.InferenceError:
        # What it takes for the sizes of shapes may be a row of numbers, which it then does not broadcast.
        return shape_inference.infer_shapes(model, check_type=True, strict_mode=True)


def checked_model(source: Any) -> tuple[ModelProto, dict[str, tuple[int | str, ...]], dict[str, Any]]:
    """The model with bodies in place of functions, and nothing in it that could not run.

    With it come the shapes that are known, by the names of the values as in `Model.tensor_types`, and its large
    initializers as arrays, which it does not have.  Raises as `load` does.
    """
    model, large = read_model(source)
    model = expanded(model)
    check_supported(model)
    try:
        inferred = inferred_model(model)
    except (shape_inference.InferenceError, onnx.checker.ValidationError, ValueError) as error:
        raise ValueError(f"onnx.load: types or shapes of the model do not fit: {error}") from error
    check_supported(inferred)
    graph = inferred.graph
    described = [v for v in (*graph.input, *graph.value_info, *graph.output) if v.type.tensor_type.HasField("shape")]
    large.undeclare(model.graph)
    return model, {value.name: sizes_of(value.type) for value in described}, large.arrays
