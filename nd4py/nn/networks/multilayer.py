"""MultiLayerNetwork: a stack of layers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Self

from nd4py import api as nd
from nd4py.api.arguments import instance, items, whole
from nd4py.api.unknown_settings import telling_arguments

from ..evaluation.rows import Rows, comparable
from ..inputs import InputType
from ..layers import Layer
from ..updaters import Sgd, Updater
from .batches import Batch
from .configuration import NetworkConfiguration
from .frames import as_array
from .pretraining import PretrainableNetwork
from .stages import Stage, stages_of_layers
from .time_steps import SequenceNetwork, step_of_output


class MultiLayerNetwork(SequenceNetwork, PretrainableNetwork):
    """Layers one after another, trained by gradient descent.

    layers: the stack; every n_in follows from `input_type` and the layers before, and is compared where it is given
    input_type: what one example looks like; None where n_in of the first layer says how long a row or a step is
    updater: `Sgd()` when None
    weight_init: a name or a `Distribution`
    l1, l2: regularisation of the weights, added to the score and to the gradient before the updater
    weight_decay: share of the weights taken off beside the updater, times the learning rate
    gradient_normalization, gradient_threshold: see `gradient_normalization`
    seed: of initial weights and dropout
    dtype: "float32" or "float64"; with "float16" and "bfloat16" layers compute in it, and parameters, gradients and
        updater state are kept in float32
    workspace_mode: "enabled" puts the arrays of a step into an arena that is reused, "none" into plain memory;
        results are the same.  Arrays on a device come from its own cache, whatever the mode
    params: a vector to copy the initial parameters from
    settings: other fields of `TrainingConfiguration`, such as `activation`, `dropout`, `constraints`, `tbptt_length` or
        `gradient_accumulation`; a layer's own fields go before them
    The network is made on the default device, `with nd.device("cuda:0")` on that one; `to_device` moves it.
    Raises ValueError naming the layer or setting that is wrong.

    >>> net = nn.MultiLayerNetwork(
    ...     [nn.DenseLayer(8, activation="tanh"), nn.OutputLayer(2)],
    ...     input_type=nn.InputType.feed_forward(2), updater=nn.Adam(0.05), seed=1,
    ... )
    >>> x = nd.asarray([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
    >>> labels = nd.one_hot([0, 1, 1, 0], 2)  # exclusive or
    >>> for _ in range(200):
    ...     score = net.fit_batch(x, labels)
    >>> nd.argmax(net.output(x), axis=1)
    array([0, 1, 1, 0], dtype=int64)
    """

    configuration_class = NetworkConfiguration

    @telling_arguments
    def __init__(
        self,
        layers: Iterable[Layer],
        *,
        input_type: InputType | None = None,
        updater: Updater | None = None,
        weight_init: Any = "xavier",
        l1: float = 0.0,
        l2: float = 0.0,
        weight_decay: float = 0.0,
        gradient_normalization: str | None = None,
        gradient_threshold: float = 1.0,
        seed: int = 0,
        dtype: Any = "float32",
        workspace_mode: str = "enabled",
        params: Any = None,
        **settings: Any,
    ) -> None:
        configuration = NetworkConfiguration(
            layers=items("layers", layers),
            input_type=input_type,  # type: ignore[arg-type]  # None finds its own
            updater=Sgd() if updater is None else updater,
            weight_init=weight_init,
            l1=l1,
            l2=l2,
            weight_decay=weight_decay,
            gradient_normalization=gradient_normalization,
            gradient_threshold=gradient_threshold,
            seed=seed,
            dtype=dtype,
            workspace_mode=workspace_mode,
            **settings,
        )
        super().__init__(configuration, params)

    @staticmethod
    def stages_of(configuration: NetworkConfiguration) -> tuple[Stage, ...]:
        given = instance("configuration", configuration, NetworkConfiguration)
        return stages_of_layers(given.layers, given.input_type, given.taken_over)

    @classmethod
    def from_configuration(cls, configuration: NetworkConfiguration, params: Any = None) -> Self:
        return cls(**instance("configuration", configuration, NetworkConfiguration).settings(), params=params)

    @property
    def input_type(self) -> InputType:
        """What one example looks like."""
        return self.configuration.input_type

    @property
    def input_types(self) -> Mapping[str, InputType]:
        return {"input": self.input_type}

    def _scored_outputs(self) -> list[tuple[Stage, float]]:
        return [(self._stages[-1], 1.0)]

    def retyped(self, input_type: InputType | None) -> NetworkConfiguration:
        return replace(self.configuration, workspace_mode="enabled", input_type=input_type or self.input_type)

    def get_layer(self, layer: int | str) -> Layer:
        """The layer with this number or name, with the network's settings where its own fields were None.

        Raises ValueError where there is none.
        """
        found = self._layer_stage(layer).layer
        assert isinstance(found, Layer)
        return found

    def _layer_stage(self, layer: int | str) -> Stage:
        for stage in self._stages:
            if layer in (stage.index, stage.name, stage.layer.name or stage.name):
                return stage
        names = ", ".join(f"{stage.index} ({stage.layer.title})" for stage in self._stages)
        raise ValueError(f"there is no layer {layer!r}; layers: {names}")

    def output(self, x: Any, *, train: bool = False, mask: Any = None) -> nd.NDArray:
        """The output of the last layer for a batch `x`; with `train`, dropout is applied.

        mask: (batch, length), 1 at steps of sequences that are there, 0 at padding
        Inside `nd4py.grad` gradients flow through it to `x`; the parameters are constants there.
        Raises ValueError for a shape that the first layer does not take, TypeError for an argument that cannot become
        an array.
        """
        with self._lock:
            self._finish()
            quick = not train and mask is None
            if quick and self._graph is not None and (result := self._graph.repeated(x)) is not None:
                return result
            inputs = self._checker.features([as_array(x)], self.device)
            if quick and (result := self._quick_output(inputs)) is not None:
                return result
            masks = self._checker.masks(mask, inputs, self.device)
            with self._scope(self._inference, x):
                return self._run(inputs, masks, train=train, wanted=()).values[-1].detach()

    def feed_forward(self, x: Any, *, train: bool = False, mask: Any = None) -> list[nd.NDArray]:
        """The batch `x` itself and the output of every layer.

        Raises ValueError for a shape that the first layer does not take, TypeError for an argument that cannot become
        an array.
        """
        return self.feed_forward_to_layer(len(self._stages) - 1, x, train=train, mask=mask)

    def feed_forward_to_layer(self, layer: int, x: Any, *, train: bool = False, mask: Any = None) -> list[nd.NDArray]:
        """The batch `x` itself and the outputs of the layers up to the number `layer`.

        Raises ValueError for a number of no layer and for a shape that the first layer does not take, TypeError for an
        argument that cannot become an array.
        """
        if whole("feed_forward_to_layer: layer", layer) not in range(len(self._stages)):
            raise ValueError(f"feed_forward_to_layer: layers are 0 to {len(self._stages) - 1}, given {layer!r}")
        with self._lock:
            self._finish()
            inputs, masks = self._checked_inputs([as_array(x)], mask)
            return self._run(inputs, masks, train=train, n_stages=layer + 1).values

    def rnn_time_step(self, x: Any, *, mask: Any = None, stream: Any = None) -> nd.NDArray:
        """The output for the next step, or steps, of sequences; recurrent layers go on from the call before.

        x: (batch, size) for one step, or (batch, length, size)
        stream: any key: sequences that come beside each other have states of their own
        Returns an array (batch, n_out), or (batch, length, n_out) for several steps.
        Raises ValueError for a shape that the first layer does not take, another number of sequences than before,
            and layers that look at steps that come later.
        """
        with self._lock:
            self._finish()
            passed, is_step = self._next_steps([as_array(x)], mask, stream)
            return step_of_output(passed.values[-1], is_step)

    def example_labels(self, n_examples: int) -> nd.NDArray:
        """Labels that the loss takes, all ones.

        Returns an array.  Raises ValueError for a negative number, TypeError for a number that is not whole.
        """
        return self._labels_of_ones(self._stages[-1], n_examples)

    def _computed_output(self, *inputs: nd.NDArray) -> nd.NDArray:
        return self._run(inputs, wanted=()).values[-1]

    def _output_of(self, parts: Batch) -> nd.NDArray:
        return self.output(parts.features, mask=parts.features_masks)

    def _compared(self, parts: Batch) -> Iterator[tuple[str, Rows]]:
        mask = parts.features_masks
        yield self._stages[-1].name, comparable(parts.labels, self._output_of(parts), parts.labels_masks, mask)
