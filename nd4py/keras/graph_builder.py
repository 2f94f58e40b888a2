"""GraphBuilder: the vertices of a graph as they are found in a file, with what each computes and needs.

Design: Keras has the channels of images and volumes last, nd4py's layers have them first.  Examples of one or two axes
are the same in both.  Of others a `Tensor` has the name of the vertex that makes it in either order; the other order
is made when a layer first asks for it, so that between layers that go together nothing is turned.  Rejected: layers of
our own for every layer of Keras, channels last, because networks of nd4py's layers can be trained, saved and written
as ONNX like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy

from nd4py.nn import FrozenLayer, InputType, Layer, Node, Vertex
from nd4py.nn.inputs import preprocess
from nd4py.nn.vertices.shape_vertices import KIND_OF_SHAPE

from .counterparts.axis_vertices import PermuteVertex
from .counterparts.mask_layers import WithoutMask
from .counterparts.precision_layers import CastVertex, FullPrecision
from .saved_models import Place
from .settings_reader import Settings, UnsupportedError
from .stored_weights import Wanted

MOST_VERTICES = 20_000  # of a graph: what small files could ask for by models in models
Shape = tuple[int | None, ...]
Arrays = Sequence[numpy.ndarray]
Converted = Mapping[str, numpy.ndarray]


@dataclass(frozen=True)
class Tensor:
    """What a layer makes.

    shape: of an example, in the order that Keras has the axes in    last, first: the vertices that make it with the
    channels where Keras has them, and in front; None where it has not been made
    mask: what tells its steps from padding, None where nothing does
    """

    shape: Shape
    last: str | None
    first: str | None
    mask: str | None = None

    @property
    def only(self) -> str:
        """A vertex that makes it, channels first where there is a choice."""
        name = self.first or self.last
        assert name is not None
        return name


@dataclass(frozen=True)
class MaskTensor(Tensor):
    """A mask that files of functional models name as a tensor of its own: which steps of `source` are not padding."""

    source: str = ""


@dataclass(frozen=True)
class Filling:
    """The weights of a vertex: where they lie, in which shapes, and how they become its parameters."""

    vertex: str
    place: Place
    wanted: tuple[Wanted, ...]
    converted: Callable[[Arrays], Converted]


@dataclass
class GraphBuilder:
    """A graph that grows: inputs, vertices and their types by name, and the weights that they need."""

    inputs: dict[str, InputType] = field(default_factory=dict)
    vertices: dict[str, Node] = field(default_factory=dict)
    types: dict[str, InputType] = field(default_factory=dict)
    fillings: dict[str, Filling] = field(default_factory=dict)
    turned: dict[tuple[str, bool], str] = field(default_factory=dict)
    given_shapes: Mapping[str, Shape] = field(default_factory=dict)  # of inputs by name, "" for the only one
    met_inputs: list[str] = field(default_factory=list)  # those of a refused shape among them
    backend: str = ""  # that Keras ran on, where the file says so
    half: str | None = None  # the dtype of a network of half precision
    n_calls: dict[str, int] = field(default_factory=dict)  # of layers that are applied several times
    full: set[str] = field(default_factory=set)  # vertices of such a network that make float32

    def add_input(self, name: str, shape: Shape) -> Tensor:
        """An input of examples of a shape.  Raises UnsupportedError for shapes that no type of input has."""
        if name in self.inputs or name in self.vertices:
            raise ValueError(f"keras.load: two inputs or layers are called {name!r}")
        self.met_inputs.append(name)
        given = self.given_shapes.get(name, self.given_shapes.get(""))
        shape = shape if given is None else filled_shape(name, shape, given)
        self.inputs[name] = self.types[name] = input_type(shape)
        return Tensor(shape, name, name if len(shape) < 3 else None)

    def add(self, name: str, layer: Layer | Vertex, *sources: str) -> str:
        """A vertex that reads others.  Returns its name: another one where the layer of that name is applied again.

        Raises ValueError where the layer does not fit what it reads.
        """
        if len(self.vertices) >= MOST_VERTICES:
            raise ValueError(f"keras.load: the model has more than {MOST_VERTICES} layers")
        given = [self.types[source] for source in sources]
        try:
            if isinstance(layer, Vertex):
                made, parameters = layer.output_type(*given), layer.parameters(*given)
            else:
                seen = preprocess(given[0], layer.wanted_input)
                made, parameters = layer.output_type(seen), layer.parameters(seen)
        except ValueError as error:
            raise ValueError(f"keras.load: layer {name!r} does not fit what it is given: {error}") from None
        unique = name if name not in self.types else self._free_name(name)
        shares = name if unique != name and parameters else ""
        self.vertices[unique], self.types[unique] = Node(layer, sources, shares), made
        if any(source in self.full for source in sources):
            self.full.add(unique)
        return unique

    def cast(self, source: str, is_full: bool) -> str:
        """A vertex that makes the same in float32, or in half precision, in a network of that; itself if it does.

        Raises what `add` does.
        """
        if self.half is None or (source in self.full) == is_full:
            return source
        dtype = "float32" if is_full else self.half
        name = f"{source}, {dtype}"
        if name not in self.vertices:
            self.add(name, CastVertex(dtype), source)
            (self.full.add if is_full else self.full.discard)(name)
        return name

    def _free_name(self, name: str) -> str:
        while True:
            number = self.n_calls[name] = self.n_calls.get(name, 1) + 1
            if (free := f"{name}, call {number}") not in self.types:
                return free

    def last(self, tensor: Tensor) -> str:
        """The vertex that makes a tensor in Keras's order of axes."""
        return tensor.last or self._turn(tensor.only, len(tensor.shape), False)

    def first(self, tensor: Tensor) -> str:
        """The vertex that makes a tensor with the channels in front."""
        return tensor.first or self._turn(tensor.only, len(tensor.shape), True)

    def _turn(self, name: str, n_axes: int, is_to_front: bool) -> str:
        if (name, is_to_front) not in self.turned:
            axes = (n_axes, *range(1, n_axes)) if is_to_front else (*range(2, n_axes + 1), 1)
            what = "channels first" if is_to_front else "channels last"
            self.turned[name, is_to_front] = self.add(f"{name}, {what}", PermuteVertex(axes), name)
        return self.turned[name, is_to_front]

    def tensor(self, name: str, *, is_last: bool = False, mask: str | None = None) -> Tensor:
        """What the vertex makes, whose channels come last or, of images and volumes, first."""
        shape = self.types[name].shape
        if len(shape) < 3:
            return Tensor(shape, name, name, mask)
        return Tensor(shape, name, None, mask) if is_last else Tensor((*shape[1:], shape[0]), None, name, mask)


@dataclass(frozen=True)
class Call:
    """A layer that is applied to tensors.

    name: of its vertex    settings: as the file has them    inputs: the tensors    keywords: further arguments of the
    call    place: where its weights lie    is_legacy: whether the file is one of Keras 2
    trains: whether the network is to be trained as the file says
    is_full: whether the layer computes in float32 in a network of half precision, as those of `is_normalization` do
        inside
    """

    builder: GraphBuilder
    name: str
    settings: Settings
    inputs: tuple[Tensor, ...]
    keywords: Mapping[str, Any]
    place: Place
    is_legacy: bool
    custom_layers: Mapping[str, type]
    trains: bool = True
    is_full: bool = False
    is_normalization: bool = False

    @property
    def x(self) -> Tensor:
        """The only input.  Raises ValueError where there are more, or none."""
        if len(self.inputs) != 1:
            raise ValueError(f"{self.settings.who}: one input is needed, the file has {len(self.inputs)}")
        return self.inputs[0]

    @property
    def first(self) -> str:
        return self.builder.first(self.x)

    @property
    def last(self) -> str:
        return self.builder.last(self.x)

    def add(self, layer: Any, *sources: str, part: str = "") -> str:
        """A vertex of this layer; `part` names those beside its main one.  Returns its name."""
        if self.builder.half and isinstance(layer, Layer) and not part and (self.is_full or self.is_normalization):
            layer = FullPrecision(layer, is_cast_back=not self.is_full)
        if not self.place.is_trained and isinstance(layer, Layer) and not part:
            layer = FrozenLayer(layer)
        sources = tuple(self.builder.cast(source, self.is_full) for source in sources)
        return self.builder.add(self.name + (f", {part}" if part else ""), layer, *sources)

    def fill(self, wanted: Sequence[Wanted], converted: Callable[[Arrays], Converted]) -> None:
        """Say which weights the main vertex needs; the first call of a layer counts."""
        filling = Filling(self.name, self.place, tuple(wanted), converted)
        self.builder.fillings.setdefault(self.name, filling)

    def made(self, vertex: str, *, is_last: bool = False, keeps_mask: bool = True) -> Tensor:
        """The tensor that a vertex makes, with the mask of the first input if it is kept and there are steps."""
        found = self.builder.tensor(vertex, is_last=is_last)
        masks = [each.mask for each in self.inputs if each.mask is not None]
        return replace(found, mask=masks[0]) if keeps_mask and masks and len(found.shape) == 2 else found

    def refuse_training(self, **allowed: Any) -> None:
        """Raises UnsupportedError for settings that only training reads, where the network is to be trained."""
        if not self.trains:
            return
        try:
            self.settings.refuse(**allowed)
        except UnsupportedError as error:
            raise UnsupportedError(f"{error}, which load(path, training=False) leaves out") from None

    def without_masks(self) -> Call:
        """The same call with inputs that have no masks: of layers that Keras gives none."""
        if all(each.mask is None for each in self.inputs):
            return self
        bare = [
            each
            if each.mask is None
            else self.builder.tensor(self.builder.add(f"{each.only}, without mask", WithoutMask(), each.only))
            for each in self.inputs
        ]
        return replace(self, inputs=tuple(bare))


def filled_shape(name: str, shape: Shape, given: Shape) -> Shape:
    """`given`, if it says nothing else than `shape` of the file.  Raises ValueError where it does."""
    pairs = zip(shape, given, strict=False)
    if len(shape) != len(given) or any(size is not None and size != other for size, other in pairs):
        raise ValueError(f"keras.load: input_shapes: input {name!r} has the axes {shape}, which {given} does not fit")
    return given


def input_type(shape: Shape) -> InputType:
    """The type of examples of a shape, in Keras's order of axes.

    Raises UnsupportedError for numbers of axes and open sizes that there is no type for.
    """
    if shape == (None,):  # numbers of words in sequences of any length
        return InputType.recurrent(1)
    if len(shape) not in KIND_OF_SHAPE or None in shape[1 if len(shape) == 2 else 0 :]:
        shown = ("batch", *shape)
        way = "open are the length of sequences and what load is told; give input_shapes"
        if len(shape) not in KIND_OF_SHAPE:
            way = f"examples have at most {max(KIND_OF_SHAPE)} axes, those of volumes with their channels"
        raise UnsupportedError(f"input of shape {shown}; {way}")
    return InputType(KIND_OF_SHAPE[len(shape)], shape)
