"""Stages: the layers and vertices of a network in the order they are computed in, with what each reads and makes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from nd4py import api as nd
from nd4py.api.arguments import instance, is_array, items

from ..inputs import InputType, converted, preprocess
from ..layers import Layer, ScoredLayer
from ..layers.calls import output_and_state, setting
from ..names import look_up
from ..parameters import Parameter
from ..regularization.dropouts import with_noise
from ..vertices import Vertex

Params = Sequence[Mapping[str, nd.NDArray]]
State = Mapping[str, nd.NDArray]
OWN = "nd4py.nn."


@dataclass(frozen=True)
class Node:
    """A layer or vertex of a `ComputationGraph`, and the names of the inputs and vertices that it reads.

    shares: the name of another vertex, of the same kind and settings, whose parameters it uses: they are trained by
        what both do, and running values by what the other one does.  Empty for parameters of its own
    Raises TypeError for anything but a layer or vertex, and names.

    >>> nn.Node(nn.DenseLayer(4), ("x",)).inputs
    ('x',)
    >>> both = {
    ...     "one": nn.Node(nn.DenseLayer(4), ("x",)),
    ...     "other": nn.Node(nn.DenseLayer(4), ("y",), shares="one"),
    ... }
    >>> types = {name: nn.InputType.feed_forward(3) for name in "xy"}
    >>> nn.ComputationGraph(types, both, outputs=("one", "other")).num_params()
    16
    """

    vertex: Layer | Vertex
    inputs: tuple[str, ...]
    shares: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.vertex, Layer | Vertex):
            raise TypeError(f"Node: vertex must be a layer or vertex, given {type(self.vertex).__name__}")
        for name in (*items("Node: inputs", self.inputs), self.shares):
            instance("Node: each name", name, str)


@dataclass(frozen=True)
class Stage:
    """A layer or vertex of a network: its place, and what it needs to run.

    index: its place in the order of computation    name: what its parameters are called by
    sources: the values it reads, by number: the inputs of the network come first, then the outputs of the stages
    came, given: their types as they come, and after they have been made what the layer wants
    parameters: its own    owner: the place of the stage whose parameters it uses, its own place where they are its own
    """

    index: int
    name: str
    layer: Layer | Vertex
    sources: tuple[int, ...]
    came: tuple[InputType, ...]
    given: tuple[InputType, ...]
    output: InputType
    parameters: tuple[Parameter, ...]
    owner: int
    is_own: bool = True

    @property
    def who(self) -> str:
        kind = "layer" if isinstance(self.layer, Layer) else "vertex"
        return f"{kind} {self.name}" + (f" ({self.layer.title})" if self.layer.title != self.name else "")

    def prepare(self, x: nd.NDArray) -> nd.NDArray:
        """`x` as the layer wants it."""
        return x if self.came == self.given else converted(x, self.came[0], self.given[0])

    def forward(
        self,
        params: State,
        inputs: Sequence[nd.NDArray],
        masks: Sequence[nd.NDArray | None],
        *,
        train: bool,
        rng: Any,
        state: State | None = None,
    ) -> tuple[nd.NDArray, State]:
        """The output, and what the layer returned beside it: new running values or the state of sequences."""
        value, new = self._computed(params, inputs, masks, train=train, rng=rng, state=state)
        if not self.is_own:
            self._check(value, inputs)
        return value, new

    def _check(self, value: Any, inputs: Sequence[nd.NDArray]) -> None:
        """Raises TypeError, ValueError where somebody else's layer returned what its `output_type` does not say."""
        if not is_array(value):
            raise TypeError(
                f"{self.who}: forward returned {type(value).__name__}; it returns an nd4py array, or (array, state)"
            )
        if not self.output.fits(value.shape):
            shapes = " and ".join(str(x.shape) for x in inputs)
            raise ValueError(
                f"{self.who} says by output_type that its output is {self.output}, but forward returned shape "
                f"{value.shape} for input of shape {shapes}; correct one of the two methods"
            )

    def _computed(
        self,
        params: State,
        inputs: Sequence[nd.NDArray],
        masks: Sequence[nd.NDArray | None],
        *,
        train: bool,
        rng: Any,
        state: State | None,
    ) -> tuple[nd.NDArray, State]:
        layer = self.layer
        if isinstance(layer, Vertex):
            return layer.forward(params, inputs, masks=masks, train=train, rng=rng), {}
        x = self.prepare(inputs[0])
        if train:
            params, x = disturbed(layer, self.parameters, params, x, rng)
        return output_and_state(layer.forward(params, x, train=train, rng=rng, mask=masks[0], state=state))

    def output_mask(
        self, inputs: Sequence[nd.NDArray], masks: Sequence[nd.NDArray | None], dtype: nd.DType
    ) -> nd.NDArray | None:
        """The mask of the output, where any of the inputs has one, or the layer makes one of its input.

        dtype: of the output
        """
        if isinstance(self.layer, Layer) and self.layer.makes_mask:
            return nd.astype(self.layer.made_mask(inputs[0], masks[0]), dtype, copy=False)
        if all(mask is None for mask in masks):
            return None
        if isinstance(self.layer, Vertex):
            return self.layer.output_mask(masks, self.given)
        return self.layer.output_mask(masks[0], self.given[0])


def is_own(layer: Any) -> bool:
    """Whether a layer, and all that its settings hold, runs no code but nd4py's."""
    if not type(layer).__module__.startswith(OWN) or getattr(layer, "runs_own_code", False):
        return False
    settings = (getattr(layer, row.name) for row in fields(layer))
    return all(is_own(each) for each in settings if is_dataclass(each))


def scored_layer(stage: Stage) -> ScoredLayer:
    """The layer of an output, which must have a loss.  Raises ValueError where it has none."""
    if not isinstance(stage.layer, ScoredLayer):
        raise ValueError(
            "training needs a loss: an output must be an OutputLayer or another layer with a loss, but it is "
            f"{stage.who}"
        )
    return stage.layer


def disturbed(
    layer: Any, parameters: Sequence[Parameter], params: State, x: nd.NDArray, rng: Any
) -> tuple[State, nd.NDArray]:
    """Parameters and input of a layer that trains, after its weight noise and its dropout."""
    if layer.is_frozen:
        return params, x
    if (dropout := setting(layer, "dropout")) is not None:
        x = with_noise(dropout, x, rng)
    if (noise := setting(layer, "weight_noise")) is not None:
        params = {**params, **{each.name: noise.apply(params[each.name], each, rng) for each in parameters}}
    return params, x


def build_stages(
    inputs: Mapping[str, InputType], nodes: Mapping[str, Node], taken_over: Callable[[Any], Any]
) -> tuple[Stage, ...]:
    """The stages of `nodes` on `inputs`, each after those that it reads.

    taken_over: gives a layer the settings of the network
    Raises ValueError naming the first that does not fit, that reads what there is not, or the path of a cycle.
    """
    types = dict(inputs)
    numbers = {name: number for number, name in enumerate(inputs)}
    stages: list[Stage] = []
    for name in in_order(inputs, nodes):
        stage = _stage(len(stages), name, nodes[name], types, numbers, taken_over)
        numbers[name], types[name] = len(inputs) + stage.index, stage.output
        stages.append(stage)
    places = {stage.name: stage for stage in stages}
    return tuple(_shared(stage, nodes[stage.name].shares, places, nodes) for stage in stages)


def _shared(stage: Stage, name: str, places: Mapping[str, Stage], nodes: Mapping[str, Node]) -> Stage:
    """The stage with the parameters of the one called `name`.  Raises ValueError where these do not fit."""
    if not name:
        return stage
    owner = look_up(places, name, f"vertex that {stage.name!r} shares parameters with")
    if nodes[name].shares:
        raise ValueError(f"{stage.who} shares the parameters of {name!r}, which has those of {nodes[name].shares!r}")
    wanted, given = ({each.name: each.shape for each in its.parameters} for its in (stage, owner))
    if wanted != given:
        raise ValueError(f"{stage.who} needs the parameters {wanted}; those of {name!r} are {given}")
    return replace(stage, parameters=(), owner=owner.index)


def _stage(
    index: int,
    name: str,
    node: Node,
    types: Mapping[str, InputType],
    numbers: Mapping[str, int],
    taken_over: Callable[[Any], Any],
) -> Stage:
    came = tuple(types[source] for source in node.inputs)
    sources = tuple(numbers[source] for source in node.inputs)
    layer = taken_over(node.vertex)
    try:
        if isinstance(layer, Vertex):
            given = came
            output, parameters = layer.output_type(*given), layer.parameters(*given)
        else:
            if len(came) != 1:
                raise ValueError(f"a layer has one input, given {len(came)}; join them with a MergeVertex")
            given = (preprocess(came[0], layer.wanted_input),)
            output, parameters = layer.output_type(given[0]), layer.parameters(given[0])
    except ValueError as error:
        kind = "vertex" if isinstance(layer, Vertex) else "layer"
        title = f" ({layer.title})" if layer.title != name else ""
        shown = " and ".join(str(each) for each in came)
        raise ValueError(f"{kind} {name}{title} does not fit its input {shown}: {error}") from None
    return Stage(index, name, layer, sources, came, given, output, parameters, index, is_own(layer))


def in_order(inputs: Mapping[str, InputType], nodes: Mapping[str, Node]) -> list[str]:
    """The names of the nodes, each after those that it reads, else as they were given.

    Raises ValueError for a name that there is not, and with its path for a cycle.
    """
    if both := sorted(set(inputs) & set(nodes)):
        raise ValueError(f"{both[0]!r} is the name of an input and of a vertex; give one of them another")
    known = {name: name for name in (*inputs, *nodes)}
    for name, node in nodes.items():
        for source in node.inputs:
            look_up(known, source, f"input of vertex {name!r}")
    done: set[str] = set(inputs)
    order: list[str] = []
    for name in nodes:
        order += _reached(name, nodes, done)
    return order


def _reached(name: str, nodes: Mapping[str, Node], done: set[str]) -> Iterator[str]:
    """The nodes that must be computed for one, itself last, without those that are `done`; then they are, too."""
    if name in done:
        return
    path, waiting = [name], [iter(nodes[name].inputs)]
    while path:
        for source in waiting[-1]:
            if source in path:
                circle = [*path[path.index(source) :], source]
                raise ValueError(f"the vertices form a cycle: {' -> '.join(reversed(circle))}; cut it at one of them")
            if source not in done:
                path.append(source)
                waiting.append(iter(nodes[source].inputs))
                break
        else:
            waiting.pop()
            done.add(path[-1])
            yield path.pop()


def layers_behind(name: str, nodes: Mapping[str, Node]) -> Iterator[Layer]:
    """The layers that read what is called `name`, those with n_in first, then the layers that read these, and so on."""
    names, passed = [name], {name}
    while names:
        readers = {each: node.vertex for each, node in nodes.items() if names[0] in node.inputs and each not in passed}
        layers = {each: vertex for each, vertex in readers.items() if isinstance(vertex, Layer)}
        yield from sorted(layers.values(), key=lambda layer: layer.n_in is None)
        passed |= layers.keys()
        names = [*names[1:], *layers]


def stages_of_layers(
    layers: Sequence[Layer], input_type: InputType, taken_over: Callable[[Any], Any]
) -> tuple[Stage, ...]:
    """The stages of layers one after another.  Raises ValueError naming the first that does not fit."""
    names = ["input", *map(str, range(len(layers)))]
    nodes = {names[i + 1]: Node(layer, (names[i],)) for i, layer in enumerate(layers)}
    stages = build_stages({"input": input_type}, nodes, taken_over)
    for stage in stages[:-1]:
        if isinstance(stage.layer, ScoredLayer):
            raise ValueError(f"{stage.who} must be the last of the {len(stages)} layers; use a DenseLayer here")
    return stages
