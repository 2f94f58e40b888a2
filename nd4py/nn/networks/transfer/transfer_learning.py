"""TransferLearning: a new network from a trained one, with layers frozen, replaced, removed or added."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, fields, replace
from typing import Any, Self

from nd4py import api as nd
from nd4py.api.arguments import instance
from nd4py.api.unknown_settings import TellingArguments

from ...inputs import InputType
from ...layers import FrozenLayer, Layer
from ...layers.input_sizes import without_size
from ...names import look_up
from ...numbers import whole
from ..computation_graph import ComputationGraph, node_of
from ..configuration import GraphConfiguration, NetworkConfiguration
from ..multilayer import MultiLayerNetwork
from ..settings import TrainingConfiguration
from ..stages import Node


@dataclass(frozen=True)
class _Kept:
    """A layer of the new network, and the number of the old one's layer that its parameters come from, if any."""

    layer: Layer
    origin: int | None


class TransferLearning(TellingArguments):
    """Makes a network from a trained `MultiLayerNetwork`, which stays as it is; every step returns the maker itself.

    network: the trained one
    Layers keep their trained parameters where these still fit; those that are replaced or added, and the layer behind
    one whose output has changed, start anew.
    Raises TypeError for anything but a `MultiLayerNetwork`.

    >>> trained = nn.MultiLayerNetwork(
    ...     [nn.DenseLayer(8, "tanh"), nn.DenseLayer(6, "tanh"), nn.OutputLayer(3)],
    ...     input_type=nn.InputType.feed_forward(4),
    ... )
    >>> tuned = (
    ...     nn.TransferLearning(trained)
    ...     .fine_tune(updater=nn.Adam(1e-3))
    ...     .set_feature_extractor(0)
    ...     .n_out_replace(2, 5)
    ...     .build()
    ... )
    >>> tuned.output(nd.ones((1, 4))).shape, nd.array_equal(tuned.param_table()["0_W"], trained.param_table()["0_W"])
    ((1, 5), array(True, dtype=bool))
    """

    def __init__(self, network: MultiLayerNetwork) -> None:
        given: Any = network
        if isinstance(given, ComputationGraph):
            raise TypeError("TransferLearning: network is a ComputationGraph; nn.GraphTransferLearning takes those")
        self._network: MultiLayerNetwork = instance("TransferLearning: network", given, MultiLayerNetwork)
        self._kept = [_Kept(layer, index) for index, layer in enumerate(network.configuration.layers)]
        self._settings: dict[str, Any] = {}
        self._n_frozen = 0

    def fine_tune(self, **settings: Any) -> Self:
        """Take other settings, fields of `TrainingConfiguration` such as `updater` or `seed`.

        settings: the values by name
        Returns the maker.  Raises ValueError for a name that is no setting.
        """
        self._settings |= _checked_settings(settings)
        return self

    def set_feature_extractor(self, layer: int) -> Self:
        """Freeze the layers up to this one, itself too: training leaves them as they are.

        layer: its number
        Returns the maker.  Raises ValueError for a number of no layer.
        """
        self._n_frozen = self._position(layer, "set_feature_extractor") + 1
        return self

    def n_out_replace(self, layer: int, n_out: int, weight_init: Any = None) -> Self:
        """Give a layer another number of outputs; it and the layer behind it start anew.

        layer: its number    weight_init: of its weights, None for what it had
        Returns the maker.  Raises ValueError for a number of no layer, or a layer without `n_out`.
        """
        position = self._position(layer, "n_out_replace")
        changed = _with_outputs(f"layer {position}", self._kept[position].layer, n_out, weight_init)
        self._kept[position] = _Kept(changed, None)
        if position + 1 < len(self._kept):
            self._kept[position + 1] = _Kept(self._kept[position + 1].layer, None)
        for behind in range(position + 1, len(self._kept)):
            self._kept[behind] = replace(self._kept[behind], layer=without_size(self._kept[behind].layer))
        return self

    def remove_output_layer(self) -> Self:
        """Take the last layer off.  Returns the maker.  Raises ValueError where there is no layer left."""
        return self.remove_layers(1)

    def remove_layers(self, n_layers: int) -> Self:
        """Take the last `n_layers` off.

        n_layers: a whole number
        Returns the maker.  Raises ValueError where there are fewer.
        """
        if whole(n_layers, "remove_layers: n_layers") > len(self._kept):
            raise ValueError(f"remove_layers: there are {len(self._kept)} layers, {n_layers} cannot be taken off")
        del self._kept[len(self._kept) - n_layers :]
        return self

    def add_layer(self, layer: Layer) -> Self:
        """Put a layer at the end.

        layer: its number of inputs follows from the layers before
        Returns the maker.  Raises TypeError for anything but a layer.
        """
        self._kept.append(_Kept(instance("add_layer: layer", layer, Layer), None))
        return self

    def set_input_type(self, input_type: InputType) -> Self:
        """Take examples of another type.

        input_type: of one example
        Returns the maker.  Raises TypeError for anything but an `InputType`.
        """
        self._settings["input_type"] = instance("set_input_type: input_type", input_type, InputType)
        self._kept = [replace(each, layer=without_size(each.layer)) for each in self._kept]
        return self

    def build(self) -> MultiLayerNetwork:
        """The new network.

        Returns a `MultiLayerNetwork` on the device of the old one.
        Raises ValueError where the layers do not fit each other, or more are frozen than there are.
        """
        if self._n_frozen > len(self._kept):
            raise ValueError(f"build: {self._n_frozen} layers are to be frozen, and there are {len(self._kept)}")
        layers = [
            FrozenLayer(each.layer) if index < self._n_frozen and not each.layer.is_frozen else each.layer
            for index, each in enumerate(self._kept)
        ]
        configuration: NetworkConfiguration = replace(
            self._network.configuration, **self._settings, layers=tuple(layers)
        )
        with nd.device(self._network.device):
            network = MultiLayerNetwork.from_configuration(configuration)
        old, new = self._network.param_table(), network.param_table()
        for index, each in enumerate(self._kept):
            names = [row.name for row in network.stages[index].parameters]
            pairs = [(new[f"{index}_{name}"], old.get(f"{each.origin}_{name}")) for name in names]
            if all(source is not None and source.shape == target.shape for target, source in pairs):
                for target, source in pairs:
                    target[...] = source
        return network

    def _position(self, layer: int, caller: str) -> int:
        number = whole(layer, f"{caller}: layer", least=0)
        if number >= len(self._kept):
            raise ValueError(f"{caller}: layers are 0 to {len(self._kept) - 1}, given {number}")
        return number


def _checked_settings(settings: dict[str, Any]) -> dict[str, Any]:
    """Settings of training by name.  Raises ValueError for a name that is none."""
    known = {row.name: row.name for row in fields(TrainingConfiguration)}
    for name in settings:
        look_up(known, name, "setting")
    return settings


def _with_outputs(who: str, layer: Any, n_out: int, weight_init: Any) -> Any:
    """The layer with another number of outputs.  Raises ValueError where it has none."""
    if not any(row.name == "n_out" for row in fields(layer)):
        raise ValueError(f"n_out_replace: {who} ({layer.title}) has no n_out")
    changes: dict[str, Any] = {"n_out": whole(n_out, "n_out_replace: n_out")}
    if weight_init is not None:
        changes["weight_init"] = weight_init
    return replace(layer, **changes)


class GraphTransferLearning(TellingArguments):
    """Makes a graph from a trained `ComputationGraph`, which stays as it is; every step returns the maker itself.

    network: the trained one
    Layers keep their trained parameters where these still fit; those that are replaced or added, and layers that read
    one whose output has changed, start anew.
    Raises TypeError for anything but a `ComputationGraph`.

    >>> trained = nn.ComputationGraph(
    ...     {"x": nn.InputType.feed_forward(4)},
    ...     {"hidden": (nn.DenseLayer(8, "tanh"), "x"), "out": (nn.OutputLayer(3), "hidden")},
    ...     outputs="out",
    ... )
    >>> tuned = (
    ...     nn.GraphTransferLearning(trained)
    ...     .set_feature_extractor("hidden")
    ...     .remove_vertex("out")
    ...     .add_vertex("new", nn.OutputLayer(5), "hidden")
    ...     .set_outputs("new")
    ...     .build()
    ... )
    >>> tuned.output(nd.ones((1, 4))).shape
    (1, 5)
    """

    def __init__(self, network: ComputationGraph) -> None:
        self._network: ComputationGraph = instance("GraphTransferLearning: network", network, ComputationGraph)
        configuration: GraphConfiguration = network.configuration
        self._nodes = dict(configuration.vertices)
        self._outputs = configuration.outputs
        self._anew: set[str] = set()
        self._frozen: set[str] = set()
        self._settings: dict[str, Any] = {}

    def fine_tune(self, **settings: Any) -> Self:
        """Take other settings, fields of `TrainingConfiguration` such as `updater` or `seed`.

        settings: the values by name
        Returns the maker.  Raises ValueError for a name that is no setting.
        """
        self._settings |= _checked_settings(settings)
        return self

    def set_feature_extractor(self, *names: str) -> Self:
        """Freeze vertices, and all that they are computed from: training leaves them as they are.

        names: of layers or vertices
        Returns the maker.  Raises ValueError for a name that there is not.
        """
        waiting = [self._known(name, "set_feature_extractor") for name in names]
        while waiting:
            name = waiting.pop()
            self._frozen.add(name)
            waiting += [each for each in self._nodes[name].inputs if each in self._nodes and each not in self._frozen]
        return self

    def n_out_replace(self, name: str, n_out: int, weight_init: Any = None) -> Self:
        """Give a layer another number of outputs; it and the layers that read it start anew.

        name: of the layer    weight_init: of its weights, None for what it had
        Returns the maker.  Raises ValueError for a name that there is not, or a layer without `n_out`.
        """
        node = self._nodes[self._known(name, "n_out_replace")]
        self._nodes |= {each: replace(its, vertex=without_size(its.vertex)) for each, its in self._nodes.items()}
        self._nodes[name] = replace(node, vertex=_with_outputs(name, node.vertex, n_out, weight_init))
        self._anew.add(name)
        return self

    def remove_vertex(self, name: str, *, and_readers: bool = False) -> Self:
        """Take a layer or vertex out.

        name: of it
        and_readers: also all that is computed from it; otherwise what reads it must be taken out, or be replaced by
            one of another input, before `build`
        Returns the maker.  Raises ValueError for a name that there is not.
        """
        removed = {self._known(name, "remove_vertex")}
        while and_readers and (more := self._readers(removed) - removed):
            removed |= more
        self._nodes = {name: node for name, node in self._nodes.items() if name not in removed}
        self._outputs = tuple(each for each in self._outputs if each not in removed)
        self._frozen -= removed
        return self

    def add_vertex(self, name: str, vertex: Any, *inputs: str) -> Self:
        """Put a layer or vertex in.

        name: of it, which no other has    vertex: a layer or a `Vertex`    inputs: the names that it reads
        Returns the maker.  Raises TypeError for anything else, ValueError for a name that is there already.
        """
        if instance("add_vertex: name", name, str) in self._nodes:
            raise ValueError(
                f"add_vertex: there is a vertex {name!r} already; take it out first, remove_vertex({name!r})"
            )
        self._nodes[name] = node_of(name, (vertex, *inputs))
        self._anew.add(name)
        return self

    def set_outputs(self, *names: str) -> Self:
        """Say which vertices are the outputs; their losses count equally until `output_weights` say otherwise.

        names: of them, in order
        Returns the maker.  Raises ValueError for a name that there is not.
        """
        self._outputs = tuple(self._known(name, "set_outputs") for name in names)
        return self

    def build(self) -> ComputationGraph:
        """The new graph; inputs that nothing reads any more are left out.

        Returns a `ComputationGraph` on the device of the old one.
        Raises ValueError where vertices do not fit each other or read what is not there, and without outputs.
        """
        old: GraphConfiguration = self._network.configuration
        if not self._outputs:
            raise ValueError("build: no outputs are left; name them, set_outputs(...)")
        nodes = {name: self._frozen_node(name, node) for name, node in self._nodes.items()}
        weights = old.output_weights if self._outputs == old.outputs else None
        read = {each for node in nodes.values() for each in node.inputs}
        inputs = {name: given for name, given in old.inputs.items() if name in read}
        configuration: GraphConfiguration = replace(
            old, **self._settings, inputs=inputs, vertices=nodes, outputs=self._outputs, output_weights=weights
        )
        with nd.device(self._network.device):
            network = ComputationGraph.from_configuration(configuration)
        anew = self._started_anew(network)
        source, target = self._network.param_table(), network.param_table()
        for stage in network.stages:
            names = [f"{stage.name}_{row.name}" for row in stage.parameters]
            if stage.name not in anew and all(
                name in source and source[name].shape == target[name].shape for name in names
            ):
                for name in names:
                    target[name][...] = source[name]
        return network

    def _started_anew(self, network: ComputationGraph) -> set[str]:
        """Vertices that were changed, and the layers that read them, also through vertices without parameters."""
        anew, changed = set(self._anew), set(self._anew)
        for stage in network.stages:
            if any(each in changed for each in self._nodes[stage.name].inputs):
                (anew if stage.parameters else changed).add(stage.name)
        return anew

    def _frozen_node(self, name: str, node: Node) -> Node:
        """The node, with its layer in a FrozenLayer where it is to be frozen."""
        if name not in self._frozen or node.vertex.is_frozen or not isinstance(node.vertex, Layer):
            return node
        return replace(node, vertex=FrozenLayer(node.vertex))

    def _readers(self, names: Collection[str]) -> set[str]:
        return {name for name, node in self._nodes.items() if any(each in names for each in node.inputs)}

    def _known(self, name: str, caller: str) -> str:
        return look_up({each: each for each in self._nodes}, name, f"vertex for {caller}")
