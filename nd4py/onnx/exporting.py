"""Networks written as models of the ONNX format."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy
import onnx
from onnx import ValueInfoProto, helper

from nd4py import api as nd
from nd4py import nn
from nd4py.api.files.replacing import replacing

from .exported_functions import function_model
from .writers.graph_writer import GraphWriter
from .writers.layer_writers import converted, written
from .writers.written_layer import Written

OPSET, IR_VERSION = 17, 8  # the first with a node for layer normalization; onnxruntime reads it from 1.12 on
DTYPES = ("float32", "float64")
EXAMPLE_LENGTH = 12  # of sequences of any length, for networks that are run


def export(
    network: Any, path: Any, example: Any = None, *, dynamic_batch: bool | str | Sequence[str] = False,
    dynamic_axes: Mapping[str, Mapping[int, str]] | None = None,
) -> None:  # fmt: skip
    """Write a network, or a function of arrays, to an ONNX file, as it computes its output when it does not train.

    network: a `MultiLayerNetwork` or `ComputationGraph`, whose size of the batch is left open, and whose length of
    sequences is where the network leaves it open; or a function of arrays, which is run on the example, twice, and
    whose operations are written: `export(f, path, (x, y))`, or `{"name": x}`.  Its shapes are those of the example,
    arrays that it uses from outside become part of the file, and keys of a dict that it returns name the outputs
    path: of the file, which is replaced once the new one is whole
    example: inputs for the network, an array or a tuple of one for each input, whose dtypes the file takes; None takes
    that of the network.  Path and example may change places: export(network, example, path)
    dynamic_batch: of a function, True leaves the size of the first axis of all inputs open, names of inputs that of
    these.  The function then runs on batches of several more sizes, and must do the same steps for each; that of a
    network is open anyway
    dynamic_axes: in its place, names for up to three sizes of a function's inputs that are left open, by axis:
    {"x": {0: "batch", 1: "length"}}; axes of one name have one size
    A network with layers that have no nodes of their own is run like a function.
    Raises NotImplementedError naming the layers, vertices and operations that have no counterpart, before anything is
    written, and for steps that depend on the size of a batch that is left open; TypeError for anything else in place of
    the network, and a function that looks at values, as in `if x.sum() > 0`; ValueError for a function whose results
    differ when it runs again, for an example with another number of inputs or of complex numbers, and for
    `dynamic_batch` or `dynamic_axes` that name no inputs, or axes of different sizes.

    >>> import tempfile
    >>> net = nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(3))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     nd.onnx.export(net, folder + "/net.onnx")
    ...     (y,) = nd.onnx.load(folder + "/net.onnx").run([nd.ones((5, 3), dtype="float32")])
    >>> bool(nd.allclose(y, net.output(nd.ones((5, 3)))))
    True
    """
    is_network = isinstance(network, (nn.MultiLayerNetwork, nn.ComputationGraph))
    if not is_network and not callable(network):
        raise TypeError(
            f"export: network must be a MultiLayerNetwork, ComputationGraph or function, got {type(network).__name__}"
        )
    if isinstance(example, str | os.PathLike):
        path, example = example, path
    if not isinstance(path, str | os.PathLike):
        raise TypeError(f"export: path must be a path, given {type(path).__name__}; export(network, path, example)")
    if is_network and dynamic_axes is not None:
        raise ValueError("export: dynamic_axes is of functions; a network leaves open what its input types do")
    model = (
        written_model(network, example) if is_network else function_model(network, example, dynamic_batch, dynamic_axes)
    )
    try:
        onnx.checker.check_model(model, full_check=True)
    except (onnx.checker.ValidationError, onnx.shape_inference.InferenceError) as error:
        raise NotImplementedError(f"export: operators of ONNX do not take what they would be given: {error}") from error
    content = model.SerializeToString()
    with replacing(Path(path)) as file:
        file.write(content)


def written_model(network: Any, example: Any) -> onnx.ModelProto:
    """The model of a network.  Raises as `export` does."""
    if str(network.configuration.dtype) not in DTYPES:
        raise NotImplementedError(f"export: networks of {network.configuration.dtype}; use one of {', '.join(DTYPES)}")
    writer = GraphWriter(numpy.dtype(str(network.configuration.dtype)))
    types = dict(network.input_types)
    inputs = [value(name, types[name], dtype) for name, dtype in input_dtypes(network, example).items()]
    names = [cast_to_network(writer, each) for each in inputs]
    stages = type(network).stages_of(network.configuration)
    table, refused = network.param_table(), []
    for stage in stages:
        writer.title = stage.name
        try:
            names.append(written(layer_to_write(writer, stage, stages[stage.owner], names, table)))
        except NotImplementedError as error:
            refused.append(f"{stage.who}: {error}")
            names.append("")
    if refused:
        return recorded_model(network, example, refused)
    outputs = [named_output(writer, names, types, stage) for stage in output_stages(network, stages)]
    graph = helper.make_graph(writer.nodes, "nd4py", inputs, outputs, writer.initializers)
    return helper.make_model(
        graph, producer_name="nd4py", opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION
    )


def recorded_model(network: Any, example: Any, refused: list[str]) -> onnx.ModelProto:
    """The model of a network with layers that have no nodes of their own: the operations that it runs.

    Raises NotImplementedError naming these layers where the operations cannot be written for any size of the batch.
    """
    names = list(network.input_types)
    outputs = [output_name(stage) for stage in output_stages(network, type(network).stages_of(network.configuration))]

    def run(**given: Any) -> dict[str, Any]:
        found = network.output(*(given[name] for name in names))
        return dict(zip(outputs, found if isinstance(found, tuple) else (found,), strict=True))

    arrays, opened = {}, {}
    for name, dtype in input_dtypes(network, example).items():
        shape = network.input_types[name].shape
        arrays[name] = numpy.zeros((2, *(size or EXAMPLE_LENGTH for size in shape)), dtype)
        lengths = {axis: f"{name}_length" for axis, size in enumerate(shape, 1) if size is None}
        opened[name] = {0: "batch", **lengths}
    try:
        return function_model(run, arrays, False, opened)
    except (NotImplementedError, TypeError, ValueError) as error:
        why = f"nor can what the network runs be written: {str(error).removeprefix('export: ')}"
        raise NotImplementedError(f"export: ONNX has no counterpart of {'; '.join(refused)}; {why}") from error


def input_dtypes(network: Any, example: Any) -> dict[str, Any]:
    """NumPy's dtype of each input by its name."""
    names = list(network.input_types)
    if example is None:
        return dict.fromkeys(names, numpy.dtype(str(network.configuration.dtype)))
    if isinstance(example, Mapping):
        given = [example[name] for name in names if name in example]
    else:
        given = list(example) if isinstance(example, tuple) else [example]
    if len(given) != len(names):
        raise ValueError(f"export: the network has {len(names)} inputs, the example {len(given)}")
    dtypes = {name: nd.asarray(each).dtype for name, each in zip(names, given, strict=True)}
    for name, dtype in dtypes.items():
        if nd.isdtype(dtype, "complex floating"):
            raise ValueError(f"export: networks take real numbers, the example for input {name!r} is {dtype}")
    return {name: numpy.dtype(str(dtype)) for name, dtype in dtypes.items()}


def value(name: str, input_type: nn.InputType, dtype: Any) -> ValueInfoProto:
    """An input of the graph."""
    shape = ["batch", *(size or f"{name}_length" for size in input_type.shape)]
    return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(dtype), shape)


def cast_to_network(writer: GraphWriter, given: ValueInfoProto) -> str:
    """An input in the dtype of the network."""
    wanted = helper.np_dtype_to_tensor_dtype(writer.dtype)
    writer.title = given.name
    is_wanted = given.type.tensor_type.elem_type == wanted
    return given.name if is_wanted else writer.node("Cast", given.name, to=wanted)


def layer_to_write(writer: GraphWriter, stage: Any, owner: Any, names: list[str], table: Mapping[str, Any]) -> Written:
    if getattr(stage.layer, "makes_mask", False):
        raise NotImplementedError("its mask, which nodes of layers do not see")
    params = {each.name: numpy.asarray(table[f"{owner.name}_{each.name}"]) for each in owner.parameters}
    inputs = [names[source] for source in stage.sources]
    if stage.came != stage.given and all(inputs):
        inputs = [converted(writer, inputs[0], stage.came[0], stage.given[0])]
    return Written(writer, stage.layer, params, inputs, stage.given)


def output_stages(network: Any, stages: Any) -> Iterator[Any]:
    if isinstance(network, nn.MultiLayerNetwork):
        yield stages[-1]
        return
    by_name = {stage.name: stage for stage in stages}
    yield from (by_name[name] for name in network.configuration.outputs)


def output_name(stage: Any) -> str:
    """That of the vertex; a layer of a stack has a number, its output is called "output"."""
    return "output" if stage.name.isdigit() else str(stage.name)


def named_output(writer: GraphWriter, names: list[str], inputs: Mapping[str, Any], stage: Any) -> ValueInfoProto:
    """An output of the graph."""
    name = output_name(stage)
    writer.nodes.append(
        helper.make_node("Identity", [names[len(inputs) + stage.index]], [name], name=f"{name}/Identity")
    )
    shape = [None, *(size or None for size in stage.output.shape)]
    return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(writer.dtype), shape)
