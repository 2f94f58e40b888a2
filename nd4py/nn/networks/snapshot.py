"""Snapshots: the parameters of a network as they were, for outputs that many threads ask for at a time.

Design: a network's own methods wait for each other, because training may change what they read.  Nobody changes a
snapshot, and the graphs of small batches are replayed by any number of threads, so its lock is one that never waits.
A snapshot has no updater state: it needs the memory of the parameters alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

import numpy

from nd4py import api as nd
from nd4py.api.arguments import items, whole

from ..updaters import Sgd

MOST_KINDS = 256  # of examples whose checks are remembered
Masks = tuple[nd.NDArray | None, ...] | None
NETWORKS_HAVE = ("configuration", "params", "feed_forward")


class Snapshot:
    """What `network` computes now, whatever becomes of it later; any number of threads may call it at a time.

    network: a MultiLayerNetwork or ComputationGraph, whose parameters are copied
    Raises TypeError for anything but a network.

    >>> net = nn.MultiLayerNetwork([nn.OutputLayer(2)], input_type=nn.InputType.feed_forward(4))
    >>> frozen = nn.Snapshot(net)
    >>> inputs, masks = frozen.checked(nd.ones((3, 4)))
    >>> [y.shape for y in frozen.outputs(inputs, masks)]
    [(3, 2)]
    """

    def __init__(self, network: Any) -> None:
        # Plain SGD has no state, and that of layers with updaters of their own is not needed.
        if isinstance(network, type) or not all(hasattr(network, name) for name in NETWORKS_HAVE):
            given = f"the class {network.__name__}" if isinstance(network, type) else type(network).__name__
            raise TypeError(f"network must be a MultiLayerNetwork or a ComputationGraph, given {given}")
        configuration = replace(network.configuration, updater=Sgd())
        with network._lock:  # of a network that is being trained
            self._network = type(network).from_configuration(configuration, params=network.params())
        self._network._updater_state = None
        self._network.to_device(network.device)
        self._network._lock = nullcontext()
        self._n_inputs = len(self._network.input_types)
        self._fitting: set[Any] = set()  # shapes and dtypes of examples that were checked and taken as they are

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_fitting": set(), "_network": (type(self._network), self._network._frozen_state())}

    def __setstate__(self, state: dict[str, Any]) -> None:
        kind, of_network = state["_network"]
        network = object.__new__(kind)
        network.__setstate__(of_network)
        network._lock = nullcontext()
        vars(self).update(state, _network=network)

    @property
    def configuration(self) -> Any:
        """The network's configuration, without what is of training alone: the updater and the seed."""
        return replace(self._network.configuration, seed=0)

    @property
    def input_types(self) -> dict[str, Any]:
        """The type of each input by its name."""
        return dict(self._network.input_types)

    @property
    def index_inputs(self) -> frozenset[int]:
        """The numbers of the inputs that are indices, such as those of words."""
        return frozenset(self._network._checker.index_inputs)

    @property
    def output_types(self) -> tuple[Any, ...]:
        """The type of each output."""
        return tuple(stage.output for stage, _ in self._network._scored_outputs())

    @property
    def n_bytes(self) -> int:
        """Bytes of the parameters, and of the graphs that were captured so far."""
        return int(self._network.params().nbytes) + self._network.graph_bytes()

    def working_bytes(self, n_rows: int) -> int:
        """Bytes of what all layers make of so many examples, which a thread needs at most beside the parameters.

        Raises TypeError for what is no whole number.
        """
        bytes_of_row = self._network.params().itemsize * sum(int(stage.output.size) for stage in self._network.stages)
        return bytes_of_row * int(whole("working_bytes: n_rows", n_rows))

    def checked(self, inputs: Any, mask: Any = None) -> tuple[tuple[nd.NDArray, ...], Masks]:
        """The arrays of a batch, one for each input, and their masks; arguments as for the network's `output`.

        Raises ValueError for shapes that do not fit, TypeError for an argument that cannot become an array.
        """
        given = inputs[0] if type(inputs) in (list, tuple) and len(inputs) == 1 else inputs
        x = nd.asarray(given) if isinstance(given, numpy.ndarray) else given
        if mask is not None or type(x) is not nd.NDArray:
            return self._network._checked_inputs(inputs, mask)
        kind = x.shape[1:], x.dtype
        if kind not in self._fitting or x.node is not None:
            checked = self._network._checked_inputs(x, None)
            if checked[0][0] is x and len(self._fitting) < MOST_KINDS:
                self._fitting.add(kind)
            return checked
        return (x,), None

    def outputs(self, inputs: Sequence[nd.NDArray], masks: Masks = None) -> tuple[nd.NDArray, ...]:
        """The network's outputs for a batch that was checked: the bits of its `output`, in arrays of their own.

        Raises ValueError for another number of inputs, what layers of one's own raise, MemoryError.
        """
        found = self._network.output(*self._of_all_inputs(inputs), mask=masks)
        return found if isinstance(found, tuple) else (found,)

    def _of_all_inputs(self, inputs: Sequence[nd.NDArray]) -> Sequence[nd.NDArray]:
        """An array for each input of the network.  Raises ValueError for another number of them."""
        given = items("Snapshot: inputs", inputs)
        if len(given) != self._n_inputs:
            raise ValueError(f"Snapshot: {self._n_inputs} inputs are needed, given {len(given)}")
        return given

    def activations(self, inputs: Sequence[nd.NDArray], masks: Masks = None) -> list[nd.NDArray]:
        """What every layer makes of a batch that was checked, in their order.

        Raises ValueError for another number of inputs, what layers of one's own raise, MemoryError.
        """
        found = self._network.feed_forward(*self._of_all_inputs(inputs), mask=masks)
        return list(found.values() if isinstance(found, dict) else found)

    def outputs_of(
        self, layers: Sequence[int | str], inputs: Sequence[nd.NDArray], masks: Masks = None
    ) -> tuple[nd.NDArray, ...]:
        """What some of the layers make of a batch that was checked, in arrays of their own.

        layers: numbers or names of layers, names of vertices
        Raises ValueError for one that there is not, and as `activations` does.
        """
        stages = [self._network._layer_stage(layer) for layer in items("Snapshot: layers", layers)]
        found = self.activations(inputs, masks)[self._n_inputs :]
        return tuple(nd.asarray(found[stage.index], copy=True) for stage in stages)

    def check_layers(self, layers: Sequence[int | str]) -> None:
        """Raises ValueError for a number or name of no layer, TypeError for anything but several of them."""
        for layer in items("Snapshot: layers", layers):
            self._network._layer_stage(layer)
