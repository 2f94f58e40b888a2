"""TransferLearningHelper: training behind frozen layers, on what these make of the examples once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from nd4py import api as nd
from nd4py.api.arguments import instance, items
from nd4py.api.unknown_settings import TellingArguments

from ...fitting.history import History
from ...names import look_up
from ...numbers import whole
from ..batches import Batch, parts_of
from ..checked_batches import in_order_of
from ..computation_graph import ComputationGraph, as_given
from ..configuration import GraphConfiguration
from ..multilayer import MultiLayerNetwork
from ..stages import Stage

WHO = "TransferLearningHelper"


@dataclass(frozen=True)
class _Parts:
    """A network in two parts.

    behind: a network of the layers that are trained
    edge: what these read, by its number among the inputs and stages of the whole
    left_out: the numbers of the stages that are trained
    places: of parameters, in the vector of the whole and in that of `behind`
    """

    behind: MultiLayerNetwork | ComputationGraph
    edge: tuple[int, ...]
    left_out: frozenset[int]
    places: tuple[tuple[slice, slice], ...]


class TransferLearningHelper(TellingArguments):
    """Trains the layers behind frozen ones on features that the frozen ones computed once.

    network: the trained one, a `MultiLayerNetwork` or a `ComputationGraph`
    frozen_until: of a stack, the number of the last layer that is frozen; of a graph, the name, or names, of vertices
        that are frozen with all that they are computed from.  None for the frozen layers that the network begins with
    Raises TypeError for anything but a network, ValueError where no layer is left to train, and for an output of a
    graph that is frozen.

    >>> trained = nn.MultiLayerNetwork(
    ...     [nn.DenseLayer(8, "tanh"), nn.OutputLayer(3)], input_type=nn.InputType.feed_forward(4)
    ... )
    >>> helper = nn.TransferLearningHelper(trained, frozen_until=0)
    >>> features = helper.featurize(nd.ones((2, 4)))
    >>> features.shape, nd.allclose(helper.output_from_featurized(features), trained.output(nd.ones((2, 4))))
    ((2, 8), array(True, dtype=bool))
    """

    def __init__(
        self, network: MultiLayerNetwork | ComputationGraph, frozen_until: int | str | Sequence[str] | None = None
    ) -> None:
        self._network: MultiLayerNetwork | ComputationGraph = network
        if isinstance(network, ComputationGraph):
            self._parts = _parts_of_graph(network, frozen_until)
        else:
            self._parts = _parts_of_stack(instance(f"{WHO}: network", network, MultiLayerNetwork), frozen_until)

    @property
    def unfrozen(self) -> MultiLayerNetwork | ComputationGraph:
        """The network of the layers that are trained."""
        return self._parts.behind

    def featurize(self, *x: Any, mask: Any = None) -> Any:
        """What the frozen layers make of a batch.

        x: the features, one array for each input or a dict of them by name; or a data set, with .features and .labels
            and masks, that is turned into one for `fit_featurized`
        mask: of features, as for `output` of a network
        Returns an array, or a tuple of them where the trained layers read several; of a data set one with these
        features, the masks that come with them, and its own labels.
        Raises as `output` of a network does, TypeError for a mask beside a data set.
        """
        is_data_set = len(x) == 1 and hasattr(x[0], "features") and hasattr(x[0], "labels")
        if not is_data_set:
            found, _ = self._computed(as_given(x), mask)
            return found[0] if len(found) == 1 else found
        if mask is not None:
            raise TypeError("featurize: mask= is for arrays; a data set has masks of its own")
        parts = parts_of(x[0])
        found, masks = self._computed(parts.features, parts.features_masks)
        return Batch(found, parts.labels, masks, parts.labels_masks)

    def fit_featurized(self, data: Any, labels: Any = None, *, epochs: int = 1, **settings: Any) -> History:
        """Train the layers behind the frozen ones; `data` as for `fit` of a network, its features from `featurize`.

        labels: where `data` are features alone; a whole number in its place stands for `epochs`
        settings: others of `fit`, such as `batch_size` or `validation_split`
        The trained parameters are written into the network too.
        Returns the `History` of the training.  Raises as `fit` does.
        """
        behind = self._parts.behind
        history = behind.fit(data, labels, epochs=epochs, **settings)
        whole_vector = self._network.params().copy()
        for place, own in self._parts.places:
            whole_vector[place] = behind.params()[own]
        self._network.set_params(whole_vector)
        return history

    def output_from_featurized(self, *features: Any, mask: Any = None) -> Any:
        """The network's output for features that `featurize` returned.

        mask: of the features, as for `output` of a network
        Returns an array, or a tuple of them for several outputs.  Raises as `output` of a network does.
        """
        behind = self._parts.behind
        given = in_order_of(list(behind.input_types), as_given(features), "output_from_featurized: features")
        return behind.output(*given, mask=mask)

    def _computed(self, given: Any, mask: Any) -> tuple[tuple[nd.NDArray, ...], Any]:
        """What the trained layers read, and its masks, None without any."""
        passed = self._network._computed_in_part(given, mask, self._parts.left_out)
        features = tuple(passed.values[number].detach() for number in self._parts.edge)
        masks = tuple(passed.masks[number] for number in self._parts.edge)
        return features, None if all(each is None for each in masks) else masks


def _parts_of_stack(network: MultiLayerNetwork, frozen_until: Any) -> _Parts:
    n_layers = len(network.stages)
    if frozen_until is None:
        frozen = [layer.is_frozen for layer in network.configuration.layers]
        frozen_until = (frozen.index(False) if False in frozen else n_layers) - 1
        if frozen_until < 0:
            raise ValueError(
                f"{WHO}: the network begins with no frozen layer; give frozen_until=, the number of the last layer to "
                "keep as it is"
            )
    last = whole(frozen_until, f"{WHO}: frozen_until", least=0)
    if last + 1 >= n_layers:
        raise ValueError(f"{WHO}: frozen_until must be below {n_layers - 1}, given {last}")
    start = next(slot.start for slot in network.slots if slot.layer > last)
    configuration = replace(
        network.configuration,
        layers=network.configuration.layers[last + 1 :],
        input_type=network.stages[last].output,
    )
    behind = MultiLayerNetwork.from_configuration(configuration, params=network.params()[start:])
    places = ((slice(start, None), slice(None)),)
    return _Parts(behind, (last + 1,), frozenset(range(last + 1, n_layers)), places)


def _parts_of_graph(network: ComputationGraph, frozen_until: Any) -> _Parts:
    given: GraphConfiguration = network.configuration
    frozen = _frozen_at_start(network) if frozen_until is None else _with_sources(network, frozen_until)
    names = [*network.input_types, *(stage.name for stage in network.stages)]
    for name in given.outputs:
        if name in frozen:
            raise ValueError(f"{WHO}: the output {name!r} is frozen, and nothing is left to train for it")
    nodes = {name: node for name, node in given.vertices.items() if name not in frozen}
    if shared := next((node.shares for node in nodes.values() if node.shares in frozen), None):
        raise ValueError(f"{WHO}: a layer that is trained shares the parameters of {shared!r}, which is frozen")
    read = {source for node in nodes.values() for source in node.inputs if source not in nodes}
    edge = tuple(number for number, name in enumerate(names) if name in read)
    types = [*network.input_types.values(), *(stage.output for stage in network.stages)]
    inputs = {names[number]: types[number] for number in edge}
    behind = ComputationGraph.from_configuration(replace(given, inputs=inputs, vertices=nodes))
    own = {slot.key: slot.elements for slot in behind.slots}
    places = tuple((slot.elements, own[slot.key]) for slot in network.slots if slot.key in own)
    vector = behind.params().copy()
    for place, part in places:
        vector[part] = network.params()[place]
    behind.set_params(vector)
    return _Parts(behind, edge, frozenset(stage.index for stage in network.stages if stage.name in nodes), places)


def _frozen_at_start(network: ComputationGraph) -> set[str]:
    """The vertices that no trained parameter stands before, if any of them is frozen.

    Raises ValueError where none is.
    """
    n_inputs, frozen = len(network.input_types), set(range(len(network.input_types)))
    found: list[Stage] = []
    for stage in network.stages:
        is_still = stage.layer.is_frozen or not stage.parameters
        is_behind_frozen = all(source in frozen for source in stage.sources)
        if is_still and is_behind_frozen and stage.name not in network.configuration.outputs:
            frozen.add(n_inputs + stage.index)
            found.append(stage)
    if not any(stage.layer.is_frozen for stage in found):
        raise ValueError(
            f"{WHO}: the graph begins with no frozen layer; give frozen_until=, the names of the last vertices to keep "
            "as they are"
        )
    return {stage.name for stage in found}


def _with_sources(network: ComputationGraph, given: Any) -> set[str]:
    """The vertices of these names, and all that they are computed from.  Raises ValueError for one that is none."""
    nodes = network.configuration.vertices
    names = (given,) if isinstance(given, str) else items(f"{WHO}: frozen_until", given)
    known = {name: name for name in nodes}
    waiting = [look_up(known, name, f"vertex for {WHO}") for name in names]
    if not waiting:
        raise ValueError(f"{WHO}: frozen_until names no vertex; give one, or leave it out")
    found: set[str] = set()
    while waiting:
        name = waiting.pop()
        found.add(name)
        waiting += [each for each in nodes[name].inputs if each in nodes and each not in found]
    return found
