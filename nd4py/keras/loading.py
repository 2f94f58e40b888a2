"""Models of Keras files as networks."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy

from nd4py import nn
from nd4py.api.arguments import instance, items
from nd4py.nn.inputs import preprocess
from nd4py.nn.networks.model import slots_of
from nd4py.nn.numbers import whole

from .counterparts.scaling_layers import IdleLayer
from .described_layers import described
from .graph_builder import Filling, GraphBuilder, Tensor
from .model_graphs import ModelReader
from .saved_models import Place, Saved, saved_model
from .settings_reader import UnsupportedError
from .training_settings import with_losses


def load(
    path: str | os.PathLike[str],
    *,
    custom_layers: Mapping[str, type] | None = None,
    training: bool | None = None,
    input_shapes: Sequence[int] | Mapping[str, Sequence[int]] | None = None,
) -> nn.ComputationGraph:
    """The network in a file that Keras has written, with its weights: `.keras` of Keras 3, or `.h5` of Keras 2 and 3.

    path: of the file.  Neither Keras nor TensorFlow is needed, and nothing in the file is run: layers come from a list
        of those that are known, and what holds code, such as Lambda, is refused
    custom_layers: for layers of classes that are none of Keras, the `nn.Layer` or `nn.Vertex` in their place by the
        names of the classes; they are made from the settings in the file that are their fields, and their weights are
        the arrays of their `parameters`, in that order
    training: whether the optimizer and the losses that the model was compiled with are the network's; without, or where
        the model was not compiled, it computes outputs, and other layers can be put on it to train.  None: they are
        where they have counterparts, and are left out with a warning where they have not
    input_shapes: for a model that leaves sizes of images open the shape of its examples in the file's order of axes,
        (height, width, channels) as a rule, or a dict of shapes by the names of its inputs
    The network takes and makes arrays as the model does, images with the channels where the file has them, and can be
    trained, saved and written as ONNX like any other.  To read it from a file of its own, give
    `classes=nd4py.keras.CLASSES`.
    Raises NotImplementedError naming the layers that have no counterpart, also of training settings where `training` is
    True, ValueError that says what is wrong for files
    that are damaged or no such model, FileNotFoundError where there is none, TypeError for classes of another kind.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile(suffix=".keras") as file:  # one that is empty
    ...     nd.keras.load(file.name)
    Traceback (most recent call last):
        ...
    ValueError: keras.load: neither a .keras nor an .h5 file: it begins like none of them
    """
    classes = dict(instance("keras.load: custom_layers", {} if custom_layers is None else custom_layers, Mapping))
    if training is not None and not isinstance(training, bool):
        raise TypeError(f"keras.load: training must be True, False or None, given {type(training).__name__}")
    for name, kind in classes.items():
        if not isinstance(kind, type) or not issubclass(kind, nn.Layer | nn.Vertex):
            raise TypeError(f"keras.load: custom_layers[{name!r}] must be a class made from nn.Layer or nn.Vertex")
    shapes = checked_shapes(input_shapes)
    with saved_model(path) as saved:
        try:
            return with_training(saved, training, classes, shapes)
        except UnsupportedError as error:
            raise NotImplementedError(f"keras.load: no counterpart of {error}") from None
        except RecursionError:
            raise ValueError("keras.load: models in models, too many to be one") from None


def with_training(
    saved: Saved, training: bool | None, classes: Mapping[str, type], shapes: Mapping[str, tuple[int, ...]]
) -> nn.ComputationGraph:
    """The network with the settings of training that `load` was asked for.  Raises as `network_of` does."""
    bare = replace(saved, training=None)
    if training is False or not saved.training:
        return network_of(bare, classes, shapes)
    try:
        return network_of(saved, classes, shapes)
    except UnsupportedError as error:
        if training:
            raise
        found = network_of(bare, classes, shapes)
        message = f"keras.load: the network computes outputs and cannot be trained: no counterpart of {error}"
        warnings.warn(message, stacklevel=3)
        return found


def checked_shapes(given: Any) -> dict[str, tuple[int, ...]]:
    """Shapes of examples by the names of inputs, "" for the only one.  Raises as `load` does."""
    if given is None:
        return {}
    rows = given if isinstance(given, Mapping) else {"": given}
    who = "keras.load: input_shapes: a shape"
    return {
        str(name): tuple(whole(size, f"{who}: a size") for size in items(who, shape)) for name, shape in rows.items()
    }


def check_inputs(builder: GraphBuilder) -> None:
    """Raises ValueError where shapes were given for inputs that the model has not."""
    names = builder.met_inputs
    if "" in builder.given_shapes and len(names) > 1:
        raise ValueError(f"keras.load: input_shapes: a dict is needed, the model has the inputs {', '.join(names)}")
    for name in builder.given_shapes.keys() - {"", *names}:
        raise ValueError(f"keras.load: input_shapes: the model has no input {name!r}, but {', '.join(names)}")


def network_of(
    saved: Saved, classes: Mapping[str, type], shapes: Mapping[str, tuple[int, ...]] | None = None
) -> nn.ComputationGraph:
    """The network of a model.  Raises UnsupportedError for what has no counterpart, ValueError for what is no model."""
    model = described(saved.model)
    if not model.is_model:
        raise UnsupportedError(f"{model.title}, a model of a class of its own; save a Sequential or functional model")
    reader = ModelReader(classes, saved.version < 3, bool(saved.training))
    reader.check(model)
    reader.builder.given_shapes, reader.builder.backend = shapes or {}, saved.backend
    outputs = [each for each in reader.read(model) if each is not None]
    check_inputs(reader.builder)
    if reader.refused:
        raise UnsupportedError("; ".join(dict.fromkeys(reader.refused)))
    names = output_names(reader.builder, outputs)
    prune(reader.builder, names)
    if not any(parameters_of(reader.builder, node) for node in reader.builder.vertices.values()):
        names = [idle(reader.builder, names[0]), *names[1:]]
    try:
        names, settings = with_losses(reader.builder, names, saved.training)
    except UnsupportedError as error:
        raise UnsupportedError(f"the training settings, {error}; load(path, training=False) leaves them out") from None
    return filled(saved, reader, names, settings)


def output_names(builder: GraphBuilder, outputs: list[Tensor]) -> list[str]:
    """Vertices that make the outputs, each its own, in Keras's order of axes."""
    names: list[str] = []
    for tensor in outputs:
        name = builder.last(tensor)
        if name in builder.inputs or name in names:
            name = builder.add(f"{name}, output", nn.ActivationLayer("identity"), name)
        names.append(name)
    if not names:
        raise ValueError("keras.load: the model has no layers")
    return names


def parameters_of(builder: GraphBuilder, node: nn.Node) -> bool:
    """Whether a vertex has parameters."""
    given = [builder.types[name] for name in node.inputs]
    vertex = node.vertex
    if isinstance(vertex, nn.Vertex):
        return bool(vertex.parameters(*given))
    return bool(vertex.parameters(preprocess(given[0], vertex.wanted_input)))


def idle(builder: GraphBuilder, name: str) -> str:
    """An output of a model without any weights, behind a layer that has one: a network needs some.

    Changes the builder.
    """
    unique = builder.add(f"{name}, as it is", IdleLayer(), name)
    builder.fillings[unique] = Filling(unique, Place("", "", ()), (), lambda arrays: {"idle": numpy.zeros(1)})
    return unique


def prune(builder: GraphBuilder, outputs: list[str]) -> None:
    """Leave out the vertices that no output needs; of vertices with one set of parameters the first one left owns it.

    Changes the builder.
    """
    needed, waiting = set(), list(outputs)
    while waiting:
        name = waiting.pop()
        if name in builder.vertices and name not in needed:
            needed.add(name)
            waiting += builder.vertices[name].inputs
    owners: dict[str, str] = {}
    kept: dict[str, nn.Node] = {}
    for name, node in builder.vertices.items():
        if name not in needed:
            continue
        owner = node.shares or name
        kept[name] = replace(node, shares="" if owners.setdefault(owner, name) == name else owners[owner])
    builder.vertices = kept
    builder.fillings = {
        owners[name]: replace(each, vertex=owners[name]) for name, each in builder.fillings.items() if name in owners
    }


def filled(saved: Saved, reader: ModelReader, outputs: list[str], settings: Mapping[str, Any]) -> nn.ComputationGraph:
    """The network, with the weights of the file, and settings of training."""
    builder = reader.builder
    configuration = nn.GraphConfiguration(
        inputs=builder.inputs,
        vertices=builder.vertices,
        outputs=tuple(outputs),
        dtype=dtype_of(reader.dtypes),
        **settings,
    )
    try:
        slots = slots_of(nn.ComputationGraph.stages_of(configuration))
    except ValueError as error:
        raise ValueError(f"keras.load: {error}") from None
    fillings = list(builder.fillings.values())
    arrays = saved.weights([(each.place, each.wanted) for each in fillings])
    table = {
        f"{each.vertex}_{name}": value
        for each, own in zip(fillings, arrays, strict=True)
        for name, value in converted(each, own).items()
    }
    vector = numpy.empty(slots[-1].stop, dtype=configuration.kept_dtype)
    for slot in slots:
        if slot.key not in table or table[slot.key].shape != slot.parameter.shape:
            raise ValueError(f"keras.load: the file has no {slot.parameter.name} for layer {slot.owner!r}")
        vector[slot.elements] = table[slot.key].reshape(-1)
    return nn.ComputationGraph.from_configuration(configuration, params=vector)


def converted(filling: Filling, arrays: list[numpy.ndarray]) -> Mapping[str, Any]:
    return {name: numpy.asarray(each) for name, each in filling.converted(arrays).items()}


def dtype_of(found: set[str]) -> str:
    """The dtype of a network whose layers have these.  Raises UnsupportedError for several that do not go together."""
    special = sorted(found - {"float32"})
    if len(special) > 1:
        raise UnsupportedError(f"layers of {' and '.join(special)} in one model")
    return special[0] if special else "float32"
