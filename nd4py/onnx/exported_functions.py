"""Functions of arrays written as models of the ONNX format."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy
import onnx
from onnx import helper

from nd4py import api as nd
from nd4py.api.environment.function_recordings import LookedAt, NotRecorded, Recording, recording_of
from nd4py.api.environment.structures import leaves_of, parts_of, with_leaves

from .recorded.function_writer import IR_VERSION, OPSET, FunctionWriter, element_type
from .recorded.open_sizes import MOST_NAMES, Graph, in_words, joined, sizes_to_try
from .recorded.recorded_operations import write_calls

Axes = Mapping[str, Mapping[int, str]]


def function_model(
    function: Callable[..., Any], example: Any, dynamic_batch: bool | str | Sequence[str], dynamic_axes: Axes | None
) -> onnx.ModelProto:
    """The model of a function that is run on an example.

    Raises NotImplementedError that names all operations without a counterpart, TypeError for a look at a value and
    results that are no arrays, ValueError for a function that gives others when it runs again.
    """
    args, keywords = arguments_of(example)
    names = input_names(function, args, keywords)
    first = recorded_run(function, args, keywords)
    check_repeats(first[0], first[2], recorded_run(function, args, keywords))
    inputs = dict(zip(names, (x.shape for x in first[0].inputs), strict=True))
    opened = axes_to_open(inputs, dynamic_batch, dynamic_axes)
    if not opened:
        graph = function_graph(names, *first[:2])
    else:
        graph = graph_of_any_size(function, (args, keywords), names, inputs, opened)
    return helper.make_model(
        graph, producer_name="nd4py", opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION
    )


def function_graph(names: Sequence[str], recording: Recording, sources: Any) -> onnx.GraphProto:
    """The graph of a run.  Raises NotImplementedError that names all operations without a counterpart."""
    writer, refused = FunctionWriter(numpy.dtype("float32")), dict[str, None]()
    inputs = []
    for name, x in zip(names, recording.inputs, strict=True):
        check_real(x, refused)
        inputs.append(tensor(name, x))
        writer.name_value(x, name)
    write_calls(writer, recording.calls, refused)
    for y in leaves_of(sources):
        check_real(y, refused)
    if refused:
        raise NotImplementedError(f"export: ONNX has no counterpart of {', '.join(refused)}; nothing is written")
    outputs = []
    taken = {each.name for each in inputs}
    for name, y in zip(output_names(sources, taken), leaves_of(sources), strict=True):
        writer.nodes.append(helper.make_node("Identity", [writer.operand(y)], [name], name=f"{name}/Identity"))
        outputs.append(tensor(name, y))
    used = {name for each in writer.nodes for name in each.input}
    arrays = [each for each in writer.initializers if each.name in used]
    return helper.make_graph(writer.nodes, "nd4py", inputs, outputs, arrays)


def graph_of_any_size(
    function: Callable[..., Any], arguments: Any, names: Sequence[str], shapes: Mapping[str, Any], opened: Axes
) -> onnx.GraphProto:
    """The graph for any sizes of axes that are left open.  Raises as `function_model` does."""
    sources: dict[str, tuple[str, int]] = {}
    is_first: dict[str, bool] = {}
    for name, axes in opened.items():
        for axis, size in axes.items():
            sources.setdefault(size, (name, axis))
            is_first[size] = is_first.get(size, True) and axis == 0
    fixed = {n for name, shape in shapes.items() for axis, n in enumerate(shape) if axis not in opened.get(name, {})}
    needed, further = sizes_to_try(is_first, fixed)
    graphs = []
    for sizes in [*needed, *further]:
        given = with_sizes(arguments, names, opened, sizes)
        try:
            run = recorded_run(function, *given)
        except (ValueError, IndexError) as error:
            if sizes not in needed:
                continue  # smaller than what the function takes
            raise ValueError(f"export: the function does not take {in_words(sizes)}: {error}") from error
        graphs.append(Graph(sizes, function_graph(names, *run[:2])))
    return joined(graphs, sources)


def axes_to_open(shapes: Mapping[str, tuple[int, ...]], dynamic_batch: Any, dynamic_axes: Any) -> dict[str, Any]:
    """The names of the sizes that are left open, by axis and input.  Raises ValueError for other names and axes."""
    if dynamic_axes is not None:
        if dynamic_batch is not False:
            raise ValueError("export: give dynamic_axes or dynamic_batch, not both")
        return named_axes(shapes, dynamic_axes)
    return {} if dynamic_batch is False else {name: {0: "batch"} for name in batched_inputs(shapes, dynamic_batch)}


def named_axes(shapes: Mapping[str, tuple[int, ...]], wanted: Any) -> dict[str, dict[int, str]]:
    """Checked `dynamic_axes`, with axes counted from the front.  Raises ValueError, TypeError for no dicts."""
    who = "export: dynamic_axes"
    if not isinstance(wanted, Mapping) or not all(isinstance(axes, Mapping) for axes in wanted.values()):
        raise TypeError(f'{who} must be a dict such as {{"x": {{0: "batch", 1: "length"}}}}, given {wanted!r}')
    sizes: dict[str, int] = {}
    found: dict[str, dict[int, str]] = {}
    for name, axes in wanted.items():
        if name not in shapes:
            raise ValueError(f"{who} must name inputs, {', '.join(shapes)}; given {name!r}")
        shape = shapes[name]
        for axis, size in axes.items():
            if not isinstance(axis, int) or not -len(shape) <= axis < len(shape):
                raise ValueError(f"{who}: {name} has {len(shape)} axes, given axis {axis!r}")
            if not isinstance(size, str) or not size:
                raise ValueError(f"{who}: an axis is given a name, as 'length', given {size!r}")
            if shape[axis] == 0 or sizes.setdefault(size, shape[axis]) != shape[axis]:
                raise ValueError(
                    f"{who}: axes that are called {size!r} must have one size in the example, which is not 0; axis "
                    f"{axis} of {name} has {shape[axis]}"
                )
            found.setdefault(name, {})[axis % len(shape)] = size
    if not 1 <= len(sizes) <= MOST_NAMES:
        raise ValueError(f"{who}: 1 to {MOST_NAMES} sizes can be left open, given {', '.join(sizes) or 'none'}")
    return found


def batched_inputs(shapes: Mapping[str, tuple[int, ...]], wanted: bool | str | Sequence[str]) -> list[str]:
    """The names of inputs whose first axis is the batch.  Raises ValueError for other names and different sizes."""
    names = list(shapes) if wanted is True else [wanted] if isinstance(wanted, str) else list(wanted or ())
    unknown = [name for name in names if name not in shapes]
    if unknown or not names:
        raise ValueError(f"export: dynamic_batch must name inputs, {', '.join(shapes)}; given {wanted!r}")
    sizes = {name: shapes[name][0] if shapes[name] else None for name in names}
    if len(set(sizes.values())) != 1 or None in sizes.values() or 0 in sizes.values():
        given = ", ".join(f"{name} {shapes[name]}" for name in names)
        raise ValueError(
            f"export: the first axis of inputs is the batch, and must have one size in the example, given {given}; "
            "dynamic_batch=['name'] names those that have it"
        )
    return names


def with_sizes(arguments: Any, names: Sequence[str], opened: Axes, sizes: Mapping[str, int]) -> Any:
    """Arguments with other sizes of the axes that are left open, of the elements that are there."""

    def resized(name: str, x: Any) -> Any:
        array = nd.asarray(x)
        for axis, size in opened.get(name, {}).items():
            array = nd.take(array, nd.arange(sizes[size]) % array.shape[axis], axis=axis)
        return array

    return with_leaves(arguments, map(resized, names, leaves_of(arguments)))


def arguments_of(example: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments of a call on an example: a tuple has one for each, a dict has them by name."""
    if example is None:
        raise TypeError("export: a function is run once on example inputs; give them, export(function, path, example)")
    if isinstance(example, Mapping):
        return (), dict(example)
    return (tuple(example) if isinstance(example, tuple) else (example,)), {}


def recorded_run(function: Callable[..., Any], args: Any, keywords: Any) -> tuple[Recording, Any, Any]:
    """One run of a function.  Raises NotImplementedError where an operation cannot be recorded."""
    try:
        return recording_of(function, args, keywords)
    except LookedAt as error:
        raise TypeError(f"export: {error}") from None
    except NotRecorded as error:
        raise NotImplementedError(f"export: nodes of ONNX cannot say what the function does: {error}") from error


def check_repeats(recording: Recording, results: Any, again: tuple[Recording, Any, Any]) -> None:
    """Raises ValueError where a second run gave others: random numbers, or what the function keeps between calls."""
    pairs = list(zip(leaves_of(results), leaves_of(again[2]), strict=True))
    is_alike = all(numpy.array_equal(*map(comparable, pair)) for pair in pairs)
    if not is_alike or [each.name for each in recording.calls] != [each.name for each in again[0].calls]:
        raise ValueError(
            "export: the function gave other results when it ran again on the same inputs, by random numbers or by "
            "what it keeps between calls; give these as inputs"
        )


def comparable(y: Any) -> Any:
    """The bytes of a result."""
    return numpy.frombuffer(y.tobytes(), dtype=numpy.uint8)


def input_names(function: Callable[..., Any], args: Sequence[Any], keywords: Mapping[str, Any]) -> list[str]:
    """The names of a function's parameters, one for each array that is given for them."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        parameters = []
    positional = [each for each in parameters if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)]
    names = [each.name for each in positional[: len(args)]]
    rest = next((each.name for each in parameters if each.kind == each.VAR_POSITIONAL), "x")
    names += [f"{rest}_{i}" for i in range(len(args) - len(names))]
    given = [*zip(names, args, strict=True), *keywords.items()]
    return [path for name, x in given for path in paths(name, x)]


def paths(name: str, tree: Any) -> list[str]:
    """A name for each array of a structure."""
    parts = parts_of(tree)
    return [name] if parts is None else [path for key, x in parts.items() for path in paths(f"{name}_{key}", x)]


def output_names(results: Any, taken: set[str]) -> list[str]:
    """The keys of a dict, else "output", with numbers where there are several; none that an input has."""
    parts = parts_of(results)
    if isinstance(results, Mapping):
        names = [path for key, y in results.items() for path in paths(str(key), y)]
    elif parts is None or len(parts) == 1 and parts_of(next(iter(parts.values()))) is None:
        names = ["output"]
    else:
        names = paths("output", results)
    return [f"{name}_output" if name in taken else name for name in names]


def check_real(x: Any, refused: dict[str, None]) -> None:
    """Inputs and outputs are real numbers."""
    if nd.isdtype(x.dtype, "complex floating"):
        refused["complex numbers (give and return nd.real(x) and nd.imag(x))"] = None


def tensor(name: str, x: Any) -> onnx.ValueInfoProto:
    """An input or output of the graph, in the shape of the example."""
    return helper.make_tensor_value_info(name, element_type(x.dtype), x.shape)
