"""TransferLearning: a new network from a trained one, with layers frozen, replaced, removed or added."""

from dataclasses import dataclass, fields, replace
from typing import Any, Self

from nd4py import api as nd
from nd4py.api.arguments import instance

from ..inputs import InputType
from ..layers import FrozenLayer, Layer
from ..names import look_up
from ..numbers import whole
from .configuration import NetworkConfiguration
from .multilayer import MultiLayerNetwork
from .settings import TrainingConfiguration


@dataclass(frozen=True)
class _Kept:
    """A layer of the new network, and the number of the old one's layer that its parameters come from, if any."""

    layer: Layer
    origin: int | None


class TransferLearning:
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
        self._network: MultiLayerNetwork = instance("TransferLearning: network", network, MultiLayerNetwork)
        self._kept = [_Kept(layer, index) for index, layer in enumerate(network.configuration.layers)]
        self._settings: dict[str, Any] = {}
        self._n_frozen = 0

    def fine_tune(self, **settings: Any) -> Self:
        """Take other settings, fields of `TrainingConfiguration` such as `updater` or `seed`.

        settings: the values by name
        Returns the maker.  Raises ValueError for a name that is no setting.
        """
        known = {row.name: row.name for row in fields(TrainingConfiguration)}
        for name in settings:
            look_up(known, name, "setting")
        self._settings |= settings
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
        old = self._kept[position].layer
        if not any(row.name == "n_out" for row in fields(old)):
            raise ValueError(f"n_out_replace: layer {position} ({old.title}) has no n_out")
        changes: dict[str, Any] = {"n_out": whole(n_out, "n_out_replace: n_out")}
        if weight_init is not None:
            changes["weight_init"] = weight_init
        self._kept[position] = _Kept(replace(old, **changes), None)
        if position + 1 < len(self._kept):
            self._kept[position + 1] = _Kept(self._kept[position + 1].layer, None)
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


def _n_frozen_at_start(network: MultiLayerNetwork) -> int:
    frozen = [layer.is_frozen for layer in network.configuration.layers]
    return frozen.index(False) if False in frozen else len(frozen)


class TransferLearningHelper:
    """Trains the layers behind frozen ones on features that the frozen ones computed once.

    network: the trained one
    frozen_until: the number of the last layer that is frozen; None for the frozen layers that the network begins with
    Raises TypeError for anything but a `MultiLayerNetwork`, ValueError where no layer is left to train.

    >>> trained = nn.MultiLayerNetwork(
    ...     [nn.DenseLayer(8, "tanh"), nn.OutputLayer(3)], input_type=nn.InputType.feed_forward(4)
    ... )
    >>> helper = nn.TransferLearningHelper(trained, frozen_until=0)
    >>> features = helper.featurize(nd.ones((2, 4)))
    >>> features.shape, nd.allclose(helper.output_from_featurized(features), trained.output(nd.ones((2, 4))))
    ((2, 8), array(True, dtype=bool))
    """

    def __init__(self, network: MultiLayerNetwork, frozen_until: int | None = None) -> None:
        self._network: MultiLayerNetwork = instance("TransferLearningHelper: network", network, MultiLayerNetwork)
        n_layers = len(network.stages)
        if frozen_until is None:
            frozen_until = _n_frozen_at_start(network) - 1
            if frozen_until < 0:
                raise ValueError(
                    "TransferLearningHelper: the network begins with no frozen layer; give frozen_until=, the number "
                    "of the last layer to keep as it is"
                )
        self._last = whole(frozen_until, "TransferLearningHelper: frozen_until", least=0)
        if self._last + 1 >= n_layers:
            raise ValueError(f"TransferLearningHelper: frozen_until must be below {n_layers - 1}, given {self._last}")
        start = next(slot.start for slot in network.slots if slot.layer > self._last)
        behind = replace(
            network.configuration,
            layers=network.configuration.layers[self._last + 1 :],
            input_type=network.stages[self._last].output,
        )
        self._behind = MultiLayerNetwork.from_configuration(behind, params=network.params()[start:])
        self._start = start

    @property
    def unfrozen(self) -> MultiLayerNetwork:
        """The network of the layers that are trained."""
        return self._behind

    def featurize(self, x: Any) -> nd.NDArray:
        """What the frozen layers make of a batch.

        Returns an array.  Raises as `output` of a network does.
        """
        return self._network.feed_forward_to_layer(self._last, x)[-1]

    def fit_featurized(self, data: Any, epochs: int = 1) -> None:
        """Train the layers behind the frozen ones; `data` as for `fit` of a network, its features from `featurize`.

        The trained parameters are written into the network too.
        Raises as `fit` does.
        """
        self._behind.fit(data, epochs)
        whole_vector = self._network.params().copy()
        whole_vector[self._start :] = self._behind.params()
        self._network.set_params(whole_vector)

    def output_from_featurized(self, features: Any) -> nd.NDArray:
        """The network's output for features that `featurize` returned.

        Returns an array.  Raises as `output` of a network does.
        """
        return self._behind.output(features)
